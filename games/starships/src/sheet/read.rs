//! Conversion of the table and of the private information of a seat from messages.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::{Result, inside, wrong_field};

use super::{BaseRow, Pair, PlayerRow, PositionSheet, Private, ShipRow};
use crate::board::Place;
use crate::knowledge::{Offer, Own};
use crate::pieces::{Base, BaseId, BaseNumber, Done, Piece, Serial, Ship, ShipId, Station};
use crate::table::{MAX_PLAYERS, Status, Table};

impl PositionSheet {
    /// Converts the table without its hexes. A player without status and pieces gets those of a new
    /// game.
    pub(super) fn table(&self) -> Result<Table> {
        if self.version > 1 {
            return wrong_field(
                "version",
                format!(
                    "expected at most 1, found {}: the position was written by a newer version of \
                     this program",
                    self.version
                ),
            );
        }
        let players = self.players.len();
        if !(1..=MAX_PLAYERS).contains(&players) {
            let text = format!("expected 1 to {MAX_PLAYERS} players, found {players}");
            return wrong_field("players", text);
        }
        let mut table = Table::start(self.options, players);
        for (seat, player) in Seat::first(players).zip(&self.players) {
            inside(&format!("players[{}]", seat.index()), player.put(&mut table, seat))?;
        }
        table.ships.sort_by_key(|ship| ship.id);
        table.bases.sort_by_key(|base| base.id);
        if !self.turn_order.is_empty() {
            at_table(players, "turn_order", self.turn_order.iter().copied())?;
            table.order.clone_from(&self.turn_order);
        }
        table.round = self.round.unwrap_or(1);
        self.put_relations(&mut table)?;
        table.death_star = self.death_star.unwrap_or(table.death_star);
        table.axis = self.axis;
        table.stage = self.stage;
        table.revealed.clone_from(&self.revealed_rolls);
        table.battle_rounds = self.battle_rounds;
        let first = table
            .order
            .iter()
            .copied()
            .find(|&seat| table.is_alive(seat))
            .unwrap_or(table.order[0]);
        table.active = self.on_turn.unwrap_or(first);
        at_table(players, "on_turn", [table.active])?;
        Ok(table)
    }

    fn put_relations(&self, table: &mut Table) -> Result<()> {
        let players = table.players();
        let pairs = |name: &str, pairs: &'_ [Pair]| {
            at_table(players, name, pairs.iter().flat_map(|pair| [pair.first, pair.second]))
        };
        pairs("wars", &self.wars)?;
        for &Pair { first, second } in &self.wars {
            table.wars[first.index()].insert(second);
            table.wars[second.index()].insert(first);
        }
        pairs("provocations", &self.provocations)?;
        for &Pair { first, second } in &self.provocations {
            table.provoked_by[first.index()].insert(second);
        }
        pairs("exile_votes", &self.exile_votes)?;
        for &Pair { first, second } in &self.exile_votes {
            table.votes[second.index()].insert(first);
        }
        pairs("partnerships", &self.partnerships)?;
        for &Pair { first, second } in &self.partnerships {
            table.partner[first.index()] = Some(second);
            table.partner[second.index()] = Some(first);
        }
        table.broken.clone_from(&self.breaches);
        at_table(
            players,
            "breaches",
            table.broken.iter().flat_map(|breach| [breach.breaker, breach.offended]),
        )
    }

    /// Converts the private information of one seat, without notes and planets. Those are in the
    /// rows of hexes.
    pub(super) fn own(&self, table: &Table, seat: Seat) -> Own {
        let mut own = Own::new();
        let player = self.players.get(seat.index());
        let private =
            player.map_or(self.death_star_private.as_ref(), |player| player.secrets.as_ref());
        if let Some(&Private { gained, arrivals, pending_decision: owes }) = private {
            (own.gained, own.arrivals, own.owes) =
                (gained, arrivals.filter(|&left| left > 0), owes);
        }
        if let Some(player) = player {
            let ships = table.ships_of(seat).map(|ship| Piece::Ship(ship.id));
            let pieces = ships.chain(table.bases_of(seat).map(|base| Piece::Base(base.id)));
            own.attempted = pieces.filter(|&piece| player.has_attempted(piece)).collect();
        }
        for &Offer { from, to, agreement } in &self.offers {
            let offers = own.offers_mut(agreement);
            if from == seat {
                offers.made.insert(to);
            } else if to == seat {
                offers.got.insert(from);
            }
        }
        let pledges =
            self.pledges.iter().filter(|pledge| pledge.giver == seat || pledge.receiver == seat);
        own.pledges = pledges.copied().collect();
        own.pledges.sort();
        own
    }
}

