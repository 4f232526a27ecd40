//! What must hold in every game: random legal play of both variants with random options.

use crate::play;

use std::collections::BTreeSet;

use heliopause_kernel::{Actor, Dice, Emitted, Game, Seat, Viewer, Wire};
use heliopause_proto::stellar_conquest::v1 as proto;
use heliopause_stellar_conquest::outer_space::DecreeSheet;
use heliopause_stellar_conquest::{
    Colony, ColonyPlan, Event, Item, Order, Outfit, OwnEvent, Payment, Power, PrescribedChoices,
    ProductionSheet, Ship, ShipNumber, Shot, Spending, Stage, StarId, StellarConquest, Tech,
    UnitId, Voyage, Withdrawal,
};
use play::{Chance, Watched, any_order, play, random_order, seed, setup, viewers};
use proptest::prelude::*;

fn samples_show_the_same_view(number: u64) {
    play(number, 100, |watched, chance| {
        let viewer = chance.pick(&viewers(&watched.game));
        let view = watched.view(viewer).clone();
        let sample = StellarConquest::sample(&view, &mut || chance.next());
        assert_eq!(sample.check(), Ok(()), "sampled for {viewer:?}");
        assert_eq!(sample.view(viewer), view);
    });
}

fn choices_are_legal(number: u64) {
    play(number, 60, |watched, chance| {
        let seat = Seat::at(chance.below(watched.game.table().seats()));
        let view = watched.view(Viewer::Seat(seat)).clone();
        let choices = StellarConquest::choices_of(&view);
        assert_eq!(choices, watched.game.choices(seat));
        for listed in &choices.listed {
            let text = StellarConquest::notate(&listed.order);
            assert_eq!(StellarConquest::judge_view(&view, &listed.order), Ok(()), "{text}");
            assert!(
                !listed.label.is_empty() && StellarConquest::rule(listed.rule).is_some(),
                "{listed:?}"
            );
            assert_eq!(
                StellarConquest::parse(&view, &text).as_deref(),
                Ok(&[listed.order.clone()][..]),
                "{text}"
            );
        }
        for _ in 0..2 {
            if let Some(order) = random_order(&watched.game, seat, chance) {
                assert_eq!(watched.game.judge(Actor::Seat(seat), &order), Ok(()), "{order:?}");
            }
        }
    });
}

/// Offers are orders as sentences: each filling is read as an order that is accepted; and what is
/// accepted, of the orders that play makes of choices and of those that are made up, is a filling,
/// where the offers say that they are complete or cover it.
fn offers_are_the_legal_orders(number: u64, steps: usize, seen: &mut BTreeSet<String>) {
    play(number, steps, |watched, chance| {
        let seat = Seat::at(chance.below(watched.game.table().seats()));
        let owing: Vec<Seat> =
            watched.game.pending().iter().map(|decision| decision.seat).collect();
        let seat = if owing.is_empty() || chance.one_in(4) { seat } else { chance.pick(&owing) };
        let view = watched.view(Viewer::Seat(seat)).clone();
        let offers = watched.game.offers(seat);
        assert_eq!(offers.check(), Ok(()));
        let stage = watched.game.table().stage;
        assert_eq!(offers.sheet, stage == Stage::Production);
        for offer in &offers.list {
            seen.insert(offer.key.to_string());
            let mut next = || chance.next();
            let fillings = [offers.at_random(offer, &mut next), offers.fullest(offer, &mut next)];
            for chosen in fillings {
                let line = offers.fill(offer, &chosen).expect("a filling at random fits");
                assert!(offers.makes(offer, &line), "{line}");
                let orders = StellarConquest::parse(&view, &line).expect("notation");
                let [order] = &orders[..] else { panic!("{line} is {} orders", orders.len()) };
                assert_eq!(
                    watched.game.judge(Actor::Seat(seat), order),
                    Ok(()),
                    "{line} in {stage:?}"
                );
                assert!(offer.order.as_ref().is_none_or(|own| own == order), "{line}");
                assert!(StellarConquest::rule(&offer.rule).is_some(), "{}", offer.rule);
                let said = offers.say(offer, &chosen).expect("it fits");
                assert!(!said.is_empty() && !said.contains(['{', '}']), "{said}");
            }
        }
        let is_offered = |order: &Order| {
            let wanted = spelled(&watched.game, seat, order);
            (wanted.iter().all(|line| offers.that_makes(line).is_some()), wanted)
        };
        for _ in 0..4 {
            let Some(order) = random_order(&watched.game, seat, chance) else { break };
            let (offered, wanted) = is_offered(&order);
            assert!(offered, "{wanted:?} is legal and not offered in {stage:?}");
            assert!(!wanted.is_empty() || !offers.complete, "{order:?}");
            if let (Order::Move(voyage), [line]) = (&order, &wanted[..])
                && line.contains(" stop ")
            {
                let read = StellarConquest::parse(&view, line).expect("notation");
                // Ships that are all lost on the way go no farther anyway.
                let same = |read: &Voyage| {
                    read.path == voyage.path || (read.path.is_empty() && voyage.accept_loss)
                };
                assert!(matches!(&read[..], [Order::Move(read)] if same(read)), "{line}");
            }
        }
        let prescribed = watched.game.choices(seat).prescribed;
        for _ in 0..20 {
            let order = match &prescribed {
                Some(shots) => shuffled(shots, chance),
                None => any_order(chance),
            };
            if offers.complete && watched.game.judge(Actor::Seat(seat), &order).is_ok() {
                let (offered, wanted) = is_offered(&order);
                assert!(
                    offered && !wanted.is_empty(),
                    "{wanted:?} is legal and not offered in {stage:?}"
                );
            }
        }
    });
}

