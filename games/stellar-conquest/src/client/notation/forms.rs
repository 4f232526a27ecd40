//! The orders in the notation, each declared once. [`Reader`] reads the parts of an order, and
//! [`Writer`] writes them.

use std::fmt::{Display, Write as _};

use crate::client::notation::reader::{Read, Reader};
use crate::client::notation::words::{
    SCOUT_PAIRS, emigrants, item, nth, number, place, ships, shots, star, unit, write_item,
    write_planet, write_ships,
};
use crate::state::{
    Build, Campaign, ColonyPlan, DecreePlan, DecreeSheet, Factories, FirePolicy, Marker, Order,
    Outfit, Payment, PostPlan, ProductionSheet, RaidOrder, RefugePolicy, ScuttlePolicy, ShipNumber,
    Shot, Spending, Stage, StandingOrders, StayPolicy, Voyage, Watch, Withdrawal,
};
use crate::tables::{Item, Place, PlanetId, StarId, Tech};

const ORDERS: &str = "standing, watch, look, pass, move, form, post, unpost, end, fight, aim, \
                      hold, withdraw, stay, send, attack, break, scuttle, raze, kill, land, \
                      produce";

/// Declares orders by their verb and their parts, in the order of the notation. The order is a
/// pattern for writing and an expression for reading.
macro_rules! forms {
    ($(
        $verb:literal $order:ident $fields:tt ($($value:tt: $part:ident($($what:literal)?)),*)
    )+) => {
        fn read_form(verb: &str, reader: &mut Reader<'_>) -> Read<Option<Order>> {
            Ok(Some(match verb {
                $($verb => {
                    $(let $value = reader.$part($($what)?)?;)*
                    Order::$order $fields
                })+
                _ => return Ok(None),
            }))
        }

        fn write_form(order: &Order) -> Writer {
            match order {
                $(Order::$order $fields => Writer(String::from($verb))$(.$part($value))*,)+
            }
        }
    };
}

forms! {
    "setup" Outfit(Outfit::Bonus { scouts, corvettes, research })
        ((scouts, corvettes, research): bonus())
    "commission" Outfit(Outfit::Commission { corvettes, scouts, technologies })
        ((scouts, corvettes, technologies): commission())
    "standing" Standing(standing) (standing: standing())
    "watch" Watch { planet, watch } (planet: planet(), watch: watch())
    "look" Inspect { glimpse, look: true }
        (glimpse: number("the number of a chance to look at ships"))
    "pass" Inspect { glimpse, look: false }
        (glimpse: number("the number of a chance to look at ships"))
    "recall" Recall { ships } (ships: ships())
    "move" Move(voyage) (voyage: voyage())
    "form" Form { ships, marker } (ships: ships(), marker: marker())
    "post" Post { star, up: true } (star: star())
    "unpost" Post { star, up: false } (star: star())
    "end movement" EndMovement {} ()
    "end turn" EndTurn {} ()
    "fight" Fight { at } (at: place())
    "aim" Aim { shots } (shots: shots())
    "withdraw" Withdraw { groups } (groups: groups())
    "send" SendTo { at } (at: place())
    "attack" Attack { planets } (planets: planets())
    "break" BreakOff {} ()
    "scuttle" Scuttle { factories } (factories: all_factories())
    "raze" Raze { factories } (factories: factories())
    "kill" Kill { planet, millions } (planet: planet(), millions: number("a number of millions"))
    "land" Land { ships, planet } (ships: ships(), planet: planet())
    "produce" Produce(sheet) (sheet: production())
    "decree" Decree(sheet) (sheet: decree())
    "raid" Raid(RaidOrder { ships, target, rounds, path }) (
        target: star(), rounds: number("a number of rounds, 1 or 2"), ships: ships(), path: via()
    )
    "place" Place { at, destination } (at: place(), destination: to())
}

pub(super) fn write(order: &Order) -> String {
    if matches!(order, Order::Aim { shots } if shots.is_empty()) {
        "hold".to_owned()
    } else if matches!(order, Order::Withdraw { groups } if groups.is_empty()) {
        "stay".to_owned()
    } else {
        write_form(order).0
    }
}

/// An order as far as it is written.
struct Writer(String);

impl Writer {
    fn put(mut self, word: impl Display) -> Self {
        let _ = write!(self.0, " {word}");
        self
    }

    fn all<T: Display>(self, words: impl IntoIterator<Item = T>) -> Self {
        words.into_iter().fold(self, Self::put)
    }

