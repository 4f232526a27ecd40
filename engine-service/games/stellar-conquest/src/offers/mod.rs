//! What a seat may order, as sentences with slots.
//!
//! Whatever is offered was judged, in such a way that the slots of an offer are independent of each other: where what one slot
//! takes depends on what another took, there are several offers.
//!
//! Offers are not complete in three stages. In movement an order may name ships of several kinds, long paths and stars to keep
//! away from; one step after the other leads everywhere, too. In a production turn a colony may use what it has just paid for,
//! and a decree may name weapons. Where an article prescribes shots, alike targets can be exchanged in more ways than are
//! offered.

mod battle;
mod movement;
mod planets;
mod production;

use heliopause_kernel::offer::{Draft, Kind, Offers, Picks, Range, Slot, ValueId, Weight};

use crate::board::Place;
use crate::campaign::CampaignStage;
use crate::cards::PlanetId;
use crate::choices::Choices;
use crate::colony::Watch;
use crate::notation::{FIRE, LEAVE, REFUGE, SCUTTLE, STAY, WATCH};
use crate::order::Order;
use crate::power::Eyes;
use crate::ship::ShipNumber;
use crate::stars::StarId;
use crate::table::Stage;

/// The heading of what ends a step or a turn.
const THE_TURN: &str = "The turn";

impl Eyes<'_> {
    /// What this seat may order now.
    pub(crate) fn offers(&self) -> Offers<Order> {
        if self.table.is_over() {
            return Offers::default();
        }
        let choices = self.choices();
        let mut draft = Draft::new();
        let mut complete = true;
        match self.table.stage {
            Stage::Setup => self.offer_outfits(&mut draft, &choices),
            Stage::Campaign(CampaignStage::Recall { half_points, .. }) => {
                complete = self.offer_recalls(&mut draft, &choices, half_points);
            }
            Stage::Campaign(CampaignStage::Place { .. }) => self.offer_placings(&mut draft, &choices),
            Stage::Movement => {
                complete = self.table.active != self.seat;
                self.offer_voyages(&mut draft, &choices);
            }
            Stage::Combat => self.offer_fights(&mut draft, &choices),
            Stage::Battle => complete = self.offer_battle_orders(&mut draft, &choices),
            Stage::Planets => complete = self.offer_landfalls(&mut draft, &choices),
            Stage::Production => {
                complete = self.seat.index() >= self.table.players;
                self.offer_sheet_lines(&mut draft, &choices);
            }
            Stage::Over => {}
        }
        self.offer_post_changes(&mut draft, &choices);
        self.offer_of_conquests(&mut draft, &choices);
        self.offer_at_any_time(&mut draft);
        let sheet = self.table.stage == Stage::Production;
        let offers = if complete { draft.complete() } else { draft.incomplete() };
        Offers { sheet, ..offers }
    }

    /// The choices that are orders already, and what they are called.
    fn offer_listed(&self, draft: &mut Draft<Order>, choices: &Choices, kind: impl Fn(&Order) -> Option<Named>) {
        for listed in &choices.listed {
            let Some(Named { key, heading, weight }) = kind(&listed.order) else { continue };
            draft.group(heading);
            let label = listed.label.trim_end_matches('.').to_owned();
            let offer = draft.offer(key, crate::notation::notate(&listed.order), label, listed.rule);
            offer.weighs(weight).is(listed.order.clone());
        }
    }

    /// 7.2: posts that can be set up or taken away.
    fn offer_post_changes(&self, draft: &mut Draft<Order>, choices: &Choices) {
        if self.is_on_turn("7.2").is_err() {
            return;
        }
        draft.group("Command posts");
        let standing: Vec<StarId> =
            self.table.posts_of(self.seat).filter(|&star| self.judge_post(star, false).is_ok()).collect();
        let sides = [
            ("post", "post {star}", "Set up a command post at {star}", &choices.posts, Weight::Usual),
            ("unpost", "unpost {star}", "Take the command post at {star} away", &standing, Weight::Minor),
        ];
        for (key, notation, label, stars, weight) in sides {
            if !stars.is_empty() {
                let slot = star_slot(draft, "star", "where", stars);
                draft.offer(key, notation, label, "7.2").weighs(weight).slot(slot);
            }
        }
    }

    /// 10, 20: what can be ordered at any time.
    fn offer_at_any_time(&self, draft: &mut Draft<Order>) {
        for glimpse in &self.power.glimpses {
            draft.group("Ships that passed");
            let star = star_value(draft, glimpse.star);
            for (key, look, what) in [("look", true, "Look at the ships"), ("pass", false, "Do not look at the ships")] {
                let order = Order::Inspect { glimpse: glimpse.number, look };
                let label = format!("{what} that passed {} on turn {}", glimpse.star, glimpse.turn);
                draft.offer(key, crate::notation::notate(&order), label, "10").at([star]).is(order);
            }
        }
        for colony in &self.power.colonies {
            draft.group(colony_name(colony.planet));
            let does = |watch: Watch| match watch {
                Watch::Never => "stays hidden",
                Watch::Always => "looks at all ships",
                Watch::Ask => "asks about ships that pass",
            };
            let words: Vec<ValueId> = WATCH.iter().map(|&(watch, word)| draft.value(word, does(watch))).collect();
            let slot = draft.word("what", "what it does", words);
            let star = star_value(draft, colony.planet.star);
            let notation = format!("watch {} {{what}}", write_planet(colony.planet));
            let label = format!("The {} {{what}}", lower(&colony_name(colony.planet)));
            draft.offer("watch", notation, label, "10").weighs(Weight::Minor).at([star]).slot(slot);
        }
        self.offer_standing_orders(draft);
    }

    /// 12, BR-14: how to answer for this seat from now on.
    fn offer_standing_orders(&self, draft: &mut Draft<Order>) {
        fn word<T>(draft: &mut Draft<Order>, name: &'static str, asked: &'static str, words: &[(T, &'static str)]) -> Slot {
            let values: Vec<ValueId> = words.iter().map(|(_, word)| draft.value(*word, "")).collect();
            draft.word(name, asked, values)
        }
        draft.group("Standing orders");
        let slots = [
            word(draft, "fire", "at whom ships fire", FIRE),
            word(draft, "stay", "when ships stay in a battle", STAY),
            word(draft, "scouts", "what scouts do", LEAVE),
            word(draft, "transports", "what transports do", LEAVE),
            word(draft, "refuge", "where enemies who withdraw are sent", REFUGE),
            word(draft, "scuttle", "when factories are destroyed", SCUTTLE),
        ];
        let notation = "standing fire {fire} stay {stay} scouts {scouts} transports {transports} refuge {refuge} \
                        scuttle {scuttle}";
        let label = "From now on: fire {fire}; stay {stay}; scouts {scouts}; transports {transports}; refuge {refuge}; \
                     scuttle {scuttle}";
        let offer = draft.offer("standing", notation, label, "BR-14");
        offer.weighs(Weight::Minor).slots.extend(slots);
    }
}

/// How an order that stands by itself is shown.
struct Named {
    key: &'static str,
    heading: &'static str,
    weight: Weight,
}

fn named(key: &'static str, heading: &'static str, weight: Weight) -> Option<Named> {
    Some(Named { key, heading, weight })
}

impl Eyes<'_> {
    fn ship_value(&self, draft: &mut Draft<Order>, number: ShipNumber) -> ValueId {
        let kind = self.power.ship(number).map_or("ship", |ship| ship.kind().name());
        draft.value(number.to_string(), format!("{kind} {number}"))
    }

    /// So many of these ships.
    fn ships_slot(&self, draft: &mut Draft<Order>, name: &'static str, ships: &[ShipNumber], least: u32, most: u32) -> Slot {
        let values: Vec<ValueId> = ships.iter().map(|&number| self.ship_value(draft, number)).collect();
        let list = draft.list(values);
        Slot::new(name, "which ships", Kind::Pieces(Picks { list, least, most, separator: ",".into() }))
    }

    /// Any of these ships, at least one.
    fn any_ships(&self, draft: &mut Draft<Order>, ships: &[ShipNumber]) -> Slot {
        self.ships_slot(draft, "ships", ships, 1, ships.len() as u32)
    }
}

