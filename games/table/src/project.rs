//! A reader's view of a table, and the rights of each reader.

use heliopause_kernel::offer::Offers;
use heliopause_kernel::{Actor, Decision, Seat, Viewer};
use heliopause_proto::store::v1::{Person, StandInReason, seat_state};
use heliopause_proto::v1::{
    self as v1, ErrorReason, GameEvent, GameOrder, GameStatus, GameView, seat,
};

use crate::lobby::sees_too_much;
use crate::registry::AnyGame;
use crate::time::{Millis, at, stamp};
use crate::{Fault, Table, chain};

/// The player who reads a game.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    pub player_id: &'a str,
}

/// A seat's phase, revision and open decision.
#[derive(Clone, Debug, Default)]
pub struct DecisionState {
    pub phase: u64,
    pub revision: u64,
    pub decision: Option<v1::Decision>,
}

/// The data of a table that the directory lists.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
pub struct Listing {
    pub game_id: String,
    pub kind: &'static str,
    pub name: String,
    pub status: GameStatus,
    pub private: bool,
    pub sandbox: bool,
    pub seats: u32,
    pub open_seats: u32,
    pub created: Millis,
    /// When the next timer is due, in the server's time.
    pub due: Option<Millis>,
    pub wants_automation: bool,
    pub progress: String,
    /// The account that leads the game, or an empty string.
    pub host: String,
    pub asleep_since: Option<Millis>,
    /// When the game ended with a result. Always `None` for sandbox games.
    pub ended: Option<Millis>,
    pub rated: bool,
    /// Whether spectators do not see who plays.
    pub names_hidden: bool,
    pub members: Vec<ListingMember>,
}

/// A member of a table: a player, the host, the game master or the owner of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ListingMember {
    pub player_id: String,
    pub seat: u32,
    pub invited: bool,
    pub your_decision: bool,
    /// When the decision is due, in the server's time.
    pub deadline: Option<Millis>,
}

/// A pending decision or vote of a seat that automation plays.
#[derive(Clone, Debug)]
pub struct AutomationTask {
    pub seat: Seat,
    pub by: v1::AutomatedSeat,
    pub kind: TaskKind,
    pub memo: bytes::Bytes,
    pub seed: chain::Hash,
    pub may_write: bool,
}

/// A decision or a vote that waits for automation.
#[derive(Clone, Debug)]
pub enum TaskKind {
    Decision(DecisionState),
    Vote(v1::Vote),
}

impl Table {
    pub fn seat_of(&self, player_id: &str) -> Option<Seat> {
        if player_id.is_empty() {
            return None;
        }
        Seat::first(self.players().min(self.state.seats.len()))
            .find(|&seat| self.holds(player_id, seat))
    }

    /// Returns the seat of a player. Returns `None` for a sandbox's owner, who has all seats.
    pub fn only_seat_of(&self, player_id: &str) -> Option<Seat> {
        if self.is_sandbox_owner(player_id) { None } else { self.seat_of(player_id) }
    }

    fn holds(&self, player_id: &str, seat: Seat) -> bool {
        let occupant = &self.state.seats[seat.index()].occupant;
        matches!(occupant, Some(seat_state::Occupant::Player(person)) if person.player_id == player_id)
    }

    pub(crate) fn own_seat(&self, by: &str) -> Result<Seat, Fault> {
        self.seat_of(by)
            .ok_or_else(|| Fault::new(ErrorReason::NotYourSeat, "You have no seat in this game."))
    }

    pub fn is_game_master(&self, player_id: &str) -> bool {
        is(self.created().game_master.as_ref(), player_id)
    }

    pub fn is_host(&self, player_id: &str) -> bool {
        is(self.state.host.as_ref(), player_id)
    }

    /// Returns whether a player who presents this invite code may see the game.
    pub fn knows(&self, player_id: &str, invite_code: &str) -> bool {
        let is_public = !self.created().is_private && !self.is_sandbox();
        let invited = !self.is_sandbox() && self.invite_code_fits(invite_code);
        is_public || self.is_participant(player_id) || invited
    }