    /// Writes a keyword and words, if there are any.
    fn clause<T: Display>(self, keyword: &str, words: &[T]) -> Self {
        if words.is_empty() { self } else { self.put(keyword).all(words) }
    }

    fn entries(self, separator: &str, entries: &[String]) -> Self {
        if entries.is_empty() { self } else { self.put(entries.join(separator)) }
    }
}

impl Reader<'_> {
    fn orders(&self) -> String {
        let own = match self.view.table.campaign {
            Campaign::Conquest => "setup",
            Campaign::Fate(_) => "commission, recall",
            Campaign::OuterSpace(_) => "decree, raid, place",
        };
        format!("an order ({own}, {ORDERS})")
    }

    pub(super) fn order(&mut self) -> Read<Order> {
        let Ok(verb) = self.take("", |word| Some(word.to_owned())) else {
            return self.expected(&self.orders());
        };
        match verb.as_str() {
            "end" => Ok(self.ended_step()),
            "hold" => {
                self.skip("fire");
                Ok(Order::Aim { shots: Vec::new() })
            }
            "stay" => Ok(Order::Withdraw { groups: Vec::new() }),
            verb => {
                let Some(order) = read_form(verb, self)? else {
                    self.back();
                    return self.expected(&self.orders());
                };
                let _ = order == Order::BreakOff && self.skip("off");
                Ok(order)
            }
        }
    }

    fn ended_step(&mut self) -> Order {
        if self.skip("movement") {
            return Order::EndMovement;
        }
        let turn = self.skip("turn");
        if self.view.table.stage == Stage::Movement && !turn {
            Order::EndMovement
        } else {
            Order::EndTurn
        }
    }

    fn star(&mut self) -> Read<StarId> {
        self.take("a star, such as Sadir", star)
    }

    fn place(&mut self) -> Read<Place> {
        self.take("a hex such as P18, or a star", place)
    }

    fn nth(&mut self) -> Read<u8> {
        self.take("the number of a planet, from 1 to 3", nth)
    }

    fn planet(&mut self) -> Read<PlanetId> {
        let star = self.star()?;
        Ok(PlanetId { star, nth: self.nth()? })
    }

    fn ships(&mut self) -> Read<Vec<ShipNumber>> {
        self.take("ship numbers, from 1, such as #1-4,7", ships)
    }

    fn marker(&mut self) -> Read<Option<Marker>> {
        if self.skip("loose") {
            return Ok(None);
        }
        let read = |word: &str| number(word).and_then(Marker::numbered);
        self.take("a task force from 1 to 15, or \"loose\"", read).map(Some)
    }

    fn watch(&mut self) -> Read<Watch> {
        self.one_of(&Watch::ALL)
    }

    #[expect(clippy::unnecessary_wraps, reason = "every part has this shape")]
    fn via(&mut self) -> Read<Vec<Place>> {
        Ok(if self.skip("via") { self.many(place) } else { Vec::new() })
    }

    fn to(&mut self) -> Read<Option<StarId>> {
        if self.skip("to") { self.star().map(Some) } else { Ok(None) }
    }

    #[expect(clippy::unnecessary_wraps, reason = "every part has this shape")]
    fn shots(&mut self) -> Read<Vec<Shot>> {
        Ok(self.many(shots).concat())
    }

    fn factories(&mut self) -> Read<Factories> {
        let planet = self.planet()?;
        Ok(Factories { planet, count: self.number("a number of factories")? })
    }

    fn all_factories(&mut self) -> Read<Vec<Factories>> {
        let mut all = Vec::new();
        if self.skip("none") {
            return Ok(all);
        }
        loop {
            all.push(self.factories()?);
            if self.peek().is_none() {
                return Ok(all);
            }
        }
    }

    /// Reads groups of withdrawing units, such as `3 4 to Sadir; 5 to Lupi; 6 stay`.
    fn groups(&mut self) -> Read<Vec<Withdrawal>> {
        let mut groups = Vec::new();
        loop {
            let units = self.many(unit);
            if units.is_empty() || !self.skip("stay") {
                groups.push(Withdrawal { units, destination: self.to()? });
            }
            if !self.skip(";") {
                return Ok(groups);
            }
        }
    }

    fn planets(&mut self) -> Read<Vec<PlanetId>> {
        let mut planets = Vec::new();
        while self.peek().is_some() {
            let first = self.planet()?;
            planets.push(first);
            planets.extend(self.many(nth).into_iter().map(|nth| PlanetId { nth, ..first }));
        }
        Ok(planets)
    }

    fn voyage(&mut self) -> Read<Voyage> {
        let mut voyage = Voyage::new(self.ships()?);
        let mut stop = None;
        while self.peek().is_some() {
            if self.skip("via") {
                voyage.path.push(self.place()?);
                voyage.path.extend(self.many(place));
            } else if self.skip("to") {
                voyage.destination = Some(self.star()?);
            } else if self.skip("avoid") {
                voyage.avoiding.push(self.star()?);
                voyage.avoiding.extend(self.many(star));
            } else if self.skip("clouds") {
                voyage.round_clouds = true;
            } else if self.skip("lose") {
                voyage.accept_loss = true;
            } else if self.skip("stop") {
                stop = Some(self.number::<u32>("a number of hexes to stop after")?);
            } else {
                return self
                    .expected("\"via\", \"to\", \"avoid\", \"clouds\", \"lose\" or \"stop\"");
            }
        }
        if let (Some(hexes), Some(seat_view)) = (stop, self.view.seat_view()) {
            voyage.path = seat_view.path_prefix(&voyage, hexes as usize);
        }
        Ok(voyage)
    }

    fn standing(&mut self) -> Read<StandingOrders> {
        let mut standing = StandingOrders::default();
        while self.peek().is_some() {
            if self.skip("fire") {
                standing.fire = self.one_of(&FirePolicy::ALL)?;
            } else if self.skip("stay") {
                standing.stay = self.one_of(&StayPolicy::ALL)?;
            } else if self.skip("scouts") {
                standing.scouts_leave = self.leaves()?;
            } else if self.skip("transports") {
                standing.transports_leave = self.leaves()?;
            } else if self.skip("refuge") {
                standing.refuge = self.one_of(&RefugePolicy::ALL)?;
            } else if self.skip("scuttle") {
                standing.scuttle = self.one_of(&ScuttlePolicy::ALL)?;
            } else {
                let settings = "\"fire\", \"stay\", \"scouts\", \"transports\", \"refuge\" or \
                                \"scuttle\"";
                return self.expected(settings);
            }
        }
        Ok(standing)
    }

    fn leaves(&mut self) -> Read<bool> {
        let leaves = self.skip("leave");
        if leaves || self.skip("stay") { Ok(leaves) } else { self.expected("stay, leave") }
    }

    fn tech(&mut self) -> Read<Tech> {
        self.take("the short name of a technology", |word| word.parse().ok())
    }

    /// Reads an expense of a colony, such as `2 scouts` or `5 into speed3`.
    fn spending(&mut self) -> Read<Spending> {
        let count: u32 = self.number("a number")?;
        if self.skip("into") {
            return Ok(Spending::Research(Payment { tech: self.tech()?, points: count }));
        }
        if self.skip("scout-pair") || self.skip(SCOUT_PAIRS) {
            return Ok(Spending::Build { item: Item::Scout, count: count.saturating_mul(2) });
        }
        Ok(Spending::Build { item: self.take("an item to build, or \"into\"", item)?, count })
    }

    fn bonus(&mut self) -> Read<(u32, u32, Vec<Payment>)> {
        let (mut ships, mut research) = ([0, 0], Vec::new());
        self.entries(";", |reader| {
            match reader.spending()? {
                Spending::Research(payment) => research.push(payment),
                Spending::Build { item, count } => reader.add(&mut ships, item, count)?,
            }
            Ok(())
        })?;
        Ok((ships[0], ships[1], research))
    }

    /// Adds starting scouts or corvettes. Fails at the word before the next one for other items.
    fn add(&mut self, ships: &mut [u32; 2], item: Item, count: u32) -> Read<()> {
        let Some(index) = [Item::Scout, Item::Corvette].iter().position(|&own| own == item) else {
            self.back();
            return self.expected("scouts or corvettes");
        };
        ships[index] = ships[index].saturating_add(count);
        Ok(())
    }

    fn commission(&mut self) -> Read<(u32, u32, [Tech; 2])> {
        let (mut ships, mut techs) = ([0, 0], Vec::new());
        loop {
            if let Ok(tech) = self.tech() {
                techs.push(tech);
            } else {
                let count = self.number("a number of ships, or a technology")?;
                let item = self.take("scouts or corvettes", item)?;
                self.add(&mut ships, item, count)?;
            }
            if !self.skip(";") {
                break;
            }
        }
        match techs.try_into() {
            Ok(technologies) => Ok((ships[0], ships[1], technologies)),
            Err(_) => self.expected("two technologies in all"),
        }
    }

    fn production(&mut self) -> Read<ProductionSheet> {
        let mut sheet = ProductionSheet::default();
        self.entries("|", |reader| {
            if reader.skip("posts") {
                sheet.posts = Some(reader.posts());
            } else if reader.skip("grant") {
                sheet.grant = reader.grant()?;
            } else {
                sheet.colonies.push(reader.plan()?);
            }
            Ok(())
        })?;
        Ok(sheet)
    }

    fn decree(&mut self) -> Read<DecreeSheet> {
        let mut sheet = DecreeSheet::default();
        self.entries("|", |reader| {
            if reader.skip("posts") {
                sheet.posts = Some(reader.posts());
            } else {
                sheet.plans.push(reader.decree_plan()?);
            }
            Ok(())
        })?;
        Ok(sheet)
    }

    fn posts(&mut self) -> PostPlan {
        PostPlan { stars: if self.skip("none") { Vec::new() } else { self.many(star) } }
    }

    fn grant(&mut self) -> Read<Vec<Payment>> {
        let mut payments = Vec::new();
        loop {
            let points = self.number("a number of i.p.")?;
            self.keyword("into")?;
            payments.push(Payment { tech: self.tech()?, points });
            if !self.skip(";") {
                return Ok(payments);
            }
        }
    }

    fn plan(&mut self) -> Read<ColonyPlan> {
        let mut plan = ColonyPlan::new(self.planet()?);
        self.keyword(":")?;
        self.entries(";", |reader| {
            if reader.skip("emigrate") {
                (plan.emigrants, plan.bonus) =
                    reader.take("emigrants and bonus such as 12+4", emigrants)?;
            } else if reader.skip("evacuate") {
                plan.evacuate = true;
            } else {
                plan.spending.push(reader.spending()?);
            }
            Ok(())
        })?;
        Ok(plan)
    }

    fn decree_plan(&mut self) -> Read<DecreePlan> {
        let mut plan = DecreePlan { planet: self.planet()?, budget: None, weapons: Vec::new() };
        self.keyword(":")?;
        self.entries(";", |reader| {
            if reader.skip("spend") {
                plan.budget = Some(reader.number("a number of i.p.")?);
            } else {
                let count = reader.number("a number")?;
                plan.weapons.push(Build { item: reader.take("an item to buy", item)?, count });
            }
            Ok(())
        })?;
        Ok(plan)
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    clippy::ref_option,
    reason = "every part takes the field as it is"
)]
impl Writer {
    fn star(self, star: &StarId) -> Self {
        self.put(star)
    }

