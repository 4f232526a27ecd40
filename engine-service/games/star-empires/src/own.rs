//! 3.0: what is an empire's own, as it is told: ships, classes, empires met, navigation data,
//! status. By names, in its own frame, and in an order that tells nothing of the order in which
//! things came into being.

use heliopause_kernel::{Seat, SeatSet};

use crate::class::Class;
use crate::empire::{Grant, Granted};
use crate::galaxy::Galaxy;
use crate::ids::PortalId;
use crate::name::Name;
use crate::ship::{Serial, Ship};
use crate::view::{EmpireSeen, EmpireStatus, GrantSeen, Navigation, OwnShip};

/// The galaxy with the eyes of an empire, for what is its own. Ships must be settled.
#[derive(Clone, Copy)]
pub(crate) struct Own<'a> {
    pub galaxy: &'a Galaxy,
    pub seat: Seat,
}

impl<'a> Own<'a> {
    /// Its ships, by serial number.
    pub(crate) fn ships(self) -> impl Iterator<Item = OwnShip> + 'a {
        self.galaxy.ships_of(self.seat).iter().map(move |ship| self.ship(ship))
    }

    /// One of its ships.
    pub(crate) fn ship(self, ship: &Ship) -> OwnShip {
        let galaxy = self.galaxy;
        OwnShip {
            serial: ship.serial,
            name: ship.name,
            class: galaxy.class_of(ship).name,
            at: galaxy.empire(self.seat).frame.local(ship.at),
            dp: ship.dp,
            carrier: ship.carrier.map(|carrier| galaxy.ship(carrier.id()).serial),
            public: ship.public,
            identified: ship.identified,
            concealed: ship.concealed,
        }
    }

    /// The classes it knows, by name.
    pub(crate) fn classes(self) -> Vec<Class> {
        let known = self.galaxy.empire(self.seat).classes.iter();
        let mut classes: Vec<Class> = known.map(|id| *self.galaxy.class(id)).collect();
        classes.sort_by_key(|class| class.name);
        classes
    }

    /// The classes of its ships that it does not know (6.1.5), by name.
    pub(crate) fn flown(self) -> Vec<Class> {
        let known = &self.galaxy.empire(self.seat).classes;
        let flown = self
            .galaxy
            .ships_of(self.seat)
            .iter()
            .map(|ship| ship.class)
            .filter(|&id| !known.contains(id));
        let mut classes: Vec<Class> = flown.map(|id| *self.galaxy.class(id)).collect();
        classes.sort_unstable_by_key(|class| class.name);
        classes.dedup_by_key(|class| class.name);
        classes
    }

    /// The empires it has come across, itself included, by seat.
    pub(crate) fn empires(self) -> impl Iterator<Item = EmpireSeen> + 'a {
        let own = self.galaxy.empire(self.seat);
        let seats = own.heard_of.with(self.seat).iter();
        seats.map(move |seat| {
            let empire = self.galaxy.empire(seat);
            EmpireSeen {
                seat,
                name: empire.name,
                code: empire.code,
                contact: own.contacts.contains(seat),
            }
        })
    }

    /// The portals for which it holds navigation data, with the connections among them (notes 8.4),
    /// by name.
    pub(crate) fn navigation(self) -> Vec<Navigation> {
        let held = &self.galaxy.empire(self.seat).navigation;
        let name = |id: PortalId| self.galaxy.portal(id).name;
        let known = |id: PortalId| {
            let exits =
                self.galaxy.portal(id).exits.iter().copied().filter(|&exit| held.contains(exit));
            let mut exits: Vec<Name> = exits.map(name).collect();
            exits.sort_unstable();
            Navigation { portal: name(id), exits }
        };
        let mut all: Vec<Navigation> = held.iter().map(known).collect();
        all.sort_by_key(|navigation| navigation.portal);
        all
    }

    /// Its status, with the other members of its alliance.
    pub(crate) fn status(self, allies: SeatSet) -> EmpireStatus {
        let empire = self.galaxy.empire(self.seat);
        EmpireStatus {
            seat: self.seat,
            homeworld: empire.homeworld.map(|world| self.galaxy.world(world).name),
            grants: empire.grants.iter().map(|grant| self.grant(grant)).collect(),
            abandoned_turns: empire.abandoned_turns,
            shot_by: empire.shot_by,
            allies,
        }
    }

    fn grant(self, grant: &Grant) -> GrantSeen {
        let (sectors, ships, classes): (Vec<_>, Vec<Serial>, Vec<_>) = match &grant.scans {
            Granted::All => Default::default(),
            Granted::Some { sectors, ships, classes } => {
                (sectors.clone(), ships.clone(), classes.clone())
            }
        };
        let frame = self.galaxy.empire(self.seat).frame;
        let mut sectors: Vec<_> = sectors.into_iter().map(|sector| frame.local(sector)).collect();
        sectors.sort_unstable();
        let mut classes: Vec<Name> =
            classes.into_iter().map(|id| self.galaxy.class(id).name).collect();
        classes.sort_unstable();
        GrantSeen { to: grant.to, all: grant.scans == Granted::All, sectors, ships, classes }
    }
}
