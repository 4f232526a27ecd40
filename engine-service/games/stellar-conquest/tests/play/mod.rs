//! Random legal play, watched by every viewer.

mod crowded;
pub(crate) mod rough;
pub(crate) mod stages;

use heliopause_kernel::{Actor, Dice, Emitted, Game, Seat, Setup, Viewer, Why};
use heliopause_stellar_conquest::outer_space::{DecreePlan, DecreeSheet};
use heliopause_stellar_conquest::{
    Build, Choices, ColonyPlan, Event, Factories, Item, Marker, Options, Order, Outfit, Payment,
    Place, PlanetId, PostPlan, ProductionSheet, ShipNumber, Shot, Sortie, Spending, StandingOrders,
    StarId, StellarConquest, UnitId, Variant, View, Voyage, Watch, Withdrawal,
};

/// A small generator, so that play is decided by one seed.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub(crate) fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    pub(crate) fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// Some of these, in their order; at least one if there is any.
    pub(crate) fn some<T: Clone>(&mut self, items: &[T]) -> Vec<T> {
        let mut chosen: Vec<T> = items.iter().filter(|_| self.one_in(2)).cloned().collect();
        if chosen.is_empty() {
            chosen.extend(items.first().cloned());
        }
        chosen
    }
}

pub(crate) fn seed(number: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes
}

/// Options and a number of players.
pub(crate) fn setup(chance: &mut Chance) -> Setup<Options> {
    if chance.one_in(4) {
        let options = Options { variant: Variant::FateOfEmpire, ..Options::default() };
        return Setup { options, players: 1 };
    }
    if chance.one_in(3) {
        let options =
            Options { hidden_posts: chance.one_in(3), ..Options::of(Variant::OuterSpace) };
        return Setup { options, players: 2 + chance.below(3) };
    }
    let options = Options {
        variant: Variant::Conquest,
        hidden_posts: chance.one_in(3),
        private_battles: chance.one_in(2),
        bases_use_improved_weaponry: chance.one_in(2),
        attackable_shields: chance.one_in(2),
        armed_scouts: chance.one_in(2),
        fractional_growth: chance.one_in(2),
    };
    Setup { options, players: 2 + chance.below(3) }
}

pub(crate) fn viewers(game: &StellarConquest) -> Vec<Viewer> {
    let seats = Seat::first(game.table().seats()).map(Viewer::Seat);
    seats.chain([Viewer::Spectator, Viewer::GameMaster]).collect()
}

/// A game and everybody's view of it, each kept up to date by its own events.
pub(crate) struct Watched {
    pub(crate) game: StellarConquest,
    pub(crate) dice: Dice,
    views: Vec<(Viewer, View)>,
}

impl Watched {
    pub(crate) fn new(number: u64, setup: &Setup<Options>) -> Self {
        let mut dice = Dice::new(seed(number));
        let (game, told) = StellarConquest::new(setup, &mut dice).unwrap();
        for viewer in viewers(&game).into_iter().filter(|viewer| *viewer != Viewer::GameMaster) {
            let mut view = StellarConquest::view_before(setup.options, setup.players, viewer);
            told.to(viewer).for_each(|event| StellarConquest::update(&mut view, event));
            assert!(
                view == game.view(viewer),
                "{viewer:?} knows what they were told from the beginning"
            );
        }
        Self::of(game, dice)
    }

    /// A game from its beginning, or one in which everybody is near everybody.
    pub(crate) fn any(number: u64, chance: &mut Chance) -> Self {
        let setup = setup(chance);
        if chance.one_in(2) {
            return Self::new(number, &setup);
        }
        let (game, dice) = crowded::crowded(number, &setup, chance);
        Self::of(game, dice)
    }

    pub(crate) fn of(game: StellarConquest, dice: Dice) -> Self {
        let views = viewers(&game).into_iter().map(|viewer| (viewer, game.view(viewer))).collect();
        Self { game, dice, views }
    }

    pub(crate) fn view(&self, viewer: Viewer) -> &View {
        self.views.iter().find(|(other, _)| *other == viewer).map(|(_, view)| view).unwrap()
    }