    fn place(self, at: &Place) -> Self {
        self.put(at)
    }

    fn number(self, number: &impl Display) -> Self {
        self.put(number)
    }

    fn planet(self, planet: &PlanetId) -> Self {
        self.put(write_planet(*planet))
    }

    fn ships(self, ships: &[ShipNumber]) -> Self {
        self.put(write_ships(ships))
    }

    fn marker(self, marker: &Option<Marker>) -> Self {
        match marker {
            Some(marker) => self.put(marker.number()),
            None => self.put("loose"),
        }
    }

    fn watch(self, watch: &Watch) -> Self {
        self.put(watch)
    }

    fn via(self, path: &[Place]) -> Self {
        self.clause("via", path)
    }

    fn to(self, star: &Option<StarId>) -> Self {
        self.clause("to", star.as_slice())
    }

    fn shots(self, shots: &[Shot]) -> Self {
        self.all(shots.iter().map(|shot| format!("{}>{}", shot.by.0, shot.at.0)))
    }

    fn factories(self, factories: &Factories) -> Self {
        self.planet(&factories.planet).put(factories.count)
    }

    fn all_factories(self, all: &[Factories]) -> Self {
        if all.is_empty() { self.put("none") } else { all.iter().fold(self, Self::factories) }
    }

    fn groups(mut self, groups: &[Withdrawal]) -> Self {
        for (nth, Withdrawal { units, destination }) in groups.iter().enumerate() {
            self.0.push_str(if nth == 0 { "" } else { ";" });
            self = self.all(units.iter().map(|unit| unit.0)).to(destination);
        }
        self
    }

