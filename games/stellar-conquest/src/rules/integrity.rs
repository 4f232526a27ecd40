//! Consistency checks of a state, run after every step in tests and on every position that is read.

use heliopause_kernel::{Malformed, Seat};

use crate::state::{
    Battle, Campaign, CampaignStage, Colony, Post, Power, Sheet, Ship, Stage, StellarConquest,
    Subject, TURNS, Table, Variant, View,
};
use crate::tables::{Arm, CardId, Place, PlanetId, StarColor, StarId};

pub(crate) type Check = Result<(), Malformed>;

pub(crate) fn require(holds: bool, field: &str, message: &str) -> Check {
    if holds { Ok(()) } else { Err(Malformed::field(field.to_owned(), message)) }
}

fn at_most(value: u32, most: u32, field: &str) -> Check {
    if value <= most {
        return Ok(());
    }
    Err(Malformed::field(field.to_owned(), format!("{value} is too high; the maximum is {most}")))
}

fn as_many(found: usize, expected: usize, field: &str, what: &str) -> Check {
    if found == expected {
        return Ok(());
    }
    Err(Malformed::field(field.to_owned(), format!("expected {expected} {what}, found {found}")))
}

/// Returns whether a list is sorted without duplicates.
fn rises<T: Ord>(items: impl IntoIterator<Item = T>) -> bool {
    items.into_iter().is_sorted_by(|one, next| one < next)
}

/// Limit on factories, bases, grants and debts, so that sums cannot overflow.
const COLONY_MAX: u32 = 1_000_000;

/// Limit on the millions of people in a colony and on its `founded` number, so that sums cannot
/// overflow.
const PEOPLE_MAX: u16 = 10_000;

/// Limit on ship numbers, so that sums cannot overflow. No game builds so many ships.
const NUMBER_MAX: u32 = 1 << 30;

fn there(seats: usize, named: impl IntoIterator<Item = Seat>, field: &str) -> Check {
    match named.into_iter().find(|seat| seat.index() >= seats) {
        None => Ok(()),
        Some(seat) => {
            let text = format!("expected seats from 1 to {seats}, found {}", seat.number());
            Err(Malformed::field(field.to_owned(), text))
        }
    }
}

impl View {
    pub(crate) fn check_seats(&self) -> Check {
        self.table.check_seats()?;
        self.power().map_or(Ok(()), |power| power.check_seats(self.table.seats()))
    }
}

impl Table {
    fn check_seats(&self) -> Check {
        let seats = self.seats();
        there(seats, self.posts.iter().map(|post| post.seat), "table.posts")?;
        there(seats, self.shown.iter().map(|post| post.seat), "table.shown")?;
        there(
            seats,
            self.ending.iter().flat_map(|ending| ending.winners.iter()),
            "table.ending.winners",
        )?;
        if let Some(battle) = &self.battle {
            let pursuers = battle.pursuits.iter().map(|pursuit| pursuit.seat);
            let named = battle.participants().union(battle.waits_for()).iter().chain(pursuers);
            there(seats, named, "table.battle")?;
        }
        let claims = self
            .campaign
            .politics()
            .into_iter()
            .flat_map(|politics| politics.claims.iter().flatten());
        there(seats, claims.copied(), "table.politics.claims")
    }
}

impl Power {
    fn check_seats(&self, seats: usize) -> Check {
        let charts = self.charts.iter().flat_map(|chart| chart.colonies.iter().flatten());
        let seen = charts.flat_map(|seen| seen.conqueror.into_iter().chain([seen.owner]));
        let ships =
            self.sightings.iter().map(|seen| seen.of).chain(self.glimpses.iter().map(|one| one.of));
        let captives = self.ships.iter().filter_map(|ship| ship.load()?.captives_of);
        let prizes = self.conquered_colonies.iter();
        let colonies = self.colonies.iter().chain(prizes.clone().map(|prize| &prize.colony));
        let held = colonies.filter_map(Colony::conqueror).chain(prizes.map(|prize| prize.owner));
        there(seats, seen.chain(ships).chain(captives).chain(held), "powers")
    }
}

