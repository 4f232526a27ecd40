//! Rule 18: payments into research.

use heliopause_kernel::Refusal;

use crate::rules::judge::refuse;
use crate::state::{BadPayment, Payment, Research};

pub(crate) fn judge_payment(research: &Research, payment: Payment) -> Result<(), Refusal> {
    let tech = payment.tech;
    match research.judge(tech, payment.points) {
        Ok(()) if payment.points == 0 => {
            refuse("nothing-paid", "18.3", format!("Pay at least 1 i.p. into {tech}."))
        }
        Ok(()) => Ok(()),
        Err(BadPayment::Owned) => {
            refuse("owned-already", "18.3", format!("You already own {tech}."))
        }
        Err(BadPayment::Closed) => refuse(
            "level-closed",
            "18.1",
            format!(
                "To research {tech}, first acquire a level {} technology of the class {}.",
                tech.title().level - 1,
                tech.title().class
            ),
        ),
        Err(BadPayment::TooMuch(missing)) => {
            let message = format!("{tech} needs only {missing} more i.p., not {}.", payment.points);
            refuse("overpaid", "18.3", message)
        }
    }
}