    /// Folds what was told into the views, and compares them with the game's.
    fn follow(&mut self, told: &Emitted<Event>) {
        for (viewer, view) in &mut self.views {
            for event in told.to(*viewer) {
                StellarConquest::update(view, event);
            }
            assert!(
                *view == self.game.view(*viewer),
                "{viewer:?} was told {:?}",
                told.to(*viewer).collect::<Vec<_>>()
            );
        }
        let told: Vec<&Event> = told.iter().map(|told| &told.event).collect();
        assert_eq!(self.game.check(), Ok(()), "after {told:?}");
    }

    pub(crate) fn submit(&mut self, seat: Seat, order: Order) -> Emitted<Event> {
        let text = StellarConquest::notate(&order);
        assert_eq!(self.game.judge(Actor::Seat(seat), &order), Ok(()), "{seat}: {text}");
        let told = self.game.submit(Actor::Seat(seat), order, &mut self.dice).unwrap();
        self.follow(&told);
        told
    }

    pub(crate) fn close(&mut self) -> Emitted<Event> {
        let told = self.game.close(Why::Deadline, &mut self.dice);
        self.follow(&told);
        told
    }

    /// One random step: an order made of the choices of who owes a decision, or everything that is
    /// open closes.
    pub(crate) fn step(&mut self, chance: &mut Chance) -> Emitted<Event> {
        let owing: Vec<Seat> = self.game.pending().iter().map(|decision| decision.seat).collect();
        let simultaneous = self.game.pending().iter().any(|decision| decision.revisable);
        let seat = chance.pick(&owing);
        // Defaults bring the game on; else it would take hundreds of steps to the first production
        // turn.
        if chance.one_in(if simultaneous { 3 } else { 6 }) {
            return self.close();
        }
        match random_order(&self.game, seat, chance) {
            Some(order) => self.submit(seat, order),
            None => self.close(),
        }
    }
}

/// An order made of a seat's choices.
pub(crate) fn random_order(
    game: &StellarConquest,
    seat: Seat,
    chance: &mut Chance,
) -> Option<Order> {
    let mut choices = game.choices(seat);
    let mut orders: Vec<Order> = Vec::new();
    // What colonies do about passing ships can be ordered at any time; play that did so all the
    // time would never move.
    if !chance.one_in(8) {
        choices.listed.retain(|listed| !matches!(listed.order, Order::Watch { .. }));
    }
    if !choices.listed.is_empty() {
        orders.push(chance.pick(&choices.listed).order);
    }
    orders.extend(movement(&choices, chance));
    orders.extend(battle(&choices, chance));
    orders.extend(planets(&choices, chance));
    orders.extend(production(&choices, chance));
    orders.extend(politics(&choices, chance));
    (!orders.is_empty()).then(|| chance.pick(&orders))
}

fn movement(choices: &Choices, chance: &mut Chance) -> Vec<Order> {
    let mut orders = Vec::new();
    for voyage in choices.voyages.iter().filter(|voyage| !voyage.routes.is_empty()) {
        // Near destinations make ships meet.
        let route =
            (0..3).map(|_| chance.pick(&voyage.routes)).min_by_key(|route| route.turns).unwrap();
        // Out of command range they die (7.5); they may, but not all of them.
        let safe = route.safe.filter(|_| !chance.one_in(8)).unwrap_or(route.path.len());
        if safe == 0 {
            continue;
        }
        let mut length = 1 + chance.below(safe);
        // Space 7.1: ships pass through stars where they may not stop.
        while length > 0
            && length < route.path.len()
            && StarId::in_hex(route.path[length - 1]).is_some()
        {
            length -= 1;
        }
        if length == 0 {
            continue;
        }
        orders.push(Order::Move(Voyage {
            ships: chance.some(&voyage.ships),
            path: route.path[..length].to_vec(),
            destination: route.destination,
            avoiding: Vec::new(),
            round_clouds: route.round_clouds,
            accept_loss: route.safe.is_some_and(|safe| safe < length),
        }));
    }
    orders.extend(choices.posts.iter().map(|&star| Order::Post { star, up: true }));
    orders
}

