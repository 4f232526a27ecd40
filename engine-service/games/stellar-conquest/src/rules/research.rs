//! Rule 18: payments into research.

use heliopause_kernel::Refusal;

use crate::rules::judge::refuse;
use crate::state::research::{BadPayment, Research};
use crate::state::sheet::Payment;

/// 18.1, 18.3: whether a payment can be made.
pub(crate) fn judge_payment(research: &Research, payment: Payment) -> Result<(), Refusal> {
    let tech = payment.tech;
    match research.judge(tech, payment.points) {
        Ok(()) if payment.points == 0 => {
            refuse("nothing-paid", "18.3", format!("Nothing is paid into {tech}."))
        }
        Ok(()) => Ok(()),
        Err(BadPayment::Owned) => {
            refuse("owned-already", "18.3", format!("{tech} is owned already."))
        }
        Err(BadPayment::Closed) => refuse(
            "level-closed",
            "18.1",
            format!("{tech} needs a title of the level below in its class."),
        ),
        Err(BadPayment::TooMuch(missing)) => {
            refuse("overpaid", "18.3", format!("{tech} needs only {missing} more i.p."))
        }
    }
}
