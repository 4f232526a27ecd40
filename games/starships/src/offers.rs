//! The legal orders of a seat as offers: sentences with slots. One offer covers similar orders.

use heliopause_kernel::Seat;
use heliopause_kernel::offer::{Draft, Kind, Offers, Picks, Range, Slot, ValueId, Weight};

use crate::board::Place;
use crate::choices::PledgeChoices;
use crate::describe::subject;
use crate::knowledge::SeatView;
use crate::order::{Means, Order};
use crate::pieces::{BaseId, BaseNumber, Piece, letter};

/// An order, split into a sentence that is the same for similar orders and a value that differs.
struct Sentence {
    key: &'static str,
    notation: String,
    label: String,
    heading: String,
    weight: Weight,
    piece: Option<Piece>,
    /// A place in the sentence itself, not in the slot.
    place: Option<Place>,
    /// The question of the slot and this order's value. `None` if the order has no slot.
    choice: Option<(&'static str, Choice)>,
}

#[derive(Clone, Copy)]
enum Choice {
    Place(Place),
    Piece(Piece),
    Target(crate::pieces::Target),
    Player(Seat),
    Number(u8),
}

enum SlotValues {
    Nothing,
    Numbers(u8, u8),
    Places(Vec<ValueId>),
    Pieces(Vec<ValueId>),
    Words(Vec<ValueId>),
}

impl Sentence {
    fn new(key: &'static str, heading: impl Into<String>, weight: Weight) -> Self {
        Self {
            key,
            notation: String::new(),
            label: String::new(),
            heading: heading.into(),
            weight,
            piece: None,
            place: None,
            choice: None,
        }
    }

    fn by(self, piece: Piece) -> Self {
        Self { piece: Some(piece), ..self }
    }

    fn at(self, place: Place) -> Self {
        Self { place: Some(place), ..self }
    }

