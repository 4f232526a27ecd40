//! Descriptions of events and decisions. `sentences.txt` has the sentences.

use std::sync::LazyLock;

use heliopause_kernel::Seat;
use heliopause_kernel::facts_as_text;
use heliopause_kernel::sentence::{FactList, Facts, Names, Sentences};

use crate::board::{Place, Places};
use crate::event::{Event, PlanetEvent};
use crate::knowledge::Owed;
use crate::markers::{Marker, planet_name};
use crate::order::{Agreement, Means, Promise};
use crate::pieces::{BaseId, Piece, ShipId, Target, letter};
use crate::table::Ending;

static SENTENCES: LazyLock<Sentences> =
    LazyLock::new(|| Sentences::read(include_str!("sentences.txt")));

/// Returns a sentence about an event, and the number of the rule that decided the event.
pub(crate) fn describe(event: &Event, names: Names<'_>) -> (String, &'static str) {
    let mut facts = FactList::of(event, names);
    if let Event::Planet(PlanetEvent::FacedUp { at, marker, .. }) = *event {
        let name = planet_name(marker, at).filter(|_| marker != Marker::Earth);
        facts.add("name", name.unwrap_or_default());
    }
    SENTENCES.describe(&facts)
}

/// Returns the prompt for a decision outside the normal turn, and the kind of its phase.
pub(crate) fn prompt(owed: &Owed) -> (String, &'static str) {
    SENTENCES.describe(&FactList::of(owed, &|seat: Seat| letter(seat).to_string()))
}

pub(crate) fn subject(piece: Piece) -> String {
    match piece {
        Piece::Ship(ship) => ship.to_string(),
        Piece::Base(base) => format!("The {base}"),
    }
}

pub(crate) fn object(piece: Piece) -> String {
    match piece {
        Piece::Ship(ship) => ship.to_string(),
        Piece::Base(base) => format!("the {base}"),
    }
}

facts_as_text!(Place, BaseId, Marker, Agreement);

/// Adds the number of hexes.
impl Facts for Places {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        list.add(name, self.len().to_string());
    }
}

impl Facts for Piece {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        list.add(name, object(*self));
    }
}

impl Facts for ShipId {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        list.add(name, self.to_string());
        list.add_field(name, "owner", &self.owner);
    }
}

impl Facts for Target {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        match self {
            Self::Piece(piece) => piece.add_to(list, name),
            Self::DeathStar => list.add(name, "the Death Star"),
        }
    }
}

impl Facts for Means {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        let means = match self {
            Self::Diplomacy => "diplomacy",
            Self::Force => "force",
        };
        list.add(name, means);
    }
}

impl Facts for Promise {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        let promise = match self {
            Self::NoAttack => "not to attack".to_owned(),
            Self::GivePlanet(at) => format!("to give the planet in {at}"),
            Self::KeepOut(at) => format!("to keep starships out of {at}"),
            Self::NoExileVote => "not to vote for exile".to_owned(),
        };
        list.add(name, promise);
    }
}

impl Facts for Ending {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        list.add(name, self.reason.explain().0);
        list.add_field(name, "reason", &self.reason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_and_decision_has_a_sentence() {
        assert_eq!(SENTENCES.missing::<Event>(), [""; 0]);
        assert_eq!(SENTENCES.missing::<Owed>(), [""; 0]);
    }
}
