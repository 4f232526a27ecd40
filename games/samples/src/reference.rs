//! A slow reference adjudicator for Diplomacy. It solves the equations of the rules by trying all
//! outcomes.

use std::collections::BTreeSet;

use heliopause_diplomacy::{
    Given, Ground, Kind, Movement, Origin, Place, Position, Province, Task,
};
use heliopause_kernel::Seat;

/// Maximum number of decisions in a circle. More would have too many outcomes to try.
const OPEN_MAX: usize = 14;

#[derive(Clone, Copy, Debug)]
struct Actor {
    owner: Seat,
    kind: Kind,
    at: Option<Province>,
    task: Task,
    matched: bool,
}

impl Actor {
    fn to(self) -> Option<Province> {
        match self.task {
            Task::Move { to, .. } => Some(to.province()),
            _ => None,
        }
    }

    fn by_convoy(self) -> bool {
        matches!(self.task, Task::Move { by_convoy: true, .. })
    }

    fn leaves(self) -> bool {
        self.to().is_some() || self.task == Task::BeamUp
    }

    fn is_decision(self) -> bool {
        match self.task {
            Task::Hold | Task::Colonize { .. } => false,
            Task::Move { .. } | Task::BeamUp => true,
            _ => self.matched,
        }
    }
}

struct Phase {
    actors: Vec<Actor>,
    orbit: Vec<usize>,
}

type Outcomes = Vec<bool>;

impl Phase {
    fn actor_at(&self, at: Province) -> Option<usize> {
        self.actors.iter().position(|actor| actor.at == Some(at))
    }

    fn movers_to(&self, to: Province) -> Vec<usize> {
        (0..self.actors.len()).filter(|&id| self.actors[id].to() == Some(to)).collect()
    }

    fn supports(&self, id: usize) -> Vec<usize> {
        let supports = |&by: &usize| {
            let support = &self.actors[by];
            support.matched
                && match support.task {
                    Task::SupportHold { at } => {
                        self.actors[id].at == Some(at) && !self.actors[id].leaves()
                    }
                    Task::SupportMove { from, to } => {
                        let starts = match from {
                            Origin::Earth(from) => self.actors[id].at == Some(from),
                            // R5: only the first of the seat's beam orders is supported.
                            Origin::Orbit(seat) => self.first_beam(seat, to.province()) == Some(id),
                        };
                        starts && self.actors[id].to() == Some(to.province())
                    }
                    _ => false,
                }
        };
        (0..self.actors.len()).filter(supports).collect()
    }

    fn first_beam(&self, seat: Seat, to: Province) -> Option<usize> {
        let first =
            |actor: &Actor| actor.at.is_none() && actor.owner == seat && actor.to() == Some(to);
        self.actors.iter().position(first)
    }

    fn opponent(&self, id: usize) -> Option<usize> {
        let (from, to) = (self.actors[id].at?, self.actors[id].to()?);
        let other = self.actor_at(to)?;
        let meets = self.actors[other].to() == Some(from);
        (meets && !self.actors[id].by_convoy() && !self.actors[other].by_convoy()).then_some(other)
    }

    fn path(&self, id: usize, truth: &Outcomes) -> bool {
        let actor = &self.actors[id];
        if !actor.by_convoy() {
            return true;
        }
        let (from, to) = (actor.at.unwrap(), actor.to().unwrap());
        let mut reached = BTreeSet::from([from]);
        loop {
            let next: Vec<Province> = (0..self.actors.len())
                .filter(|&fleet| {
                    truth[fleet] && self.actors[fleet].task == Task::Convoy { from, to }
                })
                .filter_map(|fleet| self.actors[fleet].at)
                .filter(|sea| reached.iter().any(|&at| sea.by_sea().contains(at)))
                .filter(|sea| !reached.contains(sea))
                .collect();
            if next.is_empty() {
                return reached.iter().any(|sea| *sea != from && sea.by_sea().contains(to));
            }
            reached.extend(next);
        }
    }

    fn hold(&self, at: Province, truth: &Outcomes) -> usize {
        match self.actor_at(at) {
            None => 0,
            Some(id) if self.actors[id].leaves() => usize::from(!truth[id]),
            Some(id) => 1 + given(self.supports(id), truth),
        }
    }

    fn attack(&self, id: usize, truth: &Outcomes) -> usize {
        if !self.path(id, truth) {
            return 0;
        }
        let all = self.supports(id);
        let Some(there) = self.actor_at(self.actors[id].to().unwrap()) else {
            return 1 + given(all, truth);
        };
        let left = self.actors[there].leaves() && truth[there];
        if self.opponent(id).is_none() && left {
            return 1 + given(all, truth);
        }
        let owner = self.actors[there].owner;
        if owner == self.actors[id].owner {
            return 0;
        }
        1 + given(
            all.into_iter().filter(|&support| self.actors[support].owner != owner).collect(),
            truth,
        )
    }

