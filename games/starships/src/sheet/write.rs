//! Conversion of a state to messages.

use heliopause_kernel::{Seat, SeatSet};

use super::{
    BaseRow, HexRow, Pair, PlayerRow, PositionSheet, Private, ShipRow, ViewSheet, ViewerRole,
};
use crate::board::Place;
use crate::game::Starships;
use crate::knowledge::{Offer, Own, Pledge, Secrets};
use crate::markers::Marker;
use crate::order::Agreement;
use crate::pieces::{Base, Piece, Ship, Station};
use crate::table::{Note, Table, Tokens};
use crate::view::{Insight, View};

impl ViewSheet {
    pub(crate) fn of(view: &View) -> Self {
        let seen = |owns: &[(Seat, &Own)]| PositionSheet {
            hexes: HexRow::seen(view),
            ..PositionSheet::of(&view.table, owns)
        };
        let (viewer, known) = match &view.insight {
            Insight::Seat(seat, own) => (ViewerRole::Seat(*seat), seen(&[(*seat, own)])),
            Insight::Spectator => (ViewerRole::Spectator, seen(&[])),
            Insight::GameMaster(secrets) => {
                (ViewerRole::GameMaster, PositionSheet::of_state(&view.table, secrets))
            }
        };
        Self { viewer, known }
    }
}

impl PositionSheet {
    pub(crate) fn of_game(game: &Starships) -> Self {
        let decided = game.decided[..=game.table.players()].to_vec();
        Self { decided, ..Self::of_state(&game.table, &game.secrets) }
    }

    fn of_state(table: &Table, secrets: &Secrets) -> Self {
        let owns: Vec<(Seat, &Own)> = Seat::first(secrets.own.len()).zip(&secrets.own).collect();
        let hexes = Place::all().filter_map(|at| HexRow::true_row(table, secrets, at)).collect();
        Self { hexes, hidden_rolls: secrets.rolls.clone(), ..Self::of(table, &owns) }
    }

    /// Converts the table and the private information of these seats, without hexes.
    fn of(table: &Table, owns: &[(Seat, &Own)]) -> Self {
        let own = |seat| owns.iter().find(|(other, _)| *other == seat).map(|(_, own)| *own);
        let partners = table.partner.map(|partner| partner.map_or(SeatSet::EMPTY, SeatSet::one));
        let votes = pairs(&table.votes, |_, _| true).into_iter();
        Self {
            version: 1,
            options: table.options,
            hexes: Vec::new(),
            players: table.seats().map(|seat| PlayerRow::of(table, seat, own(seat))).collect(),
            turn_order: table.order.clone(),
            round: Some(table.round),
            on_turn: Some(table.active),
            wars: pairs(&table.wars, |one, other| one < other),
            provocations: pairs(&table.provoked_by, |_, _| true),
            exile_votes: votes
                .map(|Pair { first, second }| Pair { first: second, second: first })
                .collect(),
            partnerships: pairs(&partners, |one, other| one < other),
            offers: offers(owns),
            pledges: pledges(owns),
            death_star: Some(table.death_star),
            axis: table.axis,
            stage: table.stage,
            breaches: table.broken.clone(),
            death_star_private: own(table.death_star_seat()).map(Private::of),
            battle_rounds: table.battle_rounds,
            decided: Vec::new(),
            hidden_rolls: Vec::new(),
            revealed_rolls: table.revealed.clone(),
        }
    }
}

fn pairs(sets: &[SeatSet], keep: impl Fn(Seat, Seat) -> bool) -> Vec<Pair> {
    let all = sets
        .iter()
        .enumerate()
        .flat_map(|(index, set)| set.iter().map(move |second| (Seat::at(index), second)));
    all.filter(|&(first, second)| keep(first, second))
        .map(|(first, second)| Pair { first, second })
        .collect()
}

