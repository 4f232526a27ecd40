//! A reader's view of a table, and the rights of each reader.

use heliopause_kernel::offer::Offers;
use heliopause_kernel::{Actor, Decision, Seat, Viewer};
use heliopause_proto::store::v1::{Person, StandInReason, seat_state};
use heliopause_proto::v1::{
    self as v1, ErrorReason, GameEvent, GameOrder, GameStatus, GameView, seat,
};

use crate::lobby::sees_too_much;
use crate::registry::AnyGame;
use crate::time::{Millis, stamp};
use crate::{Fault, Table, chain, table};

/// Who reads.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    /// The player's id.
    pub player_id: &'a str,
}

/// A seat's place: the phase and revision for its orders, and its open decision.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The seat's phase.
    pub phase: u64,
    pub revision: u64,
    /// The decision that is open, if one is.
    pub decision: Option<v1::Decision>,
}

/// The directory's record of a table.
#[derive(Clone, Debug)]
pub struct Listing {
    pub game_id: String,
    pub kind: &'static str,
    pub name: String,
    pub status: GameStatus,
    /// Whether it is private.
    pub private: bool,
    /// Whether it is a sandbox.
    pub sandbox: bool,
    /// How many seats are players'.
    pub seats: u32,
    /// How many of them anybody may take.
    pub open_seats: u32,
    /// When it was created.
    pub created: Millis,
    /// When something falls due, in the server's time.
    pub due: Option<Millis>,
    /// Whether an automated seat owes a decision.
    pub wants_automation: bool,
    pub progress: String,
    /// The account that leads the game; empty if there is none.
    pub host: String,
    /// Since when automation sleeps, if it does.
    pub asleep_since: Option<Millis>,
    /// Everybody who has to do with it.
    pub members: Vec<ListingMember>,
}

/// Somebody who has to do with a table.
#[derive(Clone, Debug)]
pub struct ListingMember {
    /// The player's id.
    pub player_id: String,
    /// Their seat, from 1; 0 if they have none.
    pub seat: u32,
    /// Whether a seat is only kept for them.
    pub invited: bool,
    /// Whether a decision of theirs is open.
    pub your_decision: bool,
    /// When it falls due, in the server's time.
    pub deadline: Option<Millis>,
}

/// An open question to automation for a seat.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub seat: Seat,
    /// The profile and level that are asked for.
    pub by: v1::AutomatedSeat,
    /// The question.
    pub asked: Asked,
    /// The memo of the seat's last answer.
    pub memo: bytes::Bytes,
    /// The randomness for this answer.
    pub seed: chain::Hash,
    /// Whether the answer may carry messages.
    pub may_write: bool,
}

/// A question to automation for a seat.
#[derive(Clone, Debug)]
pub enum Asked {
    /// Its open decision, and where it stands.
    Decision(Standing),
    /// Its voice in a vote.
    Vote(v1::Vote),
}

impl Table {
    /// The seat that a player holds.
    pub fn seat_of(&self, player_id: &str) -> Option<Seat> {
        if player_id.is_empty() {
            return None;
        }
        Seat::first(self.players().min(self.state.seats.len()))
            .find(|&seat| self.holds(player_id, seat))
    }

    /// The seat that a player holds and no other: none for a sandbox's owner, who holds all.
    pub fn only_seat_of(&self, player_id: &str) -> Option<Seat> {
        if self.is_sandbox_owner(player_id) { None } else { self.seat_of(player_id) }
    }

    fn holds(&self, player_id: &str, seat: Seat) -> bool {
        let occupant = &self.state.seats[seat.index()].occupant;
        matches!(occupant, Some(seat_state::Occupant::Player(person)) if person.player_id == player_id)
    }

    pub(crate) fn own_seat(&self, by: &str) -> Result<Seat, Fault> {
        self.seat_of(by)
            .ok_or_else(|| Fault::new(ErrorReason::NotYourSeat, "You hold no seat in this game."))
    }

    /// Whether a player is this game's game master.
    pub fn is_game_master(&self, player_id: &str) -> bool {
        is(self.created().game_master.as_ref(), player_id)
    }

    /// Whether a player is this game's host.
    pub fn is_host(&self, player_id: &str) -> bool {
        is(self.state.host.as_ref(), player_id)
    }

