//! Notes 12: the legality and execution of the game master's orders between updates.

use heliopause_kernel::{Audience, Dice, Emitted, Refusal, Seat, SeatChange, SeatSet};

use crate::chart::ChartChange;
use crate::event::Event;
use crate::finish::only;
use crate::geometry::{FARTHEST, Sector};
use crate::ledger::Ledger;
use crate::master::{
    AllianceNames, Astronomics, KnownKind, MasterOrder, NewOwner, ObjectKind, WAITING_MAX,
};
use crate::name::Name;
use crate::objects::{COLLAPSE_MAX, Pattern, RU_MAX, STEPS_MAX, STORM_MAX};
use crate::order::{ITEMS_MAX, Names, Naming};
use crate::position::StarEmpires;
use crate::update::Update;
use crate::view::KnownChange;

/// Maximum number of ships that one order can add.
const ADDED_MAX: u32 = 10_000;

type Judged = Result<(), Refusal>;

fn require(holds: bool, reason: &'static str, message: impl FnOnce() -> String) -> Judged {
    if holds { Ok(()) } else { Err(Refusal::new(reason, "6.1", message())) }
}

fn within(number: u32, most: u32, what: &str) -> Judged {
    require(number <= most, "too-big", || {
        format!("The {what} must be at most {most}, not {number}.")
    })
}

fn in_bounds(at: Sector) -> Judged {
    require(at.is_in_bounds(), "too-far", || {
        format!(
            "Sector {at} is too far from the center of the galaxy; the maximum is {FARTHEST} \
             sectors."
        )
    })
}

fn few(names: &Names) -> Judged {
    let fits = (1..=ITEMS_MAX).contains(&names.len());
    require(fits, "syntax", || {
        format!("A list of an order must have 1 to {ITEMS_MAX} items, not {}.", names.len())
    })
}

impl StarEmpires {
    /// Judges an order by what cannot change before the order runs. The rest is checked when the
    /// order runs.
    pub(crate) fn judge_master(&self, order: &MasterOrder) -> Judged {
        match order {
            MasterOrder::Astronomics(order) => {
                let room = self.waiting.len() < WAITING_MAX;
                require(room, "too-many", || {
                    format!(
                        "The maximum of {WAITING_MAX} waiting orders is reached; withdraw one, or \
                         apply them now."
                    )
                })?;
                judge_numbers(order)?;
                self.judge_names(order)
            }
            MasterOrder::Withdraw { index } => {
                let count = self.waiting.len();
                require(*index < count, "vanished", || {
                    format!(
                        "Waiting order {} does not exist; the number of waiting orders is {count}.",
                        index.saturating_add(1)
                    )
                })
            }
            MasterOrder::ApplyNow => Ok(()),
            MasterOrder::SetAlliances { alliances } => self.alliances_of(alliances).map(|_| ()),
        }
    }

    /// Checks that the named objects exist now, or will be added by a waiting order.
    fn judge_names(&self, order: &Astronomics) -> Judged {
        let empire = |name: &Name| self.must_be(KnownKind::Contact, *name);
        let portal = |name: &Name| self.must_be(KnownKind::Navigation, *name);
        let object = |kind: ObjectKind, name: &Name| self.must_be(KnownKind::Object(kind), *name);
        match order {
            Astronomics::RemoveConnection { entry, exit }
            | Astronomics::AddConnection { entry, exit } => portal(entry).and(portal(exit)),
            Astronomics::RemoveObjects { kind, names } => {
                names.iter().try_for_each(|name| object(*kind, name))
            }
            Astronomics::RelocateObject { kind, name, .. } => object(*kind, name),
            Astronomics::RemoveShips { empire: owner, .. }
            | Astronomics::RelocateShips { empire: owner, .. }
            | Astronomics::ModifyShip { empire: owner, .. }
            | Astronomics::AddWorld { owner: Some(owner), .. } => empire(owner),
            Astronomics::AddShips { empire: owner, class, .. } => {
                empire(owner).and(self.must_be(KnownKind::Class, *class))
            }
            Astronomics::ModifyWorld { name, owner: NewOwner::Empire(owner), .. } => {
                object(ObjectKind::World, name).and(empire(owner))
            }
            Astronomics::ModifyWorld { name, .. } => object(ObjectKind::World, name),
            Astronomics::ModifyStorm { name, .. } => object(ObjectKind::Storm, name),
            Astronomics::CollapsePortal { portal: name, .. } => portal(name),
            Astronomics::AddKnown { empires, kind, names } => {
                empires.iter().try_for_each(empire)?;
                names.iter().try_for_each(|&name| self.must_be(*kind, name))
            }
            // Does not check `names`: empires may remember objects that no longer exist.
            Astronomics::RemoveKnown { empires, .. } => empires.iter().try_for_each(empire),
            Astronomics::AddClass { .. }
            | Astronomics::AddPortal { .. }
            | Astronomics::AddStorm { .. }
            | Astronomics::AddWorld { owner: None, .. } => Ok(()),
        }
    }

