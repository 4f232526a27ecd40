//! Leads a player through what is asked of him, by numbers: a menu for every step, with what each choice does or costs. What
//! it offers was judged by the rules beforehand, so that nothing of it is refused.
//!
//! | what is asked | module |
//! | --- | --- |
//! | setup | `outfit` |
//! | movement, landings, conquests, battles: menus | `desk` |
//! | which ships, and where to | `voyage` |
//! | at what ships fire, where they withdraw to | `battle` |
//! | a production turn | `produce` (what is planned), `colony` (its pages) |

use heliopause_kernel::{Game as _, Wire as _};
use heliopause_stellar_conquest::{Choices, Order, Stage, StellarConquest, View};

pub(super) use battle::letters;

use crate::render::{Guide, Step};
use crate::style::{Ink, Style};
use crate::text;

mod battle;
mod colony;
mod desk;
mod outfit;
mod produce;
mod voyage;

/// What a view asks of its seat.
#[derive(Debug)]
pub(super) struct Case {
    /// What the seat knows.
    pub(super) view: View,
    /// What it can order.
    pub(super) choices: Choices,
    /// What seats are called.
    pub(super) names: Vec<String>,
}

/// A menu: what stands above, the entries by number, and what else can be typed.
#[derive(Debug, Default)]
struct Menu {
    lead: Vec<String>,
    entries: Vec<Entry>,
    hint: String,
}

/// An entry of a menu.
#[derive(Debug)]
struct Entry {
    cells: Vec<String>,
    does: Does,
}

/// What an entry does.
#[derive(Clone, Debug)]
enum Does {
    /// Gives orders.
    Orders(Vec<Order>),
    /// Opens another page.
    Open(Page),
    /// Only says something.
    Say(String),
}

impl Entry {
    fn new(text: impl Into<String>, does: Does) -> Self {
        Self { cells: vec![text.into()], does }
    }

    fn order(text: impl Into<String>, order: Order) -> Self {
        Self::new(text, Does::Orders(vec![order]))
    }
}

/// Where the player is.
#[derive(Clone, Debug)]
enum Page {
    /// The menu of the step.
    Desk,
    /// Which of these ships move.
    Which(voyage::Party),
    /// Where to.
    Where(voyage::Party),
    /// How many.
    Count(desk::Counting),
    /// For which star withdrawing ships are bound.
    Bound,
    /// For which star the next kind of withdrawing ship is bound.
    Apart(battle::Parting),
    /// At what the next gun fires.
    Aim(battle::Aiming),
    /// The standing orders.
    Standing,
}

/// The guide through the steps of a turn.
#[derive(Debug)]
struct Turns {
    case: Case,
    page: Page,
}

/// The guide for what a view asks of its seat; none if it asks nothing.
pub(super) fn open(case: Case) -> Option<Box<dyn Guide>> {
    case.view.power()?;
    Some(match case.view.table.stage {
        Stage::Over => return None,
        Stage::Setup => Box::new(outfit::Outfitter::new(case)),
        Stage::Production if case.choices.decree.is_none() => Box::new(produce::Planner::new(case)),
        _ => Box::new(Turns { case, page: Page::Desk }),
    })
}

/// Orders as lines of the notation.
fn notated(orders: &[Order]) -> String {
    orders.iter().map(StellarConquest::notate).collect::<Vec<_>>().join("\n")
}

/// The first order that a text stands for.
fn parsed(case: &Case, text: &str) -> Option<Order> {
    StellarConquest::parse(&case.view, text).ok()?.into_iter().next()
}

impl Case {
    /// Why an order would be refused.
    fn refusal(&self, order: &Order) -> Option<String> {
        StellarConquest::judge_view(&self.view, order)
            .err()
            .map(|refusal| format!("{} ({})", refusal.message, refusal.rule))
    }
}

impl Turns {
    fn menu(&self) -> Menu {
        match &self.page {
            Page::Desk => desk::menu(&self.case),
            Page::Which(party) => voyage::which(&self.case, party),
            Page::Where(party) => voyage::targets(&self.case, party),
            Page::Count(counting) => desk::count(counting),
            Page::Bound => battle::bound(&self.case),
            Page::Apart(parting) => battle::apart(&self.case, parting),
            Page::Aim(aiming) => battle::aim(&self.case, aiming),
            Page::Standing => desk::standing(&self.case),
        }
    }

