//! What a bot makes of its view: worlds with what is known of them, ways, and others' ships as far
//! as they show.

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::{
    Arm, CardId, Colony, ColonySeen, Colour, Command, Fate, Fleet, Insight, Place, Planet,
    PlanetId, PlanetType, Power, Prize, Ship, ShipKind, ShipNumber, StarId, TURNS, Table, Tech,
    TechSet, View,
};

/// What a planet is to the seat, as far as it knows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Status<'a> {
    /// Nobody is known to live there.
    Free,
    /// An own colony, which somebody else may hold.
    Own(&'a Colony),
    /// Somebody else's colony that the seat holds.
    Held(&'a Prize),
    /// Somebody else's.
    Foreign(ColonySeen),
}

/// A planet of an explored star.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site<'a> {
    pub(super) planet: PlanetId,
    pub(super) world: Planet,
    pub(super) status: Status<'a>,
}

/// Ships of one hex that nothing binds to a star: at a star, or off the board.
#[derive(Clone, Debug)]
pub(super) struct Muster {
    /// Where; nowhere off the board.
    pub(super) at: Option<Place>,
    /// The ships, weakest first.
    pub(super) ships: Vec<Ship>,
}

/// A view, read once for a decision.
pub(super) struct Survey<'a> {
    pub(super) view: &'a View,
    pub(super) table: &'a Table,
    pub(super) power: &'a Power,
    pub(super) me: Seat,
    pub(super) owned: TechSet,
    pub(super) speed: u8,
    pub(super) command: Command,
}

impl<'a> Survey<'a> {
    /// Reads a seat's view; `None` for a viewer who has no seat.
    pub(super) fn new(view: &'a View) -> Option<Self> {
        let Insight::Seat(me, power) = &view.insight else { return None };
        let owned = power.research.owned;
        let command = Command::of(&view.table, *me, power);
        Some(Self {
            view,
            table: &view.table,
            power,
            me: *me,
            owned,
            speed: owned.speed(),
            command,
        })
    }