    fn must_be(&self, kind: KnownKind, wanted: Name) -> Judged {
        let galaxy = &self.galaxy;
        let is_there = match kind {
            KnownKind::Object(ObjectKind::World) => galaxy.world_named(wanted).is_some(),
            KnownKind::Object(ObjectKind::Portal) | KnownKind::Navigation => {
                galaxy.portal_named(wanted).is_some()
            }
            KnownKind::Object(ObjectKind::Storm) => galaxy.storm_named(wanted).is_some(),
            KnownKind::Class => galaxy.class_named(wanted).is_some(),
            KnownKind::Contact => galaxy.empire_named(wanted).is_some(),
        };
        let comes = |order: &Astronomics| match kind {
            KnownKind::Object(ObjectKind::World) => {
                matches!(order, Astronomics::AddWorld { name, .. } if *name == wanted)
            }
            KnownKind::Object(ObjectKind::Portal) | KnownKind::Navigation => {
                matches!(order, Astronomics::AddPortal { name, .. } if *name == wanted)
            }
            KnownKind::Object(ObjectKind::Storm) => {
                matches!(order, Astronomics::AddStorm { name, .. } if *name == wanted)
            }
            KnownKind::Class => {
                matches!(order, Astronomics::AddClass { name, .. } if *name == wanted)
            }
            KnownKind::Contact => false,
        };
        let holds = is_there || self.waiting.iter().any(comes);
        require(holds, "unknown-name", || {
            let what = match kind {
                KnownKind::Object(kind) => kind.as_str(),
                KnownKind::Navigation => ObjectKind::Portal.as_str(),
                KnownKind::Class => "class",
                KnownKind::Contact => "empire",
            };
            format!("The {what} {wanted} does not exist, and no waiting order adds it.")
        })
    }

    /// Resolves alliances to seats. Refuses an unknown empire, an empire in two alliances, and an
    /// alliance with fewer than two members.
    fn alliances_of(&self, alliances: &[AllianceNames]) -> Result<Vec<SeatSet>, Refusal> {
        let mut sets = Vec::with_capacity(alliances.len());
        let mut seen = SeatSet::EMPTY;
        for AllianceNames { empires: names } in alliances {
            let mut set = SeatSet::EMPTY;
            for &name in names {
                let seat = self.galaxy.empire_named(name);
                let seat = seat.ok_or_else(|| {
                    Refusal::new("unknown-name", "5.0", format!("Empire {name} does not exist."))
                })?;
                require(seen.insert(seat), "already-allied", || {
                    format!("Empire {name} is listed twice; an empire can be in only one alliance.")
                })?;
                set.insert(seat);
            }
            require(set.len() >= 2, "syntax", || {
                format!("An alliance must have at least 2 members, not {}.", set.len())
            })?;
            sets.push(set);
        }
        Ok(sets)
    }