/// An order as offers write it; a sheet as its lines. Nothing for what offers do not promise to
/// cover.
#[expect(clippy::too_many_lines, reason = "one arm for each order")]
fn spelled(game: &StellarConquest, seat: Seat, order: &Order) -> Vec<String> {
    let power = game.power(seat);
    let kind = |ship: &ShipNumber| power.ship(*ship).map(Ship::kind);
    let names = |ships: &[ShipNumber]| {
        ships.iter().map(ToString::to_string).collect::<Vec<String>>().join(",")
    };
    let free = power.research.has(Tech::UnlimitedShipCommunication);
    let bound = |star: Option<StarId>| {
        star.filter(|_| !free).map_or_else(String::new, |star| format!(" to {star}"))
    };
    match order {
        Order::Outfit(outfit) => vec![spelled_outfit(outfit)],
        Order::Produce(sheet) if completes(power, sheet) => Vec::new(),
        Order::Produce(sheet) => spelled_sheet(sheet),
        // Weapons that are named are in no offer.
        Order::Decree(sheet) if sheet.plans.iter().any(|plan| !plan.weapons.is_empty()) => {
            Vec::new()
        }
        Order::Decree(sheet) => spelled_decree(game, seat, sheet),
        Order::Move(voyage) => spelled_move(game, seat, voyage).into_iter().collect(),
        Order::Raid(sortie) if sortie.path.is_empty() => {
            vec![format!("raid {} {} {}", sortie.target, sortie.rounds, names(&sortie.ships))]
        }
        Order::Raid(_) => Vec::new(),
        Order::Recall { ships } => {
            let mut ships = ships.clone();
            ships.sort_by_key(kind);
            vec![format!("recall {}", names(&ships))]
        }
        Order::Form { ships, marker } => {
            let force =
                marker.map_or_else(|| "loose".to_owned(), |marker| marker.number().to_string());
            vec![format!("form {} {force}", names(ships))]
        }
        Order::Land { ships, planet } => {
            vec![format!("land {} {} {}", names(ships), planet.star, planet.nth + 1)]
        }
        Order::Place { at, destination } => vec![format!("place {at}{}", bound(*destination))],
        Order::Aim { shots } => {
            let mut shots = shots.clone();
            shots.sort_by_key(|shot| shot.by);
            match game.choices(seat).prescribed {
                Some(prescribed) => vec![spelled_prescribed(&prescribed, &shots)],
                None => vec![StellarConquest::notate(&Order::Aim { shots })],
            }
        }
        Order::Withdraw { groups } if groups.len() > 1 => {
            let units =
                game.choices(seat).withdraw.map_or_else(Vec::new, |withdraw| withdraw.units);
            if free {
                let all: Vec<String> = groups
                    .iter()
                    .flat_map(|group| &group.units)
                    .map(|unit| unit.0.to_string())
                    .collect();
                return vec![format!("withdraw {}", all.join(" "))];
            }
            let fate = |unit: &UnitId| {
                let group = groups.iter().find(|group| group.units.contains(unit));
                let fate =
                    group.map_or_else(|| " stay".to_owned(), |group| bound(group.destination));
                format!("{}{fate}", unit.0)
            };
            vec![format!("withdraw {}", units.iter().map(fate).collect::<Vec<String>>().join("; "))]
        }
        Order::Withdraw { groups } => {
            let group = |group: &Withdrawal| Withdrawal {
                destination: group.destination.filter(|_| !free),
                ..group.clone()
            };
            vec![StellarConquest::notate(&Order::Withdraw {
                groups: groups.iter().map(group).collect(),
            })]
        }
        Order::Attack { planets } => {
            let mut planets = planets.clone();
            planets.sort_unstable();
            vec![StellarConquest::notate(&Order::Attack { planets })]
        }
        // What is asked, or stays, need not be said.
        Order::Standing(_) => {
            let line = StellarConquest::notate(order);
            let words: Vec<&str> = line.split(' ').skip(1).collect();
            let said = words
                .chunks(2)
                .filter(|said| !matches!(said[1], "ask") && *said != ["scouts", "stay"]);
            let said =
                said.filter(|said| *said != ["transports", "stay"]).map(|said| said.join(" "));
            vec![
                std::iter::once("standing".to_owned())
                    .chain(said)
                    .collect::<Vec<String>>()
                    .join(" "),
            ]
        }
        other => vec![StellarConquest::notate(other)],
    }
}