    fn prevent(&self, id: usize, truth: &Outcomes) -> usize {
        let lost = self.opponent(id).is_some_and(|opponent| truth[opponent]);
        if lost || !self.path(id, truth) { 0 } else { 1 + given(self.supports(id), truth) }
    }

    /// Evaluates the equation of a decision, assuming the outcomes in `truth`.
    fn equation(&self, id: usize, truth: &Outcomes) -> bool {
        let actor = &self.actors[id];
        match actor.task {
            Task::Move { to, .. } => {
                let to = to.province();
                let attack = self.attack(id, truth);
                let opposing = match self.opponent(id) {
                    Some(opponent) => 1 + given(self.supports(opponent), truth),
                    None => self.hold(to, truth),
                };
                let rivals = self.movers_to(to).into_iter().filter(|&rival| rival != id);
                attack > opposing
                    && rivals
                        .map(|rival| self.prevent(rival, truth))
                        .all(|prevent| attack > prevent)
            }
            Task::BeamUp => {
                let own = |id: &usize| self.actors[*id].owner == actor.owner;
                let all = || (0..self.actors.len()).filter(own);
                let wanted = all().filter(|&id| self.actors[id].task == Task::BeamUp).count();
                let down = all().filter(|&id| self.actors[id].at.is_none() && truth[id]).count();
                wanted + self.orbit[actor.owner.index()] <= 3 + down
            }
            Task::SupportHold { at } => self.is_given(id, at, truth),
            Task::SupportMove { to, .. } => self.is_given(id, to.province(), truth),
            Task::Convoy { .. } => {
                !self.movers_to(actor.at.unwrap()).into_iter().any(|attacker| truth[attacker])
            }
            Task::Hold | Task::Colonize { .. } => false,
        }
    }

    fn is_given(&self, id: usize, directed_into: Province, truth: &Outcomes) -> bool {
        let actor = &self.actors[id];
        !self.movers_to(actor.at.unwrap()).into_iter().any(|attacker| {
            self.actors[attacker].owner != actor.owner
                && if self.actors[attacker].at == Some(directed_into) {
                    truth[attacker]
                } else {
                    self.path(attacker, truth)
                }
        })
    }

    /// Returns the open decisions that the equation of `id` mentions.
    fn depends_on(&self, id: usize, known: &[Option<bool>]) -> Vec<usize> {
        let actor = &self.actors[id];
        let mut on = BTreeSet::new();
        let convoys = |on: &mut BTreeSet<usize>, id: usize| {
            let army = &self.actors[id];
            if army.by_convoy() {
                let task = Task::Convoy { from: army.at.unwrap(), to: army.to().unwrap() };
                on.extend((0..self.actors.len()).filter(|&fleet| self.actors[fleet].task == task));
            }
        };
        match actor.task {
            Task::Move { to, .. } => {
                for mover in self.movers_to(to.province()) {
                    on.extend(self.supports(mover));
                    on.extend(self.opponent(mover));
                    convoys(&mut on, mover);
                }
                if let Some(there) = self.actor_at(to.province()) {
                    on.insert(there);
                    on.extend(self.supports(there));
                }
            }
            Task::BeamUp => {
                on.extend((0..self.actors.len()).filter(|&id| {
                    self.actors[id].at.is_none() && self.actors[id].owner == actor.owner
                }));
            }
            Task::SupportHold { .. } | Task::SupportMove { .. } | Task::Convoy { .. } => {
                for attacker in self.movers_to(actor.at.unwrap()) {
                    on.insert(attacker);
                    convoys(&mut on, attacker);
                }
            }
            Task::Hold | Task::Colonize { .. } => {}
        }
        on.into_iter()
            .filter(|&other| known[other].is_none() && self.actors[other].is_decision())
            .collect()
    }

    /// Resolves a phase by D4 alone. Returns `None` if there are too many outcomes to try.
    fn resolve(&self) -> Option<Resolved> {
        let mut known: Vec<Option<bool>> = self
            .actors
            .iter()
            .map(|actor| if actor.is_decision() { None } else { Some(false) })
            .collect();
        let (mut circles, mut paradoxes) = (0, 0);
        loop {
            self.decide_certain(&mut known)?;
            let open: Vec<usize> = (0..known.len()).filter(|&id| known[id].is_none()).collect();
            if open.is_empty() {
                let truth: Outcomes = known.into_iter().map(Option::unwrap).collect();
                return Some(Resolved { truth, circles, paradoxes });
            }
            circles += 1;
            paradoxes +=
                usize::from(self.resolve_circle(&self.smallest_circle(&open, &known), &mut known)?);
        }
    }