    fn planets(self, planets: &[PlanetId]) -> Self {
        let of_star = planets.chunk_by(|one, next| one.star == next.star);
        of_star.fold(self, |line, planets| {
            line.star(&planets[0].star).all(planets.iter().map(|planet| planet.nth + 1))
        })
    }

    fn voyage(self, voyage: &Voyage) -> Self {
        let line = self.ships(&voyage.ships).via(&voyage.path).to(&voyage.destination);
        let line = line.clause("avoid", &voyage.avoiding);
        let line = if voyage.round_clouds { line.put("clouds") } else { line };
        if voyage.accept_loss { line.put("lose") } else { line }
    }

    fn standing(self, standing: &StandingOrders) -> Self {
        let StandingOrders { fire, stay, scouts_leave, transports_leave, refuge, scuttle } =
            standing;
        let [scouts, transports] =
            [scouts_leave, transports_leave].map(|leave| if *leave { "leave" } else { "stay" });
        self.put(format!("fire {fire} stay {stay} scouts {scouts} transports {transports}"))
            .put(format!("refuge {refuge} scuttle {scuttle}"))
    }

    fn bonus(self, (scouts, corvettes, research): (&u32, &u32, &Vec<Payment>)) -> Self {
        let paid = research.iter().map(write_payment);
        self.entries(
            "; ",
            &write_starting_ships(*corvettes, *scouts).chain(paid).collect::<Vec<_>>(),
        )
    }

