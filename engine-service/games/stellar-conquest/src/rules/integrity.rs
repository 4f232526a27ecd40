//! Whether a state holds together: after every step in tests, and for every position that comes
//! from outside.

use heliopause_kernel::{Malformed, Seat};

use crate::state::battle::{Battle, Subject};
use crate::state::campaign::{Campaign, CampaignStage};
use crate::state::colony::Colony;
use crate::state::options::Variant;
use crate::state::position::StellarConquest;
use crate::state::power::Power;
use crate::state::sheet::Sheet;
use crate::state::ship::Ship;
use crate::state::table::{Post, Stage, TURNS, Table};
use crate::state::view::View;
use crate::tables::attack_table::Arm;
use crate::tables::board::Place;
use crate::tables::cards::{CardId, PlanetId};
use crate::tables::stars::{Colour, StarId};

type Check = Result<(), Malformed>;

fn require(holds: bool, field: impl Fn() -> String, message: &str) -> Check {
    if holds { Ok(()) } else { Err(Malformed::field(field(), message.to_owned())) }
}

/// Whether a sorted list has no two that are alike.
fn rises<T: Ord>(items: impl IntoIterator<Item = T>) -> bool {
    let mut items = items.into_iter();
    let Some(mut last) = items.next() else { return true };
    items.all(|item| {
        let rises = last < item;
        last = item;
        rises
    })
}

/// So that no sum overflows: factories or bases of one colony, and what the Empire gives or is
/// owed.
const COLONY_MAX: u32 = 1_000_000;

/// The same for millions of a colony, and for its place in the order of age.
const PEOPLE_MAX: u16 = 10_000;

/// The same for numbers of ships: no game builds so many.
const NUMBER_MAX: u32 = 1 << 30;

/// Whether all of these are among so many seats.
fn there(seats: usize, named: impl IntoIterator<Item = Seat>, field: impl Fn() -> String) -> Check {
    require(named.into_iter().all(|seat| seat.index() < seats), field, "there is no such seat")
}

impl View {
    /// Whoever is named in it has a seat.
    pub(crate) fn check_seats(&self) -> Check {
        self.table.check_seats()?;
        self.power().map_or(Ok(()), |power| power.check_seats(self.table.seats()))
    }
}

impl Table {
    fn check_seats(&self) -> Check {
        let seats = self.seats();
        there(seats, self.posts.iter().map(|post| post.seat), || "table.posts".into())?;
        there(seats, self.shown.iter().map(|post| post.seat), || "table.shown".into())?;
        there(seats, self.ending.iter().flat_map(|ending| ending.winners.iter()), || {
            "table.ending.winners".into()
        })?;
        if let Some(battle) = &self.battle {
            let pursuers = battle.pursuits.iter().map(|pursuit| pursuit.seat);
            let named = battle.participants().union(battle.waits_for()).iter().chain(pursuers);
            there(seats, named, || "table.battle".into())?;
        }
        let claims = self
            .campaign
            .politics()
            .into_iter()
            .flat_map(|politics| politics.claims.iter().flatten());
        there(seats, claims.copied(), || "table.politics.claims".into())
    }
}

impl Power {
    fn check_seats(&self, seats: usize) -> Check {
        let charts = self.charts.iter().flat_map(|chart| chart.colonies.iter().flatten());
        let seen = charts.flat_map(|seen| seen.conqueror.into_iter().chain([seen.owner]));
        let ships =
            self.sightings.iter().map(|seen| seen.of).chain(self.glimpses.iter().map(|one| one.of));
        let captives = self.ships.iter().filter_map(|ship| ship.load()?.captives_of);
        let prizes = self.prizes.iter();
        let colonies = self.colonies.iter().chain(prizes.clone().map(|prize| &prize.colony));
        let held = colonies.filter_map(Colony::conqueror).chain(prizes.map(|prize| prize.owner));
        there(seats, seen.chain(ships).chain(captives).chain(held), || "powers".into())
    }
}

impl StellarConquest {
    /// Every invariant of a state; names the field of the position that breaks one.
    pub(crate) fn integrity(&self) -> Check {
        self.table.options.validate()?;
        let seats = self.truth.powers.len() == self.table.seats()
            && self.decided.len() == self.table.seats();
        require(seats, || "powers".into(), "every seat has one")?;
        self.table.check_seats()?;
        self.check_table()?;
        self.check_cards()?;
        for seat in Seat::first(self.table.seats()) {
            self.check_power(seat).map_err(|fault| {
                let field = format!("powers[{}].{}", seat.index(), fault.field);
                Malformed::field(field, fault.message)
            })?;
        }
        self.check_planets()?;
        self.check_campaign()?;
        self.check_seats()?;
        self.check_battle()
    }

