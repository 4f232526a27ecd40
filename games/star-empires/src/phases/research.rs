//! 6.5 research: salvaging, designing and giving classes.

use heliopause_kernel::{Seat, SeatSet};

use crate::class::{BadDesign, Design};
use crate::hull::Hull;
use crate::ids::{ClassId, Id, WorldId};
use crate::ledger::Orders;
use crate::name::Name;
use crate::news::What;
use crate::objects::Siege;
use crate::order::{Line, Phase};
use crate::reason::Reason;
use crate::report::Source;
use crate::section::Section;
use crate::update::Update;

impl Update<'_> {
    pub(crate) fn research(&mut self, orders: &Orders) {
        self.salvage_designs();
        self.create_designs(orders);
        self.give_designs(orders);
    }

    /// 6.5.1, notes 7.4, R37: lets the one empire with the most conquering guns at a wreck salvage
    /// its class, if the guns exceed three times the conquering damage points of the wreck's owner.
    fn salvage_designs(&mut self) {
        let section = Section::of("6.5.1");
        let galaxy = self.galaxy();
        let eligible = self.wrecks.iter().filter(|wreck| !wreck.self_destructed && !wreck.expended);
        let mut wrecks: Vec<_> = eligible
            .map(|wreck| galaxy.ship(wreck.ship))
            .map(|ship| (ship.at, ship.owner, ship.class))
            .collect();
        wrecks.sort_unstable();
        wrecks.dedup();
        let mut salvaged = Vec::new();
        for wrecks in wrecks.chunk_by(|one, other| one.0 == other.0) {
            let at = wrecks[0].0;
            let (mut guns, mut dp) = ([0_u64; Seat::MAX], [0_u64; Seat::MAX]);
            let there = self.index.in_sector(at).map(|id| galaxy.ship(id));
            for ship in there.filter(|ship| galaxy.is_conquering(ship)) {
                guns[ship.owner.index()] += u64::from(galaxy.guns(ship));
                dp[ship.owner.index()] += u64::from(ship.dp);
            }
            let most = guns.iter().copied().max().unwrap_or(0);
            let mut strongest = galaxy.seats().filter(|seat| guns[seat.index()] == most);
            let (Some(winner), None) = (strongest.next(), strongest.next()) else { continue };
            let beaten = wrecks.iter().filter(|(_, owner, _)| most > 3 * dp[owner.index()]);
            salvaged.extend(beaten.map(|&(_, _, class)| (at, winner, class)));
        }
        for (at, winner, class) in salvaged {
            self.learn_class(section, winner, class, Source::Salvaged, Some(at));
        }
    }

    /// Teaches an empire a class. Adds news only if the class is new to the empire.
    pub(crate) fn learn_class(
        &mut self,
        section: Section,
        seat: Seat,
        class: ClassId,
        source: Source,
        at: Option<crate::geometry::Sector>,
    ) {
        if self.game.galaxy.empire_mut(seat).classes.insert(class) {
            self.add_news(section, at, SeatSet::one(seat), What::Class { class, source });
        }
    }

    /// 6.5.2, R38: runs the DESIGN lines. The first registered empire gets a contested name.
    fn create_designs(&mut self, orders: &Orders) {
        let section = Section::from(Phase::Design);
        for (line, seat, it) in orders.of(Phase::Design) {
            let Line::Design { world, class, design } = it else { continue };
            match self.design(seat, *world, *class, *design) {
                Ok(id) => {
                    self.ledger.done(line);
                    self.learn_class(section, seat, id, Source::Designed, None);
                }
                Err((item, reason)) => self.ledger.failed(line, item, reason),
            }
        }
    }

    fn design(
        &mut self,
        seat: Seat,
        world: Name,
        name: Name,
        design: Design,
    ) -> Result<ClassId, (Name, Reason)> {
        let id = self.usable_world(seat, world).map_err(|reason| (world, reason))?;
        let class = design.class(name).map_err(|bad| match bad {
            BadDesign::Rating => (name, Reason::BadRating),
            BadDesign::TooBig => (name, Reason::TooBig),
        })?;
        if name.as_str().parse::<Hull>().is_ok() {
            return Err((name, Reason::BadName));
        }
        if self.names.class(name).is_some() {
            return Err((name, Reason::NameTaken));
        }
        if self.galaxy().classes.len() >= usize::from(u16::MAX) {
            return Err((name, Reason::TooManyClasses));
        }
        let stockpile = &mut self.game.galaxy.world_mut(id).stockpile;
        // R39: a missile design needs the world but costs no RU.
        *stockpile = stockpile.checked_sub(class.fee()).ok_or((world, Reason::NoFunds))?;
        Ok(self.add_class(class))
    }

    pub(crate) fn add_class(&mut self, class: crate::class::Class) -> ClassId {
        let id = ClassId::at(self.galaxy().classes.len());
        self.names.add_class(id, class.name);
        self.game.galaxy.classes.push(class);
        id
    }

    pub(crate) fn usable_world(&self, seat: Seat, name: Name) -> Result<WorldId, Reason> {
        let id = self.names.world(name).ok_or(Reason::Vanished)?;
        let world = self.galaxy().world(id);
        if world.owner != Some(seat) {
            Err(Reason::WorldNotOwned)
        } else if self.worlds[id.index()].taken {
            Err(Reason::JustTaken)
        } else if world.siege == Siege::Interdicted {
            Err(Reason::Interdicted)
        } else {
            Ok(id)
        }
    }

    /// 6.5.3, R77: runs the GIVE lines. Only classes known at the start of the phase can be given.
    fn give_designs(&mut self, orders: &Orders) {
        let section = Section::from(Phase::Give);
        let mut gifts: Vec<(Seat, Seat, ClassId)> = Vec::new();
        for (line, seat, it) in orders.of(Phase::Give) {
            let Line::Give { classes, to } = it else { continue };
            let recipients = self.contacts_among(line, seat, to);
            for &name in classes {
                let known = |&class: &ClassId| self.galaxy().empire(seat).classes.contains(class);
                let Some(class) = self.names.class(name).filter(known) else {
                    self.ledger.failed(line, name, Reason::UnknownClass);
                    continue;
                };
                for _ in &recipients {
                    self.ledger.done(line);
                }
                gifts.extend(recipients.iter().map(|&recipient| (seat, recipient, class)));
            }
        }
        for (from, to, class) in gifts {
            self.meet(section, to, from);
            self.learn_class(section, to, class, Source::Given(from), None);
        }
    }
}
