//! The bots of Stellar Conquest and The Fate of Empire: always legal, the same on every asking, and
//! blind to what their seat may not know.

use heliopause_ai::bot::{Answer, Level, Question, Stop};
use heliopause_ai::chance::Chance;
use heliopause_ai::games::{self, Playable as _};
use heliopause_ai::tournament::{self, Plan};
use heliopause_kernel::{Actor, Dice, Game as _, Seat, Setup, Viewer, Why, Wire as _};
use heliopause_proto::v1::{GameView, Lease, game_view};
use heliopause_stellar_conquest::outer_space::Era;
use heliopause_stellar_conquest::{
    Insight, Options, Order, Politics, StellarConquest, Variant, View,
};

/// Any game ends within so many decisions, random ones too.
const MOST_DECISIONS: usize = 40_000;

fn new_game(options: Options, players: usize, seed: u8) -> (StellarConquest, Dice) {
    let mut dice = Dice::new([seed; 32]);
    let (game, _) = StellarConquest::new(&Setup { options, players }, &mut dice).unwrap();
    (game, dice)
}

fn profile(game: &StellarConquest, seat: Seat) -> &'static str {
    let Setup { options, players } = game.setup();
    StellarConquest::cast(&options, players).roles[seat.index()].profile
}

fn ask(profile: &str, view: &View, level: Level, seed: &[u8]) -> Answer<StellarConquest> {
    let question = Question { view, level, seed, memo: &[], recent: &[], stop: &Stop::new() };
    StellarConquest::bot(profile).unwrap().decide(&question)
}

/// Plays a whole game and shows each decision before it is taken. Only a random player may have an
/// order refused, for none of its choices may be judged together; and a final decision of its that
/// is refused takes the rules' default.
fn play(
    (mut game, mut dice): (StellarConquest, Dice),
    level: impl Fn(Seat) -> Level,
    mut look: impl FnMut(&StellarConquest, Seat, &[u8], &Answer<StellarConquest>),
) -> StellarConquest {
    let mut seeds = Chance::new(b"seeds", "test");
    for _ in 0..MOST_DECISIONS {
        let pending = game.pending();
        let Some(first) = pending.first() else { return game };
        let owing: Vec<Seat> = pending.iter().map(|decision| decision.seat).collect();
        let revisable = first.revisable;
        for &seat in if revisable { &owing[..] } else { &owing[..1] } {
            let seed = seeds.seed();
            let answer =
                ask(profile(&game, seat), &game.view(Viewer::Seat(seat)), level(seat), &seed);
            look(&game, seat, &seed, &answer);
            assert!(!answer.orders.is_empty(), "{seat} answers every decision");
            for order in answer.orders {
                let text = StellarConquest::notate(&order);
                let done = game.submit(Actor::Seat(seat), order, &mut dice);
                assert!(
                    done.is_ok(),
                    "{text} of {seat}, {}, in {}: {done:?}",
                    level(seat),
                    game.progress()
                );
            }
        }
        if revisable {
            game.close(Why::AllReady, &mut dice);
        }
        dice.forget_rolled();
    }
    panic!("the game does not end: {}", game.progress());
}

#[test]
fn every_answer_is_legal_with_any_number_of_players() {
    for (players, seed) in [(2, 1), (3, 2), (4, 3)] {
        let game = || new_game(Options::of(Variant::Conquest), players, seed);
        play(game(), |_| Level::Random, |_, _, _, _| {});
        play(game(), |_| Level::Standard, |_, _, _, _| {});
        play(game(), |seat| Level::ALL[seat.index() % 3], |_, _, _, _| {});
    }
}

#[test]
fn four_strong_powers_play_to_the_end_under_every_option() {
    for (hidden_posts, private_battles) in [(false, true), (true, false)] {
        let options = Options { hidden_posts, private_battles, ..Options::of(Variant::Conquest) };
        let game = play(new_game(options, 4, 4), |_| Level::Strong, |_, _, _, _| {});
        assert_eq!(game.outcome().unwrap().points.len(), 4);
    }
}

