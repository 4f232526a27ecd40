//! Conversion of hexes from messages, for the whole game or for one viewer.

use heliopause_kernel::Game;
use heliopause_kernel::Seat;
use heliopause_kernel::wire::{Result, inside, wrong_field};

use super::{HexRow, PositionSheet, ViewSheet, ViewerRole};
use crate::board::{PLACES, Place, Places};
use crate::game::Starships;
use crate::knowledge::{Own, Secrets};
use crate::markers::Marker;
use crate::table::{DeathStar, MAX_PLAYERS, Note, Table, Tokens};
use crate::view::{Insight, View};

impl ViewSheet {
    /// Converts a message to a view. Fails if no state has such a view.
    pub(crate) fn view(&self) -> Result<View> {
        let view = match self.viewer {
            ViewerRole::GameMaster => {
                let game = inside("known", self.known.state())?;
                return Ok(View {
                    table: game.table,
                    insight: Insight::GameMaster(Box::new(game.secrets)),
                });
            }
            ViewerRole::Spectator => {
                let mut table = inside("known", self.known.table())?;
                inside("known", self.known.see(&mut table, None))?;
                View { table, insight: Insight::Spectator }
            }
            ViewerRole::Seat(seat) => {
                let mut table = inside("known", self.known.table())?;
                if seat.index() > table.players() {
                    let last = table.players() + 1;
                    let text = format!("expected 1 to {last}, found {}", seat.number());
                    return wrong_field("viewer.seat", text);
                }
                let mut own = self.known.own(&table, seat);
                inside("known", self.known.see(&mut table, Some(&mut own)))?;
                for at in Place::all() {
                    let note = table.shown[at.index()].or(own.notes[at.index()]);
                    if note.is_some_and(|note| note.owner == Some(seat)) {
                        own.planets.insert(at);
                    }
                }
                View { table, insight: Insight::Seat(seat, Box::new(own)) }
            }
        };
        inside("known", Starships::sample(&view, &mut || 0).integrity())?;
        Ok(view)
    }
}

impl PositionSheet {
    pub(crate) fn game(&self) -> Result<Starships> {
        let mut game = self.state()?;
        for (count, &number) in game.decided.iter_mut().zip(&self.decided) {
            *count = number;
        }
        Ok(game)
    }

    fn state(&self) -> Result<Starships> {
        let table = self.table()?;
        let own = Seat::first(table.players() + 1).map(|seat| self.own(&table, seat)).collect();
        let rolls = self.hidden_rolls.clone();
        let mut secrets =
            Secrets { markers: [Marker::Empty; PLACES], owners: [None; PLACES], own, rolls };
        secrets.markers[Place::EARTH.index()] = Marker::Earth;
        let mut game = Starships { table, secrets, decided: [0; MAX_PLAYERS + 1] };
        let mut given = Places::NONE;
        for (index, row) in self.hexes.iter().enumerate() {
            if given.contains(row.at) {
                let text = format!("{} is listed twice", row.at);
                return wrong_field(&format!("hexes[{index}].at"), text);
            }
            given.insert(row.at);
            inside(&format!("hexes[{index}]"), game.put_hex(row))?;
        }
        game.fill_in(self.death_star)?;
        game.integrity()?;
        Ok(game)
    }

    fn see(&self, table: &mut Table, mut own: Option<&mut Own>) -> Result<()> {
        for (index, row) in self.hexes.iter().enumerate() {
            let at = row.at.index();
            let note = row.marker.map(|marker| Note { marker, owner: row.owner });
            if row.face_up {
                if note.is_none() {
                    return wrong_field(
                        &format!("hexes[{index}].marker"),
                        "missing; a face-up hex needs a marker",
                    );
                }
                table.shown[at] = note;
            } else if let Some(own) = &mut own {
                own.notes[at] = note;
            }
            if row.death_zone {
                table.zones.insert(row.at);
            }
            table.tokens[at] = row.tokens;
        }
        Ok(())
    }
}

impl Starships {
    fn put_hex(&mut self, row: &HexRow) -> Result<()> {
        let at = row.at.index();
        self.secrets.markers[at] = row.marker.unwrap_or(self.secrets.markers[at]);
        self.secrets.owners[at] = row.owner;
        if row.face_up {
            self.table.shown[at] = Some(self.secrets.note(row.at));
        }
        if row.death_zone {
            self.table.zones.insert(row.at);
        }
        // If the owner's marker is omitted, it is added before the others.
        let left_out = row.owner.filter(|&owner| !row.tokens.contains(owner));
        let mut tokens = Tokens::default();
        left_out.into_iter().chain(row.tokens.iter()).for_each(|seat| tokens.put(seat));
        self.table.tokens[at] = tokens;
        let truth = self.secrets.note(row.at);
        let seen =
            [("seen_by", row.seen_by, None), ("owner_known_to", row.owner_known_to, truth.owner)];
        for (name, seats, owner) in seen {
            for seat in seats.iter() {
                let Some(own) = self.secrets.own.get_mut(seat.index()) else {
                    let text = format!(
                        "expected seats from 1 to {}, found {}",
                        self.secrets.own.len(),
                        seat.number()
                    );
                    return wrong_field(name, text);
                };
                own.notes[at] = Some(Note { marker: truth.marker, owner });
            }
        }
        Ok(())
    }

    /// Adds omitted parts: owners of planets under bases, the state of the Death Star, face-up
    /// hexes, and notes of what players must have seen.
    fn fill_in(&mut self, death_star: Option<DeathStar>) -> Result<()> {
        for base in self.table.bases.iter().filter(|base| !base.is_out() && base.at != Place::EARTH)
        {
            let owner = &mut self.secrets.owners[base.at.index()];
            if owner.is_none() && self.secrets.markers[base.at.index()].is_live() {
                *owner = Some(base.id.owner);
                self.table.tokens[base.at.index()].put(base.id.owner);
            }
        }
        let star = Place::all().find(|at| self.secrets.markers[at.index()] == Marker::DeathStar);
        if death_star.is_none() {
            self.table.death_star =
                if star.is_some() { DeathStar::Undisturbed } else { DeathStar::Gone };
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

    fn fill_in_knowledge(&mut self, at: Place, truth: Note) -> Result<()> {
        let shown = self.table.shown[at.index()].is_some();
        if let Some(owner) = truth.owner {
            match self.secrets.own.get_mut(owner.index()) {
                Some(own) if owner.index() < self.table.players() => own.planets.insert(at),
                _ => {
                    let text = format!("expected a player from 1 to {}", self.table.players());
                    return wrong_field(&format!("hexes{at}.owner"), text);
                }
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
