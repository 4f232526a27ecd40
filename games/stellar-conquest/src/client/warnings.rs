//! Warnings about losses, risks and omissions, based on the seat's view.

use heliopause_kernel::warning::{Warning, counted, list_some};

use crate::client::describe::words;
use crate::rules::ledger::Ledger;
use crate::rules::movement::leg::Leg;
use crate::rules::setup::BONUS;
use crate::state::{
    Colony, Load, Order, Outfit, Payment, ProductionSheet, Research, SeatView, Sheet, Ship,
    ShipNumber, Stage, View, Voyage,
};
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
    let mut numbers: Vec<u32> = ships.iter().map(|ship| ship.number.0).collect();
    numbers.sort_unstable();
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let run = |run: &[u32]| match run {
        [] => String::new(),
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
    };
    list_some(&runs.map(run).collect::<Vec<_>>())
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
                let rule = if self.table.campaign.fate().is_some() { "fate-2.3" } else { "3.4" };
                let sentence =
                    "You have not chosen your starting forces: you will get the default.";
                let warning = Warning::new("start-not-chosen", rule, sentence);
                return Some(warning.mended_by("usual-start"));
            }
        };
        (left > 0).then(|| {
            let sentence = format!("Unspent and lost: {left} of your bonus of {BONUS} i.p.");
            Warning::new("bonus-unspent", "3.4", sentence).mended_by("setup")
        })
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
            let told = format!("You have not submitted a sheet: the decree alone directs {what}.");
            let warning = Warning::new("sheet-not-given", "space-6.2", told);
            return (open > 0).then(|| warning.mended_by("decree"));
        }
        let owned = self.power.research.owned;
        let output: u32 =
            self.commanded().map(|(owner, colony)| self.output_of(owner, colony, owned)).sum();
        (output > 0).then(|| {
            let told = format!(
                "You have not submitted a sheet: your {output} i.p. go into factories and \
                 research."
            );
            Warning::new("sheet-not-given", "17", told).mended_by("produce")
        })
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
        let places: Vec<String> = idle
            .iter()
            .map(|(planet, left)| format!("{left} on {}", words::planet(*planet)))
            .collect();
        let sentence = format!("Unspent and lost: {all} i.p. ({}).", list_some(&places));
        let warning = Warning::new("industry-unspent", "17.5", sentence);
        Some(warning.mended_at("produce", first.star.as_str()))
    }

    fn grant_left(&self, sheet: &ProductionSheet) -> Option<Warning> {
        let paid: u32 = sheet.grant.iter().map(|payment: &Payment| payment.points).sum();
        let left = self.power.grant.saturating_sub(paid);
        (left > 0 && self.can_invest()).then(|| {
            let sentence = format!("Unspent and lost: {left} i.p. of the Empire's grant.");
            Warning::new("grant-unspent", "fate-4.2", sentence).mended_by("grant")
        })
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
        let sentence = format!("{told} out of command range, at {at}: {}.", numbers(&lost));
        Some(Warning::new("out-of-range", "7.5", sentence))
    }

    /// Warns of range-bound ships whose destination is out of range. Between stars, these ships can
    /// neither turn back nor change their destination (rules 8.2, 8.3).
    fn destination_out_of_range(&self, ships: &[&Ship], leg: &Leg) -> Option<Warning> {
        let star = leg.destination?;
        let bound = ships.iter().any(|ship| ship.kind().is_range_bound());
        if !bound || self.needs_no_destination() || self.command().reaches(star.at()) {
            return None;
        }
        let sentence = format!(
            "{star} is out of command range: with your current posts, these ships can neither \
             arrive there nor turn back."
        );
        Some(Warning::new("bound-out-of-range", "8.2", sentence))
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
            let sentence = format!("{told} without a warship to {star}, where there are enemies.");
            return Some(Warning::new("unescorted-among-enemies", "12.1", sentence));
        }
        (!self.power.has_explored(star)).then(|| {
            let sentence = format!(
                "{told} without a warship to unexplored {star}: each is lost on a roll of 1."
            );
            Warning::new("unescorted-into-the-unknown", "11.2", sentence)
        })
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
        let sentence = format!("{told}: {}.", numbers(&waiting));
        let warning = Warning::new("ships-on-their-way-unmoved", "5.1", sentence);
        Some(warning.mended_at("move", first.at?.to_string()))
    }

    fn over_capacity(&self, landing: usize, planet: PlanetId) -> Option<Warning> {
        let room = usize::from(self.free_capacity(planet)?);
        (landing > room).then(|| {
            let sentence = format!(
                "{} has room for {room}M more: {}M of those landing die when your turn ends.",
                words::planet(planet).replacen('p', "P", 1),
                landing - room
            );
            Warning::new("landing-above-room", "16.6", sentence)
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
        let sentence =
            format!("{told}, although there is room for people: {}.", list_some(&places));
        let warning = Warning::new("transports-unlanded", "16.1", sentence);
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
            format!("{above}M on {}", words::planet(colony.planet))
        })
        .collect();
    if crowded.is_empty() {
        return None;
    }
    let sentence = format!("People above capacity die: {}.", list_some(&crowded));
    Some(Warning::new("people-above-capacity", rule, sentence))
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::{Game, Seat, Viewer};

    use super::*;
    use crate::rules::referee::Referee;
    use crate::rules::turn::begin_production;
    use crate::state::{ColonyPlan, Event, OwnEvent, Spending, StellarConquest, TableEvent};
    use crate::tables::ShipKind;
    use crate::testing::{Scene, place, seat, star};

    fn warned(scene: &Scene, next: Option<&Order>) -> Vec<Warning> {
        StellarConquest::warnings(&scene.game.view(Viewer::Seat(seat(1))), next)
    }

    fn codes(scene: &Scene, next: Option<&Order>) -> Vec<&'static str> {
        warned(scene, next).iter().map(|warning| warning.code).collect()
    }

    fn stage(scene: &mut Scene, stage: Stage) {
        scene.happen(&Event::Table(TableEvent::StageChanged { stage }));
    }

    fn transports(count: u32) -> (Scene, Vec<ShipNumber>) {
        let mut scene = Scene::conquest(2);
        scene.explored(seat(1), "Alcor", 24);
        let ships = scene.ships(seat(1), "L18", &[(ShipKind::Transport, count)]);
        stage(&mut scene, Stage::Planets);
        (scene, ships)
    }

    fn alcor(nth: u8) -> PlanetId {
        PlanetId { star: star("Alcor"), nth }
    }

    fn sail(ships: &[ShipNumber], path: &[&str], bound: &str) -> Order {
        Order::Move(Voyage {
            ships: ships.to_vec(),
            path: path.iter().map(|name| place(name)).collect(),
            destination: (!bound.is_empty()).then(|| star(bound)),
            avoiding: Vec::new(),
            round_clouds: false,
            accept_loss: true,
        })
    }

    #[test]
    fn rule_16_1_warns_of_transports_that_could_land() {
        let (mut scene, ships) = transports(25);
        let found = warned(&scene, Some(&Order::EndTurn));
        assert_eq!(found[0].code, "transports-unlanded");
        assert!(found[0].sentence.starts_with("25 transports have not landed"), "{found:?}");
        let land = Order::Land { ships, planet: alcor(0) };
        scene.order(seat(1), land).expect("they land");
        assert_eq!(codes(&scene, Some(&Order::EndTurn)), [""; 0]);
    }

    #[test]
    fn rule_16_6_warns_of_people_above_capacity() {
        let (mut scene, ships) = transports(90);
        let world = *alcor(0).on(scene.power(seat(1)).chart(star("Alcor")).card.unwrap()).unwrap();
        assert!(world.capacity < 90, "the planet is too small for all: {}", world.capacity);
        let land = Order::Land { ships: ships.clone(), planet: alcor(0) };
        assert_eq!(codes(&scene, Some(&land)), ["landing-above-room"]);
        let some = ships[..usize::from(world.capacity)].to_vec();
        let fits = Order::Land { ships: some, planet: alcor(0) };
        assert_eq!(codes(&scene, Some(&fits)), [""; 0]);
        scene.order(seat(1), land).expect("they land");
        assert_eq!(codes(&scene, Some(&Order::EndTurn)), ["people-above-capacity"]);
    }

    #[test]
    fn rule_11_2_warns_of_unescorted_transports_at_new_stars() {
        let mut scene = Scene::conquest(2);
        scene.owns(seat(1), &[Tech::UnlimitedShipRange]);
        // L17 is adjacent to Alcor.
        let ships = scene.ships(seat(1), "L17", &[(ShipKind::Transport, 2)]);
        let corvettes = scene.ships(seat(1), "L17", &[(ShipKind::Corvette, 1)]);
        let order = sail(&ships, &["L18"], "Alcor");
        assert_eq!(codes(&scene, Some(&order)), ["unescorted-into-the-unknown"]);
        let all: Vec<ShipNumber> = ships.iter().chain(&corvettes).copied().collect();
        assert_eq!(codes(&scene, Some(&sail(&all, &["L18"], "Alcor"))), [""; 0]);
        scene.explored(seat(1), "Alcor", 24);
        assert_eq!(codes(&scene, Some(&order)), [""; 0]);
    }

    #[test]
    fn rule_12_1_warns_of_unescorted_transports_at_enemies() {
        let mut scene = Scene::conquest(2);
        scene.owns(seat(1), &[Tech::UnlimitedShipRange]);
        scene.explored(seat(1), "Alcor", 24);
        let ships = scene.ships(seat(1), "L17", &[(ShipKind::Transport, 2)]);
        scene.ships(seat(2), "L18", &[(ShipKind::Corvette, 1)]);
        let order = sail(&ships, &["L18"], "Alcor");
        assert_eq!(codes(&scene, Some(&order)), ["unescorted-among-enemies"]);
    }

    #[test]
    fn rule_8_2_warns_of_destinations_out_of_range() {
        let mut scene = Scene::conquest(2);
        let (near, far) = ends(&scene, seat(1));
        let ships = scene.ships(seat(1), &near.at().to_string(), &[(ShipKind::Transport, 5)]);
        let order = sail(&ships, &[], far.as_str());
        let found = codes(&scene, Some(&order));
        assert_eq!(found, ["bound-out-of-range"], "{near} to {far}");
        let scouts = scene.ships(seat(1), &near.at().to_string(), &[(ShipKind::Scout, 1)]);
        assert_eq!(codes(&scene, Some(&sail(&scouts, &[], far.as_str()))), [""; 0]);
    }

    fn ends(scene: &Scene, of: Seat) -> (StarId, StarId) {
        let command = scene.game.seat_view(of).command();
        let speed = scene.power(of).research.owned.speed();
        let mut pairs = StarId::ALL
            .into_iter()
            .flat_map(|near| StarId::ALL.into_iter().map(move |far| (near, far)));
        let fits = |&(near, far): &(StarId, StarId)| {
            let inner = 8 - speed;
            command.distance(near.at()) <= inner
                && !command.reaches(far.at())
                && near.at().distance(far.at()) > speed + 2
        };
        pairs.find(fits).expect("there are such stars")
    }

    #[test]
    fn rule_7_5_warns_of_ships_lost_out_of_range() {
        let mut scene = Scene::conquest(2);
        let edge = Place::all().find(|at| {
            let command = scene.game.seat_view(seat(1)).command();
            command.distance(*at) == 8
                && StarId::in_hex(*at).is_none()
                && !at.is_cloud()
                && at.neighbors().any(|to| !command.reaches(to) && !to.is_cloud())
        });
        let edge = edge.expect("there is an edge");
        let command = scene.game.seat_view(seat(1)).command();
        let ships = scene.ships(seat(1), &edge.to_string(), &[(ShipKind::Corvette, 2)]);
        let lost = |to: Place| {
            let bound = StarId::ALL.into_iter().find(|star| {
                let routes = edge.distance(star.at());
                to.distance(star.at()) + 1 == routes
            });
            let order = sail(&ships, &[to.to_string().as_str()], bound?.as_str());
            scene.game.seat_view(seat(1)).judge(&order).ok()?;
            Some(codes(&scene, Some(&order)))
        };
        let found = edge.neighbors().filter(|to| !command.reaches(*to)).find_map(lost);
        assert_eq!(found, Some(vec!["out-of-range"]));
    }

    #[test]
    fn rule_5_1_warns_of_ships_that_could_still_move() {
        let mut scene = Scene::conquest(2);
        let ships = scene.ships(seat(1), "L17", &[(ShipKind::Corvette, 3)]);
        let found = warned(&scene, Some(&Order::EndMovement));
        let from = ships.iter().map(|ship| ship.0).min().unwrap();
        let told = format!("Three ships between the stars have not moved: {from}-{}.", from + 2);
        assert_eq!(found.iter().map(|one| one.sentence.as_str()).collect::<Vec<_>>(), [told]);
        let mut at_a_star = Scene::conquest(2);
        at_a_star.ships(seat(1), "L18", &[(ShipKind::Corvette, 3)]);
        assert_eq!(codes(&at_a_star, Some(&Order::EndMovement)), [""; 0]);
    }

    fn producing() -> Scene {
        let mut scene = Scene::conquest(2);
        scene.explored(seat(1), "Alcor", 24);
        scene.colony(seat(1), "Alcor", 0, |colony| colony);
        scene.turn(4, seat(2));
        begin_production(&mut Referee::new(&mut scene.game, &mut scene.dice));
        scene
    }

    fn hand_in(scene: &mut Scene, spending: &[Spending]) {
        let plan = ColonyPlan {
            planet: alcor(0),
            emigrants: 0,
            bonus: 0,
            evacuate: false,
            spending: spending.to_vec(),
        };
        let sheet = ProductionSheet { colonies: vec![plan], ..ProductionSheet::default() };
        scene.order(seat(1), Order::Produce(sheet)).expect("a sheet");
    }

    #[test]
    fn rule_17_5_warns_of_unspent_industrial_points() {
        let mut scene = producing();
        assert_eq!(codes(&scene, None), ["sheet-not-given"], "the usual sheet spends all");
        hand_in(&mut scene, &[]);
        let found = warned(&scene, None);
        assert_eq!((found[0].code, found[0].rule), ("industry-unspent", "17.5"));
        let output = scene.power(seat(1)).colonies[0].output(TechSet::NONE);
        let told = format!("Unspent and lost: {output} i.p. ({output} on planet 1 of Alcor).");
        assert_eq!(found[0].sentence, told);
        let payment = Payment { tech: Tech::Speed3, points: output };
        hand_in(&mut scene, &[Spending::Research(payment)]);
        assert_eq!(codes(&scene, None), [""; 0]);
    }

    #[test]
    fn rule_3_4_warns_of_unspent_setup_points() {
        let mut scene = Scene::conquest(2);
        stage(&mut scene, Stage::Setup);
        assert_eq!(codes(&scene, None), ["start-not-chosen"]);
        let outfit = |corvettes| Outfit::Bonus { scouts: 0, corvettes, research: Vec::new() };
        let store = |scene: &mut Scene, outfit| {
            let sheet = Sheet::Outfit(outfit);
            scene.happen(&Event::Own(OwnEvent::SheetStored { seat: seat(1), sheet }));
        };
        store(&mut scene, outfit(3));
        let found = warned(&scene, None);
        assert_eq!(found[0].sentence, "Unspent and lost: 1 of your bonus of 25 i.p.");
        let payment = Payment { tech: Tech::Speed3, points: 1 };
        store(&mut scene, Outfit::Bonus { scouts: 0, corvettes: 3, research: vec![payment] });
        assert_eq!(codes(&scene, None), [""; 0]);
    }
}
