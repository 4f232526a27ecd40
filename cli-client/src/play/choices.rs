//! Many choices on few lines: grouped by piece, with what their labels have in common written once.

use crate::menu::Line;
use crate::style::{Ink, Style};
use crate::text::{pad, width};

/// A group of so few lines is never folded.
const SMALL: usize = 2;

/// A group of choices under one heading.
struct Group<'a> {
    heading: String,
    choices: Vec<(usize, &'a Line)>,
}

/// All choices if they take no more lines than there is room for, else the headings of some groups.
pub(super) fn overview(style: &Style, list: &[Line], room: usize) -> String {
    let groups = groups(list);
    let texts: Vec<String> = groups.iter().map(|group| lines(style, group)).collect();
    // A folded group is a line, and so is the heading of one that is not.
    let mut free = room.saturating_sub(groups.len());
    let mut show = |(group, text): (&Group<'_>, &String)| {
        let lines = text.lines().count();
        // What weighs most stands first, and has its room before the others.
        if lines <= SMALL || lines <= free {
            free = free.saturating_sub(lines);
            full(style, group, text)
        } else {
            folded(style, group)
        }
    };
    groups.iter().zip(&texts).map(&mut show).collect::<Vec<_>>().join("\n")
}

/// The choices of the groups, or the single choices, that hold a text.
pub(super) fn search(style: &Style, list: &[Line], text: &str) -> String {
    let text = text.to_lowercase();
    let holds = |what: &str| what.to_lowercase().contains(&text);
    let found: Vec<String> = groups(list)
        .into_iter()
        .map(|mut group| {
            if !holds(&group.heading) {
                group.choices.retain(|(_, choice)| holds(&choice.label) || holds(&choice.notation));
            }
            group
        })
        .filter(|group| !group.choices.is_empty())
        .map(|group| full(style, &group, &lines(style, &group)))
        .collect();
    if found.is_empty() { "No choice holds that.".into() } else { found.join("\n") }
}

/// Choices by heading, in the order in which the headings first come.
fn groups(list: &[Line]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (index, choice) in list.iter().enumerate() {
        match groups.iter_mut().find(|group| group.heading == choice.heading) {
            Some(group) => group.choices.push((index + 1, choice)),
            None => groups.push(Group {
                heading: choice.heading.clone(),
                choices: vec![(index + 1, choice)],
            }),
        }
    }
    groups
}

fn full(style: &Style, group: &Group<'_>, lines: &str) -> String {
    format!("{}\n{lines}", style.paint(&group.heading, Ink::Heading))
}

fn folded(style: &Style, group: &Group<'_>) -> String {
    let numbers: Vec<usize> = group.choices.iter().map(|(number, _)| *number).collect();
    let name = group.heading.split_whitespace().last().unwrap_or_default();
    let hint = style.paint(format!("list {name}"), Ink::Notice);
    format!("{}  {}: {hint}", style.paint(&group.heading, Ink::Heading), ranges(&numbers))
}

/// Numbers as ranges: "1-4, 7".
fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|left, right| left + 1 == *right);
    let run = |run: &[usize]| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    };
    runs.map(run).collect::<Vec<_>>().join(", ")
}

/// The choices of a group. Those whose labels begin alike, up to a place in brackets, stand
/// together.
fn lines(style: &Style, group: &Group<'_>) -> String {
    let mut runs: Vec<Vec<Part<'_>>> = Vec::new();
    for (number, choice) in &group.choices {
        let (lead, rest) = split(&choice.label);
        let part = (*number, lead, rest);
        match runs
            .iter_mut()
            .find(|run| run[0].1 == lead && !rest.is_empty() && !run[0].2.is_empty())
        {
            Some(run) => run.push(part),
            None => runs.push(vec![part]),
        }
    }
    runs.iter().map(|run| run_lines(style, run)).collect::<Vec<_>>().join("\n")
}

/// A choice's number, and the two halves of its label.
type Part<'a> = (usize, &'a str, &'a str);

/// "Move A1 to (1,0) (asteroids)" is "Move A1 to" and "(1,0) (asteroids)".
fn split(label: &str) -> (&str, &str) {
    label.find(" (").map_or((label, ""), |at| (&label[..at], label[at..].trim_start()))
}

fn run_lines(style: &Style, run: &[Part<'_>]) -> String {
    let numbered = |number: &usize| style.paint(format!("{number:>4}"), Ink::Notice);
    if let [(number, lead, rest)] = run {
        return format!("{}  {lead} {rest}", numbered(number)).trim_end().to_owned();
    }
    let cells: Vec<String> =
        run.iter().map(|(number, _, rest)| format!("{}  {rest}", numbered(number))).collect();
    let column = cells.iter().map(|cell| width(cell)).max().unwrap_or(0) + 1;
    let per_line = (style.width.saturating_sub(1) / column).max(1);
    let rows = cells.chunks(per_line).map(|row| {
        row.iter().map(|cell| pad(cell, column)).collect::<String>().trim_end().to_owned()
    });
    let lead = style.paint(format!("      {}", run[0].1), Ink::Faint);
    std::iter::once(lead).chain(rows).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(label: &str) -> Line {
        Line { notation: label.to_lowercase(), label: label.to_owned(), ..Line::default() }
    }

    #[test]
    fn what_labels_have_in_common_is_written_once() {
        let list = [
            choice("Move A1 to (1,0)"),
            choice("Move A1 to (0,1) (empty space)"),
            choice("End the turn"),
        ];
        let text = overview(&Style::PLAIN, &list, 32);
        assert_eq!(
            text,
            "\n      Move A1 to\n   1  (1,0)                  2  (0,1) (empty space)\n   3  End \
             the turn"
        );
    }

    #[test]
    fn many_choices_are_folded() {
        let list: Vec<Line> = (0..40).map(|number| choice(&format!("Thing {number}"))).collect();
        assert!(overview(&Style::PLAIN, &list, 32).contains("1-40: list"));
    }

    #[test]
    fn a_large_group_leaves_room_for_small_ones() {
        let of = |heading: &str, count: usize| {
            let line =
                |number| Line { heading: heading.to_owned(), ..choice(&format!("{number}")) };
            (0..count).map(line).collect::<Vec<_>>()
        };
        let list = [of("Ship", 4), of("Base", 36), of("Markers", 3)].concat();
        let text = overview(&Style::PLAIN, &list, 12);
        assert!(text.contains("Base  5-40: list Base"), "{text}");
        assert!(!text.contains("list Markers") && !text.contains("list Ship"), "{text}");
        assert!(text.lines().count() <= 12, "{text}");
    }

    #[test]
    fn a_search_keeps_the_numbers() {
        let list = [choice("Move A1"), choice("End the turn")];
        assert_eq!(search(&Style::PLAIN, &list, "end"), "\n   2  End the turn");
    }

    #[test]
    fn numbers_in_a_row_are_a_range() {
        assert_eq!(ranges(&[1, 2, 3, 7]), "1-3, 7");
    }
}