/// Prescribed shots, by the targets that get one more of them than others of their kind.
fn spelled_prescribed(prescribed: &PrescribedChoices, shots: &[Shot]) -> String {
    let mut line = "aim".to_owned();
    let (mut alike, mut more) = (String::new(), String::new());
    for shot in &prescribed.shots {
        if !prescribed.alike.iter().any(|group| group.guns.contains(&shot.by)) {
            line.extend([
                " ".to_owned(),
                shot.by.0.to_string(),
                ">".to_owned(),
                shot.at.0.to_string(),
            ]);
        }
    }
    for group in &prescribed.alike {
        let (rest, fixed) = group.guns.split_at(group.guns.len() % group.ships.len());
        alike.extend(
            fixed
                .iter()
                .zip(group.ships.iter().cycle())
                .map(|(by, at)| format!(" {}>{}", by.0, at.0)),
        );
        let each = group.guns.len() / group.ships.len();
        let count = |ship: &&UnitId| {
            shots.iter().filter(|shot| group.guns.contains(&shot.by) && shot.at == **ship).count()
        };
        let targets: Vec<String> = group
            .ships
            .iter()
            .filter(|ship| count(ship) > each)
            .map(|ship| ship.0.to_string())
            .collect();
        if !rest.is_empty() {
            let guns: Vec<String> = rest.iter().map(|by| by.0.to_string()).collect();
            more.extend([" ", &guns.join(","), ">", &targets.join(",")]);
        }
    }
    if more.is_empty() {
        return StellarConquest::notate(&Order::Aim { shots: prescribed.shots.clone() });
    }
    line + &alike + &more
}

/// Prescribed shots with the targets of alike guns in any order.
fn shuffled(prescribed: &PrescribedChoices, chance: &mut Chance) -> Order {
    let mut shots = prescribed.shots.clone();
    for group in &prescribed.alike {
        let mut ships = group.ships.clone();
        for at in (1..ships.len()).rev() {
            ships.swap(at, chance.below(at + 1));
        }
        for shot in shots.iter_mut().filter(|shot| group.guns.contains(&shot.by)) {
            let place =
                group.ships.iter().position(|ship| *ship == shot.at).expect("it is fired at");
            shot.at = ships[place];
        }
    }
    Order::Aim { shots }
}

/// A movement along the fastest way, or a part of it; nothing for other ways.
fn spelled_move(game: &StellarConquest, seat: Seat, voyage: &Voyage) -> Option<String> {
    let voyages = game.choices(seat).voyages;
    let own = voyages.iter().filter(|own| voyage.ships.iter().all(|ship| own.ships.contains(ship)));
    let route = own.flat_map(|own| &own.routes).find(|route| {
        let same =
            (route.destination, route.round_clouds) == (voyage.destination, voyage.round_clouds);
        same && route.path.starts_with(&voyage.path)
    })?;
    let hexes = Some(voyage.path.len()).filter(|&hexes| hexes > 0 && hexes < route.path.len());
    // Space 7.1: a star may be closed for those who stop there.
    if hexes.is_some() && StarId::in_hex(route.path[0]).is_some() {
        return None;
    }
    let ships: Vec<String> = voyage.ships.iter().map(ToString::to_string).collect();
    let stop = hexes.map_or_else(String::new, |hexes| format!(" stop {hexes}"));
    let clouds = if voyage.round_clouds { " clouds" } else { "" };
    let lose = if route.safe.is_some() { " lose" } else { "" };
    Some(format!("move {} to {}{stop}{clouds}{lose}", ships.join(","), voyage.destination?))
}

