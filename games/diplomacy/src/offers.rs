//! The legal orders of a seat as sentences with slots. Orders of a unit that differ in only one
//! place or unit form one offer.

use heliopause_kernel::offer::{Draft, Offers, Slot, ValueId, Weight};

use crate::board::Province;
use crate::choices::{Choices, Group};
use crate::command::Command;
use crate::describe::{label, name, place, rule_of};
use crate::order::{Named, Order, Place, Site};
use crate::position::{Code, Kind};

/// The common part of orders that form one offer. The orders differ in their [`Choice`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Move { via_convoy: bool },
    BeamDown,
    SupportHold,
    SupportMove { other: Named, of: Option<Code> },
    Convoy { army: Named },
    Colonize,
    Retreat,
    Build { kind: Option<Kind> },
    Remove,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    At(Place),
    Unit(Named),
}

pub(crate) fn offers(choices: &Choices) -> Offers<Command> {
    let mut draft = Draft::new();
    for group in &choices.groups {
        draft.group(heading(choices, group));
        for sentence in sentences(&group.orders) {
            match sentence {
                Sentence::Order(order) => order_alone(&mut draft, order),
                Sentence::Shape(shape, by, values) => shaped(&mut draft, shape, by, &values),
            }
        }
    }
    if choices.clear {
        draft.group("All orders");
        let clear = draft.offer(
            "clear",
            Command::Clear.to_string(),
            "Withdraw all orders for this phase",
            "4.D.1",
        );
        clear.weighs(Weight::Minor).is(Command::Clear);
    }
    draft.complete()
}

fn heading(choices: &Choices, group: &Group) -> String {
    match (group.unit, group.orders.first()) {
        (Some(unit), _) => name(unit),
        (None, Some(Order::Remove { .. })) => format!("Removals: {}", choices.removals),
        (None, _) => format!("Builds: at most {}", choices.builds),
    }
}

enum Sentence {
    Order(Order),
    Shape(Shape, Option<Named>, Vec<Choice>),
}

fn sentences(orders: &[Order]) -> Vec<Sentence> {
    let mut sentences: Vec<Sentence> = Vec::new();
    for order in orders {
        let Some((shape, choice)) = shape_of(order) else {
            sentences.push(Sentence::Order(*order));
            continue;
        };
        let same = |sentence: &&mut Sentence| matches!(sentence, Sentence::Shape(other, ..) if *other == shape);
        if let Some(Sentence::Shape(_, _, values)) = sentences.iter_mut().rev().find(same) {
            values.push(choice);
        } else {
            let by = if shape == Shape::Remove { None } else { order.unit() };
            sentences.push(Sentence::Shape(shape, by, vec![choice]));
        }
    }
    sentences
}

fn shape_of(order: &Order) -> Option<(Shape, Choice)> {
    Some(match *order {
        Order::Hold { .. }
        | Order::Disband { .. }
        | Order::Waive
        | Order::Colonize { target: None, .. }
        | Order::Move { to: Place::Orbit, .. }
        | Order::Retreat { to: Place::Orbit, .. } => return None,
        Order::Move { unit: Named { at: Place::Orbit, .. }, to, .. } => {
            (Shape::BeamDown, Choice::At(to))
        }
        Order::Move { to, via_convoy, .. } => (Shape::Move { via_convoy }, Choice::At(to)),
        Order::SupportHold { other, .. } => (Shape::SupportHold, Choice::Unit(other)),
        Order::SupportMove { other, of, to, .. } => {
            (Shape::SupportMove { other, of }, Choice::At(to))
        }
        Order::Convoy { army, to, .. } => (Shape::Convoy { army }, Choice::At(Place::Earth(to))),
        Order::Colonize { target: Some(target), .. } => {
            (Shape::Colonize, Choice::At(Place::Earth(target.node())))
        }
        Order::Retreat { to, .. } => (Shape::Retreat, Choice::At(to)),
        Order::Build { unit: Site { kind, at } } => {
            (Shape::Build { kind }, Choice::At(Place::Earth(at)))
        }
        Order::Remove { unit } => (Shape::Remove, Choice::Unit(unit)),
    })
}

fn order_alone(draft: &mut Draft<Command>, order: Order) {
    let (key, weight) = match order {
        Order::Hold { .. } => ("hold", Weight::Usual),
        Order::Move { .. } => ("beam-up", Weight::Usual),
        Order::Colonize { .. } => ("colonize-here", Weight::Usual),
        Order::Retreat { .. } => ("retreat-up", Weight::Main),
        Order::Disband { .. } => ("disband", Weight::Usual),
        Order::SupportHold { .. }
        | Order::SupportMove { .. }
        | Order::Convoy { .. }
        | Order::Build { .. }
        | Order::Remove { .. }
        | Order::Waive => ("waive", Weight::Minor),
    };
    let about = order.unit().map(|unit| about(draft, unit));
    let offer = draft.offer(key, order.to_string(), label(&order), rule_of(&order));
    offer.weighs(weight).is(Command::Order(order));
    if let Some((piece, at)) = about {
        offer.of([piece]).at(at);
    }
}

