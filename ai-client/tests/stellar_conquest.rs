//! The bots of Stellar Conquest and The Fate of Empire.

use heliopause_ai::bot::{Level, Stop};
use heliopause_ai::games;
use heliopause_ai::tournament;
use heliopause_kernel::{Dice, Game as _, Seat, Viewer};
use heliopause_proto::v1::{Event as TableEvent, Lease, Message, event};
use heliopause_stellar_conquest::outer_space::Era;
use heliopause_stellar_conquest::{Insight, Options, Politics, StellarConquest, Variant};

use crate::play::{
    check_determinism, check_hidden_information, check_malformed_leases, is_accepted, lease,
    new_game, plan, play, tournaments_agree, unseen,
};

fn game(variant: Variant, players: usize, seed: u8) -> (StellarConquest, Dice) {
    new_game(Options::of(variant), players, seed)
}

#[test]
fn every_answer_is_legal_with_any_number_of_players() {
    for (players, seed) in [(2, 1), (3, 2), (4, 3)] {
        let game = || game(Variant::Conquest, players, seed);
        play(game(), |_| Level::Random, unseen);
        play(game(), |_| Level::Standard, unseen);
        play(game(), |seat| Level::ALL[seat.index() % 3], unseen);
    }
}

#[test]
fn four_strong_powers_play_to_the_end_under_every_option() {
    for (hidden_posts, private_battles) in [(false, true), (true, false)] {
        let options = Options { hidden_posts, private_battles, ..Options::of(Variant::Conquest) };
        let game = play(new_game::<StellarConquest>(options, 4, 4), |_| Level::Strong, unseen);
        assert_eq!(game.outcome().unwrap().points.len(), 4);
    }
}

#[test]
fn powers_alone_in_outer_space_play_to_the_end_at_every_level() {
    for (players, seed) in [(2, 11), (4, 12)] {
        let game = || game(Variant::OuterSpace, players, seed);
        for level in Level::ALL {
            play(game(), |_| level, unseen);
        }
    }
}

fn politics(game: &StellarConquest) -> Politics {
    game.view(Viewer::Spectator).table.campaign.politics().unwrap().clone()
}

fn people(game: &StellarConquest) -> u32 {
    let Insight::GameMaster(truth) = game.view(Viewer::GameMaster).insight else {
        panic!("the game master sees all")
    };
    truth
        .powers
        .iter()
        .flat_map(|power| &power.colonies)
        .map(|colony| u32::from(colony.population))
        .sum()
}

/// Settlers must not end on poor planets (space 5.1, 7.2).
#[test]
fn powers_in_outer_space_grow_until_tension_and_war() {
    let (mut millions, mut tense, mut fought, mut taken) = (0, 0, 0, 0);
    for seed in 0..GAMES {
        let level = |seat: Seat| {
            if (seat.index() + usize::from(seed)).is_multiple_of(2) {
                Level::Strong
            } else {
                Level::Standard
            }
        };
        let (mut war, mut before) = (false, None);
        let game = play(game(Variant::OuterSpace, 4, seed), level, |asked, _| {
            let now = politics(asked.game);
            war |= now.war.is_some();
            taken += before.as_ref().map_or(0, |before| changed_hands(before, &now));
            before = Some(now);
        });
        millions += people(&game);
        tense += u32::from(politics(&game).era >= Era::Tension);
        fought += u32::from(war);
    }
    // Powers that settle poor planets first end with fewer than 420 million people.
    assert!(millions > 450 * u32::from(GAMES), "{millions}");
    assert!(tense > 2, "{tense}");
    assert!(fought > 0 && taken > 0, "{fought} {taken}");
}

const GAMES: u8 = 12;

fn changed_hands(before: &Politics, after: &Politics) -> usize {
    let pairs = before.claims.iter().zip(after.claims.iter());
    pairs.filter(|(one, other)| one.is_some() && one != other).count()
}

#[test]
fn campaigns_are_played_to_the_end_at_every_level() {
    for (seed, captain) in [(1, Level::Random), (2, Level::Standard), (3, Level::Strong)] {
        for automata in Level::ALL {
            let level = |seat: Seat| if seat.index() == 0 { captain } else { automata };
            play(game(Variant::FateOfEmpire, 1, seed), level, unseen);
        }
    }
}

