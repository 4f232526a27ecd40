//! Tests that offers cover every accepted line, with the exceptions listed here.

use crate::play;

use heliopause_kernel::offer::Offers;
use heliopause_kernel::{Actor, Game, Seat};
use heliopause_star_empires::{
    Amount, Class, Crews, Design, EmpireView, Event, Line, Name, Naming, Options, Order, OwnShip,
    Reason, Scans, Selection, Sheet, Spot, StarEmpires, Verdict,
};
use heliopause_testing::Rng;
use play::{Watched, begin, name, options, own, sheet, turn};
use proptest::prelude::*;

fn play(number: u64, empires: usize, mut look: impl FnMut(&Watched, Seat, &mut Rng)) {
    let mut chance = Rng::new(number);
    let options = Options { automatic_victory: None, last_turn: None, ..options(&mut chance) };
    let mut watched = begin(number, empires, options);
    for _ in 0..6 {
        let seat = Seat::at(chance.below(empires));
        look(&watched, seat, &mut chance);
        turn(&mut watched, &mut chance);
    }
}

fn told(game: &StarEmpires, seat: Seat, line: &Line) -> (Verdict, Vec<Reason>) {
    let order = Order::Sheet(Sheet::of(vec![line.clone()]));
    let Some(Event::SheetStored { checks, .. }) = game.preview(Actor::Seat(seat), &order) else {
        panic!("nothing is foretold of {order:?}");
    };
    let [check] = &checks[..] else { panic!("{order:?} is one line") };
    let is_accepted = game.judge(Actor::Seat(seat), &order).is_ok();
    assert_eq!(is_accepted, check.verdict != Verdict::Rejected, "{order:?}");
    (check.verdict, check.remarks.iter().map(|remark| remark.reason).collect())
}

proptest! {
    #![proptest_config(heliopause_testing::cases(24))]

    #[test]
    fn every_accepted_line_is_covered_by_an_offer(number in any::<u64>(), empires in 2_usize..=5) {
        play(number, empires, |watched, seat, chance| {
            let (game, own) = (&watched.game, own(watched, seat));
            let offers = game.offers(seat);
            for offer in &offers.list {
                let chosen = offers.at_random(offer, &mut || chance.number());
                let text = offers.fill(offer, &chosen).expect("a filling at random fits");
                let orders = StarEmpires::parse(watched.own(seat), &text).expect("it is an order");
                let [Order::Sheet(sheet)] = &orders[..] else { panic!("{text} is a sheet") };
                let phases: Vec<_> = sheet.lines.iter().map(|line| line.phase().number()).collect();
                assert_eq!(phases, [&*offer.rule], "{text}");
            }
            let splitter = LineSplitter { own, offers: &offers };
            for line in sheet(chance, own).lines {
                if told(game, seat, &line).0 == Verdict::Rejected {
                    continue;
                }
                for part in splitter.parts(&line) {
                    let (verdict, doubts) = told(game, seat, &part);
                    assert!(verdict != Verdict::Rejected, "{part} is a part of {line}");
                    if doubts.iter().any(|&doubt| is_not_fixable(doubt)) || splitter.is_excluded(&part, &doubts) {
                        continue;
                    }
                    let text = line_text(&part);
                    assert!(offers.that_makes(&text).is_some(), "{text} of {line} is not offered: \
                        {doubts:?}");
                }
            }
        });
    }
}

/// Returns whether no other line can remove this warning. Such lines are not offered.
fn is_not_fixable(doubt: Reason) -> bool {
    use Reason as R;
    matches!(
        doubt,
        R::NotLoaded | R::WrongSector | R::NoGuns | R::NoTargets | R::NoEngines | R::TooFar
            // These are only expected.
            | R::NoNavData | R::NotConnected | R::UnknownClass | R::WorldNotOwned
            | R::RecipientNotOwner | R::Interdicted | R::NoFunds
            | R::NoGrant | R::AllAccess | R::NestedLoad | R::NoRacks
    )
}