    /// Whether a player may know that this game exists.
    pub fn knows(&self, player_id: &str, invite_code: &str) -> bool {
        let is_public = !self.created().is_private && !self.is_sandbox();
        let invited = !self.is_sandbox() && self.invite_code_fits(invite_code);
        is_public || self.has_part(player_id) || invited
    }

    /// Whether a player has a part in this game: a seat, also one that is kept for them, or as its
    /// host, its game master or a sandbox's owner.
    pub fn has_part(&self, player_id: &str) -> bool {
        self.is_sandbox_owner(player_id) || self.is_member(player_id)
    }

    fn is_member(&self, player_id: &str) -> bool {
        self.members().any(|person| is(Some(person), player_id))
    }

    fn members(&self) -> impl Iterator<Item = &Person> {
        let seats = self.state.seats.iter().filter_map(|state| match &state.occupant {
            Some(
                seat_state::Occupant::Player(person) | seat_state::Occupant::ReservedFor(person),
            ) => Some(person),
            _ => state.kept_for.as_ref(),
        });
        seats.chain(self.state.host.as_ref()).chain(self.created().game_master.as_ref())
    }

    /// The seat that a player acts for: the one that they name if they may, or their own.
    pub fn acting_seat(&self, player_id: &str, number: Option<u32>) -> Result<Seat, Fault> {
        let seat = match number {
            Some(number) => self.seat_numbered(number)?,
            None if self.is_sandbox_owner(player_id) => self.sandbox_default_seat()?,
            None => return self.own_seat(player_id),
        };
        self.require_seat(player_id, seat).map(|()| seat)
    }

    /// The seats for which a player owes a decision now: their own, or in a sandbox all that
    /// automation does not play.
    pub fn owed_by(&self, player_id: &str) -> Vec<Seat> {
        if self.status() != GameStatus::Running {
            return Vec::new();
        }
        let mut seats: Vec<Seat> = self.pending().iter().map(|decision| decision.seat).collect();
        seats.sort_unstable();
        seats.dedup();
        seats.retain(|&seat| {
            self.automation_of(seat).is_none() && self.require_seat(player_id, seat).is_ok()
        });
        seats
    }

    /// In a sandbox without a named seat: the one seat that owes a decision, or the one on turn.
    fn sandbox_default_seat(&self) -> Result<Seat, Fault> {
        let pending = self.pending();
        match pending.as_slice() {
            [one] => Ok(one.seat),
            _ => Err(Fault::field("seat", "Name the seat: in a sandbox you hold all of them.")),
        }
    }

    /// The viewer that a player looks as: the seat that they name if they may, their own, the game
    /// master, or a spectator.
    pub fn viewer(
        &self,
        player_id: &str,
        number: Option<u32>,
        as_spectator: bool,
    ) -> Result<Viewer, Fault> {
        if as_spectator {
            return Ok(Viewer::Spectator);
        }
        if self.is_game_master(player_id) {
            return Ok(Viewer::GameMaster);
        }
        if number.is_none()
            && (self.is_sandbox_owner(player_id) || self.seat_of(player_id).is_none())
        {
            return Ok(Viewer::Spectator);
        }
        self.acting_seat(player_id, number).map(Viewer::Seat)
    }

    /// Refuses everybody but the seat's holder: its player, unless the game master took it from
    /// them, or a sandbox's owner.
    pub(crate) fn require_seat(&self, by: &str, seat: Seat) -> Result<(), Fault> {
        if self.is_sandbox_owner(by) {
            return Ok(());
        }
        if !self.holds(by, seat) {
            return Err(Fault::new(ErrorReason::NotYourSeat, format!("You do not hold {seat}.")));
        }
        if self.state.seats[seat.index()].stand_in_reason() == StandInReason::GameMaster {
            return Err(Fault::new(
                ErrorReason::NotYourSeat,
                "The game master has given your seat to automation.",
            ));
        }
        Ok(())
    }

    /// Refuses everybody but the game master; a sandbox has none but its owner.
    pub(crate) fn require_game_master(&self, by: &str, what: &str) -> Result<(), Fault> {
        if self.leads_alone(by) {
            return Ok(());
        }
        Err(Fault::role("game-master", format!("Only the game master may {what}.")))
    }