    /// Returns whether a player has a seat or a reserved seat, or leads the game.
    pub fn is_participant(&self, player_id: &str) -> bool {
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

    /// Returns the seat for which a player acts: the named seat, or else the player's own. For a
    /// sandbox's owner who names no seat, returns the seat of the branch or the only seat with a
    /// pending decision. Fails if there is no such seat or the player may not act for the named
    /// seat.
    pub fn acting_seat(&self, player_id: &str, number: Option<u32>) -> Result<Seat, Fault> {
        let seat = match number {
            Some(number) => self.seat_numbered(number)?,
            None if self.is_sandbox_owner(player_id) => self.sandbox_default_seat(player_id)?,
            None => return self.own_seat(player_id),
        };
        self.require_seat(player_id, seat).map(|()| seat)
    }

    /// Returns the seats for which a player owes a decision now: the player's own, or in a sandbox
    /// all seats that automation does not play.
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

    /// Returns the seat that a branch was made for, if the player owns the branch.
    fn own_branch_seat(&self, player_id: &str) -> Option<Seat> {
        let origin = self.analysis().filter(|_| self.is_sandbox_owner(player_id))?;
        origin.seat.and_then(Seat::numbered)
    }

    fn sandbox_default_seat(&self, player_id: &str) -> Result<Seat, Fault> {
        if let Some(seat) = self.own_branch_seat(player_id) {
            return Ok(seat);
        }
        let pending = self.pending();
        match pending.as_slice() {
            [one] => Ok(one.seat),
            _ => Err(Fault::field(
                "seat",
                "Name the seat: the owner of a sandbox game controls every seat.",
            )),
        }
    }

    /// Returns the viewer for a player: the named or own seat, the seat of the player's branch, the
    /// game master, or a spectator.
    /// Fails if the player may not act for the named seat.
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
            && let Some(seat) = self.own_branch_seat(player_id)
        {
            return Ok(Viewer::Seat(seat));
        }
        if number.is_none()
            && (self.is_sandbox_owner(player_id) || self.seat_of(player_id).is_none())
        {
            return Ok(Viewer::Spectator);
        }
        self.acting_seat(player_id, number).map(Viewer::Seat)
    }

    /// Checks that a player has this seat and that the game master did not give it to automation.
    pub(crate) fn require_seat(&self, by: &str, seat: Seat) -> Result<(), Fault> {
        if self.is_sandbox_owner(by) {
            return Ok(());
        }
        if !self.holds(by, seat) {
            return Err(Fault::new(ErrorReason::NotYourSeat, format!("You do not have {seat}.")));
        }
        if self.state.seats[seat.index()].stand_in_reason() == StandInReason::GameMaster {
            let text = "The game master gave your seat to automation.";
            return Err(Fault::new(ErrorReason::NotYourSeat, text));
        }
        Ok(())
    }

    pub(crate) fn require_game_master(&self, by: &str, what: &str) -> Result<(), Fault> {
        if self.leads_without_playing(by) {
            return Ok(());
        }
        Err(Fault::role("game-master", format!("Only the game master may {what}.")))
    }

    pub(crate) fn require_leader(&self, by: &str, what: &str) -> Result<(), Fault> {
        if self.is_game_master(by) || self.is_host(by) || self.is_sandbox_owner(by) {
            return Ok(());
        }
        Err(Fault::role("host", format!("Only the game master or the host may {what}.")))
    }

    pub(crate) fn leads_without_playing(&self, by: &str) -> bool {
        self.is_game_master(by) || self.is_sandbox_owner(by)
    }

    /// Checks that an account is the game master, because only they may export all of a running
    /// game.
    pub fn check_full_export(&self, by: &str) -> Result<(), Fault> {
        if self.is_game_master(by) {
            return Ok(());
        }
        Err(sees_too_much("Only the game master can export everything while the game is running."))
    }

    /// Returns whether a worker of this account may lease this table's decisions.
    pub fn may_work(&self, player_id: &str) -> bool {
        self.is_sandbox_owner(player_id) || !self.is_member(player_id)
    }

    /// Checks that an account may work for automated seats. A worker whose account has a seat would
    /// see the secrets of two seats.
    pub(crate) fn require_worker(&self, by: &str) -> Result<(), Fault> {
        if self.seat_of(by).is_none() || self.is_sandbox_owner(by) {
            return Ok(());
        }
        Err(sees_too_much("A player's account cannot play the automated seats of the same game."))
    }

    pub(crate) fn hides_names(&self) -> bool {
        let over = matches!(self.status(), GameStatus::Ended | GameStatus::Cancelled);
        self.state.created.as_ref().is_some_and(|created| created.anonymous) && !over
    }

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

