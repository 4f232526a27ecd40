//! Helpers for tests: a builder of positions, and games played with orders and dice.

#![allow(dead_code, reason = "each test file uses its own part of it")]

use heliopause_kernel::{
    Actor, CloseCause, Dice, Emitted, Game, Hex, Outcome, Refusal, Seat, Viewer, Wire,
};
use heliopause_proto::starships_at_large::v1 as proto;
use heliopause_starships::{Event, Marker, Place, Serial, ShipId, Starships, Status, View};

pub(crate) const A: usize = 1;
pub(crate) const B: usize = 2;
pub(crate) const C: usize = 3;
pub(crate) const D: usize = 4;

pub(crate) fn at(q: i16, r: i16) -> Place {
    Place::new(Hex::new(q, r)).expect("on the board")
}

pub(crate) fn seat(number: usize) -> Seat {
    Seat::at(number - 1)
}

pub(crate) fn ship(owner: usize, serial: u16) -> ShipId {
    ShipId { owner: seat(owner), serial: Serial(serial) }
}

fn hex((q, r): (i32, i32)) -> proto::Hex {
    proto::Hex { q, r }
}

/// A builder of positions. By default, players have the status and pieces of the start.
#[derive(Clone)]
pub(crate) struct Sheet(proto::Position);

impl Sheet {
    pub(crate) fn players(count: usize) -> Self {
        Self(proto::Position {
            players: vec![proto::Player::default(); count],
            ..proto::Position::default()
        })
    }

    pub(crate) fn round(mut self, round: u32) -> Self {
        self.0.round = round;
        self
    }

    pub(crate) fn on_turn(mut self, player: usize) -> Self {
        self.0.on_turn = player as u32;
        self
    }

    pub(crate) fn options(mut self, change: impl FnOnce(&mut proto::Options)) -> Self {
        let mut options = self.0.options.unwrap_or_default();
        change(&mut options);
        self.0.options = Some(options);
        self
    }

    fn hexagon(&mut self, place: (i32, i32)) -> &mut proto::HexState {
        let index = self.0.hexes.iter().position(|hexagon| hexagon.hex == Some(hex(place)));
        let index = index.unwrap_or_else(|| {
            self.0
                .hexes
                .push(proto::HexState { hex: Some(hex(place)), ..proto::HexState::default() });
            self.0.hexes.len() - 1
        });
        &mut self.0.hexes[index]
    }

    pub(crate) fn hex(mut self, place: (i32, i32), marker: proto::Marker) -> Self {
        self.hexagon(place).marker = marker.into();
        self
    }

    pub(crate) fn owned(mut self, place: (i32, i32), marker: proto::Marker, owner: usize) -> Self {
        self.hexagon(place).marker = marker.into();
        self.hexagon(place).owner = owner as u32;
        self
    }

    pub(crate) fn planets(mut self, owner: usize, live: usize, dead: usize) -> Self {
        let corner = [
            (0, -3),
            (1, -3),
            (-1, -2),
            (0, -2),
            (-2, 3),
            (-3, 3),
            (-1, 3),
            (-2, 2),
            (-3, 2),
            (-3, 1),
            (1, -2),
        ];
        let corner = corner.into_iter().chain([
            (-2, 1),
            (-1, 2),
            (-2, 0),
            (-3, 0),
            (-1, -1),
            (2, -3),
            (3, -3),
            (0, 3),
            (0, 2),
        ]);
        let free: Vec<_> = corner
            .filter(|place| !self.0.hexes.iter().any(|other| other.hex == Some(hex(*place))))
            .collect();
        for (index, place) in free.into_iter().take(live + dead).enumerate() {
            let marker = if index < live { proto::Marker::Friendly } else { proto::Marker::Dead };
            self = self.owned(place, marker, owner);
        }
        self
    }

    pub(crate) fn seen(mut self, place: (i32, i32), by: usize) -> Self {
        self.hexagon(place).seen_by.push(by as u32);
        self
    }

    pub(crate) fn face_up(mut self, place: (i32, i32)) -> Self {
        self.hexagon(place).face_up = true;
        self
    }

    pub(crate) fn zone(mut self, place: (i32, i32)) -> Self {
        self.hexagon(place).death_zone = true;
        self
    }

