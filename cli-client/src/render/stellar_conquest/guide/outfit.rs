//! Setup: the bonus of 25 i.p. (3.4), or the Captain-General's commission (The Fate of Empire 2).

use heliopause_kernel::Game as _;
use heliopause_stellar_conquest::fate::commission;
use heliopause_stellar_conquest::{BONUS, Item, Order, Outfit, Payment, Sheet, StellarConquest, Tech, TechSet};

use super::{Case, Menu, no_entry, parsed};
use crate::render::stellar_conquest::words;
use crate::render::{Guide, Step};
use crate::style::Style;

/// What the player begins with, as far as he has chosen.
#[derive(Debug)]
pub(super) struct Outfitter {
    case: Case,
    scouts: u32,
    corvettes: u32,
    payments: Vec<Payment>,
    technologies: Vec<Tech>,
    asking: Option<usize>,
}

/// A line of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Corvettes,
    Scouts,
    Tech(Tech),
    Usual,
    Done,
}

impl Outfitter {
    pub(super) fn new(case: Case) -> Self {
        let (mut scouts, mut corvettes, mut payments, mut technologies) = (0, 0, Vec::new(), Vec::new());
        if let Some(power) = case.view.power()
            && let Sheet::Outfit(outfit) = &power.sheet
        {
            match outfit {
                Outfit::Bonus { scouts: some, corvettes: others, research } => {
                    (scouts, corvettes, payments) = (*some, *others, research.clone());
                }
                Outfit::Commission { corvettes: some, scouts: others, technologies: both } => {
                    (corvettes, scouts, technologies) = (*some, *others, both.to_vec());
                }
            }
        }
        Self { case, scouts, corvettes, payments, technologies, asking: None }
    }

    fn is_fate(&self) -> bool {
        self.case.view.table.campaign.fate().is_some()
    }

    fn lines(&self) -> Vec<Line> {
        let offered = self.case.choices.setup.as_ref().map(|(_, techs)| techs.clone()).unwrap_or_default();
        let mut lines = vec![Line::Corvettes, Line::Scouts];
        lines.extend(offered.into_iter().map(Line::Tech));
        lines.extend([Line::Usual, Line::Done]);
        lines
    }

    /// What is spent: i.p., or half ship points.
    fn spent(&self) -> u32 {
        if self.is_fate() {
            return self.corvettes * 2 + self.scouts;
        }
        let ships = Item::Scout.price(self.scouts, TechSet::NONE) + Item::Corvette.price(self.corvettes, TechSet::NONE);
        ships + self.payments.iter().map(|payment| payment.points).sum::<u32>()
    }

    fn left(&self) -> u32 {
        let all = if self.is_fate() { commission::HALF_POINTS } else { BONUS };
        all.saturating_sub(self.spent())
    }

    fn paid(&self, tech: Tech) -> u32 {
        self.payments.iter().find(|payment| payment.tech == tech).map_or(0, |payment| payment.points)
    }

    fn owned(&self) -> TechSet {
        let full = self.payments.iter().filter(|payment| payment.points >= TechSet::NONE.cost(payment.tech));
        full.map(|payment| payment.tech).collect()
    }

    /// The most of a line that can be chosen, all that is chosen already included.
    fn most(&self, line: Line) -> u32 {
        let left = self.left();
        match (line, self.is_fate()) {
            (Line::Corvettes, true) => self.corvettes + left / 2,
            (Line::Scouts, true) => self.scouts + left,
            (Line::Corvettes, false) => self.corvettes + left / 8,
            (Line::Scouts, false) => {
                let all = left + Item::Scout.price(self.scouts, TechSet::NONE);
                (0..=all).take_while(|count| Item::Scout.price(*count, TechSet::NONE) <= all).last().unwrap_or(0)
            }
            (Line::Tech(tech), _) => (self.paid(tech) + left).min(self.owned().cost(tech)),
            (Line::Usual | Line::Done, _) => 0,
        }
    }

