//! The parser of the order notation.

use heliopause_kernel::{Malformed, quoted};

use crate::client::notation::words::{
    FIRE, ITEMS, LEAVE, NUMBERS_MAX, REFUGE, SCOUT_PAIR, SCOUT_PAIRS, SCUTTLE, STAY, WATCH, Words,
};
use crate::state::{
    Build, Campaign, ColonyPlan, DecreePlan, DecreeSheet, Factories, Marker, Order, Outfit,
    Payment, PostPlan, ProductionSheet, RaidOrder, ShipNumber, Shot, Spending, Stage,
    StandingOrders, UnitId, View, Voyage, Withdrawal,
};
use crate::tables::{Item, PLANETS_MAX, Place, PlanetId, StarId, Tech};

pub(super) fn line(text: &str, number: u32, view: &View) -> Result<Option<Order>, Malformed> {
    let mut reader = Reader::new(text, number, view);
    if reader.words.is_empty() {
        return Ok(None);
    }
    let order = reader.order()?;
    if reader.next < reader.words.len() {
        return reader.expected("the end of the line");
    }
    Ok(Some(order))
}

type Read<T> = Result<T, Malformed>;

/// A cursor over the words of one line, in which `:`, `;` and `|` count as words.
struct Reader<'a> {
    words: Vec<(u32, String)>,
    next: usize,
    line: u32,
    end: u32,
    view: &'a View,
}

const ORDERS: &str = "standing, watch, look, pass, move, form, post, unpost, end, fight, aim, hold, \
                      withdraw, stay, send, attack, break, scuttle, raze, kill, land, produce";

const SETTINGS: &str = "\"fire\", \"stay\", \"scouts\", \"transports\", \"refuge\" or \"scuttle\"";

const KEYWORDS: [&str; 6] = ["via", "to", "avoid", "clouds", "lose", "stop"];

impl<'a> Reader<'a> {
    fn new(text: &str, line: u32, view: &'a View) -> Self {
        let text = text.split("//").next().unwrap_or_default();
        let mut words: Vec<(u32, String)> = Vec::new();
        let mut column = 0;
        let mut open = false;
        for letter in text.chars() {
            column += 1;
            let apart = matches!(letter, ':' | ';' | '|');
            if letter.is_whitespace() {
                open = false;
            } else if open && !apart {
                if let Some((_, word)) = words.last_mut() {
                    word.extend(letter.to_lowercase());
                }
            } else {
                words.push((column, letter.to_lowercase().collect()));
                open = !apart;
            }
        }
        Self { words, next: 0, line, end: column + 1, view }
    }

    fn expected<T>(&self, what: &str) -> Read<T> {
        let (column, found) = match self.words.get(self.next) {
            Some((column, word)) => (*column, quoted(word)),
            None => (self.end, "the end of the line".to_owned()),
        };
        Err(Malformed::text(self.line, column, format!("expected {what}, found {found}")))
    }

    fn peek(&self) -> Option<&str> {
        self.words.get(self.next).map(|(_, word)| word.as_str())
    }

    fn skip(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        self.next += usize::from(found);
        found
    }

    fn keyword(&mut self, word: &str) -> Read<()> {
        if self.skip(word) { Ok(()) } else { self.expected(&format!("\"{word}\"")) }
    }

    fn take<T>(&mut self, what: &str, read: impl Fn(&str) -> Option<T>) -> Read<T> {
        match self.peek().and_then(read) {
            Some(value) => {
                self.next += 1;
                Ok(value)
            }
            None => self.expected(what),
        }
    }

    fn number(&mut self, what: &str) -> Read<u32> {
        self.take(what, number)
    }