    /// The campaign's state, in The Fate of Empire.
    pub(super) fn fate(&self) -> Option<&'a Fate> {
        self.table.campaign.fate()
    }

    /// How many turns follow this one.
    pub(super) fn turns_left(&self) -> u32 {
        u32::from(TURNS.saturating_sub(self.table.turn))
    }

    /// How many production turns follow, one that is open left out.
    pub(super) fn productions_left(&self) -> u32 {
        u32::from((TURNS - 1) / 4).saturating_sub(u32::from(self.table.turn / 4))
    }

    /// Whether ships of somebody else show in a hex.
    pub(super) fn is_hostile(&self, at: Place) -> bool {
        self.table.others_at(self.me, at).next().is_some()
    }

    /// In how many turns ships arrive, this one counted: by distance, with a turn more for a cloud
    /// at the end.
    pub(super) fn travel(&self, from: Option<Place>, to: StarId) -> u32 {
        let to = to.at();
        let steps = match (from, self.table.entry(self.me)) {
            (Some(from), _) => u32::from(from.distance(to)),
            (None, Some(entry)) => u32::from(entry.distance(to)) + 1,
            (None, None) => return u32::MAX / 2,
        };
        steps.div_ceil(u32::from(self.speed)) + u32::from(to.is_cloud() && steps > 0)
    }

    /// The card of a star, if the seat has explored it.
    pub(super) fn card(&self, star: StarId) -> Option<CardId> {
        self.power.chart(star).card
    }

    /// The planets of a star; none if it is not explored.
    pub(super) fn sites(&self, star: StarId) -> impl Iterator<Item = Site<'a>> + use<'a> {
        let (power, chart) = (self.power, self.power.chart(star));
        let worlds = chart.card.map_or(&[] as &[Planet], CardId::planets);
        worlds.iter().enumerate().map(move |(nth, &world)| {
            let planet = PlanetId { star, nth: nth as u8 };
            let foreign = chart.colonies[nth].map(Status::Foreign);
            let own = power.colony(planet).map(Status::Own);
            let held = power.prize(planet).map(Status::Held);
            Site { planet, world, status: own.or(held).or(foreign).unwrap_or(Status::Free) }
        })
    }

    /// The planets of all explored stars.
    pub(super) fn all_sites(&self) -> impl Iterator<Item = Site<'a>> + '_ {
        StarId::ALL.into_iter().flat_map(|star| self.sites(star))
    }

    /// Whether the seat owns a technology.
    pub(super) fn has(&self, tech: Tech) -> bool {
        self.owned.has(tech)
    }

    /// Whether a kind of ship is armed.
    pub(super) fn is_warship(&self, kind: ShipKind) -> bool {
        self.table.options.is_warship(kind)
    }

    /// Ships of these kinds that nothing binds to a star, by hex.
    pub(super) fn musters(&self, of: impl Fn(ShipKind) -> bool) -> Vec<Muster> {
        let mut musters: Vec<Muster> = Vec::new();
        let free = |ship: &&Ship| ship.destination.is_none() && !ship.halted && of(ship.kind());
        for &ship in self.power.ships.iter().filter(free) {
            match musters.iter_mut().find(|muster| muster.at == ship.at) {
                Some(muster) => muster.ships.push(ship),
                None => musters.push(Muster { at: ship.at, ships: vec![ship] }),
            }
        }
        for muster in &mut musters {
            muster.ships.sort_by_key(|ship| (ship.kind(), ship.number));
        }
        musters
    }

    /// The ships of somebody else in a hex, as seen last, or as guessed from what shows there.
    pub(super) fn foreign_fleet(&self, at: Place) -> Fleet {
        let mut fleet = Fleet::NONE;
        for seat in self.table.others_at(self.me, at) {
            let groups = u32::from(self.table.groups[seat.index()].at(at));
            let seen = self.power.sightings.iter().find(|seen| seen.at == at && seen.of == seat);
            let known = seen.map(|seen| seen.fleet).filter(|fleet| !fleet.is_empty());
            let guess = known.unwrap_or_else(|| guessed(groups, self.table.turn));
            for kind in ShipKind::ALL {
                fleet.add(kind, guess.count(kind));
            }
        }
        fleet
    }

    /// What the cards of a colour are worth on average, planet by planet.
    pub(super) fn expected(colour: Colour, worth: impl Fn(&Planet) -> f64) -> f64 {
        let (mut sum, mut cards) = (0.0, 0.0_f64);
        for card in CardId::deck(colour) {
            sum += card.planets().iter().map(&worth).sum::<f64>();
            cards += 1.0;
        }
        sum / cards.max(1.0)
    }

    /// Whether the seat attacked colonies at a star in this turn and conquered none: a round that
    /// was not worth going on with is not begun anew.
    pub(super) fn has_given_up(&self, star: StarId) -> bool {
        let held = self.power.prizes.iter().any(|prize| prize.colony.planet.star == star);
        self.power.attacked.contains(&star) && !held
    }

    /// Own colonies that nobody else holds.
    pub(super) fn free_colonies(&self) -> impl Iterator<Item = &'a Colony> + Clone + use<'a> {
        self.power.colonies.iter().filter(|colony| colony.is_free())
    }
}

/// Loose groups of unknown ships: more and stronger ones as time goes by.
fn guessed(groups: u32, turn: u8) -> Fleet {
    match turn {
        0..=20 => Fleet::new([0, 0, 2 * groups, 0, 0]),
        21..=32 => Fleet::new([0, 0, 2 * groups, groups, 0]),
        _ => Fleet::new([0, 0, 2 * groups, groups, groups]),
    }
}

/// The numbers of ships.
pub(super) fn numbers(ships: &[Ship]) -> Vec<ShipNumber> {
    ships.iter().map(|ship| ship.number).collect()
}

/// What planets of a type are worth to a player of the base game (19.1).
pub(super) const fn victory_points(kind: PlanetType) -> f64 {
    match kind {
        PlanetType::Terran => 3.0,
        PlanetType::SubTerran => 1.0,
        PlanetType::MinimalTerran | PlanetType::Barren => 0.0,
    }
}

/// The i.p. that a unit costs (17.5), which is what its loss is worth; people are dearer than their
/// transport.
pub(super) const fn cost(arm: Arm) -> f64 {
    match arm {
        Arm::Ship(ShipKind::Scout) => 3.0,
        Arm::Ship(ShipKind::Transport) => 5.0,
        Arm::Ship(ShipKind::Corvette) => 8.0,
        Arm::Ship(ShipKind::Fighter) => 20.0,
        Arm::Ship(ShipKind::DeathStar) => 40.0,
        Arm::MissileBase => 4.0,
        Arm::AdvancedMissileBase => 10.0,
        Arm::Shield => 30.0,
    }
}