/// Random play leads to positions that a sensible player never reaches.
fn answers_after_random_play(variant: Variant, players: usize) {
    play(
        game(variant, players, 5),
        |_| Level::Random,
        |asked, _| {
            for level in [Level::Standard, Level::Strong] {
                let orders = asked.answer(&asked.view(), level).orders;
                assert!(is_accepted(asked.game, asked.seat, &orders), "{level}: {orders:?}");
            }
        },
    );
}

#[test]
fn bots_answer_legally_after_random_play() {
    answers_after_random_play(Variant::Conquest, 3);
}

#[test]
fn bots_answer_legally_after_a_random_campaign() {
    answers_after_random_play(Variant::FateOfEmpire, 1);
}

#[test]
fn bots_answer_legally_after_random_play_in_outer_space() {
    answers_after_random_play(Variant::OuterSpace, 3);
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for (variant, players) in
        [(Variant::Conquest, 3), (Variant::FateOfEmpire, 1), (Variant::OuterSpace, 3)]
    {
        check_determinism(game(variant, players, 7), |seat| Level::ALL[(seat.index() + 2) % 3]);
    }
}

#[test]
fn bots_do_not_use_hidden_information() {
    for variant in [Variant::Conquest, Variant::OuterSpace] {
        check_hidden_information(game(variant, 3, 8), |seat| Level::ALL[(seat.index() + 1) % 3], 5);
    }
}

#[test]
fn tournaments_do_not_depend_on_the_number_of_threads() {
    let plan = |threads| plan(&[Level::Standard, Level::Random], 2, 4, threads);
    tournaments_agree::<StellarConquest>("stellar-conquest", plan, |_| {});
}

#[test]
fn campaign_tournaments_report_the_distribution_of_points() {
    let plan = plan(&[Level::Strong, Level::Random], 1, 12, 2);
    let report = tournament::play::<StellarConquest>("fate-of-empire", &plan).unwrap();
    assert_eq!((report.games, report.sets), (12, 6));
    let [strong, random] = &report.players[..] else { panic!("two players") };
    assert_eq!((strong.refused, report.automata.refused), (0, 0));
    let (ours, theirs) = (strong.spread, random.spread);
    assert!(ours[2] > theirs[2] + 100, "medians of {ours:?} and {theirs:?}");
    assert_eq!(strong.grades.iter().map(|(_, games)| games).sum::<usize>(), 6);
    let text = report.to_string();
    assert!(text.contains("median") && text.contains("victory"), "{text}");
}

#[test]
fn a_lease_is_answered_and_a_malformed_one_is_an_error() {
    let adapter = games::find("fate-of-empire").unwrap();
    assert_eq!(adapter.profiles(), ["captain-general", "pirates", "independents"]);
    assert_eq!(games::find("stellar-conquest").unwrap().profiles(), ["power"]);
    let (game, _) = game(Variant::FateOfEmpire, 1, 1);
    let lease = lease(&game, Seat::at(0), "captain-general");
    for level in Level::ALL {
        let draft = adapter.think(&lease, level, &Stop::new()).unwrap();
        assert_eq!((draft.orders.len(), draft.ready), (1, true));
    }
    check_malformed_leases(adapter, &lease);
}

#[test]
fn powers_answer_messages() {
    for (kind, variant) in
        [("stellar-conquest", Variant::Conquest), ("alone-in-outer-space", Variant::OuterSpace)]
    {
        let (game, _) = game(variant, 3, 1);
        let asked = game.pending()[0].seat;
        let from = Seat::first(3).find(|&seat| seat != asked).unwrap();
        let text = "peace?".to_owned();
        let letter =
            Message { number: 1, from_seat: Some(from.number()), text, ..Message::default() };
        let letter =
            TableEvent { body: Some(event::Body::Message(letter)), ..TableEvent::default() };
        let lease = lease(&game, asked, "power");
        let mut lease = Lease { recent: vec![letter], may_write: true, ..lease };
        let think = |lease: &Lease, level| {
            games::find(kind).unwrap().think(lease, level, &Stop::new()).unwrap()
        };
        assert!(think(&lease, Level::Random).messages.is_empty(), "{kind}");
        let draft = think(&lease, Level::Standard);
        assert_eq!(draft.messages[0].to_seats, [from.number()], "{kind}");
        assert!(draft.messages[0].text.contains("no agreements"), "{kind}");
        lease.memo = draft.memo.unwrap().into();
        let again = think(&lease, Level::Strong);
        assert!(again.messages.is_empty(), "{kind}: a message is answered once");
        assert_eq!(draft.messages.len() + again.messages.len(), 1);
    }
}
