//! Consistency checks of a state. Tests run them after every step, and imports for every position.

use heliopause_kernel::{Malformed, Seat};

use crate::board::Place;
use crate::game::Starships;
use crate::knowledge::Owed;
use crate::markers::Marker;
use crate::pieces::{Base, BaseNumber, Condition, Target};
use crate::table::{DeathStar, Resume, Stage, Status};

type Check = Result<(), Malformed>;

/// The maximum of `next_serial` in a position. The serials above it suffice for the rest of a game.
const MAX_SERIALS: u16 = 20_000;

fn fault<T>(field: impl Into<String>, message: impl Into<String>) -> Result<T, Malformed> {
    Err(Malformed::field(field.into(), message.into()))
}

fn require(holds: bool, field: impl Fn() -> String, message: &str) -> Check {
    if holds { Ok(()) } else { fault(field(), message) }
}

impl Starships {
    pub(crate) fn integrity(&self) -> Check {
        self.table.options.validate().map_err(|malformed| {
            let field = format!("options.{}", malformed.field);
            Malformed::field(field, malformed.message)
        })?;
        self.check_order()?;
        self.check_hexes()?;
        self.check_pieces()?;
        self.check_standing()?;
        self.check_knowledge()?;
        self.check_death_star()?;
        self.check_words()?;
        self.check_decisions()
    }

    fn check_order(&self) -> Check {
        let table = &self.table;
        let mut sorted = table.order.clone();
        sorted.sort();
        let complete = sorted.iter().copied().eq(table.seats());
        require(complete, || "turn_order".into(), "expected every player exactly once")?;
        let last = table.options.last_round_with_death_star;
        require(
            (1..=last).contains(&table.round),
            || "round".into(),
            &format!("expected 1 to {last}, found {}", table.round),
        )?;
        // A player who is eliminated during their own turn remains on turn until the Death Star's
        // decisions, or the penalties at the end of the round, are settled.
        let ending = match table.stage {
            Stage::Over(_) => true,
            Stage::Zones { .. }
            | Stage::Growth
            | Stage::Breach { resume: Resume::EndOfRound, .. } => table.living().next().is_some(),
            Stage::Turn | Stage::Battle(_) | Stage::Breach { resume: Resume::Turn, .. } => false,
        };
        let on_turn = ending || table.is_alive(table.active);
        require(on_turn, || "on_turn".into(), "a player who is out cannot be on turn")?;
        let rounds = table.battle_rounds < u16::MAX / 2;
        require(rounds, || "battle_rounds".into(), "too high; the maximum is 32766")
    }

    fn check_hexes(&self) -> Check {
        let stars =
            self.secrets.markers.iter().filter(|&&marker| marker == Marker::DeathStar).count();
        require(stars <= 1, || "hexes".into(), "there can be only one Death Star")?;
        for at in Place::all() {
            let name = |field: &'static str| move || format!("hexes{at}.{field}");
            let truth = self.secrets.note(at);
            let earth_is_here = truth.marker == Marker::Earth;
            let (fits, expected) = if at == Place::EARTH {
                let fits = earth_is_here || truth.marker == Marker::Destroyed;
                (fits, "expected Earth, or a destroyed planet")
            } else {
                (!earth_is_here, "Earth can be only at (0,0)")
            };
            require(fits, name("marker"), expected)?;
            let shown = self.table.shown[at.index()];
            let known_to_all = at == Place::EARTH || truth.marker == Marker::Destroyed;
            require(
                shown.is_some() || !known_to_all,
                name("face_up"),
                "Earth and destroyed planets must be face up",
            )?;
            require(
                shown.is_none_or(|note| note == truth),
                name("face_up"),
                "the visible contents do not match the hex",
            )?;
            let zoned_planet = self.table.zones.contains(at) && truth.marker.is_planet();
            require(!zoned_planet, name("death_zone"), "a planet cannot have a Death Zone")?;
            let zoned_star = self.table.zones.contains(at) && truth.marker == Marker::DeathStar;
            require(
                !zoned_star,
                name("death_zone"),
                "the Death Star's hex cannot have a Death Zone",
            )?;
            if let Some(owner) = truth.owner {
                require(
                    truth.marker.is_planet(),
                    name("owner"),
                    "only a planet can have an owner",
                )?;
                require(
                    self.table.is_alive(owner),
                    name("owner"),
                    "a player who is out cannot own a planet",
                )?;
                let marked = self.table.tokens[at.index()].contains(owner);
                require(
                    marked,
                    name("ownership_markers"),
                    "the owner's marker must be on their planet",
                )?;
            }
            let living = self.table.tokens[at.index()].iter().all(|seat| self.table.is_alive(seat));
            require(living, name("ownership_markers"), "a player who is out cannot have markers")?;
        }
        Ok(())
    }

