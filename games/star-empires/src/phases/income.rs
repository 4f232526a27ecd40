//! 6.7 income: production, pooling and transfers of RU.

use heliopause_kernel::{Seat, SeatSet};

use crate::ids::{Id, WorldId};
use crate::ledger::{LineId, Orders};
use crate::name::Name;
use crate::news::What;
use crate::objects::Siege;
use crate::order::{Amount, Line, Phase};
use crate::reason::Reason;
use crate::section::Section;
use crate::update::Update;

/// A transfer of RU to a world of another empire that has not arrived yet.
struct Delivery {
    from: Seat,
    to: Seat,
    world: WorldId,
    amount: u32,
}

impl Update<'_> {
    pub(crate) fn income(&mut self, orders: &Orders) {
        self.produce();
        self.pool(orders);
        self.transfer(orders);
    }

    /// 6.7.1: adds production, also on besieged worlds. New homeworlds produce double.
    fn produce(&mut self) {
        let mut totals = vec![0_u64; self.galaxy().empires.len()];
        for (world, turn) in self.game.galaxy.worlds.iter_mut().zip(&self.worlds) {
            let Some(owner) = world.owner else { continue };
            let amount =
                if turn.doubled { world.production.saturating_mul(2) } else { world.production };
            world.stockpile = world.stockpile.saturating_add(amount);
            totals[owner.index()] += u64::from(amount);
        }
        for (seat, &total) in self.galaxy().seats().zip(&totals).collect::<Vec<_>>() {
            if total > 0 {
                let produced = What::Production(total);
                self.add_news(Section::of("6.7.1"), None, SeatSet::one(seat), produced);
            }
        }
    }

    /// 6.7.2, R80: runs the POOL lines, which skip blockaded and excepted worlds, and pools for
    /// abandoned empires.
    fn pool(&mut self, orders: &Orders) {
        let abandoned: Vec<Seat> = self.abandoned().collect();
        if orders.of(Phase::Pool).len() == 0 && abandoned.is_empty() {
            return;
        }
        let mut owned = vec![Vec::new(); self.galaxy().empires.len()];
        for (index, world) in self.galaxy().worlds.iter().enumerate() {
            if let Some(owner) = world.owner {
                owned[owner.index()].push(WorldId::at(index));
            }
        }
        for (line, seat, it) in orders.of(Phase::Pool) {
            let Line::Pool { world: name, except } = it else { continue };
            let target = self.names.world(*name);
            let Some(target) =
                target.filter(|&world| self.galaxy().world(world).owner == Some(seat))
            else {
                let reason =
                    if target.is_none() { Reason::Vanished } else { Reason::WorldNotOwned };
                self.ledger.failed(line, *name, reason);
                continue;
            };
            let mut excepted: Vec<WorldId> =
                except.iter().filter_map(|&name| self.names.world(name)).collect();
            excepted.sort_unstable();
            self.ledger.done(line);
            for &id in &owned[seat.index()] {
                if id != target && excepted.binary_search(&id).is_err() {
                    self.pool_from(Some(line), id, target);
                }
            }
        }
        let pools = |seat: Seat| orders.of(Phase::Pool).any(|(_, other, _)| other == seat);
        for seat in abandoned.into_iter().filter(|&seat| !pools(seat)) {
            self.pool_at_safest_world(seat, &owned[seat.index()]);
        }
    }

    /// 6.7.2, notes 15: pools the RU of an abandoned empire at its safest world.
    fn pool_at_safest_world(&mut self, seat: Seat, owned: &[WorldId]) {
        let rank = |&id: &WorldId| {
            let world = self.galaxy().world(id);
            (id, self.situation(seat, world.at), world.production, world.name)
        };
        let worlds = owned.iter().map(rank);
        let safest = worlds.max_by(|one, other| {
            let safety =
                one.1.cmp_safety(&other.1).then(one.1.friendly_dp.cmp(&other.1.friendly_dp));
            safety.then(one.2.cmp(&other.2)).then(other.3.cmp(&one.3))
        });
        let Some((target, ..)) = safest else { return };
        for &id in owned.iter().filter(|&&id| id != target) {
            self.pool_from(None, id, target);
        }
    }

    fn pool_from(&mut self, line: Option<LineId>, from: WorldId, to: WorldId) {
        let world = *self.galaxy().world(from);
        if world.siege != Siege::None && world.stockpile > 0 {
            if let Some(line) = line {
                self.ledger.failed(line, world.name, Reason::Blockaded);
            }
            return;
        }
        let room = u32::MAX - self.galaxy().world(to).stockpile;
        let amount = world.stockpile.min(room);
        self.game.galaxy.world_mut(from).stockpile -= amount;
        self.game.galaxy.world_mut(to).stockpile += amount;
    }

    /// 6.7.3: runs the TRANSFER lines, empire by empire. RU for other empires arrive after all
    /// lines, so the order of empires does not matter (R43).
    fn transfer(&mut self, orders: &Orders) {
        let section = Section::from(Phase::Transfer);
        let mut deliveries = Vec::new();
        let mut closed = vec![false; self.galaxy().worlds.len()];
        for (line, seat, it) in orders.of(Phase::Transfer) {
            let Line::Transfer { from, amount, to, recipient } = it else { continue };
            match self.lane(seat, *from, *to, *recipient) {
                Err((item, reason)) => self.ledger.failed(line, item, reason),
                Ok((from, to, recipient)) => {
                    let sent = self.send(line, from, *amount, &mut closed);
                    if recipient == seat {
                        let stockpile = &mut self.game.galaxy.world_mut(to).stockpile;
                        *stockpile = stockpile.saturating_add(sent);
                    } else if sent > 0 {
                        let (from, to, world) = (seat, recipient, to);
                        deliveries.push(Delivery { from, to, world, amount: sent });
                    }
                }
            }
        }
        for Delivery { from, to, world, amount } in deliveries {
            let site = self.game.galaxy.world_mut(world);
            site.stockpile = site.stockpile.saturating_add(amount);
            let at = site.at;
            self.meet(section, to, from);
            let delivery = What::Delivery { from, world, amount };
            self.add_news(section, Some(at), SeatSet::one(to), delivery);
        }
    }

    /// Resolves a TRANSFER: returns origin, destination and recipient, or why the transfer fails. A
    /// world that its empire lost this turn cannot send or receive, even if it was regained (notes
    /// 7.6).
    fn lane(
        &self,
        seat: Seat,
        from: Name,
        to: Name,
        recipient: Option<Name>,
    ) -> Result<(WorldId, WorldId, Seat), (Name, Reason)> {
        let recipient = match recipient {
            Some(name) => self.names.empire(name).ok_or((name, Reason::UnknownName))?,
            None => seat,
        };
        let origin = self.names.world(from).ok_or((from, Reason::Vanished))?;
        let end = self.names.world(to).ok_or((to, Reason::Vanished))?;
        let lost = |world: WorldId, by: Seat| self.worlds[world.index()].lost_by.contains(by);
        if origin == end {
            return Err((to, Reason::SameWorld));
        }
        if self.galaxy().world(origin).owner != Some(seat) {
            return Err((from, Reason::WorldNotOwned));
        }
        if self.galaxy().world(end).owner != Some(recipient) {
            return Err((to, Reason::RecipientNotOwner));
        }
        if lost(origin, seat) || lost(end, recipient) {
            return Err((if lost(origin, seat) { from } else { to }, Reason::LaneCancelled));
        }
        if self.galaxy().world(origin).siege != Siege::None {
            return Err((from, Reason::Blockaded));
        }
        Ok((origin, end, recipient))
    }

    /// Subtracts up to `amount` RU from a world, and returns the RU sent. A world with too few RU
    /// is closed for later lines.
    fn send(&mut self, line: LineId, from: WorldId, amount: Amount, closed: &mut [bool]) -> u32 {
        let world = self.game.galaxy.world_mut(from);
        let (name, asked) = match amount {
            Amount::Number(number) => (world.name, number),
            Amount::Max => (world.name, world.stockpile.max(1)),
        };
        if closed[from.index()] || world.stockpile == 0 {
            closed[from.index()] = true;
            self.ledger.failed(line, name, Reason::NoFunds);
            return 0;
        }
        let sent = asked.min(world.stockpile);
        world.stockpile -= sent;
        self.ledger.done(line);
        if sent < asked {
            closed[from.index()] = true;
            self.ledger.failed(line, name, Reason::NoFunds);
        }
        sent
    }
}
