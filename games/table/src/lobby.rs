//! Steps before the game: creating the table, joining, revealing entropy, starting.

use std::sync::LazyLock;

use bytes::Bytes;
use heliopause_kernel::sentence::{FactList, Sentences};
use heliopause_kernel::{Audience, Cast, Dice, Seat};
use heliopause_proto::store::v1::{
    Created, Entrant, EntropyRevealed, Joined, Lots, Person, PlannedSeat, Sandbox, SeatState,
    StartCalled, Step, Taken, entrant, planned_seat, seat_state, step,
};
use heliopause_proto::v1::{
    AutomatedSeat, DelegationRule, ErrorReason, GameStatus, OpenSeat, SeatChange, SeatChanged,
    event,
};

use crate::effects::Effects;
use crate::registry::{AnyGame, LEVELS, profiles};
use crate::status::By;
use crate::time::{Millis, stamp};
use crate::{Fault, Table, chain, lots, pace};

const REVEAL_TIMEOUT: Millis = 60 * 1000;

const COMMITMENT_BYTES: usize = 32;

const DRAWN: &str = "In a rated game all seats are drawn by lot; omit the chosen seats.";

static SEAT_CHANGES: LazyLock<Sentences> =
    LazyLock::new(|| Sentences::read(include_str!("seat_changes.txt")));

impl Table {
    pub(crate) fn create_table(
        &mut self,
        created: &Created,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        if self.state.created.is_some() {
            return Err(Fault::new(ErrorReason::WrongStatus, "The table already exists."));
        }
        let mut created = created.clone();
        let position = created.sandbox.as_ref().and_then(|sandbox| sandbox.position.as_ref());
        let placed =
            position.map(|position| self.kind.rules.read_position(position)).transpose()?;
        self.fill_in(&mut created, placed.as_deref())?;
        check_rated(&created)?;
        if let Some(pace) = &created.pace {
            pace::check(pace, self.kind.rules.phase_kinds())?;
        }
        let options = created.options.clone().unwrap_or_default();
        Cast { roles: self.roles, alike: self.alike } =
            self.kind.rules.cast(&options, created.seats.len())?;
        self.anonymous_press = self.kind.rules.anonymous_press(&options)?;
        self.state.seats = self.plan_seats(&mut created)?;
        self.state.pace = created.pace.clone();
        self.state.host.clone_from(&created.host);
        let sandbox = created.sandbox.is_some();
        self.state.created = Some(created);
        if placed.is_none() {
            self.ensure_end()?;
        }
        self.set_status(GameStatus::Forming, By::Game, effects);
        if sandbox { self.start(placed, effects) } else { Ok(()) }
    }

    fn fill_in(&self, created: &mut Created, placed: Option<&dyn AnyGame>) -> Result<(), Fault> {
        created.name = created.name.trim().to_owned();
        if created.name.is_empty() {
            self.kind.name.clone_into(&mut created.name);
        }
        let length = created.name.chars().count();
        if length > 64 {
            let text = format!("The name has {length} characters; the maximum is 64.");
            return Err(Fault::field("name", text));
        }
        if created.name.chars().any(char::is_control) {
            return Err(Fault::field("name", "A name cannot contain control characters."));
        }
        if let Some(game) = placed {
            let (options, players) = game.setup();
            created.options = Some(options);
            let owner = created.sandbox.as_ref().and_then(|sandbox| sandbox.owner.clone());
            let taken = PlannedSeat {
                plan: Some(planned_seat::Plan::Taken(Taken { player: owner, ..Taken::default() })),
            };
            created.seats.resize(players, taken);
        }
        let (options, players) = self.kind.rules.options(created.options.as_ref())?;
        created.options = Some(options);
        if !players.contains(&created.seats.len()) {
            let (fewest, most) = (players.start(), players.end());
            let found = created.seats.len();
            return Err(Fault::field(
                "seats",
                if fewest == most {
                    let players = if *most == 1 { "player" } else { "players" };
                    format!("This game takes exactly {most} {players}, not {found}.")
                } else {
                    format!("This game takes {fewest} to {most} players, not {found}.")
                },
            ));
        }
        if created.delegation().as_str_name().ends_with("UNSPECIFIED") {
            created.set_delegation(DelegationRule::Absence);
        }
        Ok(())
    }

