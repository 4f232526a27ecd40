//! Warnings about losses, risks and omissions, based on the seat's view.

use std::sync::LazyLock;

use heliopause_kernel::warning::{Warning, counted, list_some};

use crate::client::notation::words::runs;
use crate::rules::ledger::Ledger;
use crate::rules::movement::leg::Leg;
use crate::rules::setup::BONUS;
use crate::state::{
    Colony, Load, Order, Outfit, Payment, ProductionSheet, Research, SeatView, Sheet, Ship,
    ShipNumber, Stage, View, Voyage,
};
use crate::tables::texts::{Sentences, Values, values};
use crate::tables::{Item, Place, PlanetId, PlanetType, StarId, Tech, TechSet};

pub(crate) const CODES: &[&str] = &[
    "start-not-chosen",
    "bonus-unspent",
    "out-of-range",
    "bound-out-of-range",
    "unescorted-into-the-unknown",
    "unescorted-among-enemies",
    "ships-on-their-way-unmoved",
    "landing-above-room",
    "transports-unlanded",
    "sheet-not-given",
    "industry-unspent",
    "grant-unspent",
    "people-above-capacity",
];

static WARNINGS: LazyLock<Sentences> =
    LazyLock::new(|| Sentences::read(include_str!("warnings.tsv")));

/// Warns with a row of `warnings.tsv`, such as by `warn!("bonus-unspent", left, BONUS)`. A word
/// after a slash tells sentences with the same code apart.
macro_rules! warn {
    ($key:expr $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        warning($key, values![$(, $name $(= $value)?)*])
    };
}

fn warning(key: &'static str, values: Values<'_>) -> Warning {
    let (sentence, rule) = WARNINGS.fill(key, values);
    Warning::new(key.split('/').next().unwrap_or_default(), rule, sentence)
}

/// Returns the warnings for the seat of a view about the order `next`, or about declaring readiness
/// without an order.
pub(crate) fn warnings(view: &View, next: Option<&Order>) -> Vec<Warning> {
    let Some(seat_view) = view.seat_view().filter(|seat_view| !seat_view.table.is_over()) else {
        return Vec::new();
    };
    match next {
        None => seat_view.warnings_when_ready(),
        Some(Order::Move(voyage)) => seat_view.warnings_of_voyage(voyage),
        Some(Order::EndMovement) => seat_view.unmoved().into_iter().collect(),
        Some(Order::Land { ships, planet }) => {
            seat_view.over_capacity(ships.len(), *planet).into_iter().collect()
        }
        Some(Order::EndTurn) => {
            [seat_view.unlanded(), seat_view.crowded("16.6")].into_iter().flatten().collect()
        }
        Some(_) => Vec::new(),
    }
}

fn numbers(ships: &[&Ship]) -> String {
    let mut numbers: Vec<ShipNumber> = ships.iter().map(|ship| ship.number).collect();
    numbers.sort_unstable();
    list_some(&runs(&numbers))
}