    /// Refuses everybody but the host, the game master and a sandbox's owner.
    pub(crate) fn require_leader(&self, by: &str, what: &str) -> Result<(), Fault> {
        if self.is_game_master(by) || self.is_host(by) || self.is_sandbox_owner(by) {
            return Ok(());
        }
        Err(Fault::role("host", format!("Only the game master or the host may {what}.")))
    }

    /// Whether somebody leads a game without playing in it by any account: its game master, or a
    /// sandbox's owner.
    pub(crate) fn leads_alone(&self, by: &str) -> bool {
        self.is_game_master(by) || self.is_sandbox_owner(by)
    }

    /// Refuses the full view of a running game to everybody but its game master.
    pub fn check_full_export(&self, by: &str) -> Result<(), Fault> {
        if self.is_game_master(by) {
            return Ok(());
        }
        Err(sees_too_much("Only the game master may have everything while the game runs."))
    }

    /// Whether a worker of this account may be leased this table's decisions.
    pub fn may_work(&self, player_id: &str) -> bool {
        self.is_sandbox_owner(player_id) || !self.is_member(player_id)
    }

    /// Refuses an account that would see by its own seat what automation's seats must not know, and
    /// the reverse.
    pub(crate) fn require_worker(&self, by: &str) -> Result<(), Fault> {
        if self.seat_of(by).is_none() || self.is_sandbox_owner(by) {
            return Ok(());
        }
        Err(sees_too_much("An account that plays in a game may not play its automated seats."))
    }

    pub(crate) fn hides_names(&self) -> bool {
        let over = matches!(self.status(), GameStatus::Ended | GameStatus::Cancelled);
        self.state.created.as_ref().is_some_and(|created| created.anonymous) && !over
    }

    /// A seat's name in sentences that everybody reads.
    pub(crate) fn name(&self, seat: Seat) -> String {
        let role = match self.roles.get(seat.index()) {
            Some(_) if self.is_place(seat) => format!("Place {}", seat.number()),
            Some(role) => role.name.clone(),
            None => seat.to_string(),
        };
        match &self.state.seats[seat.index()].occupant {
            Some(seat_state::Occupant::Player(person))
                if !self.hides_names() && !self.is_sandbox() =>
            {
                person.name.clone()
            }
            _ => role,
        }
    }

    /// Whether a player's seat is only a place yet, because lots are still to be drawn.
    fn is_place(&self, seat: Seat) -> bool {
        self.lots_pending() && seat.index() < self.players()
    }

    /// The role of the seat that a place has chosen.
    pub(crate) fn chosen_role(&self, place: Seat) -> Option<&str> {
        let chosen = Seat::numbered(self.state.seats[place.index()].chosen_seat)?;
        self.roles.get(chosen.index()).map(|role| role.name.as_str())
    }

    /// A seat's role for people.
    fn role(&self, seat: Seat) -> &str {
        if self.is_place(seat) {
            return self.chosen_role(seat).unwrap_or("by lot");
        }
        self.roles.get(seat.index()).map_or("", |role| role.name.as_str())
    }

    pub(crate) fn all_names(&self) -> Vec<String> {
        Seat::first(self.state.seats.len()).map(|seat| self.name(seat)).collect()
    }

    /// The game as a reader may see it.
    pub fn describe(&self, reader: Reader<'_>) -> v1::Game {
        let created = self.created();
        let leads = self.is_game_master(reader.player_id) || self.is_host(reader.player_id);
        let in_play = self.game.as_deref();
        v1::Game {
            game_id: created.game_id.clone(),
            kind: created.kind.clone(),
            name: created.name.clone(),
            status: self.state.status,
            progress: self.progress(),
            seats: Seat::first(self.state.seats.len())
                .map(|seat| self.seat_for(seat, reader))
                .collect(),
            your_seat: self.only_seat_of(reader.player_id).map(Seat::number),
            you_host: self.is_host(reader.player_id),
            you_are_game_master: self.is_game_master(reader.player_id),
            host: self.person_name(self.state.host.as_ref(), reader),
            game_master: created
                .game_master
                .as_ref()
                .map(|person| person.name.clone())
                .unwrap_or_default(),
            options: created.options.clone(),
            pace: self.state.pace.clone(),
            next_pace: self.state.next_pace.clone(),
            next_pace_time: self.state.next_pace_from,
            is_private: created.is_private,
            anonymous: created.anonymous,
            sandbox: self.is_sandbox(),
            delegation: created.delegation,
            create_time: self.state.created_at,
            start_time: self.state.started_at,
            end_time: self.state.ended_at,
            due_time: self.running_deadline(),
            on_turn: in_play.and_then(AnyGame::on_turn).map(Seat::number),
            waits_for_automation: false,
            operator_pause: self.state.operator_pause.clone(),
            automation_sleep_time: self.asleep_since().map(stamp),
            waiting: self.waiting(),
            hide_ready: created.hide_ready,
            open_letters: created.open_letters,
            lots_pending: self.lots_pending(),
            roles: self.choices(),
            seed_commitment: created.seed_commitment.clone(),
            outcome: self.outcome(),
            invite_code: if leads { created.invite_code.clone() } else { String::new() },
        }
    }

