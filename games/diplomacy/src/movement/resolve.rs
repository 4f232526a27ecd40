//! The resolution of a movement phase (D4, 2, R7).
//!
//! Each order that can fail is one decision: whether the move succeeds, the support is given, or
//! the convoy is maintained. A decision is an equation over other decisions. First the resolver
//! makes every decision whose result does not depend on open decisions. The open decisions that
//! remain depend on each other. The resolver searches for all solutions of the innermost cycle. If
//! there is no solution or more than one, the rules for circular movement and paradoxes decide
//! (4.A.2).

use super::field::{Field, Id, NOBODY};
use super::legality::Task;
use crate::board::{Province, Provinces};
use crate::convoy;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Truth {
    Open,
    No,
    Yes,
}

use Truth::{No, Open, Yes};

impl From<bool> for Truth {
    fn from(truth: bool) -> Self {
        if truth { Yes } else { No }
    }
}

impl Truth {
    fn agree(self, other: Self) -> Self {
        if self == other { self } else { Open }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Strength {
    pub(super) least: u16,
    pub(super) most: u16,
}

impl Strength {
    const NONE: Self = Self { least: 0, most: 0 };

    fn exceeds(self, other: Self) -> Truth {
        if self.least > other.most {
            Yes
        } else if self.most <= other.least {
            No
        } else {
            Open
        }
    }
}

pub(crate) struct Resolver<'f> {
    field: &'f Field<'f>,
    truths: Vec<Truth>,
    /// The open decisions that the current equation has read. Used to find cycles.
    asked: Option<Vec<Id>>,
    stopped_by_paradox: Provinces,
}

fn is_decision(task: Task, matched: bool) -> bool {
    match task {
        Task::Move { .. } | Task::BeamUp => true,
        Task::SupportHold { .. } | Task::SupportMove { .. } | Task::Convoy { .. } => matched,
        Task::Hold | Task::Colonize { .. } => false,
    }
}

pub(crate) struct Decisions {
    truths: Vec<bool>,
    pub(crate) stopped_by_paradox: Provinces,
}

impl Decisions {
    /// Returns whether the unit's move, support or convoy succeeds. Returns `false` for a hold.
    pub(crate) fn succeeds(&self, id: Id) -> bool {
        self.truths[usize::from(id)]
    }
}

pub(crate) fn resolve(field: &Field<'_>) -> Decisions {
    let mut resolver = Resolver::new(field);
    let mut open: Vec<Id> = (0..field.actors.len() as Id)
        .filter(|&id| resolver.truths[usize::from(id)] == Open)
        .collect();
    while !open.is_empty() {
        resolver.propagate(&mut open);
        if !open.is_empty() {
            let cycle = resolver.innermost_cycle(&open);
            resolver.resolve_cycle(&cycle);
            open.retain(|&id| resolver.truths[usize::from(id)] == Open);
        }
    }
    resolver.decisions()
}

impl<'f> Resolver<'f> {
    fn new(field: &'f Field<'f>) -> Self {
        let truth = |actor: &super::field::Actor| {
            if is_decision(actor.task, actor.matched) { Open } else { No }
        };
        Self {
            field,
            truths: field.actors.iter().map(truth).collect(),
            asked: None,
            stopped_by_paradox: Provinces::EMPTY,
        }
    }

    /// Creates a resolver with all decisions made, to compute strengths for reports.
    pub(super) fn resolved(field: &'f Field<'f>, decisions: &Decisions) -> Self {
        let truths = decisions.truths.iter().map(|&truth| truth.into()).collect();
        Self { field, truths, asked: None, stopped_by_paradox: decisions.stopped_by_paradox }
    }

    fn decisions(self) -> Decisions {
        let truths = self.truths.iter().map(|&truth| truth == Yes).collect();
        Decisions { truths, stopped_by_paradox: self.stopped_by_paradox }
    }

    fn propagate(&mut self, open: &mut Vec<Id>) {
        let mut before = usize::MAX;
        while open.len() < before {
            before = open.len();
            open.retain(|&id| {
                let truth = self.evaluate(id);
                self.truths[usize::from(id)] = truth;
                truth == Open
            });
        }
    }

