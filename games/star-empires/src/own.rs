//! 3.0: the data of an empire about itself, with names instead of ids, in its own frame. The order
//! of lists does not reveal the order of creation.

use heliopause_kernel::{Seat, SeatSet};

use crate::class::Class;
use crate::empire::{Grant, Granted};
use crate::galaxy::Galaxy;
use crate::ids::PortalId;
use crate::name::Name;
use crate::ship::{Serial, Ship};
use crate::view::{EmpireSeen, EmpireStatus, GrantSeen, Navigation, OwnShip};

/// Read access to an empire's own data. The galaxy's ships must be sorted.
#[derive(Clone, Copy)]
pub(crate) struct OwnView<'a> {
    pub galaxy: &'a Galaxy,
    pub seat: Seat,
}

impl<'a> OwnView<'a> {
    pub(crate) fn ships(self) -> impl Iterator<Item = OwnShip> + 'a {
        self.galaxy.ships_of(self.seat).iter().map(move |ship| self.ship(ship))
    }

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

    pub(crate) fn classes(self) -> Vec<Class> {
        let known = self.galaxy.empire(self.seat).classes.iter();
        let mut classes: Vec<Class> = known.map(|id| *self.galaxy.class(id)).collect();
        classes.sort_by_key(|class| class.name);
        classes
    }

    /// Returns the classes of own ships that the empire does not know (6.1.5), by name.
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

    pub(crate) fn empires(self) -> impl Iterator<Item = EmpireSeen> + 'a {
        let own = self.galaxy.empire(self.seat);
        let seats = own.known_empires.with(self.seat).iter();
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

    /// Returns the empire's status. `allies` are the other members of its alliance.
    pub(crate) fn status(self, allies: SeatSet) -> EmpireStatus {
        let empire = self.galaxy.empire(self.seat);
        EmpireStatus {
            seat: self.seat,
            homeworld: empire.homeworld.map(|world| self.galaxy.world(world).name),
            grants: empire.grants.iter().map(|grant| self.grant(grant)).collect(),
            abandoned_turns: empire.abandoned_turns,
            attacked_by: empire.attacked_by,
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