    /// The names of the players' seats, for who chooses one; none if they are all alike.
    fn choices(&self) -> Vec<String> {
        let roles = self.roles.iter().take(if self.alike { 0 } else { self.players() });
        roles.map(|role| role.name.clone()).collect()
    }

    fn person_name(&self, person: Option<&Person>, reader: Reader<'_>) -> String {
        let person = person.filter(|person| {
            !self.hides_names()
                || person.player_id == reader.player_id
                || self.is_game_master(reader.player_id)
        });
        person.map(|person| person.name.clone()).unwrap_or_default()
    }

    fn seat_for(&self, seat: Seat, reader: Reader<'_>) -> v1::Seat {
        let fully = !self.hides_names()
            || self.is_game_master(reader.player_id)
            || self.holds(reader.player_id, seat);
        self.seat_message(seat, fully)
    }

    /// A seat as readers see it who may, or may not, know its player's name.
    pub(crate) fn seat_message(&self, seat: Seat, fully: bool) -> v1::Seat {
        use seat_state::Occupant;
        let state = &self.state.seats[seat.index()];
        let shown = |name: &str| if fully { name.to_owned() } else { String::new() };
        let (occupant, player_id) = match &state.occupant {
            None | Some(Occupant::Open(_)) => {
                (seat::Occupant::Open(v1::OpenSeat {}), String::new())
            }
            Some(Occupant::ReservedFor(person)) => {
                (seat::Occupant::ReservedFor(shown(&person.name)), shown(&person.player_id))
            }
            Some(Occupant::Player(person)) => {
                (seat::Occupant::Player(shown(&person.name)), shown(&person.player_id))
            }
            Some(Occupant::Automated(by)) => (seat::Occupant::Automated(by.clone()), String::new()),
        };
        v1::Seat {
            number: seat.number(),
            role: self.role(seat).to_owned(),
            occupant: Some(occupant),
            stand_in: state.stand_in.clone(),
            on_vacation: Self::on_vacation(state),
            alive: self.alive().contains(seat) || seat.index() >= self.players(),
            player_id,
            vacant: state.vacant,
            chosen_seat: Some(state.chosen_seat).filter(|&chosen| chosen != 0),
        }
    }

    /// The game's progress, for lists and headings.
    pub fn progress(&self) -> String {
        match self.status() {
            GameStatus::Forming => "players are gathering".to_owned(),
            GameStatus::Revealing => "entropy is being revealed".to_owned(),
            GameStatus::Cancelled => "cancelled".to_owned(),
            GameStatus::Ended => self.headline(),
            _ => self.game.as_ref().map(|game| game.progress()).unwrap_or_default(),
        }
    }

    /// What a viewer may know of the game; nothing before it has started.
    pub fn view(&self, viewer: Viewer) -> Option<GameView> {
        if let Viewer::Seat(seat) = viewer {
            self.assert_seat(seat);
        }
        self.game.as_ref().map(|game| game.view(viewer))
    }

    /// The view with which automation decides for a seat.
    pub fn briefing(&self, seat: Seat) -> Option<GameView> {
        self.assert_seat(seat);
        self.game.as_ref().map(|game| game.briefing(seat))
    }