fn star_value(draft: &mut Draft<Order>, star: StarId) -> ValueId {
    draft.value(star.name(), "")
}

fn star_slot(draft: &mut Draft<Order>, name: &'static str, asked: &'static str, stars: &[StarId]) -> Slot {
    let values: Vec<ValueId> = stars.iter().map(|&star| star_value(draft, star)).collect();
    draft.place(name, asked, values)
}

/// Several of these stars.
fn stars_slot(draft: &mut Draft<Order>, stars: &[StarId]) -> Slot {
    let values: Vec<ValueId> = stars.iter().map(|&star| star_value(draft, star)).collect();
    let (most, list) = (values.len() as u32, draft.list(values));
    Slot::new("stars", "where", Kind::Places(Picks { list, least: 1, most, separator: " ".into() }))
}

fn place_value(draft: &mut Draft<Order>, at: Place) -> ValueId {
    draft.value(at.to_string(), place_name(at))
}

fn place_slot(draft: &mut Draft<Order>, asked: &'static str, places: impl IntoIterator<Item = Place>) -> Slot {
    let values: Vec<ValueId> = places.into_iter().map(|at| place_value(draft, at)).collect();
    draft.place("place", asked, values)
}

fn number_slot(asked: &'static str, least: u32, most: u32) -> Slot {
    Slot::new("number", asked, Kind::Number(Range::of(signed(least)..=signed(most))))
}

/// Slots count in signed numbers.
fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn place_name(at: Place) -> String {
    StarId::in_hex(at).map_or_else(|| at.to_string(), |star| format!("{star} ({at})"))
}

fn write_planet(planet: PlanetId) -> String {
    format!("{} {}", planet.star, planet.nth + 1)
}

fn colony_name(planet: PlanetId) -> String {
    format!("Colony on planet {} of {}", planet.nth + 1, planet.star)
}

fn lower(name: &str) -> String {
    name.replacen("Colony", "colony", 1)
}
