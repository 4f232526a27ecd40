//! Choices.

use heliopause_proto::starships_at_large::v1 as proto;

use super::names::{write_places, write_seat};
use super::order;
use crate::choices::{Choice, Choices, PledgeChoices};

pub(super) fn write(choices: &Choices) -> proto::Choices {
    proto::Choices {
        choices: choices.list.iter().map(write_choice).collect(),
        pledges: choices.pledges.as_ref().map(write_pledges),
    }
}

fn write_choice(choice: &Choice) -> proto::Choice {
    proto::Choice {
        order: Some(order::write(&choice.order)),
        label: choice.label.clone(),
        notation: choice.order.to_string(),
        rule: choice.rule.to_owned(),
    }
}

fn write_pledges(pledges: &PledgeChoices) -> proto::PledgeChoices {
    proto::PledgeChoices {
        receivers: pledges.receivers.iter().copied().map(write_seat).collect(),
        first_round: pledges.first_round.into(),
        last_round: pledges.last_round.into(),
        planets: write_places(pledges.planets),
        hexes: write_places(pledges.hexes),
    }
}