    fn check_table(&self) -> Check {
        let table = &self.table;
        let players = table.options.players().contains(&table.players);
        require(players, || "table.players".into(), "the game is not for so many")?;
        let automata = crate::state::campaign::automata(table.options.variant).len();
        require(
            table.seats() == table.players + automata,
            || "table.groups".into(),
            "every seat has some",
        )?;
        require(table.turn <= TURNS, || "table.turn".into(), "the last turn is 44")?;
        let mut order = table.order.clone();
        order.sort_unstable();
        require(
            order.into_iter().eq(table.player_seats()),
            || "table.order".into(),
            "it names every player once",
        )?;
        require(
            table.active.index() < table.players,
            || "table.active".into(),
            "a player is on turn",
        )?;
        require(
            table.entries.len() == table.players,
            || "table.entries".into(),
            "every player has one",
        )?;
        let before = matches!(table.stage, Stage::Setup) == (table.turn == 0);
        require(
            before,
            || "table.stage".into(),
            "setup comes before turn 1, and nothing else does",
        )?;
        let over = table.ending.is_some() == table.is_over();
        require(over, || "table.ending".into(), "a game that is over has an ending, and no other")?;
        let points =
            table.ending.as_ref().is_none_or(|ending| ending.points.len() == table.players);
        require(points, || "table.ending.points".into(), "every player has some")?;
        let fights =
            table.stage != Stage::Combat || !self.eyes(table.active).battle_hexes().is_empty();
        require(fights, || "table.stage".into(), "there is a hex to fight in")?;
        let variant = matches!(
            (&table.campaign, table.options.variant),
            (Campaign::Conquest, Variant::Conquest)
                | (Campaign::Fate(_), Variant::FateOfEmpire)
                | (Campaign::OuterSpace(_), Variant::OuterSpace)
        );
        require(variant, || "table.fate".into(), "it belongs to the variant")?;
        self.check_posts()
    }

    fn check_posts(&self) -> Check {
        let table = &self.table;
        let name = || "table.posts".to_owned();
        require(rises(&table.posts), name, "they are sorted and differ")?;
        require(rises(&table.shown), || "table.shown".into(), "they are sorted and differ")?;
        let stands = |post: &Post| {
            self.truth.powers.get(post.seat.index()).is_some_and(|power| power.may_post(post.star))
        };
        require(
            table.posts.iter().all(stands),
            name,
            "a post stands where its owner has a free colony",
        )
    }

    /// Every card is in its deck or tied to one star of its colour.
    fn check_cards(&self) -> Check {
        let secrets = &self.truth.secrets;
        let name = || "secrets".to_owned();
        for colour in Colour::ALL {
            let drawn = StarId::ALL
                .into_iter()
                .filter_map(|star| secrets.cards[star.index()].map(|card| (star, card)));
            let drawn = drawn.filter(|(star, _)| star.colour() == colour).map(|(_, card)| card);
            let mut cards: Vec<CardId> =
                secrets.decks[colour as usize].iter().copied().chain(drawn).collect();
            cards.sort_unstable();
            require(
                cards.into_iter().eq(CardId::deck(colour)),
                name,
                "every card is in one place of its colour",
            )?;
        }
        let known = self.truth.powers.iter().all(|power| {
            StarId::ALL.into_iter().all(|star| {
                let card = power.chart(star).card;
                card.is_none() || card == secrets.cards[star.index()]
            })
        });
        require(known, name, "who knows a star's card knows the card that is tied to it")
    }

    fn check_power(&self, seat: Seat) -> Check {
        let power = self.power(seat);
        let ships = || "ships".to_owned();
        require(
            rises(power.ships.iter().map(|ship| ship.number)),
            ships,
            "they are sorted by number",
        )?;
        let next = power.ships.last().is_none_or(|ship| ship.number < power.next_ship);
        require(next, || "next_ship".into(), "it is above all numbers")?;
        power.ships.iter().try_for_each(check_ship)?;
        let shown =
            Place::all().all(|at| self.table.groups[seat.index()].at(at) == power.groups_at(at));
        require(shown, || "groups".into(), "the table shows the groups of ships that there are")?;
        require(power.next_ship.0 <= NUMBER_MAX, || "next_ship".into(), "a number is too high")?;
        let entered =
            seat.index() < self.table.players || power.ships.iter().all(|ship| ship.at.is_some());
        require(entered, ships, "only players' ships wait off the board")?;
        require(power.grant <= COLONY_MAX, || "grant".into(), "a number is too high")?;
        check_markers(power)?;
        self.check_sheet(seat)?;
        let colonies = power.colonies.iter().map(|colony| colony.planet);
        require(rises(colonies), || "colonies".into(), "they are sorted by planet")?;
        power.colonies.iter().try_for_each(|colony| self.check_colony(seat, colony))?;
        self.check_prizes(seat)
    }

