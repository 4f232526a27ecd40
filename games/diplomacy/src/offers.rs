//! The legal orders of a seat as sentences with slots. Orders of a unit that differ in only one
//! place or unit form one offer. A conditional order is an offer with all its choices.

use heliopause_kernel::offer::{
    Draft, Kind, Offers, Picks, Sentence, Slot, Stock, ValueId, Weight,
};

use crate::choices::{Choices, Group};
use crate::command::Command;
use crate::conditional::Conditional;
use crate::describe::{name, place};
use crate::notation::{SEPARATOR, form_of};
use crate::order::{Named, Order, Place};

pub(crate) fn offers(choices: &Choices) -> Offers<Command> {
    let mut draft = Draft::new();
    for group in &choices.groups {
        let heading = heading(choices, group);
        let orders = group.orders.iter();
        draft.sentences(
            orders.map(|order| (sentence(choices, order, heading.clone()), Command::Order(*order))),
        );
    }
    choices.conditionals.iter().for_each(|order| conditional(&mut draft, order));
    if choices.clear {
        draft.group("All orders");
        let clear =
            draft.offer("clear", Command::Clear.to_string(), "Withdraw all orders", "4.D.1");
        clear.weighs(Weight::Minor).is(Command::Clear);
    }
    draft.complete()
}

fn conditional(draft: &mut Draft<Command>, order: &Conditional) {
    let (notation, label) = order.case_in_words();
    let (key, question, unit) = match *order {
        Conditional::Dislodged { unit, .. } => {
            ("if-dislodged", "where to, in order of preference", Some(unit))
        }
        Conditional::Building { .. } => ("if-building", "what, in order of preference", None),
        Conditional::Removing { .. } => ("if-removing", "where, in order of preference", None),
    };
    let choices = order.choices().into_iter();
    let choices: Vec<ValueId> = choices.map(|(text, label)| draft.value(text, label)).collect();
    let most = choices.len() as u32;
    let picks = Picks { list: draft.list(choices), least: 1, most, separator: SEPARATOR.into() };
    let piece = unit.map(|unit| draft.value(unit.to_string(), name(unit)));
    let province = unit.and_then(|unit| unit.at.province());
    let place = province.map(|at| draft.value(at.to_string(), place(Place::Earth(at.node()))));
    draft.group(unit.map_or_else(|| "Winter".to_owned(), name));
    draft
        .offer(key, format!("{notation} {{choices}}"), format!("{label} {{choices}}"), "D3.8")
        .weighs(Weight::Minor)
        .of(piece)
        .at(place)
        .slot(Slot::new("choices", question, Kind::Words(picks)));
}

fn heading(choices: &Choices, group: &Group) -> String {
    match (group.unit, group.orders.first()) {
        (Some(unit), _) => name(unit),
        (None, Some(Order::Remove { .. })) => format!("Removals: {}", choices.removals),
        (None, _) => format!("Builds: at most {}", choices.builds),
    }
}

fn sentence(choices: &Choices, order: &Order, heading: String) -> Sentence {
    let (form, arguments) = form_of(order);
    let units = units(order);
    let provinces = units.iter().filter_map(|unit| unit.at.province());
    Sentence {
        form,
        arguments,
        heading,
        pieces: units.iter().map(|unit| (unit.to_string(), name(*unit))).collect(),
        places: provinces.map(|at| (at.to_string(), place(Place::Earth(at.node())))).collect(),
        stock: match order {
            Order::Build { .. } | Order::Waive => {
                Some(Stock::new("Builds", choices.builds, "builds"))
            }
            Order::Remove { .. } => Some(Stock::new("Removals", choices.removals, "removals")),
            Order::Hold { .. }
            | Order::Move { .. }
            | Order::SupportHold { .. }
            | Order::SupportMove { .. }
            | Order::Convoy { .. }
            | Order::Colonize { .. }
            | Order::Retreat { .. }
            | Order::Disband { .. } => None,
        },
    }
}

/// Returns the units that all orders of an offer name: the one that acts and the one it helps.
fn units(order: &Order) -> Vec<Named> {
    match *order {
        Order::SupportMove { unit, other, .. } => vec![unit, other],
        Order::Convoy { unit, army, .. } => vec![unit, army],
        Order::Remove { .. } => Vec::new(),
        Order::Hold { .. }
        | Order::Move { .. }
        | Order::SupportHold { .. }
        | Order::Colonize { .. }
        | Order::Retreat { .. }
        | Order::Disband { .. }
        | Order::Build { .. }
        | Order::Waive => order.unit().into_iter().collect(),
    }
}