    fn plan_seats(&self, created: &mut Created) -> Result<Vec<SeatState>, Fault> {
        lots::check_chosen(created)?;
        let chosen = created.lots.as_ref().map(|lots| lots.chosen.clone()).unwrap_or_default();
        let mut seats = Vec::with_capacity(self.roles.len());
        let game_master = created.game_master.as_ref().map(|person| person.player_id.clone());
        for (index, planned) in created.seats.iter_mut().enumerate() {
            let field = format!("seats[{index}]");
            let chosen_seat = chosen.get(index).copied().unwrap_or_default();
            let mut state = SeatState { chosen_seat, ..SeatState::default() };
            state.occupant = Some(match planned.plan.as_mut() {
                None | Some(planned_seat::Plan::Open(_)) => seat_state::Occupant::Open(OpenSeat {}),
                Some(planned_seat::Plan::ReservedFor(person)) => {
                    seat_state::Occupant::ReservedFor(person.clone())
                }
                Some(planned_seat::Plan::Automated(by)) => {
                    // The engine has checked the bots of a tournament.
                    if created.tournament_id.is_empty() {
                        *by = self.automation(by, Seat::at(index), &field)?;
                    }
                    seat_state::Occupant::Automated(by.clone())
                }
                Some(planned_seat::Plan::Taken(taken)) => {
                    check_commitment(&taken.entropy_commitment)?;
                    state.entropy_commitment = taken.entropy_commitment.clone();
                    seat_state::Occupant::Player(taken.player.clone().unwrap_or_default())
                }
            });
            if person_of(&state)
                .is_some_and(|person| Some(&person.player_id) == game_master.as_ref())
            {
                return Err(sees_too_much(
                    "The game master sees everything and cannot have a seat.",
                ));
            }
            let same = |other: &SeatState| {
                person_of(other).is_some_and(|person| person_of(&state) == Some(person))
            };
            if created.sandbox.is_none() && seats.iter().any(same) {
                let text = "The player of this seat already has another seat or reserved seat.";
                return Err(Fault::field(field, text));
            }
            seats.push(state);
        }
        for index in created.seats.len()..self.roles.len() {
            let asked = AutomatedSeat {
                level: created.automaton_level.clone(),
                ..AutomatedSeat::default()
            };
            let by = self.automation(&asked, Seat::at(index), "automaton_level")?;
            seats.push(SeatState {
                occupant: Some(seat_state::Occupant::Automated(by)),
                ..SeatState::default()
            });
        }
        if let Some(sandbox) = &created.sandbox {
            self.assign_sandbox_seats(sandbox, created.seats.len(), &mut seats)?;
        }
        Ok(seats)
    }

    /// Assigns all seats to the owner, except those that the owner automates or reserves for
    /// guests.
    fn assign_sandbox_seats(
        &self,
        sandbox: &Sandbox,
        players: usize,
        seats: &mut [SeatState],
    ) -> Result<(), Fault> {
        let owner = sandbox.owner.clone().unwrap_or_default();
        for state in seats.iter_mut() {
            state.occupant = Some(seat_state::Occupant::Player(owner.clone()));
        }
        for (index, automated) in sandbox.automated.iter().enumerate() {
            let field = format!("automated[{index}]");
            let seat = Seat::numbered(automated.seat).filter(|seat| seat.index() < seats.len());
            let seat = seat.ok_or_else(|| {
                let last = self.roles.len();
                let text = format!("Seat {} does not exist; choose 1 to {last}.", automated.seat);
                Fault::field(format!("{field}.seat"), text)
            })?;
            let asked = automated.automation.clone().unwrap_or_default();
            let by = self.automation(&asked, seat, &format!("{field}.by"))?;
            seats[seat.index()].occupant = Some(seat_state::Occupant::Automated(by));
        }
        let mut seated: Vec<&Person> = vec![&owner];
        for (index, guest) in sandbox.guests.iter().enumerate() {
            let field = |name: &str| format!("guests[{index}].{name}");
            let seat = Seat::numbered(guest.seat).filter(|seat| seat.index() < players);
            let seat = seat.ok_or_else(|| {
                let text =
                    format!("Seat {} is not a player's seat; choose 1 to {players}.", guest.seat);
                Fault::field(field("seat"), text)
            })?;
            let Some(seat_state::Occupant::Player(_)) = &seats[seat.index()].occupant else {
                let text = format!("Seat {} is already automated or reserved.", guest.seat);
                return Err(Fault::field(field("seat"), text));
            };
            let person = guest
                .player
                .as_ref()
                .ok_or_else(|| Fault::field(field("player"), "Specify the guest's account."))?;
            if seated.iter().any(|other| other.player_id == person.player_id) {
                let text = "The owner, or a player with a reserved seat, cannot get another seat.";
                return Err(Fault::field(field("player"), text));
            }
            seated.push(person);
            seats[seat.index()].occupant = Some(seat_state::Occupant::ReservedFor(person.clone()));
        }
        Ok(())
    }