    fn narrow<T: TryFrom<u32>>(&mut self, what: &str) -> Read<T> {
        self.take(what, |word| T::try_from(number(word)?).ok())
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

    fn marker(&mut self) -> Read<Option<Marker>> {
        if self.skip("loose") {
            return Ok(None);
        }
        let read = |word: &str| number(word).and_then(Marker::numbered);
        self.take("a task force from 1 to 15, or \"loose\"", read).map(Some)
    }

    fn ships(&mut self) -> Read<Vec<ShipNumber>> {
        self.take("ship numbers, from 1, such as #1-4,7", ships)
    }

    fn word<T: Copy>(&mut self, words: &Words<T>) -> Read<T> {
        let names: Vec<&str> = words.iter().map(|&(_, word)| word).collect();
        let find =
            |word: &str| words.iter().find(|(_, other)| *other == word).map(|&(value, _)| value);
        self.take(&names.join(", "), find)
    }

    fn many<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Vec<T> {
        let mut found = Vec::new();
        while let Some(value) = self.peek().filter(|word| !KEYWORDS.contains(word)).and_then(&read)
        {
            self.next += 1;
            found.push(value);
        }
        found
    }

    fn orders(&self) -> String {
        let own = match self.view.table.campaign {
            Campaign::Conquest => "setup",
            Campaign::Fate(_) => "commission, recall",
            Campaign::OuterSpace(_) => "decree, raid, place",
        };
        format!("an order ({own}, {ORDERS})")
    }

    fn order(&mut self) -> Read<Order> {
        let Some(verb) = self.peek().map(str::to_owned) else {
            return self.expected(&self.orders());
        };
        self.next += 1;
        match verb.as_str() {
            "setup" => self.setup(),
            "commission" => self.commission(),
            "standing" => self.standing(),
            "watch" => {
                let planet = self.planet()?;
                Ok(Order::Watch { planet, watch: self.word(WATCH)? })
            }
            "look" | "pass" => Ok(Order::Inspect {
                glimpse: self.number("the number of a chance to look at ships")?,
                look: verb == "look",
            }),
            "recall" => Ok(Order::Recall { ships: self.ships()? }),
            "move" => self.voyage(),
            "form" => {
                let ships = self.ships()?;
                Ok(Order::Form { ships, marker: self.marker()? })
            }
            "post" | "unpost" => Ok(Order::Post { star: self.star()?, up: verb == "post" }),
            "end" => Ok(self.end()),
            "produce" => self.produce(),
            "decree" => self.decree(),
            "raid" => {
                let target = self.star()?;
                let rounds = self.narrow("a number of rounds, 1 or 2")?;
                let ships = self.ships()?;
                let path = if self.skip("via") { self.many(place) } else { Vec::new() };
                Ok(Order::Raid(RaidOrder { ships, target, rounds, path }))
            }
            "place" => {
                let at = self.place()?;
                let destination = if self.skip("to") { Some(self.star()?) } else { None };
                Ok(Order::Place { at, destination })
            }
            _ => self.fight(&verb),
        }
    }

    fn end(&mut self) -> Order {
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

    fn fight(&mut self, verb: &str) -> Read<Order> {
        match verb {
            "fight" => Ok(Order::Fight { at: self.place()? }),
            "aim" => Ok(Order::Aim { shots: self.many(shots).concat() }),
            "hold" => {
                self.skip("fire");
                Ok(Order::Aim { shots: Vec::new() })
            }
            "withdraw" => self.withdraw(),
            "stay" => Ok(Order::Withdraw { groups: Vec::new() }),
            "send" => Ok(Order::SendTo { at: self.place()? }),
            "attack" => self.attack(),
            "break" => {
                self.skip("off");
                Ok(Order::BreakOff)
            }
            "scuttle" => self.scuttle(),
            "raze" => {
                let planet = self.planet()?;
                Ok(Order::Raze {
                    factories: Factories { planet, count: self.number("a number of factories")? },
                })
            }
            "kill" => {
                let planet = self.planet()?;
                Ok(Order::Kill { planet, millions: self.narrow("a number of millions")? })
            }
            "land" => {
                let ships = self.ships()?;
                Ok(Order::Land { ships, planet: self.planet()? })
            }
            _ => {
                self.next -= 1;
                self.expected(&self.orders())
            }
        }
    }

    /// Reads groups of withdrawing units, such as `3 4 to Sadir; 5 to Lupi; 6 stay`.
    fn withdraw(&mut self) -> Read<Order> {
        let mut groups = Vec::new();
        loop {
            let units = self.many(unit);
            let stays = !units.is_empty() && self.skip("stay");
            if stays {
                if self.skip(";") {
                    continue;
                }
                return Ok(Order::Withdraw { groups });
            }
            let destination = if self.skip("to") { Some(self.star()?) } else { None };
            groups.push(Withdrawal { units, destination });
            if !self.skip(";") {
                return Ok(Order::Withdraw { groups });
            }
        }
    }

    fn attack(&mut self) -> Read<Order> {
        let mut planets = Vec::new();
        while self.peek().is_some() {
            let star = self.star()?;
            planets.push(PlanetId { star, nth: self.nth()? });
            planets.extend(self.many(nth).into_iter().map(|nth| PlanetId { star, nth }));
        }
        Ok(Order::Attack { planets })
    }

    fn scuttle(&mut self) -> Read<Order> {
        let mut factories = Vec::new();
        if self.skip("none") {
            return Ok(Order::Scuttle { factories });
        }
        loop {
            let planet = self.planet()?;
            factories.push(Factories { planet, count: self.number("a number of factories")? });
            if self.peek().is_none() {
                return Ok(Order::Scuttle { factories });
            }
        }
    }

    fn voyage(&mut self) -> Read<Order> {
        let mut voyage = Voyage {
            ships: self.ships()?,
            path: Vec::new(),
            destination: None,
            avoiding: Vec::new(),
            round_clouds: false,
            accept_loss: false,
        };
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
                stop = Some(self.number("a number of hexes to stop after")?);
            } else {
                return self
                    .expected("\"via\", \"to\", \"avoid\", \"clouds\", \"lose\" or \"stop\"");
            }
        }
        if let (Some(hexes), Some(seat_view)) = (stop, self.view.seat_view()) {
            voyage.path = seat_view.path_prefix(&voyage, hexes as usize);
        }
        Ok(Order::Move(voyage))
    }

