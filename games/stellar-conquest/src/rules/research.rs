//! Rule 18: payments into research.

use heliopause_kernel::Refusal;

use crate::rules::judge::refuse;
use crate::state::{BadPayment, Payment, Research};

pub(crate) fn judge_payment(research: &Research, payment: Payment) -> Result<(), Refusal> {
    let tech = payment.tech;
    match research.judge(tech, payment.points) {
        Ok(()) if payment.points == 0 => {
            refuse!("nothing-paid", tech)
        }
        Ok(()) => Ok(()),
        Err(BadPayment::Owned) => {
            refuse!("owned-already", tech)
        }
        Err(BadPayment::Closed) => refuse!(
            "level-closed",
            tech,
            level = tech.title().level - 1,
            class = tech.title().class
        ),
        Err(BadPayment::TooMuch(missing)) => {
            refuse!("overpaid", tech, missing, points = payment.points)
        }
    }
}