    /// Checks the profile and level of automation in a request, even if no seat will use them.
    pub fn check_automation(&self, asked: &AutomatedSeat, field: &str) -> Result<(), Fault> {
        self.automation(asked, Seat::at(0), field).map(drop)
    }

    pub(crate) fn automation(
        &self,
        asked: &AutomatedSeat,
        seat: Seat,
        field: &str,
    ) -> Result<AutomatedSeat, Fault> {
        let own = self.roles[seat.index()].profile;
        let profile = if asked.profile.is_empty() { own } else { asked.profile.as_str() };
        let known = profiles(&self.roles);
        if !known.contains(&profile) {
            let known = known.join(", ");
            return Err(Fault::field(
                format!("{field}.profile"),
                format!("{profile:?} is not a profile of this game; expected one of {known}."),
            ));
        }
        let level = if asked.level.is_empty() { "standard" } else { asked.level.as_str() };
        if !LEVELS.contains(&level) {
            let known = LEVELS.join(", ");
            let text = format!("{level:?} is not a level; expected one of {known}.");
            return Err(Fault::field(format!("{field}.level"), text));
        }
        Ok(AutomatedSeat {
            profile: profile.to_owned(),
            level: level.to_owned(),
            end_time: asked.end_time,
        })
    }

    pub(crate) fn join(&mut self, joined: &Joined, effects: &mut Effects) -> Result<(), Fault> {
        let person = joined.player.clone().unwrap_or_default();
        let running = [GameStatus::Forming, GameStatus::Running, GameStatus::Paused];
        self.require_status(&running, "no player can join")?;
        let kept =
            Seat::first(self.players()).any(|seat| self.is_kept_for(seat, &person.player_id));
        if self.is_sandbox() && !kept {
            let text = "In a sandbox game you can join only a seat that is reserved for you.";
            return Err(Fault::new(ErrorReason::NoOpenSeat, text));
        }
        if self.seat_of(&person.player_id).is_some() {
            let text = "You already have a seat in this game.";
            return Err(Fault::new(ErrorReason::NoOpenSeat, text));
        }
        if self.is_game_master(&person.player_id) {
            return Err(sees_too_much(
                "You are the game master: you see everything and cannot have a seat.",
            ));
        }
        check_commitment(&joined.entropy_commitment)?;
        let seat = self.seat_to_take(joined, &person)?;
        let forming = self.status() == GameStatus::Forming;
        let chooses = self.lots_pending() && joined.seat != 0;
        if chooses && self.created().rated {
            return Err(Fault::field("seat", DRAWN));
        }
        self.wake_if_left(effects);
        let state = &mut self.state.seats[seat.index()];
        if chooses {
            state.chosen_seat = joined.seat;
        }
        state.occupant = Some(seat_state::Occupant::Player(person));
        state.stand_in = None;
        state.set_stand_in_reason(heliopause_proto::store::v1::StandInReason::Unspecified);
        state.vacant = false;
        state.kept_for = None;
        if forming {
            state.entropy_commitment = joined.entropy_commitment.clone();
        } else {
            self.game_seat_changed(seat, heliopause_kernel::SeatChange::Taken, effects);
        }
        self.reset_turn(seat);
        let change = if forming { SeatChange::Joined } else { SeatChange::Replaced };
        self.publish_seat(seat, change, effects);
        Ok(())
    }

