//! Random states that are consistent with a view.

use heliopause_kernel::{Seat, SeatSet};

use crate::board::{PLACES, Place, Places};
use crate::game::Starships;
use crate::knowledge::{Owed, Own, Secrets};
use crate::markers::{Marker, Mix};
use crate::order::Agreement;
use crate::table::{DeathStar, MAX_PLAYERS, Note, Stage, Table};
use crate::view::{Insight, View};

/// The maximum number of layouts to draw. The last layout is used even if it does not fit.
const TRIES: usize = 8;

/// Draws a random state that is consistent with a view. The game master's view has the whole state.
pub(crate) fn sample(view: &View, rng: &mut dyn FnMut() -> u64) -> Starships {
    let table = view.table.clone();
    let (seat, own) = match &view.insight {
        Insight::GameMaster(secrets) => {
            return Starships {
                table,
                secrets: (**secrets).clone(),
                decided: [0; MAX_PLAYERS + 1],
            };
        }
        Insight::Seat(seat, own) => (Some(*seat), Some(&**own)),
        Insight::Spectator => (None, None),
    };
    let mut known = [None; PLACES];
    for at in Place::all() {
        known[at.index()] =
            table.shown[at.index()].or_else(|| own.and_then(|own| own.notes[at.index()]));
    }
    let markers = Layout { table: &table, known: &known, rng }.draw();
    let owners = owners(&table, &known, &markers, seat);
    let mut secrets =
        Secrets { markers, owners, own: vec![Own::new(); table.players() + 1], rolls: Vec::new() };
    for (index, theirs) in secrets.own.iter_mut().enumerate() {
        match own {
            Some(own) if seat == Some(Seat::at(index)) => *theirs = own.clone(),
            _ => *theirs = minimal_knowledge(Seat::at(index), &table, &markers, &owners),
        }
    }
    if let (Some(seat), Some(own)) = (seat, own) {
        share_agreements(&mut secrets, seat, own);
    }
    add_missing_decision(&table, &mut secrets);
    Starships { table, secrets, decided: [0; MAX_PLAYERS + 1] }
}

struct Layout<'a> {
    table: &'a Table,
    known: &'a [Option<Note>; PLACES],
    rng: &'a mut dyn FnMut() -> u64,
}

impl Layout<'_> {
    fn draw(mut self) -> [Marker; PLACES] {
        let unknown: Vec<Place> =
            Place::all().filter(|at| self.known[at.index()].is_none()).collect();
        let mut markers = [Marker::Empty; PLACES];
        for at in Place::all() {
            if let Some(note) = self.known[at.index()] {
                markers[at.index()] = note.marker;
            }
        }
        for _ in 0..TRIES {
            let drawn = self.deal(&unknown);
            for (at, marker) in unknown.iter().zip(drawn) {
                markers[at.index()] = marker;
            }
            if self.repair(&unknown, &mut markers) {
                break;
            }
        }
        self.place_death_star(&unknown, &mut markers);
        markers
    }

    /// Deals markers for the unknown hexes as at the start, with the withheld ones in the third
    /// rank.
    fn deal(&mut self, unknown: &[Place]) -> Vec<Marker> {
        let mix = self.table.options.mix;
        let is_inner = |at: Place| at.rank() < 3;
        let mut batch: Vec<Marker> = mix.initial_batch().collect();
        self.take_known(&mut batch, is_inner);
        self.shuffle(&mut batch);
        let inner = unknown.iter().filter(|at| is_inner(**at)).count();
        let mut rest = batch.split_off(inner.min(batch.len()));
        rest.extend(Mix::withheld_but_death_star());
        self.take_known(&mut rest, |at| !is_inner(at));
        self.shuffle(&mut rest);
        let (mut batch, mut rest) = (batch.into_iter(), rest.into_iter());
        let mut next = |inner: bool| {
            let (first, second) =
                if inner { (&mut batch, &mut rest) } else { (&mut rest, &mut batch) };
            first.next().or_else(|| second.next()).unwrap_or(Marker::Empty)
        };
        unknown.iter().map(|&at| next(is_inner(at))).collect()
    }

    fn take_known(&self, pool: &mut Vec<Marker>, counts: impl Fn(Place) -> bool) {
        for at in Place::all().filter(|&at| counts(at)) {
            let Some(note) = self.known[at.index()] else { continue };
            if let Some(index) = pool.iter().position(|&marker| marker == note.marker) {
                pool.swap_remove(index);
            }
        }
    }

    fn shuffle(&mut self, items: &mut [Marker]) {
        for last in (1..items.len()).rev() {
            let other = ((self.rng)() % (last as u64 + 1)) as usize;
            items.swap(last, other);
        }
    }

    /// Swaps or replaces markers that contradict the public information. Returns whether all
    /// unknown hexes then fit.
    fn repair(&self, unknown: &[Place], markers: &mut [Marker; PLACES]) -> bool {
        for &at in unknown {
            if self.allows(at, markers[at.index()]) {
                continue;
            }
            let swap = unknown.iter().copied().find(|&other| {
                self.allows(at, markers[other.index()]) && self.allows(other, markers[at.index()])
            });
            match swap {
                Some(other) => markers.swap(at.index(), other.index()),
                None => markers[at.index()] = self.fallback(at),
            }
        }
        unknown.iter().all(|&at| self.allows(at, markers[at.index()]))
    }

    fn allows(&self, at: Place, marker: Marker) -> bool {
        if self.table.has_settled_base(at) {
            return marker.is_live();
        }
        !(self.table.zones.contains(at) && (marker.is_planet() || marker == Marker::DeathStar))
    }

    fn fallback(&self, at: Place) -> Marker {
        if self.table.has_settled_base(at) { Marker::Friendly } else { Marker::Empty }
    }

    /// Places the undisturbed Death Star in the third rank, unless the viewer has seen it.
    fn place_death_star(&mut self, unknown: &[Place], markers: &mut [Marker; PLACES]) {
        if self.table.death_star != DeathStar::Undisturbed || markers.contains(&Marker::DeathStar) {
            return;
        }
        let fits = |at: &Place| self.allows(*at, Marker::DeathStar);
        let mut places: Vec<Place> =
            unknown.iter().copied().filter(|at| at.rank() == 3 && fits(at)).collect();
        if places.is_empty() {
            places = unknown.iter().copied().filter(fits).collect();
        }
        // Avoid hexes with starships: the undisturbed Death Star fires at every starship in its
        // hex.
        let lonely: Vec<Place> =
            places.iter().copied().filter(|&at| !self.table.has_ship(at)).collect();
        let places = if lonely.is_empty() { places } else { lonely };
        if !places.is_empty() {
            let index = ((self.rng)() % places.len() as u64) as usize;
            markers[places[index].index()] = Marker::DeathStar;
        }
    }
}

