//! The bots of Star Empires.

use heliopause_ai::bot::{Answer, Level, Question, ReceivedMessage, Reply, Stop};
use heliopause_ai::chance::Rng;
use heliopause_ai::games::{self, Playable as _};
use heliopause_ai::tournament::Plan;
use heliopause_games::Enveloped as _;
use heliopause_kernel::{
    Actor, CloseCause, Dice, Game as _, Seat, SeatChange, Setup, Viewer, Wire as _,
};
use heliopause_proto::v1::Lease;
use heliopause_star_empires::{Event, Order, StarEmpires, Verdict, View};

use crate::play::{lease, plan, tournaments_agree};

fn ask(profile: &str, view: &View, level: Level, seed: &[u8], memo: &[u8]) -> Answer<StarEmpires> {
    let question = Question { view, level, seed, memo, recent: &[], stop: &Stop::new() };
    StarEmpires::bot(profile).unwrap().decide(&question)
}

struct Match {
    game: StarEmpires,
    dice: Dice,
    memos: Vec<Vec<u8>>,
    seeds: Rng,
}

impl Match {
    fn new(empires: usize, turns: u32, seed: u8) -> Self {
        let mut dice = Dice::new([seed; 32]);
        let options = StarEmpires::tournament_options(&StarEmpires::editions()[0], Some(turns));
        let (game, _) = StarEmpires::new(&Setup { options, players: empires }, &mut dice).unwrap();
        Self { game, dice, memos: vec![Vec::new(); empires], seeds: Rng::new(&[seed], "test") }
    }