    /// What was handed in is what the open phase asks for, and is accepted still: it is carried out
    /// without asking again.
    fn check_sheet(&self, seat: Seat) -> Check {
        let (eyes, stage) = (self.eyes(seat), self.table.stage);
        let accepted = match &self.power(seat).sheet {
            Sheet::None => true,
            Sheet::Outfit(outfit) => stage == Stage::Setup && eyes.judge_outfit(outfit).is_ok(),
            Sheet::Production(sheet) => {
                stage == Stage::Production && eyes.judge_production(sheet).is_ok()
            }
            Sheet::Decree(sheet) => stage == Stage::Production && eyes.judge_decree(sheet).is_ok(),
        };
        require(accepted, || "sheet".into(), "it is not one that could be handed in")
    }

    fn check_colony(&self, seat: Seat, colony: &Colony) -> Check {
        let name = || "colonies".to_owned();
        let card = self.truth.secrets.cards[colony.planet.star.index()];
        let world = card.and_then(|card| colony.planet.on(card));
        require(
            world == Some(&colony.world),
            name,
            "a colony is on a planet of a card that was drawn",
        )?;
        require(colony.population > 0, name, "somebody lives there")?;
        let counts = [colony.factories, colony.bases.missile, colony.bases.advanced];
        require(counts.iter().all(|&count| count <= COLONY_MAX), name, "a number is too high")?;
        let people = [colony.population, colony.subjects, colony.grown, colony.founded];
        require(people.iter().all(|&count| count <= PEOPLE_MAX), name, "a number is too high")?;
        let production = self.table.stage == Stage::Production;
        require(colony.grown == 0 || production, name, "it grows in production turns alone")?;
        let dominion = self.table.campaign.fate().is_some() || !colony.is_dominion();
        require(dominion, name, "only The Fate of Empire knows dominions")?;
        let conqueror =
            colony.conqueror().is_none_or(|by| by != seat && by.index() < self.table.players);
        require(conqueror, name, "a conqueror is another player")
    }

    /// A conqueror's copy of a colony is the same as its owner's.
    fn check_prizes(&self, seat: Seat) -> Check {
        let mut held: Vec<(PlanetId, Seat, &Colony)> = Vec::new();
        for owner in Seat::first(self.table.seats()) {
            let colonies =
                self.power(owner).colonies.iter().filter(|colony| colony.conqueror() == Some(seat));
            held.extend(colonies.map(|colony| (colony.planet, owner, colony)));
        }
        held.sort_unstable();
        let prizes = self
            .power(seat)
            .prizes
            .iter()
            .map(|prize| (prize.colony.planet, prize.owner, &prize.colony));
        require(prizes.eq(held), || "prizes".into(), "they are the colonies that the seat holds")
    }

    /// 16.2: one colony a planet.
    fn check_planets(&self) -> Check {
        let colonies = self.truth.powers.iter().flat_map(|power| &power.colonies);
        let mut planets: Vec<PlanetId> = colonies.map(|colony| colony.planet).collect();
        planets.sort_unstable();
        require(rises(planets), || "powers".into(), "a planet has one colony")
    }

    /// What belongs to a variant belongs to no other.
    fn check_campaign(&self) -> Check {
        let table = &self.table;
        let asked = !matches!(table.stage, Stage::Campaign(CampaignStage::Recall { .. }));
        require(
            asked || table.campaign.fate().is_some(),
            || "table.stage".into(),
            "it belongs to another variant",
        )?;
        let placed = !matches!(table.stage, Stage::Campaign(CampaignStage::Place { .. }));
        require(
            placed || table.campaign.politics().is_some(),
            || "table.stage".into(),
            "it belongs to another variant",
        )?;
        if let Some(politics) = table.campaign.politics() {
            return self.check_politics(politics);
        }
        let Some(fate) = table.campaign.fate() else { return Ok(()) };
        require(
            fate.debt <= COLONY_MAX,
            || "table.fate.debt_half_points".into(),
            "a number is too high",
        )
    }

    /// Whoever is named anywhere has a seat.
    fn check_seats(&self) -> Check {
        let seats = self.table.seats();
        let kept = self.truth.secrets.kept.iter().flat_map(|kept| [kept.seat, kept.sighting.of]);
        there(seats, kept, || "secrets.glimpses".into())?;
        self.truth.powers.iter().try_for_each(|power| power.check_seats(seats))
    }

