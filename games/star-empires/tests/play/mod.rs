//! Random play by empires and a game master.

use heliopause_kernel::{Actor, CloseCause, Emitted, Game, Seat, Setup};
use heliopause_star_empires::{
    Amount, Astronomics, Coord, Crews, Design, EmpireView, Event, Galaxy, Hull, KnownKind, Line,
    MasterOrder, Name, Names, Naming, NewOwner, ObjectKind, Options, Order, OwnShip, Pattern,
    Ratings, Scans, Sector, Selection, Sense, Serial, Sheet, Spot, StarEmpires, handle,
};
use heliopause_testing::{Player, Rng};

pub(crate) type Watched = heliopause_testing::Watched<StarEmpires>;

pub(crate) struct RandomEmpires;

impl Player for RandomEmpires {
    type Game = StarEmpires;
    const CASES: u32 = 12;
    const STEPS: usize = 8;
    const ORDERS: usize = 1;

    fn setup(chance: &mut Rng) -> Setup<Options> {
        let options = StarEmpires::unattended(options(chance));
        Setup { options, players: 2 + chance.below(4) }
    }

    fn order(watched: &Watched, seat: Seat, chance: &mut Rng) -> Option<Order> {
        let order = Order::Sheet(sheet(chance, own(watched, seat)));
        watched.game.judge(Actor::Seat(seat), &order).is_ok().then_some(order)
    }

    fn master_order(watched: &Watched, chance: &mut Rng) -> Option<Order> {
        Some(Order::Master(master_order(chance, watched.game.galaxy())))
    }
}

pub(crate) fn begin(number: u64, empires: usize, options: Options) -> Watched {
    Watched::new(&Setup { options, players: empires }, number)
}

pub(crate) fn own(watched: &Watched, seat: Seat) -> &EmpireView {
    watched.own(seat).own().expect("a seat has an empire")
}

pub(crate) fn turn(watched: &mut Watched, chance: &mut Rng) -> Emitted<Event> {
    if chance.one_in(2) || watched.game.turn() < 2 {
        for _ in 0..chance.below(6) {
            let order = Order::Master(master_order(chance, watched.game.galaxy()));
            let _ = watched.submit(Actor::GameMaster, &order);
        }
    }
    for seat in Seat::first(watched.seats()) {
        let order = Order::Sheet(sheet(chance, own(watched, seat)));
        let _ = watched.submit(Actor::Seat(seat), &order);
    }
    watched.close(CloseCause::Deadline)
}

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).unwrap_or_else(|| panic!("{text} is a name"))
}

/// Returns options for small galaxies, in which empires meet early.
pub(crate) fn options(chance: &mut Rng) -> Options {
    let mut options = Options::default();
    let generator = &mut options.generator;
    generator.radius = Some(4 + chance.below(3) as u16);
    generator.nearby_radius = 1;
    generator.wormnets = 3;
    (generator.portal_distance_min, generator.portal_homeworld_distance_min) = (2, 1);
    (generator.nebula_percent, generator.storm_percent) = (10, 10);
    options.local_frames = !chance.one_in(3);
    options.portal_collapse_percent = 20;
    options.automatic_victory = chance.one_in(4).then_some(true);
    options.last_turn = chance.one_in(4).then_some(6);
    options
}

pub(crate) fn sheet(chance: &mut Rng, own: &EmpireView) -> Sheet {
    let mut writer = Writer::new(chance, own);
    let mut lines = Vec::new();
    for ship in &own.ships {
        if !writer.chance.one_in(3) {
            lines.push(writer.ship_line(ship));
        }
    }
    for _ in 0..writer.chance.below(8) {
        lines.push(writer.empire_line());
    }
    Sheet::of(lines)
}

fn names(chance: &mut Rng, items: &[Name], most: usize) -> Names {
    (0..=chance.below(most)).filter_map(|_| chance.any(items)).collect()
}

struct Writer<'a> {
    chance: &'a mut Rng,
    own: &'a EmpireView,
    ships: Names,
    worlds: Names,
    portals: Names,
    empires: Names,
    classes: Names,
}

