//! The tables of the rules, generated from the data that the game uses.

use std::fmt::Write as _;

use crate::tables::attack_table::{Arm, Odds, odds};
use crate::tables::board::{ENTRY_HEXES, Place};
use crate::tables::cards::{CardId, PlanetType};
use crate::tables::fate;
use crate::tables::fate::{
    Cell, STOPPED_BY_ADVANCED_BASE, STOPPED_BY_MISSILE_BASE, Sector, disengagement_number,
    loss_points, pirate_points, planet_cell, planet_points, prime_points, random_event, stopped_by,
    swarm_factors, swarm_target,
};
use crate::tables::prices::Item;
use crate::tables::ships::ShipKind;
use crate::tables::stars::{StarColor, StarId};
use crate::tables::technology::{Predecessor, Tech, TechSet};

pub(super) fn table(number: &str) -> Option<String> {
    Some(match number {
        "1" => planets(),
        "2.7" => entry_hexes(),
        "6.3" => clouds(),
        "12.4" => attack(),
        "17.5" => prices(),
        "18.1" => research(),
        "fate-4.1" => events(),
        "fate-5.1" => swarms(),
        "fate-5.3" => factors(),
        "fate-6.2" => discovery(),
        "fate-7.6" => disengagement(),
        "fate-9" => sectors(),
        "fate-11" => points(),
        _ => return None,
    })
}

fn columns(rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let line = |row: &Vec<String>| {
        let cell = |(column, cell): (usize, &String)| {
            format!("{cell:<0$}", width(column).unwrap_or(0) + 2)
        };
        let line: String = row.iter().enumerate().map(cell).collect();
        format!("{}\n", line.trim_end())
    };
    rows.iter().map(line).collect()
}

