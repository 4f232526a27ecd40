//! The same of Alone in Outer Space.

use heliopause_kernel::wire::{Read, Write};
use heliopause_kernel::{Game, Seat, SeatSet, Wire};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::campaign::Campaign;
use crate::state::campaign::politics::{
    Departure, Era, Incident, Politics, Quarrel, Raid, Relation,
};
use crate::state::campaign::politics_event::PoliticsEvent;
use crate::state::campaign::war::{War, WarKind};
use crate::state::event::{Event, OwnEvent};
use crate::state::options::{Options, Variant};
use crate::state::order::{Order, Sortie};
use crate::state::position::StellarConquest;
use crate::state::sheet::{Build, DecreePlan, DecreeSheet, PostPlan};
use crate::state::ship::ShipNumber;
use crate::state::table::Table;
use crate::tables::cards::PlanetId;
use crate::tables::outer_space::{Happening, POWERS_MAX, Talks, Terms, Verdict};
use crate::tables::prices::Item;
use crate::tables::stars::StarId;
use crate::tables::technology::Tech;
use crate::testing::{place, seat, star};

const HAPPENINGS: [Happening; 5] = [
    Happening::Talks,
    Happening::Blunder,
    Happening::Dispute,
    Happening::LimitedWar,
    Happening::TotalWar,
];

const RELATIONS: [Relation; 5] = [
    Relation::Enemies,
    Relation::Allies,
    Relation::OneAtWar,
    Relation::NeutralToAWar,
    Relation::AtPeace,
];

const TALKS: [Talks; 3] = [Talks::Failure, Talks::Truce, Talks::Treaty];

const VERDICTS: [Verdict; 3] = [Verdict::Ends, Verdict::GoesOn, Verdict::War];

const TERMS: [Terms; 4] = [Terms::Stalemate, Terms::Marginal, Terms::Substantial, Terms::Decisive];

fn war() -> War {
    let sides = [SeatSet::one(seat(1)), SeatSet::one(seat(2)).with(seat(4))];
    War { kind: WarKind::Total, sides, truce: true, success: vec![1, 2, 0, 3] }
}

fn incidents() -> [Incident; 2] {
    let clash = Incident { pair: [seat(1), seat(3)], quarrel: Quarrel::Clash { tension: 7 } };
    [
        clash,
        Incident { pair: [seat(3), seat(2)], quarrel: Quarrel::Dispute { star: star("Sadir") } },
    ]
}

fn raid() -> Raid {
    Raid {
        seat: seat(1),
        other: seat(3),
        at: star("Sadir"),
        from: star("Alcor"),
        rounds: 2,
        fought: true,
    }
}

pub(crate) fn events() -> Vec<PoliticsEvent> {
    let (one, pair) = (seat(1), [seat(1), seat(3)]);
    let planet = PlanetId { star: star("Alcor"), nth: 1 };
    let mut events = vec![
        PoliticsEvent::Claimed { seat: one, star: star("Alcor") },
        PoliticsEvent::Encountered { seat: one, star: star("Alcor"), dice: [5, 6] },
        PoliticsEvent::Encountered { seat: one, star: star("Alcor"), dice: [5, 5] },
        PoliticsEvent::IncidentEnded { pair },
        PoliticsEvent::TensionRose { pair, by: 3 },
        PoliticsEvent::RaidLaunched(raid()),
        PoliticsEvent::RaidFought { at: star("Sadir") },
        PoliticsEvent::RaidEnded { at: star("Sadir") },
        PoliticsEvent::Departed { seat: one },
        PoliticsEvent::WarBegan(war()),
        PoliticsEvent::WarBegan(War {
            kind: WarKind::Limited,
            truce: false,
            success: vec![0; 2],
            ..war()
        }),
        PoliticsEvent::Escalated,
        PoliticsEvent::Joined { seat: one, against: seat(2) },
        PoliticsEvent::ChangedSides { seat: one },
        PoliticsEvent::LeftWar { seat: one },
        PoliticsEvent::TruceChanged { truce: true },
        PoliticsEvent::TruceChanged { truce: false },
        PoliticsEvent::Scored { seat: one, half_points: 7 },
        PoliticsEvent::WarEnded,
        PoliticsEvent::Ceded { star: star("Alcor"), to: one, enslaved: true },
        PoliticsEvent::Ceded { star: star("Alcor"), to: one, enslaved: false },
        PoliticsEvent::Vacated { planet },
        PoliticsEvent::Fell { seat: one },
        PoliticsEvent::PriorityRolled { seat: one, die: 6, modifier: 2 },
        PoliticsEvent::ProductionEnded,
    ];
    events.extend(Era::ALL.map(|era| PoliticsEvent::EraBegan { era }));
    let dice = [3, 4];
    for happening in HAPPENINGS {
        let relations = RELATIONS.map(Some).into_iter().chain([None]);
        events.extend(relations.map(|relation| {
            let pair = relation.map(|_| pair);
            PoliticsEvent::Rolled { dice, modifier: 4, happening, pair, relation }
        }));
    }
    events.extend(TALKS.map(|talks| PoliticsEvent::Talked { dice, modifier: 1, talks }));
    for incident in incidents() {
        events.push(PoliticsEvent::IncidentBegan(incident));
        let rolled =
            |verdict| PoliticsEvent::IncidentRolled { incident, dice, modifier: 2, verdict };
        events.extend(VERDICTS.map(rolled));
    }
    for terms in TERMS {
        let winners = [None, Some(0), Some(1)];
        let sides = [SeatSet::one(seat(1)), SeatSet::one(seat(2)).with(seat(4))];
        let peace = |winner| PoliticsEvent::PeaceMade { sides, half_points: [5, 9], terms, winner };
        events.extend(winners.map(peace));
    }
    events
}

