//! Notes 12: what the game master orders between updates.

use heliopause_kernel::{Audience, Dice, Emitted, Refusal, Seat, SeatChange, SeatSet};

use crate::chart::ChartChange;
use crate::event::Event;
use crate::finish::only;
use crate::geometry::Sector;
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

/// The most ships that one order can add.
const ADDED_MAX: u32 = 10_000;

type Judged = Result<(), Refusal>;

fn require(holds: bool, reason: &'static str, message: impl FnOnce() -> String) -> Judged {
    if holds { Ok(()) } else { Err(Refusal::new(reason, "6.1", message())) }
}

fn within(number: u32, most: u32, what: &str) -> Judged {
    require(number <= most, "too-big", || format!("The {what} can be {most} at most."))
}

fn in_bounds(at: Sector) -> Judged {
    require(at.is_in_bounds(), "too-far", || {
        format!("Sector {at} is too far from the centre of the galaxy.")
    })
}

fn few(names: &Names) -> Judged {
    let fits = (1..=ITEMS_MAX).contains(&names.len());
    require(fits, "syntax", || format!("An order names 1 to {ITEMS_MAX} things."))
}

impl StarEmpires {
    /// Judges an order of the game master, who knows everything. What may change until it runs is
    /// left to its phase.
    pub(crate) fn judge_master(&self, order: &MasterOrder) -> Judged {
        match order {
            MasterOrder::Astronomics(order) => {
                let room = self.waiting.len() < WAITING_MAX;
                require(room, "too-many", || {
                    format!("At most {WAITING_MAX} orders of the game master can wait.")
                })?;
                judge_numbers(order)?;
                self.judge_names(order)
            }
            MasterOrder::Withdraw { index } => {
                let count = self.waiting.len();
                require(*index < count, "vanished", || {
                    format!("There are {count} orders that wait, counted from 0.")
                })
            }
            MasterOrder::ApplyNow => Ok(()),
            MasterOrder::SetAlliances { alliances } => self.alliances_of(alliances).map(|_| ()),
        }
    }

    /// Names of things that must be there: now, or by an order that waits.
    fn judge_names(&self, order: &Astronomics) -> Judged {
        match order {
            Astronomics::RemoveConnection { entry, exit }
            | Astronomics::AddConnection { entry, exit } => {
                self.must_be(KnownKind::Navigation, *entry)?;
                self.must_be(KnownKind::Navigation, *exit)
            }
            Astronomics::RemoveObjects { kind, names } => {
                names.iter().try_for_each(|&name| self.must_be(KnownKind::Object(*kind), name))
            }
            Astronomics::RelocateObject { kind, name, .. } => {
                self.must_be(KnownKind::Object(*kind), *name)
            }
            Astronomics::RemoveShips { empire, .. }
            | Astronomics::RelocateShips { empire, .. }
            | Astronomics::ModifyShip { empire, .. }
            | Astronomics::AddWorld { owner: Some(empire), .. } => {
                self.must_be(KnownKind::Contact, *empire)
            }
            Astronomics::AddShips { empire, class, .. } => {
                self.must_be(KnownKind::Contact, *empire)?;
                self.must_be(KnownKind::Class, *class)
            }
            Astronomics::ModifyWorld { name, owner, .. } => {
                self.must_be(KnownKind::Object(ObjectKind::World), *name)?;
                if let NewOwner::Empire(empire) = owner {
                    self.must_be(KnownKind::Contact, *empire)
                } else {
                    Ok(())
                }
            }
            Astronomics::ModifyStorm { name, .. } => {
                self.must_be(KnownKind::Object(ObjectKind::Storm), *name)
            }
            Astronomics::CollapsePortal { portal, .. } => {
                self.must_be(KnownKind::Navigation, *portal)
            }
            Astronomics::AddKnown { empires, kind, names } => {
                empires.iter().try_for_each(|&empire| self.must_be(KnownKind::Contact, empire))?;
                names.iter().try_for_each(|&name| self.must_be(*kind, name))
            }
            Astronomics::RemoveKnown { empires, .. } => {
                // What is gone from the galaxy may still be remembered.
                empires.iter().try_for_each(|&empire| self.must_be(KnownKind::Contact, empire))
            }
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
            format!("There is no {wanted}, and no order that waits adds it.")
        })
    }

    /// The alliances by seats: each of two and more empires, none of which is in another.
    fn alliances_of(&self, alliances: &[AllianceNames]) -> Result<Vec<SeatSet>, Refusal> {
        let mut sets = Vec::with_capacity(alliances.len());
        let mut seen = SeatSet::EMPTY;
        for AllianceNames { empires: names } in alliances {
            let mut set = SeatSet::EMPTY;
            for &name in names {
                let seat = self.galaxy.empire_named(name);
                let seat = seat.ok_or_else(|| {
                    Refusal::new("unknown-name", "5.0", format!("There is no empire {name}."))
                })?;
                require(seen.insert(seat), "already-allied", || format!("{name} is named twice."))?;
                set.insert(seat);
            }
            require(set.len() >= 2, "syntax", || {
                "An alliance has at least two members.".to_owned()
            })?;
            sets.push(set);
        }
        Ok(sets)
    }

    /// Carries out an order of the game master that was judged, or lets it wait.
    pub(crate) fn obey_master(&mut self, order: MasterOrder, dice: &mut Dice) -> Emitted<Event> {
        let mut told = Emitted::new();
        match order {
            MasterOrder::Astronomics(order) => self.waiting.push(order),
            MasterOrder::Withdraw { index } => {
                self.waiting.remove(index);
            }
            MasterOrder::ApplyNow => return self.apply_now(dice),
            MasterOrder::SetAlliances { alliances } => {
                self.alliances = self.alliances_of(&alliances).unwrap_or_default();
                told.tell(
                    Audience::game_master(),
                    Event::Alliances { alliances: self.alliances.clone() },
                );
                for seat in self.galaxy.seats() {
                    let allies = self.allies(seat);
                    let own = if allies.is_empty() { Vec::new() } else { vec![allies] };
                    told.tell(only(seat), Event::Alliances { alliances: own });
                }
                return told;
            }
        }
        told.tell(Audience::game_master(), Event::MasterOrders { orders: self.waiting.clone() });
        told
    }

    /// Notes 12.2: 6.1.1 to 6.1.6, 6.4.9 and 6.4.10, 6.8.3 to 6.8.5, without an update.
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
                told.tell(only(seat), Event::Learned { change: change.into() });
            }
        }
        told.tell(Audience::game_master(), Event::MasterOrders { orders: Vec::new() });
        update.tell_master(&mut told, waiting, master, &before);
        told
    }

    /// 8.0, notes 15: an empire is abandoned, or somebody has it again.
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
            told.tell(only(seat), Event::Learned { change: change.into() });
            let change = before.change_to(&self.galaxy);
            told.tell(Audience::game_master(), Event::GalaxyChanged(Box::new(change)));
        }
        told
    }
}