impl Mix {
    fn withheld_but_death_star() -> impl Iterator<Item = Marker> {
        Marker::KINDS
            .into_iter()
            .filter(|&kind| kind != Marker::DeathStar)
            .flat_map(|kind| std::iter::repeat_n(kind, usize::from(Self::WITHHELD.count(kind))))
    }
}

/// Returns an owner for each planet: the owner in the view, else the owner of a base on the planet,
/// else the player with the first ownership marker. A planet that is visible as unowned stays so.
fn owners(
    table: &Table,
    known: &[Option<Note>; PLACES],
    markers: &[Marker; PLACES],
    viewer: Option<Seat>,
) -> [Option<Seat>; PLACES] {
    let mut owners = [None; PLACES];
    for at in Place::all() {
        let base =
            table.bases.iter().find(|base| base.at == at && !base.is_out() && at != Place::EARTH);
        let note = known[at.index()];
        let believed = || table.tokens[at.index()].iter().find(|&seat| Some(seat) != viewer);
        let present = viewer.is_some_and(|seat| table.is_present(seat, at));
        let certain = table.shown[at.index()].is_some() || present;
        owners[at.index()] = match note.and_then(|note| note.owner) {
            Some(owner) => Some(owner),
            None if certain => None,
            None => base.map(|base| base.id.owner).or_else(|| {
                // The viewer has seen that this planet is open, so a new owner would be in the
                // note.
                let noted_open = note.is_some_and(|note| note.marker.is_open());
                if noted_open || !markers[at.index()].is_planet() { None } else { believed() }
            }),
        };
    }
    owners
}

/// Returns the minimum of private information that a seat must have: its planets, and notes of the
/// face-down hexes with its planets, pieces or ownership markers.
fn minimal_knowledge(
    seat: Seat,
    table: &Table,
    markers: &[Marker; PLACES],
    owners: &[Option<Seat>; PLACES],
) -> Own {
    let mut own = Own::new();
    for at in Place::all() {
        let owns = owners[at.index()] == Some(seat);
        if owns {
            own.planets.insert(at);
        }
        let sees = owns || (table.is_alive(seat) && table.is_present(seat, at));
        let marked = table.status(seat).is_some() && table.tokens[at.index()].contains(seat);
        if table.shown[at.index()].is_none() && (sees || marked) {
            own.notes[at.index()] =
                Some(Note { marker: markers[at.index()], owner: owners[at.index()] });
        }
    }
    own
}

fn share_agreements(secrets: &mut Secrets, seat: Seat, own: &Own) {
    for agreement in [Agreement::Peace, Agreement::Partnership] {
        let offers = own.offers(agreement);
        for other in offers.made.union(offers.got).iter() {
            let Some(theirs) = secrets.own.get_mut(other.index()) else { continue };
            let mirror = theirs.offers_mut(agreement);
            mirror.got =
                if offers.made.contains(other) { SeatSet::one(seat) } else { SeatSet::EMPTY };
            mirror.made =
                if offers.got.contains(other) { SeatSet::one(seat) } else { SeatSet::EMPTY };
        }
    }
    for pledge in &own.pledges {
        let other = if pledge.giver == seat { pledge.receiver } else { pledge.giver };
        if let Some(theirs) = secrets.own.get_mut(other.index()).filter(|_| other != seat) {
            theirs.pledges.push(*pledge);
            theirs.pledges.sort();
        }
    }
}

fn add_missing_decision(table: &Table, secrets: &mut Secrets) {
    if secrets.own.iter().any(|own| own.owes.is_some()) {
        return;
    }
    let star = table.death_star_seat();
    let breach = table.broken.first();
    let asked = match (table.stage, breach) {
        (Stage::Zones { .. }, _) => Some((star, Owed::Zones { left: 1, entered: None })),
        (Stage::Growth, _) => {
            let (entered, barred) = (Places::NONE, Places::NONE);
            Some((star, Owed::Growth { sources: table.growth_sources(), entered, barred }))
        }
        (Stage::Breach { planet: false, .. }, Some(breach)) => {
            Some((breach.offended, Owed::ChooseShip(breach.breaker)))
        }
        (Stage::Breach { planet: true, .. }, Some(breach)) => {
            Some((breach.breaker, Owed::CedePlanet(breach.offended)))
        }
        _ => None,
    };
    if let Some((seat, owed)) = asked
        && let Some(own) = secrets.own.get_mut(seat.index())
    {
        own.owes = Some(owed);
    }
}
