//! Checks of the lines of 6.5 to 6.8: designs, ships, RU and scans.

use super::LineCheck;
use crate::chart::WorldSeen;
use crate::class::{BadDesign, Design, STARBASE};
use crate::empire::Granted;
use crate::hull::Hull;
use crate::name::Name;
use crate::objects::Siege;
use crate::order::{Amount, Crews, Scans, Spot};
use crate::reason::Reason;

impl<'a> LineCheck<'a> {
    pub(super) fn check_private(&mut self, ships: &Crews) {
        for (name, index) in self.check_crews(ships) {
            if self.lookup.ships[index].public && !self.plan.private[index] {
                self.found.warn(name, Reason::TransponderPublic);
            }
        }
    }

    pub(super) fn require_world(&mut self, name: Name) -> Option<&'a WorldSeen> {
        let world = self.lookup.world(name);
        if world.is_none() {
            self.found.reject(name, Reason::UnknownName);
        }
        world
    }

    pub(super) fn require_own_world(&mut self, name: Name) -> Option<&'a WorldSeen> {
        let world = self.require_world(name)?;
        if world.owner == Some(self.lookup.seat) {
            return Some(world);
        }
        self.found.warn(name, Reason::WorldNotOwned);
        None
    }

    fn require_workshop(&mut self, name: Name) -> Option<&'a WorldSeen> {
        let world = self.require_own_world(name)?;
        if world.siege == Some(Siege::Interdicted) {
            self.found.warn(name, Reason::Interdicted);
        }
        Some(world)
    }

    pub(super) fn check_design(&mut self, world: Name, class: Name, design: Design) {
        let payer = self.require_workshop(world);
        if class.as_str().parse::<Hull>().is_ok() {
            self.found.reject(class, Reason::BadName);
        } else if self.lookup.has_seen_class(class) {
            self.found.reject(class, Reason::NameTaken);
        } else if self.plan.designed.contains(&class) {
            self.found.warn(class, Reason::NameTaken);
        }
        self.plan.designed.push(class);
        match design.class(class) {
            Err(BadDesign::Rating) => self.found.reject(class, Reason::BadRating),
            Err(BadDesign::TooBig) => self.found.reject(class, Reason::TooBig),
            Ok(made) => {
                if payer.is_some_and(|world| world.stockpile.unwrap_or(0) < made.fee()) {
                    self.found.warn(world, Reason::NoFunds);
                }
            }
        }
    }

    /// 6.6.1: checks a build. The class is contingent, because the empire may get it this turn.
    pub(super) fn check_build(&mut self, world: Name, count: Amount, class: Name) {
        let lookup = self.lookup;
        let builder = self.require_workshop(world);
        let made = lookup.class_named(class);
        if class == lookup.game.galaxy.class(STARBASE).name
            || made.is_some_and(|made| made.unbuildable)
        {
            return self.found.reject(class, Reason::NotBuildable);
        }
        let number = self.check_amount(count);
        let Some(made) = made else { return self.found.warn(class, Reason::UnknownClass) };
        let price = u64::from(made.cost) * u64::from(number);
        if builder.is_some_and(|world| u64::from(world.stockpile.unwrap_or(0)) < price) {
            self.found.warn(world, Reason::NoFunds);
        }
    }

    fn check_amount(&mut self, amount: Amount) -> u32 {
        match amount {
            Amount::Number(0) => {
                self.found.reject(Name::NONE, Reason::Syntax);
                1
            }
            Amount::Number(number) => number,
            Amount::Max => 1,
        }
    }

    /// 6.6.2: checks a repair. Warns about undamaged ships instead of rejecting the line, because
    /// earlier phases may damage them.
    pub(super) fn check_repair(&mut self, ship: Name, dp: Amount, worlds: &[Name]) {
        let lookup = self.lookup;
        self.check_amount(dp);
        let patient = lookup.ship(ship).map(|index| &lookup.ships[index]);
        match patient {
            None => self.found.reject(ship, lookup.no_ship(ship)),
            Some(patient) if patient.dp == lookup.class(patient).ratings.dp => {
                self.found.warn(ship, Reason::NoDamage);
            }
            Some(_) => {}
        }
        let at = patient.map(|patient| lookup.at(patient));
        let here = at
            .and_then(|at| lookup.chart.world_at(at))
            .filter(|world| world.owner == Some(lookup.seat));
        if here.is_some_and(|world| world.siege == Some(Siege::Interdicted)) {
            self.found.warn(ship, Reason::SectorInterdicted);
        }
        for &name in worlds {
            let Some(world) = self.require_workshop(name) else { continue };
            if world.siege == Some(Siege::Blockaded) && Some(world.at) != at {
                self.found.warn(name, Reason::Blockaded);
            } else if world.stockpile == Some(0) {
                self.found.warn(name, Reason::NoFunds);
            }
        }
        self.require_some(worlds);
    }

    /// Warns about classes that the empire does not know now. The empire may know them when the
    /// line runs.
    pub(super) fn warn_classes(&mut self, classes: &[Name]) {
        for &name in classes {
            if self.lookup.class_named(name).is_none() {
                self.found.warn(name, Reason::UnknownClass);
            }
        }
    }

    /// 6.6.3 to 6.6.5: returns the named ships, without handles that a BUILD line may give.
    pub(super) fn check_crews(&mut self, crews: &Crews) -> Vec<(Name, usize)> {
        let Crews::Some { ships, classes } = crews else { return Vec::new() };
        self.warn_classes(classes);
        if ships.is_empty() && classes.is_empty() {
            self.found.reject(Name::NONE, Reason::Syntax);
        }
        self.contingent_ships(ships)
    }

    /// Notes 4.1: warns about handles that a BUILD line may give. Returns the other named ships.
    fn contingent_ships(&mut self, names: &[Name]) -> Vec<(Name, usize)> {
        let lookup = self.lookup;
        let mut ships = Vec::with_capacity(names.len());
        for &name in names {
            match lookup.ship(name) {
                _ if self.plan.may_name_new_ship(name) => {
                    self.found.warn(name, Reason::UnknownName);
                }
                Some(index) => ships.push((name, index)),
                None => self.found.reject(name, lookup.no_ship(name)),
            }
        }
        ships
    }

    pub(super) fn check_transfer(
        &mut self,
        from: Name,
        amount: Amount,
        to: Name,
        recipient: Option<Name>,
    ) {
        let lookup = self.lookup;
        self.check_amount(amount);
        let origin = self.require_own_world(from);
        if origin.is_some_and(|world| world.siege.is_some_and(|siege| siege != Siege::None)) {
            self.found.warn(from, Reason::Blockaded);
        }
        if from == to {
            self.found.reject(to, Reason::SameWorld);
        }
        let whose = match recipient.map(|name| (name, lookup.empire_named(name))) {
            None => Some(lookup.seat),
            Some((_, Some(seat))) if seat == lookup.seat => Some(seat),
            Some((name, _)) => self.contacts(&[name]).first().map(|&(_, seat)| seat),
        };
        if let Some(world) = self.require_world(to)
            && whose.is_some()
            && world.owner != whose
        {
            self.found.warn(to, Reason::RecipientNotOwner);
        }
    }

    pub(super) fn check_deny(&mut self, scans: &Scans, to: &[Name]) {
        self.check_scans(scans, false);
        for (name, seat) in self.contacts(to) {
            match self.lookup.empire.grant(seat) {
                None => self.found.warn(name, Reason::NoGrant),
                Some(Granted::All) if *scans != Scans::All => {
                    self.found.warn(name, Reason::AllAccess);
                }
                Some(_) => {}
            }
        }
    }

    /// 6.8.1, 6.8.2: checks scans. A grant is `contingent`: it may name ships built this turn.
    pub(super) fn check_scans(&mut self, scans: &Scans, contingent: bool) {
        match scans {
            Scans::All => {}
            Scans::Places(places) => {
                for place in places {
                    if let (Spot::Object(name), None) = (*place, self.lookup.spot(*place)) {
                        self.found.reject(name, Reason::UnknownName);
                    }
                }
                self.require_some(places);
            }
            Scans::Classes(classes) => {
                self.warn_classes(classes);
                self.require_some(classes);
            }
            Scans::Ships(ships) => {
                let check = if contingent { Self::contingent_ships } else { Self::own_ships };
                check(self, ships);
                self.require_some(ships);
            }
        }
    }
}