    /// Settles decisions whose equation has the same value under all outcomes of the open
    /// decisions.
    fn decide_certain(&self, known: &mut [Option<bool>]) -> Option<()> {
        loop {
            let mut news = false;
            for id in 0..known.len() {
                if known[id].is_some() {
                    continue;
                }
                let open = self.depends_on(id, known);
                if open.len() > OPEN_MAX {
                    return None;
                }
                let mut answers =
                    outcomes(known, &open).map(|outcomes| self.equation(id, &outcomes));
                let first = answers.next().expect("there is an outcome");
                if answers.all(|answer| answer == first) {
                    known[id] = Some(first);
                    news = true;
                }
            }
            if !news {
                return Some(());
            }
        }
    }

    /// Returns open decisions that depend on each other and on no other open decision.
    fn smallest_circle(&self, open: &[usize], known: &[Option<bool>]) -> Vec<usize> {
        let reach = |from: usize| {
            let mut reached = BTreeSet::new();
            let mut edge = vec![from];
            while let Some(id) = edge.pop() {
                edge.extend(
                    self.relevant_decisions(id, known)
                        .into_iter()
                        .filter(|&next| reached.insert(next)),
                );
            }
            reached
        };
        let smallest = open.iter().map(|&id| reach(id)).min_by_key(BTreeSet::len);
        smallest.expect("something is open").into_iter().collect()
    }

    /// Returns the open decisions that can change the value of an equation.
    fn relevant_decisions(&self, id: usize, known: &[Option<bool>]) -> Vec<usize> {
        let open = self.depends_on(id, known);
        let changes = |&other: &usize| {
            outcomes(known, &open).any(|mut outcomes| {
                let before = self.equation(id, &outcomes);
                outcomes[other] = !outcomes[other];
                self.equation(id, &outcomes) != before
            })
        };
        open.iter().copied().filter(changes).collect()
    }

    /// Resolves a circle by D4, "circular dependencies". Returns whether the circle was a paradox,
    /// or `None` if there are too many outcomes to try.
    fn resolve_circle(&self, circle: &[usize], known: &mut [Option<bool>]) -> Option<bool> {
        if circle.len() > OPEN_MAX {
            return None;
        }
        let holds = |outcomes: &Outcomes| {
            circle.iter().all(|&id| self.equation(id, outcomes) == outcomes[id])
        };
        let solutions: Vec<Outcomes> = outcomes(known, circle).filter(holds).collect();
        let is_convoy = |id: usize| matches!(self.actors[id].task, Task::Convoy { .. });
        let mut paradox = false;
        if let [solution] = &solutions[..] {
            for &id in circle {
                known[id] = Some(solution[id]);
            }
        } else if circle.iter().all(|&id| self.actors[id].leaves()) {
            for &id in circle {
                known[id] = Some(true);
            }
        } else {
            assert!(
                circle.iter().any(|&id| is_convoy(id)),
                "a circle without moves only and without a convoy"
            );
            paradox = true;
            for &id in circle.iter().filter(|&&id| is_convoy(id)) {
                known[id] = Some(false);
            }
        }
        Some(paradox)
    }
}

fn given(supports: Vec<usize>, truth: &Outcomes) -> usize {
    supports.into_iter().filter(|&support| truth[support]).count()
}

/// Returns every combination of outcomes of the open decisions.
fn outcomes<'o>(
    known: &[Option<bool>],
    open: &'o [usize],
) -> impl Iterator<Item = Outcomes> + use<'o> {
    let base: Outcomes = known.iter().map(|known| known.unwrap_or(false)).collect();
    (0..1_u32 << open.len()).map(move |bits| {
        let mut outcomes = base.clone();
        for (bit, &id) in open.iter().enumerate() {
            outcomes[id] = bits >> bit & 1 == 1;
        }
        outcomes
    })
}

struct Resolved {
    truth: Outcomes,
    circles: usize,
    paradoxes: usize,
}

