//! 3.0: the views of empires, spectators and game masters. They contain names and never ids.

use std::collections::BTreeSet;
use std::sync::Arc;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet, Viewer};
use heliopause_proto::star_empires::v1 as proto;

use crate::chart::{Chart, ChartChange, ShipSeen};
use crate::class::Class;
use crate::event::Event;
use crate::fields;
use crate::galaxy::Galaxy;
use crate::geometry::Coord;
use crate::hull::Hull;
use crate::ids::EMPIRES;
use crate::master::{Astronomics, WAITING_MAX};
use crate::name::Name;
use crate::options::Options;
use crate::order::Sheet;
use crate::own::OwnView;
use crate::position::{Ending, StarEmpires};
use crate::report::Report;
use crate::ship::{Code, Serial};

/// Everything that one viewer can see, in its own frame.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::View)]
pub struct View {
    #[wire(or_default)]
    pub options: Arc<Options>,
    pub turn: u32,
    #[wire(check = fields::count_of_empires)]
    pub empires: usize,
    pub ending: Option<Ending>,
    #[wire(part(viewer))]
    pub insight: Insight,
}

/// The part of a view that depends on the viewer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Insight {
    Empire(Box<EmpireView>),
    /// A spectator, who sees only the public part.
    Spectator,
    Master(Box<MasterView>),
}

/// The knowledge of an empire, in its own frame. Lists are sorted by name, serial number or seat.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::EmpireView, most = fields::LIST_MAX)]
pub struct EmpireView {
    pub status: EmpireStatus,
    #[wire(most = *EMPIRES.end())]
    pub empires: Vec<EmpireSeen>,
    pub classes: Vec<Class>,
    pub ships: Vec<OwnShip>,
    /// The map. The empire's own worlds have its seat as owner.
    #[wire(or_default)]
    pub chart: Chart,
    pub navigation: Vec<Navigation>,
    #[wire(or_default)]
    pub report: Arc<Report>,
    pub sheet: Option<Sheet>,
    /// Classes of own ships that are not in `classes`. An empire sees the ratings of its own ships.
    pub unknown_own_classes: Vec<Class>,
    /// True strength of visible foreign ships in the sectors of the empire's ships, by owner and
    /// serial number. Always empty for players. Only automation for an abandoned empire receives
    /// the strengths (8.0, R67).
    pub strengths: Vec<Strength>,
}

#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::Strength, with(Seat = fields::seat))]
pub struct Strength {
    pub owner: Seat,
    pub serial: Serial,
    pub hull: Hull,
    pub guns: u16,
    pub dp: u16,
}

#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::EmpireStatus, with(Seat = fields::seat, SeatSet = fields::seats), always(standing = Standing::of(*homeworld).write()))]
pub struct EmpireStatus {
    pub seat: Seat,
    pub homeworld: Option<Name>,
    #[wire(most = *EMPIRES.end())]
    pub grants: Vec<GrantSeen>,
    /// See [`Empire::abandoned_turns`](crate::Empire::abandoned_turns).
    pub abandoned_turns: u32,
    pub attacked_by: SeatSet,
    pub allies: SeatSet,
}

#[derive(Wire)]
#[wire(words = proto::Standing)]
enum Standing {
    Active,
    Homeless,
}

impl Standing {
    fn of(homeworld: Option<Name>) -> Self {
        if homeworld.is_some() { Self::Active } else { Self::Homeless }
    }
}

/// The scans that an empire shares with another.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Grant, most = fields::LIST_MAX, with(Seat = fields::seat))]
pub struct GrantSeen {
    pub to: Seat,
    /// Whether all scans are shared. The lists are then empty.
    pub all: bool,
    pub sectors: Vec<Coord>,
    pub ships: Vec<Serial>,
    pub classes: Vec<Name>,
}

/// An empire known to the viewer's empire.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::EmpireSeen, with(Seat = fields::seat))]
pub struct EmpireSeen {
    pub seat: Seat,
    pub name: Name,
    pub code: Code,
    pub contact: bool,
}

/// A ship as shown to its owner.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::OwnShip, with(SeatSet = fields::seats))]
pub struct OwnShip {
    pub serial: Serial,
    #[wire(or_default)]
    pub name: Name,
    #[wire(name = ship_class)]
    pub class: Name,
    pub at: Coord,
    pub dp: u16,
    pub carrier: Option<Serial>,
    #[wire(name = public_mode)]
    pub public: bool,
    pub identified: SeatSet,
    pub concealed: SeatSet,
}

#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Navigation, most = fields::LIST_MAX)]
pub struct Navigation {
    pub portal: Name,
    /// Exits for which the empire has navigation data too (notes 8.4), by name.
    pub exits: Vec<Name>,
}

