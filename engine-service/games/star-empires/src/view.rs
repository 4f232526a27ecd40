//! 3.0: all that one viewer may know.
//!
//! Everything here goes by names and serial numbers, never by ids, and in the viewer's own frame.

use std::collections::BTreeSet;
use std::sync::Arc;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet, Viewer};
use heliopause_proto::star_empires::v1 as proto;

use crate::chart::{Chart, ChartChange, ShipSeen};
use crate::class::Class;
use crate::event::Event;
use crate::galaxy::Galaxy;
use crate::geometry::Coord;
use crate::hull::Hull;
use crate::master::{Astronomics, WAITING_MAX};
use crate::name::Name;
use crate::options::{EMPIRES, Options};
use crate::order::Sheet;
use crate::own::Own;
use crate::position::{Ending, StarEmpires};
use crate::report::Report;
use crate::ship::{Code, Serial};
use crate::wire;

/// All that one viewer may know.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::View)]
pub struct View {
    /// The rules options.
    #[wire(or_default)]
    pub options: Arc<Options>,
    /// The number of the map: updates run so far.
    pub turn: u32,
    /// How many empires there are.
    #[wire(check = wire::count_of_empires)]
    pub empires: usize,
    /// How the game ended, once it has.
    pub ending: Option<Ending>,
    /// What the viewer knows besides.
    #[wire(part(viewer))]
    pub insight: Insight,
}

/// What a viewer knows beside what is public.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Insight {
    /// A seat knows what its empire knows.
    Empire(Box<EmpireView>),
    /// A spectator knows nothing more.
    Spectator,
    /// The game master knows all.
    Master(Box<MasterView>),
}

/// What an empire knows, in its own frame.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::EmpireView, most = wire::LIST_MAX)]
pub struct EmpireView {
    /// What is its own.
    pub status: EmpireStatus,
    /// The empires it has come across, itself included, by seat.
    #[wire(most = *EMPIRES.end())]
    pub empires: Vec<EmpireSeen>,
    /// The classes it knows, by name.
    pub classes: Vec<Class>,
    /// Its ships, by serial number.
    pub ships: Vec<OwnShip>,
    /// Its map. Its own worlds are those with itself as owner.
    #[wire(or_default)]
    pub chart: Chart,
    /// The portals for which it holds navigation data, by name.
    pub navigation: Vec<Navigation>,
    /// The report of the last update.
    #[wire(or_default)]
    pub report: Arc<Report>,
    /// Its stored sheet.
    pub sheet: Option<Sheet>,
    /// The classes of its ships that it does not know, by name: the ratings of its own ships are
    /// always its own data.
    pub flown: Vec<Class>,
    /// How strong the foreign ships are that it sees in the sectors of its own, by owner and serial
    /// number. Only in what automation is given to decide for an abandoned empire (8.0, R67): no
    /// player is shown it.
    pub strengths: Vec<Strength>,
}

/// How strong a foreign ship is.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::Strength, with(Seat = wire::seat))]
pub struct Strength {
    pub owner: Seat,
    /// Its serial number.
    pub serial: Serial,
    pub hull: Hull,
    /// The guns that it has as it stands.
    pub guns: u16,
    /// Its damage points.
    pub dp: u16,
}

/// What is an empire's own.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::EmpireStatus, with(Seat = wire::seat, SeatSet = wire::seats), always(standing = Standing::of(*homeworld).write()))]
pub struct EmpireStatus {
    pub seat: Seat,
    /// Its homeworld; `None` while it is homeless.
    pub homeworld: Option<Name>,
    /// What it lets others see, by recipient.
    #[wire(most = *EMPIRES.end())]
    pub grants: Vec<GrantSeen>,
    /// If it is abandoned, the number of the next update counted from then, from 1; else 0.
    pub abandoned_turns: u32,
    /// The empires whose guns or missiles hit it in the last update.
    pub shot_by: SeatSet,
    /// The other members of its alliance.
    pub allies: SeatSet,
}

/// The standing of an empire (7.0).
#[derive(Wire)]
#[wire(words = proto::Standing)]
enum Standing {
    Active,
    Homeless,
}

impl Standing {
    /// It follows from the homeworld.
    fn of(homeworld: Option<Name>) -> Self {
        if homeworld.is_some() { Self::Active } else { Self::Homeless }
    }
}