    /// Returns the seat for a player who joins: the named seat, or else a seat reserved for the
    /// player, or else an open seat. Fails if the player may not take the named seat, or no seat
    /// is available.
    fn seat_to_take(&self, joined: &Joined, person: &Person) -> Result<Seat, Fault> {
        let kept = |seat: &Seat| self.is_kept_for(*seat, &person.player_id);
        let open = |seat: &Seat| self.is_open(*seat);
        // An export contains neither invite code, so its replay compares two empty strings.
        let private_and_uninvited =
            self.created().is_private && joined.invite_code != self.created().invite_code;
        let may_take = |seat: &Seat| {
            kept(seat) || (open(seat) && !private_and_uninvited && !self.is_sandbox())
        };
        if self.lots_pending() {
            return self.place_to_take(joined, person, may_take);
        }
        if joined.seat != 0 {
            let seat = self.seat_numbered(joined.seat)?;
            let taken = || {
                Fault::new(
                    ErrorReason::NoOpenSeat,
                    format!("You cannot take {seat}: it is not open to you."),
                )
            };
            return if may_take(&seat) { Ok(seat) } else { Err(taken()) };
        }
        let seats = || Seat::first(self.players());
        let found = seats().find(kept).or_else(|| seats().find(may_take));
        found.ok_or_else(|| {
            Fault::new(ErrorReason::NoOpenSeat, "No seat of this game is open to you.")
        })
    }

    pub(crate) fn is_open(&self, seat: Seat) -> bool {
        let state = &self.state.seats[seat.index()];
        let empty = matches!(state.occupant, None | Some(seat_state::Occupant::Open(_)));
        empty || (state.vacant && state.kept_for.is_none())
    }

    pub fn invite_code_fits(&self, code: &str) -> bool {
        !code.is_empty() && code == self.created().invite_code
    }