    fn act(&mut self, does: Does) -> Step {
        match does {
            Does::Orders(orders) => self.order(&orders),
            Does::Open(page) => {
                self.page = page;
                Step::Turned
            }
            Does::Say(text) => Step::Told(text),
        }
    }

    fn order(&mut self, orders: &[Order]) -> Step {
        // Several orders are judged one after the other by the engine; a single one can be told of at once.
        if let [order] = orders
            && let Some(why) = self.case.refusal(order)
        {
            return Step::Told(why);
        }
        // Whoever changes one line of the standing orders often changes another.
        if !matches!(self.page, Page::Standing) {
            self.page = Page::Desk;
        }
        // A decree is whole: nothing is added to it.
        let ready = matches!(orders, [Order::Decree(_)]);
        Step::Order { text: notated(orders), ready }
    }

    /// What a line means on the page that is open, if it is no number of an entry.
    fn read(&mut self, line: &str) -> Option<Does> {
        match &self.page {
            Page::Which(party) => voyage::read_which(&self.case, party, line),
            Page::Where(party) => voyage::read_target(&self.case, party, line),
            Page::Count(counting) => desk::read_count(&self.case, counting, line),
            Page::Bound => battle::read_bound(&self.case, line),
            Page::Apart(parting) => battle::read_apart(&self.case, parting, line),
            Page::Desk if line == "standing" => Some(Does::Open(Page::Standing)),
            Page::Desk | Page::Aim(_) | Page::Standing => None,
        }
    }
}

impl Guide for Turns {
    fn page(&self, style: &Style) -> String {
        self.menu().text(style)
    }

    fn bookmark(&self) -> Option<&'static str> {
        matches!(self.page, Page::Standing).then_some("standing")
    }

    fn take(&mut self, line: &str) -> Step {
        let line = line.trim().to_lowercase();
        if matches!(line.as_str(), "b" | "back") && !matches!(self.page, Page::Desk) {
            self.page = Page::Desk;
            return Step::Turned;
        }
        if let Some(does) = self.read(&line) {
            return self.act(does);
        }
        let Ok(number) = line.parse::<usize>() else { return Step::Other };
        let mut entries = self.menu().entries;
        if (1..=entries.len()).contains(&number) {
            return self.act(entries.swap_remove(number - 1).does);
        }
        Step::Told(no_entry(number, entries.len()))
    }
}

fn no_entry(number: usize, last: usize) -> String {
    match last {
        0 => format!("There is no choice {number}: there are none here."),
        last => format!("There is no choice {number}; they go from 1 to {last}."),
    }
}

impl Menu {
    fn text(&self, style: &Style) -> String {
        let mut lines: Vec<String> = self.lead.iter().map(|line| text::wrap(line, style.width, 0)).collect();
        let numbered: Vec<(usize, &Entry)> = (1..).zip(&self.entries).collect();
        // Sentences stand for themselves, so that they do not push the columns of the others apart.
        for run in numbered.chunk_by(|(_, one), (_, other)| (one.cells.len() > 1) == (other.cells.len() > 1)) {
            let columns = run.iter().map(|(_, entry)| entry.cells.len()).max().unwrap_or(0);
            let row = |(number, entry): &(usize, &Entry)| {
                let mut row = vec![style.paint(format!("{number:>3}"), Ink::Notice)];
                row.extend(entry.cells.iter().cloned());
                row.resize(columns + 1, String::new());
                row
            };
            let rows: Vec<Vec<String>> = run.iter().map(row).collect();
            lines.push(text::table(style, &vec![""; columns + 1], &rows).trim_start_matches('\n').to_owned());
        }
        if !self.hint.is_empty() {
            let hint = text::wrap(&self.hint, style.width, 0);
            lines.extend(hint.lines().map(|line| style.paint(line, Ink::Faint)));
        }
        lines.join("\n")
    }
}

#[cfg(test)]
pub(super) fn read_back(case: &Case, text: &str) -> Vec<Order> {
    StellarConquest::parse(&case.view, text).expect("what the guide writes can be read")
}

/// The case of a view.
pub(super) fn case(view: &heliopause_proto::stellar_conquest::v1::View, names: Vec<String>) -> Option<Case> {
    let view = StellarConquest::read_view(view).ok()?;
    let choices = StellarConquest::choices_of(&view);
    Some(Case { view, choices, names })
}
