//! Orders as text, one a line.

use heliopause_kernel::Malformed;

use crate::order::Order;
use crate::view::View;

/// Reads orders.
pub(crate) fn parse(_view: &View, _text: &str) -> Result<Vec<Order>, Malformed> {
    todo!("notation")
}

/// Writes an order.
pub(crate) fn notate(_order: &Order) -> String {
    todo!("notation")
}