fn phase(position: &Position, orders: &[Given]) -> Phase {
    let ground = Ground::new(position);
    let mut actors: Vec<Actor> = Vec::new();
    for unit in position.units() {
        let at = unit.at.province();
        let order = orders
            .iter()
            .find(|given| given.order.unit().and_then(|unit| unit.at.province()) == Some(at));
        let task =
            order.map_or(Task::Hold, |given| ground.judge(given.seat, &given.order).unwrap());
        actors.push(Actor {
            owner: unit.owner,
            kind: unit.kind,
            at: Some(at),
            task,
            matched: false,
        });
    }
    for seat in position.seats() {
        let beams = |given: &&Given| {
            given.seat == seat && given.order.unit().is_some_and(|unit| unit.at == Place::Orbit)
        };
        let mut lines = orders.iter().filter(beams);
        for _ in 0..position.orbit(seat) {
            let task =
                lines.next().map_or(Task::Hold, |given| ground.judge(seat, &given.order).unwrap());
            actors.push(Actor { owner: seat, kind: Kind::Army, at: None, task, matched: false });
        }
    }
    let mut phase =
        Phase { actors, orbit: position.seats().map(|seat| position.orbit(seat).into()).collect() };
    own_convoys(&mut phase);
    match_orders(&mut phase);
    phase
}

/// Makes armies move by convoy, not by land, if a fleet of the same power convoys them (4.A.3).
fn own_convoys(phase: &mut Phase) {
    for fleet in phase.actors.clone() {
        if let Task::Convoy { from, to } = fleet.task {
            for army in &mut phase.actors {
                if army.at == Some(from) && army.owner == fleet.owner && army.to() == Some(to) {
                    army.task = Task::Move { to: to.node(), by_convoy: true };
                }
            }
        }
    }
}

fn match_orders(phase: &mut Phase) {
    let actors = phase.actors.clone();
    let at = |province: Province| actors.iter().find(|actor| actor.at == Some(province));
    for actor in &mut phase.actors {
        actor.matched = match actor.task {
            Task::SupportHold { at: there } => at(there).is_some_and(|other| !other.leaves()),
            Task::SupportMove { from: Origin::Earth(from), to } => {
                at(from).is_some_and(|other| match other.task {
                    Task::Move { to: goes_to, .. } if to.coast().is_some() => goes_to == to,
                    _ => other.to() == Some(to.province()),
                })
            }
            Task::SupportMove { from: Origin::Orbit(seat), to } => actors.iter().any(|other| {
                other.at.is_none() && other.owner == seat && other.to() == Some(to.province())
            }),
            Task::Convoy { from, to } => {
                at(from).is_some_and(|army| army.by_convoy() && army.to() == Some(to))
            }
            _ => false,
        };
    }
}

fn after(phase: &Phase, truth: &Outcomes) -> BTreeSet<(Seat, Kind, Option<Province>)> {
    let mut after = BTreeSet::new();
    for (id, actor) in phase.actors.iter().enumerate() {
        let moved = actor.leaves() && truth[id];
        let driven_out = actor
            .at
            .is_some_and(|at| phase.movers_to(at).into_iter().any(|attacker| truth[attacker]));
        let stands = match actor.to() {
            Some(to) if moved => Some(to),
            _ if moved || driven_out => None,
            _ => actor.at,
        };
        if let Some(at) = stands {
            after.insert((actor.owner, actor.kind, Some(at)));
        }
    }
    after
}

/// Properties of a position on which both adjudicators agree.
pub struct Agreement {
    /// Whether decisions depended on each other.
    pub circular: bool,
    /// Whether decisions contradicted each other.
    pub paradoxical: bool,
}

/// Resolves movement with both adjudicators and panics if the results differ. Returns `None` if
/// there are too many outcomes to try.
pub fn compare(position: &Position, orders: &[Given]) -> Option<Agreement> {
    let phase = phase(position, orders);
    let resolved = phase.resolve()?;
    let movement = Movement::resolve(position, orders);
    let written =
        || orders.iter().map(|given| format!("{} {}", given.seat, given.order)).collect::<Vec<_>>();
    let units: BTreeSet<_> = movement
        .aftermath()
        .position
        .units()
        .map(|unit| (unit.owner, unit.kind, Some(unit.at.province())))
        .collect();
    assert_eq!(units, after(&phase, &resolved.truth), "{:#?}", written());
    for report in movement.reports(orders) {
        let ordered = report.given.order.unit().unwrap().at;
        let id = phase
            .actors
            .iter()
            .position(|actor| actor.at.is_some() && actor.at == ordered.province());
        if let Some(id) = id.filter(|&id| phase.actors[id].is_decision()) {
            let succeeds = matches!(report.outcome.name(), "succeeds" | "given");
            assert_eq!(succeeds, resolved.truth[id], "{report:?} of {:#?}", written());
        }
    }
    Some(Agreement { circular: resolved.circles > 0, paradoxical: resolved.paradoxes > 0 })
}