fn battle(choices: &Choices, chance: &mut Chance) -> Vec<Order> {
    let mut orders = Vec::new();
    if !choices.aims.is_empty() {
        let shot = |(by, targets): &(UnitId, Vec<(UnitId, u8)>)| Shot {
            by: *by,
            at: chance.pick(targets).0,
        };
        orders.push(Order::Aim { shots: choices.aims.iter().map(shot).collect() });
    }
    if let Some(withdraw) = &choices.withdraw {
        let units =
            if withdraw.forced { withdraw.units.clone() } else { chance.some(&withdraw.units) };
        let half = units.len().div_ceil(1 + chance.below(2)).max(1);
        let group = |units: &[UnitId]| {
            let destination =
                (!withdraw.destinations.is_empty()).then(|| chance.pick(&withdraw.destinations));
            Withdrawal { units: units.to_vec(), destination }
        };
        orders.push(Order::Withdraw { groups: units.chunks(half).map(group).collect() });
    }
    if !choices.scuttle.is_empty() {
        let Factories { planet, count: most } = chance.pick(&choices.scuttle);
        orders.push(Order::Scuttle {
            factories: vec![Factories { planet, count: 1 + chance.below(most as usize) as u32 }],
        });
    }
    orders
}

fn planets(choices: &Choices, chance: &mut Chance) -> Vec<Order> {
    let mut orders = Vec::new();
    if !choices.raze.is_empty() {
        let (planet, most) = chance.pick(&choices.raze);
        orders.push(Order::Raze {
            factories: Factories { planet, count: 1 + chance.below(most as usize) as u32 },
        });
    }
    if !choices.kill.is_empty() {
        let (planet, most) = chance.pick(&choices.kill);
        orders.push(Order::Kill { planet, millions: 1 + chance.below(usize::from(most)) as u16 });
    }
    for landing in &choices.landings {
        let count =
            landing.fewest as usize + chance.below((landing.most - landing.fewest) as usize + 1);
        orders.push(Order::Land { ships: landing.ships[..count].to_vec(), planet: landing.planet });
    }
    orders
}

/// Raids, ships that must go on, decrees.
fn politics(choices: &Choices, chance: &mut Chance) -> Vec<Order> {
    let mut orders = Vec::new();
    for raid in &choices.raids {
        let count = 1 + chance.below(raid.ships.len());
        let target = chance.pick(&raid.targets);
        let (ships, rounds) = (raid.ships[..count].to_vec(), 1 + chance.below(2) as u8);
        orders.push(Order::Raid(Sortie { ships, target, rounds, path: Vec::new() }));
    }
    if let Some(places) = &choices.places {
        let destination =
            (!places.destinations.is_empty()).then(|| chance.pick(&places.destinations));
        orders.push(Order::Place { at: chance.pick(&places.places), destination });
    }
    if let Some(decree) = &choices.decree {
        let mut plans = Vec::new();
        for colony in &decree.colonies {
            if chance.one_in(2) {
                let budget =
                    colony.least + chance.below((colony.most - colony.least) as usize + 1) as u32;
                plans.push(DecreePlan {
                    planet: colony.planet,
                    budget: Some(budget),
                    weapons: Vec::new(),
                });
            }
        }
        let posts = (!decree.posts.is_empty() && chance.one_in(2))
            .then(|| PostPlan { stars: chance.some(&decree.posts) });
        orders.push(Order::Decree(DecreeSheet { plans, posts }));
    }
    orders
}

/// Each colony does one of the things that it can do.
fn production(choices: &Choices, chance: &mut Chance) -> Vec<Order> {
    let Some(production) = &choices.production else { return Vec::new() };
    let mut colonies = Vec::new();
    for colony in &production.colonies {
        let mut plan = ColonyPlan {
            planet: colony.planet,
            emigrants: 0,
            bonus: 0,
            evacuate: false,
            spending: Vec::new(),
        };
        match chance.below(4) {
            0 => plan.emigrants = chance.below(usize::from(colony.emigrants) + 1) as u16,
            1 if !colony.items.is_empty() => {
                let (item, most) = chance.pick(&colony.items);
                plan.spending
                    .push(Spending::Build { item, count: 1 + chance.below(most as usize) as u32 });
            }
            // One payment a sheet, so that two of them cannot exceed what is missing.
            2 if !production.research.is_empty() && colonies.is_empty() && colony.output > 0 => {
                let open = chance.pick(&production.research);
                let most = open.points.min(colony.output) as usize;
                plan.spending.push(Spending::Research(Payment {
                    tech: open.tech,
                    points: 1 + chance.below(most) as u32,
                }));
            }
            _ if colony.evacuate && chance.one_in(4) => plan.evacuate = true,
            _ => {}
        }
        colonies.push(plan);
    }
    vec![Order::Produce(ProductionSheet { colonies, posts: None, grant: Vec::new() })]
}

