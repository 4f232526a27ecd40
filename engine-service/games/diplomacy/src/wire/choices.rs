//! Choices.

use heliopause_proto::diplomacy::v1 as proto;

use super::names::write_named;
use super::order;
use crate::choices::{Choices, Group};
use crate::describe::{label, rule_of};
use crate::order::Order;

pub(super) fn write(choices: &Choices) -> proto::Choices {
    proto::Choices {
        groups: choices.groups.iter().map(write_group).collect(),
        builds: choices.builds,
        removals: choices.removals,
        clear: choices.clear,
    }
}

fn write_group(group: &Group) -> proto::ChoiceGroup {
    proto::ChoiceGroup {
        unit: group.unit.map(write_named),
        count: group.count,
        choices: group.orders.iter().map(write_choice).collect(),
    }
}

fn write_choice(choice: &Order) -> proto::OrderChoice {
    proto::OrderChoice {
        order: Some(order::write(choice)),
        label: label(choice),
        notation: choice.to_string(),
        rule: rule_of(choice).to_owned(),
    }
}
