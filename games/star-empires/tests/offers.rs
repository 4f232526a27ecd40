//! Tests that offers cover every accepted line, with the exceptions listed here.

use crate::play;

use heliopause_kernel::{Actor, Game, Seat};
use heliopause_star_empires::{
    Amount, Class, EmpireView, Event, Hull, Line, Name, Options, Order, OwnShip, Reason, Selection,
    StarEmpires, Verdict,
};
use heliopause_testing::Rng;
use play::{Watched, begin, lines, options, own, parsed, turn};
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

/// Returns a line, the verdict on the line, and its doubts.
fn told(watched: &Watched, seat: Seat, text: &str) -> (Line, Verdict, Vec<Reason>) {
    let order = parsed(watched.own(seat), text);
    let preview = watched.game.preview(Actor::Seat(seat), &order);
    let (Order::Sheet(sheet), Some(Event::SheetStored { checks, .. })) = (&order, preview) else {
        panic!("nothing is foretold of {order:?}");
    };
    let ([line], [check]) = (&sheet.lines[..], &checks[..]) else { panic!("{text} is one line") };
    let is_accepted = watched.game.judge(Actor::Seat(seat), &order).is_ok();
    assert_eq!(is_accepted, check.verdict != Verdict::Rejected, "{text}");
    let doubts = check.remarks.iter().map(|remark| remark.reason).collect();
    (line.clone(), check.verdict, doubts)
}

proptest! {
    #![proptest_config(heliopause_testing::cases(24))]

    #[test]
    fn every_accepted_line_is_covered_by_an_offer(number in any::<u64>(), empires in 2_usize..=5) {
        play(number, empires, |watched, seat, chance| {
            let own = own(watched, seat);
            let offers = watched.game.offers(seat);
            for offer in &offers.list {
                let chosen = offers.at_random(offer, &mut || chance.number());
                let text = offers.fill(offer, &chosen).expect("a filling at random fits");
                let orders = StarEmpires::parse(watched.own(seat), &text).expect("it is an order");
                let [Order::Sheet(sheet)] = &orders[..] else { panic!("{text} is a sheet") };
                let phases: Vec<_> = sheet.lines.iter().map(|line| line.phase().number()).collect();
                assert_eq!(phases, [&*offer.rule], "{text}");
                if let Some(fee) = fee(own, &sheet.lines[0]) {
                    let cost = offers.cost(offer, &chosen).map_or(0, |cost| cost.amount);
                    assert_eq!(cost, fee, "{text}");
                }
            }
            for filled in lines(chance, own) {
                if told(watched, seat, &filled.line).1 == Verdict::Rejected {
                    continue;
                }
                for text in filled.parts {
                    let (line, verdict, doubts) = told(watched, seat, &text);
                    assert!(verdict != Verdict::Rejected, "{text} is a part of {}", filled.line);
                    if doubts.iter().any(|&doubt| is_not_fixable(doubt)) || is_excluded(own, &line, &doubts) {
                        continue;
                    }
                    assert!(offers.that_makes(&text).is_some(), "{text} of {} is not offered: \
                        {doubts:?}", filled.line);
                }
            }
        });
    }
}

/// Returns the RU that a design or a repair costs (6.5.2, 6.6.2). `None` for other lines.
fn fee(own: &EmpireView, line: &Line) -> Option<i64> {
    match line {
        Line::Design { class, design, .. } => Some(design.class(*class).ok()?.fee().into()),
        Line::Repair { ship, dp: Amount::Number(number), .. } => {
            let is_it = |row: &&OwnShip| row.name == *ship || row.serial.to_name() == *ship;
            let class = own.ships.iter().find(is_it)?.class;
            let mut classes = own.classes.iter().chain(&own.unknown_own_classes);
            let hull = classes.find(|known| known.name == class)?.hull;
            Some(number.div_ceil(if hull == Hull::Orbital { 3 } else { 2 }).into())
        }
        _ => None,
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

fn is_excluded(own: &EmpireView, line: &Line, doubts: &[Reason]) -> bool {
    let ship = |handle: Name| -> &OwnShip {
        let is_it = |ship: &&OwnShip| ship.name == handle || ship.serial.to_name() == handle;
        own.ships.iter().find(is_it).expect("it was accepted")
    };
    let class = |ship: &OwnShip| -> &Class {
        let mut classes = own.classes.iter().chain(&own.unknown_own_classes);
        classes.find(|class| class.name == ship.class).expect("an own ship's class is known")
    };
    match line {
        // The ship has cargo racks and must be unloaded first, or does not fit onto the carrier.
        Line::Load { ships, carrier } => {
            let (ship, carrier) = (ship(ships[0]), ship(*carrier));
            let racks = |ship| u32::from(class(ship).ratings.racks);
            let fits = ship.at == carrier.at && class(ship).tonnage <= racks(carrier);
            doubts.contains(&Reason::AlreadyLoaded) && (racks(ship) > 0 || !fits)
        }
        // The portal is out of range.
        Line::Traverse { ships: Selection::Ships(ships), entry, .. } => {
            let (gate, at) = (own.chart.object(*entry), ship(ships[0]).at);
            let is_far = gate.is_none_or(|gate| gate.distance(at) > 1);
            doubts.contains(&Reason::NotAtPortal) && is_far
        }
        // Transfers between two worlds that are not the homeworld are offered as two lines.
        Line::Transfer { from, to, .. } => {
            let home = own.status.homeworld;
            home.is_none_or(|home| home != *from && home != *to)
        }
        _ => false,
    }
}