impl StellarConquest {
    /// Checks all invariants of a state. Errors name the field of the position.
    pub(crate) fn integrity(&self) -> Check {
        self.table.options.validate()?;
        let seats = self.table.seats();
        as_many(self.truth.powers.len(), seats, "powers", "powers")?;
        as_many(self.decided.len(), seats, "decided", "numbers")?;
        self.table.check_seats()?;
        self.check_table()?;
        self.check_cards()?;
        for seat in Seat::first(self.table.seats()) {
            self.check_power(seat).map_err(|fault| {
                let field = format!("powers[{}].{}", seat.index(), fault.field);
                Malformed::field(field, fault.message)
            })?;
        }
        self.check_planets()?;
        self.check_campaign()?;
        self.check_seats()?;
        self.check_battle()
    }

    fn check_table(&self) -> Check {
        let table = &self.table;
        let allowed = table.options.players();
        if !allowed.contains(&table.players) {
            let (least, most) = (allowed.start(), allowed.end());
            let text = format!("expected {least} to {most} players, found {}", table.players);
            return Err(Malformed::field("table.players", text));
        }
        let automata = crate::state::campaign::automata(table.options.variant).len();
        as_many(table.seats(), table.players + automata, "table.groups", "lists")?;
        at_most(u32::from(table.turn), u32::from(TURNS), "table.turn")?;
        let mut order = table.order.clone();
        order.sort_unstable();
        let text = "expected every player exactly once";
        require(order.into_iter().eq(table.player_seats()), "table.order", text)?;
        there(table.players, [table.active], "table.active")?;
        as_many(table.entries.len(), table.players, "table.entries", "hexes")?;
        let before = matches!(table.stage, Stage::Setup) == (table.turn == 0);
        require(before, "table.stage", "expected the setup stage in turn 0, and only there")?;
        let over = table.ending.is_some() == table.is_over();
        require(over, "table.ending", "expected if and only if the game is over")?;
        if let Some(ending) = &table.ending {
            as_many(ending.points.len(), table.players, "table.ending.points", "numbers")?;
        }
        let fights =
            table.stage != Stage::Combat || !self.seat_view(table.active).battle_hexes().is_empty();
        require(fights, "table.stage", "the combat stage requires a hex with enemies")?;
        let variant = matches!(
            (&table.campaign, table.options.variant),
            (Campaign::Conquest, Variant::Conquest)
                | (Campaign::Fate(_), Variant::FateOfEmpire)
                | (Campaign::OuterSpace(_), Variant::OuterSpace)
        );
        let text = "the state of the campaign does not belong to this variant";
        require(variant, "table.fate", text)?;
        self.check_posts()
    }

    fn check_posts(&self) -> Check {
        let table = &self.table;
        let name = "table.posts";
        require(rises(&table.posts), name, "expected sorted entries without duplicates")?;
        require(rises(&table.shown), "table.shown", "expected sorted entries without duplicates")?;
        let stands = |post: &Post| {
            self.truth
                .powers
                .get(post.seat.index())
                .is_some_and(|power| power.can_have_post(post.star))
        };
        match table.posts.iter().find(|post| !stands(post)) {
            Some(post) => {
                let text = format!("the post at {} needs a free colony of its owner", post.star);
                Err(Malformed::field(name, text))
            }
            None => Ok(()),
        }
    }