/// What an empire lets another see, as it is told.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Grant, most = wire::LIST_MAX, with(Seat = wire::seat))]
pub struct GrantSeen {
    pub to: Seat,
    /// Everything; the lists are empty then.
    pub all: bool,
    /// What is seen of these sectors.
    pub sectors: Vec<Coord>,
    /// What these ships see.
    pub ships: Vec<Serial>,
    /// What ships of these classes see.
    pub classes: Vec<Name>,
}

/// An empire that one has come across.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::EmpireSeen, with(Seat = wire::seat))]
pub struct EmpireSeen {
    pub seat: Seat,
    pub name: Name,
    pub code: Code,
    /// Whether it is a contact.
    pub contact: bool,
}

/// An own ship.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::OwnShip, with(SeatSet = wire::seats))]
pub struct OwnShip {
    /// Its serial number.
    pub serial: Serial,
    /// Its name, or none.
    #[wire(or_default)]
    pub name: Name,
    #[wire(name = ship_class)]
    pub class: Name,
    pub at: Coord,
    /// Its damage points.
    pub dp: u16,
    /// Its carrier, if it is loaded.
    pub carrier: Option<Serial>,
    /// Whether its transponder is in public mode.
    #[wire(name = public_mode)]
    pub public: bool,
    /// The empires to which it identifies itself.
    pub identified: SeatSet,
    /// The empires from which it is concealed.
    pub concealed: SeatSet,
}

/// A portal for which navigation data is held.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Navigation, most = wire::LIST_MAX)]
pub struct Navigation {
    pub portal: Name,
    /// The portals to which it leads, among those for which data is held too (notes 8.4), by name.
    pub exits: Vec<Name>,
}

/// How what an empire knows changed. Small parts are told whole.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::KnownChange, most = wire::LIST_MAX)]
pub struct KnownChange {
    /// The map.
    #[wire(or_default)]
    pub chart: ChartChange,
    /// Own ships that are new or different.
    pub ships: Vec<OwnShip>,
    /// Own ships that are gone.
    pub ships_gone: Vec<Serial>,
    /// Classes that became known.
    pub classes: Vec<Class>,
    /// Classes that are known no more.
    pub classes_gone: Vec<Name>,
    /// Empires come across, and changed contacts.
    #[wire(most = *EMPIRES.end())]
    pub empires: Vec<EmpireSeen>,
    /// All navigation data, if it changed.
    pub navigation: Option<NavigationTable>,
    /// The empire's own status, if it changed.
    pub status: Option<EmpireStatus>,
    /// All classes of own ships that are not known, if they changed.
    pub flown: Option<ClassTable>,
}

/// All navigation data of an empire.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::NavigationTable, most = wire::LIST_MAX)]
pub struct NavigationTable {
    pub portals: Vec<Navigation>,
}

/// All classes of an empire's own ships that it does not know.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::ClassTable, most = wire::LIST_MAX)]
pub struct ClassTable {
    /// By name.
    pub classes: Vec<Class>,
}

/// What the game master sees, in galactic coordinates.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::MasterView)]
pub struct MasterView {
    pub galaxy: Galaxy,
    /// Their orders that wait.
    #[wire(name = orders, most = WAITING_MAX)]
    pub waiting: Vec<Astronomics>,
    #[wire(with = wire::alliances)]
    pub alliances: Vec<SeatSet>,
}

impl View {
    /// Whose view it is.
    pub fn viewer(&self) -> Viewer {
        match &self.insight {
            Insight::Empire(own) => Viewer::Seat(own.status.seat),
            Insight::Spectator => Viewer::Spectator,
            Insight::Master(_) => Viewer::GameMaster,
        }
    }

    /// What the viewer's empire knows.
    pub fn own(&self) -> Option<&EmpireView> {
        match &self.insight {
            Insight::Empire(own) => Some(own),
            Insight::Spectator | Insight::Master(_) => None,
        }
    }
}

impl StarEmpires {
    /// What a viewer may know. A seat that is none of this game knows what a spectator does.
    pub(crate) fn view_of(&self, viewer: Viewer) -> View {
        let insight = match viewer {
            Viewer::Seat(seat) if seat.index() < self.galaxy.empires.len() => {
                Insight::Empire(Box::new(self.empire_view(seat)))
            }
            Viewer::Seat(_) | Viewer::Spectator => Insight::Spectator,
            Viewer::GameMaster => Insight::Master(Box::new(MasterView {
                galaxy: self.galaxy.clone(),
                waiting: self.waiting.clone(),
                alliances: self.alliances.clone(),
            })),
        };
        View {
            options: Arc::clone(&self.options),
            turn: self.turn,
            empires: self.galaxy.empires.len(),
            ending: self.ending,
            insight,
        }
    }

