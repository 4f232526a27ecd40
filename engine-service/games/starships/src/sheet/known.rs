//! Reading what is known of the hexes: by the game, or by one viewer.

use heliopause_kernel::Game;
use heliopause_kernel::Seat;
use heliopause_kernel::wire::{Result, inside, wrong_field};

use super::{HexRow, Onlooker, Sheet, Sight};
use crate::board::{PLACES, Place, Places};
use crate::game::Starships;
use crate::knowledge::{Own, Secrets};
use crate::markers::Marker;
use crate::table::{DeathStar, MOST_PLAYERS, Note, Table, Tokens};
use crate::view::{Insight, View};

impl Sight {
    /// The view. It is sound if there is a state that it can be the view of.
    pub(crate) fn view(&self) -> Result<View> {
        let view = match self.viewer {
            Onlooker::GameMaster => {
                let game = inside("known", self.known.state())?;
                return Ok(View {
                    table: game.table,
                    insight: Insight::GameMaster(Box::new(game.secrets)),
                });
            }
            Onlooker::Spectator => {
                let mut table = inside("known", self.known.table())?;
                inside("known", self.known.see(&mut table, None))?;
                View { table, insight: Insight::Spectator }
            }
            Onlooker::Seat(seat) => {
                let mut table = inside("known", self.known.table())?;
                if seat.index() > table.players() {
                    return wrong_field("viewer.seat", "there is no such seat");
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

impl Sheet {
    /// The game.
    pub(crate) fn game(&self) -> Result<Starships> {
        let mut game = self.state()?;
        for (count, &number) in game.decided.iter_mut().zip(&self.decided) {
            *count = number;
        }
        Ok(game)
    }

    /// The complete state: fills in what may be left out, and checks every invariant.
    fn state(&self) -> Result<Starships> {
        let table = self.table()?;
        let own = Seat::first(table.players() + 1).map(|seat| self.own(&table, seat)).collect();
        let rolls = self.hidden_rolls.clone();
        let mut secrets =
            Secrets { markers: [Marker::Empty; PLACES], owners: [None; PLACES], own, rolls };
        secrets.markers[Place::EARTH.index()] = Marker::Earth;
        let mut game = Starships { table, secrets, decided: [0; MOST_PLAYERS + 1] };
        let mut given = Places::NONE;
        for (index, row) in self.hexes.iter().enumerate() {
            if given.contains(row.at) {
                return wrong_field("hexes", "a hex is given twice");
            }
            given.insert(row.at);
            inside(&format!("hexes[{index}]"), game.put_hex(row))?;
        }
        game.fill_in(self.death_star)?;
        game.integrity()?;
        Ok(game)
    }

    /// Puts what is seen of the hexes.
    fn see(&self, table: &mut Table, mut own: Option<&mut Own>) -> Result<()> {
        for (index, row) in self.hexes.iter().enumerate() {
            let at = row.at.index();
            let note = row.marker.map(|marker| Note { marker, owner: row.owner });
            if row.face_up {
                if note.is_none() {
                    return wrong_field(
                        &format!("hexes[{index}].marker"),
                        "it lies face up: say what it is",
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
        // The owner's marker may be left out: then it lies there first.
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
                    return wrong_field(name, "there is no such seat");
                };
                own.notes[at] = Some(Note { marker: truth.marker, owner });
            }
        }
        Ok(())
    }

    /// Fills in what may be left out: what a base owns, what lies face up anyhow, what owners and
    /// those present know, and the Death Star's state.
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
                _ => return wrong_field(&format!("hexes{at}.owner"), "there is no such player"),
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