    fn truth(&mut self, id: Id) -> Truth {
        let truth = self.truths[usize::from(id)];
        if truth == Open
            && let Some(asked) = &mut self.asked
        {
            asked.push(id);
        }
        truth
    }

    /// Evaluates a decision. If the result is open, `asked` then has all open decisions that the
    /// decision depends on.
    fn evaluate(&mut self, id: Id) -> Truth {
        match self.field.actor(id).task {
            Task::Move { to, .. } => self.moves(id, to.province()),
            Task::BeamUp => self.beams_up(id),
            Task::SupportHold { at } => self.is_given(id, at),
            Task::SupportMove { to, .. } => self.is_given(id, to.province()),
            Task::Convoy { .. } => self.convoys(id),
            Task::Hold | Task::Colonize { .. } => No,
        }
    }

    /// Evaluates a move. The move must be stronger than every rival, and stronger than the unit
    /// that is in the province or moves in the opposite direction.
    fn moves(&mut self, id: Id, to: Province) -> Truth {
        let path = self.path(id);
        if path == No {
            return No;
        }
        let head_to_head = self.field.actor(id).opponent != NOBODY;
        let result = match self.field.actor_at(to) {
            Some(holder) if self.field.actor(holder).leaves() && !head_to_head => {
                match self.truth(holder) {
                    Open => self
                        .moves_if(id, to, holder, true)
                        .agree(self.moves_if(id, to, holder, false)),
                    Yes => self.moves_if(id, to, holder, true),
                    No => self.moves_if(id, to, holder, false),
                }
            }
            Some(holder) => self.moves_if(id, to, holder, false),
            None => self.moves_if(id, to, NOBODY, true),
        };
        if result == Yes && path == Open { Open } else { result }
    }

    fn moves_if(&mut self, id: Id, to: Province, holder: Id, left: bool) -> Truth {
        let attack = self.attack(id, holder, left);
        let mut result = attack.exceeds(self.opposing(id, holder, left));
        for rival in self.field.units_entering(to).filter(|&rival| rival != id) {
            if result == No {
                break;
            }
            let prevent = self.prevent(rival, holder, left);
            result = match attack.exceeds(prevent) {
                No => No,
                Open => Open,
                Yes => result,
            };
        }
        result
    }

    /// Returns the DEFEND strength in a head-to-head battle, otherwise the HOLD strength.
    pub(super) fn opposing(&mut self, id: Id, holder: Id, left: bool) -> Strength {
        let opponent = self.field.actor(id).opponent;
        if opponent != NOBODY {
            self.supported(opponent)
        } else if left {
            Strength::NONE
        } else if self.field.actor(holder).leaves() {
            Strength { least: 1, most: 1 }
        } else {
            self.supported(holder)
        }
    }

    /// Returns the ATTACK strength. It excludes supports by the power whose unit is attacked. It is
    /// zero against a unit of the mover's own power.
    pub(super) fn attack(&mut self, id: Id, holder: Id, left: bool) -> Strength {
        if left {
            return self.supported(id);
        }
        let owner = self.field.actor(holder).owner;
        if self.field.actor(id).owner == owner {
            return Strength::NONE;
        }
        self.strength(id, |field, support| field.actor(support).owner != owner)
    }

    /// Returns the PREVENT strength. It is zero without a path or after a lost head-to-head battle.
    pub(super) fn prevent(&mut self, rival: Id, holder: Id, left: bool) -> Strength {
        let path = self.path(rival);
        let opponent = self.field.actor(rival).opponent;
        // The rival's head-to-head opponent is in the contested province.
        if path == No || opponent != NOBODY && opponent == holder && left {
            return Strength::NONE;
        }
        let strength = self.supported(rival);
        if path == Open { Strength { least: 0, ..strength } } else { strength }
    }

    pub(super) fn supported(&mut self, id: Id) -> Strength {
        self.strength(id, |_, _| true)
    }

