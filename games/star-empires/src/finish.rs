//! Notes 5.9: the end of an update, and the events it publishes to each reader.

use std::sync::Arc;

use heliopause_kernel::{Audience, Emitted, Seat, SeatSet};

use crate::chart::Chart;
use crate::empire::{Empire, Granted};
use crate::event::{Event, MasterResult};
use crate::galaxy::Galaxy;
use crate::ids::{PortalId, WorldId};
use crate::ledger::{Ledger, Orders};
use crate::master::Astronomics;
use crate::news::{NewsRecord, What};
use crate::report::{Item, News, Report, Ru, ShipNamed};
use crate::ship::Serial;
use crate::update::Update;
use crate::view::KnownChange;

/// Returns the audience of one seat. The game master is excluded and gets the galaxy instead.
pub(crate) fn only(seat: Seat) -> Audience {
    Audience { seats: SeatSet::one(seat), spectators: false, game_master: false }
}

impl Update<'_> {
    pub(crate) fn finish(
        mut self,
        orders: Orders,
        waiting: Vec<Astronomics>,
        before: &Galaxy,
    ) -> Emitted<Event> {
        let empires = before.empires.len();
        let ledger = std::mem::replace(&mut self.ledger, Ledger::new(0));
        let master = std::mem::replace(&mut self.master, Ledger::new(0));
        let results = orders.results(ledger, empires);
        let pictures = std::mem::take(&mut self.last_seen);
        let parts = results.into_iter().zip(pictures);
        let turn = self.game.turn;
        let report = |(results, last_scans)| Report { turn, results, news: Vec::new(), last_scans };
        let mut reports: Vec<Report> = parts.map(report).collect();
        self.write_news(&mut reports);
        self.mark_heard_of(&reports);
        for (report, knowledge) in reports.into_iter().zip(&mut self.game.knowledge) {
            knowledge.report = Arc::new(report);
        }
        self.settle();
        let mut told = Emitted::new();
        told.publish(Audience::everyone(), Event::Updated { turn: self.game.turn });
        for seat in before.seats() {
            let report = Arc::clone(&self.game.knowledge[seat.index()].report);
            let change = self.change_of(seat, before);
            told.publish(only(seat), Event::Reported { report, change: change.into() });
        }
        self.publish_to_game_master(&mut told, waiting, master, before);
        self.check_for_ending(&mut told);
        told
    }

    fn write_news(&self, reports: &mut [Report]) {
        for record in &self.news {
            for seat in record.readers.iter() {
                reports[seat.index()].news.push(self.news_for(seat, record));
            }
        }
        for report in reports {
            // Phases record news in order, except for changes by the game master.
            report.news.sort_by_key(|news| news.section);
        }
    }

    fn news_for(&self, seat: Seat, record: &NewsRecord) -> News {
        let frame = self.galaxy().empire(seat).frame;
        let at = record.at.map(|at| frame.local(at));
        News { section: record.section, at, item: self.item_for(seat, record.what) }
    }

    fn item_for(&self, seat: Seat, what: What) -> Item {
        let galaxy = self.galaxy();
        let called = |world: WorldId| galaxy.world(world).name;
        let gate = |portal: PortalId| galaxy.portal(portal).name;
        match what {
            What::Ship { ship, deed, amount, damage } => {
                let ship = galaxy.ship(ship);
                // Damage points would reveal the ratings of an unknown class (notes 5.9).
                let known = ship.owner == seat || galaxy.empire(seat).classes.contains(ship.class);
                let amount = (known && deed.has_amount()).then_some(amount);
                let class = galaxy.class_of(ship).name;
                let ship =
                    ShipNamed { owner: ship.owner, serial: ship.serial, name: ship.name, class };
                Item::Ship { ship, kind: deed, amount, permille: damage.permille() }
            }
            What::Owner { world, from, to } => Item::Owner { world: called(world), from, to },
            What::Siege { world, siege } => Item::Siege { world: called(world), siege },
            What::Portal { portal, collapsed } => Item::Portal { portal: gate(portal), collapsed },
            What::Homeworld(world) => Item::Homeworld { world: world.map(called) },
            What::Navigation { portal, from } => Item::Navigation { portal: gate(portal), from },
            What::Class { class, source } => {
                Item::Class { class: galaxy.class(class).name, source }
            }
            What::Delivery { from, world, amount } => {
                Item::Delivery { from, world: called(world), amount }
            }
            What::Production(amount) => Item::Production { amount: Ru(amount) },
            What::Contact(seat) => Item::Contact { empire: seat },
        }
    }

    fn mark_heard_of(&mut self, reports: &[Report]) {
        for (index, report) in reports.iter().enumerate() {
            let seat = Seat::at(index);
            let shot_by = self.shot_by[index];
            let named = empires_on_chart(&self.game.knowledge[index].chart).union(shot_by);
            let news = report.news.iter().map(|news| empires_in_item(&news.item));
            let pictures = report.last_scans.iter().map(|picture| empires_on_chart(&picture.seen));
            let named = news.chain(pictures).fold(named, SeatSet::union).without(seat);
            let empire = self.game.galaxy.empire_mut(seat);
            empire.known_empires = empire.known_empires.union(named);
        }
    }

    fn settle(&mut self) {
        self.remove_lost();
        for (empire, &shot_by) in self.game.galaxy.empires.iter_mut().zip(&self.shot_by) {
            empire.attacked_by = shot_by;
            if empire.abandoned_turns > 0 {
                empire.abandoned_turns += 1;
            }
        }
    }

    pub(crate) fn remove_lost(&mut self) {
        let galaxy = &mut self.game.galaxy;
        let mut lost: Vec<(Seat, Serial)> = galaxy
            .ships
            .iter()
            .filter(|ship| !ship.is_live())
            .map(|ship| (ship.owner, ship.serial))
            .collect();
        lost.sort_unstable();
        galaxy.compact_ships();
        for (index, empire) in galaxy.empires.iter_mut().enumerate() {
            if !lost.is_empty() {
                end_grants(empire, |serial| lost.binary_search(&(Seat::at(index), serial)).is_ok());
            }
        }
    }

    pub(crate) fn change_of(&mut self, seat: Seat, before: &Galaxy) -> KnownChange {
        let chart = self.chart_change(seat);
        self.game.known_change(seat, before, chart)
    }

    pub(crate) fn publish_to_game_master(
        &self,
        told: &mut Emitted<Event>,
        waiting: Vec<Astronomics>,
        master: Ledger,
        before: &Galaxy,
    ) {
        let results = waiting.into_iter().zip(master.close());
        let results: Vec<MasterResult> =
            results.map(|(order, (fate, remarks))| MasterResult { order, fate, remarks }).collect();
        if !results.is_empty() {
            told.publish(Audience::game_master(), Event::MasterResults { results });
        }
        let change = before.change_to(&self.game.galaxy);
        told.publish(Audience::game_master(), Event::GalaxyChanged(Box::new(change)));
        for half in self.game.halves() {
            let crate::victory::Half { empires, production, total } = half;
            let reached = Event::HalfReached { empires, production, total };
            told.publish(Audience::game_master(), reached);
        }
    }

    fn check_for_ending(&mut self, told: &mut Emitted<Event>) {
        self.game.ending = self.game.ending_now();
        if let Some(ending) = self.game.ending {
            told.publish(Audience::everyone(), Event::Ended { ending });
        }
    }
}