    pub(crate) fn marked(mut self, place: (i32, i32), by: usize) -> Self {
        self.hexagon(place).ownership_markers.push(by as u32);
        self
    }

    pub(crate) fn player(mut self, player: usize, change: impl FnOnce(&mut proto::Player)) -> Self {
        change(&mut self.0.players[player - 1]);
        self
    }

    pub(crate) fn ship(self, owner: usize, place: (i32, i32)) -> Self {
        self.player(owner, |player| {
            player.starships.push(proto::Starship { at: Some(hex(place)), ..Default::default() });
        })
    }

    pub(crate) fn disrupted(self, owner: usize, place: (i32, i32)) -> Self {
        self.player(owner, |player| {
            player.starships.push(proto::Starship {
                at: Some(hex(place)),
                disrupted: true,
                ..Default::default()
            });
        })
    }

    pub(crate) fn base(self, owner: usize, place: (i32, i32)) -> Self {
        self.player(owner, |player| {
            player.bases.push(proto::Base { at: Some(hex(place)), ..Default::default() });
        })
    }

    pub(crate) fn base_out(self, owner: usize, place: (i32, i32), turns: u32) -> Self {
        self.player(owner, |player| {
            player.bases.push(proto::Base {
                at: Some(hex(place)),
                out: true,
                turns_out: turns,
                ..Default::default()
            });
        })
    }

    pub(crate) fn out(self, player: usize) -> Self {
        self.player(player, |player| player.status = proto::Status::Eliminated.into())
    }

    pub(crate) fn arrivals(self, player: usize, left: u32) -> Self {
        self.player(player, |player| {
            player.secrets = Some(proto::Private { arrivals: Some(left), ..Default::default() });
        })
    }

    pub(crate) fn death_star(mut self, place: (i32, i32), provoker: usize) -> Self {
        self.hexagon(place).marker = proto::Marker::DeathStar.into();
        let state = proto::DeathStarState::Active.into();
        self.0.death_star =
            Some(proto::DeathStar { state, provoker: provoker as u32, activated_this_turn: false });
        self
    }

    pub(crate) fn war(mut self, one: usize, other: usize) -> Self {
        self.0.wars.push(proto::Pair { first: one as u32, second: other as u32 });
        self
    }

    pub(crate) fn provoked(mut self, one: usize, by: usize) -> Self {
        self.0.provocations.push(proto::Pair { first: one as u32, second: by as u32 });
        self
    }

    pub(crate) fn vote(mut self, voter: usize, against: usize) -> Self {
        self.0.exile_votes.push(proto::Pair { first: voter as u32, second: against as u32 });
        self
    }

    pub(crate) fn pledge(
        mut self,
        giver: usize,
        receiver: usize,
        promise: proto::promise::Kind,
        until: u32,
    ) -> Self {
        self.0.pledges.push(proto::Pledge {
            giver: giver as u32,
            receiver: receiver as u32,
            promise: Some(proto::Promise { kind: Some(promise) }),
            until_round: until,
            planet_given: false,
        });
        self
    }

    pub(crate) fn position(&self) -> &proto::Position {
        &self.0
    }