fn offers(owns: &[(Seat, &Own)]) -> Vec<Offer> {
    let mut all = Vec::new();
    for &(seat, own) in owns {
        for agreement in [Agreement::Peace, Agreement::Partnership] {
            let offers = own.offers(agreement);
            let made = offers.made.iter().map(|to| Offer { from: seat, to, agreement });
            let got = offers.got.iter().map(|from| Offer { from, to: seat, agreement });
            for offer in made.chain(got) {
                if !all.contains(&offer) {
                    all.push(offer);
                }
            }
        }
    }
    all
}

fn pledges(owns: &[(Seat, &Own)]) -> Vec<Pledge> {
    let mut all = Vec::new();
    for &pledge in owns.iter().flat_map(|(_, own)| &own.pledges) {
        if !all.contains(&pledge) {
            all.push(pledge);
        }
    }
    all
}

impl PlayerRow {
    fn of(table: &Table, seat: Seat, own: Option<&Own>) -> Self {
        let (standing, exiled_in_round) = table.status[seat.index()].standing();
        let attempted = |piece| own.is_some_and(|own| own.attempted.contains(&piece));
        Self {
            status: Some(standing),
            exiled_in_round,
            bases: table
                .bases_of(seat)
                .map(|base| BaseRow::of(*base, attempted(Piece::Base(base.id))))
                .collect(),
            starships: table
                .ships_of(seat)
                .map(|ship| ShipRow::of(ship, attempted(Piece::Ship(ship.id))))
                .collect(),
            next_serial: Some(table.next_serial[seat.index()]),
            secrets: own.map(Private::of),
        }
    }
}

impl ShipRow {
    fn of(ship: &Ship, attempted: bool) -> Self {
        Self {
            serial: Some(ship.id.serial.0),
            at: Some(ship.at),
            condition: ship.condition,
            moved_from: ship.done.moved_from,
            withdrew: ship.done.withdrew,
            attempted,
        }
    }
}

impl BaseRow {
    fn of(base: Base, attempted: bool) -> Self {
        let (out, turns_out) = match base.station {
            Station::Settled => (false, 0),
            Station::Out(turns) => (true, turns),
        };
        Self {
            number: Some(base.id.number),
            at: Some(base.at),
            out,
            turns_out,
            moved_from: base.done.moved_from,
            withdrew: base.done.withdrew,
            attempted,
        }
    }
}

impl Private {
    fn of(own: &Own) -> Self {
        Self { gained: own.gained, arrivals: own.arrivals, pending_decision: own.owes }
    }
}

impl HexRow {
    fn default_row(at: Place, marker: Option<Marker>) -> Self {
        let (seen_by, owner_known_to) = (SeatSet::EMPTY, SeatSet::EMPTY);
        let (face_up, death_zone, owner, tokens) = (false, false, None, Tokens::default());
        Self { at, marker, face_up, death_zone, owner, tokens, seen_by, owner_known_to }
    }

    fn of(table: &Table, at: Place, note: Option<Note>) -> Self {
        Self {
            face_up: table.shown[at.index()].is_some(),
            death_zone: table.zones.contains(at),
            owner: note.and_then(|note| note.owner),
            tokens: table.tokens[at.index()],
            ..Self::default_row(at, note.map(|note| note.marker))
        }
    }

    fn true_row(table: &Table, secrets: &Secrets, at: Place) -> Option<Self> {
        let seats = |knows: fn(Note) -> bool| {
            let all = Seat::first(secrets.own.len()).zip(&secrets.own);
            all.filter(|(_, own)| own.notes[at.index()].is_some_and(knows))
                .map(|(seat, _)| seat)
                .collect()
        };
        let (seen_by, owner_known_to) = (seats(|_| true), seats(|note| note.owner.is_some()));
        let row = Self { seen_by, owner_known_to, ..Self::of(table, at, Some(secrets.note(at))) };
        (row != Self::default_row(at, Some(Marker::Empty))).then_some(row)
    }

    fn seen(view: &View) -> Vec<Self> {
        let rows = Place::all().map(|at| Self::of(&view.table, at, view.note(at)));
        rows.filter(|row| *row != Self::default_row(row.at, None)).collect()
    }
}
