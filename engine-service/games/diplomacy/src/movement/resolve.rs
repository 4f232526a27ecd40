//! The resolution of a movement phase (D4, 2, R7).
//!
//! Each order that can fail is one decision: does the move succeed, is the support given, is the
//! convoy kept up? What a decision hangs on is an equation over other decisions. First every
//! decision is taken that follows whatever the undecided ones will be. What is left hangs on
//! itself: of the innermost circle all solutions are looked for, and with none or several the rules
//! for circular movement and for paradoxes decide (4.A.2).

use super::field::{Field, Id, NOBODY};
use super::legality::Task;
use crate::board::{Province, Provinces};
use crate::convoy;

/// What is known of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Truth {
    /// Not yet.
    Open,
    /// It fails.
    No,
    /// It succeeds.
    Yes,
}

use Truth::{No, Open, Yes};

impl From<bool> for Truth {
    fn from(truth: bool) -> Self {
        if truth { Yes } else { No }
    }
}

impl Truth {
    /// The same by both ways, or open.
    fn agree(self, other: Self) -> Self {
        if self == other { self } else { Open }
    }
}

/// A strength between its least and its most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Strength {
    pub(super) least: u16,
    pub(super) most: u16,
}

impl Strength {
    const NONE: Self = Self { least: 0, most: 0 };

    /// Whether this is greater than the other one.
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

/// Every decision, as far as it is taken.
pub(crate) struct Resolver<'f> {
    field: &'f Field<'f>,
    truths: Vec<Truth>,
    /// What was open when it was asked for, while a circle is looked for.
    asked: Option<Vec<Id>>,
    stopped_by_paradox: Provinces,
}

/// Whether an order is one that can fail.
fn is_decision(task: Task, matched: bool) -> bool {
    match task {
        Task::Move { .. } | Task::BeamUp => true,
        Task::SupportHold { .. } | Task::SupportMove { .. } | Task::Convoy { .. } => matched,
        Task::Hold | Task::Colonize { .. } => false,
    }
}

/// The decisions of a resolved phase.
pub(crate) struct Decisions {
    truths: Vec<bool>,
    /// The fleets whose convoys the paradox rule stopped.
    pub(crate) stopped_by_paradox: Provinces,
}

impl Decisions {
    /// Whether the unit's move, support or convoy succeeds. Holding is no success.
    pub(crate) fn succeeds(&self, id: Id) -> bool {
        self.truths[usize::from(id)]
    }
}

