//! Consistency checks of a state. Tests run them after every step, and imports for every position.

use heliopause_kernel::{Malformed, Seat};

use crate::board::Place;
use crate::game::Starships;
use crate::knowledge::{Offers, Owed, Own, Pledge};
use crate::markers::Marker;
use crate::pieces::{self, Base, BaseNumber, Target};
use crate::table::{Breach, DeathStar, Resume, Stage, Status};

type Check = Result<(), Malformed>;

/// The maximum of `next_serial` in a position. The serials above it suffice for the rest of a game.
const MAX_SERIALS: u16 = 20_000;

/// Whether a condition holds, the field that it is about, and the message if it does not hold.
type Condition<'a> = (bool, &'a str, &'a str);

/// Requires conditions on fields of the whole position.
fn require<const N: usize>(conditions: [Condition<'_>; N]) -> Check {
    require_in("", conditions)
}

/// Requires conditions on fields with a common prefix.
fn require_in<const N: usize>(prefix: &str, conditions: [Condition<'_>; N]) -> Check {
    match conditions.into_iter().find(|(holds, ..)| !holds) {
        Some((_, field, message)) => Err(Malformed::field(format!("{prefix}{field}"), message)),
        None => Ok(()),
    }
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
        let last = table.options.last_round_with_death_star;
        let rounds = format!("expected 1 to {last}, found {}", table.round);
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
        let battles_are_limited = table.battle_rounds < u16::MAX / 2;
        require([
            (complete, "turn_order", "expected every player exactly once"),
            ((1..=last).contains(&table.round), "round", &rounds),
            (on_turn, "on_turn", "a player who is out cannot be on turn"),
            (battles_are_limited, "battle_rounds", "too high; the maximum is 32766"),
        ])
    }

    fn check_hexes(&self) -> Check {
        let stars =
            self.secrets.markers.iter().filter(|&&marker| marker == Marker::DeathStar).count();
        require([(stars <= 1, "hexes", "there can be only one Death Star")])?;
        for at in Place::all() {
            let truth = self.secrets.note(at);
            let earth_is_here = truth.marker == Marker::Earth;
            let (fits, expected) = if at == Place::EARTH {
                let fits = earth_is_here || truth.marker == Marker::Destroyed;
                (fits, "expected Earth, or a destroyed planet")
            } else {
                (!earth_is_here, "Earth can be only at (0,0)")
            };
            let shown = self.table.shown[at.index()];
            let public =
                shown.is_some() || !(at == Place::EARTH || truth.marker == Marker::Destroyed);
            let true_face = shown.is_none_or(|note| note == truth);
            let zone = self.table.zones.contains(at);
            let zoned_planet = zone && truth.marker.is_planet();
            let zoned_star = zone && truth.marker == Marker::DeathStar;
            let tokens = self.table.tokens[at.index()];
            let owned = truth.owner.is_none() || truth.marker.is_planet();
            let alive = truth.owner.is_none_or(|owner| self.table.is_alive(owner));
            let marked = truth.owner.is_none_or(|owner| tokens.contains(owner));
            let living = tokens.iter().all(|seat| self.table.is_alive(seat));
            require_in(
                &format!("hexes{at}."),
                [
                    (fits, "marker", expected),
                    (public, "face_up", "Earth and destroyed planets must be face up"),
                    (true_face, "face_up", "the visible contents do not match the hex"),
                    (!zoned_planet, "death_zone", "a planet cannot have a Death Zone"),
                    (!zoned_star, "death_zone", "the Death Star's hex cannot have a Death Zone"),
                    (owned, "owner", "only a planet can have an owner"),
                    (alive, "owner", "a player who is out cannot own a planet"),
                    (marked, "ownership_markers", "the owner's marker must be on their planet"),
                    (living, "ownership_markers", "a player who is out cannot have markers"),
                ],
            )?;
        }
        Ok(())
    }

    fn check_pieces(&self) -> Check {
        let table = &self.table;
        for ship in &table.ships {
            let owner = ship.id.owner;
            let next = table.next_serial[owner.index()];
            let serial = ship.id.serial.0;
            let serials =
                format!("serial {serial} must be at least 1 and below next_serial, {next}");
            let recent =
                ship.condition == pieces::Condition::JustDisrupted && owner != table.active;
            require_in(
                &format!("players[{}].", owner.index()),
                [
                    (
                        table.is_alive(owner),
                        "starships",
                        "a player who is out cannot have starships",
                    ),
                    ((1..next).contains(&serial), "starships", &serials),
                    (
                        !recent,
                        "starships",
                        "only a starship of the player on turn can be Disrupted this turn",
                    ),
                ],
            )?;
        }
        let ships = table.ships.windows(2).all(|pair| pair[0].id < pair[1].id);
        let serials = table.next_serial.iter().all(|&serial| (1..=MAX_SERIALS).contains(&serial));
        let bases = table.bases.windows(2).all(|pair| pair[0].id < pair[1].id);
        require_in(
            "players.",
            [
                (
                    ships,
                    "starships",
                    "starships must have unique serial numbers, in ascending order",
                ),
                (serials, "next_serial", "must be 1 to 20000"),
                (bases, "bases", "bases must have unique numbers, in ascending order"),
            ],
        )?;
        table.bases.iter().try_for_each(|&base| self.check_base(base))
    }

    fn check_base(&self, base: Base) -> Check {
        let table = &self.table;
        let single = base.id.number == BaseNumber::First || table.players() == 1;
        let open = !base.is_out() || !table.zones.contains(base.at);
        let truth = self.secrets.note(base.at);
        let hosted = base.is_out() || truth.marker.is_live();
        let guest = base.at == Place::EARTH && truth.owner.is_none();
        let owns = base.is_out() || truth.owner == Some(base.id.owner) || guest;
        let owner = "the planet under a base must belong to the base's owner, except Earth while \
                     it is unowned";
        require_in(
            &format!("players[{}].", base.id.owner.index()),
            [
                (table.is_alive(base.id.owner), "bases", "a player who is out cannot have a base"),
                (single, "bases", "only a solitaire player can have a second base"),
                (open, "bases", "a base cannot be in a Death Zone"),
                (hosted, "bases", "a base must be on a live planet or out"),
                (owns, "bases", owner),
            ],
        )
    }

    fn check_standing(&self) -> Check {
        let table = &self.table;
        for seat in table.seats() {
            let has_base = table.bases_of(seat).next().is_some();
            let on_earth =
                table.bases_of(seat).any(|base| base.at == Place::EARTH && !base.is_out());
            let guest = on_earth && self.secrets.owners[Place::EARTH.index()] != Some(seat);
            let exile;
            let (fits, expected) = match table.status[seat.index()] {
                Status::Alliance => (on_earth, "a member's base must be on Earth"),
                Status::Exiled { .. } if !on_earth => (false, "an Exile's base must be on Earth"),
                Status::Exiled { round } => {
                    exile = format!("expected exile in round 1 to {}, found {round}", table.round);
                    ((1..=table.round).contains(&round), &*exile)
                }
                Status::Independent => (!guest, "an Independent's base must have left Earth"),
                Status::Eliminated => (true, ""),
            };
            let based = table.is_alive(seat) == has_base;
            require_in(
                &format!("players[{}].", seat.index()),
                [
                    (based, "status", "a player must have a base to be in the game"),
                    (fits, "status", expected),
                ],
            )?;
            self.check_relations(seat)?;
        }
        Ok(())
    }

    fn check_relations(&self, seat: Seat) -> Check {
        let table = &self.table;
        let index = seat.index();
        let sets = [table.wars[index], table.provoked_by[index], table.votes[index]];
        let between_players = sets.map(|set| {
            let is_living = |other: Seat| other != seat && table.is_alive(other);
            set.is_empty() || (table.is_alive(seat) && set.iter().all(is_living))
        });
        let [wars, provocations, votes] = between_players;
        let players = "expected different players who are in the game";
        let mutual = table.wars[index].iter().all(|other| table.at_war(other, seat));
        let peace =
            !table.is_member(seat) || table.wars[index].iter().all(|other| !table.is_member(other));
        let members = table.votes[index].is_empty() || table.is_member(seat);
        let voters = table.votes[index].iter().all(|voter| table.is_member(voter));
        let partners = table.partner[index].is_none_or(|partner| {
            let independent = |one| table.status(one) == Some(Status::Independent);
            let mutual = table.partner.get(partner.index()).copied().flatten() == Some(seat);
            independent(seat) && independent(partner) && mutual
        });
        require([
            (wars, "wars", players),
            (provocations, "provocations", players),
            (votes, "exile_votes", players),
            (mutual, "wars", "war must be mutual"),
            (peace, "wars", "members cannot be at war with each other"),
            (members && voters, "exile_votes", "members can vote only against members"),
            (partners, "partnerships", "partners must be two Independents"),
        ])
    }

    fn check_knowledge(&self) -> Check {
        let own_parts = self.secrets.own.len() == self.table.players() + 1;
        require([(own_parts, "players", "expected one entry for each seat")])?;
        for (index, own) in self.secrets.own.iter().enumerate() {
            let seat = Seat::at(index);
            for at in Place::all() {
                self.check_note(seat, own, at)?;
            }
            let gained = own.gained.without(own.planets).is_empty();
            let attempts = own
                .attempted
                .iter()
                .all(|&piece| piece.owner() == seat && self.table.place_of(piece).is_some());
            let building = own.arrivals.is_none_or(|left| left > 0 && seat == self.table.active);
            let pieces = "only the player's own pieces on the board can have tried to take planets";
            require_in(
                &format!("players[{index}]"),
                [
                    (gained, ".secrets.gained", "a planet gained must still be owned"),
                    (attempts, "", pieces),
                    (building, ".secrets.arrivals", "only the player on turn can build"),
                ],
            )?;
        }
        Ok(())
    }

    fn check_note(&self, seat: Seat, own: &Own, at: Place) -> Check {
        let truth = self.secrets.note(at);
        let shown = self.table.shown[at.index()].is_some();
        let note = own.notes[at.index()];
        let true_note = note.is_none_or(|note| {
            note.marker == truth.marker && (note.owner.is_none() || note.owner == truth.owner)
        });
        let is_seen = shown || note == Some(truth);
        let present = self.table.is_alive(seat) && self.table.is_present(seat, at);
        let owns = truth.owner == Some(seat);
        let listed = own.planets.contains(at) == owns;
        require_in(
            &format!("hexes{at}."),
            [
                (note.is_none() || !shown, "seen_by", "a face-up hex cannot have notes"),
                (true_note, "seen_by", "the note does not match the hex"),
                (!present || is_seen, "seen_by", "a player who is there must see the hex"),
                (!owns || is_seen, "seen_by", "an owner must have seen their planet"),
                (listed, "owner", "the planets of an owner must match the hexes"),
            ],
        )
    }

    fn check_death_star(&self) -> Check {
        let at = Place::all().find(|at| self.secrets.markers[at.index()] == Marker::DeathStar);
        match self.table.death_star {
            DeathStar::Gone => require([(
                at.is_none(),
                "death_star",
                "the marker of a destroyed Death Star cannot be on the board",
            )]),
            DeathStar::Undisturbed => require([(
                at.is_some(),
                "death_star",
                "the marker of the Death Star is not on the board",
            )]),
            DeathStar::Active { provoker, .. } => {
                let shown = at.is_some_and(|at| self.table.shown[at.index()].is_some());
                let alive = self.table.is_over() || self.table.is_alive(provoker);
                require([
                    (shown, "death_star", "an active Death Star must be face up"),
                    (alive, "death_star.provoker", "the provoker must be in the game"),
                ])
            }
        }
    }

    fn check_words(&self) -> Check {
        for (index, own) in self.secrets.own.iter().enumerate() {
            let seat = Seat::at(index);
            for &pledge in &own.pledges {
                self.check_pledge(seat, own, pledge)?;
            }
            let counterparts = |offers: Offers| offers.made.union(offers.got);
            let mut counterparts =
                counterparts(own.peace).iter().chain(counterparts(own.partnership).iter());
            let alive = counterparts.all(|other| other != seat && self.table.is_alive(other));
            let got = |to: Seat| &self.secrets.own[to.index()];
            let answered = alive
                && own.peace.made.iter().all(|to| got(to).peace.got.contains(seat))
                && own.partnership.made.iter().all(|to| got(to).partnership.got.contains(seat));
            require([
                (alive, "offers", "offers must be between players who are in the game"),
                (answered, "offers", "an offer must be listed for both players"),
            ])?;
        }
        for breach in &self.table.broken {
            let alive = self.table.is_alive(breach.breaker) && self.table.is_alive(breach.offended);
            let two = breach.breaker != breach.offended;
            let players = "expected two different players who are in the game";
            require([(alive && two, "breaches", players)])?;
        }
        Ok(())
    }

    fn check_pledge(&self, seat: Seat, own: &Own, pledge: Pledge) -> Check {
        let other = if pledge.giver == seat { pledge.receiver } else { pledge.giver };
        let involved = other != seat && (pledge.giver == seat || pledge.receiver == seat);
        let alive = self.table.is_alive(seat) && self.table.is_alive(other);
        let both = involved && alive && self.secrets.own[other.index()].pledges.contains(&pledge);
        let twice = own.pledges.iter().filter(|twin| twin.is_same(pledge)).count() > 1;
        let (round, last) = (self.table.round, self.table.options.last_round_with_death_star);
        let due = self.table.is_over() || (round..=last).contains(&pledge.until);
        let rounds = format!("expected {round} to {last}, found {}", pledge.until);
        let players = "pledges must be between players who are in the game";
        require([
            (involved && alive, "pledges", players),
            (both, "pledges", "a pledge must be listed for both players"),
            (!twice, "pledges", "the same pledge cannot be given twice"),
            (due, "pledges.until_round", &rounds),
        ])
    }

    fn check_decisions(&self) -> Check {
        let table = &self.table;
        match table.stage {
            Stage::Battle(battle) => {
                let at = table.place_of(battle.attacker);
                let attacker = battle.attacker.owner() == table.active
                    && at.is_some()
                    && !table.is_disrupted(battle.attacker);
                let foe = match battle.target {
                    Target::Piece(foe) => foe.owner() != table.active && table.place_of(foe) == at,
                    Target::DeathStar => {
                        matches!(table.death_star, DeathStar::Active { .. })
                            && table.death_star_at() == at
                    }
                };
                require([
                    (
                        attacker,
                        "stage",
                        "the attacker must be an undisrupted piece of the player on turn",
                    ),
                    (
                        foe,
                        "stage",
                        "the target must be another player's piece or the active Death Star, in \
                         the attacker's hex",
                    ),
                ])?;
            }
            Stage::Breach { .. } => {
                let broken = !table.broken.is_empty();
                require([(broken, "stage", "this stage requires a broken word")])?;
            }
            Stage::Zones { met_by } => {
                let met = met_by.owner() == table.active;
                require([(met, "stage", "the player on turn must have met the Death Star")])?;
            }
            Stage::Over(ending) => {
                let fits = ending.credits.all().len() == table.players();
                require([(fits, "stage", "expected a number of credits for each player")])?;
            }
            Stage::Turn | Stage::Growth => {}
        }
        for (index, own) in self.secrets.own.iter().enumerate() {
            let fits = own.owes.is_none_or(|owed| self.fits_stage(Seat::at(index), owed));
            let field = format!("players[{index}].secrets.pending_decision");
            require([(fits, &field, "this decision is not possible at this stage")])?;
        }
        let owing = self.secrets.own.iter().filter(|own| own.owes.is_some()).count();
        let waits =
            matches!(table.stage, Stage::Zones { .. } | Stage::Growth | Stage::Breach { .. });
        let (asked, expected) =
            if waits { (owing == 1, "exactly one") } else { (owing <= 1, "at most one") };
        let text = format!("expected {expected} pending decision in this stage, found {owing}");
        require([(asked || table.is_over(), "stage", &text)])
    }

    fn fits_stage(&self, seat: Seat, owed: Owed) -> bool {
        let table = &self.table;
        let on_turn = seat == table.active && table.stage == Stage::Turn;
        let star = seat == table.death_star_seat();
        let choosing = |planets: bool, offended: Seat, breaker: Seat| {
            matches!(table.stage, Stage::Breach { planet, .. } if planet == planets)
                && table.broken.first() == Some(&Breach { breaker, offended })
        };
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
            Owed::ChooseShip(breaker) => choosing(false, seat, breaker),
            Owed::ChoosePlanet(breaker) => choosing(true, seat, breaker),
            Owed::CedePlanet(offended) => choosing(true, offended, seat),
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
