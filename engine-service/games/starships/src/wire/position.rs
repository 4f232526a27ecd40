//! Positions: complete states, convenient to write by hand.

use heliopause_kernel::{Malformed, Seat};
use heliopause_proto::starships_at_large::v1 as proto;

use super::names::{
    read_marker_if, read_player, read_player_if, read_seat, write_marker, write_place, write_seat, write_seat_if,
};
use super::state::{
    read_hex_place, read_hidden_rolls, read_own, read_table, write_hidden_roll, write_own, write_table,
};
use super::wrong;
use crate::board::{PLACES, Place, Places};
use crate::game::Starships;
use crate::knowledge::Secrets;
use crate::markers::Marker;
use crate::table::{DeathStar, MOST_PLAYERS, Note, Table};

pub(super) fn write(game: &Starships) -> proto::Position {
    let mut position = write_state(&game.table, &game.secrets);
    position.decided = game.decided[..=game.table.players()].to_vec();
    position
}

/// The complete state, which is also what the game master sees.
pub(super) fn write_state(table: &Table, secrets: &Secrets) -> proto::Position {
    let mut position = write_table(table);
    for (index, own) in secrets.own.iter().enumerate() {
        write_own(&mut position, Seat::at(index), own);
    }
    position.hexes = Place::all().filter_map(|at| write_hex(table, secrets, at)).collect();
    position.hidden_rolls = secrets.rolls.iter().copied().map(write_hidden_roll).collect();
    position
}

/// A hex; `None` if it is what an absent one is.
fn write_hex(table: &Table, secrets: &Secrets, at: Place) -> Option<proto::Hexagon> {
    let note = secrets.note(at);
    let seats = |knows: fn(Note) -> bool| {
        let seats = secrets.own.iter().enumerate().filter(move |(_, own)| own.notes[at.index()].is_some_and(knows));
        seats.map(|(index, _)| write_seat(Seat::at(index))).collect::<Vec<u32>>()
    };
    let hexagon = proto::Hexagon {
        hex: Some(write_place(at)),
        marker: write_marker(note.marker),
        face_up: table.shown[at.index()].is_some(),
        death_zone: table.zones.contains(at),
        owner: write_seat_if(note.owner),
        ownership_markers: table.tokens[at.index()].iter().map(write_seat).collect(),
        seen_by: seats(|_| true),
        owner_known_to: seats(|note| note.owner.is_some()),
    };
    let bare = proto::Hexagon { hex: hexagon.hex, marker: write_marker(Marker::Empty), ..proto::Hexagon::default() };
    (hexagon != bare).then_some(hexagon)
}

pub(super) fn read(message: &proto::Position) -> Result<Starships, Malformed> {
    let mut game = read_state(message)?;
    if message.decided.len() > MOST_PLAYERS + 1 {
        return wrong("decided", "there are more numbers than seats");
    }
    for (count, &number) in game.decided.iter_mut().zip(&message.decided) {
        *count = number;
    }
    Ok(game)
}

/// Reads a complete state, fills in what may be left out, and checks every invariant.
pub(super) fn read_state(message: &proto::Position) -> Result<Starships, Malformed> {
    let table = read_table(message)?;
    let mut secrets =
        Secrets { markers: [Marker::Empty; PLACES], owners: [None; PLACES], own: Vec::new(), rolls: Vec::new() };
    secrets.rolls = read_hidden_rolls(&message.hidden_rolls, "hidden_rolls")?;
    secrets.markers[Place::EARTH.index()] = Marker::Earth;
    for seat in Seat::first(table.players() + 1) {
        secrets.own.push(read_own(message, &table, seat)?);
    }
    let mut game = Starships { table, secrets, decided: [0; MOST_PLAYERS + 1] };
    let mut given = Places::NONE;
    for hexagon in &message.hexes {
        let at = read_hex_place(hexagon)?;
        if given.contains(at) {
            return wrong("hexes", "a hex is given twice");
        }
        given.insert(at);
        game.read_hex(hexagon, at)?;
    }
    game.fill_in(message)?;
    game.integrity()?;
    Ok(game)
}

