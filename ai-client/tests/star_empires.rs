//! The bots of Star Empires.

use heliopause_ai::bot::{Level, Reply, Stop};
use heliopause_ai::games::{self, Playable as _};
use heliopause_ai::tournament::Plan;
use heliopause_games::Enveloped as _;
use heliopause_kernel::{Actor, Dice, Game as _, Seat, SeatChange, Viewer, Wire as _};
use heliopause_proto::v1::Lease;
use heliopause_star_empires::{Order, StarEmpires};

use crate::play::{
    Match, check_determinism, check_hidden_information, lease, new_game, plan, play,
    tournaments_agree, unseen,
};

fn game(empires: usize, turns: u32, seed: u8) -> (StarEmpires, Dice) {
    let options = StarEmpires::tournament_options(&StarEmpires::editions()[0], Some(turns));
    new_game(options, empires, seed)
}

#[test]
fn no_line_of_a_strong_empire_is_rejected_in_40_turns_of_12_empires() {
    let game = play(game(12, 40, 1), |_| Level::Strong, unseen);
    assert!(game.turn() > 5);
}

#[test]
fn no_line_of_any_level_is_rejected() {
    for (empires, seed) in [(2, 2), (3, 3), (6, 4)] {
        play(game(empires, 15, seed), |seat| Level::ALL[seat.index() % 3], unseen);
    }
}

#[test]
fn planning_levels_beat_random() {
    let level = |seat: Seat| if seat.index() == 0 { Level::Strong } else { Level::Random };
    let game = play(game(2, 25, 5), level, unseen);
    let scores = game.scores(&game.outcome().unwrap());
    assert!(scores[0] > 2.0 * scores[1], "{scores:?}");
}

#[test]
fn the_same_question_gets_the_same_answer() {
    check_determinism(game(3, 8, 7), |seat| Level::ALL[seat.index() % 3]);
}

#[test]
fn bots_with_messages_make_alliances_and_legal_orders() {
    let mut table = Match::from(game(5, 24, 12));
    let mut shared = 0;
    while table.game.outcome().is_none() {
        let mut posted: Vec<(Seat, Reply)> = Vec::new();
        table.answer(
            |_| Level::Strong,
            |asked| {
                let (answer, replies) = asked.correspond();
                assert_eq!(asked.correspond(), (answer.clone(), replies.clone()));
                assert!(replies.len() <= 8);
                for Reply { to, text } in replies {
                    assert!((1..=500).contains(&text.chars().count()));
                    posted.push((asked.seat, Reply { to: to.clone(), text }));
                    let text = "Hello.\npeace?\nAlliance?\nShare scans?".to_owned();
                    posted.push((asked.seat, Reply { to, text }));
                }
                Some(answer)
            },
        );
        for (from, Reply { to, text }) in posted {
            for to in to {
                table.write(from, to, &text);
            }
        }
        table.close();
        let empires = table.game.galaxy().empires.iter();
        shared = shared.max(empires.map(|empire| empire.grants.len()).sum());
    }
    assert!(table.written > 10 && shared > 0, "{} letters, {shared} grants", table.written);
    assert_eq!(table.game.check(), Ok(()));
}

#[test]
fn bots_do_not_use_hidden_information() {
    let table = Match::from(game(3, 8, 8))
        .with_profiles(|_, seat| if seat.index() == 2 { "abandoned" } else { "emperor" });
    check_hidden_information(table, |_| Level::Strong, 1);
}

fn abandoned_turns(game: &StarEmpires, seat: Seat) -> u32 {
    game.view(Viewer::Seat(seat)).own().unwrap().status.abandoned_turns
}

#[test]
fn an_empire_abandoned_in_a_war_keeps_playing() {
    let mut table = Match::from(game(2, 24, 9)).with_profiles(|game, seat| {
        if abandoned_turns(game, seat) > 0 { "abandoned" } else { "emperor" }
    });
    let gone = Seat::at(1);
    for turn in 0..24 {
        if table.game.outcome().is_some() {
            break;
        }
        if turn == 12 {
            table.game.seat_changed(gone, SeatChange::Abandoned);
        }
        if turn == 18 {
            table.game.seat_changed(gone, SeatChange::Taken);
        }
        let abandoned = (12..18).contains(&turn);
        table.answer(
            |_| Level::Strong,
            |asked| {
                let turns = if abandoned && asked.seat == gone { turn - 11 } else { 0 };
                assert_eq!(abandoned_turns(asked.game, asked.seat), turns);
                Some(asked.answer(&asked.view(), asked.level))
            },
        );
        table.close();
    }
}

#[test]
fn tournaments_do_not_depend_on_the_number_of_threads() {
    let players = [Level::Standard, Level::Random];
    let plan = |threads| Plan { turns: Some(6), ..plan(&players, 2, 4, threads) };
    tournaments_agree::<StarEmpires>(StarEmpires::ID, plan, |report| {
        assert_eq!(report.rounds.longest, 6);
        assert!(report.to_string().contains("share of the production"));
    });
}

#[test]
fn a_lease_is_answered_and_falls_back_on_an_empty_sheet() {
    let adapter = games::find("star-empires").unwrap();
    let (mut game, mut dice) = game(2, 5, 1);
    let seat = Seat::at(0);
    let lease = |profile: &str| Lease { memo: vec![7; 33].into(), ..lease(&game, seat, profile) };
    for profile in adapter.profiles() {
        for level in Level::ALL {
            let draft = adapter.think(&lease(profile), level, &Stop::new()).unwrap();
            assert_eq!(draft.orders.len(), 1, "{profile}, {level}");
            assert!(draft.ready);
        }
    }
    assert!(adapter.think(&lease("captain"), Level::Strong, &Stop::new()).is_err());
    let fallbacks = adapter.fallbacks(&lease("emperor")).unwrap();
    let wrapped = |order: &Order| StarEmpires::seal_order(StarEmpires::write_order(order));
    let empty = Order::Sheet(heliopause_star_empires::Sheet::default());
    assert_eq!(fallbacks, [wrapped(&empty)]);
    assert!(game.submit(Actor::Seat(seat), empty, &mut dice).is_ok());
}