    fn check_pieces(&self) -> Check {
        let table = &self.table;
        for ship in &table.ships {
            let name = || format!("players[{}].starships", ship.id.owner.index());
            require(
                table.is_alive(ship.id.owner),
                name,
                "a player who is out cannot have starships",
            )?;
            let next = table.next_serial[ship.id.owner.index()];
            let serial = ship.id.serial.0;
            if !(1..next).contains(&serial) {
                let text =
                    format!("serial {serial} must be at least 1 and below next_serial, {next}");
                return fault(name(), text);
            }
            let fresh = ship.condition == Condition::JustDisrupted && ship.id.owner != table.active;
            require(
                !fresh,
                name,
                "only a starship of the player on turn can be Disrupted this turn",
            )?;
        }
        let ordered = table.ships.windows(2).all(|pair| pair[0].id < pair[1].id);
        require(
            ordered,
            || "players.starships".into(),
            "starships must have unique serial numbers, in ascending order",
        )?;
        let serials = table.next_serial.iter().all(|&serial| (1..=MAX_SERIALS).contains(&serial));
        require(serials, || "players.next_serial".into(), "must be 1 to 20000")?;
        let ordered = table.bases.windows(2).all(|pair| pair[0].id < pair[1].id);
        require(
            ordered,
            || "players.bases".into(),
            "bases must have unique numbers, in ascending order",
        )?;
        for &base in &table.bases {
            self.check_base(base)?;
        }
        Ok(())
    }

    fn check_base(&self, base: Base) -> Check {
        let name = || format!("players[{}].bases", base.id.owner.index());
        let table = &self.table;
        require(table.is_alive(base.id.owner), name, "a player who is out cannot have a base")?;
        let second = base.id.number == BaseNumber::Second;
        require(
            !second || table.players() == 1,
            name,
            "only a solitaire player can have a second base",
        )?;
        if base.is_out() {
            return require(
                !table.zones.contains(base.at),
                name,
                "a base cannot be in a Death Zone",
            );
        }
        let truth = self.secrets.note(base.at);
        require(truth.marker.is_live(), name, "a base must be on a live planet or out")?;
        let owns = truth.owner == Some(base.id.owner);
        let guest = base.at == Place::EARTH && truth.owner.is_none();
        require(
            owns || guest,
            name,
            "the planet under a base must belong to the base's owner, except Earth while it is \
             unowned",
        )
    }

    fn check_standing(&self) -> Check {
        let table = &self.table;
        for seat in table.seats() {
            let name = || format!("players[{}].status", seat.index());
            let has_base = table.bases_of(seat).next().is_some();
            let on_earth =
                table.bases_of(seat).any(|base| base.at == Place::EARTH && !base.is_out());
            let guest = on_earth && self.secrets.owners[Place::EARTH.index()] != Some(seat);
            let alive = table.is_alive(seat);
            require(alive == has_base, name, "a player must have a base to be in the game")?;
            match table.status[seat.index()] {
                Status::Alliance => require(on_earth, name, "a member's base must be on Earth")?,
                Status::Exiled { round } => {
                    require(on_earth, name, "an Exile's base must be on Earth")?;
                    if !(1..=table.round).contains(&round) {
                        let text =
                            format!("expected exile in round 1 to {}, found {round}", table.round);
                        return fault(name(), text);
                    }
                }
                Status::Independent => {
                    require(!guest, name, "an Independent's base must have left Earth")?;
                }
                Status::Eliminated => {}
            }
            self.check_relations(seat)?;
        }
        Ok(())
    }

    fn check_relations(&self, seat: Seat) -> Check {
        let table = &self.table;
        let index = seat.index();
        let sets = [table.wars[index], table.provoked_by[index], table.votes[index]];
        let fields = ["wars", "provocations", "exile_votes"];
        for (set, field) in sets.into_iter().zip(fields) {
            let others = set.iter().all(|other| other != seat && table.is_alive(other));
            let empty = table.is_alive(seat) || set.is_empty();
            require(
                others && empty,
                || field.into(),
                "expected different players who are in the game",
            )?;
        }
        let mutual = table.wars[index].iter().all(|other| table.at_war(other, seat));
        require(mutual, || "wars".into(), "war must be mutual")?;
        let peace =
            !table.is_member(seat) || table.wars[index].iter().all(|other| !table.is_member(other));
        require(peace, || "wars".into(), "members cannot be at war with each other")?;
        let members = table.votes[index].is_empty() || table.is_member(seat);
        let voters = table.votes[index].iter().all(|voter| table.is_member(voter));
        require(
            members && voters,
            || "exile_votes".into(),
            "members can vote only against members",
        )?;
        if let Some(partner) = table.partner[index] {
            let both = [seat, partner]
                .into_iter()
                .all(|one| table.status(one) == Some(Status::Independent));
            let mutual = table.partner.get(partner.index()).copied().flatten() == Some(seat);
            require(both && mutual, || "partnerships".into(), "partners must be two Independents")?;
        }
        Ok(())
    }