    fn is_place(&self, seat: Seat) -> bool {
        self.lots_pending() && seat.index() < self.players()
    }

    pub(crate) fn chosen_role(&self, place: Seat) -> Option<&str> {
        let chosen = Seat::numbered(self.state.seats[place.index()].chosen_seat)?;
        self.roles.get(chosen.index()).map(|role| role.name.as_str())
    }

    fn role(&self, seat: Seat) -> &str {
        if self.is_place(seat) {
            return self.chosen_role(seat).unwrap_or("by lot");
        }
        self.roles.get(seat.index()).map_or("", |role| role.name.as_str())
    }

    pub(crate) fn all_names(&self) -> Vec<String> {
        Seat::first(self.state.seats.len()).map(|seat| self.name(seat)).collect()
    }

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
            you_are_host: self.is_host(reader.player_id),
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
            rated: created.rated,
            no_analysis: created.no_analysis,
            analysis: self.analysis().cloned(),
            tournament_id: created.tournament_id.clone(),
            delegation: created.delegation,
            create_time: self.state.created_at,
            start_time: self.state.started_at,
            end_time: self.state.ended_at,
            due_time: self.running_deadline(),
            on_turn: in_play.and_then(AnyGame::on_turn).map(Seat::number),
            waits_for_automation: false,
            operator_pause: self.state.operator_pause.clone(),
            automation_suspend_time: self.asleep_since().map(stamp),
            pending_seats: self.waiting(),
            hide_ready: created.hide_ready,
            open_messages: created.open_messages,
            lots_pending: self.lots_pending(),
            roles: self.choices(),
            anonymous_messages: self.anonymous_press,
            seed_commitment: created.seed_commitment.clone(),
            outcome: self.outcome(),
            invite_code: if leads { created.invite_code.clone() } else { String::new() },
        }
    }

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

    /// Describes a seat. Includes the player's name and id if `fully` is set.
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

    pub fn progress(&self) -> String {
        match self.status() {
            GameStatus::Forming => "waiting for players".to_owned(),
            GameStatus::Revealing => "waiting for entropy".to_owned(),
            GameStatus::Cancelled => "canceled".to_owned(),
            GameStatus::Ended => self.headline(),
            _ => self.game.as_ref().map(|game| game.progress()).unwrap_or_default(),
        }
    }

    pub fn view(&self, viewer: Viewer) -> Option<GameView> {
        if let Viewer::Seat(seat) = viewer {
            self.assert_seat(seat);
        }
        self.game.as_ref().map(|game| game.view(viewer))
    }

    /// Returns the view on which automation bases its decisions for a seat.
    pub fn briefing(&self, seat: Seat) -> Option<GameView> {
        self.assert_seat(seat);
        self.game.as_ref().map(|game| game.briefing(seat))
    }

    pub fn decision_state(&self, seat: Seat) -> DecisionState {
        self.assert_seat(seat);
        let state = &self.state.seats[seat.index()];
        let running = self.status() == GameStatus::Running;
        let pending = if running { self.pending() } else { Vec::new() };
        let decision = pending.iter().find(|decision| decision.seat == seat);
        DecisionState {
            phase: state.phase,
            revision: state.revision,
            decision: decision.map(|decision| self.decision_message(decision)),
        }
    }

    pub fn decision_states(&self) -> Vec<DecisionState> {
        let running = self.status() == GameStatus::Running;
        let pending = if running { self.pending() } else { Vec::new() };
        let decision_state = |(index, state): (usize, &heliopause_proto::store::v1::SeatState)| {
            let decision = pending.iter().find(|decision| decision.seat.index() == index);
            let decision = decision.map(|decision| self.decision_message(decision));
            DecisionState { phase: state.phase, revision: state.revision, decision }
        };
        self.state.seats.iter().enumerate().map(decision_state).collect()
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

    pub fn offers(&self, seat: Seat) -> Option<Offers<GameOrder>> {
        self.assert_seat(seat);
        self.game
            .as_ref()
            .filter(|_| self.status() == GameStatus::Running)
            .map(|game| game.offers(seat))
    }

    /// Parses orders for a seat, or for the game master if `seat` is `None`.
    pub fn parse(&self, seat: Option<Seat>, text: &str) -> Result<Vec<GameOrder>, Fault> {
        let by = seat.map_or(Actor::GameMaster, Actor::Seat);
        Ok(self.playing()?.parse(by, text)?)
    }

    /// Judges an order on the current state, from its seat's view.
    pub fn judge(&self, seat: Seat, order: &GameOrder) -> Result<(), Fault> {
        self.assert_seat(seat);
        self.require_status(&[GameStatus::Running], "it accepts no orders")?;
        self.playing()?.judge(Actor::Seat(seat), order)
    }

    /// Returns a seat's stored orders of the open phase in the game's notation.
    pub fn standing_orders(&self, seat: Seat) -> Vec<String> {
        self.game.as_ref().map_or_else(Vec::new, |game| game.standing_orders(seat))
    }

    /// Returns the event that an order would immediately publish to its seat. Returns `None` if
    /// the seat cannot predict the event.
    pub fn preview(&self, seat: Seat, order: &GameOrder) -> Result<Option<GameEvent>, Fault> {
        self.assert_seat(seat);
        Ok(self.playing()?.preview(Actor::Seat(seat), order)?)
    }

    pub fn notate(&self, order: &GameOrder) -> Result<String, Fault> {
        Ok(self.playing()?.notate(order)?)
    }

    pub fn position(&self) -> Option<v1::GamePosition> {
        self.game.as_ref().map(|game| game.position())
    }

    /// Returns all pending decisions and votes of automation.
    pub fn wanted(&self) -> Vec<AutomationTask> {
        if self.asleep_since().is_some() {
            return Vec::new();
        }
        let mut wanted = self.pending_decisions();
        wanted.extend(self.pending_votes());
        wanted
    }

    fn pending_decisions(&self) -> Vec<AutomationTask> {
        if self.status() != GameStatus::Running {
            return Vec::new();
        }
        let mut wanted: Vec<AutomationTask> = Vec::new();
        for decision in self.pending() {
            let seat = decision.seat;
            let state = &self.state.seats[seat.index()];
            let answered = decision.revisable && state.ready;
            let Some(by) = self.automation_of(seat).filter(|_| !answered) else { continue };
            if wanted.iter().any(|one| one.seat == seat) {
                continue;
            }
            let seed = chain::lease_seed(&self.secret, seat.number(), state.phase, state.revision);
            let kind = TaskKind::Decision(self.decision_state(seat));
            let may_write = self.may_write(seat);
            wanted.push(AutomationTask {
                seat,
                by: by.clone(),
                kind,
                memo: state.memo.clone(),
                seed,
                may_write,
            });
        }
        wanted
    }

    /// Returns the player id of the game master, else of the host, else of the sandbox owner.
    /// Empty if there is none.
    pub fn leader_id(&self) -> &str {
        let created = self.created();
        let owner = created.sandbox.as_ref().and_then(|sandbox| sandbox.owner.as_ref());
        let leader = created.game_master.as_ref().or(self.state.host.as_ref()).or(owner);
        leader.map_or("", |person| &person.player_id)
    }

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
            // Only AnalysisService lists branches and removes them.
            sandbox: self.is_sandbox() && self.analysis().is_none(),
            seats: self.players() as u32,
            open_seats: if joinable { open as u32 } else { 0 },
            created: at(self.state.created_at.as_ref()).unwrap_or_default(),
            due: self.due(),
            wants_automation: !self.wanted().is_empty(),
            progress: self.progress(),
            host: if self.analysis().is_some() { "" } else { self.leader_id() }.to_owned(),
            asleep_since: self.asleep_since(),
            ended: at(self.state.ended_at.as_ref())
                .filter(|_| self.status() == GameStatus::Ended && !self.is_sandbox()),
            rated: created.rated,
            names_hidden: self.hides_names(),
            members: self.listing_members(),
        }
    }

    fn listing_members(&self) -> Vec<ListingMember> {
        if self.analysis().is_some() {
            return Vec::new();
        }
        let running = self.status() == GameStatus::Running;
        let ahead = self.state.clock_ahead_seconds.saturating_mul(1000);
        let deadline = at(self.running_deadline().as_ref()).map(|due| due.saturating_sub(ahead));
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

impl AutomationTask {
    /// Returns the profile and level of the automation, for the journal and the seat's player.
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

/// Returns whether a person has this id. An empty id matches no person.
pub(crate) fn is(person: Option<&Person>, player_id: &str) -> bool {
    !player_id.is_empty() && person.is_some_and(|person| person.player_id == player_id)
}