#[expect(clippy::too_many_lines, reason = "one match arm for each shape")]
fn shaped(draft: &mut Draft<Command>, shape: Shape, by: Option<Named>, choices: &[Choice]) {
    let values: Vec<ValueId> = choices.iter().map(|choice| value(draft, *choice)).collect();
    let slot = match shape {
        Shape::SupportHold => draft.piece("unit", "whom", values),
        Shape::Remove => draft.piece("unit", "which", values),
        Shape::Colonize | Shape::Build { .. } => draft.place("place", "where", values),
        Shape::Move { .. }
        | Shape::BeamDown
        | Shape::SupportMove { .. }
        | Shape::Convoy { .. }
        | Shape::Retreat => draft.place("place", "where to", values),
    };
    let whose = by.map(|by| (by.to_string(), name(by)));
    let (by_text, by_name) =
        whose.as_ref().map_or(("", ""), |(text, name)| (text.as_str(), name.as_str()));
    let (key, notation, label, rule, weight) = match shape {
        Shape::Move { via_convoy: false } => (
            "move",
            format!("{by_text} - {{place}}"),
            format!("{by_name} moves to {{place}}"),
            "D3.2",
            Weight::Main,
        ),
        Shape::Move { via_convoy: true } => (
            "move-by-convoy",
            format!("{by_text} - {{place}} via convoy"),
            format!("{by_name} moves to {{place}} by convoy"),
            "D3.2",
            Weight::Minor,
        ),
        Shape::BeamDown => (
            "beam-down",
            format!("{by_text} - {{place}}"),
            "An army beams down to {place}".to_owned(),
            "2",
            Weight::Main,
        ),
        Shape::SupportHold => (
            "support-hold",
            format!("{by_text} S {{unit}}"),
            format!("{by_name} supports {{unit}}"),
            "D3.3",
            Weight::Usual,
        ),
        Shape::SupportMove { other, of } => {
            let code = of.map_or_else(String::new, |code| format!("{code} "));
            let whose = of.map_or_else(String::new, |code| format!(" of {code}"));
            (
                "support-move",
                format!("{by_text} S {code}{other} - {{place}}"),
                format!("{by_name} supports {}{whose} to {{place}}", name(other)),
                if other.at == Place::Orbit { "R4" } else { "D3.4" },
                Weight::Usual,
            )
        }
        Shape::Convoy { army } => (
            "convoy",
            format!("{by_text} C {army} - {{place}}"),
            format!("{by_name} convoys {} to {{place}}", name(army)),
            "D3.5",
            Weight::Usual,
        ),
        Shape::Colonize => (
            "colonize",
            format!("{by_text} COL {{place}}"),
            format!("{by_name} colonizes {{place}}"),
            "3",
            Weight::Usual,
        ),
        Shape::Retreat => (
            "retreat",
            format!("{by_text} R {{place}}"),
            format!("{by_name} retreats to {{place}}"),
            "D7",
            Weight::Main,
        ),
        Shape::Build { kind } => {
            let letter = kind.map_or_else(String::new, |kind| format!("{} ", kind.as_str()));
            let what = if kind == Some(Kind::Fleet) { "a fleet" } else { "an army" };
            (
                "build",
                format!("BUILD {letter}{{place}}"),
                format!("Build {what} in {{place}}"),
                "D8",
                Weight::Main,
            )
        }
        Shape::Remove => {
            ("remove", "REMOVE {unit}".to_owned(), "Remove {unit}".to_owned(), "D8", Weight::Main)
        }
    };
    offer(draft, shape, by, slot, (key, notation, label, rule)).weighs(weight);
}

fn offer<'a>(
    draft: &'a mut Draft<Command>,
    shape: Shape,
    by: Option<Named>,
    slot: Slot,
    (key, notation, label, rule): (&'static str, String, String, &'static str),
) -> &'a mut heliopause_kernel::offer::Offer<Command> {
    let helped = match shape {
        Shape::SupportMove { other, .. } => Some(other),
        Shape::Convoy { army } => Some(army),
        Shape::Move { .. }
        | Shape::BeamDown
        | Shape::SupportHold
        | Shape::Colonize
        | Shape::Retreat
        | Shape::Build { .. }
        | Shape::Remove => None,
    };
    let about: Vec<_> = by.into_iter().chain(helped).map(|unit| about(draft, unit)).collect();
    let offer = draft.offer(key, notation, label, rule);
    offer.slot(slot);
    for (piece, at) in about {
        offer.of([piece]).at(at);
    }
    offer
}

fn about(draft: &mut Draft<Command>, unit: Named) -> (ValueId, Option<ValueId>) {
    let at = unit
        .at
        .province()
        .map(Province::node)
        .map(Place::Earth)
        .map(|at| value(draft, Choice::At(at)));
    (value(draft, Choice::Unit(unit)), at)
}

fn value(draft: &mut Draft<Command>, choice: Choice) -> ValueId {
    match choice {
        Choice::At(at) => draft.value(at.to_string(), place(at)),
        Choice::Unit(unit) => draft.value(unit.to_string(), name(unit)),
    }
}