    fn check_battle(&self) -> Check {
        let name = || "table.battle".to_owned();
        let Some(battle) = &self.table.battle else {
            require(self.table.stage != Stage::Battle, name, "it is missing")?;
            let engaged = self.truth.powers.iter().position(|power| !power.engaged.is_empty());
            let field = || format!("powers[{}].engaged", engaged.unwrap_or_default());
            return require(engaged.is_none(), field, "no battle is fought");
        };
        require(self.table.stage == Stage::Battle, name, "the game is at another stage")?;
        require(StarId::in_hex(battle.at).is_some(), name, "battles are fought in star hexes")?;
        let all = battle
            .shots
            .iter()
            .flat_map(|shot| [shot.by, shot.at])
            .chain(battle.leaving.iter().copied());
        require(
            all.into_iter().all(|unit| battle.unit(unit).is_some()),
            name,
            "there is no such unit",
        )?;
        require(!battle.waits_for().is_empty(), name, "somebody owes a decision")?;
        let bases = matches!(battle.subject, Subject::Colonies { .. })
            || battle.units.iter().all(|unit| unit.planet.is_none());
        require(bases, name, "bases fight in attacks on colonies alone")?;
        let shields = battle
            .units
            .iter()
            .filter(|unit| unit.arm == Arm::Shield)
            .filter_map(|unit| unit.planet);
        let shown = shields.eq(battle.shields.iter().map(|shield| shield.planet));
        require(
            shown,
            || "table.battle.shields".into(),
            "there is one for each shield in the line",
        )?;
        let standing =
            battle.shields.iter().all(|shield| shield.damage < 4 || shield.fell.is_some());
        require(
            standing,
            || "table.battle.shields".into(),
            "the fourth damage point destroys a shield",
        )?;
        self.check_bases(battle)?;
        Seat::first(self.table.seats()).try_for_each(|seat| self.check_engaged(seat, battle))
    }

    /// 13.3: bases that still fight stand on colonies of their owners.
    fn check_bases(&self, battle: &Battle) -> Check {
        let Some(star) = StarId::in_hex(battle.at) else { return Ok(()) };
        for power in Seat::first(self.table.seats()) {
            let own = battle.units.iter().filter(|unit| unit.is_fighting() && unit.owner == power);
            let mut planets: Vec<u8> = own.filter_map(|unit| unit.planet).collect();
            planets.dedup();
            for nth in planets {
                let colony = self.power(power).colony(PlanetId { star, nth });
                let fit = colony.is_some_and(|colony| {
                    let of = |arm: Arm| {
                        let bases = battle
                            .units
                            .iter()
                            .filter(|unit| unit.owner == power && unit.planet == Some(nth));
                        bases.filter(|unit| unit.is_fighting() && unit.arm == arm).count() as u32
                    };
                    of(Arm::MissileBase) <= colony.bases.missile
                        && of(Arm::AdvancedMissileBase) <= colony.bases.advanced
                        && of(Arm::Shield) <= u32::from(colony.shield)
                });
                require(
                    fit,
                    || "table.battle.units".into(),
                    "bases that fight stand on the colony",
                )?;
            }
        }
        Ok(())
    }

    /// The ships that fight are ships of their owners, of the kinds that the line shows; those
    /// destroyed are gone.
    fn check_engaged(&self, seat: Seat, battle: &Battle) -> Check {
        let power = self.power(seat);
        let units: Vec<_> = battle
            .units
            .iter()
            .filter(|unit| unit.owner == seat && unit.planet.is_none())
            .collect();
        let name = || format!("powers[{}].engaged", seat.index());
        require(units.len() == power.engaged.len(), name, "every unit is one of the ships")?;
        let fits = units.iter().zip(&power.engaged).all(|(unit, &number)| {
            !unit.is_fighting()
                || power.ship(number).is_some_and(|ship| {
                    Some(ship.kind()) == unit.ship() && ship.at == Some(battle.at)
                })
        });
        require(fits, name, "a unit that fights is a ship in the battle's hex")
    }
}

fn check_ship(ship: &Ship) -> Check {
    let name = || "ships".to_owned();
    require(ship.at.is_some() || ship.steps == 0, name, "a ship off the board has not moved")?;
    require(ship.at.is_some() || ship.marker.is_none(), name, "a task force is on the board")?;
    require(ship.steps <= 8, name, "no ship moves farther than 8 hexes")
}

/// 9: a task force is in one hex.
fn check_markers(power: &Power) -> Check {
    let mut places = [None; 16];
    for ship in &power.ships {
        let Some(marker) = ship.marker else { continue };
        let place = &mut places[marker.number() as usize];
        require(
            place.is_none() || *place == Some(ship.at),
            || "ships".into(),
            "a task force is in one hex",
        )?;
        *place = Some(ship.at);
    }
    Ok(())
}