    /// A seat's standing.
    pub fn standing(&self, seat: Seat) -> Standing {
        self.assert_seat(seat);
        let state = &self.state.seats[seat.index()];
        let running = self.status() == GameStatus::Running;
        let pending = if running { self.pending() } else { Vec::new() };
        let decision = pending.iter().find(|decision| decision.seat == seat);
        Standing {
            phase: state.phase,
            revision: state.revision,
            decision: decision.map(|decision| self.decision_message(decision)),
        }
    }

    /// Every seat's standing, in seat order.
    pub fn standings(&self) -> Vec<Standing> {
        let running = self.status() == GameStatus::Running;
        let pending = if running { self.pending() } else { Vec::new() };
        let standing = |(index, state): (usize, &heliopause_proto::store::v1::SeatState)| {
            let decision = pending.iter().find(|decision| decision.seat.index() == index);
            let decision = decision.map(|decision| self.decision_message(decision));
            Standing { phase: state.phase, revision: state.revision, decision }
        };
        self.state.seats.iter().enumerate().map(standing).collect()
    }

    pub(crate) fn decision_message(&self, decision: &Decision) -> v1::Decision {
        let state = &self.state.seats[decision.seat.index()];
        v1::Decision {
            phase: Some(state.phase),
            revision: Some(state.revision),
            kind: decision.kind.to_owned(),
            prompt: decision.prompt.clone(),
            revisable: decision.revisable,
            due_time: self.state.deadline,
            ready: state.ready,
            wait: state.wait,
        }
    }

    /// A seat's possible orders.
    pub fn offers(&self, seat: Seat) -> Option<Offers<GameOrder>> {
        self.assert_seat(seat);
        self.game
            .as_ref()
            .filter(|_| self.status() == GameStatus::Running)
            .map(|game| game.offers(seat))
    }

    /// Reads orders as text, for a seat or (without one) for the game master.
    pub fn parse(&self, seat: Option<Seat>, text: &str) -> Result<Vec<GameOrder>, Fault> {
        let by = seat.map_or(Actor::GameMaster, Actor::Seat);
        let game =
            self.game.as_ref().ok_or_else(|| self.wrong_status("The game has not started."))?;
        Ok(game.parse(by, text)?)
    }

    /// Judges orders against the current state, by what their seat may know.
    pub fn judge(&self, seat: Seat, order: &GameOrder) -> Result<(), Fault> {
        self.assert_seat(seat);
        self.require_status(&[GameStatus::Running], "it takes no orders")?;
        let game =
            self.game.as_ref().ok_or_else(|| self.wrong_status("The game has not started."))?;
        game.judge(Actor::Seat(seat), order)
    }

    /// The orders of a seat that stand in the open phase, as lines of the notation.
    pub fn standing_orders(&self, seat: Seat) -> Vec<String> {
        self.game.as_ref().map_or_else(Vec::new, |game| game.standing_orders(seat))
    }

    /// The immediate effect of an order on its giver, if the game can tell it beforehand.
    pub fn foretell(&self, seat: Seat, order: &GameOrder) -> Result<Option<GameEvent>, Fault> {
        self.assert_seat(seat);
        let game =
            self.game.as_ref().ok_or_else(|| self.wrong_status("The game has not started."))?;
        Ok(game.foretell(Actor::Seat(seat), order)?)
    }

    /// An order in the notation of the game.
    pub fn notate(&self, order: &GameOrder) -> Result<String, Fault> {
        let game =
            self.game.as_ref().ok_or_else(|| self.wrong_status("The game has not started."))?;
        Ok(game.notate(order)?)
    }

    /// The complete position.
    pub fn position(&self) -> Option<v1::GamePosition> {
        self.game.as_ref().map(|game| game.position())
    }

    /// Everything that automation has to answer: open decisions, and votes.
    pub fn wanted(&self) -> Vec<Wanted> {
        if self.asleep_since().is_some() {
            return Vec::new();
        }
        let mut wanted = self.wanted_decisions();
        wanted.extend(self.wanted_voices());
        wanted
    }