impl<'a> Writer<'a> {
    fn new(chance: &'a mut Rng, own: &'a EmpireView) -> Self {
        let handle = |ship: &OwnShip| handle(ship.name, ship.serial);
        let worlds = own.chart.worlds.iter();
        let mut writer = Self {
            chance,
            own,
            ships: own.ships.iter().map(handle).collect(),
            worlds: worlds
                .filter(|row| row.owner == Some(own.status.seat))
                .map(|row| row.name)
                .collect(),
            portals: own.chart.portals.iter().map(|row| row.name).collect(),
            empires: own
                .empires
                .iter()
                .filter(|seen| seen.seat != own.status.seat)
                .map(|seen| seen.name)
                .collect(),
            classes: own.classes.iter().map(|class| class.name).collect(),
        };
        for list in
            [&mut writer.ships, &mut writer.portals, &mut writer.empires, &mut writer.classes]
        {
            if list.is_empty() || writer.chance.one_in(8) {
                list.push(name("Nowhere"));
            }
        }
        if writer.worlds.is_empty() {
            writer.worlds.push(name("Nowhere"));
        }
        writer
    }

    fn one(&mut self, list: fn(&Self) -> &Names) -> Name {
        let index = (self.chance.number() % list(self).len() as u64) as usize;
        list(self)[index]
    }

    fn some(&mut self, list: fn(&Self) -> &Names) -> Names {
        let items = list(self).clone();
        names(self.chance, &items, 2)
    }

    fn near(&mut self, at: Coord, radius: usize) -> Coord {
        let mut step = || self.chance.below(2 * radius + 1) as i16 - radius as i16;
        Coord::new(at.o + step(), at.y + step())
    }

    fn goal(&mut self, at: Coord) -> Coord {
        let chart = &self.own.chart;
        let worlds = chart
            .worlds
            .iter()
            .filter(|row| row.owner != Some(self.own.status.seat))
            .map(|row| row.at);
        let ships =
            chart.ships.iter().map(|row| row.at).chain(chart.fleets.iter().map(|row| row.at));
        let places = worlds.chain(ships).chain(chart.portals.iter().map(|row| row.at));
        let near: Vec<Coord> =
            places.filter(|place| (1..=3).contains(&place.distance(at))).collect();
        let goal = self.chance.any(&near).filter(|_| !self.chance.one_in(4));
        goal.unwrap_or_else(|| self.near(at, 2))
    }

    fn targets(&mut self, at: Coord) -> Names {
        let own = self.own;
        let there = own
            .chart
            .ships
            .iter()
            .filter(|row| row.at == at && row.owner != own.status.seat && !row.wreck);
        let named = |seat| own.empires.iter().find(|seen| seen.seat == seat).map(|seen| seen.name);
        let there: Names = there.filter_map(|row| named(row.owner)).collect();
        if there.is_empty() || self.chance.one_in(8) {
            return self.some(|writer| &writer.empires);
        }
        names(self.chance, &there, 2)
    }

    fn selection(&mut self, ship: &OwnShip) -> Selection {
        if self.chance.one_in(3) {
            return Selection::All { at: Spot::At(ship.at), except: Names::new() };
        }
        let handle = handle(ship.name, ship.serial);
        Selection::Ships(vec![handle])
    }

