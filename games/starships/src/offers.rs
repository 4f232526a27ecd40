//! The legal orders of a seat as offers: sentences with slots. One offer covers similar orders.

#![expect(clippy::wildcard_enum_match_arm, reason = "few orders differ from their forms")]

use heliopause_kernel::Seat;
use heliopause_kernel::offer::{
    Draft, Kind, Offers, Range, Sentence, Slot, Stock, ValueId, Weight,
};

use crate::board::Place;
use crate::choices::PledgeChoices;
use crate::describe::subject;
use crate::knowledge::SeatView;
use crate::notation::{Formed, Value, form_of};
use crate::order::Order;
use crate::pieces::{Piece, letter};

impl SeatView<'_> {
    /// Returns offers that cover exactly the legal choices.
    pub(crate) fn offers(&self) -> Offers<Order> {
        let choices = self.choices();
        let mut draft = Draft::new();
        draft.sentences(choices.list.iter().map(|&order| (self.sentence(order), order)));
        if let Some(pledges) = &choices.pledges {
            self.pledges(&mut draft, pledges);
        }
        draft.complete()
    }

    fn sentence(&self, order: Order) -> Sentence {
        let Formed { mut form, heading, values } = form_of(&order);
        match order {
            Order::Mark { at } if self.would_colonize(at) => {
                (form.key, form.weight, form.rule) = ("colonize", Weight::Main, "4.1");
                form.label = "Colonize {at}";
            }
            Order::Offer { agreement, .. }
            | Order::Accept { agreement, .. }
            | Order::Retract { agreement, .. } => form.rule = agreement.rule(),
            _ => {}
        }
        let piece = self.piece(order);
        let mut places: Vec<Place> =
            piece.and_then(|piece| self.table.place_of(piece)).into_iter().collect();
        let mut arguments = Vec::new();
        for (name, value) in values {
            let mut argument = value.argument(name);
            let is_choice = form.choice.is_some_and(|choice| choice.argument == name);
            match value {
                Value::Place(at) if is_choice => argument.label = self.place_label(at),
                Value::Place(at) => places.push(at),
                Value::Player(seat) => argument.label = player_label(seat),
                Value::Piece(piece) => argument.label = subject(piece),
                _ => {}
            }
            arguments.push(argument);
        }
        let heading = match piece {
            Some(Piece::Ship(id)) if heading.is_empty() => format!("Starship {id}"),
            Some(Piece::Base(_)) if heading.is_empty() => "Base".to_owned(),
            _ => heading.to_owned(),
        };
        let pieces = piece.map(|piece| (piece.to_string(), String::new())).into_iter().collect();
        let places = places.into_iter().map(|at| (at.to_string(), self.place_label(at))).collect();
        let stock = matches!(order, Order::Build { .. })
            .then(|| Stock::new("Arrivals", self.arrivals_left() as u32, "starships"));
        Sentence { form, arguments, heading, pieces, places, stock }
    }

    /// Returns the seat's piece that acts in an order.
    fn piece(&self, order: Order) -> Option<Piece> {
        match order {
            Order::Build { base, .. } | Order::MoveBase { base, .. } | Order::Settle { base } => {
                Some(Piece::Base(self.base_id(base)))
            }
            Order::Move { ship, .. } | Order::Warp { ship, .. } => Some(Piece::Ship(ship)),
            Order::Attempt { piece, .. } | Order::Attack { piece, .. } => Some(piece),
            _ => None,
        }
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
        draft.value(at.to_string(), self.place_label(at))
    }

    fn place_label(&self, at: Place) -> String {
        format!("{at}{}", self.known(at))
    }
}

fn player_value(draft: &mut Draft<Order>, seat: Seat) -> ValueId {
    draft.value(letter(seat).to_string(), player_label(seat))
}

fn player_label(seat: Seat) -> String {
    format!("player {}", letter(seat))
}