/// Ends the grants for lost ships (6.8.2) and drops grants that become empty.
fn end_grants(empire: &mut Empire, is_lost: impl Fn(Serial) -> bool) {
    empire.grants.retain_mut(|grant| match &mut grant.scans {
        Granted::All => true,
        Granted::Some { sectors, ships, classes } => {
            ships.retain(|&serial| !is_lost(serial));
            !(sectors.is_empty() && ships.is_empty() && classes.is_empty())
        }
    });
}

pub(crate) fn empires_on_chart(chart: &Chart) -> SeatSet {
    let owners = chart.worlds.iter().filter_map(|world| world.owner);
    let fleets = chart.fleets.iter().filter_map(|fleet| fleet.identity).map(|(owner, _)| owner);
    owners.chain(fleets).chain(chart.ships.iter().map(|ship| ship.owner)).collect()
}

pub(crate) fn empires_in_item(item: &Item) -> SeatSet {
    match *item {
        Item::Ship { ship, .. } => SeatSet::one(ship.owner),
        Item::Owner { from, to, .. } => from.into_iter().chain(to).collect(),
        Item::Navigation { from: Some(seat), .. }
        | Item::Class { source: crate::report::Source::Given(seat), .. }
        | Item::Delivery { from: seat, .. }
        | Item::Contact { empire: seat } => SeatSet::one(seat),
        Item::Siege { .. }
        | Item::Portal { .. }
        | Item::Homeworld { .. }
        | Item::Navigation { from: None, .. }
        | Item::Class { .. }
        | Item::Production { .. } => SeatSet::EMPTY,
    }
}