    pub(crate) fn leave(&mut self, by: &str, effects: &mut Effects) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Forming], "players can leave only before the start")?;
        let seat = self.own_seat(by)?;
        self.state.seats[seat.index()] = SeatState {
            occupant: Some(seat_state::Occupant::Open(OpenSeat {})),
            chosen_seat: self.planned_seat(seat),
            ..SeatState::default()
        };
        self.publish_seat(seat, SeatChange::Left, effects);
        Ok(())
    }

    pub(crate) fn decline(&mut self, by: &str, effects: &mut Effects) -> Result<(), Fault> {
        self.require_not_over()?;
        let kept: Vec<Seat> =
            Seat::first(self.players()).filter(|&seat| self.is_kept_for(seat, by)).collect();
        if kept.is_empty() {
            let text = "No seat of this game is reserved for you.";
            return Err(Fault::new(ErrorReason::NoOpenSeat, text));
        }
        for seat in kept {
            let unclaimed = self.unclaimed();
            let state = &mut self.state.seats[seat.index()];
            state.kept_for = None;
            if matches!(state.occupant, Some(seat_state::Occupant::ReservedFor(_))) {
                state.occupant = Some(unclaimed);
            }
            self.publish_seat(seat, SeatChange::Declined, effects);
        }
        Ok(())
    }

    pub(crate) fn unclaimed(&self) -> seat_state::Occupant {
        let sandbox = self.created().sandbox.as_ref();
        match sandbox.and_then(|sandbox| sandbox.owner.clone()) {
            Some(owner) => seat_state::Occupant::Player(owner),
            None => seat_state::Occupant::Open(OpenSeat {}),
        }
    }

    pub(crate) fn is_kept_for(&self, seat: Seat, player_id: &str) -> bool {
        self.kept_for(seat).is_some_and(|kept| kept.player_id == player_id)
    }

    fn kept_for(&self, seat: Seat) -> Option<&Person> {
        match &self.state.seats[seat.index()] {
            SeatState { occupant: Some(seat_state::Occupant::ReservedFor(kept)), .. } => Some(kept),
            SeatState { vacant: true, kept_for, .. } => kept_for.as_ref(),
            _ => None,
        }
    }

    pub(crate) fn call_start(
        &mut self,
        by: &str,
        call: &StartCalled,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_leader(by, "start the game")?;
        self.require_status(&[GameStatus::Forming], "it cannot be started")?;
        let open: Vec<Seat> = self.unfilled_seats().collect();
        match &call.fill {
            None if !open.is_empty() => {
                let count = open.len();
                let text = format!(
                    "Seats still open: {count}. Fill them with automation, or wait for players."
                );
                return Err(Fault::new(ErrorReason::NoOpenSeat, text));
            }
            None => {}
            Some(fill) => {
                let by = open
                    .iter()
                    .map(|&seat| self.automation(fill, seat, "fill"))
                    .collect::<Result<Vec<_>, _>>()?;
                for (&seat, by) in open.iter().zip(by) {
                    self.state.seats[seat.index()].occupant =
                        Some(seat_state::Occupant::Automated(by));
                    self.publish_seat(seat, SeatChange::Automated, effects);
                }
                self.ensure_end()?;
            }
        }
        self.reveal_or_start(effects)
    }

    fn ensure_end(&mut self) -> Result<(), Fault> {
        let automated =
            |state: &SeatState| matches!(state.occupant, Some(seat_state::Occupant::Automated(_)));
        if !self.state.seats.iter().all(automated) {
            return Ok(());
        }
        let options =
            self.kind.rules.unattended(&self.created().options.clone().unwrap_or_default())?;
        if let Some(created) = &mut self.state.created {
            created.options = Some(options);
        }
        Ok(())
    }

    fn unfilled_seats(&self) -> impl Iterator<Item = Seat> {
        Seat::first(self.players()).filter(|seat| {
            use seat_state::Occupant::{Open, ReservedFor};
            matches!(
                &self.state.seats[seat.index()].occupant,
                None | Some(Open(_) | ReservedFor(_))
            )
        })
    }

    pub(crate) fn start_if_full(&mut self, effects: &mut Effects) {
        let full = self.status() == GameStatus::Forming && self.unfilled_seats().next().is_none();
        if full && self.created().start_when_full {
            // The options were checked at creation, so only a bug can make the set-up fail.
            self.reveal_or_start(effects).expect("a created table can be set up");
        }
    }

    fn reveal_or_start(&mut self, effects: &mut Effects) -> Result<(), Fault> {
        if self.state.seats.iter().any(|seat| !seat.entropy_commitment.is_empty()) {
            self.state.revealing_until = Some(stamp(effects.now + REVEAL_TIMEOUT));
            self.set_status(GameStatus::Revealing, By::Game, effects);
            return Ok(());
        }
        self.start(None, effects)
    }

    pub(crate) fn reveal(
        &mut self,
        by: &str,
        revealed: &EntropyRevealed,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        self.require_status(&[GameStatus::Revealing], "there is nothing to reveal")?;
        let seat = self.own_seat(by)?;
        let state = &mut self.state.seats[seat.index()];
        if revealed.entropy.is_empty() || revealed.entropy.len() > 64 {
            let text = format!("Entropy must be 1 to 64 bytes, not {}.", revealed.entropy.len());
            return Err(Fault::field("entropy", text));
        }
        if state.entropy_commitment != chain::sha256(&[&revealed.entropy]).as_slice() {
            let text = "The SHA-256 hash of the entropy differs from its commitment.";
            return Err(Fault::field("entropy", text));
        }
        state.entropy = revealed.entropy.clone();
        let missing =
            |seat: &SeatState| !seat.entropy_commitment.is_empty() && seat.entropy.is_empty();
        if self.state.seats.iter().any(missing) { Ok(()) } else { self.start(None, effects) }
    }

    pub(crate) fn start(
        &mut self,
        placed: Option<Box<dyn AnyGame>>,
        effects: &mut Effects,
    ) -> Result<(), Fault> {
        let entropy = self
            .state
            .seats
            .iter()
            .map(|seat| seat.entropy.as_ref())
            .filter(|entropy: &&[u8]| !entropy.is_empty());
        let seed = chain::dice_seed(&self.secret, entropy);
        let script =
            self.created().sandbox.as_ref().map(|sandbox| sandbox.dice.clone()).unwrap_or_default();
        let mut dice = Dice::new(seed).scripted(script);
        self.draw_lots(&mut dice, effects);
        let options = self.created().options.clone().unwrap_or_default();
        let (game, happenings) = if let Some(game) = placed {
            (game, Vec::new())
        } else {
            let names = self.all_names();
            self.kind.rules.set_up(&options, self.players(), &mut dice, &names)?
        };
        self.enter();
        self.state.dice_seed = Bytes::copy_from_slice(&seed);
        self.state.started_at = Some(stamp(effects.now));
        self.state.revealing_until = None;
        self.game = Some(game);
        self.dice = dice;
        self.set_status(GameStatus::Running, By::Game, effects);
        effects.game(happenings);
        Ok(())
    }

    /// Records the occupants of the players' seats, to whom the results will belong.
    fn enter(&mut self) {
        let players = if self.is_sandbox() { 0 } else { self.players() };
        for state in &mut self.state.seats[..players] {
            let who = match &state.occupant {
                Some(seat_state::Occupant::Player(person)) => {
                    Some(entrant::Who::Player(person.clone()))
                }
                Some(seat_state::Occupant::Automated(by)) => {
                    Some(entrant::Who::Automated(by.clone()))
                }
                _ => None,
            };
            state.entrant = who.map(|who| Entrant { who: Some(who) });
        }
    }

    pub(crate) fn publish_seat(&self, seat: Seat, change: SeatChange, effects: &mut Effects) {
        let text = self.seat_sentence(seat, change);
        let body = |fully: bool| {
            let seat = Some(self.seat_message(seat, fully));
            event::Body::SeatChanged(SeatChanged { seat, change: change.into() })
        };
        if self.hides_names() {
            effects.publish(
                Audience::others(heliopause_kernel::SeatSet::EMPTY),
                text.clone(),
                body(false),
            );
            effects.publish(Audience::game_master(), text, body(true));
        } else {
            effects.everyone(text, body(true));
        }
    }

    fn seat_sentence(&self, seat: Seat, change: SeatChange) -> String {
        let state = &self.state.seats[seat.index()];
        let is_player = matches!(state.occupant, Some(seat_state::Occupant::Player(_)));
        let names = |seat: Seat| self.name(seat);
        let mut facts = FactList::new(&format!("{change:?}"), &names);
        facts.add("number", seat.number().to_string());
        facts.add("role", self.roles[seat.index()].name.as_str());
        facts.add_field("", "who", &seat);
        for (name, is) in [
            ("place", self.lots_pending()),
            ("away", Self::on_vacation(state)),
            ("sandbox", self.is_sandbox()),
            ("player", is_player),
            ("hidden", self.hides_names()),
        ] {
            facts.add_field("", name, &is);
        }
        facts.add("chosen", self.chosen_role(seat).unwrap_or_default());
        SEAT_CHANGES.describe(&facts).0
    }
}