#[test]
fn powers_alone_in_outer_space_play_to_the_end_at_every_level() {
    for (players, seed) in [(2, 11), (4, 12)] {
        let game = || new_game(Options::of(Variant::OuterSpace), players, seed);
        for level in Level::ALL {
            play(game(), |_| level, |_, _, _, _| {});
        }
    }
}

fn politics(game: &StellarConquest) -> Politics {
    game.view(Viewer::Spectator).table.campaign.politics().unwrap().clone()
}

/// Millions on planets.
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

/// Space 5.1, 7.2: settlers who are spent on poor planets never get there.
#[test]
fn powers_alone_in_outer_space_multiply_until_there_is_tension_and_war() {
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
        let game =
            play(new_game(Options::of(Variant::OuterSpace), 4, seed), level, |game, _, _, _| {
                let now = politics(game);
                war |= now.war.is_some();
                taken += before.as_ref().map_or(0, |before| changed_hands(before, &now));
                before = Some(now);
            });
        millions += people(&game);
        tense += u32::from(politics(&game).era >= Era::Tension);
        fought += u32::from(war);
    }
    // Powers that spend their first people on poor planets end with less than 420 million together.
    assert!(millions > 450 * u32::from(GAMES), "{millions}");
    assert!(tense > 2, "{tense}");
    assert!(fought > 0 && taken > 0, "{fought} {taken}");
}

/// As many games as it takes to see what is rare.
const GAMES: u8 = 12;

/// How many stars have a new claimant.
fn changed_hands(before: &Politics, after: &Politics) -> usize {
    let pairs = before.claims.iter().zip(after.claims.iter());
    pairs.filter(|(one, other)| one.is_some() && one != other).count()
}

#[test]
fn campaigns_are_played_to_the_end_at_every_level() {
    for (seed, captain) in [(1, Level::Random), (2, Level::Standard), (3, Level::Strong)] {
        for automata in Level::ALL {
            let level = |seat: Seat| if seat.index() == 0 { captain } else { automata };
            play(new_game(Options::of(Variant::FateOfEmpire), 1, seed), level, |_, _, _, _| {});
        }
    }
}

/// Positions that no sensible player gets into are answered as well.
#[test]
fn whoever_takes_over_from_a_random_player_answers_legally() {
    for (variant, players) in
        [(Variant::Conquest, 3), (Variant::FateOfEmpire, 1), (Variant::OuterSpace, 3)]
    {
        play(
            new_game(Options::of(variant), players, 5),
            |_| Level::Random,
            |game, seat, seed, _| {
                let view = game.view(Viewer::Seat(seat));
                for level in [Level::Standard, Level::Strong] {
                    let answer = ask(profile(game, seat), &view, level, seed);
                    assert!(
                        is_accepted(game, seat, &answer.orders),
                        "{level}: {:?}",
                        answer.orders
                    );
                }
            },
        );
    }
}

fn is_accepted(game: &StellarConquest, seat: Seat, orders: &[Order]) -> bool {
    let (mut game, mut dice) = (game.clone(), Dice::new([9; 32]));
    !orders.is_empty()
        && orders
            .iter()
            .all(|order| game.submit(Actor::Seat(seat), order.clone(), &mut dice).is_ok())
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for (variant, players) in
        [(Variant::Conquest, 3), (Variant::FateOfEmpire, 1), (Variant::OuterSpace, 3)]
    {
        let level = |seat: Seat| Level::ALL[(seat.index() + 2) % 3];
        play(new_game(Options::of(variant), players, 7), level, |game, seat, seed, answer| {
            let view = game.view(Viewer::Seat(seat));
            assert_eq!(ask(profile(game, seat), &view, level(seat), seed), *answer);
        });
    }
}