/// A change in an empire's knowledge. Small parts are always complete.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::KnownChange, most = fields::LIST_MAX)]
pub struct KnownChange {
    #[wire(or_default)]
    pub chart: ChartChange,
    pub ships: Vec<OwnShip>,
    pub ships_gone: Vec<Serial>,
    pub classes: Vec<Class>,
    pub classes_gone: Vec<Name>,
    #[wire(most = *EMPIRES.end())]
    pub empires: Vec<EmpireSeen>,
    pub navigation: Option<NavigationTable>,
    pub status: Option<EmpireStatus>,
    pub unknown_own_classes: Option<ClassTable>,
}

#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::NavigationTable, most = fields::LIST_MAX)]
pub struct NavigationTable {
    pub portals: Vec<Navigation>,
}

/// All classes of an empire's own ships that the empire does not know.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::ClassTable, most = fields::LIST_MAX)]
pub struct ClassTable {
    pub classes: Vec<Class>,
}

/// The game master's view, in galactic coordinates.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::MasterView)]
pub struct MasterView {
    pub galaxy: Galaxy,
    #[wire(name = orders, most = WAITING_MAX)]
    pub waiting: Vec<Astronomics>,
    #[wire(with = fields::alliances)]
    pub alliances: Vec<SeatSet>,
}

impl View {
    pub fn viewer(&self) -> Viewer {
        match &self.insight {
            Insight::Empire(own) => Viewer::Seat(own.status.seat),
            Insight::Spectator => Viewer::Spectator,
            Insight::Master(_) => Viewer::GameMaster,
        }
    }

    pub fn own(&self) -> Option<&EmpireView> {
        match &self.insight {
            Insight::Empire(own) => Some(own),
            Insight::Spectator | Insight::Master(_) => None,
        }
    }
}

impl StarEmpires {
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
        let own = OwnView { galaxy: &self.galaxy, seat };
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
            unknown_own_classes: own.flown(),
            strengths: Vec::new(),
        }
    }

    /// 8.0, R67: returns the view for automation. For an abandoned empire, adds the true strength
    /// of visible ships around the empire's own, and no other secrets.
    pub(crate) fn briefing_of(&self, seat: Seat) -> View {
        let mut view = self.view_of(Viewer::Seat(seat));
        if let Insight::Empire(own) = &mut view.insight
            && own.status.abandoned_turns > 0
        {
            own.strengths = self.strengths_near(seat, own);
        }
        view
    }

    fn strengths_near(&self, seat: Seat, own: &EmpireView) -> Vec<Strength> {
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
            let (owner, serial, hull) = (row.owner, row.serial, class.hull);
            Some(Strength { owner, serial, hull, guns, dp: ship.dp })
        };
        let mut strengths: Vec<Strength> = met.filter_map(strength).collect();
        strengths.sort_unstable_by_key(|strength| (strength.owner, strength.serial));
        strengths
    }
}

impl View {
    /// Applies an event that is for the same viewer.
    pub(crate) fn apply_event(&mut self, event: &Event) {
        let (own, all) = match &mut self.insight {
            Insight::Empire(own) => (Some(own), None),
            Insight::Master(all) => (None, Some(all)),
            Insight::Spectator => (None, None),
        };
        match (event, own, all) {
            (Event::Updated { turn }, ..) => self.turn = *turn,
            (Event::Ended { ending }, ..) => self.ending = Some(*ending),
            (Event::Reported { report, change }, Some(own), _) => {
                own.apply(change);
                own.report.clone_from(report);
                own.sheet = None;
            }
            (Event::Learned { change }, Some(own), _) => own.apply(change),
            (Event::SheetStored { sheet, .. }, Some(own), _) => own.sheet = Some(sheet.clone()),
            (Event::Alliances { alliances }, Some(own), _) => {
                own.status.allies = alliances.first().copied().unwrap_or_default();
            }
            (Event::Alliances { alliances }, _, Some(all)) => all.alliances.clone_from(alliances),
            (Event::GalaxyChanged(change), _, Some(all)) => all.galaxy.apply(change),
            (Event::MasterOrders { orders }, _, Some(all)) => all.waiting.clone_from(orders),
            // The waiting orders were executed.
            (Event::MasterResults { .. }, _, Some(all)) => all.waiting.clear(),
            // These events do not change the view or are for other viewers.
            (
                Event::Reported { .. }
                | Event::Learned { .. }
                | Event::SheetStored { .. }
                | Event::Alliances { .. }
                | Event::GalaxyChanged(_)
                | Event::MasterOrders { .. }
                | Event::MasterResults { .. }
                | Event::HalfReached { .. },
                ..,
            ) => {}
        }
    }
}
