//! Whether a state holds together: after every step in tests, and for every position that comes from outside.

use heliopause_kernel::{Malformed, Seat};

use crate::battle::{Battle, Subject};
use crate::board::Place;
use crate::campaign::Campaign;
use crate::cards::{CardId, PlanetId};
use crate::colony::Colony;
use crate::options::Variant;
use crate::position::StellarConquest;
use crate::power::Power;
use crate::ship::Ship;
use crate::stars::{Colour, StarId};
use crate::table::{Post, Stage, TURNS};

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

/// So that no sum overflows: millions, factories or bases of one colony.
const COLONY_MAX: u32 = 1_000_000;

impl StellarConquest {
    /// Every invariant of a state; names the field of the position that breaks one.
    pub(crate) fn integrity(&self) -> Check {
        self.table.options.validate()?;
        self.check_table()?;
        self.check_cards()?;
        let seats = self.truth.powers.len() == self.table.seats() && self.decided.len() == self.table.seats();
        require(seats, || "powers".into(), "every seat has one")?;
        for seat in Seat::first(self.table.seats()) {
            self.check_power(seat).map_err(|fault| {
                let field = format!("powers[{}].{}", seat.index(), fault.field);
                Malformed::field(field, fault.message)
            })?;
        }
        self.check_planets()?;
        self.check_battle()
    }

    fn check_table(&self) -> Check {
        let table = &self.table;
        let players = table.options.players().contains(&table.players);
        require(players, || "table.players".into(), "the game is not for so many")?;
        let automata = crate::campaign::automata(table.options.variant).len();
        require(table.seats() == table.players + automata, || "table.groups".into(), "every seat has some")?;
        require(table.turn <= TURNS, || "table.turn".into(), "the last turn is 44")?;
        let mut order = table.order.clone();
        order.sort_unstable();
        require(order.into_iter().eq(table.player_seats()), || "table.order".into(), "it names every player once")?;
        require(table.active.index() < table.players, || "table.active".into(), "a player is on turn")?;
        require(table.entries.len() == table.players, || "table.entries".into(), "every player has one")?;
        let before = matches!(table.stage, Stage::Setup) == (table.turn == 0);
        require(before, || "table.stage".into(), "setup comes before turn 1, and nothing else does")?;
        let over = table.ending.is_some() == table.is_over();
        require(over, || "table.ending".into(), "a game that is over has an ending, and no other")?;
        let variant = matches!(
            (&table.campaign, table.options.variant),
            (Campaign::Conquest, Variant::Conquest) | (Campaign::Fate(_), Variant::FateOfEmpire)
        );
        require(variant, || "table.fate".into(), "it belongs to the variant")?;
        self.check_posts()
    }

    fn check_posts(&self) -> Check {
        let table = &self.table;
        let name = || "table.posts".to_owned();
        require(rises(&table.posts), name, "they are sorted and differ")?;
        require(rises(&table.shown), || "table.shown".into(), "they are sorted and differ")?;
        let stands =
            |post: &Post| self.truth.powers.get(post.seat.index()).is_some_and(|power| power.may_post(post.star));
        require(table.posts.iter().all(stands), name, "a post stands where its owner has a free colony")
    }

    /// Every card is in its deck or tied to one star of its colour.
    fn check_cards(&self) -> Check {
        let secrets = &self.truth.secrets;
        let name = || "secrets".to_owned();
        for colour in Colour::ALL {
            let drawn = StarId::all().filter_map(|star| secrets.cards[star.index()].map(|card| (star, card)));
            let drawn = drawn.filter(|(star, _)| star.colour() == colour).map(|(_, card)| card);
            let mut cards: Vec<CardId> = secrets.decks[colour as usize].iter().copied().chain(drawn).collect();
            cards.sort_unstable();
            require(cards.into_iter().eq(CardId::deck(colour)), name, "every card is in one place of its colour")?;
        }
        let known = self.truth.powers.iter().all(|power| {
            StarId::all().all(|star| {
                let card = power.chart(star).card;
                card.is_none() || card == secrets.cards[star.index()]
            })
        });
        require(known, name, "who knows a star's card knows the card that is tied to it")
    }

    fn check_power(&self, seat: Seat) -> Check {
        let power = self.power(seat);
        let ships = || "ships".to_owned();
        require(rises(power.ships.iter().map(|ship| ship.number)), ships, "they are sorted by number")?;
        let next = power.ships.last().is_none_or(|ship| ship.number < power.next_ship);
        require(next, || "next_ship".into(), "it is above all numbers")?;
        power.ships.iter().try_for_each(check_ship)?;
        let shown = Place::all().all(|at| self.table.groups[seat.index()].at(at) == power.groups_at(at));
        require(shown, || "groups".into(), "the table shows the groups of ships that there are")?;
        check_markers(power)?;
        let colonies = power.colonies.iter().map(|colony| colony.planet);
        require(rises(colonies), || "colonies".into(), "they are sorted by planet")?;
        power.colonies.iter().try_for_each(|colony| self.check_colony(seat, colony))?;
        self.check_prizes(seat)
    }