    /// Requires every card to be in its deck or assigned to one star of its color.
    fn check_cards(&self) -> Check {
        let secrets = &self.truth.secrets;
        let name = "secrets";
        for color in StarColor::ALL {
            let drawn = StarId::ALL
                .into_iter()
                .filter_map(|star| secrets.cards[star.index()].map(|card| (star, card)));
            let drawn = drawn.filter(|(star, _)| star.color() == color).map(|(_, card)| card);
            let mut cards: Vec<CardId> =
                secrets.decks[color as usize].iter().copied().chain(drawn).collect();
            cards.sort_unstable();
            let text = format!("each {color} card must be in its deck or at one {color} star");
            require(cards.into_iter().eq(CardId::deck(color)), name, &text)?;
        }
        let known = self.truth.powers.iter().all(|power| {
            StarId::ALL.into_iter().all(|star| {
                let card = power.chart(star).card;
                card.is_none() || card == secrets.cards[star.index()]
            })
        });
        require(known, name, "a player's chart shows a card that is not at the star")
    }

    fn check_power(&self, seat: Seat) -> Check {
        let power = self.power(seat);
        let ships = "ships";
        let text = "expected ascending numbers without duplicates";
        require(rises(power.ships.iter().map(|ship| ship.number)), ships, text)?;
        if let Some(last) = power.ships.last().filter(|ship| ship.number >= power.next_ship) {
            let text =
                format!("expected a number above {}, found {}", last.number, power.next_ship);
            return Err(Malformed::field("next_ship", text));
        }
        for ship in &power.ships {
            check_ship(ship).map_err(|fault| {
                Malformed::field(fault.field, format!("ship {}: {}", ship.number, fault.message))
            })?;
        }
        let shown =
            Place::all().all(|at| self.table.groups[seat.index()].at(at) == power.groups_at(at));
        require(shown, "groups", "the groups on the table do not match the ships")?;
        at_most(power.next_ship.0, NUMBER_MAX, "next_ship")?;
        let entered =
            seat.index() < self.table.players || power.ships.iter().all(|ship| ship.at.is_some());
        require(entered, ships, "only players' ships can be off the board")?;
        at_most(power.grant, COLONY_MAX, "grant")?;
        check_markers(power)?;
        self.check_sheet(seat)?;
        let colonies = power.colonies.iter().map(|colony| colony.planet);
        require(rises(colonies), "colonies", "expected ascending planets without duplicates")?;
        for colony in &power.colonies {
            self.check_colony(seat, colony).map_err(|fault| {
                let text = format!("{}: {}", colony.planet, fault.message);
                Malformed::field(fault.field, text)
            })?;
        }
        self.check_prizes(seat)
    }

    /// Requires a legal sheet, because sheets are carried out without being judged again.
    fn check_sheet(&self, seat: Seat) -> Check {
        let (seat_view, stage) = (self.seat_view(seat), self.table.stage);
        let accepted = match &self.power(seat).sheet {
            Sheet::None => true,
            Sheet::Outfit(outfit) => {
                stage == Stage::Setup && seat_view.judge_outfit(outfit).is_ok()
            }
            Sheet::Production(sheet) => {
                stage == Stage::Production && seat_view.judge_production(sheet).is_ok()
            }
            Sheet::Decree(sheet) => {
                stage == Stage::Production && seat_view.judge_decree(sheet).is_ok()
            }
        };
        require(accepted, "sheet", "this sheet is not legal in this stage")
    }

    fn check_colony(&self, seat: Seat, colony: &Colony) -> Check {
        let name = "colonies";
        let card = self.truth.secrets.cards[colony.planet.star.index()];
        let world = card.and_then(|card| colony.planet.on(card));
        let text = "a colony must be on a planet of a drawn card";
        require(world == Some(&colony.world), name, text)?;
        require(colony.population > 0, name, "a colony must have people")?;
        let counts = [colony.factories, colony.bases.missile, colony.bases.advanced];
        let text = "factories and bases can be at most 1000000";
        require(counts.iter().all(|&count| count <= COLONY_MAX), name, text)?;
        let people = [colony.population, colony.subjects, colony.grown, colony.founded];
        let text = "a colony can have at most 10000M people";
        require(people.iter().all(|&count| count <= PEOPLE_MAX), name, text)?;
        let production = self.table.stage == Stage::Production;
        let text = "growth is possible only in production turns";
        require(colony.grown == 0 || production, name, text)?;
        let dominion = self.table.campaign.fate().is_some() || !colony.is_dominion();
        require(dominion, name, "only The Fate of Empire has dominions")?;
        let conqueror =
            colony.conqueror().is_none_or(|by| by != seat && by.index() < self.table.players);
        require(conqueror, name, "the conqueror must be another player")
    }