/// A decree as lines: each for what comes first at one colony.
fn spelled_decree(game: &StellarConquest, seat: Seat, sheet: &DecreeSheet) -> Vec<String> {
    let colonies = game.choices(seat).decree.map_or_else(Vec::new, |decree| decree.colonies);
    let chosen = |planet| {
        colonies.iter().any(|colony| colony.planet == planet && colony.least < colony.most)
    };
    let line = |plans, posts| StellarConquest::notate(&Order::Decree(DecreeSheet { plans, posts }));
    let budgets = sheet.plans.iter().filter(|plan| plan.budget.is_some() && chosen(plan.planet));
    let mut lines: Vec<String> = budgets.map(|plan| line(vec![plan.clone()], None)).collect();
    lines.extend(sheet.posts.clone().map(|posts| line(Vec::new(), Some(posts))));
    if lines.is_empty() {
        lines.push(line(Vec::new(), None));
    }
    lines
}

/// Scouts by pairs, and one more.
fn spelled_scouts(count: u32) -> impl Iterator<Item = String> {
    let pairs = (count >= 2).then(|| format!("{} scout-pairs", count / 2));
    pairs.into_iter().chain((count % 2 == 1).then(|| "1 scouts".to_owned()))
}

fn spelled_outfit(outfit: &Outfit) -> String {
    match outfit {
        Outfit::Bonus { scouts, corvettes, research } => {
            let mut research = research.clone();
            research.sort_unstable();
            let corvettes = (*corvettes > 0).then(|| format!("{corvettes} corvettes"));
            let paid = research
                .iter()
                .map(|paid| format!("{} into {}", paid.points, paid.tech.title().code));
            let parts: Vec<String> =
                corvettes.into_iter().chain(spelled_scouts(*scouts)).chain(paid).collect();
            format!("setup {}", parts.join("; ")).trim_end().to_owned()
        }
        Outfit::Commission { corvettes, scouts, technologies } => {
            let ships = [(*corvettes, "corvettes"), (*scouts, "scouts")];
            let ships = ships
                .into_iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, name)| format!("{count} {name}"));
            let techs = technologies.iter().map(|tech| tech.title().code.to_owned());
            format!("commission {}", ships.chain(techs).collect::<Vec<String>>().join("; "))
        }
    }
}

/// Whether a sheet completes a technology, which later lines of it may use.
fn completes(power: &Power, sheet: &ProductionSheet) -> bool {
    let of_colonies = sheet.colonies.iter().flat_map(|plan| &plan.spending).filter_map(
        |spending| match spending {
            Spending::Research(payment) => Some(payment),
            Spending::Build { .. } => None,
        },
    );
    let payments: Vec<&Payment> = sheet.grant.iter().chain(of_colonies).collect();
    let into = |tech: Tech| {
        payments.iter().filter(|paid| paid.tech == tech).map(|paid| paid.points).sum::<u32>()
    };
    payments.iter().any(|paid| into(paid.tech) >= power.research.missing(paid.tech))
}

/// A sheet as lines: each for one thing that a colony does.
fn spelled_sheet(sheet: &ProductionSheet) -> Vec<String> {
    let paid = |paid: &Payment| format!("{} into {}", paid.points, paid.tech.title().code);
    let grant = sheet.grant.iter().map(|payment| format!("produce grant {}", paid(payment)));
    let posts = sheet.posts.clone().map(|posts| {
        StellarConquest::notate(&Order::Produce(ProductionSheet {
            posts: Some(posts),
            ..ProductionSheet::default()
        }))
    });
    let mut lines: Vec<String> = grant.chain(posts).collect();
    for plan in &sheet.colonies {
        let mut does: Vec<String> = Vec::new();
        if plan.emigrants > 0 {
            does.push(format!("emigrate {}+{}", plan.emigrants, plan.bonus));
        }
        if plan.evacuate {
            does.push("evacuate".to_owned());
        }
        does.extend(plan.spending.iter().map(|spending| match spending {
            Spending::Build { item: Item::Scout, count } => {
                spelled_scouts(*count).collect::<Vec<_>>().join("; ")
            }
            Spending::Build { item, count } => {
                let several = match item {
                    Item::Factory => "factories".to_owned(),
                    Item::AdvancedMissileBase => "advanced-bases".to_owned(),
                    Item::PlanetShield => "shields".to_owned(),
                    _ => format!("{}s", item.as_str().replace(' ', "-")),
                };
                format!("{count} {several}")
            }
            Spending::Research(payment) => paid(payment),
        }));
        let planet = format!("{} {}", plan.planet.star, plan.planet.nth + 1);
        lines.extend(does.iter().map(|does| format!("produce {planet}: {does}")));
    }
    // A colony that is named and does nothing might as well not be named.
    if lines.is_empty() {
        lines.push("produce".to_owned());
    }
    lines
}

