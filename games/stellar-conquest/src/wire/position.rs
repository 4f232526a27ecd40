//! Positions: complete states that are easy to write by hand.

use heliopause_kernel::wire::{Read, Result, Wire, Write, field, inside, rows, wrong_field};
use heliopause_proto::stellar_conquest::v1 as proto;

use super::power;
use crate::state::{Secrets, StellarConquest, Truth};
use crate::tables::{CARD_COUNT, CardId, SEATS_MAX, STAR_COUNT, StarColor, StarId};

impl Write<proto::Position> for StellarConquest {
    fn write(&self) -> proto::Position {
        proto::Position {
            table: self.table.write(),
            powers: self.truth.powers.write(),
            secrets: self.truth.secrets.write(),
            decided: self.decided.clone(),
        }
    }
}

/// Reads a state, fills in optional values, and checks every invariant.
impl Read<proto::Position> for StellarConquest {
    fn read(message: &proto::Position) -> Result<Self> {
        let table = field("table", &message.table)?;
        let mut game = Self::of(table, read_truth(&message.powers, &message.secrets)?);
        if message.decided.len() > game.decided.len() {
            let (most, found) = (game.decided.len(), message.decided.len());
            let text = format!("expected at most {most} numbers, one for each seat, found {found}");
            return wrong_field("decided", text);
        }
        game.decided[..message.decided.len()].copy_from_slice(&message.decided);
        game.show_all_groups();
        game.integrity()?;
        Ok(game)
    }
}

#[expect(clippy::ref_option, reason = "it is the field as it is")]
pub(super) fn read_truth(
    powers: &[proto::Power],
    secrets: &Option<proto::Secrets>,
) -> Result<Truth> {
    let secrets: Secrets = field("secrets", secrets)?;
    if powers.len() > SEATS_MAX {
        return wrong_field(
            "powers",
            format!("{} are too many; the maximum is {SEATS_MAX}", powers.len()),
        );
    }
    let power = |(index, message)| {
        inside(&format!("powers[{index}]"), power::read(message, &secrets.cards))
    };
    let powers = powers.iter().enumerate().map(power).collect::<Result<_>>()?;
    Ok(Truth { powers, secrets })
}

#[derive(Wire)]
#[wire(message = proto::StarCard)]
struct Drawn {
    star: StarId,
    card: CardId,
}

/// Missing decks are filled with the remaining cards in numerical order.
impl Read<proto::Secrets> for Secrets {
    fn read(message: &proto::Secrets) -> Result<Self> {
        let mut cards = Box::new([None; STAR_COUNT]);
        for Drawn { star, card } in inside("cards", rows(&message.cards, STAR_COUNT))? {
            cards[star.index()] = Some(card);
        }
        let mut stack: Vec<CardId> = inside("decks", rows(&message.decks, CARD_COUNT))?;
        if stack.is_empty() {
            let numbers = 1..=CARD_COUNT as u32;
            stack = numbers
                .filter_map(CardId::numbered)
                .filter(|card| !cards.contains(&Some(*card)))
                .collect();
        }
        let decks = StarColor::ALL.map(|color| {
            let of_color = stack.iter().rev().filter(|card| card.card().color == color);
            of_color.copied().collect()
        });
        Ok(Self { decks, cards, kept: field("glimpses", &message.glimpses)? })
    }
}

impl Write<proto::Secrets> for Secrets {
    fn write(&self) -> proto::Secrets {
        let decks = self.decks.iter().flat_map(|deck| deck.iter().rev());
        let drawn =
            |star: StarId| self.cards[star.index()].map(|card| Drawn { star, card }.write());
        proto::Secrets {
            decks: decks.map(Write::write).collect(),
            cards: StarId::ALL.into_iter().filter_map(drawn).collect(),
            glimpses: self.kept.write(),
        }
    }
}

heliopause_kernel::message!(Secrets, proto::Secrets);