    fn check_prizes(&self, seat: Seat) -> Check {
        let mut held: Vec<(PlanetId, Seat, &Colony)> = Vec::new();
        for owner in Seat::first(self.table.seats()) {
            let colonies =
                self.power(owner).colonies.iter().filter(|colony| colony.conqueror() == Some(seat));
            held.extend(colonies.map(|colony| (colony.planet, owner, colony)));
        }
        held.sort_unstable();
        let prizes = self
            .power(seat)
            .conquered_colonies
            .iter()
            .map(|prize| (prize.colony.planet, prize.owner, &prize.colony));
        let text = "expected the colonies that the seat has conquered";
        require(prizes.eq(held), "conquered_colonies", text)
    }

    fn check_planets(&self) -> Check {
        let colonies = self.truth.powers.iter().flat_map(|power| &power.colonies);
        let mut planets: Vec<PlanetId> = colonies.map(|colony| colony.planet).collect();
        planets.sort_unstable();
        match planets.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                let text = format!("{} has more than one colony", pair[0]);
                Err(Malformed::field("powers", text))
            }
            None => Ok(()),
        }
    }

    fn check_campaign(&self) -> Check {
        let table = &self.table;
        let asked = !matches!(table.stage, Stage::Campaign(CampaignStage::Recall { .. }));
        let text = "this stage exists only in The Fate of Empire";
        require(asked || table.campaign.fate().is_some(), "table.stage", text)?;
        let placed = !matches!(table.stage, Stage::Campaign(CampaignStage::Place { .. }));
        let text = "this stage exists only in Alone in Outer Space";
        require(placed || table.campaign.politics().is_some(), "table.stage", text)?;
        if let Some(politics) = table.campaign.politics() {
            return self.check_politics(politics);
        }
        let Some(fate) = table.campaign.fate() else { return Ok(()) };
        at_most(fate.debt, COLONY_MAX, "table.fate.debt_half_points")
    }

    fn check_seats(&self) -> Check {
        let seats = self.table.seats();
        let kept = self.truth.secrets.kept.iter().flat_map(|kept| [kept.seat, kept.sighting.of]);
        there(seats, kept, "secrets.glimpses")?;
        self.truth.powers.iter().try_for_each(|power| power.check_seats(seats))
    }

    fn check_battle(&self) -> Check {
        let name = "table.battle";
        let Some(battle) = &self.table.battle else {
            let text = "missing; the battle stage requires it";
            require(self.table.stage != Stage::Battle, name, text)?;
            let engaged = self.truth.powers.iter().position(|power| !power.engaged.is_empty());
            let field = format!("powers[{}].engaged", engaged.unwrap_or_default());
            return require(engaged.is_none(), &field, "ships can be engaged only in a battle");
        };
        let text = "a battle is allowed only in the battle stage";
        require(self.table.stage == Stage::Battle, name, text)?;
        let text = format!("a battle must be in a star hex; {} has no star", battle.at);
        require(StarId::in_hex(battle.at).is_some(), name, &text)?;
        let all = battle
            .shots
            .iter()
            .flat_map(|shot| [shot.by, shot.at])
            .chain(battle.leaving.iter().copied());
        if let Some(unit) = all.into_iter().find(|&unit| battle.unit(unit).is_none()) {
            let text = format!("unit {} of a shot or withdrawal does not exist", unit.0);
            return Err(Malformed::field(name, text));
        }
        require(!battle.waits_for().is_empty(), name, "a battle must have a pending decision")?;
        let bases = matches!(battle.subject, Subject::Colonies { .. })
            || battle.units.iter().all(|unit| unit.planet.is_none());
        require(bases, name, "bases can fight only in attacks on colonies")?;
        let shields = battle
            .units
            .iter()
            .filter(|unit| unit.arm == Arm::Shield)
            .filter_map(|unit| unit.planet);
        let shown = shields.eq(battle.shields.iter().map(|shield| shield.planet));
        require(shown, "table.battle.shields", "expected one entry for each shield in the battle")?;
        let standing = battle
            .shields
            .iter()
            .all(|shield| shield.damage < 4 || shield.destroyed_in_round.is_some());
        let text = "a shield with 4 damage points must be destroyed";
        require(standing, "table.battle.shields", text)?;
        self.check_bases(battle)?;
        Seat::first(self.table.seats()).try_for_each(|seat| self.check_engaged(seat, battle))
    }

    fn check_bases(&self, battle: &Battle) -> Check {
        let Some(star) = StarId::in_hex(battle.at) else { return Ok(()) };
        for power in Seat::first(self.table.seats()) {
            let own = battle.units.iter().filter(|unit| unit.is_fighting() && unit.owner == power);
            let mut planets: Vec<u8> = own.filter_map(|unit| unit.planet).collect();
            planets.dedup();
            for nth in planets {
                let colony = self.power(power).colony(PlanetId { star, nth });
                let fit = colony.is_some_and(|colony| {
                    let of = |arm: Arm| {
                        let bases = battle
                            .units
                            .iter()
                            .filter(|unit| unit.owner == power && unit.planet == Some(nth));
                        bases.filter(|unit| unit.is_fighting() && unit.arm == arm).count() as u32
                    };
                    of(Arm::MissileBase) <= colony.bases.missile
                        && of(Arm::AdvancedMissileBase) <= colony.bases.advanced
                        && of(Arm::Shield) <= u32::from(colony.shield)
                });
                let place = PlanetId { star, nth };
                let text = format!("more bases or shields fight on {place} than its colony has");
                require(fit, "table.battle.units", &text)?;
            }
        }
        Ok(())
    }

    /// Requires one engaged ship for each of the seat's units that are ships. If the unit is
    /// fighting, its ship must be in the battle's hex and of the same kind.
    fn check_engaged(&self, seat: Seat, battle: &Battle) -> Check {
        let power = self.power(seat);
        let units: Vec<_> = battle
            .units
            .iter()
            .filter(|unit| unit.owner == seat && unit.planet.is_none())
            .collect();
        let name = &format!("powers[{}].engaged", seat.index());
        as_many(power.engaged.len(), units.len(), name, "ships")?;
        let fits = units.iter().zip(&power.engaged).all(|(unit, &number)| {
            !unit.is_fighting()
                || power.ship(number).is_some_and(|ship| {
                    Some(ship.kind()) == unit.ship() && ship.at == Some(battle.at)
                })
        });
        require(fits, name, "each unit that fights must be a ship in the battle's hex")
    }
}

fn check_ship(ship: &Ship) -> Check {
    let name = "ships";
    require(ship.at.is_some() || ship.steps == 0, name, "a ship off the board cannot have moved")?;
    let text = "a ship off the board cannot be in a task force";
    require(ship.at.is_some() || ship.marker.is_none(), name, text)?;
    require(ship.steps <= 8, name, "no ship can move more than 8 hexes")
}

fn check_markers(power: &Power) -> Check {
    let mut places = [None; 16];
    for ship in &power.ships {
        let Some(marker) = ship.marker else { continue };
        let place = &mut places[marker.number() as usize];
        if place.is_some_and(|at| at != ship.at) {
            let text = format!("task force {} is in more than one hex", marker.number());
            return Err(Malformed::field("ships", text));
        }
        *place = Some(ship.at);
    }
    Ok(())
}