pub(crate) fn because(why: &str) -> String {
    let why = why.trim_end_matches('.');
    if why.is_empty() { String::new() } else { format!(": {why}") }
}

fn reserved(planned: &PlannedSeat) -> Option<&Person> {
    match &planned.plan {
        Some(planned_seat::Plan::ReservedFor(person)) => Some(person),
        _ => None,
    }
}

/// Returns the players for whom a step reserves seats.
pub fn invited(step: &Step) -> impl Iterator<Item = &str> {
    let (created, given) = match &step.kind {
        Some(step::Kind::Created(created)) => (Some(created), None),
        Some(step::Kind::SeatGiven(given)) => (None, given.player.as_ref()),
        _ => (None, None),
    };
    let planned = created.into_iter().flat_map(|created| &created.seats).filter_map(reserved);
    let sandbox = created.and_then(|created| created.sandbox.as_ref());
    let guests = sandbox
        .into_iter()
        .flat_map(|sandbox| &sandbox.guests)
        .filter_map(|guest| guest.player.as_ref());
    planned.chain(guests).chain(given).map(|person| person.player_id.as_str())
}

fn person_of(state: &SeatState) -> Option<&Person> {
    match &state.occupant {
        Some(seat_state::Occupant::Player(person) | seat_state::Occupant::ReservedFor(person)) => {
            Some(person)
        }
        _ => None,
    }
}

/// Checks that a rated game offers equal conditions to all players.
fn check_rated(created: &Created) -> Result<(), Fault> {
    let chosen = |lots: &Lots| lots.chosen.iter().any(|&seat| seat != 0);
    let flaw = if !created.rated {
        return Ok(());
    } else if created.sandbox.is_some() {
        "A sandbox game cannot be rated."
    } else if created.game_master.is_some() {
        "A game with a game master cannot be rated."
    } else if created.seats.len() < 2 {
        "A game for one player cannot be rated."
    } else if created.rematch_of.is_empty()
        && created.tournament_id.is_empty()
        && created.lots.as_ref().is_none_or(chosen)
    {
        DRAWN
    } else if created.delegation() == DelegationRule::Free {
        "A game with free delegation cannot be rated; allow delegation only in an absence."
    } else {
        return Ok(());
    };
    Err(Fault::field("rated", flaw))
}

fn check_commitment(commitment: &[u8]) -> Result<(), Fault> {
    if commitment.is_empty() || commitment.len() == COMMITMENT_BYTES {
        return Ok(());
    }
    Err(Fault::field(
        "entropy_commitment",
        format!("A commitment must be a SHA-256 hash of 32 bytes, not {} bytes.", commitment.len()),
    ))
}

pub(crate) fn sees_too_much(message: &str) -> Fault {
    Fault::new(ErrorReason::RoleConflict, message)
}
