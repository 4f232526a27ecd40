//! Analysis of a view: the known worlds, travel times, and the visible ships of other powers.

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::{
    Arm, CardId, Colony, ColonySeen, Command, Fate, Fleet, Insight, Place, Planet, PlanetId,
    PlanetType, Power, Prize, Ship, ShipKind, ShipNumber, StarColor, StarId, TURNS, Table, Tech,
    TechSet, View,
};

#[derive(Clone, Copy, Debug)]
pub(super) enum Status<'a> {
    Free,
    /// The seat's own colony, possibly held by another power.
    Own(&'a Colony),
    /// Another power's colony that the seat holds.
    Held(&'a Prize),
    Foreign(ColonySeen),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Site<'a> {
    pub(super) planet: PlanetId,
    pub(super) world: Planet,
    pub(super) status: Status<'a>,
}

/// Ships in one hex without a destination: at a star, or off the board.
#[derive(Clone, Debug)]
pub(super) struct ShipGroup {
    pub(super) at: Option<Place>,
    /// Ships, weakest first.
    pub(super) ships: Vec<Ship>,
}

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

    pub(super) fn fate(&self) -> Option<&'a Fate> {
        self.table.campaign.fate()
    }

    pub(super) fn turns_left(&self) -> u32 {
        u32::from(TURNS.saturating_sub(self.table.turn))
    }

    /// Returns the number of production turns after the current one.
    pub(super) fn productions_left(&self) -> u32 {
        u32::from((TURNS - 1) / 4).saturating_sub(u32::from(self.table.turn / 4))
    }

    pub(super) fn is_hostile(&self, at: Place) -> bool {
        self.table.others_at(self.me, at).next().is_some()
    }

    /// Returns the number of turns that a voyage takes, including this one. A cloud at the end
    /// takes an additional turn.
    pub(super) fn travel(&self, from: Option<Place>, to: StarId) -> u32 {
        let to = to.at();
        let steps = match (from, self.table.entry(self.me)) {
            (Some(from), _) => u32::from(from.distance(to)),
            (None, Some(entry)) => u32::from(entry.distance(to)) + 1,
            (None, None) => return u32::MAX / 2,
        };
        steps.div_ceil(u32::from(self.speed)) + u32::from(to.is_cloud() && steps > 0)
    }

    pub(super) fn card(&self, star: StarId) -> Option<CardId> {
        self.power.chart(star).card
    }

    /// Returns the sites at a star. An unexplored star has none.
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

    pub(super) fn all_sites(&self) -> impl Iterator<Item = Site<'a>> + '_ {
        StarId::ALL.into_iter().flat_map(|star| self.sites(star))
    }

    pub(super) fn has(&self, tech: Tech) -> bool {
        self.owned.has(tech)
    }

    pub(super) fn is_warship(&self, kind: ShipKind) -> bool {
        self.table.options.is_warship(kind)
    }

    pub(super) fn ship_groups(&self, of: impl Fn(ShipKind) -> bool) -> Vec<ShipGroup> {
        let mut ship_groups: Vec<ShipGroup> = Vec::new();
        let free = |ship: &&Ship| ship.destination.is_none() && !ship.halted && of(ship.kind());
        for &ship in self.power.ships.iter().filter(free) {
            match ship_groups.iter_mut().find(|muster| muster.at == ship.at) {
                Some(muster) => muster.ships.push(ship),
                None => ship_groups.push(ShipGroup { at: ship.at, ships: vec![ship] }),
            }
        }
        for muster in &mut ship_groups {
            muster.ships.sort_by_key(|ship| (ship.kind(), ship.number));
        }
        ship_groups
    }

    /// Returns the foreign ships in a hex: as last seen, or estimated from the number of visible
    /// groups.
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

    pub(super) fn expected(colour: StarColor, worth: impl Fn(&Planet) -> f64) -> f64 {
        let (mut sum, mut cards) = (0.0, 0.0_f64);
        for card in CardId::deck(colour) {
            sum += card.planets().iter().map(&worth).sum::<f64>();
            cards += 1.0;
        }
        sum / cards.max(1.0)
    }

    /// Returns whether an attack at this star was broken off in this turn. The bot does not repeat
    /// such an attack.
    pub(super) fn broke_off_attack(&self, star: StarId) -> bool {
        let held =
            self.power.conquered_colonies.iter().any(|prize| prize.colony.planet.star == star);
        self.power.attacked.contains(&star) && !held
    }

    pub(super) fn free_colonies(&self) -> impl Iterator<Item = &'a Colony> + Clone + use<'a> {
        self.power.colonies.iter().filter(|colony| colony.is_free())
    }
}

fn guessed(groups: u32, turn: u8) -> Fleet {
    match turn {
        0..=20 => Fleet::new([0, 0, 2 * groups, 0, 0]),
        21..=32 => Fleet::new([0, 0, 2 * groups, groups, 0]),
        _ => Fleet::new([0, 0, 2 * groups, groups, groups]),
    }
}

pub(super) fn numbers(ships: &[Ship]) -> Vec<ShipNumber> {
    ships.iter().map(|ship| ship.number).collect()
}

/// Returns the victory points for a planet in the base game (19.1).
pub(super) const fn victory_points(kind: PlanetType) -> f64 {
    match kind {
        PlanetType::Terran => 3.0,
        PlanetType::SubTerran => 1.0,
        PlanetType::MinimalTerran | PlanetType::Barren => 0.0,
    }
}

/// Returns the cost of a unit in i.p. (17.5), including the people of a transport.
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