    fn wanted_decisions(&self) -> Vec<Wanted> {
        if self.status() != GameStatus::Running {
            return Vec::new();
        }
        let mut wanted: Vec<Wanted> = Vec::new();
        for decision in self.pending() {
            let seat = decision.seat;
            let state = &self.state.seats[seat.index()];
            let answered = decision.revisable && state.ready;
            let Some(by) = self.automation_of(seat).filter(|_| !answered) else { continue };
            if wanted.iter().any(|one| one.seat == seat) {
                continue;
            }
            let seed = chain::lease_seed(&self.secret, seat.number(), state.phase, state.revision);
            let asked = Asked::Decision(self.standing(seat));
            let may_write = self.may_write(seat);
            wanted.push(Wanted {
                seat,
                by: by.clone(),
                asked,
                memo: state.memo.clone(),
                seed,
                may_write,
            });
        }
        wanted
    }

    /// The account that leads this game, so that one account's many games do not keep another's
    /// waiting. Empty if there is none.
    pub fn led_by(&self) -> &str {
        let created = self.created();
        let owner = created.sandbox.as_ref().and_then(|sandbox| sandbox.owner.as_ref());
        let leader = created.game_master.as_ref().or(self.state.host.as_ref()).or(owner);
        leader.map_or("", |person| &person.player_id)
    }

    /// The directory's record of the table.
    pub fn listing(&self) -> Listing {
        let created = self.created();
        let seats = || Seat::first(self.players());
        let joinable =
            matches!(self.status(), GameStatus::Forming | GameStatus::Running | GameStatus::Paused);
        let open = seats().filter(|&seat| self.is_open(seat)).count();
        Listing {
            game_id: created.game_id.clone(),
            kind: self.kind.id,
            name: created.name.clone(),
            status: self.status(),
            private: created.is_private || self.is_sandbox(),
            sandbox: self.is_sandbox(),
            seats: self.players() as u32,
            open_seats: if joinable { open as u32 } else { 0 },
            created: table::at(self.state.created_at.as_ref()).unwrap_or_default(),
            due: self.due(),
            wants_automation: !self.wanted().is_empty(),
            progress: self.progress(),
            host: self.led_by().to_owned(),
            asleep_since: self.asleep_since(),
            members: self.listing_members(),
        }
    }

    fn listing_members(&self) -> Vec<ListingMember> {
        let running = self.status() == GameStatus::Running;
        let ahead = self.state.clock_ahead_seconds.saturating_mul(1000);
        let deadline =
            table::at(self.running_deadline().as_ref()).map(|due| due.saturating_sub(ahead));
        let mut members: Vec<ListingMember> = Vec::new();
        let owner = created_owner(self.created());
        members.extend(owner.clone().map(ListingMember::without_seat));
        for seat in Seat::first(self.players()) {
            let state = &self.state.seats[seat.index()];
            let (person, invited) = match &state.occupant {
                Some(seat_state::Occupant::Player(person)) => (person, false),
                Some(seat_state::Occupant::ReservedFor(person)) => (person, true),
                _ => match &state.kept_for {
                    Some(person) => (person, true),
                    None => continue,
                },
            };
            if owner.as_ref() == Some(&person.player_id) {
                continue;
            }
            let your_decision = running && !invited && !state.asked.is_empty();
            let seat = if invited { 0 } else { seat.number() };
            let deadline = deadline.filter(|_| your_decision);
            members.push(ListingMember {
                player_id: person.player_id.clone(),
                seat,
                invited,
                your_decision,
                deadline,
            });
        }
        for person in self.state.host.iter().chain(self.created().game_master.as_ref()) {
            if !members.iter().any(|member| member.player_id == person.player_id) {
                members.push(ListingMember::without_seat(person.player_id.clone()));
            }
        }
        members
    }
}

impl Wanted {
    /// The answering player or automation, as the journal and the seat's player read it.
    pub fn answered_by(&self) -> String {
        format!("{} ({})", self.by.profile, self.by.level)
    }
}

impl ListingMember {
    fn without_seat(player_id: String) -> Self {
        Self { player_id, seat: 0, invited: false, your_decision: false, deadline: None }
    }
}

fn created_owner(created: &heliopause_proto::store::v1::Created) -> Option<String> {
    Some(created.sandbox.as_ref()?.owner.as_ref()?.player_id.clone())
}

/// Whether somebody is this player; nobody is one without an id.
pub(crate) fn is(person: Option<&Person>, player_id: &str) -> bool {
    !player_id.is_empty() && person.is_some_and(|person| person.player_id == player_id)
}