fn cells(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn attack() -> String {
    let head =
        std::iter::once("fires at".to_owned()).chain(Arm::ALL.map(|arm| arm.letters().to_owned()));
    let mut rows: Vec<Vec<String>> = vec![head.collect()];
    for by in Arm::ALL {
        let needs = |at: Arm| match odds(by, at) {
            Odds::Never => "-".to_owned(),
            Odds::UpTo(1) => "1".to_owned(),
            Odds::UpTo(most) => format!("1-{most}"),
            Odds::SumOfTen => "10*".to_owned(),
            Odds::Always => "sure".to_owned(),
        };
        let row: Vec<String> = Arm::ALL.map(needs).to_vec();
        if row.iter().any(|cell| cell != "-") {
            rows.push([vec![by.letters().to_owned()], row].concat());
        }
    }
    format!(
        "{}1-4: one die shows 1 to 4. 10*: the sum of two dice is 10. S and CT never fire.\n",
        columns(&rows)
    )
}

fn planets() -> String {
    let mut rows = vec![cells(&[
        "color",
        "stars",
        "cards",
        "T",
        "ST",
        "MT",
        "B",
        "mineral-rich",
        "without planets",
    ])];
    for color in StarColor::ALL {
        let cards: Vec<CardId> = CardId::deck(color).collect();
        let of = |kind: PlanetType| {
            cards
                .iter()
                .flat_map(|card| card.planets())
                .filter(|planet| planet.kind == kind)
                .count()
                .to_string()
        };
        let rich = cards
            .iter()
            .flat_map(|card| card.planets())
            .filter(|planet| planet.mineral_rich)
            .count();
        let empty = cards.iter().filter(|card| card.planets().is_empty()).count();
        let stars = StarId::ALL.into_iter().filter(|star| star.color() == color).count();
        let mut row = vec![color.to_string(), stars.to_string(), cards.len().to_string()];
        row.extend(PlanetType::ALL.map(of));
        row.extend([rich.to_string(), empty.to_string()]);
        rows.push(row);
    }
    format!(
        "{}T terran, ST sub-terran, MT minimal terran, B barren: planets on the cards of a \
         color.\n",
        columns(&rows)
    )
}

fn entry_hexes() -> String {
    let row = |(at, nth): (&Place, u8)| vec![format!("entry hex {nth}"), at.to_string()];
    columns(&ENTRY_HEXES.iter().zip(1..).map(row).collect::<Vec<_>>())
}

fn clouds() -> String {
    let mut text = String::from("Cloud hexes:\n");
    let names: Vec<String> =
        Place::all().filter(|at| at.is_cloud()).map(|at| at.to_string()).collect();
    for line in names.chunks(15) {
        let _ = writeln!(text, "{}", line.join(" "));
    }
    text
}

#[expect(clippy::wildcard_enum_match_arm, reason = "most items have one price")]
fn prices() -> String {
    let needs = |item: Item| {
        let allowed = |tech: &Tech| item.is_allowed(TechSet::NONE.with(*tech));
        if item.is_allowed(TechSet::NONE) {
            return "nothing".to_owned();
        }
        Tech::ALL
            .into_iter()
            .filter(allowed)
            .map(|tech| tech.title().code)
            .collect::<Vec<_>>()
            .join(" or ")
    };
    let price = |item: Item| match item {
        Item::Scout => "3, two for 5".to_owned(),
        Item::Factory => {
            let robotic = item.price(1, TechSet::NONE.with(Tech::RoboticIndustry));
            format!(
                "{}, or {robotic} with {}",
                item.price(1, TechSet::NONE),
                Tech::RoboticIndustry.title().code
            )
        }
        _ => item.price(1, TechSet::NONE).to_string(),
    };
    let mut rows = vec![cells(&["item", "i.p.", "needs"])];
    rows.extend(Item::ALL.into_iter().map(|item| vec![item.to_string(), price(item), needs(item)]));
    columns(&rows)
}

fn research() -> String {
    let mut rows = vec![cells(&["class", "level", "title", "i.p.", "cheaper", "in orders"])];
    for tech in Tech::ALL {
        let title = tech.title();
        let cheaper = match title.discount {
            Some((Predecessor::Owned(before), cost)) => format!("{cost} with {before}"),
            Some((Predecessor::Speed(hexes), cost)) => format!("{cost} with speed {hexes} or more"),
            None => String::new(),
        };
        let (level, cost) = (title.level.to_string(), title.cost.to_string());
        rows.push(vec![
            title.class.to_string(),
            level,
            title.name.into(),
            cost,
            cheaper,
            title.code.into(),
        ]);
    }
    columns(&rows)
}

fn two_dice(cell: impl Fn(u8, u8) -> String) -> Vec<Vec<String>> {
    let mut rows = vec![cells(&["red \\ white", "1", "2", "3", "4", "5", "6"])];
    for red in 1..=6 {
        rows.push(
            std::iter::once(red.to_string()).chain((1..=6).map(|white| cell(red, white))).collect(),
        );
    }
    rows
}

fn events() -> String {
    let letter = |red, white| {
        let event = random_event(red, white);
        event.to_string()
    };
    let key = "A: 5 CT and 10 i.p. for research. B: a die of corvettes. C: a die of scouts.\n\
               D: a Sub-Province with 5 C, 4 S, 5 CT, and a C on even turns.\n\
               E: lose a die of ship points. F, G: lose two dice of ship points.\n\
               G: also full-scale war, in which A to F do nothing.\n\
               H: peace; without a war, Swarms. I: Swarms.\n";
    format!("{}{key}", columns(&two_dice(letter)))
}

fn swarms() -> String {
    columns(&two_dice(|red, white| swarm_target(red, white).to_string()))
}

fn factors() -> String {
    let mut rows =
        vec![std::iter::once("die".to_owned()).chain((1..=6).map(|die| die.to_string())).collect()];
    let strengths = (1..=6).map(|die| swarm_factors(die).to_string());
    rows.push(std::iter::once("factors".to_owned()).chain(strengths).collect::<Vec<_>>());
    let ships = [ShipKind::Corvette, ShipKind::Fighter, ShipKind::DeathStar];
    let ships: Vec<String> =
        ships.iter().map(|kind| format!("{} {}", kind.letters(), stopped_by(*kind))).collect();
    format!(
        "{}Factors stopped by each ship: {} (twice as many with Improved Ship Weaponry).\n\
         Factors stopped by each base: MB {STOPPED_BY_MISSILE_BASE}, AMB \
         {STOPPED_BY_ADVANCED_BASE}. A shield stops all factors.\n",
        columns(&rows),
        ships.join(", ")
    )
}

/// Describes a cell of the Planet Table. Only Prime planets have robotic factories.
fn contents(cell: &Cell) -> String {
    if cell.is_empty() {
        return "-".to_owned();
    }
    let mut parts = Vec::new();
    if cell.population > 0 {
        parts.push(format!("{}M", cell.population));
    }
    match (cell.factories, cell.robotic) {
        (0, 0) => {}
        (factories, 0) => parts.push(format!("I{factories}")),
        (factories, robotic) => parts.push(format!("I{factories}/{robotic}")),
    }
    if (cell.missile, cell.advanced) != (0, 0) {
        parts.push(format!("D{}/{}", cell.missile, cell.advanced));
    }
    for (count, what) in [(cell.corvettes, "C"), (cell.scouts, "S")] {
        if count > 0 {
            parts.push(format!("{count}{what}"));
        }
    }
    parts.join(" ")
}

fn discovery() -> String {
    let kinds =
        [PlanetType::Barren, PlanetType::MinimalTerran, PlanetType::SubTerran, PlanetType::Terran];
    let mut rows = vec![cells(&["red-white", "barren", "minimal terran", "sub-terran", "terran"])];
    for red in 1..=6 {
        for white in 1..=6 {
            let row = kinds.map(|kind| match planet_cell(red, white, kind) {
                cell if cell.prime => "PRIME".to_owned(),
                cell => contents(&cell),
            });
            if row.iter().any(|cell| cell != "-") {
                rows.push([vec![format!("{red}-{white}")], row.to_vec()].concat());
            }
        }
    }
    let [sub_terran, terran] =
        [PlanetType::SubTerran, PlanetType::Terran].map(|kind| contents(&planet_cell(6, 6, kind)));
    format!(
        "{}M millions of people; I factories, ordinary/robotic; D MB/AMB; C, S pirate ships.\n\
         Rolls not listed find nothing. There is one PRIME of each type:\n\
         sub-terran {sub_terran}, terran {terran}.\n",
        columns(&rows)
    )
}

fn disengagement() -> String {
    let mut rows = vec![cells(&["points more than theirs", "they leave on"])];
    for (difference, told) in
        [(0, "0 or less"), (1, "1-2"), (3, "3-5"), (6, "6-7"), (8, "8-9"), (10, "10 or more")]
    {
        let most = disengagement_number(difference);
        rows.push(vec![
            told.to_owned(),
            if most == 1 { "1".to_owned() } else { format!("1-{most}") },
        ]);
    }
    let worth: Vec<String> = ShipKind::ALL
        .into_iter()
        .map(|kind| {
            let half_points = fate::half_points(kind);
            let half = if half_points % 2 == 1 { "½" } else { "" };
            let whole =
                if half_points == 1 { String::new() } else { (half_points / 2).to_string() };
            format!("{} {whole}{half}", kind.letters())
        })
        .collect();
    format!(
        "{}Ship points: {}; a lone scout counts for nothing here.\n",
        columns(&rows),
        worth.join(", ")
    )
}

fn sectors() -> String {
    let mut text = String::new();
    for (sector, name) in Sector::ALL.into_iter().zip(["1", "2", "3", "4", "Central"]) {
        let stars: Vec<&str> = sector.stars().iter().map(|star| star.as_str()).collect();
        let _ = writeln!(
            text,
            "Sector {name}: {} points for planets at {} of these stars: {}.",
            sector.points(),
            sector.systems(),
            stars.join(", ")
        );
    }
    text
}

fn points() -> String {
    let kinds = |points: fn(ShipKind) -> i64| {
        let row = ShipKind::ALL.into_iter().filter(|kind| points(*kind) != 0);
        row.map(|kind| format!("{} {}", kind.letters(), points(kind)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let worlds: Vec<String> = PlanetType::ALL
        .into_iter()
        .map(|kind| format!("{} {}", kind.letters(), planet_points(kind)))
        .collect();
    let primes = [PlanetType::Terran, PlanetType::SubTerran]
        .map(|kind| format!("{} {}", kind.letters(), prime_points(kind)));
    format!(
        "Pirates destroyed: {}. Ships lost: {}.\nColonies and dominions: {}. Prime dominions: \
         {}.\nAt least 300 points: decisive victory. 200: substantial. 100: marginal. Fewer than \
         100: defeat.\n",
        kinds(pirate_points),
        kinds(loss_points),
        worlds.join(", "),
        primes.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_12_4_the_attack_table_as_printed() {
        let rows: Vec<Vec<String>> = attack()
            .lines()
            .map(|line| line.split_whitespace().map(str::to_owned).collect())
            .collect();
        let row = |name: &str| rows.iter().find(|row| row[0] == name).map(|row| row[1..].join(" "));
        assert_eq!(row("C").as_deref(), Some("1-4 1-4 1 1 10* 10* -"));
        assert_eq!(row("AMB").as_deref(), Some("1-5 1-5 1-2 1-2 1 1 10*"));
        assert_eq!(row("DS").as_deref(), Some("sure sure 1-4 1-4 1-3 1-3 1-2"));
        assert_eq!(row("S"), None);
    }

    #[test]
    fn fate_4_1_and_5_1_every_cell_is_printed() {
        assert!(
            events().lines().nth(1).is_some_and(|line| line
                .split_whitespace()
                .eq(["1", "D", "-", "I", "-", "C", "H"]))
        );
        assert_eq!(
            swarms().split_whitespace().filter(|word| word.parse::<StarId>().is_ok()).count(),
            36
        );
    }

    #[test]
    fn fate_6_2_the_primes_are_printed() {
        let text = discovery();
        assert!(
            text.contains("sub-terran 40M I10/10 D10/10 5C 3S, terran 60M I10/20 D10/15 10C 5S"),
            "{text}"
        );
    }

    #[test]
    fn tables_fit_a_terminal_and_rule_2_5_counts_60_clouds() {
        for number in [
            "1", "2.7", "6.3", "12.4", "17.5", "fate-4.1", "fate-5.1", "fate-5.3", "fate-6.2",
            "fate-7.6",
        ] {
            let text = table(number).expect(number);
            assert!(text.lines().count() >= 2, "{number}");
            let widest = text
                .lines()
                .filter(|line| line.contains("  "))
                .map(|line| line.chars().count())
                .max();
            assert!(
                widest.is_none_or(|widest| widest <= 80),
                "{number} is {widest:?} wide:\n{text}"
            );
        }
        let names =
            clouds().split_whitespace().filter(|word| word.parse::<Place>().is_ok()).count();
        assert_eq!(names, 60);
    }

    #[test]
    fn rule_18_1_the_research_chart_names_every_code() {
        let text = research();
        assert!(Tech::ALL.into_iter().all(|tech| text.contains(tech.title().code)), "{text}");
    }
}
