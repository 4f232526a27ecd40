//! Random actions of people, most of them legal.

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{
    AutomatedSeat, GameStatus, MissedDeadline, Pace, PhasePace, VoteSubject,
};
use heliopause_table::chain::sha256;
use prost_types::{Duration, Timestamp};
use step::Kind;

use super::{Record, SEATS, daily};
use crate::scene::{HOUR, millis, person};

/// Players, leaders, and an account that takes no part in the game.
const PEOPLE: [&str; 7] = ["ann", "bob", "cid", "dan", "gm", "host", "eve"];
const ENGINE: &str = "";

pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    fn below(&mut self, many: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % many
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

pub(crate) fn commitment(id: &str) -> bytes::Bytes {
    sha256(&[id.as_bytes()]).to_vec().into()
}

#[derive(Clone, Copy)]
struct ActionParameters {
    seat: u32,
    other: u32,
    number: u32,
    yes: bool,
}

type Action = (&'static str, Kind);

impl Record {
    pub(crate) fn act(&mut self) {
        self.now += self.chance.pick(&[0, 1_000, 60_000, HOUR, 5 * HOUR]);
        let about = ActionParameters {
            seat: self.seat(),
            other: self.seat(),
            number: self.chance.below(1_000) as u32,
            yes: self.chance.one_in(2),
        };
        let (by, kind) = match self.table.status() {
            GameStatus::Forming if !self.chance.one_in(4) => self.gather(about),
            GameStatus::Revealing if !self.chance.one_in(4) => self.reveal(about),
            // Resume soon. Otherwise most actions would be refused because the game is paused.
            GameStatus::Paused if self.chance.one_in(3) => self.resume(about),
            _ => self.play_on(about),
        };
        let request_id = if about.number.is_multiple_of(2) {
            format!("r{}", about.number % 9)
        } else {
            String::new()
        };
        self.apply(by, kind, request_id);
    }

    fn play_on(&mut self, about: ActionParameters) -> Action {
        match self.chance.below(40) {
            0..=4 if self.table.is_sandbox() => self.sandbox_action(about),
            0..=9 => self.orders(),
            10 | 11 => self.flag(about),
            12..=15 => self.advance_time(about),
            16..=18 => self.write(about),
            19..=21 => self.propose(about),
            22..=25 => self.vote(about),
            26..=31 => self.lead(about),
            32..=35 => self.absence_action(about),
            36 | 37 => self.engine_action(about),
            _ => self.rare_action(about),
        }
    }

    fn seat(&mut self) -> u32 {
        let held = PEOPLE.iter().filter_map(|id| self.table.seat_of(id)).map(Seat::number);
        let held: Vec<u32> = held.collect();
        if held.is_empty() || self.chance.one_in(5) {
            return 1 + self.chance.below(self.seats as u64) as u32;
        }
        self.chance.pick(&held)
    }

    fn holder(&mut self, seat: u32) -> &'static str {
        let holds = |id: &&&str| self.table.seat_of(id).map(Seat::number) == Some(seat);
        match PEOPLE.iter().find(holds) {
            Some(holder) if !self.chance.one_in(6) => holder,
            _ => self.chance.pick(&PEOPLE),
        }
    }

    fn leader(&mut self) -> &'static str {
        let leads = |id: &&&str| {
            let table = &self.table;
            table.is_game_master(id) || table.is_host(id) || table.check_sandbox(id).is_ok()
        };
        match PEOPLE.iter().find(leads) {
            Some(leader) if !self.chance.one_in(6) => leader,
            _ => self.chance.pick(&PEOPLE),
        }
    }

    fn phase(&self, seat: u32) -> u64 {
        Seat::numbered(seat).map_or(0, |seat| self.table.decision_state(seat).phase)
    }

    fn automated(&mut self) -> AutomatedSeat {
        let level = self.chance.pick(&["", "", "random", "strong", "nonsense"]).to_owned();
        let seconds = self.now / 1000 + 3600 * 30;
        let end_time = self.chance.one_in(4).then_some(Timestamp { seconds, nanos: 0 });
        AutomatedSeat { level, end_time, ..AutomatedSeat::default() }
    }

    fn gather(&mut self, ActionParameters { seat, number, yes, .. }: ActionParameters) -> Action {
        match self.chance.below(8) {
            0..=3 => {
                let by = self.chance.pick(&PEOPLE);
                let entropy_commitment = match number % 7 {
                    0 => vec![1, 2].into(),
                    1 | 2 => commitment(by),
                    _ => bytes::Bytes::new(),
                };
                let joined = Joined {
                    player: Some(person(by)),
                    seat: if yes { 0 } else { number % 6 },
                    invite_code: self.chance.pick(&["secret", "secret", "wrong"]).to_owned(),
                    entropy_commitment,
                };
                (by, Kind::Joined(joined))
            }
            4 => (self.chance.pick(&PEOPLE), Kind::Left(Left {})),
            5 => {
                let fill = yes.then(|| self.automated());
                (self.leader(), Kind::StartCalled(StartCalled { fill }))
            }
            6 => (self.chance.pick(&PEOPLE), Kind::InvitationDeclined(InvitationDeclined {})),
            _ => {
                let player = yes.then(|| person("dan"));
                (self.leader(), Kind::SeatGiven(SeatGiven { seat, player }))
            }
        }
    }

    fn reveal(&mut self, ActionParameters { seat, number, .. }: ActionParameters) -> Action {
        let by = self.holder(seat);
        let entropy = match number % 5 {
            0 => Vec::new(),
            1 => vec![9; 65],
            2 => vec![9],
            _ => by.as_bytes().to_vec(),
        };
        (by, Kind::EntropyRevealed(EntropyRevealed { entropy: entropy.into() }))
    }

    fn resume(&mut self, ActionParameters { yes, .. }: ActionParameters) -> Action {
        if yes {
            return (self.leader(), Kind::PauseSet(PauseSet { paused: false }));
        }
        let (act, why) = (OperatorAct::Resumed.into(), String::new());
        (ENGINE, Kind::OperatorActed(OperatorActed { act, why }))
    }

    fn sandbox_action(&mut self, ActionParameters { number, yes, .. }: ActionParameters) -> Action {
        if yes {
            let dice = vec![number % 7; 1 + number as usize % 30];
            let replace = number.is_multiple_of(3);
            return (self.leader(), Kind::DiceScripted(DiceScripted { dice, replace }));
        }
        let by = millis(self.chance.pick(&[0, 0, 1_000, HOUR, 4_000 * 24 * HOUR]));
        (self.leader(), Kind::ClockAdvanced(ClockAdvanced { by }))
    }

    fn orders(&mut self) -> Action {
        let asked: Vec<Seat> = Seat::first(self.seats.min(SEATS))
            .filter(|&seat| self.table.decision_state(seat).decision.is_some())
            .collect();
        if asked.is_empty() {
            return (self.chance.pick(&PEOPLE), Kind::OrdersGiven(OrdersGiven::default()));
        }
        let place = self.chance.pick(&asked);
        let decision_state = self.table.decision_state(place);
        let offers = self.table.offers(place);
        let lines: Vec<String> = offers.iter().flat_map(|offers| offers.lines(60)).collect();
        let list = self.table.parse(Some(place), &lines.join("\n")).expect("what is offered");
        let start = self.chance.below(list.len().max(1) as u64) as usize;
        let many = list.len().min(1 + self.chance.below(3) as usize);
        let is_held = PEOPLE.iter().any(|id| self.table.seat_of(id) == Some(place));
        let automation = if is_held { "" } else { "captain (standard)" }.to_owned();
        let (to_seats, text) = (vec![1, 2], "Peace.".to_owned());
        let message = MessageSent { to_seats, text, ..MessageSent::default() };
        let seat = place.number();
        let given = OrdersGiven {
            seat,
            phase: decision_state.phase + u64::from(self.chance.one_in(12)),
            revision: decision_state.revision + u64::from(self.chance.one_in(12)),
            orders: list.iter().cycle().skip(start).take(many).cloned().collect(),
            ready: self.chance.one_in(2),
            messages: if self.chance.one_in(4) { vec![message] } else { Vec::new() },
            memo: (!is_held).then(|| vec![7].into()),
            automation,
        };
        let by = if is_held { self.holder(seat) } else { "eve" };
        (by, Kind::OrdersGiven(given))
    }

    fn flag(&mut self, ActionParameters { seat, number, yes, .. }: ActionParameters) -> Action {
        let (phase, flag) = (self.phase(seat), !number.is_multiple_of(3));
        let (ready, wait) = (yes.then_some(flag), (!yes).then_some(flag));
        (self.holder(seat), Kind::FlagSet(FlagSet { seat, phase, ready, wait }))
    }

    fn advance_time(&mut self, ActionParameters { number, .. }: ActionParameters) -> Action {
        if let Some(due) = self.table.due().filter(|_| !number.is_multiple_of(4)) {
            self.now = self.now.max(due);
        }
        let by = if number.is_multiple_of(9) { "eve" } else { ENGINE };
        (by, Kind::Ticked(Ticked {}))
    }

    fn write(&mut self, ActionParameters { seat, other, number, yes }: ActionParameters) -> Action {
        let text = format!("No. {number}");
        let sent = MessageSent {
            from_seat: if number.is_multiple_of(4) { 0 } else { seat },
            to_seats: if yes { vec![other] } else { vec![other, number % 6] },
            to_all: number.is_multiple_of(3),
            to_game_master: number.is_multiple_of(5),
            anonymous: number.is_multiple_of(7),
            text: if number.is_multiple_of(40) { "x".repeat(5_000) } else { text },
            ..MessageSent::default()
        };
        let by = if sent.from_seat == 0 { self.leader() } else { self.holder(seat) };
        (by, Kind::MessageSent(sent))
    }

    fn propose(
        &mut self,
        ActionParameters { seat, other, number, .. }: ActionParameters,
    ) -> Action {
        let subject = self.chance.pick(&[
            VoteSubject::Draw,
            VoteSubject::Pause,
            VoteSubject::Resume,
            VoteSubject::Extend,
            VoteSubject::Cancel,
            VoteSubject::Replace,
        ]);
        // Draws and cancellations end a game early, so propose fewer of them.
        let ends = matches!(subject, VoteSubject::Draw | VoteSubject::Cancel);
        let subject = if ends && !number.is_multiple_of(5) { VoteSubject::Pause } else { subject };
        let longer = Duration { seconds: i64::from(number) * 90, nanos: 0 };
        let proposed = VoteProposed {
            seat,
            subject: subject.into(),
            target_seat: if subject == VoteSubject::Replace { other } else { 0 },
            extension: (subject == VoteSubject::Extend).then_some(longer),
        };
        (self.holder(seat), Kind::VoteProposed(proposed))
    }

    fn vote(&mut self, ActionParameters { seat, other, number, .. }: ActionParameters) -> Action {
        let vote = self.table.votes().last().map_or(1, |vote| vote.number);
        let yes = !number.is_multiple_of(4);
        if number.is_multiple_of(5) {
            let automation = "captain (standard)".to_owned();
            return ("eve", Kind::VoteCast(VoteCast { seat: other, vote, yes, automation }));
        }
        let automation = String::new();
        (self.holder(seat), Kind::VoteCast(VoteCast { seat, vote, yes, automation }))
    }

    fn lead(&mut self, ActionParameters { seat, number, yes, .. }: ActionParameters) -> Action {
        let kind = match self.chance.below(6) {
            0 => Kind::PauseSet(PauseSet { paused: yes }),
            1 => {
                let seconds = self.now / 1000 + i64::from(number) * 300 - 3600;
                let deadline = yes.then_some(Timestamp { seconds, nanos: 0 });
                Kind::DeadlineSet(DeadlineSet { deadline })
            }
            2 => Kind::PaceSet(PaceSet { pace: Some(self.pace(number)) }),
            3 => {
                let player = yes.then(|| person(self.chance.pick(&PEOPLE)));
                Kind::SeatGiven(SeatGiven { seat, player })
            }
            4 => {
                let by = yes.then(|| self.automated());
                Kind::SeatAutomated(SeatAutomated { seat, by })
            }
            _ => Kind::MissExcused(MissExcused { seat }),
        };
        (self.leader(), kind)
    }

    fn pace(&mut self, number: u32) -> Pace {
        let missed = self.chance.pick(&[
            MissedDeadline::Defaults,
            MissedDeadline::Extend,
            MissedDeadline::Hold,
            MissedDeadline::Automate,
        ]);
        let standard = PhasePace {
            interval: millis(i64::from(number % 50) * HOUR / 2),
            minimum: millis(i64::from(number % 3) * HOUR),
            grace: millis(i64::from(number % 5) * HOUR),
            at_minute: number.is_multiple_of(4).then_some(number * 2),
            weekdays: if number.is_multiple_of(6) { vec![1, 3, number % 9] } else { Vec::new() },
            ..PhasePace::default()
        };
        Pace {
            standard: (!number.is_multiple_of(10)).then_some(standard),
            missed: missed.into(),
            close_early: (!number.is_multiple_of(3)).then_some(number.is_multiple_of(2)),
            automate_after_misses: number.is_multiple_of(2).then_some(number % 4),
            vacation_days: number % 40 * 10,
            utc_offset_minutes: if number.is_multiple_of(7) { 120 } else { 0 },
            ..daily()
        }
    }

    fn absence_action(
        &mut self,
        ActionParameters { seat, number, yes, .. }: ActionParameters,
    ) -> Action {
        let kind = if number.is_multiple_of(2) {
            Kind::VacationSet(VacationSet { seat, days: number % 7 })
        } else {
            let to = yes.then(|| self.automated());
            Kind::Delegated(Delegated { seat, to })
        };
        (self.holder(seat), kind)
    }

    fn engine_action(
        &mut self,
        ActionParameters { seat, number, yes, .. }: ActionParameters,
    ) -> Action {
        let by = if number.is_multiple_of(8) { "eve" } else { ENGINE };
        let kind = match self.chance.below(6) {
            0 => {
                let act = self.chance.pick(&[OperatorAct::Paused, OperatorAct::Resumed]).into();
                let why = if yes { "a repair" } else { "" }.to_owned();
                Kind::OperatorActed(OperatorActed { act, why })
            }
            1 => Kind::AutomationSuspended(AutomationSuspended {}),
            2 => Kind::AutomationResumed(AutomationResumed {}),
            3 => Kind::HostBanned(HostBanned { player_id: "host".to_owned() }),
            4 => {
                let player_id = self.chance.pick(&["dan", "cid", "host"]).to_owned();
                Kind::PlayerErased(PlayerErased { player_id })
            }
            _ => {
                let (phase, revision) = (self.phase(seat), 0);
                Kind::DecisionDefaulted(DecisionDefaulted { seat, phase, revision })
            }
        };
        (by, kind)
    }

    fn rare_action(
        &mut self,
        ActionParameters { seat, number, yes, .. }: ActionParameters,
    ) -> Action {
        let phase = self.phase(seat);
        match self.chance.below(10) {
            0 => (self.holder(seat), Kind::Resigned(Resigned { seat })),
            1 => (self.leader(), Kind::PhaseClosed(PhaseClosed {})),
            2 => {
                let exported = GameExported { position_only: yes };
                (self.leader(), Kind::GameExported(exported))
            }
            3 => {
                let reason = if yes { "by agreement" } else { "" }.to_owned();
                let declared = OutcomeDeclared { winners: vec![seat, number % 6], reason };
                (self.leader(), Kind::OutcomeDeclared(declared))
            }
            4 => (self.leader(), Kind::GameCancelled(GameCancelled {})),
            5..=7 => {
                let back = OrdersWithdrawn { seat, phase };
                (self.holder(seat), Kind::OrdersWithdrawn(back))
            }
            _ => self.orders(),
        }
    }
}