impl SeatView<'_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "nobody is ready in other stages")]
    fn warnings_when_ready(&self) -> Vec<Warning> {
        if self.seat.index() >= self.table.players {
            return Vec::new();
        }
        match self.table.stage {
            Stage::Setup => self.start().into_iter().collect(),
            Stage::Production => self.production(),
            _ => Vec::new(),
        }
    }

    fn start(&self) -> Option<Warning> {
        let left = match &self.power.sheet {
            Sheet::Outfit(Outfit::Bonus { scouts, corvettes, research }) => {
                let ships = Item::Scout.price(*scouts, TechSet::NONE)
                    + Item::Corvette.price(*corvettes, TechSet::NONE);
                let paid: u32 = research.iter().map(|payment| payment.points).sum();
                BONUS.saturating_sub(ships + paid)
            }
            Sheet::Outfit(Outfit::Commission { .. }) => 0,
            Sheet::None | Sheet::Production(_) | Sheet::Decree(_) => {
                let fate = self.table.campaign.fate().is_some();
                let key = if fate { "start-not-chosen/commission" } else { "start-not-chosen" };
                return Some(warn!(key).mended_by("usual-start"));
            }
        };
        (left > 0).then(|| warn!("bonus-unspent", left, BONUS).mended_by("setup"))
    }

    fn production(&self) -> Vec<Warning> {
        let sheet = self.final_sheet();
        let Ok(ledger) = self.ledger(&sheet) else { return Vec::new() };
        let none_given = matches!(self.power.sheet, Sheet::None | Sheet::Outfit(_));
        let kinds = [
            none_given.then(|| self.no_sheet()).flatten(),
            self.industry(&ledger),
            self.grant_left(&sheet),
            self.crowded_after_production(&ledger),
        ];
        kinds.into_iter().flatten().collect()
    }

    fn no_sheet(&self) -> Option<Warning> {
        if self.table.campaign.politics().is_some() {
            let left = self.decree_colonies();
            let open = left.iter().filter(|colony| colony.least < colony.most).count();
            let what = counted(open, "of your colonies", "of your colonies");
            let warning = warn!("sheet-not-given/decree", what);
            return (open > 0).then(|| warning.mended_by("decree"));
        }
        let owned = self.power.research.owned;
        let output: u32 =
            self.commanded().map(|(owner, colony)| self.output_of(owner, colony, owned)).sum();
        (output > 0).then(|| warn!("sheet-not-given", output).mended_by("produce"))
    }

    fn industry(&self, ledger: &Ledger) -> Option<Warning> {
        let owned = self.power.research.owned;
        let left = |(owner, colony): (_, &Colony)| {
            let planned = ledger.sites.iter().find(|site| site.colony.planet == colony.planet);
            let left = match planned {
                Some(site) if site.evacuated => 0,
                Some(site) => site.left,
                None => self.output_of(owner, colony, owned),
            };
            (colony.planet, left)
        };
        let mut idle: Vec<(PlanetId, u32)> =
            self.commanded().map(left).filter(|(_, left)| *left > 0).collect();
        idle.sort_by_key(|&(planet, left)| (std::cmp::Reverse(left), planet));
        let &(first, _) = idle.first()?;
        if self.table.campaign.politics().is_some() {
            // A decree spends everything that can be spent (space 6.2).
            return None;
        }
        let all: u32 = idle.iter().map(|(_, left)| left).sum();
        let places: Vec<String> =
            idle.iter().map(|(planet, left)| format!("{left} on {planet}")).collect();
        let warning = warn!("industry-unspent", all, places = list_some(&places));
        Some(warning.mended_at("produce", first.star.as_str()))
    }

    fn grant_left(&self, sheet: &ProductionSheet) -> Option<Warning> {
        let paid: u32 = sheet.grant.iter().map(|payment: &Payment| payment.points).sum();
        let left = self.power.grant.saturating_sub(paid);
        let is_lost = left > 0 && self.can_invest();
        is_lost.then(|| warn!("grant-unspent", left).mended_by("grant"))
    }

    fn can_invest(&self) -> bool {
        let research: Research = self.power.research;
        Tech::ALL.into_iter().any(|tech| research.judge(tech, 1).is_ok())
    }

    fn crowded_after_production(&self, ledger: &Ledger) -> Option<Warning> {
        let colonies = self.commanded().map(|(_, colony)| {
            let planned = ledger.sites.iter().find(|site| site.colony.planet == colony.planet);
            planned.map_or(*colony, |site| site.colony)
        });
        crowded(colonies, "17.10").map(|warning| warning.mended_by("emigrate"))
    }

    fn crowded(&self, rule: &'static str) -> Option<Warning> {
        crowded(self.commanded().map(|(_, colony)| *colony), rule)
    }

    fn warnings_of_voyage(&self, voyage: &Voyage) -> Vec<Warning> {
        let Ok(leg) = self.plan(voyage) else { return Vec::new() };
        let ships: Vec<&Ship> =
            voyage.ships.iter().filter_map(|&number| self.power.ship(number)).collect();
        if let Some(lost) = Self::lost(&ships, &leg) {
            return vec![lost];
        }
        let kinds = [self.destination_out_of_range(&ships, &leg), self.unescorted(&ships, &leg)];
        kinds.into_iter().flatten().collect()
    }

    fn lost(ships: &[&Ship], leg: &Leg) -> Option<Warning> {
        let at = leg.path.get(leg.lost_at?)?;
        let lost: Vec<&Ship> =
            ships.iter().copied().filter(|ship| ship.kind().is_range_bound()).collect();
        let told = counted(lost.len(), "ship is lost", "ships are lost");
        Some(warn!("out-of-range", told, at, ships = numbers(&lost)))
    }

    /// Warns of range-bound ships whose destination is out of range. Between stars, these ships can
    /// neither turn back nor change their destination (rules 8.2, 8.3).
    fn destination_out_of_range(&self, ships: &[&Ship], leg: &Leg) -> Option<Warning> {
        let star = leg.destination?;
        let bound = ships.iter().any(|ship| ship.kind().is_range_bound());
        if !bound || self.needs_no_destination() || self.command().reaches(star.at()) {
            return None;
        }
        Some(warn!("bound-out-of-range", star))
    }

    fn unescorted(&self, ships: &[&Ship], leg: &Leg) -> Option<Warning> {
        let end = *leg.path.last()?;
        let star = StarId::in_hex(end)?;
        let options = &self.table.options;
        let transports = ships.iter().filter(|ship| ship.load().is_some()).count();
        let escorted = ships.iter().any(|ship| options.is_warship(ship.kind()))
            || self.power.has_warship_at(end, options);
        if transports == 0 || escorted {
            return None;
        }
        let told = counted(transports, "transport goes", "transports go");
        if self.has_enemies_at(end) {
            return Some(warn!("unescorted-among-enemies", told, star));
        }
        let is_unknown = !self.power.has_explored(star);
        is_unknown.then(|| warn!("unescorted-into-the-unknown", told, star))
    }

    fn has_enemies_at(&self, at: Place) -> bool {
        let Self { seat, table, .. } = *self;
        table.others_at(seat, at).any(|other| table.campaign.are_enemies(seat, other, at))
    }

    fn unmoved(&self) -> Option<Warning> {
        let waits = |ship: &&Ship| {
            ship.at.is_some() && ship.star().is_none() && !ship.has_moved() && !ship.halted
        };
        let waiting: Vec<&Ship> = self.power.ships.iter().filter(waits).collect();
        let first = waiting.first()?;
        let told = counted(
            waiting.len(),
            "ship between the stars has not moved",
            "ships between the stars have not moved",
        );
        let warning = warn!("ships-on-their-way-unmoved", told, ships = numbers(&waiting));
        Some(warning.mended_at("move", first.at?.to_string()))
    }

    fn over_capacity(&self, landing: usize, planet: PlanetId) -> Option<Warning> {
        let room = usize::from(self.free_capacity(planet)?);
        (landing > room).then(|| {
            let place = planet.to_string().replacen('p', "P", 1);
            warn!("landing-above-room", place, room, above = landing - room)
        })
    }

    /// Returns how many millions more can live on a planet. Returns `None` for unexplored stars,
    /// and for garrisons, which the capacity does not limit (fate 8.5).
    fn free_capacity(&self, planet: PlanetId) -> Option<u16> {
        let world = planet.on(self.power.chart(planet.star).card?)?;
        let prize = self.power.prize(planet);
        if prize.is_some() && self.table.campaign.fate().is_some() {
            return None;
        }
        let held = self.power.colony(planet).or_else(|| prize.map(|prize| &prize.colony));
        let people = held.map_or(0, |colony| colony.population.saturating_add(colony.subjects));
        Some(world.capacity.saturating_sub(people))
    }

    /// Warns of transports that could land, unless they land automatically (space 7.2).
    fn unlanded(&self) -> Option<Warning> {
        if self.table.campaign.politics().is_some() {
            return None;
        }
        let mut all = 0;
        let mut places = Vec::new();
        let mut first = None;
        for star in StarId::ALL {
            let Some((count, planets)) = self.unlanded_at(star) else { continue };
            all += count;
            first = first.or(Some(star));
            places.push(format!("{star} ({})", planets.join("; ")));
        }
        let told = counted(all, "transport has not landed", "transports have not landed");
        let warning = warn!("transports-unlanded", told, places = list_some(&places));
        first.map(|star| warning.mended_at("land", star.at().to_string()))
    }

    fn unlanded_at(&self, star: StarId) -> Option<(usize, Vec<String>)> {
        let card = self.power.chart(star).card?;
        let mut loads: Vec<(Load, ShipNumber, usize)> = Vec::new();
        for ship in self.power.ships_at(star.at()) {
            let Some(load) = ship.load() else { continue };
            match loads.iter_mut().find(|(other, ..)| *other == load) {
                Some((.., count)) => *count += 1,
                None => loads.push((load, ship.number, 1)),
            }
        }
        let mut room = Vec::new();
        let mut able = vec![false; loads.len()];
        for (nth, world) in card.planets().iter().enumerate() {
            let planet = PlanetId { star, nth: nth as u8 };
            let Some(left) = self.free_capacity(planet).filter(|left| *left > 0) else { continue };
            let mut any = false;
            for ((_, ship, _), able) in loads.iter().zip(&mut able) {
                let lands = self.judge_land(&[*ship], planet).is_ok();
                *able |= lands;
                any |= lands;
            }
            if any {
                let barren = if world.kind == PlanetType::Barren { ", barren" } else { "" };
                room.push((left, format!("planet {} for {left}M{barren}", planet.nth + 1)));
            }
        }
        let able = loads.iter().zip(able).filter(|(_, able)| *able);
        let count: usize = able.map(|((.., count), _)| count).sum();
        let all: usize = room.iter().map(|(left, _)| usize::from(*left)).sum();
        let count = count.min(all);
        (count > 0).then(|| (count, room.into_iter().map(|(_, told)| told).collect()))
    }
}

fn crowded(colonies: impl Iterator<Item = Colony>, rule: &'static str) -> Option<Warning> {
    let crowded: Vec<String> = colonies
        .filter(Colony::exceeds_capacity)
        .map(|colony| {
            let above = colony.population - colony.world.capacity;
            format!("{above}M on {}", colony.planet)
        })
        .collect();
    if crowded.is_empty() {
        return None;
    }
    let warning = warn!("people-above-capacity", places = list_some(&crowded));
    Some(Warning { rule, ..warning })
}