    fn set(&mut self, line: Line, count: u32) -> Step {
        let most = self.most(line);
        if count > most {
            return Step::Told(format!("At most {most}."));
        }
        match line {
            Line::Corvettes => self.corvettes = count,
            Line::Scouts => self.scouts = count,
            Line::Tech(tech) => {
                self.payments.retain(|payment| payment.tech != tech);
                if count > 0 {
                    self.payments.push(Payment { tech, points: count });
                }
                // 3 Hex Speed first makes 4 Hex Speed cheaper.
                self.payments.sort_by_key(|payment| payment.tech.index());
            }
            Line::Usual | Line::Done => {}
        }
        self.asking = None;
        Step::Turned
    }

    fn outfit(&self) -> Option<Outfit> {
        if !self.is_fate() {
            let research = self.payments.clone();
            return Some(Outfit::Bonus { scouts: self.scouts, corvettes: self.corvettes, research });
        }
        let technologies = <[Tech; 2]>::try_from(self.technologies.clone()).ok()?;
        Some(Outfit::Commission { corvettes: self.corvettes, scouts: self.scouts, technologies })
    }

    fn pick(&mut self, line: Line) -> Step {
        match line {
            Line::Done => self.done(),
            Line::Usual => self.usual(),
            Line::Tech(tech) if self.is_fate() => {
                if let Some(at) = self.technologies.iter().position(|other| *other == tech) {
                    self.technologies.remove(at);
                } else if self.technologies.len() == 2 {
                    self.technologies.remove(0);
                    self.technologies.push(tech);
                } else {
                    self.technologies.push(tech);
                }
                Step::Turned
            }
            _ => {
                self.asking = self.lines().iter().position(|other| *other == line);
                Step::Turned
            }
        }
    }

    fn usual(&mut self) -> Step {
        let listed = self.case.choices.listed.iter().find_map(|listed| match &listed.order {
            Order::Outfit(outfit) => Some(outfit.clone()),
            _ => None,
        });
        listed.map_or(Step::Other, hand_in)
    }

    fn done(&self) -> Step {
        match self.outfit() {
            Some(outfit) => match self.case.refusal(&Order::Outfit(outfit.clone())) {
                Some(why) => Step::Told(why),
                None => hand_in(outfit),
            },
            None => Step::Told("Choose two technologies first.".into()),
        }
    }

    fn cells(&self, line: Line) -> Vec<String> {
        let fate = self.is_fate();
        let chosen = |count: u32| if count == 0 { "-".to_owned() } else { count.to_string() };
        match line {
            Line::Corvettes => {
                let price = if fate { "1 point" } else { "8 i.p." };
                vec!["corvettes".into(), price.into(), chosen(self.corvettes), "warships; light guns".into()]
            }
            Line::Scouts => {
                let price = if fate { "half a point" } else { "3 i.p., two for 5" };
                vec!["scouts".into(), price.into(), chosen(self.scouts), "explore without limit of range".into()]
            }
            Line::Tech(tech) => {
                let price = if fate { "one of two".into() } else { format!("{} i.p.", self.owned().cost(tech)) };
                let now = match (fate, self.technologies.contains(&tech)) {
                    (true, true) => "chosen".into(),
                    (true, false) => "-".into(),
                    (false, _) => chosen(self.paid(tech)),
                };
                vec![tech.to_string(), price, now, what_for(tech).into()]
            }
            Line::Usual => vec!["the usual start, and go".into()],
            Line::Done => vec!["done: begin with this".into()],
        }
    }