/// Limits of notes 12.1 that no state can change.
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
            require(*count > 0, "syntax", || "At least one ship is added.".to_owned())?;
            let Naming::Listed(names) = naming else { return Ok(()) };
            let named = names.len() == *count as usize;
            require(named, "syntax", || "There must be as many names as ships.".to_owned())
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
    let count = (1..=STEPS_MAX).contains(&steps.len());
    require(count, "too-big", || format!("A cyclic storm has 1 to {STEPS_MAX} steps."))?;
    let sizes = steps.iter().all(|step| step.unsigned_abs() <= STORM_MAX);
    require(sizes, "too-big", || format!("A step is {STORM_MAX} at most."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Order;
    use crate::testing::{Site, at, name, names};
    use crate::view::Insight;
    use heliopause_kernel::{Actor, Game, Viewer};

    fn site() -> Site {
        let mut site = Site::new(3);
        site.world("W", (0, 0), "A", 5, 0);
        site.homeworld("W");
        site.ships("A", "L", "battleship", (0, 0));
        site.ships("B", "P", "probe", (3, 0));
        site
    }

    fn send(site: &mut Site, order: MasterOrder) -> Result<Emitted<Event>, String> {
        site.submit(Actor::GameMaster, Order::Master(order))
            .map_err(|refusal| refusal.reason.into_owned())
    }

    fn portal(to: (i16, i16), turns: u32) -> MasterOrder {
        MasterOrder::Astronomics(Astronomics::AddPortal {
            at: at(to),
            name: name("P"),
            collapse_turns: turns,
        })
    }

    #[test]
    fn orders_wait_and_can_be_withdrawn() {
        let mut site = site();
        let told = send(&mut site, portal((1, 1), 0)).unwrap();
        assert!(
            told.to(Viewer::GameMaster)
                .any(|event| matches!(event, Event::MasterOrders { orders } if orders.len() == 1))
        );
        assert_eq!(told.to(Viewer::Seat(Seat::at(0))).count(), 0, "it is nobody else's business");
        let collapse = Astronomics::CollapsePortal { portal: name("P"), turns: 2 };
        assert!(
            send(&mut site, MasterOrder::Astronomics(collapse.clone())).is_ok(),
            "an order that waits adds it"
        );
        assert!(send(&mut site, MasterOrder::Withdraw { index: 0 }).is_ok());
        assert_eq!(send(&mut site, MasterOrder::Withdraw { index: 1 }).unwrap_err(), "vanished");
        assert_eq!(
            send(&mut site, MasterOrder::Astronomics(collapse)).unwrap_err(),
            "unknown-name"
        );
    }

    #[test]
    fn what_can_never_be_is_refused() {
        let mut site = site();
        let mut reason =
            |order: Astronomics| send(&mut site, MasterOrder::Astronomics(order)).unwrap_err();
        assert_eq!(
            reason(Astronomics::RemoveShips { empire: name("A"), ships: Vec::new() }),
            "syntax"
        );
        let world = |production| Astronomics::ModifyWorld {
            name: name("W"),
            production,
            stockpile: 0,
            owner: NewOwner::Empire(name("Nobody")),
        };
        assert_eq!(
            (reason(world(RU_MAX + 1)), reason(world(1))),
            ("too-big".to_owned(), "unknown-name".to_owned())
        );
        let ships = |count, what: &str| Astronomics::AddShips {
            at: at((0, 0)),
            empire: name("A"),
            count,
            class: name("probe"),
            dp: 1,
            public: false,
            naming: Naming::Listed(names(what)),
        };
        assert_eq!(reason(ships(2, "one")), "syntax");
        assert_eq!(send(&mut site, portal((0, 10_001), 0)).unwrap_err(), "too-far");
        assert_eq!(send(&mut site, portal((0, 1), COLLAPSE_MAX + 1)).unwrap_err(), "too-big");
        let by_seat = site.submit(Actor::Seat(Seat::at(0)), Order::Master(MasterOrder::ApplyNow));
        assert_eq!(by_seat.unwrap_err().reason, "gm-only");
    }

    #[test]
    fn applying_now_changes_the_galaxy_but_not_the_turn() {
        let mut site = site();
        let gone = Astronomics::RemoveShips { empire: name("B"), ships: names("P") };
        send(&mut site, MasterOrder::Astronomics(gone)).unwrap();
        send(&mut site, portal((0, 0), 0)).unwrap();
        let told = send(&mut site, MasterOrder::ApplyNow).unwrap();
        assert_eq!((site.game.turn, site.game.waiting.len()), (0, 0));
        assert!(site.find("B", "P").is_none() && site.game.galaxy.portals.len() == 1);
        let learned = |seat| {
            told.to(Viewer::Seat(Seat::at(seat)))
                .filter(|e| matches!(e, Event::Learned { .. }))
                .count()
        };
        assert_eq!([learned(0), learned(1), learned(2)], [1, 1, 0]);
        let results = |event: &&Event| matches!(event, Event::MasterResults { results } if results.len() == 2);
        assert_eq!(told.to(Viewer::GameMaster).filter(results).count(), 1);
        assert!(
            site.game.knowledge[0].chart.object(name("P")).is_some(),
            "6.8.3 to 6.8.5 were run"
        );
        assert_eq!(site.game.integrity(), Ok(()));
    }

    #[test]
    fn notes_12_2_the_wrecks_of_the_turn_stay_when_orders_are_applied_now() {
        let mut site = site();
        site.ships("B", "Doomed", "probe", (0, 0));
        site.orders("A", [crate::testing::line::fire("L", "B")]);
        site.empire("A").heard_of.insert(Seat::at(1));
        site.close();
        let wrecks =
            |site: &Site| site.game.knowledge[0].chart.ships.iter().filter(|row| row.wreck).count();
        assert_eq!(wrecks(&site), 1);
        send(&mut site, portal((0, 0), 0)).unwrap();
        send(&mut site, MasterOrder::ApplyNow).unwrap();
        assert_eq!(wrecks(&site), 1, "the turn is the same");
        site.close();
        assert_eq!(wrecks(&site), 0, "the next one is not");
    }

    #[test]
    fn notes_8_3_the_ratings_of_own_ships_are_known_though_their_class_is_not() {
        let mut site = site();
        let mut view = site.game.view(Viewer::Seat(Seat::at(0)));
        let gone = Astronomics::RemoveKnown {
            kind: KnownKind::Class,
            names: names("battleship"),
            empires: names("A"),
        };
        send(&mut site, MasterOrder::Astronomics(gone)).unwrap();
        for event in send(&mut site, MasterOrder::ApplyNow).unwrap().to(Viewer::Seat(Seat::at(0))) {
            StarEmpires::update(&mut view, event);
        }
        assert_eq!(view, site.game.view(Viewer::Seat(Seat::at(0))));
        let own = view.own().unwrap();
        assert!(
            own.classes.iter().all(|class| class.name != name("battleship")),
            "it cannot be built"
        );
        assert_eq!(
            own.flown.iter().map(|class| (class.name, class.ratings.dp)).collect::<Vec<_>>(),
            [(name("battleship"), 40)]
        );
    }

    /// A's ship at (0,0) with a ship of B's beside it, and another of the class in sight: A does
    /// not know the class.
    fn beside_an_unknown_class(guns: u16, dp: u16) -> Site {
        let mut site = site();
        let id = site.class("enigma", crate::hull::Hull::Gunship, [guns, dp, 2, 0, 0], "B");
        let class = &mut site.galaxy().classes[crate::ids::Id::index(id)];
        (class.tonnage, class.cost) = (50, 50);
        site.ships("B", "Near", "enigma", (0, 0));
        site.ships("B", "Far", "enigma", (1, 0));
        site.close();
        site
    }

    #[test]
    fn r67_only_the_briefing_of_an_abandoned_empire_tells_the_true_strength_and_only_around_its_ships()
     {
        let (seat, told) = (Seat::at(0), |site: &Site| {
            site.game.briefing(Seat::at(0)).own().unwrap().strengths.clone()
        });
        let mut sites = [beside_an_unknown_class(20, 10), beside_an_unknown_class(60, 60)];
        for site in &sites {
            assert_eq!(
                site.game.briefing(seat),
                site.game.view(Viewer::Seat(seat)),
                "it is not abandoned"
            );
        }
        for site in &mut sites {
            site.game.seat_changed(seat, SeatChange::Abandoned);
        }
        let [one, other] = &sites;
        assert_eq!(
            one.game.view(Viewer::Seat(seat)),
            other.game.view(Viewer::Seat(seat)),
            "no player is shown it"
        );
        assert_eq!(one.game.offers(seat), other.game.offers(seat));
        let strengths = sites.each_ref().map(told);
        let numbers = strengths
            .each_ref()
            .map(|list| list.iter().map(|it| (it.guns, it.dp)).collect::<Vec<_>>());
        assert_eq!(
            numbers,
            [vec![(20, 10)], vec![(60, 60)]],
            "of the ship beside it, and of no other"
        );
        for site in &sites {
            let mut briefing = site.game.briefing(seat);
            let Insight::Empire(own) = &mut briefing.insight else {
                panic!("a seat has an empire")
            };
            own.strengths.clear();
            assert_eq!(briefing, site.game.view(Viewer::Seat(seat)), "and nothing else");
            assert_eq!(site.game.briefing(Seat::at(1)), site.game.view(Viewer::Seat(Seat::at(1))));
        }
    }

    #[test]
    fn r66_alliances_are_recorded_and_each_member_hears_of_its_own() {
        let mut site = site();
        let told = send(
            &mut site,
            MasterOrder::SetAlliances { alliances: vec![AllianceNames { empires: names("A B") }] },
        )
        .unwrap();
        assert_eq!(site.game.allies(Seat::at(0)), SeatSet::one(Seat::at(1)));
        let heard = |seat| told.to(Viewer::Seat(Seat::at(seat))).next().cloned();
        assert_eq!(heard(0), Some(Event::Alliances { alliances: vec![SeatSet::one(Seat::at(1))] }));
        assert_eq!(heard(2), Some(Event::Alliances { alliances: Vec::new() }));
        let twice = MasterOrder::SetAlliances {
            alliances: vec![
                AllianceNames { empires: names("A B") },
                AllianceNames { empires: names("C A") },
            ],
        };
        assert_eq!(send(&mut site, twice).unwrap_err(), "already-allied");
        assert_eq!(
            send(
                &mut site,
                MasterOrder::SetAlliances {
                    alliances: vec![AllianceNames { empires: names("A") }]
                }
            )
            .unwrap_err(),
            "syntax"
        );
    }

    #[test]
    fn an_abandoned_empire_counts_its_updates_until_somebody_takes_it() {
        let mut site = site();
        let told = site.game.seat_changed(Seat::at(0), SeatChange::Abandoned);
        assert_eq!(told.to(Viewer::Seat(Seat::at(0))).count(), 1);
        assert_eq!(site.empire("A").abandoned_turns, 1);
        site.close();
        site.close();
        assert_eq!(site.empire("A").abandoned_turns, 3);
        site.game.seat_changed(Seat::at(0), SeatChange::Taken);
        site.close();
        assert_eq!(site.empire("A").abandoned_turns, 0);
    }
}