/// Every shape of offer comes up in play, so that none goes without a check.
#[test]
fn every_shape_of_offer_comes_up() {
    let shapes = [
        "aim",
        "aim-as-prescribed",
        "attack",
        "break-off",
        "commission",
        "complete",
        "decree",
        "decree-as-usual",
        "emigrate",
        "end-movement",
        "end-turn",
        "fight",
        "fire-by-standing-orders",
        "form",
        "grant",
        "hold",
        "kill",
        "land",
        "look",
        "move",
        "no-posts",
        "pass",
        "pay",
        "pay-alone",
        "place",
        "post",
        "posts",
        "produce",
        "produce-as-usual",
        "produce-nothing",
        "raid",
        "raze",
        "recall",
        "recall-weakest",
        "scuttle",
        "scuttle-none",
        "send",
        "setup",
        "setup-nothing",
        "standing",
        "stay",
        "unpost",
        "usual-start",
        "watch",
        "withdraw",
        "withdraw-apart",
    ];
    let mut seen = BTreeSet::new();
    for number in 0..200 {
        if shapes.iter().all(|shape| seen.contains(*shape)) {
            break;
        }
        offers_are_the_legal_orders(number * 7_919, 40, &mut seen);
    }
    let missing: Vec<&str> = shapes.into_iter().filter(|shape| !seen.contains(*shape)).collect();
    assert!(missing.is_empty(), "{missing:?} never came up among {seen:?}");
}

/// A production turn in which a power falls ends this game; its colonies have grown by then.
#[test]
fn space_11_total_conquest_in_a_production_turn_leaves_a_position_that_holds_together() {
    choices_are_legal(11_675_438_190_115_701_930);
}

/// A game in which a seat owns a conquered colony at a star whose card it does not know, beside
/// another seat's post.
#[test]
fn a_sample_has_room_for_all_colonies_that_are_known() {
    samples_show_the_same_view(21_806_058_270_623_101);
}

proptest! {
    #![proptest_config(heliopause_testing::cases(12))]

    #[test]
    fn random_play_keeps_together_and_every_view_follows_its_own_events(number in any::<u64>()) {
        play(number, 500, |_, _| {});
    }

    #[test]
    fn the_same_seed_and_orders_give_the_same_game(number in any::<u64>()) {
        let mut first = Vec::new();
        play(number, 150, |watched, _| first.push(watched.game.clone()));
        let mut second = first.into_iter();
        play(number, 150, |watched, _| assert_eq!(second.next().as_ref(), Some(&watched.game)));
        assert!(second.next().is_none());
    }

    #[test]
    fn closing_again_and_again_ends_every_game(number in any::<u64>()) {
        let mut chance = Chance(number);
        let mut watched = Watched::any(number, &mut chance);
        for _ in 0..chance.below(200) {
            if watched.game.outcome().is_none() {
                watched.step(&mut chance);
            }
        }
        for _ in 0..4_000 {
            if watched.game.outcome().is_none() {
                assert!(!watched.close().is_empty());
            }
        }
        assert!(watched.game.outcome().is_some());
        assert!(watched.close().is_empty());
    }

    #[test]
    fn ships_are_conserved(number in any::<u64>()) {
        let mut chance = Chance(number);
        let mut watched = Watched::any(number, &mut chance);
        let numbers = |seat| watched.game.power(seat).ships.iter().map(|ship| ship.number).collect();
        let mut ships: Vec<BTreeSet<ShipNumber>> = Seat::first(watched.game.table().seats()).map(numbers).collect();
        for _ in 0..400 {
            if watched.game.outcome().is_some() {
                break;
            }
            let told = watched.step(&mut chance);
            count_ships(&told, &mut ships);
            for (index, numbers) in ships.iter().enumerate() {
                let power = watched.game.power(Seat::at(index));
                assert!(power.ships.iter().map(|ship| ship.number).eq(numbers.iter().copied()), "seat {}", index + 1);
            }
        }
    }
}