    /// Plays a turn. Calls `look` before each sheet is submitted. Every line must be accepted.
    fn turn(
        &mut self,
        plays: impl Fn(Seat) -> (&'static str, Level),
        mut look: impl FnMut(&StarEmpires, Seat, &[u8], &[u8], &[Order]),
    ) {
        for decision in self.game.pending() {
            let (seat, seed) = (decision.seat, self.seeds.seed());
            let (profile, level) = plays(seat);
            let memo = std::mem::take(&mut self.memos[seat.index()]);
            let answer = ask(profile, &self.game.view(Viewer::Seat(seat)), level, &seed, &memo);
            look(&self.game, seat, &seed, &memo, &answer.orders);
            self.memos[seat.index()] = answer.memo.unwrap_or(memo);
            for order in answer.orders {
                let emitted = self.game.submit(Actor::Seat(seat), order, &mut self.dice);
                let emitted =
                    emitted.unwrap_or_else(|refusal| panic!("{seat}, {level}: {refusal:?}"));
                check(&emitted, seat, level);
            }
        }
        self.game.close(CloseCause::AllReady, &mut self.dice);
        self.dice.forget_rolled();
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }
}

fn check(emitted: &heliopause_kernel::Emitted<Event>, seat: Seat, level: Level) {
    for event in emitted.iter().map(|addressed| &addressed.event) {
        let Event::SheetStored { sheet, checks } = event else { continue };
        let rejected: Vec<_> =
            checks.iter().filter(|check| check.verdict == Verdict::Rejected).collect();
        assert!(
            rejected.is_empty(),
            "{seat}, {level}: {rejected:?} of {} lines",
            sheet.lines.len()
        );
    }
    assert_eq!(StarEmpires::rejected(emitted), 0);
}

fn play(empires: usize, turns: u32, seed: u8, level: impl Fn(Seat) -> Level) -> Match {
    let mut game = Match::new(empires, turns, seed);
    while !game.is_over() {
        game.turn(|seat| ("emperor", level(seat)), |_, _, _, _, _| {});
    }
    game
}

#[test]
fn no_line_of_a_strong_empire_is_rejected_in_40_turns_of_12_empires() {
    let game = play(12, 40, 1, |_| Level::Strong).game;
    assert!(game.turn() > 5);
    assert_eq!(game.check(), Ok(()));
}

#[test]
fn no_line_of_any_level_is_rejected() {
    for (empires, seed) in [(2, 2), (3, 3), (6, 4)] {
        play(empires, 15, seed, |seat| Level::ALL[seat.index() % 3]);
    }
}

#[test]
fn planning_levels_beat_random() {
    let game = play(2, 25, 5, |seat| if seat.index() == 0 { Level::Strong } else { Level::Random });
    let scores = game.game.scores(&game.game.outcome().unwrap());
    assert!(scores[0] > 2.0 * scores[1], "{scores:?}");
}

#[test]
fn the_same_question_gets_the_same_answer() {
    let mut game = Match::new(3, 8, 7);
    while !game.is_over() {
        let plays = |seat: Seat| ("emperor", Level::ALL[seat.index() % 3]);
        game.turn(plays, |game, seat, seed, memo, orders| {
            let view = game.view(Viewer::Seat(seat));
            assert_eq!(ask("emperor", &view, plays(seat).1, seed, memo).orders, orders);
        });
    }
}

#[test]
fn bots_with_messages_make_alliances_and_legal_orders() {
    let empires = 5;
    let bot = StarEmpires::bot("emperor").unwrap();
    let mut game = Match::new(empires, 24, 12);
    let mut incoming: Vec<Vec<ReceivedMessage>> = vec![Vec::new(); empires];
    let (mut number, mut shared, mut written) = (0, 0, 0);
    while !game.is_over() {
        let mut posted: Vec<(Seat, Reply)> = Vec::new();
        for decision in game.game.pending() {
            let (seat, seed) = (decision.seat, game.seeds.seed());
            let view = game.game.view(Viewer::Seat(seat));
            let memo = std::mem::take(&mut game.memos[seat.index()]);
            let question = Question {
                view: &view,
                level: Level::Strong,
                seed: &seed,
                memo: &memo,
                recent: &[],
                stop: &Stop::new(),
            };
            let (answer, replies) = bot.correspond(&question, &incoming[seat.index()]);
            assert_eq!(
                bot.correspond(&question, &incoming[seat.index()]),
                (answer.clone(), replies.clone())
            );
            assert!(
                replies.len() <= 8
                    && replies.iter().all(|reply| (1..=500).contains(&reply.text.chars().count()))
            );
            game.memos[seat.index()] = answer.memo.unwrap_or(memo);
            for order in answer.orders {
                let emitted =
                    game.game.submit(Actor::Seat(seat), order, &mut game.dice).expect("a sheet");
                check(&emitted, seat, Level::Strong);
            }
            posted.extend(replies.into_iter().map(|reply| (seat, reply)));
            let met: Vec<Seat> = posted
                .iter()
                .filter(|(from, _)| *from == seat)
                .flat_map(|(_, reply)| reply.to.clone())
                .collect();
            let text = "Hello.\npeace?\nAlliance?\nShare scans?".to_owned();
            posted.extend(
                met.into_iter().map(|to| (seat, Reply { to: vec![to], text: text.clone() })),
            );
        }
        for (from, Reply { to, text }) in posted {
            for to in to {
                assert!(game.game.press(from, to, false).is_ok(), "{from} writes to {to}: {text}");
                game.game.message_delivered(from, to, false);
                number += 1;
                written += 1;
                incoming[to.index()].push(ReceivedMessage {
                    number,
                    from: Some(from),
                    text: text.clone(),
                });
            }
        }
        game.game.close(CloseCause::AllReady, &mut game.dice);
        game.dice.forget_rolled();
        shared =
            shared.max(game.game.galaxy().empires.iter().map(|empire| empire.grants.len()).sum());
    }
    assert!(written > 10 && shared > 0, "{written} letters, {shared} grants");
    assert_eq!(game.game.check(), Ok(()));
}

#[test]
fn bots_do_not_use_hidden_information() {
    let mut others = Rng::new(b"other galaxies", "test");
    let mut game = Match::new(3, 8, 8);
    while !game.is_over() {
        let plays =
            |seat: Seat| (if seat.index() == 2 { "abandoned" } else { "emperor" }, Level::Strong);
        game.turn(plays, |game, seat, seed, memo, orders| {
            let other =
                StarEmpires::sample(&game.view(Viewer::Seat(seat)), &mut || others.number());
            let view = other.view(Viewer::Seat(seat));
            assert_eq!(ask(plays(seat).0, &view, Level::Strong, seed, memo).orders, orders);
        });
    }
}

#[test]
fn an_empire_abandoned_in_a_war_keeps_playing() {
    let mut game = Match::new(2, 24, 9);
    let gone = Seat::at(1);
    for turn in 0..24 {
        if turn == 12 {
            game.game.seat_changed(gone, SeatChange::Abandoned);
        }
        if turn == 18 {
            game.game.seat_changed(gone, SeatChange::Taken);
        }
        let abandoned = (12..18).contains(&turn);
        let plays =
            |seat| (if abandoned && seat == gone { "abandoned" } else { "emperor" }, Level::Strong);
        if game.is_over() {
            break;
        }
        game.turn(plays, |game, seat, _, _, _| {
            let view = game.view(Viewer::Seat(seat));
            let turns = view.own().unwrap().status.abandoned_turns;
            assert_eq!(turns, if abandoned && seat == gone { turn - 11 } else { 0 });
        });
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
    let mut game = Match::new(2, 5, 1);
    let seat = Seat::at(0);
    let own = &game.game;
    let lease = |profile: &str| Lease { memo: vec![7; 33].into(), ..lease(own, seat, profile) };
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
    assert!(game.game.submit(Actor::Seat(seat), empty, &mut game.dice).is_ok());
}