/// Plays to the end, or for so many steps.
pub(crate) fn play(number: u64, steps: usize, mut each: impl FnMut(&mut Watched, &mut Chance)) {
    let mut chance = Chance(number);
    let mut watched = Watched::any(number, &mut chance);
    for _ in 0..steps {
        if watched.game.outcome().is_some() {
            assert!(watched.game.pending().is_empty());
            return;
        }
        assert!(!watched.game.pending().is_empty());
        watched.step(&mut chance);
        each(&mut watched, &mut chance);
    }
}

/// Any order at all, mostly illegal ones.
#[expect(clippy::too_many_lines, reason = "one arm for each order")]
pub(crate) fn any_order(chance: &mut Chance) -> Order {
    let place = Place::of_index(chance.below(656)).unwrap();
    let star = StarId::of_index(chance.below(54)).unwrap();
    let planet = PlanetId { star, nth: chance.below(3) as u8 };
    let ship = |chance: &mut Chance| ShipNumber(1 + chance.below(50) as u32);
    let ships: Vec<ShipNumber> = (0..chance.below(4)).map(|_| ship(chance)).collect();
    let unit = |chance: &mut Chance| UnitId(chance.below(12) as u16);
    let units: Vec<UnitId> = (0..chance.below(4)).map(|_| unit(chance)).collect();
    let shots = units.iter().map(|&by| Shot { by, at: UnitId(chance.below(12) as u16) }).collect();
    let count = chance.below(40) as u32;
    let destination = chance.one_in(2).then_some(star);
    let voyage = Voyage {
        ships: ships.clone(),
        path: (0..chance.below(4)).map(|_| place).collect(),
        destination,
        avoiding: (0..chance.below(2)).map(|_| star).collect(),
        round_clouds: chance.one_in(2),
        accept_loss: chance.one_in(2),
    };
    let outfit = Outfit::Bonus {
        scouts: chance.below(9) as u32,
        corvettes: chance.below(4) as u32,
        research: Vec::new(),
    };
    let orders = [
        Order::Outfit(outfit),
        Order::Standing(StandingOrders {
            scouts_leave: chance.one_in(2),
            ..StandingOrders::default()
        }),
        Order::Watch { planet, watch: chance.pick(&[Watch::Never, Watch::Always, Watch::Ask]) },
        Order::Inspect { glimpse: count % 4, look: chance.one_in(2) },
        Order::Recall { ships: ships.clone() },
        Order::Move(voyage),
        Order::Form { ships: ships.clone(), marker: Marker::numbered(count % 17) },
        Order::Post { star, up: chance.one_in(2) },
        Order::EndMovement,
        Order::Fight { at: place },
        Order::Aim { shots },
        Order::Withdraw { groups: vec![Withdrawal { units, destination }; chance.below(3)] },
        Order::SendTo { at: place },
        Order::Attack { planets: vec![planet] },
        Order::BreakOff,
        Order::Scuttle { factories: vec![Factories { planet, count }] },
        Order::Raze { factories: Factories { planet, count } },
        Order::Kill { planet, millions: count as u16 },
        Order::Land { ships, planet },
        Order::EndTurn,
        Order::Produce(ProductionSheet {
            grant: Vec::new(),
            posts: Some(PostPlan { stars: vec![star] }),
            colonies: Vec::new(),
        }),
        Order::Raid(Sortie {
            ships: vec![ship(chance), ship(chance)],
            target: star,
            rounds: 1 + chance.below(2) as u8,
            path: (0..chance.below(3)).map(|_| place).collect(),
        }),
        Order::Place { at: place, destination },
        Order::Decree(DecreeSheet {
            plans: vec![DecreePlan {
                planet,
                budget: Some(count),
                weapons: vec![
                    Build { item: Item::Corvette, count: 1 },
                    Build { item: Item::Scout, count: 2 },
                ],
            }],
            posts: None,
        }),
    ];
    chance.pick(&orders)
}
