//! Notes 8.1: conversion of the game master's galactic coordinates to an empire's frame. After the
//! end of the game, players use it to see the whole galaxy in their usual coordinates.

use heliopause_kernel::CoordinateTransform;

use crate::empire::Granted;
use crate::event::Event;
use crate::galaxy::Galaxy;
use crate::geometry::{Frame, Sector};
use crate::master::Astronomics;
use crate::position::StarEmpires;
use crate::view::{Insight, View};

impl CoordinateTransform<StarEmpires> for Frame {
    fn view(&self, view: &mut View) {
        if let Insight::Master(all) = &mut view.insight {
            self.galaxy(&mut all.galaxy);
            all.waiting.iter_mut().for_each(|order| self.order(order));
        }
    }

    /// Converts an event, except for sheets, which are already in the frame of their empire.
    fn event(&self, event: &mut Event) {
        match event {
            Event::GalaxyChanged(change) => {
                self.galaxy(&mut change.galaxy);
                change.ships.iter_mut().for_each(|row| self.sector(&mut row.ship.at));
            }
            Event::MasterOrders { orders } => orders.iter_mut().for_each(|order| self.order(order)),
            Event::MasterResults { results } => {
                for result in results {
                    self.order(&mut result.order);
                }
            }
            Event::Updated { .. }
            | Event::Reported { .. }
            | Event::SheetStored { .. }
            | Event::Learned { .. }
            | Event::Alliances { .. }
            | Event::HalfReached { .. }
            | Event::Ended { .. } => {}
        }
    }
}

impl Frame {
    fn sector(self, sector: &mut Sector) {
        let local = self.local(*sector);
        *sector = Sector::new(local.o, local.y);
    }

    fn galaxy(self, galaxy: &mut Galaxy) {
        let worlds = galaxy.worlds.iter_mut().map(|world| &mut world.at);
        let portals = galaxy.portals.iter_mut().map(|portal| &mut portal.at);
        let storms = galaxy.storms.iter_mut().map(|storm| &mut storm.at);
        let ships = galaxy.ships.iter_mut().map(|ship| &mut ship.at);
        let objects = worlds.chain(portals).chain(storms).chain(ships);
        objects.for_each(|at| self.sector(at));
        for empire in &mut galaxy.empires {
            empire.frame = empire.frame.relative_to(self);
            empire.last_homeworld.iter_mut().for_each(|at| self.sector(at));
            for grant in &mut empire.grants {
                if let Granted::Some { sectors, .. } = &mut grant.scans {
                    for at in sectors.iter_mut() {
                        self.sector(at);
                    }
                    sectors.sort_unstable();
                }
            }
        }
    }

    fn order(self, order: &mut Astronomics) {
        match order {
            Astronomics::RelocateObject { to: at, .. }
            | Astronomics::RelocateShips { to: at, .. }
            | Astronomics::AddPortal { at, .. }
            | Astronomics::AddStorm { at, .. }
            | Astronomics::AddWorld { at, .. }
            | Astronomics::AddShips { at, .. } => self.sector(at),
            Astronomics::RemoveConnection { .. }
            | Astronomics::RemoveObjects { .. }
            | Astronomics::RemoveShips { .. }
            | Astronomics::AddClass { .. }
            | Astronomics::AddConnection { .. }
            | Astronomics::ModifyWorld { .. }
            | Astronomics::ModifyStorm { .. }
            | Astronomics::ModifyShip { .. }
            | Astronomics::CollapsePortal { .. }
            | Astronomics::RemoveKnown { .. }
            | Astronomics::AddKnown { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::{Actor, CloseCause, Dice, Game as _, Seat, Setup, Viewer, Wire as _};

    use super::*;
    use crate::geometry::Coord;
    use crate::options::Options;
    use crate::text::parse;

    fn coord(sector: Sector) -> Coord {
        Frame::GALACTIC.local(sector)
    }

    fn galaxy(view: &View) -> &Galaxy {
        match &view.insight {
            Insight::Master(all) => &all.galaxy,
            Insight::Empire(_) | Insight::Spectator => panic!("a view of everything"),
        }
    }

    #[test]
    fn notes_8_1_revealed_views_use_the_frame_of_the_seat() {
        let mut dice = Dice::new([3; 32]);
        let setup =
            Setup { options: Options { last_turn: Some(3), ..Options::default() }, players: 3 };
        let (mut game, _) = StarEmpires::new(&setup, &mut dice).expect("a game");
        for _ in 0..3 {
            game.close(CloseCause::Deadline, &mut dice);
        }
        assert!(game.outcome().is_some());
        for seat in Seat::first(3) {
            let mut revealed = game.view(Viewer::GameMaster);
            let before = galaxy(&revealed).clone();
            game.transform_for(seat).expect("its frame is its own").view(&mut revealed);
            let own = game.view(Viewer::Seat(seat));
            let own = own.own().expect("a seat's view");
            let after = galaxy(&revealed);
            for row in &own.chart.worlds {
                let world = after.worlds.iter().find(|world| world.name == row.name);
                assert_eq!(world.map(|world| coord(world.at)), Some(row.at), "{}", row.name);
            }
            assert!(!own.ships.is_empty() && !own.chart.worlds.is_empty());
            for row in &own.ships {
                let ship = after.ship(after.ship_numbered(seat, row.serial).expect("it is there"));
                assert_eq!(coord(ship.at), row.at);
            }
            assert_eq!(after.empire(seat).frame, Frame::GALACTIC);
            for (old, new) in before.empires.iter().zip(&after.empires) {
                for (was, is) in before.worlds.iter().zip(&after.worlds) {
                    assert_eq!(old.frame.local(was.at), new.frame.local(is.at), "{}", old.name);
                }
            }
            assert_eq!(StarEmpires::read_view(&StarEmpires::write_view(&revealed)), Ok(revealed));
        }
        // The game master and spectators use galactic coordinates.
        assert!(game.transform_for(Seat::at(3)).is_none());
    }

    #[test]
    fn notes_8_1_revealed_events_update_revealed_views() {
        let mut dice = Dice::new([4; 32]);
        let setup = Setup { options: Options::default(), players: 2 };
        let (mut game, _) = StarEmpires::new(&setup, &mut dice).expect("a game");
        let all = game.view(Viewer::GameMaster);
        let orders = parse(&all, "ADDWORLD (3,1) Farland 5 0").expect("an order");
        let seat = Seat::at(1);
        let transform = game.transform_for(seat).expect("its frame is its own");
        let mut folded = all;
        transform.view(&mut folded);
        let mut told: Vec<Event> = Vec::new();
        for order in orders {
            let master = game.submit(Actor::GameMaster, order, &mut dice).expect("it is legal");
            told.extend(master.to(Viewer::GameMaster).cloned());
        }
        let update = game.close(CloseCause::Deadline, &mut dice);
        told.extend(update.to(Viewer::GameMaster).cloned());
        let local = Frame::local(game.galaxy.empire(seat).frame, Sector::new(3, 1));
        let mut named = 0;
        for mut event in told {
            transform.event(&mut event);
            let (text, _) = StarEmpires::describe(&event, &|seat| seat.to_string());
            named += usize::from(text.contains("Farland") && text.contains(&local.to_string()));
            assert_eq!(
                StarEmpires::read_event(&StarEmpires::write_event(&event)),
                Ok(event.clone())
            );
            StarEmpires::update(&mut folded, &event);
        }
        assert_eq!(named, 2, "the order, and what became of it");
        let mut after = game.view(Viewer::GameMaster);
        transform.view(&mut after);
        assert_eq!(folded, after);
    }
}