    fn strength(&mut self, id: Id, counts: impl Fn(&Field<'_>, Id) -> bool) -> Strength {
        let field = self.field;
        let mut strength = Strength { least: 1, most: 1 };
        for support in field.supports(id) {
            if counts(field, support) {
                let truth = self.truth(support);
                strength.least += u16::from(truth == Yes);
                strength.most += u16::from(truth != No);
            }
        }
        strength
    }

    /// Evaluates the PATH. A move by convoy needs an unbroken chain of convoying fleets.
    pub(super) fn path(&mut self, id: Id) -> Truth {
        let actor = self.field.actor(id);
        let (Some(from), Some(to), true) = (actor.at, actor.goes_to(), actor.goes_by_convoy())
        else {
            return Yes;
        };
        let field = self.field;
        let (mut sure, mut possible) = (Provinces::EMPTY, Provinces::EMPTY);
        for fleet in field.convoys_of(from, to) {
            let truth = self.truth(fleet);
            let at = field.actor(fleet).at.expect("convoying fleets are at sea");
            if truth == Yes {
                sure.insert(at);
            }
            if truth != No {
                possible.insert(at);
            }
        }
        if convoy::leads(sure, from, to) {
            Yes
        } else if convoy::leads(possible, from, to) {
            Open
        } else {
            No
        }
    }

    /// R7: evaluates a beam-up. Either all beam-ups of an empire succeed or none.
    fn beams_up(&mut self, id: Id) -> Truth {
        let field = self.field;
        let empire = field.actor(id).owner;
        let wanted = field.beam_ups(empire).count() as u16;
        let room = u16::from(field.room(empire));
        let mut freed = Strength { least: room, most: room };
        for army in field.in_orbit(empire) {
            if field.actor(army).leaves() {
                let truth = self.truth(army);
                freed.least += u16::from(truth == Yes);
                freed.most += u16::from(truth != No);
            }
        }
        freed.exceeds(Strength { least: wanted - 1, most: wanted - 1 })
    }

    /// Evaluates a support. Any attack by another power cuts the support, except an attack from the
    /// province that the support is directed into. Such an attack must dislodge the supporter.
    fn is_given(&mut self, id: Id, directed_into: Province) -> Truth {
        let field = self.field;
        let supporter = field.actor(id);
        let at = supporter.at.expect("supporters are on the map");
        let mut given = Yes;
        for attacker in field
            .units_entering(at)
            .filter(|&attacker| field.actor(attacker).owner != supporter.owner)
        {
            let from_there = field.actor(attacker).at == Some(directed_into);
            match if from_there { self.truth(attacker) } else { self.path(attacker) } {
                Yes => return No,
                Open => given = Open,
                No => {}
            }
        }
        given
    }

    fn convoys(&mut self, id: Id) -> Truth {
        let field = self.field;
        let mut kept = Yes;
        for attacker in
            field.units_entering(field.actor(id).at.expect("convoying fleets are at sea"))
        {
            match self.truth(attacker) {
                Yes => return No,
                Open => kept = Open,
                No => {}
            }
        }
        kept
    }

    /// Returns open decisions that depend on each other and on no other open decision.
    fn innermost_cycle(&mut self, open: &[Id]) -> Vec<Id> {
        let mut depends_on = vec![Vec::new(); self.field.actors.len()];
        for &id in open {
            self.asked = Some(Vec::new());
            self.evaluate(id);
            depends_on[usize::from(id)] = self.asked.take().unwrap_or_default();
        }
        let reached = open.iter().map(|&id| reach(id, &depends_on));
        reached.min_by_key(Vec::len).expect("at least one decision is open")
    }

    /// Makes the decisions of a cycle. In a paradox, makes only the decisions of the cycle's
    /// convoys.
    fn resolve_cycle(&mut self, cycle: &[Id]) {
        let mut solutions = Vec::new();
        self.search(cycle, &mut solutions);
        if let [solution] = &solutions[..] {
            for (&id, &truth) in cycle.iter().zip(solution) {
                self.truths[usize::from(id)] = truth;
            }
            return;
        }
        let task = |id: Id| &self.field.actor(id).task;
        if cycle.iter().all(|&id| matches!(task(id), Task::Move { .. } | Task::BeamUp)) {
            return self.set(cycle, Yes);
        }
        let convoys: Vec<Id> =
            cycle.iter().copied().filter(|&id| matches!(task(id), Task::Convoy { .. })).collect();
        if convoys.is_empty() {
            // The rules do not allow such a cycle. If one occurs, nothing in it succeeds.
            return self.set(cycle, No);
        }
        let stopped: Provinces = convoys.iter().filter_map(|&id| self.field.actor(id).at).collect();
        self.stopped_by_paradox = self.stopped_by_paradox.union(stopped);
        self.set(&convoys, No);
    }

    fn set(&mut self, ids: &[Id], truth: Truth) {
        for &id in ids {
            self.truths[usize::from(id)] = truth;
        }
    }

    /// Finds at most two assignments that satisfy all equations of a cycle. Leaves the decisions
    /// open.
    fn search(&mut self, cycle: &[Id], solutions: &mut Vec<Vec<Truth>>) {
        let before: Vec<Truth> = cycle.iter().map(|&id| self.truths[usize::from(id)]).collect();
        if self.propagate_guess(cycle) {
            let guess = cycle.iter().copied().filter(|&id| self.truths[usize::from(id)] == Open);
            match guess.min_by_key(|&id| guess_rank(self.field.actor(id).task)) {
                None => {
                    solutions.push(cycle.iter().map(|&id| self.truths[usize::from(id)]).collect());
                }
                Some(id) => {
                    for truth in [Yes, No] {
                        if solutions.len() < 2 {
                            self.truths[usize::from(id)] = truth;
                            self.search(cycle, solutions);
                        }
                    }
                }
            }
        }
        for (&id, truth) in cycle.iter().zip(before) {
            self.truths[usize::from(id)] = truth;
        }
    }

    fn propagate_guess(&mut self, cycle: &[Id]) -> bool {
        loop {
            let mut news = false;
            for &id in cycle {
                let (known, truth) = (self.truths[usize::from(id)], self.evaluate(id));
                if known == Open {
                    self.truths[usize::from(id)] = truth;
                    news |= truth != Open;
                } else if truth != Open && truth != known {
                    return false;
                }
            }
            if !news {
                return true;
            }
        }
    }
}

/// Returns the rank of a task for guessing. Convoys are first, because most other decisions depend
/// on convoys.
fn guess_rank(task: Task) -> u8 {
    match task {
        Task::Convoy { .. } => 0,
        Task::SupportHold { .. } | Task::SupportMove { .. } => 1,
        Task::Hold | Task::Move { .. } | Task::BeamUp | Task::Colonize { .. } => 2,
    }
}

fn reach(from: Id, depends_on: &[Vec<Id>]) -> Vec<Id> {
    let mut reached: Vec<Id> = Vec::new();
    let mut edge = vec![from];
    while let Some(id) = edge.pop() {
        for &next in &depends_on[usize::from(id)] {
            if !reached.contains(&next) {
                reached.push(next);
                edge.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
impl<'f> Resolver<'f> {
    /// Returns the solutions of the innermost cycle, as found by search and by trying all
    /// assignments. Returns `None` if there is no cycle.
    pub(super) fn search_and_enumerate(field: &'f Field<'f>) -> Option<[Vec<Vec<Truth>>; 2]> {
        let mut resolver = Self::new(field);
        let is_open = |id: &Id| resolver.truths[usize::from(*id)] == Open;
        let mut open: Vec<Id> = (0..field.actors.len() as Id).filter(is_open).collect();
        resolver.propagate(&mut open);
        if open.is_empty() {
            return None;
        }
        let cycle = resolver.innermost_cycle(&open);
        let (mut found, before) = (Vec::new(), resolver.truths.clone());
        resolver.search(&cycle, &mut found);
        assert!(resolver.truths == before, "the search leaves all decisions open");
        let outcomes = (0..1_u32 << cycle.len()).map(|bits| {
            let truth = |bit| Truth::from(bits >> bit & 1 == 1);
            (0..cycle.len()).map(truth).collect::<Vec<_>>()
        });
        let holds = |outcome: &Vec<Truth>| {
            for (&id, &truth) in cycle.iter().zip(outcome) {
                resolver.truths[usize::from(id)] = truth;
            }
            cycle.iter().zip(outcome).all(|(&id, &truth)| resolver.evaluate(id) == truth)
        };
        let all = outcomes.filter(holds).collect();
        Some([found, all])
    }
}