    pub(crate) fn play(self) -> Play {
        match Starships::read_position(&self.0) {
            Ok(game) => Play { game },
            Err(malformed) => panic!("{malformed}"),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Play {
    pub(crate) game: Starships,
}

impl Play {
    fn read(&self, player: usize, text: &str) -> heliopause_starships::Order {
        let view = self.game.view(Viewer::Seat(seat(player)));
        let orders =
            Starships::parse(&view, text).unwrap_or_else(|malformed| panic!("{text}: {malformed}"));
        assert_eq!(orders.len(), 1, "{text}");
        orders[0]
    }

    /// Submits an order that must use exactly these dice.
    pub(crate) fn order(&mut self, player: usize, text: &str, dice: &[u32]) -> Emitted<Event> {
        let order = self.read(player, text);
        self.roll(dice, |game, dice| {
            game.submit(Actor::Seat(seat(player)), order, dice)
                .unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
        })
    }

    pub(crate) fn close(&mut self, dice: &[u32]) -> Emitted<Event> {
        self.roll(dice, |game, dice| game.close(CloseCause::Deadline, dice))
    }

    fn roll(
        &mut self,
        script: &[u32],
        step: impl FnOnce(&mut Starships, &mut Dice) -> Emitted<Event>,
    ) -> Emitted<Event> {
        let mut dice = Dice::new([9; 32]).scripted(script.iter().copied());
        let told = step(&mut self.game, &mut dice);
        let rolled: Vec<u32> = dice.take_rolled().into_iter().map(|roll| roll.value).collect();
        assert_eq!(rolled, script, "other dice were rolled than foreseen");
        self.game.check().unwrap();
        told
    }

    pub(crate) fn refused(&self, player: usize, text: &str, reason: &str) {
        let order = self.read(player, text);
        match self.game.judge(Actor::Seat(seat(player)), &order) {
            Err(Refusal { reason: given, .. }) => assert_eq!(given, reason, "{text}"),
            Ok(()) => panic!("{text} is not refused"),
        }
    }

    pub(crate) fn rule_of_refusal(&self, player: usize, text: &str) -> String {
        let refusal = self.game.judge(Actor::Seat(seat(player)), &self.read(player, text));
        refusal.expect_err(text).rule.to_string()
    }

    pub(crate) fn may(&self, player: usize, text: &str) -> bool {
        self.game.judge(Actor::Seat(seat(player)), &self.read(player, text)).is_ok()
    }

    /// Ends turns until this player is on turn. No turn may roll dice.
    pub(crate) fn until_turn_of(&mut self, player: usize) {
        loop {
            self.close(&[]);
            if self.game.outcome().is_some() || self.active() == player {
                return;
            }
        }
    }

    pub(crate) fn active(&self) -> usize {
        self.game.table().active.index() + 1
    }

    pub(crate) fn round(&self) -> u8 {
        self.game.table().round
    }

    pub(crate) fn view(&self, player: usize) -> View {
        self.game.view(Viewer::Seat(seat(player)))
    }

    pub(crate) fn marker(&self, q: i16, r: i16) -> Marker {
        self.game.secrets().markers[at(q, r).index()]
    }

    pub(crate) fn owner(&self, q: i16, r: i16) -> usize {
        self.game.secrets().owners[at(q, r).index()].map_or(0, |seat| seat.index() + 1)
    }

    pub(crate) fn zones(&self) -> Vec<(i16, i16)> {
        self.game.table().zones.iter().map(|place| (place.hex().q, place.hex().r)).collect()
    }

    pub(crate) fn ships(&self, player: usize) -> usize {
        self.game.table().ships_of(seat(player)).count()
    }

    pub(crate) fn place(&self, owner: usize, serial: u16) -> Option<(i16, i16)> {
        self.game.table().ship(ship(owner, serial)).map(|ship| (ship.at.hex().q, ship.at.hex().r))
    }

    pub(crate) fn is_disrupted(&self, owner: usize, serial: u16) -> bool {
        self.game
            .table()
            .ship(ship(owner, serial))
            .is_some_and(|ship| ship.condition.is_disrupted())
    }

    pub(crate) fn status(&self, player: usize) -> Status {
        self.game.table().status(seat(player)).expect("a player")
    }

    pub(crate) fn is_out(&self, player: usize) -> bool {
        self.status(player) == Status::Eliminated
    }

    pub(crate) fn planets(&self, player: usize) -> usize {
        self.game.secrets().own[player - 1].planets.len()
    }

    pub(crate) fn pending(&self) -> (&'static str, usize) {
        let pending = self.game.pending();
        assert_eq!(pending.len(), 1, "{pending:?}");
        (pending[0].kind, pending[0].seat.index() + 1)
    }

    pub(crate) fn outcome(&self) -> Outcome {
        self.game.outcome().expect("the game is over")
    }

    pub(crate) fn credits(&self) -> Vec<i64> {
        self.outcome().points
    }
}

pub(crate) fn told(told: &Emitted<Event>, player: usize) -> Vec<String> {
    let name = |seat: Seat| heliopause_starships::letter(seat).to_string();
    told.to(Viewer::Seat(seat(player))).map(|event| Starships::describe(event, &name).0).collect()
}