    fn check_knowledge(&self) -> Check {
        let own_parts = self.secrets.own.len() == self.table.players() + 1;
        require(own_parts, || "players".into(), "expected one entry for each seat")?;
        for (index, own) in self.secrets.own.iter().enumerate() {
            let seat = Seat::at(index);
            let player = self.table.is_alive(seat);
            for at in Place::all() {
                let name = |field: &'static str| move || format!("hexes{at}.{field}");
                let truth = self.secrets.note(at);
                let shown = self.table.shown[at.index()].is_some();
                let note = own.notes[at.index()];
                require(
                    note.is_none() || !shown,
                    name("seen_by"),
                    "a face-up hex cannot have notes",
                )?;
                let true_note = note.is_none_or(|note| {
                    note.marker == truth.marker
                        && (note.owner.is_none() || note.owner == truth.owner)
                });
                require(true_note, name("seen_by"), "the note does not match the hex")?;
                let present = player && self.table.is_present(seat, at);
                require(
                    !present || shown || note == Some(truth),
                    name("seen_by"),
                    "a player who is there must see the hex",
                )?;
                let owns = truth.owner == Some(seat);
                require(
                    !owns || shown || note == Some(truth),
                    name("seen_by"),
                    "an owner must have seen their planet",
                )?;
                require(
                    own.planets.contains(at) == owns,
                    name("owner"),
                    "the planets of an owner must match the hexes",
                )?;
            }
            let gained = own.gained.without(own.planets).is_empty();
            require(
                gained,
                || format!("players[{index}].secrets.gained"),
                "a planet gained must still be owned",
            )?;
            let attempts = own
                .attempted
                .iter()
                .all(|&piece| piece.owner() == seat && self.table.place_of(piece).is_some());
            require(
                attempts,
                || format!("players[{index}]"),
                "only the player's own pieces on the board can have tried to take planets",
            )?;
            let building = own.arrivals.is_none_or(|left| left > 0 && seat == self.table.active);
            require(
                building,
                || format!("players[{index}].secrets.arrivals"),
                "only the player on turn can build",
            )?;
        }
        Ok(())
    }

    fn check_death_star(&self) -> Check {
        let name = || "death_star".to_owned();
        let at = Place::all().find(|at| self.secrets.markers[at.index()] == Marker::DeathStar);
        match self.table.death_star {
            DeathStar::Gone => require(
                at.is_none(),
                name,
                "the marker of a destroyed Death Star cannot be on the board",
            ),
            DeathStar::Undisturbed => {
                require(at.is_some(), name, "the marker of the Death Star is not on the board")
            }
            DeathStar::Active { provoker, .. } => {
                let shown = at.is_some_and(|at| self.table.shown[at.index()].is_some());
                require(shown, name, "an active Death Star must be face up")?;
                let alive = self.table.is_over() || self.table.is_alive(provoker);
                require(alive, || "death_star.provoker".into(), "the provoker must be in the game")
            }
        }
    }

    fn check_words(&self) -> Check {
        let name = || "pledges".to_owned();
        for (index, own) in self.secrets.own.iter().enumerate() {
            let seat = Seat::at(index);
            for pledge in &own.pledges {
                let other = if pledge.giver == seat { pledge.receiver } else { pledge.giver };
                let involved = other != seat && (pledge.giver == seat || pledge.receiver == seat);
                let alive = self.table.is_alive(seat) && self.table.is_alive(other);
                require(
                    involved && alive,
                    name,
                    "pledges must be between players who are in the game",
                )?;
                let both = self.secrets.own[other.index()].pledges.contains(pledge);
                require(both, name, "a pledge must be listed for both players")?;
                let twice = own.pledges.iter().filter(|twin| twin.is_same(*pledge)).count() > 1;
                require(!twice, name, "the same pledge cannot be given twice")?;
                let last = self.table.options.last_round_with_death_star;
                let due = (self.table.round..=last).contains(&pledge.until);
                if !due && !self.table.is_over() {
                    let (round, until) = (self.table.round, pledge.until);
                    let text = format!("expected {round} to {last}, found {until}");
                    return fault("pledges.until_round", text);
                }
            }
            for offers in [own.peace, own.partnership] {
                let alive = offers
                    .made
                    .union(offers.got)
                    .iter()
                    .all(|other| other != seat && self.table.is_alive(other));
                require(
                    alive,
                    || "offers".into(),
                    "offers must be between players who are in the game",
                )?;
            }
            let answered = own
                .peace
                .made
                .iter()
                .all(|to| self.secrets.own[to.index()].peace.got.contains(seat))
                && own
                    .partnership
                    .made
                    .iter()
                    .all(|to| self.secrets.own[to.index()].partnership.got.contains(seat));
            require(answered, || "offers".into(), "an offer must be listed for both players")?;
        }
        for breach in &self.table.broken {
            let alive = self.table.is_alive(breach.breaker) && self.table.is_alive(breach.offended);
            let two = breach.breaker != breach.offended;
            require(
                alive && two,
                || "breaches".into(),
                "expected two different players who are in the game",
            )?;
        }
        Ok(())
    }