/// Every ship comes once and goes once.
fn count_ships(told: &Emitted<Event>, ships: &mut [BTreeSet<ShipNumber>]) {
    for event in told.to(Viewer::GameMaster) {
        match event {
            Event::Own(OwnEvent::ShipsCame { seat, ships: came, .. }) => {
                for ship in came {
                    assert!(ships[seat.index()].insert(ship.number), "{} comes twice", ship.number);
                }
            }
            Event::Own(OwnEvent::ShipsLost { seat, ships: lost, .. }) => {
                for ship in lost {
                    assert!(ships[seat.index()].remove(ship), "{ship} was not there");
                }
            }
            _ => {}
        }
    }
}

/// Millions of a seat: on colonies that are its own or that it holds, and in transports.
fn people(power: &Power) -> u32 {
    let prizes = power.prizes.iter().map(|prize| &prize.colony);
    let colonies = power.colonies.iter().chain(prizes);
    let settled: u32 =
        colonies.map(|colony| u32::from(colony.population) + u32::from(colony.subjects)).sum();
    settled + power.ships.iter().filter(|ship| ship.load().is_some()).count() as u32
}

/// What one colony's plan costs at least, when technologies of the same sheet make it cheap.
fn cost(plan: &ColonyPlan, cheap: &[Tech]) -> u32 {
    let owned = cheap.iter().copied().collect();
    let mut counts = [0_u32; Item::ALL.len()];
    let mut points = 0;
    for spending in &plan.spending {
        match spending {
            Spending::Build { item, count } => counts[*item as usize] += count,
            Spending::Research(payment) => points += payment.points,
        }
    }
    let items: u32 =
        Item::ALL.into_iter().zip(counts).map(|(item, count)| item.price(count, owned)).sum();
    items + points + u32::from(plan.emigrants) + u32::from(plan.bonus)
}

