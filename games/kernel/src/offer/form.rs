//! Orders as sentences: the form of an order gives its notation, its label and its offers.

use super::{Draft, Kind, Part, Picks, Range, Slot, Stock, ValueId, Weight, parts};

/// The common part of similar orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    pub key: &'static str,
    pub weight: Weight,
    pub rule: &'static str,
    /// The order in the game's notation, with `{name}` for each argument.
    pub notation: &'static str,
    /// The order's effect as a sentence, with the same arguments.
    pub label: &'static str,
    /// The argument in which the orders of an offer differ. `None` if each order is an offer.
    pub choice: Option<Choice>,
}

/// The argument of a form that becomes the slot of an offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub argument: &'static str,
    /// The name and the label of the slot.
    pub slot: &'static str,
    pub question: &'static str,
}

/// The content of an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    pub name: &'static str,
    pub text: String,
    /// The display name.
    pub label: String,
    pub sort: Sort,
}

/// The kind of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Place,
    Piece,
    Word,
    Number(i32),
}

/// An order as a sentence: its form with arguments, and what the offer is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    pub form: Form,
    pub arguments: Vec<Argument>,
    pub heading: String,
    /// The pieces of the offer, each with its display name.
    pub pieces: Vec<(String, String)>,
    /// The places of the offer, each with its display name.
    pub places: Vec<(String, String)>,
    /// The stock of which the order spends one, or as many as its number says.
    pub stock: Option<Stock>,
}

impl Sentence {
    /// Returns the argument in which the orders of the offer differ.
    fn choice(&self) -> Option<&Argument> {
        let choice = self.form.choice?;
        self.arguments.iter().find(|argument| argument.name == choice.argument)
    }

    /// Returns the arguments that all orders of the offer share.
    fn fixed(&self) -> impl Iterator<Item = &Argument> {
        let choice = self.form.choice.map(|choice| choice.argument);
        self.arguments.iter().filter(move |argument| Some(argument.name) != choice)
    }

    fn shares_offer(&self, other: &Self) -> bool {
        self.form.choice.is_some()
            && self.form == other.form
            && self.heading == other.heading
            && self.fixed().eq(other.fixed())
    }

    /// Fills a template, except for the slot.
    fn template(&self, template: &str, content: impl Fn(&Argument) -> &str) -> String {
        write(template, |name| match self.form.choice {
            Some(choice) if choice.argument == name => format!("{{{}}}", choice.slot),
            _ => filled(&self.arguments, name, &content),
        })
    }
}

/// Returns a template with the content of each argument.
pub fn fill(template: &str, arguments: &[Argument], content: impl Fn(&Argument) -> &str) -> String {
    write(template, |name| filled(arguments, name, &content))
}

fn write(template: &str, content: impl Fn(&str) -> String) -> String {
    let write = |part: Part<'_>| match part {
        Part::Fixed(text) => text.to_owned(),
        Part::Slot(name) => content(name),
    };
    parts(template).map(write).collect()
}

fn filled(arguments: &[Argument], name: &str, content: &impl Fn(&Argument) -> &str) -> String {
    let named = arguments.iter().find(|argument| argument.name == name);
    named.map(content).unwrap_or_default().to_owned()
}

impl<O> Draft<O> {
    /// Adds offers for orders. Orders that differ only in the choice share an offer.
    pub fn sentences(&mut self, orders: impl IntoIterator<Item = (Sentence, O)>) {
        let mut gathered: Vec<(Sentence, O, Vec<Argument>)> = Vec::new();
        for (sentence, order) in orders {
            let choice = sentence.choice().cloned();
            let shared =
                gathered.iter_mut().rev().find(|(other, ..)| other.shares_offer(&sentence));
            match shared {
                Some((_, _, choices)) => choices.extend(choice),
                None => gathered.push((sentence, order, choice.into_iter().collect())),
            }
        }
        for (sentence, order, choices) in gathered {
            self.sentence(sentence, order, choices);
        }
    }

    fn sentence(&mut self, sentence: Sentence, order: O, choices: Vec<Argument>) {
        let form = sentence.form;
        let notation = sentence.template(form.notation, |argument| &argument.text);
        let label = sentence.template(form.label, |argument| &argument.label);
        let slot = form
            .choice
            .map(|choice| Slot::new(choice.slot, choice.question, self.kind_of(choices)));
        let stock = sentence.stock.map(|stock| self.stock(stock));
        let pieces = self.named(sentence.pieces);
        let places = self.named(sentence.places);
        self.group(sentence.heading);
        let offer = self.offer(form.key, notation, label, form.rule);
        offer.weighs(form.weight).of(pieces).at(places);
        let mut price = u32::from(stock.is_some());
        match slot {
            Some(mut slot) => {
                if let Kind::Number(range) = &mut slot.kind {
                    (range.cost, price) = (price, 0);
                }
                offer.slot(slot);
            }
            None => drop(offer.is(order)),
        }
        (offer.stock, offer.price) = (stock, price);
    }

    fn named(&mut self, names: Vec<(String, String)>) -> Vec<ValueId> {
        names.into_iter().map(|(text, label)| self.value(text, label)).collect()
    }

    fn kind_of(&mut self, choices: Vec<Argument>) -> Kind {
        let numbers = choices.iter().filter_map(|choice| match choice.sort {
            Sort::Number(number) => Some(number),
            Sort::Place | Sort::Piece | Sort::Word => None,
        });
        if let (Some(least), Some(most)) = (numbers.clone().min(), numbers.max()) {
            return Kind::Number(Range::of(least..=most));
        }
        let sort = choices.first().map(|choice| choice.sort);
        let values = choices.into_iter().map(|choice| (choice.text, choice.label)).collect();
        let values = self.named(values);
        let picks = Picks::one(self.list(values));
        match sort {
            Some(Sort::Place) => Kind::Places(picks),
            Some(Sort::Piece) => Kind::Pieces(picks),
            Some(Sort::Word | Sort::Number(_)) | None => Kind::Words(picks),
        }
    }
}