    pub(crate) fn execute_master(&mut self, order: MasterOrder, dice: &mut Dice) -> Emitted<Event> {
        let mut told = Emitted::new();
        match order {
            MasterOrder::Astronomics(order) => self.waiting.push(order),
            MasterOrder::Withdraw { index } => {
                self.waiting.remove(index);
            }
            MasterOrder::ApplyNow => return self.apply_now(dice),
            MasterOrder::SetAlliances { alliances } => {
                self.alliances = self.alliances_of(&alliances).unwrap_or_default();
                let all = Event::Alliances { alliances: self.alliances.clone() };
                told.publish(Audience::game_master(), all);
                for seat in self.galaxy.seats() {
                    let allies = self.allies(seat);
                    let own = if allies.is_empty() { Vec::new() } else { vec![allies] };
                    told.publish(only(seat), Event::Alliances { alliances: own });
                }
                return told;
            }
        }
        told.publish(Audience::game_master(), Event::MasterOrders { orders: self.waiting.clone() });
        told
    }

    /// Notes 12.2: runs 6.1.1 to 6.1.6, 6.4.9 and 6.4.10, and 6.8.3 to 6.8.5, without an update.
    fn apply_now(&mut self, dice: &mut Dice) -> Emitted<Event> {
        let before = self.galaxy.clone();
        let waiting = std::mem::take(&mut self.waiting);
        let mut update = Update::begin(self, dice, Ledger::new(0), Ledger::new(waiting.len()));
        update.master_changes(&waiting);
        update.establish_interdictions_and_blockades();
        update.scan(true);
        update.remove_lost();
        let master = std::mem::replace(&mut update.master, Ledger::new(0));
        let mut told = Emitted::new();
        for seat in before.seats() {
            let change = update.change_of(seat, &before);
            if change != KnownChange::default() {
                told.publish(only(seat), Event::Learned { change: change.into() });
            }
        }
        told.publish(Audience::game_master(), Event::MasterOrders { orders: Vec::new() });
        update.publish_to_game_master(&mut told, waiting, master, &before);
        told
    }

    /// 8.0, notes 15: records that a player abandoned or took over an empire.
    pub(crate) fn change_seat(&mut self, seat: Seat, change: SeatChange) -> Emitted<Event> {
        let mut told = Emitted::new();
        if seat.index() >= self.galaxy.empires.len() {
            return told;
        }
        let before = self.galaxy.clone();
        let turns = &mut self.galaxy.empire_mut(seat).abandoned_turns;
        *turns = match change {
            SeatChange::Abandoned => (*turns).max(1),
            SeatChange::Taken => 0,
        };
        let change = self.known_change(seat, &before, ChartChange::default());
        if change != KnownChange::default() {
            told.publish(only(seat), Event::Learned { change: change.into() });
            let change = before.change_to(&self.galaxy);
            told.publish(Audience::game_master(), Event::GalaxyChanged(Box::new(change)));
        }
        told
    }
}

/// Checks the limits of notes 12.1 that do not depend on the state.
fn judge_numbers(order: &Astronomics) -> Judged {
    match order {
        Astronomics::RemoveObjects { names, .. } => few(names),
        Astronomics::RemoveShips { ships, .. } => few(ships),
        Astronomics::RelocateObject { to, .. } => in_bounds(*to),
        Astronomics::RelocateShips { ships, to, .. } => few(ships).and(in_bounds(*to)),
        Astronomics::AddPortal { at, collapse_turns: turns, .. } => {
            in_bounds(*at).and(within(*turns, COLLAPSE_MAX, "number of turns"))
        }
        Astronomics::CollapsePortal { turns, .. } => {
            within(*turns, COLLAPSE_MAX, "number of turns")
        }
        Astronomics::AddStorm { at, rating, pattern, .. } => in_bounds(*at)
            .and(within(*rating, STORM_MAX, "rating"))
            .and(judge_pattern(Some(pattern))),
        Astronomics::ModifyStorm { rating, pattern, .. } => {
            within(*rating, STORM_MAX, "rating").and(judge_pattern(pattern.as_ref()))
        }
        Astronomics::AddWorld { at, production, stockpile, .. } => in_bounds(*at)
            .and(within(*production, RU_MAX, "production"))
            .and(within(*stockpile, RU_MAX, "stockpile")),
        Astronomics::ModifyWorld { production, stockpile, .. } => {
            within(*production, RU_MAX, "production").and(within(*stockpile, RU_MAX, "stockpile"))
        }
        Astronomics::AddShips { at, count, naming, .. } => {
            in_bounds(*at)?;
            within(*count, ADDED_MAX, "number of ships")?;
            require(*count > 0, "syntax", || {
                "The number of ships must be at least 1, not 0.".to_owned()
            })?;
            let Naming::Listed(names) = naming else { return Ok(()) };
            let named = names.len() == *count as usize;
            require(named, "syntax", || {
                format!(
                    "Specify one name for each of the {count} ships, not {} names.",
                    names.len()
                )
            })
        }
        Astronomics::RemoveKnown { names, empires, .. }
        | Astronomics::AddKnown { names, empires, .. } => few(names).and(few(empires)),
        Astronomics::AddClass { .. }
        | Astronomics::RemoveConnection { .. }
        | Astronomics::AddConnection { .. }
        | Astronomics::ModifyShip { .. } => Ok(()),
    }
}