proptest! {
    #![proptest_config(heliopause_testing::cases(8))]

    #[test]
    fn landing_keeps_the_number_of_people_and_sheets_spend_no_more_than_the_output(number in any::<u64>()) {
        play(number, 300, |watched, chance| {
            let owing = watched.game.pending();
            let Some(seat) = owing.first().map(|decision| decision.seat) else { return };
            let Some(order) = random_order(&watched.game, seat, chance) else { return };
            match order {
                Order::Land { .. } => {
                    let before = people(watched.game.power(seat));
                    watched.submit(seat, order);
                    assert_eq!(people(watched.game.power(seat)), before);
                }
                Order::Produce(sheet) => within_output(watched.game.power(seat), &sheet),
                _ => {}
            }
        });
    }

    #[test]
    fn offers_make_legal_orders_and_cover_them(number in any::<u64>()) {
        offers_are_the_legal_orders(number, 80, &mut BTreeSet::new());
    }

    #[test]
    fn every_choice_is_judged_legal_and_labelled(number in any::<u64>()) {
        choices_are_legal(number);
    }

    #[test]
    fn a_refused_order_changes_nothing_and_the_view_refuses_it_too(number in any::<u64>()) {
        play(number, 100, |watched, chance| {
            for _ in 0..20 {
                let (seat, order) = (Seat::at(chance.below(watched.game.table().seats())), any_order(chance));
                let verdict = watched.game.judge(Actor::Seat(seat), &order);
                assert_eq!(verdict, StellarConquest::judge_view(watched.view(Viewer::Seat(seat)), &order));
                if let Err(refusal) = &verdict {
                    assert!(StellarConquest::rule(&refusal.rule).is_some(), "{refusal} names rule \
                        {}", refusal.rule);
                    let before = watched.game.clone();
                    let refusal = watched.game.submit(Actor::Seat(seat), order, &mut watched.dice);
                    assert_eq!(refusal, verdict.map(|()| Emitted::new()));
                    assert_eq!(before, watched.game);
                }
            }
        });
    }

    #[test]
    fn a_sample_shows_the_same_view(number in any::<u64>()) {
        samples_show_the_same_view(number);
    }

    /// Two states that a seat cannot tell apart answer it alike: nothing hidden shows in choices or
    /// refusals.
    #[test]
    fn equal_knowledge_gives_equal_answers(number in any::<u64>()) {
        play(number, 60, |watched, chance| {
            let seat = Seat::at(chance.below(watched.game.table().seats()));
            let view = watched.view(Viewer::Seat(seat)).clone();
            let other = StellarConquest::sample(&view, &mut || chance.next());
            assert_eq!(other.choices(seat), watched.game.choices(seat));
            assert_eq!(other.offers(seat), watched.game.offers(seat));
            for _ in 0..10 {
                let (actor, order) = (Actor::Seat(seat), any_order(chance));
                assert_eq!(other.judge(actor, &order), watched.game.judge(actor, &order), "{order:?}");
            }
        });
    }

    /// What a seat orders by itself tells nobody else anything: sheets, standing orders, what
    /// colonies do about ships.
    #[test]
    fn what_is_private_is_told_to_nobody_else(number in any::<u64>()) {
        play(number, 150, |watched, chance| {
            let (seat, order) = (Seat::at(chance.below(watched.game.table().players)), any_order(chance));
            let private = matches!(
                order,
                Order::Outfit(_) | Order::Standing(_) | Order::Watch { .. } | Order::Produce(_)
            );
            if !private || watched.game.judge(Actor::Seat(seat), &order).is_err() {
                return;
            }
            let holders = watched.game.power(seat).colonies.iter().filter_map(Colony::conqueror);
            let holders: Vec<Seat> = holders.collect();
            let others = viewers(&watched.game).into_iter().filter(|&viewer| match viewer {
                Viewer::Seat(other) => other != seat && !holders.contains(&other),
                Viewer::Spectator => true,
                Viewer::GameMaster => false,
            });
            let others: Vec<Viewer> = others.collect();
            let told = watched.submit(seat, order);
            for viewer in others {
                assert_eq!(told.to(viewer).count(), 0, "{viewer:?} is told {told:?}");
            }
        });
    }

    #[test]
    fn positions_views_and_events_survive_the_wire(number in any::<u64>()) {
        play(number, 100, |watched, chance| {
            let read = StellarConquest::read_position(&watched.game.write_position());
            assert_eq!(read.as_ref(), Ok(&watched.game));
            let viewer = chance.pick(&viewers(&watched.game));
            let view = watched.view(viewer);
            assert_eq!(StellarConquest::read_view(&StellarConquest::write_view(view)).as_ref(), Ok(view));
            if watched.game.outcome().is_none() {
                for told in &watched.step(chance) {
                    let message = StellarConquest::write_event(&told.event);
                    assert_eq!(StellarConquest::read_event(&message).as_ref(), Ok(&told.event));
                    let (sentence, rule) = StellarConquest::describe(&told.event, &|seat| seat.to_string());
                    assert!(sentence.len() > 8 && sentence.ends_with('.'), "{sentence}");
                    assert!(StellarConquest::rule(rule).is_some(), "{sentence} has rule {rule}");
                }
            }
        });
    }

    #[test]
    fn orders_survive_notation_and_wire(number in any::<u64>()) {
        let mut chance = Chance(number);
        let setup = setup(&mut chance);
        let watched = Watched::new(number, &setup);
        let view = watched.view(Viewer::Seat(Seat::at(0)));
        for _ in 0..100 {
            let order = any_order(&mut chance);
            let message = StellarConquest::write_order(&order);
            assert_eq!(StellarConquest::read_order(&message).as_ref(), Ok(&order));
            let text = StellarConquest::notate(&order);
            assert_eq!(StellarConquest::parse(view, &text).as_deref(), Ok(&[order][..]), "{text}");
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[ A-Fa-z0-9#,:;|>+\n-]{0,80}") {
        let mut chance = Chance(1);
        let watched = Watched::new(1, &setup(&mut chance));
        if let Err(malformed) = StellarConquest::parse(watched.view(Viewer::Spectator), &text) {
            assert!(malformed.line >= 1 && malformed.column >= 1);
        }
    }
}

/// 17.5: no colony spends more than it yields, with whatever the sheet itself acquires.
fn within_output(power: &Power, sheet: &ProductionSheet) {
    let paid =
        sheet.colonies.iter().flat_map(|plan| &plan.spending).filter_map(
            |spending| match spending {
                Spending::Research(payment) => Some(payment.tech),
                Spending::Build { .. } => None,
            },
        );
    let techs: Vec<Tech> = power.research.owned.iter().chain(paid).collect();
    for plan in sheet.colonies.iter().filter(|plan| !plan.evacuate) {
        let colony = power.commanded(plan.planet).expect("a plan is for a colony of one's own");
        assert!(cost(plan, &techs) <= colony.output(techs.iter().copied().collect()), "{plan:?}");
    }
}

type Position = <StellarConquest as Wire>::PositionMessage;

/// Changes a number, a name or a list of a position at random.
fn mutate(position: &mut Position, chance: &mut Chance) {
    let number = chance.pick(&[0, 1, 2, 3, 4, 5, 7, 15, 44, 45, 255, 65_535, u32::MAX]);
    let index = chance.below(position.powers.len());
    let power = &mut position.powers[index];
    match chance.below(16) {
        0 => power.ships.iter_mut().for_each(|ship| ship.steps = number),
        1 => power.ships.truncate(number as usize),
        2 => power.ships.iter_mut().take(3).for_each(|ship| ship.number = number),
        3 => power.ships.iter_mut().take(2).for_each(|ship| ship.at.replace_range(.., "P18")),
        4 => power.ships.iter_mut().take(2).for_each(|ship| ship.at.clear()),
        5 => power.colonies.iter_mut().for_each(|colony| colony.population = number),
        6 => power.colonies.iter_mut().for_each(|colony| colony.factories = number),
        7 => power.colonies.iter_mut().for_each(|colony| colony.conqueror = number),
        8 => power.prizes.clear(),
        9 => power.engaged.push(number),
        10 => power.next_ship = number,
        11 => position.decided = vec![number; 2],
        12 => position.secrets.iter_mut().for_each(|secrets| secrets.decks.clear()),
        _ => mutate_table(position, number, chance),
    }
}

fn mutate_politics(politics: &mut proto::Politics, number: u32, chance: &mut Chance) {
    let clash =
        |pair: Vec<u32>| proto::Incident { pair, tension: number, ..proto::Incident::default() };
    match chance.below(8) {
        0 => politics.claims.truncate(number as usize),
        1 => politics.claims.iter_mut().take(3).for_each(|claim| claim.seat = number),
        2 => politics.era = number as i32,
        3 => {
            politics.war = Some(proto::War {
                one_side: vec![1],
                other_side: vec![number],
                ..proto::War::default()
            });
        }
        4 => politics.incidents.push(clash(vec![2, number])),
        5 => politics.fallen.push(number),
        6 => politics.priorities = vec![number; 2],
        _ => politics.raids.push(proto::Raid { seat: 1, other: number, ..proto::Raid::default() }),
    }
}

fn mutate_table(position: &mut Position, number: u32, chance: &mut Chance) {
    let Some(table) = &mut position.table else { return };
    if let Some(politics) = table.politics.as_mut().filter(|_| chance.one_in(2)) {
        return mutate_politics(politics, number, chance);
    }
    match chance.below(8) {
        0 => table.turn = number,
        1 => table.active = number,
        2 => table.players = number,
        3 => table.order.reverse(),
        4 => table.entries.truncate(number as usize),
        5 => table.battle = None,
        6 => table.stage = None,
        _ => table.posts.clear(),
    }
}

proptest! {
    #![proptest_config(heliopause_testing::cases(20))]

    /// Whatever position comes from outside: it is refused with its field, or it can be played on.
    #[test]
    fn a_mutated_position_is_refused_or_playable(number in any::<u64>()) {
        let mut chance = Chance(number);
        let mut watched = Watched::any(number, &mut chance);
        for _ in 0..chance.below(150) {
            if watched.game.outcome().is_none() {
                watched.step(&mut chance);
            }
        }
        let mut position = watched.game.write_position();
        for _ in 0..=chance.below(3) {
            mutate(&mut position, &mut chance);
        }
        match StellarConquest::read_position(&position) {
            Err(malformed) => assert!(!malformed.field.is_empty(), "{malformed}"),
            Ok(game) => {
                let mut watched = Watched::of(game, Dice::new(seed(number)));
                for _ in 0..40 {
                    if watched.game.outcome().is_none() {
                        watched.step(&mut chance);
                    }
                }
            }
        }
    }
}

/// A battle of others that is hidden from the viewer is sampled at a star that can hold it.
#[test]
fn rule_10_a_view_of_a_hidden_battle_reads_back() {
    for number in [9_472_017_836_788_601_742, 15_057_483_229_241_737_301] {
        play(number, 100, |watched, chance| {
            let viewer = chance.pick(&viewers(&watched.game));
            let view = watched.view(viewer);
            assert_eq!(
                StellarConquest::read_view(&StellarConquest::write_view(view)).as_ref(),
                Ok(view)
            );
            if watched.game.outcome().is_none() {
                watched.step(chance);
            }
        });
    }
    samples_show_the_same_view(9_897_706_363_153_837_229);
}