    fn ship_line(&mut self, ship: &OwnShip) -> Line {
        let ships = self.selection(ship);
        let handle = handle(ship.name, ship.serial);
        if ship.carrier.is_some() && self.chance.one_in(2) {
            return Line::Unload { ships: vec![handle] };
        }
        let meets = self.own.chart.ships.iter().any(|row| row.at == ship.at && !row.wreck);
        let at_portal = self.own.chart.portals.iter().any(|row| row.at == ship.at);
        let part = match () {
            () if meets && self.chance.one_in(2) => 6,
            () if at_portal && self.chance.one_in(3) => 12,
            () => self.chance.below(16),
        };
        match part {
            0..=5 => Line::Move { ships, to: Spot::At(self.goal(ship.at)) },
            6..=8 => {
                let sense =
                    if self.chance.one_in(2) { Sense::Ascending } else { Sense::Descending };
                Line::Fire { sense, ships, at: self.targets(ship.at) }
            }
            9 => Line::Unload { ships: vec![handle] },
            10 | 11 => {
                Line::Load { ships: vec![handle], carrier: self.one(|writer| &writer.ships) }
            }
            12 | 13 => {
                let exit = self.chance.one_in(2).then(|| self.one(|writer| &writer.portals));
                let here =
                    self.own.chart.portals.iter().find(|row| row.at == ship.at).map(|row| row.name);
                Line::Traverse {
                    ships,
                    entry: here.unwrap_or_else(|| self.one(|writer| &writer.portals)),
                    exit,
                }
            }
            14 if self.chance.one_in(6) => Line::Destruct { ships: Selection::Ships(vec![handle]) },
            14 => Line::Toggle { public: self.chance.one_in(2), ships: self.crews() },
            _ => {
                let worlds = self.worlds.clone();
                Line::Repair { ship: handle, dp: Amount::Max, worlds }
            }
        }
    }

    fn crews(&mut self) -> Crews {
        if self.chance.one_in(4) {
            return Crews::All;
        }
        Crews::Some {
            ships: self.some(|writer| &writer.ships),
            classes: self.some(|writer| &writer.classes),
        }
    }

    fn scans(&mut self) -> Scans {
        match self.chance.below(4) {
            0 => Scans::All,
            1 if !self.own.ships.is_empty() => {
                Scans::Places(self.own.ships.iter().take(2).map(|ship| Spot::At(ship.at)).collect())
            }
            2 => Scans::Classes(self.some(|writer| &writer.classes)),
            _ => Scans::Ships(self.some(|writer| &writer.ships)),
        }
    }

    fn amount(&mut self) -> Amount {
        if self.chance.one_in(3) {
            Amount::Max
        } else {
            Amount::Number(1 + self.chance.below(9) as u32)
        }
    }

    fn naming(&mut self) -> Naming {
        match self.chance.below(3) {
            0 => Naming::Numbered(name("fox")),
            1 => Naming::Listed(Names::new()),
            _ => Naming::Listed(vec![name(&format!("s{}", self.chance.below(40)))]),
        }
    }

    fn design(&mut self) -> Line {
        let mut rating = |most| self.chance.below(most) as u16;
        let ratings = Ratings::new(1 + rating(40), 1 + rating(30), rating(5), rating(5), rating(4));
        let missile = Design::Missile { guns: 1 + rating(30), tonnage: 1 + u32::from(rating(4)) };
        let hulls = [Hull::CapitalShip, Hull::Gunship, Hull::Transport, Hull::Scout];
        let design = match self.chance.any(&hulls) {
            Some(hull) if !self.chance.one_in(4) => Design::Ship(hull, ratings),
            _ => missile,
        };
        let class = name(&format!("class{}", self.chance.below(200)));
        Line::Design { world: self.one(|writer| &writer.worlds), class, design }
    }

    fn empire_line(&mut self) -> Line {
        let to = self.some(|writer| &writer.empires);
        match self.chance.below(14) {
            0..=4 => {
                let (count, naming) = (self.amount(), self.naming());
                let class = self.one(|writer| &writer.classes);
                Line::Build { world: self.one(|writer| &writer.worlds), count, class, naming }
            }
            5 => self.design(),
            6 => Line::Transmit { portals: self.some(|writer| &writer.portals), to },
            7 => Line::Give { classes: self.some(|writer| &writer.classes), to },
            8 => Line::Conceal { ships: self.crews(), from: to },
            9 => Line::Identify { ships: self.crews(), to },
            10 => Line::Pool { world: self.one(|writer| &writer.worlds), except: Names::new() },
            11 => {
                let amount = self.amount();
                let (from, world) =
                    (self.one(|writer| &writer.worlds), self.one(|writer| &writer.worlds));
                Line::Transfer { from, amount, to: world, recipient: None }
            }
            12 => Line::Deny { scans: self.scans(), to },
            _ => Line::Authorize { scans: self.scans(), to },
        }
    }
}