    fn commission(self, (scouts, corvettes, techs): (&u32, &u32, &[Tech; 2])) -> Self {
        let codes = techs.iter().map(|tech| tech.title().code.to_owned());
        self.entries(
            "; ",
            &write_starting_ships(*corvettes, *scouts).chain(codes).collect::<Vec<_>>(),
        )
    }

    fn production(self, sheet: &ProductionSheet) -> Self {
        let mut parts: Vec<String> = sheet.colonies.iter().map(write_plan).collect();
        parts.extend(sheet.posts.as_ref().map(write_posts));
        if !sheet.grant.is_empty() {
            let payments: Vec<String> = sheet.grant.iter().map(write_payment).collect();
            parts.push(format!("grant {}", payments.join("; ")));
        }
        self.entries(" | ", &parts)
    }

    fn decree(self, sheet: &DecreeSheet) -> Self {
        let plan = |plan: &DecreePlan| {
            let budget = plan.budget.map(|points| format!("spend {points}"));
            let weapons = plan.weapons.iter().map(|build| write_item(build.item, build.count));
            write_colony(plan.planet, budget.into_iter().chain(weapons))
        };
        let posts = sheet.posts.as_ref().map(write_posts);
        self.entries(" | ", &sheet.plans.iter().map(plan).chain(posts).collect::<Vec<_>>())
    }
}

fn write_starting_ships(corvettes: u32, scouts: u32) -> impl Iterator<Item = String> {
    let counts = [(Item::Corvette, corvettes), (Item::Scout, scouts)];
    let bought = counts.into_iter().filter(|&(_, count)| count > 0);
    bought.map(|(item, count)| write_item(item, count))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "lists pass references")]
fn write_payment(payment: &Payment) -> String {
    format!("{} into {}", payment.points, payment.tech.title().code)
}

fn write_posts(posts: &PostPlan) -> String {
    let stars: Vec<&str> = posts.stars.iter().map(|star| star.as_str()).collect();
    if stars.is_empty() { "posts none".to_owned() } else { format!("posts {}", stars.join(" ")) }
}

fn write_colony(planet: PlanetId, entries: impl Iterator<Item = String>) -> String {
    let entries: Vec<String> = entries.collect();
    format!("{}: {}", write_planet(planet), entries.join("; ")).trim_end().to_owned()
}

fn write_plan(plan: &ColonyPlan) -> String {
    let moves = plan.emigrants > 0 || plan.bonus > 0;
    let emigrate = moves.then(|| format!("emigrate {}+{}", plan.emigrants, plan.bonus));
    let evacuate = plan.evacuate.then(|| "evacuate".to_owned());
    let spending = plan.spending.iter().map(|spending| match spending {
        Spending::Build { item, count } => write_item(*item, *count),
        Spending::Research(payment) => write_payment(payment),
    });
    write_colony(plan.planet, emigrate.into_iter().chain(evacuate).chain(spending))
}