fn at_table(players: usize, name: &str, seats: impl IntoIterator<Item = Seat>) -> Result<()> {
    let all = seats.into_iter().all(|seat| seat.index() < players);
    if all { Ok(()) } else { wrong_field(name, format!("expected players from 1 to {players}")) }
}

impl PlayerRow {
    fn put(&self, table: &mut Table, seat: Seat) -> Result<()> {
        let status = self.status.map(|standing| Status::of(standing, self.exiled_in_round));
        let as_at_start = status.is_none() && self.bases.is_empty() && self.starships.is_empty();
        if let Some(status) = status {
            table.status[seat.index()] = status;
        }
        if !as_at_start {
            table.ships.retain(|ship| ship.id.owner != seat);
            self.put_ships(table, seat)?;
            if !self.bases.is_empty() || status == Some(Status::Eliminated) {
                table.bases.retain(|base| base.id.owner != seat);
                self.put_bases(table, seat)?;
            }
            if status.is_none() {
                let on_earth =
                    table.bases_of(seat).any(|base| base.at == Place::EARTH && !base.is_out());
                table.status[seat.index()] =
                    if on_earth { Status::Alliance } else { Status::Independent };
            }
        }
        if let Some(serial) = self.next_serial {
            table.next_serial[seat.index()] = serial;
        }
        Ok(())
    }

    /// Adds an owner's starships. A starship without a serial gets the number after the highest
    /// serial that precedes it in the list.
    fn put_ships(&self, table: &mut Table, owner: Seat) -> Result<()> {
        let mut highest = 0;
        for (index, row) in self.starships.iter().enumerate() {
            let serial = row.serial.unwrap_or(highest + 1);
            if serial >= u16::MAX - 1 {
                return wrong_field(
                    &format!("starships[{index}].serial"),
                    format!("{serial} is too high; the maximum is {}", u16::MAX - 2),
                );
            }
            highest = highest.max(serial);
            table.ships.push(row.ship(ShipId { owner, serial: Serial(serial) }));
        }
        table.next_serial[owner.index()] = highest + 1;
        Ok(())
    }

    fn put_bases(&self, table: &mut Table, owner: Seat) -> Result<()> {
        for (index, row) in self.bases.iter().enumerate() {
            let Some(number) = row.number(index) else {
                return wrong_field(
                    &format!("bases[{index}].number"),
                    "expected base number 1 or 2",
                );
            };
            table.bases.push(row.base(BaseId { owner, number }));
        }
        Ok(())
    }

    fn has_attempted(&self, piece: Piece) -> bool {
        match piece {
            Piece::Ship(id) => {
                self.starships.iter().any(|row| row.attempted && row.serial == Some(id.serial.0))
            }
            Piece::Base(id) => {
                let mut rows = self.bases.iter().enumerate();
                rows.any(|(index, row)| row.attempted && row.number(index) == Some(id.number))
            }
        }
    }
}

impl ShipRow {
    fn ship(&self, id: ShipId) -> Ship {
        let done = Done { moved_from: self.moved_from, withdrew: self.withdrew };
        Ship { id, at: self.at.unwrap_or(Place::EARTH), condition: self.condition, done }
    }
}

impl BaseRow {
    fn number(&self, index: usize) -> Option<BaseNumber> {
        self.number.or_else(|| BaseNumber::ALL.get(index).copied())
    }

    fn base(&self, id: BaseId) -> Base {
        let station = if self.out { Station::Out(self.turns_out) } else { Station::Settled };
        let done = Done { moved_from: self.moved_from, withdrew: self.withdrew };
        Base { id, at: self.at.unwrap_or(Place::EARTH), station, done }
    }
}