    fn check_colony(&self, seat: Seat, colony: &Colony) -> Check {
        let name = || "colonies".to_owned();
        let card = self.truth.secrets.cards[colony.planet.star.index()];
        let world = card.and_then(|card| colony.planet.on(card));
        require(world == Some(&colony.world), name, "a colony is on a planet of a card that was drawn")?;
        require(colony.population > 0, name, "somebody lives there")?;
        let counts = [colony.factories, colony.bases.missile, colony.bases.advanced];
        require(counts.iter().all(|&count| count <= COLONY_MAX), name, "a number is too high")?;
        let production = self.table.stage == Stage::Production;
        require(colony.grown == 0 || production, name, "it grows in production turns alone")?;
        let dominion = self.table.campaign.fate().is_some() || !colony.is_dominion();
        require(dominion, name, "only The Fate of Empire knows dominions")?;
        let conqueror = colony.conqueror().is_none_or(|by| by != seat && by.index() < self.table.players);
        require(conqueror, name, "a conqueror is another player")
    }

    /// A conqueror's copy of a colony is the same as its owner's.
    fn check_prizes(&self, seat: Seat) -> Check {
        let mut held: Vec<(PlanetId, Seat, &Colony)> = Vec::new();
        for owner in Seat::first(self.table.seats()) {
            let colonies = self.power(owner).colonies.iter().filter(|colony| colony.conqueror() == Some(seat));
            held.extend(colonies.map(|colony| (colony.planet, owner, colony)));
        }
        held.sort_unstable();
        let prizes = self.power(seat).prizes.iter().map(|prize| (prize.colony.planet, prize.owner, &prize.colony));
        require(prizes.eq(held), || "prizes".into(), "they are the colonies that the seat holds")
    }

    /// 16.2: one colony a planet.
    fn check_planets(&self) -> Check {
        let colonies = self.truth.powers.iter().flat_map(|power| &power.colonies);
        let mut planets: Vec<PlanetId> = colonies.map(|colony| colony.planet).collect();
        planets.sort_unstable();
        require(rises(planets), || "powers".into(), "a planet has one colony")
    }

    fn check_battle(&self) -> Check {
        let name = || "table.battle".to_owned();
        let Some(battle) = &self.table.battle else {
            return require(self.table.stage != Stage::Battle, name, "it is missing");
        };
        require(self.table.stage == Stage::Battle, name, "the game is at another stage")?;
        require(StarId::in_hex(battle.at).is_some(), name, "battles are fought in star hexes")?;
        let seats = battle.units.iter().all(|unit| unit.owner.index() < self.table.seats());
        require(seats && battle.attacker.index() < self.table.seats(), name, "there is no such seat")?;
        let all = battle.shots.iter().flat_map(|shot| [shot.by, shot.at]).chain(battle.leaving.iter().copied());
        require(all.into_iter().all(|unit| battle.unit(unit).is_some()), name, "there is no such unit")?;
        require(!battle.waits_for().is_empty(), name, "somebody owes a decision")?;
        let bases =
            matches!(battle.subject, Subject::Colonies { .. }) || battle.units.iter().all(|unit| !unit.arm.is_base());
        require(bases, name, "bases fight in attacks on colonies alone")?;
        Seat::first(self.table.seats()).try_for_each(|seat| self.check_engaged(seat, battle))
    }

    /// The ships that fight are ships of their owners, of the kinds that the line shows; those destroyed are gone.
    fn check_engaged(&self, seat: Seat, battle: &Battle) -> Check {
        let power = self.power(seat);
        let units: Vec<_> = battle.units.iter().filter(|unit| unit.owner == seat && !unit.arm.is_base()).collect();
        let name = || format!("powers[{}].engaged", seat.index());
        require(units.len() == power.engaged.len(), name, "every unit is one of the ships")?;
        let fits = units.iter().zip(&power.engaged).all(|(unit, &number)| {
            !unit.is_fighting()
                || power.ship(number).is_some_and(|ship| Some(ship.kind()) == unit.ship() && ship.at == Some(battle.at))
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
        require(place.is_none() || *place == Some(ship.at), || "ships".into(), "a task force is in one hex")?;
        *place = Some(ship.at);
    }
    Ok(())
}