#[test]
fn events_read_back_and_have_sentences() {
    let politics = events().into_iter().map(Event::Politics);
    let titles = [vec![Tech::Speed3, Tech::Fighter], Vec::new()];
    let agendas = titles.map(|titles| Event::Own(OwnEvent::AgendaSet { seat: seat(1), titles }));
    for event in politics.chain(agendas) {
        let message = StellarConquest::write_event(&event);
        assert_eq!(StellarConquest::read_event(&message), Ok(event.clone()));
        let (sentence, rule) = StellarConquest::describe(&event, &|seat: Seat| seat.to_string());
        assert!(sentence.len() > 8 && sentence.ends_with('.'), "{event:?}: {sentence}");
        assert!(StellarConquest::rule(rule).is_some(), "{sentence} has rule {rule}");
    }
}

#[test]
fn politics_read_back() {
    let mut politics = Politics { era: Era::Tension, war: Some(war()), ..Politics::default() };
    politics.claims[star("Alcor").index()] = Some(seat(2));
    politics.incidents = incidents().to_vec();
    politics.fallen = SeatSet::one(seat(4));
    politics.priorities = [Some(1), Some(8), None, None];
    politics.vacated = vec![PlanetId { star: star("Alcor"), nth: 0 }];
    (politics.raids, politics.raided, politics.met) =
        (vec![raid()], SeatSet::one(seat(2)), vec![star("Sadir")]);
    politics.departures = vec![Departure { seat: seat(1), from: seat(2) }];
    let message: proto::Politics = politics.write();
    let campaign = Campaign::OuterSpace(Box::new(politics.clone()));
    let of_two = Table { campaign, ..Table::new(Options::of(Variant::OuterSpace), 2) };
    let of_two: proto::Table = of_two.write();
    assert_eq!(of_two.politics.unwrap().priorities, [1, 8]);
    assert_eq!(Politics::read(&message), Ok(politics));
    let mut twice = message.clone();
    twice.claims.push(twice.claims[0].clone());
    assert_eq!(Politics::read(&twice).unwrap_err().field, "claims");
    let mut many = message;
    many.priorities = vec![1; POWERS_MAX + 1];
    assert_eq!(Politics::read(&many).unwrap_err().field, "priorities");
}

#[test]
fn orders_read_back() {
    let planet = PlanetId { star: star("Alcor"), nth: 1 };
    let weapons =
        vec![Build { item: Item::PlanetShield, count: 1 }, Build { item: Item::Fighter, count: 2 }];
    let plan = DecreePlan { planet, budget: Some(30), weapons };
    let bare = DecreePlan { planet, budget: None, weapons: Vec::new() };
    let stars: Vec<StarId> = vec![star("Alcor"), star("Sadir")];
    let path = vec![place("P17"), place("O16")];
    let sortie = Sortie {
        ships: vec![ShipNumber(3), ShipNumber(4)],
        target: star("Sadir"),
        rounds: 2,
        path,
    };
    for order in [
        Order::Raid(Sortie { path: Vec::new(), ..sortie.clone() }),
        Order::Raid(sortie),
        Order::Place { at: place("P17"), destination: Some(star("Sadir")) },
        Order::Place { at: place("P17"), destination: None },
        Order::Decree(DecreeSheet::default()),
        Order::Decree(DecreeSheet { plans: vec![plan, bare], posts: Some(PostPlan { stars }) }),
        Order::Decree(DecreeSheet { plans: Vec::new(), posts: Some(PostPlan::default()) }),
    ] {
        let message = StellarConquest::write_order(&order);
        assert_eq!(StellarConquest::read_order(&message), Ok(order.clone()));
        let view =
            crate::testing::Scene::conquest(2).game.view(heliopause_kernel::Viewer::Spectator);
        let text = StellarConquest::notate(&order);
        assert_eq!(StellarConquest::parse(&view, &text), Ok(vec![order]), "{text}");
    }
}

#[test]
fn space_10_2_a_position_counts_the_success_of_each_power_of_the_game() {
    for (written, read) in [(vec![], vec![0, 0]), (vec![3], vec![3, 0]), (vec![3, 1], vec![3, 1])] {
        let sides = [SeatSet::one(seat(1)), SeatSet::one(seat(2))];
        let war = Some(War { sides, success: written, ..war() });
        let campaign = Campaign::OuterSpace(Box::new(Politics { war, ..Politics::default() }));
        let table = Table { campaign, ..Table::new(Options::of(Variant::OuterSpace), 2) };
        let table = Table::read(&Write::<proto::Table>::write(&table)).expect("it is read");
        let politics = table.campaign.politics().expect("it is Alone in Outer Space");
        assert_eq!(politics.war.as_ref().unwrap().success, read);
    }
}

#[test]
fn no_event_names_a_seat_that_no_variant_has() {
    let (nobody, sides) = (Seat::at(POWERS_MAX), war().sides);
    let fault = |event| {
        let message = StellarConquest::write_event(&Event::Politics(event));
        StellarConquest::read_event(&message).unwrap_err().to_string()
    };
    let joined = PoliticsEvent::Joined { seat: nobody, against: seat(1) };
    assert_eq!(fault(joined), "politics.joined.seat: there is no such seat");
    let war = War { sides: [SeatSet::one(nobody), sides[1]], ..war() };
    assert_eq!(
        fault(PoliticsEvent::WarBegan(war)),
        "politics.war_began.one_side[0]: there is no such seat"
    );
    let ended = PoliticsEvent::IncidentEnded { pair: [seat(1), nobody] };
    assert_eq!(fault(ended), "politics.incident_ended.seats[1]: there is no such seat");
}
