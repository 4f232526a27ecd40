//! Checks of the lines of 6.5 to 6.8: designs, ships, RU and scans.

use super::Finding;
use super::lookup::EmpireLookup;
use super::plan::Plan;
use crate::chart::WorldSeen;
use crate::class::{BadDesign, Design, STARBASE};
use crate::empire::Granted;
use crate::hull::Hull;
use crate::name::Name;
use crate::objects::Siege;
use crate::order::{Amount, Crews, Scans, Spot};
use crate::reason::Reason;

impl EmpireLookup<'_> {
    pub(super) fn check_give(&self, found: &mut Finding, classes: &[Name], to: &[Name]) {
        self.contacts(found, to);
        self.warn_classes(found, classes);
        if classes.is_empty() {
            found.reject(Name::NONE, Reason::Syntax);
        }
    }

    pub(super) fn check_conceal(
        &self,
        found: &mut Finding,
        plan: &Plan,
        ships: &Crews,
        from: &[Name],
    ) {
        self.others(found, from);
        self.check_private(found, plan, ships);
    }

    pub(super) fn check_identify(
        &self,
        found: &mut Finding,
        plan: &Plan,
        ships: &Crews,
        to: &[Name],
    ) {
        self.contacts(found, to);
        self.check_private(found, plan, ships);
    }

    fn check_private(&self, found: &mut Finding, plan: &Plan, ships: &Crews) {
        for (name, index) in self.check_crews(found, plan, ships) {
            if self.ships[index].public && !plan.private[index] {
                found.warn(name, Reason::TransponderPublic);
            }
        }
    }

    pub(super) fn check_pool(&self, found: &mut Finding, world: Name, except: &[Name]) {
        for &name in except {
            self.require_world(found, name);
        }
        self.require_own_world(found, world);
    }

    pub(super) fn check_authorize(
        &self,
        found: &mut Finding,
        plan: &Plan,
        scans: &Scans,
        to: &[Name],
    ) {
        self.contacts(found, to);
        self.check_scans(found, plan, scans, true);
    }

    fn require_world(&self, found: &mut Finding, name: Name) -> Option<&WorldSeen> {
        let world = self.world(name);
        if world.is_none() {
            found.reject(name, Reason::UnknownName);
        }
        world
    }

    fn require_own_world(&self, found: &mut Finding, name: Name) -> Option<&WorldSeen> {
        let world = self.require_world(found, name)?;
        if world.owner == Some(self.seat) {
            return Some(world);
        }
        found.warn(name, Reason::WorldNotOwned);
        None
    }

    fn require_workshop(&self, found: &mut Finding, name: Name) -> Option<&WorldSeen> {
        let world = self.require_own_world(found, name)?;
        if world.siege == Some(Siege::Interdicted) {
            found.warn(name, Reason::Interdicted);
        }
        Some(world)
    }

    pub(super) fn check_design(
        &self,
        found: &mut Finding,
        plan: &mut Plan,
        world: Name,
        class: Name,
        design: Design,
    ) {
        let payer = self.require_workshop(found, world);
        if class.as_str().parse::<Hull>().is_ok() {
            found.reject(class, Reason::BadName);
        } else if self.has_seen_class(class) {
            found.reject(class, Reason::NameTaken);
        } else if plan.designed.contains(&class) {
            found.warn(class, Reason::NameTaken);
        }
        plan.designed.push(class);
        match design.class(class) {
            Err(BadDesign::Rating) => found.reject(class, Reason::BadRating),
            Err(BadDesign::TooBig) => found.reject(class, Reason::TooBig),
            Ok(made) => {
                if payer.is_some_and(|world| world.stockpile.unwrap_or(0) < made.fee()) {
                    found.warn(world, Reason::NoFunds);
                }
            }
        }
    }

    /// 6.6.1: checks a build. The class is contingent, because the empire may get it this turn.
    pub(super) fn check_build(&self, found: &mut Finding, world: Name, count: Amount, class: Name) {
        let builder = self.require_workshop(found, world);
        let made = self.class_named(class);
        if class == self.game.galaxy.class(STARBASE).name
            || made.is_some_and(|made| made.unbuildable)
        {
            return found.reject(class, Reason::NotBuildable);
        }
        let number = Self::check_amount(found, count);
        let Some(made) = made else { return found.warn(class, Reason::UnknownClass) };
        let price = u64::from(made.cost) * u64::from(number);
        if builder.is_some_and(|world| u64::from(world.stockpile.unwrap_or(0)) < price) {
            found.warn(world, Reason::NoFunds);
        }
    }

    fn check_amount(found: &mut Finding, amount: Amount) -> u32 {
        match amount {
            Amount::Number(0) => {
                found.reject(Name::NONE, Reason::Syntax);
                1
            }
            Amount::Number(number) => number,
            Amount::Max => 1,
        }
    }

    /// 6.6.2: checks a repair. Warns about undamaged ships instead of rejecting the line, because
    /// earlier phases may damage them.
    pub(super) fn check_repair(
        &self,
        found: &mut Finding,
        ship: Name,
        dp: Amount,
        worlds: &[Name],
    ) {
        Self::check_amount(found, dp);
        let patient = self.ship(ship).map(|index| &self.ships[index]);
        match patient {
            None => found.reject(ship, self.no_ship(ship)),
            Some(patient) if patient.dp == self.class(patient).ratings.dp => {
                found.warn(ship, Reason::NoDamage);
            }
            Some(_) => {}
        }
        let at = patient.map(|patient| self.at(patient));
        let here = at
            .and_then(|at| self.chart.world_at(at))
            .filter(|world| world.owner == Some(self.seat));
        if here.is_some_and(|world| world.siege == Some(Siege::Interdicted)) {
            found.warn(ship, Reason::SectorInterdicted);
        }
        for &name in worlds {
            let Some(world) = self.require_workshop(found, name) else { continue };
            if world.siege == Some(Siege::Blockaded) && Some(world.at) != at {
                found.warn(name, Reason::Blockaded);
            } else if world.stockpile == Some(0) {
                found.warn(name, Reason::NoFunds);
            }
        }
        if worlds.is_empty() {
            found.reject(Name::NONE, Reason::Syntax);
        }
    }

    /// Warns about classes that the empire does not know now. The empire may know them when the
    /// line runs.
    fn warn_classes(&self, found: &mut Finding, classes: &[Name]) {
        for &name in classes {
            if self.class_named(name).is_none() {
                found.warn(name, Reason::UnknownClass);
            }
        }
    }

    /// 6.6.3 to 6.6.5: returns the named ships, without handles that a BUILD line may give.
    pub(super) fn check_crews(
        &self,
        found: &mut Finding,
        plan: &Plan,
        crews: &Crews,
    ) -> Vec<(Name, usize)> {
        let Crews::Some { ships, classes } = crews else { return Vec::new() };
        self.warn_classes(found, classes);
        if ships.is_empty() && classes.is_empty() {
            found.reject(Name::NONE, Reason::Syntax);
        }
        self.contingent_ships(found, plan, ships)
    }

    /// Notes 4.1: warns about handles that a BUILD line may give. Returns the other named ships.
    fn contingent_ships(
        &self,
        found: &mut Finding,
        plan: &Plan,
        names: &[Name],
    ) -> Vec<(Name, usize)> {
        let mut ships = Vec::with_capacity(names.len());
        for &name in names {
            match self.ship(name) {
                _ if plan.may_name_new_ship(name) => found.warn(name, Reason::UnknownName),
                Some(index) => ships.push((name, index)),
                None => found.reject(name, self.no_ship(name)),
            }
        }
        ships
    }

    pub(super) fn check_transfer(
        &self,
        found: &mut Finding,
        from: Name,
        amount: Amount,
        to: Name,
        recipient: Option<Name>,
    ) {
        Self::check_amount(found, amount);
        let origin = self.require_own_world(found, from);
        if origin.is_some_and(|world| world.siege.is_some_and(|siege| siege != Siege::None)) {
            found.warn(from, Reason::Blockaded);
        }
        if from == to {
            found.reject(to, Reason::SameWorld);
        }
        let whose = match recipient.map(|name| (name, self.empire_named(name))) {
            None => Some(self.seat),
            Some((_, Some(seat))) if seat == self.seat => Some(seat),
            Some((name, _)) => self.contacts(found, &[name]).first().map(|&(_, seat)| seat),
        };
        if let Some(world) = self.require_world(found, to)
            && whose.is_some()
            && world.owner != whose
        {
            found.warn(to, Reason::RecipientNotOwner);
        }
    }

    pub(super) fn check_deny(&self, found: &mut Finding, plan: &Plan, scans: &Scans, to: &[Name]) {
        self.check_scans(found, plan, scans, false);
        for (name, seat) in self.contacts(found, to) {
            match self.empire.grant(seat) {
                None => found.warn(name, Reason::NoGrant),
                Some(Granted::All) if *scans != Scans::All => found.warn(name, Reason::AllAccess),
                Some(_) => {}
            }
        }
    }

    /// 6.8.1, 6.8.2: checks scans. A grant is `contingent`: it may name ships built this turn.
    fn check_scans(&self, found: &mut Finding, plan: &Plan, scans: &Scans, contingent: bool) {
        match scans {
            Scans::All => {}
            Scans::Places(places) => {
                for place in places {
                    if let (Spot::Object(name), None) = (*place, self.spot(*place)) {
                        found.reject(name, Reason::UnknownName);
                    }
                }
            }
            Scans::Classes(classes) => self.warn_classes(found, classes),
            Scans::Ships(ships) if contingent => {
                self.contingent_ships(found, plan, ships);
            }
            Scans::Ships(ships) => {
                self.own_ships(found, ships);
            }
        }
        let empty = match scans {
            Scans::All => false,
            Scans::Places(places) => places.is_empty(),
            Scans::Classes(names) | Scans::Ships(names) => names.is_empty(),
        };
        if empty {
            found.reject(Name::NONE, Reason::Syntax);
        }
    }
}