    fn check_decisions(&self) -> Check {
        let name = || "stage".to_owned();
        let table = &self.table;
        match table.stage {
            Stage::Battle(battle) => {
                let at = table.place_of(battle.attacker);
                let fits = battle.attacker.owner() == table.active
                    && at.is_some()
                    && !table.is_disrupted(battle.attacker);
                require(
                    fits,
                    name,
                    "the attacker must be an undisrupted piece of the player on turn",
                )?;
                let foe = match battle.target {
                    Target::Piece(foe) => foe.owner() != table.active && table.place_of(foe) == at,
                    Target::DeathStar => {
                        matches!(table.death_star, DeathStar::Active { .. })
                            && table.death_star_at() == at
                    }
                };
                require(
                    foe,
                    name,
                    "the target must be another player's piece or the active Death Star, in the \
                     attacker's hex",
                )?;
            }
            Stage::Breach { .. } => {
                require(!table.broken.is_empty(), name, "this stage requires a broken word")?;
            }
            Stage::Zones { met_by } => {
                require(
                    met_by.owner() == table.active,
                    name,
                    "the player on turn must have met the Death Star",
                )?;
            }
            Stage::Over(ending) => {
                let fits = ending.credits.all().len() == table.players();
                require(fits, name, "expected a number of credits for each player")?;
            }
            Stage::Turn | Stage::Growth => {}
        }
        for (index, own) in self.secrets.own.iter().enumerate() {
            let fits = own.owes.is_none_or(|owed| self.fits_stage(Seat::at(index), owed));
            require(
                fits,
                || format!("players[{index}].secrets.pending_decision"),
                "this decision is not possible at this stage",
            )?;
        }
        let owing = self.secrets.own.iter().filter(|own| own.owes.is_some()).count();
        let waits =
            matches!(table.stage, Stage::Zones { .. } | Stage::Growth | Stage::Breach { .. });
        let (asked, expected) =
            if waits { (owing == 1, "exactly one") } else { (owing <= 1, "at most one") };
        if asked || table.is_over() {
            return Ok(());
        }
        let text = format!("expected {expected} pending decision in this stage, found {owing}");
        fault(name(), text)
    }

    fn fits_stage(&self, seat: Seat, owed: Owed) -> bool {
        let table = &self.table;
        let on_turn = seat == table.active && table.stage == Stage::Turn;
        let star = seat == table.death_star_seat();
        let breach = table.broken.first();
        match owed {
            Owed::Fire(piece) => {
                let at = table.place_of(piece);
                let met =
                    at.is_some_and(|at| self.secrets.markers[at.index()] == Marker::DeathStar);
                on_turn
                    && piece.owner() == seat
                    && met
                    && table.death_star == DeathStar::Undisturbed
                    && !table.is_disrupted(piece)
            }
            Owed::Sacrifice(count) => {
                on_turn && count > 0 && usize::from(count) < self.seat_view(seat).starships()
            }
            Owed::ChooseShip(breaker) => {
                matches!(table.stage, Stage::Breach { planet: false, .. })
                    && breach
                        .is_some_and(|breach| breach.offended == seat && breach.breaker == breaker)
            }
            Owed::ChoosePlanet(breaker) => {
                matches!(table.stage, Stage::Breach { planet: true, .. })
                    && breach
                        .is_some_and(|breach| breach.offended == seat && breach.breaker == breaker)
            }
            Owed::CedePlanet(offended) => {
                matches!(table.stage, Stage::Breach { planet: true, .. })
                    && breach
                        .is_some_and(|breach| breach.offended == offended && breach.breaker == seat)
            }
            Owed::Zones { left, .. } => {
                star && matches!(table.stage, Stage::Zones { .. })
                    && (1..=2).contains(&left)
                    && matches!(table.death_star, DeathStar::Active { .. })
            }
            Owed::Growth { sources, .. } => {
                let real = sources.without(table.growth_sources().and(sources));
                star && table.stage == Stage::Growth && real.is_empty()
            }
        }
    }
}