    fn standing(&mut self) -> Read<Order> {
        let mut standing = StandingOrders::default();
        while let Some(setting) = self.peek().map(str::to_owned) {
            self.next += 1;
            match setting.as_str() {
                "fire" => standing.fire = self.word(FIRE)?,
                "stay" => standing.stay = self.word(STAY)?,
                "scouts" => standing.scouts_leave = self.word(LEAVE)?,
                "transports" => standing.transports_leave = self.word(LEAVE)?,
                "refuge" => standing.refuge = self.word(REFUGE)?,
                "scuttle" => standing.scuttle = self.word(SCUTTLE)?,
                _ => {
                    self.next -= 1;
                    return self.expected(SETTINGS);
                }
            }
        }
        Ok(Order::Standing(standing))
    }

    /// Reads an expense of a colony, such as `2 scouts` or `5 into speed3`.
    fn spending(&mut self) -> Read<Spending> {
        let count = self.number("a number")?;
        if self.skip("into") {
            return Ok(Spending::Research(Payment { tech: self.tech()?, points: count }));
        }
        if self.skip(SCOUT_PAIR) || self.skip(SCOUT_PAIRS) {
            return Ok(Spending::Build { item: Item::Scout, count: count.saturating_mul(2) });
        }
        Ok(Spending::Build { item: self.take("an item to build, or \"into\"", item)?, count })
    }

    fn tech(&mut self) -> Read<Tech> {
        self.take("the short name of a technology", |word| word.parse().ok())
    }

    fn setup(&mut self) -> Read<Order> {
        let (mut ships, mut research) = (StartingShips::default(), Vec::new());
        self.entries(";", |reader| {
            match reader.spending()? {
                Spending::Research(payment) => research.push(payment),
                Spending::Build { item, count } => ships.add(reader, item, count)?,
            }
            Ok(())
        })?;
        let StartingShips { scouts, corvettes } = ships;
        Ok(Order::Outfit(Outfit::Bonus { scouts, corvettes, research }))
    }

    fn commission(&mut self) -> Read<Order> {
        let (mut ships, mut techs) = (StartingShips::default(), Vec::new());
        loop {
            if let Some(tech) = self.peek().and_then(|word| word.parse().ok()) {
                self.next += 1;
                techs.push(tech);
            } else {
                let count = self.number("a number of ships, or a technology")?;
                let item = self.take("scouts or corvettes", item)?;
                ships.add(self, item, count)?;
            }
            if !self.skip(";") {
                break;
            }
        }
        let StartingShips { scouts, corvettes } = ships;
        match <[Tech; 2]>::try_from(techs) {
            Ok(technologies) => {
                Ok(Order::Outfit(Outfit::Commission { corvettes, scouts, technologies }))
            }
            Err(_) => self.expected("two technologies in all"),
        }
    }

    fn produce(&mut self) -> Read<Order> {
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
        Ok(Order::Produce(sheet))
    }