#[expect(clippy::too_many_lines, reason = "one arm for each order")]
pub(crate) fn master_order(chance: &mut Rng, galaxy: &Galaxy) -> MasterOrder {
    let empires: Names = galaxy.empires.iter().map(|empire| empire.name).collect();
    let worlds: Names = galaxy.worlds.iter().map(|world| world.name).collect();
    let portals: Names = galaxy.portals.iter().map(|portal| portal.name).collect();
    let storms: Names = galaxy.storms.iter().map(|storm| storm.name).collect();
    let classes: Names = galaxy.classes.iter().map(|class| class.name).collect();
    let nowhere = name("Nowhere");
    let mut one = |list: &Names| chance.any(list).unwrap_or(nowhere);
    let (empire, other, world, portal) =
        (one(&empires), one(&empires), one(&worlds), one(&portals));
    let (class, storm) = (one(&classes), one(&storms));
    let somewhere = Sector::new(chance.below(7) as i16 - 3, chance.below(7) as i16 - 3);
    let inhabited: Vec<Sector> =
        galaxy.worlds.iter().filter(|world| world.owner.is_some()).map(|world| world.at).collect();
    let at = chance.any(&inhabited).filter(|_| chance.one_in(2)).unwrap_or(somewhere);
    let fresh = name(&format!("thing{}", chance.below(1000)));
    let order = match chance.below(20) {
        0..=6 => {
            let (count, public, naming) =
                (1 + chance.below(4) as u32, chance.one_in(3), Naming::Listed(Names::new()));
            Astronomics::AddShips { at, empire, count, class, dp: 1, public, naming }
        }
        7 => Astronomics::AddWorld {
            at: somewhere,
            name: fresh,
            production: 3,
            stockpile: 30,
            owner: None,
        },
        8 => Astronomics::AddPortal { at, name: fresh, collapse_turns: 0 },
        9 => Astronomics::AddStorm {
            at,
            name: fresh,
            rating: chance.below(9) as u32,
            pattern: Pattern::Random,
        },
        10 => Astronomics::ModifyWorld {
            name: world,
            production: 7,
            stockpile: 50,
            owner: NewOwner::Empire(empire),
        },
        11 => Astronomics::CollapsePortal { portal, turns: 2 },
        12 => Astronomics::AddKnown {
            kind: KnownKind::Contact,
            names: vec![other],
            empires: vec![empire],
        },
        13 => Astronomics::AddKnown {
            kind: KnownKind::Navigation,
            names: vec![portal],
            empires: vec![empire],
        },
        14 => Astronomics::RemoveKnown {
            kind: KnownKind::Object(ObjectKind::World),
            names: vec![world],
            empires: vec![empire],
        },
        15 if chance.one_in(3) => {
            Astronomics::RemoveObjects { kind: ObjectKind::World, names: vec![world] }
        }
        15 => Astronomics::RemoveObjects { kind: ObjectKind::Portal, names: vec![portal] },
        16 => Astronomics::RelocateObject { kind: ObjectKind::Storm, name: storm, to: at },
        17 | 18 => {
            let owner =
                galaxy.empires.iter().find(|other| other.name == empire).map(|empire| empire.code);
            let own = galaxy
                .ships
                .iter()
                .map(|ship| ship.serial)
                .filter(|serial| Some(serial.code()) == owner);
            let ships: Vec<_> = own.map(Serial::to_name).collect();
            Astronomics::RemoveShips { empire, ships: vec![chance.any(&ships).unwrap_or(nowhere)] }
        }
        _ => {
            return [MasterOrder::ApplyNow, MasterOrder::Withdraw { index: 0 }][chance.below(2)]
                .clone();
        }
    };
    MasterOrder::Astronomics(order)
}