    fn choosing(
        self,
        notation: String,
        label: String,
        question: &'static str,
        choice: Choice,
    ) -> Self {
        Self { notation, label, choice: Some((question, choice)), ..self }
    }
}

impl SeatView<'_> {
    /// Returns offers that cover exactly the legal choices.
    pub(crate) fn offers(&self) -> Offers<Order> {
        let choices = self.choices();
        let mut draft = Draft::new();
        let mut said: Vec<(Sentence, &'static str, Order, SlotValues)> = Vec::new();
        for choice in &choices.list {
            let sentence = self.sentence(choice.order);
            let same = |(other, ..): &&mut (Sentence, _, _, _)| {
                sentence.choice.is_some()
                    && other.key == sentence.key
                    && other.notation == sentence.notation
            };
            if let Some((_, _, _, gathered)) = said.iter_mut().rev().find(same) {
                self.gather(&mut draft, gathered, &sentence);
            } else {
                let mut gathered = SlotValues::Nothing;
                self.gather(&mut draft, &mut gathered, &sentence);
                said.push((sentence, choice.rule, choice.order, gathered));
            }
        }
        for (sentence, rule, order, gathered) in said {
            self.say(&mut draft, sentence, rule, order, gathered);
        }
        if let Some(pledges) = &choices.pledges {
            self.pledges(&mut draft, pledges);
        }
        draft.complete()
    }

    fn gather(&self, draft: &mut Draft<Order>, gathered: &mut SlotValues, sentence: &Sentence) {
        let Some((_, choice)) = sentence.choice else { return };
        let value = match choice {
            Choice::Number(number) => {
                *gathered = match *gathered {
                    SlotValues::Numbers(least, most) => {
                        SlotValues::Numbers(least.min(number), most.max(number))
                    }
                    SlotValues::Nothing
                    | SlotValues::Places(_)
                    | SlotValues::Pieces(_)
                    | SlotValues::Words(_) => SlotValues::Numbers(number, number),
                };
                return;
            }
            Choice::Place(at) => self.place_value(draft, at),
            Choice::Piece(piece) => draft.value(piece.to_string(), ""),
            Choice::Target(target) => draft.value(target.to_string(), ""),
            Choice::Player(seat) => player_value(draft, seat),
        };
        match (gathered, choice) {
            (
                SlotValues::Places(values) | SlotValues::Pieces(values) | SlotValues::Words(values),
                _,
            ) => {
                values.push(value);
            }
            (gathered, Choice::Place(_)) => *gathered = SlotValues::Places(vec![value]),
            (gathered, Choice::Player(_)) => *gathered = SlotValues::Words(vec![value]),
            (gathered, _) => *gathered = SlotValues::Pieces(vec![value]),
        }
    }

    fn say(
        &self,
        draft: &mut Draft<Order>,
        said: Sentence,
        rule: &'static str,
        order: Order,
        gathered: SlotValues,
    ) {
        let piece = said.piece.map(|piece| draft.value(piece.to_string(), ""));
        let stands =
            said.piece.and_then(|piece| self.table.place_of(piece)).into_iter().chain(said.place);
        let places: Vec<ValueId> = stands.map(|at| self.place_value(draft, at)).collect();
        let question = said.choice.map_or("", |(question, _)| question);
        let kind = match gathered {
            SlotValues::Nothing => None,
            SlotValues::Numbers(least, most) => {
                Some(Kind::Number(Range::of(least.into()..=most.into())))
            }
            SlotValues::Places(values) => Some(Kind::Places(Picks::one(draft.list(values)))),
            SlotValues::Pieces(values) => Some(Kind::Pieces(Picks::one(draft.list(values)))),
            SlotValues::Words(values) => Some(Kind::Words(Picks::one(draft.list(values)))),
        };
        draft.group(said.heading);
        let offer = draft.offer(said.key, said.notation, said.label, rule);
        offer.weighs(said.weight).at(places).of(piece);
        match kind {
            Some(kind) => offer.slot(Slot::new("it", question, kind)),
            None => offer.is(order),
        };
    }

    fn pledges(&self, draft: &mut Draft<Order>, pledges: &PledgeChoices) {
        let receivers: Vec<ValueId> =
            pledges.receivers.iter().map(|&seat| player_value(draft, seat)).collect();
        let rounds =
            Kind::Number(Range::of(pledges.first_round.into()..=pledges.last_round.into()));
        let to = draft.word("to", "to whom", receivers);
        let until = Slot::new("until", "until which round", rounds);
        let planets: Vec<ValueId> =
            pledges.planets.iter().map(|at| self.place_value(draft, at)).collect();
        let hexes: Vec<ValueId> =
            pledges.hexes.iter().map(|at| self.place_value(draft, at)).collect();
        let of_place = [
            ("planet", "Promise {to} to give them {place}, until round {until}", planets),
            ("keep-out", "Promise {to} to keep out of {place}, until round {until}", hexes),
        ];
        let plain = [
            ("no-attack", "Promise {to} not to attack them, until round {until}"),
            ("no-exile", "Promise {to} not to vote for their exile, until round {until}"),
        ];
        draft.group("Diplomacy");
        for (promise, label) in plain {
            let offer = draft.offer(
                "pledge",
                format!("pledge {promise} to {{to}} until {{until}}"),
                label,
                "R13",
            );
            offer.weighs(Weight::Minor).slot(to.clone()).slot(until.clone());
        }
        for (promise, label, values) in
            of_place.into_iter().filter(|(_, _, values)| !values.is_empty())
        {
            let place = draft.place("place", "which", values);
            let notation = format!("pledge {promise} {{place}} to {{to}} until {{until}}");
            let offer = draft.offer("pledge", notation, label, "R13");
            offer.weighs(Weight::Minor).slot(place).slot(to.clone()).slot(until.clone());
        }
    }

    fn place_value(&self, draft: &mut Draft<Order>, at: Place) -> ValueId {
        draft.value(at.to_string(), format!("{at}{}", self.known(at)))
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each order")]
    fn sentence(&self, order: Order) -> Sentence {
        let ship = |key, id, weight| {
            Sentence::new(key, format!("Starship {id}"), weight).by(Piece::Ship(id))
        };
        let place = |it| Choice::Place(it);
        let diplomacy = |key, weight, notation: String, label: String, player| {
            Sentence::new(key, "Diplomacy", weight).choosing(
                notation,
                label,
                "whom",
                Choice::Player(player),
            )
        };
        let asked = |key, notation: &str, label: &str, choice| {
            let asked = Sentence::new(key, "You must choose", Weight::Main);
            asked.choosing(notation.into(), label.into(), "which", choice)
        };
        match order {
            Order::Build { count, base } => {
                let own = Piece::Base(BaseId { owner: self.seat, number: base });
                let (notation, label) = match base {
                    BaseNumber::First => ("build {it}", "Build starships on your base: {it}"),
                    BaseNumber::Second => {
                        ("build {it} on base 2", "Build starships on your second base: {it}")
                    }
                };
                let build = Sentence::new("build", "Build", Weight::Main).by(own);
                build.choosing(notation.into(), label.into(), "how many", Choice::Number(count))
            }
            Order::Move { ship: id, to } => {
                let (notation, label) =
                    (format!("move {id} to {{it}}"), format!("Move {id} to {{it}}"));
                ship("move", id, Weight::Main).choosing(notation, label, "where to", place(to))
            }
            Order::Warp { ship: id, via, to } => {
                let notation = format!("warp {id} via {via} to {{it}}");
                let label = format!("Warp {id} through {via} to {{it}}");
                ship("warp", id, Weight::Usual).at(via).choosing(
                    notation,
                    label,
                    "where to",
                    place(to),
                )
            }
            Order::MoveBase { base, via, to } => {
                let own = Piece::Base(BaseId { owner: self.seat, number: base });
                let moved = Sentence::new("move-base", "Base", Weight::Usual).by(own);
                let name = if base == BaseNumber::First { "base" } else { "base 2" };
                match via {
                    None => {
                        let (notation, label) =
                            (format!("{name} to {{it}}"), format!("Move the {name} to {{it}}"));
                        moved.choosing(notation, label, "where to", place(to))
                    }
                    Some(via) => {
                        let notation = format!("{name} via {via} to {{it}}");
                        let label = format!("Move the {name} through {via} to {{it}}");
                        moved.at(via).choosing(notation, label, "where to", place(to))
                    }
                }
            }
            Order::Attack { piece, target } => {
                let (notation, label) = (
                    format!("attack {piece} {{it}}"),
                    format!("{} attacks {{it}}", subject(piece)),
                );
                Sentence::new("attack", heading_of(piece), Weight::Usual).by(piece).choosing(
                    notation,
                    label,
                    "whom",
                    Choice::Target(target),
                )
            }
            Order::Mark { at } if self.would_colonize(at) => Sentence::new(
                "colonize",
                "Markers",
                Weight::Main,
            )
            .choosing("mark {it}".into(), "Colonize {it}".into(), "where", place(at)),
            Order::Mark { at } => Sentence::new("mark", "Markers", Weight::Minor).choosing(
                "mark {it}".into(),
                "Place your ownership marker in {it} as a bluff".into(),
                "where",
                place(at),
            ),
            Order::FaceUp { at } => Sentence::new("face-up", "Markers", Weight::Minor).choosing(
                "face up {it}".into(),
                "Turn {it} face up".into(),
                "which",
                place(at),
            ),
            Order::Unmark { at } => Sentence::new("take-up", "Markers", Weight::Minor).choosing(
                "take up {it}".into(),
                "Remove your ownership marker from {it}".into(),
                "where",
                place(at),
            ),
            Order::Give { at, to } => {
                let (notation, label) =
                    (format!("give {at} to {{it}}"), format!("Give {at} to {{it}}"));
                let gift = Sentence::new("give", "Gifts", Weight::Grave).at(at);
                gift.choosing(notation, label, "to whom", Choice::Player(to))
            }
            Order::Vote { against, withdrawn: false } => diplomacy(
                "exile",
                Weight::Minor,
                "exile {it}".into(),
                "Vote to exile {it}".into(),
                against,
            ),
            Order::Vote { against, .. } => {
                let label = "Withdraw the vote against {it}".into();
                diplomacy("unexile", Weight::Minor, "unexile {it}".into(), label, against)
            }
            Order::Offer { to, agreement } => {
                let name = agreement.as_str();
                diplomacy(
                    "offer",
                    Weight::Usual,
                    format!("offer {name} {{it}}"),
                    format!("Offer {name} to {{it}}"),
                    to,
                )
            }
            Order::Accept { from, agreement } => {
                let name = agreement.as_str();
                let label = format!("Accept {name} with {{it}}");
                diplomacy("accept", Weight::Usual, format!("accept {name} {{it}}"), label, from)
            }
            Order::Retract { to, agreement } => {
                let name = agreement.as_str();
                let label = format!("Withdraw the offer of {name} to {{it}}");
                diplomacy("retract", Weight::Minor, format!("retract {name} {{it}}"), label, to)
            }
            Order::Sacrifice { ship } => asked(
                "sacrifice",
                "sacrifice {it}",
                "Remove {it}",
                Choice::Piece(Piece::Ship(ship)),
            ),
            Order::ChooseShip { ship } => asked(
                "choose-starship",
                "choose {it}",
                "Take {it}",
                Choice::Piece(Piece::Ship(ship)),
            ),
            Order::ChoosePlanet { at } => {
                asked("choose-planet", "choose {it}", "The planet in {it}", Choice::Place(at))
            }
            Order::Zone { at } => {
                let zone = Sentence::new("zone", "Death Zones", Weight::Main);
                zone.choosing(
                    "zone {it}".into(),
                    "Place a Death Zone in {it}".into(),
                    "where",
                    Choice::Place(at),
                )
            }
            Order::Grow { from, to } => {
                let (notation, label) =
                    (format!("grow {from} to {{it}}"), format!("Grow from {from} into {{it}}"));
                let grow = Sentence::new("grow", "Death Zones", Weight::Main).at(from);
                grow.choosing(notation, label, "where to", Choice::Place(to))
            }
            Order::Settle { base } => {
                let own = Piece::Base(BaseId { owner: self.seat, number: base });
                self.alone(order, "settle", "Base", Weight::Main).by(own)
            }
            Order::Attempt { piece, means } => {
                let (key, weight) = match means {
                    Means::Diplomacy => ("diplomacy", Weight::Main),
                    Means::Force => ("force", Weight::Usual),
                };
                self.alone(order, key, heading_of(piece), weight).by(piece)
            }
            Order::FightOn => self.alone(order, "fight-on", "Battle", Weight::Main),
            Order::Withdraw => self.alone(order, "withdraw", "Battle", Weight::Usual),
            Order::Fire => self.alone(order, "fire", "Battle", Weight::Main),
            Order::HoldFire => self.alone(order, "hold-fire", "Battle", Weight::Usual),
            Order::EndPartnership => {
                self.alone(order, "end-partnership", "Diplomacy", Weight::Grave)
            }
            Order::Stop => self.alone(order, "stop", "Death Zones", Weight::End),
            Order::End | Order::Pledge { .. } => self.alone(order, "end", "The turn", Weight::End),
        }
    }

    fn alone(
        &self,
        order: Order,
        key: &'static str,
        heading: impl Into<String>,
        weight: Weight,
    ) -> Sentence {
        let (label, _) = self.label(order);
        Sentence { notation: order.to_string(), label, ..Sentence::new(key, heading, weight) }
    }
}

fn player_value(draft: &mut Draft<Order>, seat: Seat) -> ValueId {
    draft.value(letter(seat).to_string(), format!("player {}", letter(seat)))
}

fn heading_of(piece: Piece) -> String {
    match piece {
        Piece::Ship(id) => format!("Starship {id}"),
        Piece::Base(_) => "Base".to_owned(),
    }
}