    fn menu(&self) -> Menu {
        let lines = self.lines();
        if let Some(line) = self.asking.and_then(|at| lines.get(at)) {
            let name = self.cells(*line).swap_remove(0);
            let what = if matches!(line, Line::Tech(_)) {
                format!("How many i.p. into {name}")
            } else {
                format!("How many {name}")
            };
            return Menu {
                lead: vec![format!("{what}? 0 to {}", self.most(*line))],
                entries: Vec::new(),
                hint: "A number, or back.".into(),
            };
        }
        let lead = if self.is_fate() {
            format!(
                "You lead 30 colony transports. Choose corvettes and scouts for 15 ship points ({} left) and two of four technologies.",
                words::halves(self.left())
            )
        } else {
            format!(
                "You have 4 scouts, 4 corvettes and 35 colony transports. 25 i.p. buy more: {} left; what is left is lost.",
                self.left()
            )
        };
        let entries =
            lines.iter().map(|line| super::Entry { cells: self.cells(*line), does: super::Does::Say(String::new()) });
        let typed = if self.is_fate() {
            "commission 10 corvettes; 10 scouts; speed3; industry"
        } else {
            "setup 2 scouts; 15 into speed3; 5 into fighter"
        };
        Menu {
            lead: vec![lead],
            entries: entries.collect(),
            hint: format!("A number chooses; `1 4` means 4 of choice 1. Typed in one line: {typed}."),
        }
    }
}

/// What a technology is good for.
pub(super) fn what_for(tech: Tech) -> &'static str {
    match tech {
        Tech::Speed3 | Tech::Speed4 | Tech::Speed5 | Tech::Speed6 | Tech::Speed7 | Tech::Speed8 => "faster ships",
        Tech::MissileBase => "allows missile bases, 4 i.p.",
        Tech::Fighter => "allows fighters, 20 i.p.",
        Tech::AdvancedMissileBase => "allows advanced bases, 10 i.p.",
        Tech::DeathStar => "allows death stars, 40 i.p.",
        Tech::ImprovedShipWeaponry => "who misses fires once more",
        Tech::PlanetShield => "allows shields, 30 i.p.: no attack",
        Tech::ControlledEnvironment => "people can live on barren planets",
        Tech::IndustrialTechnology => "allows factories, one a million",
        Tech::ImprovedIndustrialTechnology => "two factories a million",
        Tech::UnlimitedShipRange => "no command posts needed",
        Tech::UnlimitedShipCommunication => "ships need no destination",
        Tech::RoboticIndustry => "factories for 3, without limit",
    }
}

fn hand_in(outfit: Outfit) -> Step {
    Step::Order { text: StellarConquest::notate(&Order::Outfit(outfit)), ready: true }
}

impl Guide for Outfitter {
    fn page(&self, style: &Style) -> String {
        self.menu().text(style)
    }

    fn take(&mut self, line: &str) -> Step {
        let line = line.trim().to_lowercase();
        let lines = self.lines();
        let numbers: Option<Vec<usize>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
        if let Some(at) = self.asking {
            return match (line.as_str(), numbers.as_deref()) {
                ("b" | "back" | "", _) => {
                    self.asking = None;
                    Step::Turned
                }
                (_, Some([count])) => self.set(lines[at], u32::try_from(*count).unwrap_or(u32::MAX)),
                _ => Step::Other,
            };
        }
        match (line.as_str(), numbers.as_deref()) {
            ("done" | "ready", _) => self.done(),
            ("usual", _) => self.usual(),
            (_, Some([number])) if (1..=lines.len()).contains(number) => self.pick(lines[number - 1]),
            (_, Some([number, count])) if (1..=lines.len()).contains(number) => {
                self.set(lines[number - 1], u32::try_from(*count).unwrap_or(u32::MAX))
            }
            (_, Some([number, ..])) => Step::Told(no_entry(*number, lines.len())),
            _ => match parsed(&self.case, &line) {
                Some(Order::Outfit(outfit)) => match self.case.refusal(&Order::Outfit(outfit.clone())) {
                    Some(why) => Step::Told(why),
                    None => hand_in(outfit),
                },
                _ => Step::Other,
            },
        }
    }
}
