//! The complete state of a game, and the parts of it that each seat can see.

use heliopause_kernel::{Game as _, Seat, SeatSet, Viewer};

use crate::state::battle::Battle;
use crate::state::campaign::{Campaign, automata};
use crate::state::colony::Colony;
use crate::state::event::Event;
use crate::state::groups::Groups;
use crate::state::options::Options;
use crate::state::power::{Power, SeatView};
use crate::state::secrets::Secrets;
use crate::state::table::{Stage, Table};
use crate::state::view::{Truth, View};
use crate::tables::{Place, PlanetId};

/// A game of Stellar Conquest or of one of its variants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StellarConquest {
    pub(crate) table: Table,
    pub(crate) truth: Truth,
    /// Number of decisions that each seat has answered. Identifies pending decisions.
    pub(crate) decided: Vec<u32>,
}

impl Table {
    pub(crate) fn new(options: Options, players: usize) -> Self {
        let seats = players + automata(options.variant).len();
        Self {
            options,
            players,
            turn: 0,
            order: Seat::first(players).collect(),
            active: Seat::at(0),
            stage: Stage::Setup,
            entries: Vec::new(),
            groups: vec![Groups::default(); seats],
            posts: Vec::new(),
            shown: Vec::new(),
            battle: None,
            campaign: Campaign::new(options.variant),
            ending: None,
        }
    }
}

impl StellarConquest {
    pub(crate) fn blank(options: Options, players: usize, secrets: Secrets) -> Self {
        let table = Table::new(options, players);
        let powers = vec![Power::new(); table.seats()];
        let decided = vec![0; powers.len()];
        Self { table, truth: Truth { powers, secrets }, decided }
    }

    pub(crate) fn of(table: Table, truth: Truth) -> Self {
        let decided = vec![0; table.seats()];
        Self { table, truth, decided }
    }

    pub(crate) fn show_all_groups(&mut self) {
        for (groups, power) in self.table.groups.iter_mut().zip(&self.truth.powers) {
            *groups = Groups::default();
            let mut places: Vec<Place> = power.ships.iter().filter_map(|ship| ship.at).collect();
            places.sort_unstable();
            places.dedup();
            for at in places {
                groups.set(at, power.groups_at(at));
            }
        }
    }

    /// Returns a viewer's knowledge before the first event. Applying all events the viewer receives
    /// gives the current view of a game that began with setup.
    pub fn view_before(options: Options, players: usize, viewer: Viewer) -> View {
        Self::blank(options, players, Secrets::undrawn()).view(viewer)
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    pub fn truth(&self) -> &Truth {
        &self.truth
    }

    pub fn power(&self, seat: Seat) -> &Power {
        &self.truth.powers[seat.index()]
    }

    /// Returns the knowledge of one seat. The table may still contain a private battle of other
    /// seats and their priority dice. See [`StellarConquest::seen_by`].
    pub(crate) fn seat_view(&self, seat: Seat) -> SeatView<'_> {
        SeatView { seat, table: &self.table, power: self.power(seat) }
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        self.table.apply(event);
        self.truth.apply(event);
    }

    pub(crate) fn sees(&self, seats: SeatSet, battle: &Battle) -> bool {
        !self.table.options.private_battles || !battle.participants().intersection(seats).is_empty()
    }

    /// Returns the table as visible to these seats. For spectators, `seats` is empty.
    pub(crate) fn seen_by(&self, seats: SeatSet) -> Table {
        let mut table = self.table.clone();
        if table.battle.as_deref().is_some_and(|battle| !self.sees(seats, battle)) {
            table.battle = None;
        }
        if let Some(politics) = table.campaign.politics_mut() {
            politics.keep_priorities_of(seats);
        }
        table
    }

    pub(crate) fn owner_of(&self, planet: PlanetId) -> Option<(Seat, Colony)> {
        Seat::first(self.table.seats())
            .find_map(|seat| self.power(seat).colony(planet).map(|&colony| (seat, colony)))
    }
}