/// Another game of which the seat knows exactly as much: what the others have, and every deck, may
/// differ.
#[test]
fn a_bot_knows_no_more_than_its_seat() {
    let mut others = Chance::new(b"other worlds", "test");
    let level = |seat: Seat| Level::ALL[(seat.index() + 1) % 3];
    for variant in [Variant::Conquest, Variant::OuterSpace] {
        let mut asked = 0;
        play(new_game(Options::of(variant), 3, 8), level, |game, seat, seed, answer| {
            asked += 1;
            if asked % 5 == 0 {
                let other = StellarConquest::sample(&game.view(Viewer::Seat(seat)), &mut || {
                    others.number()
                });
                let view = other.view(Viewer::Seat(seat));
                assert_eq!(ask(profile(game, seat), &view, level(seat), seed), *answer);
            }
        });
    }
}

fn plan(players: &[Level], seats: usize, games: usize, threads: usize) -> Plan {
    let players = players.to_vec();
    Plan {
        players,
        seats,
        games,
        automata: Level::Standard,
        seed: 3,
        turns: None,
        threads,
        progress: |_, _| {},
        stop: Stop::new(),
    }
}

#[test]
fn a_tournament_is_the_same_on_any_number_of_threads() {
    let run = |threads| {
        let plan = plan(&[Level::Standard, Level::Random], 2, 4, threads);
        let report = tournament::play::<StellarConquest>("stellar-conquest", &plan).unwrap();
        assert_eq!((report.games, report.sets), (4, 2));
        assert!(report.players.iter().all(|player| player.refused == 0));
        without_times(report.json())
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn campaigns_show_how_points_are_distributed() {
    let plan = plan(&[Level::Strong, Level::Random], 1, 12, 2);
    let report = tournament::play::<StellarConquest>("fate-of-empire", &plan).unwrap();
    assert_eq!((report.games, report.sets), (12, 6));
    let [strong, random] = &report.players[..] else { panic!("two players") };
    assert_eq!((strong.refused, report.automata_refused), (0, 0));
    // Hundreds of points apart: no luck of six campaigns turns that round.
    assert!(
        strong.spread.median > random.spread.median + 100,
        "{:?} {:?}",
        strong.spread,
        random.spread
    );
    assert_eq!(strong.grades.iter().map(|(_, games)| games).sum::<usize>(), 6);
    let text = report.to_string();
    assert!(text.contains("median") && text.contains("victory"), "{text}");
}

fn without_times(mut report: serde_json::Value) -> serde_json::Value {
    for player in report["players"].as_array_mut().unwrap() {
        player["times_us"].take();
    }
    report
}

#[test]
fn a_lease_is_answered_and_a_malformed_one_is_an_error() {
    let kit = games::find("fate-of-empire").unwrap();
    assert_eq!(kit.profiles(), ["captain-general", "pirates", "independents"]);
    assert_eq!(games::find("stellar-conquest").unwrap().profiles(), ["power"]);
    let (game, _) = new_game(Options::of(Variant::FateOfEmpire), 1, 1);
    let view = StellarConquest::write_view(&game.view(Viewer::Seat(Seat::at(0))));
    let lease = Lease {
        kind: kit.kind().to_owned(),
        profile: "captain-general".to_owned(),
        view: Some(GameView { game: Some(game_view::Game::StellarConquest(view)) }),
        seed: vec![1; 32].into(),
        ..Lease::default()
    };
    for level in Level::ALL {
        let draft = kit.think(&lease, level, &Stop::new()).unwrap();
        assert_eq!((draft.orders.len(), draft.ready), (1, true));
    }
    let fault = |lease: &Lease| {
        kit.think(lease, Level::Standard, &Stop::new()).unwrap_err().field.into_owned()
    };
    assert_eq!(fault(&Lease { view: None, ..lease.clone() }), "view");
    assert_eq!(fault(&Lease { profile: "emperor".to_owned(), ..lease.clone() }), "profile");
    assert_eq!(kit.fallbacks(&Lease { view: None, ..lease }).unwrap_err().field, "view");
}