    fn decree(&mut self) -> Read<Order> {
        let mut sheet = DecreeSheet::default();
        self.entries("|", |reader| {
            if reader.skip("posts") {
                sheet.posts = Some(reader.posts());
            } else {
                sheet.plans.push(reader.decree_plan()?);
            }
            Ok(())
        })?;
        Ok(Order::Decree(sheet))
    }

    fn posts(&mut self) -> PostPlan {
        PostPlan { stars: if self.skip("none") { Vec::new() } else { self.many(star) } }
    }

    /// Reads entries up to the end of the line, or up to the end of a colony's part of a sheet.
    fn entries(
        &mut self,
        separator: &str,
        mut entry: impl FnMut(&mut Self) -> Read<()>,
    ) -> Read<()> {
        while self.peek().is_some_and(|word| word != "|" || separator == "|") {
            entry(self)?;
            if !self.skip(separator) {
                break;
            }
        }
        Ok(())
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
        let planet = self.planet()?;
        self.keyword(":")?;
        let mut plan =
            ColonyPlan { planet, emigrants: 0, bonus: 0, evacuate: false, spending: Vec::new() };
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
}

/// The ships of a start.
#[derive(Default)]
struct StartingShips {
    scouts: u32,
    corvettes: u32,
}

impl StartingShips {
    /// Adds ships. Fails at the word before the reader's next one for items that no start has.
    fn add(&mut self, reader: &mut Reader<'_>, item: Item, count: u32) -> Read<()> {
        let ships = match item {
            Item::Scout => &mut self.scouts,
            Item::Corvette => &mut self.corvettes,
            Item::ColonyTransport
            | Item::Fighter
            | Item::DeathStar
            | Item::Factory
            | Item::MissileBase
            | Item::AdvancedMissileBase
            | Item::PlanetShield => {
                reader.next -= 1;
                return reader.expected("scouts or corvettes");
            }
        };
        *ships = ships.saturating_add(count);
        Ok(())
    }
}

fn number(word: &str) -> Option<u32> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok()).flatten()
}

fn star(word: &str) -> Option<StarId> {
    word.parse().ok()
}

fn place(word: &str) -> Option<Place> {
    word.parse().ok().or_else(|| star(word).map(StarId::at))
}

fn nth(word: &str) -> Option<u8> {
    let nth = number(word)?.checked_sub(1)?;
    u8::try_from(nth).ok().filter(|&nth| usize::from(nth) < PLANETS_MAX)
}

fn unit(word: &str) -> Option<UnitId> {
    number(word).and_then(|number| u16::try_from(number).ok()).map(UnitId)
}

/// Reads shots such as `0>5`, or `0,1>5,6` for unit 0 at unit 5 and unit 1 at unit 6.
fn shots(word: &str) -> Option<Vec<Shot>> {
    let (by, at) = word.split_once('>')?;
    let units = |text: &str| text.split(',').map(unit).collect::<Option<Vec<UnitId>>>();
    let (by, at) = (units(by)?, units(at)?);
    let shot = |(by, at)| Shot { by, at };
    (by.len() == at.len()).then(|| by.into_iter().zip(at).map(shot).collect())
}

fn emigrants(word: &str) -> Option<(u16, u16)> {
    let (emigrants, bonus) = word.split_once('+').unwrap_or((word, "0"));
    Some((u16::try_from(number(emigrants)?).ok()?, u16::try_from(number(bonus)?).ok()?))
}

fn item(word: &str) -> Option<Item> {
    ITEMS
        .iter()
        .find(|(_, one, several)| word == *one || word == *several)
        .map(|&(item, _, _)| item)
}

/// Reads ship numbers such as `#1-4,7` or `#1-4,#7`. Returns `None` for number 0, a descending
/// range, or too many ships.
fn ships(word: &str) -> Option<Vec<ShipNumber>> {
    let mut ships = Vec::new();
    for run in word.strip_prefix('#')?.split(',').filter(|run| !run.is_empty()) {
        let run = run.strip_prefix('#').unwrap_or(run);
        let (first, last) = run.split_once('-').unwrap_or((run, run));
        let (first, last) = (number(first)?, number(last)?);
        if first == 0 || last < first || (last - first) as usize >= NUMBERS_MAX - ships.len() {
            return None;
        }
        ships.extend((first..=last).map(ShipNumber));
    }
    Some(ships)
}