    fn empire_view(&self, seat: Seat) -> EmpireView {
        let own = Own { galaxy: &self.galaxy, seat };
        let knowledge = &self.knowledge[seat.index()];
        EmpireView {
            status: own.status(self.allies(seat)),
            empires: own.empires().collect(),
            classes: own.classes(),
            ships: own.ships().collect(),
            chart: knowledge.chart.clone(),
            navigation: own.navigation(),
            report: Arc::clone(&knowledge.report),
            sheet: self.sheets[seat.index()].clone(),
            flown: own.flown(),
            strengths: Vec::new(),
        }
    }

    /// 8.0, R67: what automation is given to decide for a seat. The default orders of an abandoned
    /// empire go by the true strength of what it sees around its ships, and by nothing else that it
    /// does not know.
    pub(crate) fn briefing_of(&self, seat: Seat) -> View {
        let mut view = self.view_of(Viewer::Seat(seat));
        if let Insight::Empire(own) = &mut view.insight
            && own.status.abandoned_turns > 0
        {
            own.strengths = self.strengths_for(seat, own);
        }
        view
    }

    fn strengths_for(&self, seat: Seat, own: &EmpireView) -> Vec<Strength> {
        let present: BTreeSet<Coord> = own.ships.iter().map(|ship| ship.at).collect();
        let met = own
            .chart
            .ships
            .iter()
            .filter(|row| !row.wreck && row.owner != seat && present.contains(&row.at));
        let strength = |row: &ShipSeen| {
            let ship = self.galaxy.ship(self.galaxy.ship_numbered(row.owner, row.serial)?);
            let (class, damage) = (self.galaxy.class_of(ship), self.galaxy.damage(ship));
            let guns = damage.operational(class.ratings.guns);
            Some(Strength {
                owner: row.owner,
                serial: row.serial,
                hull: class.hull,
                guns,
                dp: ship.dp,
            })
        };
        let mut strengths: Vec<Strength> = met.filter_map(strength).collect();
        strengths.sort_unstable_by_key(|strength| (strength.owner, strength.serial));
        strengths
    }
}

impl View {
    /// Brings the view up to date by one event of its viewer's.
    pub(crate) fn follow(&mut self, event: &Event) {
        match event {
            Event::Updated { turn } => self.turn = *turn,
            Event::Ended { ending } => self.ending = Some(*ending),
            Event::Reported { .. }
            | Event::SheetStored { .. }
            | Event::Learned { .. }
            | Event::GalaxyChanged(_)
            | Event::MasterOrders { .. }
            | Event::Alliances { .. }
            | Event::HalfReached { .. }
            | Event::MasterResults { .. } => {}
        }
        match &mut self.insight {
            Insight::Empire(own) => own.follow(event),
            Insight::Master(all) => all.follow(event),
            Insight::Spectator => {}
        }
    }
}

impl EmpireView {
    fn follow(&mut self, event: &Event) {
        match event {
            Event::Reported { report, change } => {
                self.apply(change);
                self.report.clone_from(report);
                self.sheet = None;
            }
            Event::Learned { change } => self.apply(change),
            Event::SheetStored { sheet, .. } => self.sheet = Some(sheet.clone()),
            Event::Alliances { alliances } => {
                self.status.allies = alliances.first().copied().unwrap_or_default();
            }
            Event::Updated { .. }
            | Event::GalaxyChanged(_)
            | Event::MasterOrders { .. }
            | Event::HalfReached { .. }
            | Event::MasterResults { .. }
            | Event::Ended { .. } => {}
        }
    }
}

impl MasterView {
    fn follow(&mut self, event: &Event) {
        match event {
            Event::GalaxyChanged(change) => self.galaxy.apply(change),
            Event::MasterOrders { orders } => self.waiting.clone_from(orders),
            // What waited was carried out.
            Event::MasterResults { .. } => self.waiting.clear(),
            Event::Alliances { alliances } => self.alliances.clone_from(alliances),
            Event::Updated { .. }
            | Event::Reported { .. }
            | Event::SheetStored { .. }
            | Event::Learned { .. }
            | Event::HalfReached { .. }
            | Event::Ended { .. } => {}
        }
    }
}