fn judge_pattern(pattern: Option<&Pattern>) -> Judged {
    let Some(Pattern::Cyclic(steps)) = pattern else { return Ok(()) };
    let count = steps.len();
    require((1..=STEPS_MAX).contains(&count), "too-big", || {
        format!("A cyclic storm must have 1 to {STEPS_MAX} steps, not {count}.")
    })?;
    let large = steps.iter().find(|step| step.unsigned_abs() > STORM_MAX);
    require(large.is_none(), "too-big", || {
        let step = large.copied().unwrap_or_default();
        format!("A step must be -{STORM_MAX} to {STORM_MAX}, not {step}.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Order;
    use crate::testing::{Site, at, name};
    use crate::text::parse_master;
    use heliopause_kernel::{Actor, Viewer};

    fn site() -> Site {
        Site::of("world W (0,0) 5 0 A; home W; ships A battleship (0,0) L; ships B probe (3,0) P")
    }

    fn send(site: &mut Site, text: &str) -> Result<Emitted<Event>, String> {
        let order = parse_master(text).expect("it can be read").remove(0);
        site.submit(Actor::GameMaster, order).map_err(|refusal| refusal.reason.into_owned())
    }

    #[test]
    fn waiting_orders_are_published_to_the_game_master_only() {
        let told = send(&mut site(), "ADDPORTAL (1,1) P").unwrap();
        let waits =
            |event: &&Event| matches!(event, Event::MasterOrders { orders } if orders.len() == 1);
        assert_eq!(told.to(Viewer::GameMaster).filter(waits).count(), 1);
        assert_eq!(told.to(Viewer::Seat(Seat::at(0))).count(), 0, "it is nobody else's business");
    }

    #[test]
    fn orders_that_no_text_can_express_are_refused() {
        let mut site = site();
        let (at, name) = (at("(0,10001)"), name("P"));
        for (order, reason) in [
            (Astronomics::RemoveShips { empire: name, ships: Vec::new() }, "syntax"),
            (Astronomics::AddPortal { at, name, collapse_turns: 0 }, "too-far"),
        ] {
            let order = Order::Master(MasterOrder::Astronomics(order));
            assert_eq!(site.submit(Actor::GameMaster, order).unwrap_err().reason, reason);
        }
        let by_seat = site.submit(Actor::Seat(Seat::at(0)), Order::Master(MasterOrder::ApplyNow));
        assert_eq!(by_seat.unwrap_err().reason, "gm-only");
    }

    #[test]
    fn r66_alliances_are_recorded_and_published_to_their_members() {
        let mut site = site();
        let told = send(&mut site, "ALLIANCES A B").unwrap();
        assert_eq!(site.game.allies(Seat::at(0)), SeatSet::one(Seat::at(1)));
        let heard = |seat| told.to(Viewer::Seat(Seat::at(seat))).next().cloned();
        assert_eq!(heard(0), Some(Event::Alliances { alliances: vec![SeatSet::one(Seat::at(1))] }));
        assert_eq!(heard(2), Some(Event::Alliances { alliances: Vec::new() }));
    }
}
