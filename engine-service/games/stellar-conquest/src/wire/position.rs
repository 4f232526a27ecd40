//! Positions: complete states, convenient to write by hand.

use heliopause_kernel::{Malformed, Seat};
use heliopause_proto::stellar_conquest::v1 as proto;

use super::names::{read_seat, read_star};
use super::power::{read_card, read_sighting, write_sighting};
use super::{ROWS_MAX, field, list, need, power, table, wrong};
use crate::board::Place;
use crate::cards::{CARD_COUNT, CardId, Planet, PlanetId};
use crate::position::StellarConquest;
use crate::secrets::{Kept, Secrets};
use crate::stars::{Colour, STAR_COUNT, StarId};
use crate::table::{Groups, Table};
use crate::view::Truth;

pub(super) fn write(game: &StellarConquest) -> proto::Position {
    proto::Position {
        table: Some(table::write(&game.table)),
        powers: game.truth.powers.iter().map(power::write).collect(),
        secrets: Some(write_secrets(&game.truth.secrets)),
        decided: game.decided.clone(),
    }
}

/// Reads a state, fills in what may be left out, and checks every invariant.
pub(super) fn read(message: &proto::Position) -> Result<StellarConquest, Malformed> {
    let table = field("table", table::read(message.table.as_ref()))?;
    let truth = read_truth(&message.powers, message.secrets.as_ref())?;
    let mut game = whole(table, truth);
    if message.decided.len() > game.decided.len() {
        return field("decided", wrong("there are more numbers than seats"));
    }
    for (count, &number) in game.decided.iter_mut().zip(&message.decided) {
        *count = number;
    }
    game.show_all_groups();
    game.integrity()?;
    Ok(game)
}

/// A state of these parts, in which nobody has decided anything yet.
pub(super) fn whole(table: Table, truth: Truth) -> StellarConquest {
    let decided = vec![0; table.seats()];
    StellarConquest { table, truth, decided }
}

impl StellarConquest {
    /// BR-30: the groups that hexes show follow from the ships.
    pub(super) fn show_all_groups(&mut self) {
        for (groups, power) in self.table.groups.iter_mut().zip(&self.truth.powers) {
            *groups = Groups::default();
            let mut places: Vec<Place> = power.ships.iter().filter_map(|ship| ship.at).collect();
            places.sort_unstable();
            places.dedup();
            for at in places {
                groups.set(at, power.groups_at(at));
            }
        }
    }
}

/// What the game master sees, and nobody else.
pub(super) fn read_truth(powers: &[proto::Power], secrets: Option<&proto::Secrets>) -> Result<Truth, Malformed> {
    let secrets = field("secrets", read_secrets(secrets))?;
    let world = |planet: PlanetId| -> Option<Planet> {
        secrets.cards[planet.star.index()].and_then(|card| planet.on(card)).copied()
    };
    let powers = list("powers", powers, super::names::SEATS_MAX, |message| power::read(message, &world))?;
    Ok(Truth { powers, secrets })
}

pub(super) fn write_secrets(secrets: &Secrets) -> proto::Secrets {
    let decks = secrets.decks.iter().flat_map(|deck| deck.iter().rev());
    let card = |star: StarId| {
        let card = secrets.cards[star.index()]?;
        Some(proto::StarCard { star: star.to_string(), card: card.number() })
    };
    let kept = |kept: &Kept| proto::GlimpseKept {
        seat: kept.seat.number(),
        number: kept.number,
        sighting: Some(write_sighting(&kept.sighting)),
    };
    proto::Secrets {
        decks: decks.map(|card| card.number()).collect(),
        cards: StarId::all().filter_map(card).collect(),
        glimpses: secrets.kept.iter().map(kept).collect(),
    }
}

fn read_star_card(message: &proto::StarCard) -> Result<(StarId, CardId), Malformed> {
    Ok((field("star", read_star(&message.star))?, field("card", read_card(message.card))?))
}

fn read_kept(message: &proto::GlimpseKept) -> Result<Kept, Malformed> {
    let seat: Seat = field("seat", read_seat(message.seat))?;
    let sighting = field("sighting", read_sighting(message.sighting.as_ref()))?;
    Ok(Kept { seat, number: message.number, sighting })
}

/// The secrets; without decks, the cards that were not drawn are stacked by number.
fn read_secrets(message: Option<&proto::Secrets>) -> Result<Secrets, Malformed> {
    let message = need(message)?;
    let mut cards = Box::new([None; STAR_COUNT]);
    for (star, card) in list("cards", &message.cards, STAR_COUNT, read_star_card)? {
        cards[star.index()] = Some(card);
    }
    let mut stack = list("decks", &message.decks, CARD_COUNT, |&number| read_card(number))?;
    if stack.is_empty() {
        let numbers = 1..=CARD_COUNT as u32;
        stack = numbers.filter_map(CardId::numbered).filter(|card| !cards.contains(&Some(*card))).collect();
    }
    let decks = Colour::ALL.map(|colour| {
        let of_colour = stack.iter().rev().filter(|card| card.card().colour == colour);
        of_colour.copied().collect()
    });
    Ok(Secrets { decks, cards, kept: list("glimpses", &message.glimpses, ROWS_MAX, read_kept)? })
}