impl Starships {
    fn read_hex(&mut self, hexagon: &proto::Hexagon, at: Place) -> Result<(), Malformed> {
        let field = |name: &str| format!("hexes{at}.{name}");
        if let Some(marker) = read_marker_if(hexagon.marker, &field("marker"))? {
            self.secrets.markers[at.index()] = marker;
        }
        let owner = read_player_if(hexagon.owner, &field("owner"))?;
        self.secrets.owners[at.index()] = owner;
        if hexagon.face_up {
            self.table.shown[at.index()] = Some(self.secrets.note(at));
        }
        if hexagon.death_zone {
            self.table.zones.insert(at);
        }
        if let Some(owner) = owner.filter(|owner| !hexagon.ownership_markers.contains(&owner.number())) {
            self.table.tokens[at.index()].put(owner);
        }
        for &number in &hexagon.ownership_markers {
            self.table.tokens[at.index()].put(read_player(number, &field("ownership_markers"))?);
        }
        for &number in &hexagon.seen_by {
            self.read_seen(number, at, false, &field("seen_by"))?;
        }
        for &number in &hexagon.owner_known_to {
            self.read_seen(number, at, true, &field("owner_known_to"))?;
        }
        Ok(())
    }

    fn read_seen(&mut self, number: u32, at: Place, with_owner: bool, field: &str) -> Result<(), Malformed> {
        let truth = self.secrets.note(at);
        let seat = read_seat(number, field)?;
        let Some(own) = self.secrets.own.get_mut(seat.index()) else {
            return wrong(field, "there is no such seat");
        };
        let owner = if with_owner { truth.owner } else { None };
        own.notes[at.index()] = Some(Note { marker: truth.marker, owner });
        Ok(())
    }

    /// Fills in what may be left out: what a base owns, what lies face up anyhow, what owners and those present know,
    /// and the Death Star's state.
    fn fill_in(&mut self, message: &proto::Position) -> Result<(), Malformed> {
        for base in self.table.bases.iter().filter(|base| !base.is_out() && base.at != Place::EARTH) {
            let owner = &mut self.secrets.owners[base.at.index()];
            if owner.is_none() && self.secrets.markers[base.at.index()].is_live() {
                *owner = Some(base.id.owner);
                self.table.tokens[base.at.index()].put(base.id.owner);
            }
        }
        let star = Place::all().find(|at| self.secrets.markers[at.index()] == Marker::DeathStar);
        if message.death_star.as_ref().is_none_or(|star| star.state == 0) {
            self.table.death_star = if star.is_some() { DeathStar::Undisturbed } else { DeathStar::Gone };
        }
        let active = matches!(self.table.death_star, DeathStar::Active { .. });
        for at in Place::all() {
            let truth = self.secrets.note(at);
            let public = at == Place::EARTH
                || truth.marker == Marker::Destroyed
                || (active && truth.marker == Marker::DeathStar);
            if public || self.table.shown[at.index()].is_some() {
                self.table.shown[at.index()] = Some(truth);
            }
            self.fill_in_knowledge(at, truth)?;
        }
        Ok(())
    }

    fn fill_in_knowledge(&mut self, at: Place, truth: Note) -> Result<(), Malformed> {
        let shown = self.table.shown[at.index()].is_some();
        if let Some(owner) = truth.owner {
            match self.secrets.own.get_mut(owner.index()) {
                Some(own) if owner.index() < self.table.players() => own.planets.insert(at),
                _ => return wrong(&format!("hexes{at}.owner"), "there is no such player"),
            }
        }
        for (index, own) in self.secrets.own.iter_mut().enumerate() {
            let seat = Seat::at(index);
            let sees = truth.owner == Some(seat) || self.table.is_present(seat, at);
            if shown {
                own.notes[at.index()] = None;
            } else if sees {
                own.notes[at.index()] = Some(truth);
            }
        }
        Ok(())
    }
}