fn line_text(line: &Line) -> String {
    match line {
        Line::Design { world, class, design: Design::Missile { guns, tonnage } } => {
            format!("DESIGN {world} \"{class}\" missile {guns} {tonnage}")
        }
        Line::Design { world, class, .. } => line.to_string().replacen(
            &format!("DESIGN {world} {class} "),
            &format!("DESIGN {world} \"{class}\" "),
            1,
        ),
        Line::Build { world, count, class, naming: Naming::Numbered(base) } => {
            format!("BUILD {world} {count} {class} \"{base}\"*")
        }
        Line::Build { world, count, class, naming: Naming::Listed(names) } => {
            let quoted: Vec<String> = names.iter().map(|name| format!(" \"{name}\"")).collect();
            format!("BUILD {world} {count} {class}{}", quoted.concat())
        }
        line => line.to_string(),
    }
}

/// Returns a line for each item.
fn each(items: &[Name], line: impl Fn(Vec<Name>) -> Line) -> Vec<Line> {
    items.iter().map(|&item| line(vec![item])).collect()
}

struct LineSplitter<'a> {
    own: &'a EmpireView,
    offers: &'a Offers<Order>,
}

impl LineSplitter<'_> {
    fn ship(&self, handle: Name) -> &OwnShip {
        let is_it = |ship: &&OwnShip| ship.name == handle || ship.serial.to_name() == handle;
        self.own.ships.iter().find(is_it).expect("it was accepted")
    }

    fn handle(ship: &OwnShip) -> Name {
        heliopause_star_empires::handle(ship.name, ship.serial)
    }

    fn handles(&self, handles: &[Name]) -> Vec<Name> {
        handles.iter().map(|&handle| Self::handle(self.ship(handle))).collect()
    }

    fn class(&self, ship: &OwnShip) -> &Class {
        let classes = self.own.classes.iter().chain(&self.own.unknown_own_classes);
        classes
            .into_iter()
            .find(|class| class.name == ship.class)
            .expect("an own ship's class is known")
    }

    fn is_starbase(ship: &OwnShip) -> bool {
        ship.class == name("starbase")
    }

    fn spot(&self, spot: Spot) -> heliopause_star_empires::Coord {
        match spot {
            Spot::At(at) => at,
            Spot::Object(name) => self.own.chart.object(name).expect("it was accepted"),
        }
    }

    fn selected(&self, selection: &Selection) -> Vec<&OwnShip> {
        match selection {
            Selection::Ships(names) => names.iter().map(|&name| self.ship(name)).collect(),
            Selection::All { at, except } => {
                let left_out: Vec<_> = except.iter().map(|&name| self.ship(name).serial).collect();
                let at = self.spot(*at);
                let here =
                    self.own.ships.iter().filter(|ship| ship.at == at && ship.carrier.is_none());
                here.filter(|ship| !left_out.contains(&ship.serial)).collect()
            }
        }
    }

    fn empires(&self, names: &[Name]) -> Vec<Name> {
        let called = |name: &Name| {
            let is_it = |seen: &&heliopause_star_empires::EmpireSeen| {
                seen.name == *name || Name::new(seen.code.as_str()) == Some(*name)
            };
            self.own.empires.iter().find(is_it).expect("it was accepted").name
        };
        let mut all = Vec::new();
        for name in names.iter().map(called) {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        all
    }

    /// Splits a selection into single ships and classes. Selects starbases by class.
    fn crews(&self, crews: &Crews) -> Vec<Crews> {
        let Crews::Some { ships, classes } = crews else { return vec![Crews::All] };
        let ship = |&handle: &Name| match self.ship(handle) {
            ship if Self::is_starbase(ship) => {
                Crews::Some { ships: Vec::new(), classes: vec![ship.class] }
            }
            ship => Crews::Some { ships: vec![Self::handle(ship)], classes: Vec::new() },
        };
        let class = |&class: &Name| Crews::Some { ships: Vec::new(), classes: vec![class] };
        ships.iter().map(ship).chain(classes.iter().map(class)).collect()
    }

    fn scans(&self, scans: &Scans) -> Vec<Scans> {
        match scans {
            Scans::All => vec![Scans::All],
            Scans::Places(places) => {
                places.iter().map(|&at| Scans::Places(vec![Spot::At(self.spot(at))])).collect()
            }
            Scans::Classes(classes) => {
                classes.iter().map(|&class| Scans::Classes(vec![class])).collect()
            }
            Scans::Ships(ships) => {
                let one = |&handle: &Name| match self.ship(handle) {
                    ship if Self::is_starbase(ship) => Scans::Classes(vec![ship.class]),
                    ship => Scans::Ships(vec![Self::handle(ship)]),
                };
                ships.iter().map(one).collect()
            }
        }
    }

    fn most(&self, key: &str, slot: &str) -> u32 {
        let slots =
            self.offers.list.iter().filter(|offer| offer.key == key).flat_map(|offer| &offer.slots);
        let most = slots.filter(|found| found.name == slot).filter_map(|slot| match &slot.kind {
            heliopause_kernel::offer::Kind::Number(range) => u32::try_from(range.most).ok(),
            _ => None,
        });
        most.max().unwrap_or(1)
    }

    fn amount(amount: Amount, most: u32) -> Amount {
        match amount {
            Amount::Number(number) => Amount::Number(number.min(most)),
            Amount::Max => Amount::Number(most),
        }
    }

    /// Splits a line as offers do: one ship or item per line, handles, and a number for `MAX`.
    #[expect(clippy::too_many_lines, reason = "one arm for each line")]
    fn parts(&self, line: &Line) -> Vec<Line> {
        let one = |ship: &OwnShip| Selection::Ships(vec![Self::handle(ship)]);
        match line.clone() {
            Line::Unload { ships } => each(&self.handles(&ships), |ships| Line::Unload { ships }),
            Line::Load { ships, carrier } => {
                let carrier = Self::handle(self.ship(carrier));
                each(&self.handles(&ships), |ships| Line::Load { ships, carrier })
            }
            Line::Destruct { ships } => {
                let ships = self.selected(&ships).into_iter();
                let ships = ships.filter(|ship| !Self::is_starbase(ship));
                ships.map(|ship| Line::Destruct { ships: one(ship) }).collect()
            }
            Line::Fire { sense, ships, at } => {
                let at = self.empires(&at);
                let fire = |ship: &OwnShip| {
                    let seen = self.seen_at(ship.at);
                    let at: Vec<Name> =
                        at.iter().copied().filter(|name| seen.contains(name)).collect();
                    (!at.is_empty()).then(|| Line::Fire { sense, ships: one(ship), at })
                };
                self.selected(&ships).into_iter().filter_map(fire).collect()
            }
            Line::Transmit { portals, to } => {
                let to = self.empires(&to);
                each(&portals, |portals| Line::Transmit { portals, to: to.clone() })
            }
            Line::Move { ships, to } => {
                let to = Spot::At(self.spot(to));
                let fly = |ship: &OwnShip| Line::Move { ships: one(ship), to };
                self.selected(&ships).into_iter().map(fly).collect()
            }
            Line::Traverse { ships, entry, exit } => {
                let pass = |ship: &OwnShip| Line::Traverse { ships: one(ship), entry, exit };
                self.selected(&ships).into_iter().map(pass).collect()
            }
            line @ (Line::Design { .. } | Line::Pool { .. }) => vec![line],
            Line::Give { classes, to } => {
                let to = self.empires(&to);
                each(&classes, |classes| Line::Give { classes, to: to.clone() })
            }
            Line::Build { world, count, class, naming } => {
                let build = |count, naming| Line::Build { world, count, class, naming };
                let count = Self::amount(count, self.most("build", "count"));
                let Naming::Listed(names) = naming else { return vec![build(count, naming)] };
                let mut named =
                    each(&names, |names| build(Amount::Number(1), Naming::Listed(names)));
                named.push(build(count, Naming::Listed(Vec::new())));
                named
            }
            Line::Repair { ship, dp, worlds } => {
                let ship = self.ship(ship);
                let key = if Self::is_starbase(ship) { "repair" } else { "repair-later" };
                let most = self.most(key, "dp").min(u32::from(self.class(ship).ratings.dp));
                let (dp, ship) = (Self::amount(dp, most), Self::handle(ship));
                each(&worlds, |worlds| Line::Repair { ship, dp, worlds })
            }
            Line::Toggle { public, ships } => {
                self.crews(&ships).into_iter().map(|ships| Line::Toggle { public, ships }).collect()
            }
            Line::Conceal { ships, from } => {
                let from = self.empires(&from);
                let conceal = |ships| Line::Conceal { ships, from: from.clone() };
                self.crews(&ships).into_iter().map(conceal).collect()
            }
            Line::Identify { ships, to } => {
                let to = self.empires(&to);
                let identify = |ships| Line::Identify { ships, to: to.clone() };
                self.crews(&ships).into_iter().map(identify).collect()
            }
            Line::Transfer { from, amount, to, recipient } => {
                let own = self.own.empires.iter().find(|it| it.seat == self.own.status.seat);
                let recipient = recipient.map(|name| self.empires(&[name])[0]);
                let recipient = recipient.filter(|name| own.is_none_or(|own| own.name != *name));
                let amount = Self::amount(amount, self.most("transfer", "ru"));
                vec![Line::Transfer { from, amount, to, recipient }]
            }
            Line::Deny { scans, to } => {
                let to = self.empires(&to);
                let deny = |scans| Line::Deny { scans, to: to.clone() };
                self.scans(&scans).into_iter().map(deny).collect()
            }
            Line::Authorize { scans, to } => {
                let to = self.empires(&to);
                let authorize = |scans| Line::Authorize { scans, to: to.clone() };
                self.scans(&scans).into_iter().map(authorize).collect()
            }
        }
    }

    fn seen_at(&self, at: heliopause_star_empires::Coord) -> Vec<Name> {
        let rows = self.own.chart.ships.iter().filter(|row| row.at == at && !row.wreck);
        let named =
            |seat| self.own.empires.iter().find(|seen| seen.seat == seat).map(|seen| seen.name);
        rows.filter_map(|row| named(row.owner)).collect()
    }

    fn is_excluded(&self, line: &Line, doubts: &[Reason]) -> bool {
        match line {
            // The ship has cargo racks and must be unloaded first, or does not fit onto the
            // carrier.
            Line::Load { ships, carrier } => {
                let (ship, carrier) = (self.ship(ships[0]), self.ship(*carrier));
                let racks = |ship| u32::from(self.class(ship).ratings.racks);
                let fits = ship.at == carrier.at && self.class(ship).tonnage <= racks(carrier);
                doubts.contains(&Reason::AlreadyLoaded) && (racks(ship) > 0 || !fits)
            }
            // The portal is out of range.
            Line::Traverse { ships: Selection::Ships(ships), entry, .. } => {
                let gate = self.own.chart.object(*entry);
                let at = self.ship(ships[0]).at;
                doubts.contains(&Reason::NotAtPortal)
                    && gate.is_none_or(|gate| gate.distance(at) > 1)
            }
            // Transfers between two worlds that are not the homeworld are offered as two lines.
            Line::Transfer { from, to, .. } => {
                let home = self.own.status.homeworld;
                home.is_none_or(|home| home != *from && home != *to)
            }
            // Offers limit the guns and tonnage of missiles.
            Line::Design { design: Design::Missile { guns, tonnage }, .. } => {
                *guns > 186 || *tonnage > 9_999
            }
            // Offers deny only whole grants.
            Line::Deny { scans, .. } => *scans != Scans::All,
            _ => false,
        }
    }
}