/// Takes every decision.
pub(crate) fn resolve(field: &Field<'_>) -> Decisions {
    let mut resolver = Resolver::new(field);
    let mut open: Vec<Id> = (0..field.actors.len() as Id)
        .filter(|&id| resolver.truths[usize::from(id)] == Open)
        .collect();
    while !open.is_empty() {
        resolver.take_what_follows(&mut open);
        if !open.is_empty() {
            let circle = resolver.innermost_circle(&open);
            resolver.settle(&circle);
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

    /// The resolver of a phase that is resolved, to look strengths up.
    pub(super) fn resolved(field: &'f Field<'f>, decisions: &Decisions) -> Self {
        let truths = decisions.truths.iter().map(|&truth| truth.into()).collect();
        Self { field, truths, asked: None, stopped_by_paradox: decisions.stopped_by_paradox }
    }

    fn decisions(self) -> Decisions {
        let truths = self.truths.iter().map(|&truth| truth == Yes).collect();
        Decisions { truths, stopped_by_paradox: self.stopped_by_paradox }
    }

    /// Takes decisions until nothing more follows; leaves the open ones.
    fn take_what_follows(&mut self, open: &mut Vec<Id>) {
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

    /// What is known of a decision; remembers that it was asked for while it is open.
    fn truth(&mut self, id: Id) -> Truth {
        let truth = self.truths[usize::from(id)];
        if truth == Open
            && let Some(asked) = &mut self.asked
        {
            asked.push(id);
        }
        truth
    }

    /// The equation of a decision. One that stays open has asked for everything that it hangs on.
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

    /// MOVE: stronger than who is there, or comes the other way, and than everybody else who comes.
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

    /// MOVE, if the unit in the province leaves it, or does not.
    fn moves_if(&mut self, id: Id, to: Province, holder: Id, left: bool) -> Truth {
        let attack = self.attack(id, holder, left);
        let mut result = attack.exceeds(self.opposing(id, holder, left));
        for rival in self.field.comers(to).filter(|&rival| rival != id) {
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

    /// DEFEND of who comes the other way, or HOLD of the province.
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

    /// ATTACK: no help against the helper's own unit, and none at all against one's own power's.
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

    /// PREVENT: nothing without a path, or after a lost head-to-head battle.
    pub(super) fn prevent(&mut self, rival: Id, holder: Id, left: bool) -> Strength {
        let path = self.path(rival);
        let opponent = self.field.actor(rival).opponent;
        // Whoever meets the rival head-to-head stands in the province that both want.
        if path == No || opponent != NOBODY && opponent == holder && left {
            return Strength::NONE;
        }
        let strength = self.supported(rival);
        if path == Open { Strength { least: 0, ..strength } } else { strength }
    }

    /// 1 and all supports that are given.
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

    /// PATH: a move by convoy needs an unbroken chain of convoying fleets.
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

    /// R7: all beam-ups of an empire find room, or none does.
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

    /// SUPPORT: cut by an attack of another power, unless it comes from where the support is
    /// directed; then only if the supporter is dislodged.
    fn is_given(&mut self, id: Id, directed_into: Province) -> Truth {
        let field = self.field;
        let supporter = field.actor(id);
        let at = supporter.at.expect("supporters stand on the map");
        let mut given = Yes;
        for attacker in
            field.comers(at).filter(|&attacker| field.actor(attacker).owner != supporter.owner)
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

    /// CONVOY: kept up unless the fleet is dislodged.
    fn convoys(&mut self, id: Id) -> Truth {
        let field = self.field;
        let mut kept = Yes;
        for attacker in field.comers(field.actor(id).at.expect("convoying fleets are at sea")) {
            match self.truth(attacker) {
                Yes => return No,
                Open => kept = Open,
                No => {}
            }
        }
        kept
    }

    /// A circle of open decisions that hang on each other and on no other open one.
    fn innermost_circle(&mut self, open: &[Id]) -> Vec<Id> {
        let mut hangs_on = vec![Vec::new(); self.field.actors.len()];
        for &id in open {
            self.asked = Some(Vec::new());
            self.evaluate(id);
            hangs_on[usize::from(id)] = self.asked.take().unwrap_or_default();
        }
        let reached = open.iter().map(|&id| reach(id, &hangs_on));
        reached.min_by_key(Vec::len).expect("something is open")
    }

    /// Takes the decisions of a circle, or as many as a paradox needs.
    fn settle(&mut self, circle: &[Id]) {
        let mut solutions = Vec::new();
        self.search(circle, &mut solutions);
        if let [solution] = &solutions[..] {
            for (&id, &truth) in circle.iter().zip(solution) {
                self.truths[usize::from(id)] = truth;
            }
            return;
        }
        let task = |id: Id| &self.field.actor(id).task;
        if circle.iter().all(|&id| matches!(task(id), Task::Move { .. } | Task::BeamUp)) {
            return self.set(circle, Yes);
        }
        let convoys: Vec<Id> =
            circle.iter().copied().filter(|&id| matches!(task(id), Task::Convoy { .. })).collect();
        if convoys.is_empty() {
            // The rules leave no such circle; should there be one, nothing in it succeeds.
            return self.set(circle, No);
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

    /// Looks for assignments that satisfy every equation of a circle, until two are found. Leaves
    /// everything open.
    fn search(&mut self, circle: &[Id], solutions: &mut Vec<Vec<Truth>>) {
        let before: Vec<Truth> = circle.iter().map(|&id| self.truths[usize::from(id)]).collect();
        if self.follow_up(circle) {
            let guess = circle.iter().copied().filter(|&id| self.truths[usize::from(id)] == Open);
            match guess.min_by_key(|&id| guess_rank(self.field.actor(id).task)) {
                None => {
                    solutions.push(circle.iter().map(|&id| self.truths[usize::from(id)]).collect());
                }
                Some(id) => {
                    for truth in [Yes, No] {
                        if solutions.len() < 2 {
                            self.truths[usize::from(id)] = truth;
                            self.search(circle, solutions);
                        }
                    }
                }
            }
        }
        for (&id, truth) in circle.iter().zip(before) {
            self.truths[usize::from(id)] = truth;
        }
    }

    /// Takes what follows from a guess; says whether nothing contradicts it.
    fn follow_up(&mut self, circle: &[Id]) -> bool {
        loop {
            let mut news = false;
            for &id in circle {
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

/// Convoys are guessed first: most follows from them.
fn guess_rank(task: Task) -> u8 {
    match task {
        Task::Convoy { .. } => 0,
        Task::SupportHold { .. } | Task::SupportMove { .. } => 1,
        Task::Hold | Task::Move { .. } | Task::BeamUp | Task::Colonize { .. } => 2,
    }
}

/// All that a decision hangs on, through others too.
fn reach(from: Id, hangs_on: &[Vec<Id>]) -> Vec<Id> {
    let mut reached: Vec<Id> = Vec::new();
    let mut edge = vec![from];
    while let Some(id) = edge.pop() {
        for &next in &hangs_on[usize::from(id)] {
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
    /// The outcomes of the innermost circle of a phase, if it has one: those that the search finds,
    /// and all that satisfy every equation when each is tried.
    pub(super) fn search_both_ways(field: &'f Field<'f>) -> Option<[Vec<Vec<Truth>>; 2]> {
        let mut resolver = Self::new(field);
        let is_open = |id: &Id| resolver.truths[usize::from(*id)] == Open;
        let mut open: Vec<Id> = (0..field.actors.len() as Id).filter(is_open).collect();
        resolver.take_what_follows(&mut open);
        if open.is_empty() {
            return None;
        }
        let circle = resolver.innermost_circle(&open);
        let (mut found, before) = (Vec::new(), resolver.truths.clone());
        resolver.search(&circle, &mut found);
        assert!(resolver.truths == before, "the search leaves everything open");
        let outcomes = (0..1_u32 << circle.len()).map(|bits| {
            let truth = |bit| Truth::from(bits >> bit & 1 == 1);
            (0..circle.len()).map(truth).collect::<Vec<_>>()
        });
        let holds = |outcome: &Vec<Truth>| {
            for (&id, &truth) in circle.iter().zip(outcome) {
                resolver.truths[usize::from(id)] = truth;
            }
            circle.iter().zip(outcome).all(|(&id, &truth)| resolver.evaluate(id) == truth)
        };
        let all = outcomes.filter(holds).collect();
        Some([found, all])
    }
}
