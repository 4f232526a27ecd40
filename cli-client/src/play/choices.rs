//! Compact lists of choices: grouped by piece, with common parts of labels written once.

use crate::menu::Line;
use crate::style::{Ink, Style};
use crate::text::{pad, width, wrap};
use crate::words::say;

/// Maximum number of lines in a group that is never folded.
const UNFOLDED_MAX: usize = 2;

/// The column of a label, after its number.
const LABEL_INDENT: usize = 6;

struct Group<'a> {
    heading: String,
    choices: Vec<(usize, &'a Line)>,
}

/// Formats the groups of choices. If not all choices fit into `room` lines, folds the last lines of
/// some groups.
pub(super) fn overview(style: &Style, list: &[Line], room: usize) -> Vec<String> {
    let groups = groups(list);
    // Each group takes at least one line: its folded form, or its heading.
    let mut free = room.saturating_sub(groups.len());
    let mut show = |group: &Group<'_>| {
        let blocks = blocks(style, group);
        let lines = blocks.iter().map(|block| block.text.lines().count()).sum::<usize>();
        // Earlier groups matter most, so they get their lines first.
        if lines <= UNFOLDED_MAX || lines <= free {
            free = free.saturating_sub(lines);
            return full(style, group, &blocks);
        }
        let mut rest = blocks.as_slice();
        let mut shown = Vec::new();
        while let [first, more @ ..] = rest
            && first.text.lines().count() < free
        {
            free -= first.text.lines().count();
            shown.push(first.text.as_str());
            rest = more;
        }
        let numbers: Vec<usize> = rest.iter().flat_map(|block| block.numbers.clone()).collect();
        let folded = folded(style, group, &numbers);
        let heading = style.paint(&group.heading, Ink::Heading);
        if shown.is_empty() {
            return format!("{heading}  {folded}");
        }
        free -= 1;
        format!("{heading}\n{}\n      {folded}", shown.join("\n"))
    };
    groups.iter().map(&mut show).collect()
}

pub(super) fn search(style: &Style, list: &[Line], text: &str) -> String {
    let wanted = text.to_lowercase();
    let holds = |what: &str| what.to_lowercase().contains(&wanted);
    let found: Vec<String> = groups(list)
        .into_iter()
        .map(|mut group| {
            if !holds(&group.heading) {
                group.choices.retain(|(_, choice)| holds(&choice.label) || holds(&choice.notation));
            }
            group
        })
        .filter(|group| !group.choices.is_empty())
        .map(|group| full(style, &group, &blocks(style, &group)))
        .collect();
    if list.is_empty() {
        return say!("play-there-no-choices");
    }
    if found.is_empty() { say!("play-no-choice-contains", text = text) } else { found.join("\n") }
}

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

fn full(style: &Style, group: &Group<'_>, blocks: &[Block]) -> String {
    let lines = blocks.iter().map(|block| block.text.as_str());
    let heading = style.paint(&group.heading, Ink::Heading);
    std::iter::once(heading.as_str()).chain(lines).collect::<Vec<_>>().join("\n")
}

fn folded(style: &Style, group: &Group<'_>, numbers: &[usize]) -> String {
    let name = group.heading.split_whitespace().last().unwrap_or_default();
    format!("{}: {}", ranges(numbers), style.paint(format!("list {name}"), Ink::Notice))
}

fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|left, right| left + 1 == *right);
    let run = |run: &[usize]| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    };
    runs.map(run).collect::<Vec<_>>().join(", ")
}

/// Lines that are shown or folded together.
struct Block {
    numbers: Vec<usize>,
    text: String,
}

/// Formats the choices of a group. Omits the heading from labels, and writes the common start of
/// adjacent labels once.
fn blocks(style: &Style, group: &Group<'_>) -> Vec<Block> {
    let label = |choice: &'_ Line| {
        let label = choice.label.strip_prefix(&group.heading).unwrap_or(&choice.label);
        label.trim().split(' ').map(str::to_owned).collect::<Vec<_>>()
    };
    let labels: Vec<(usize, Vec<String>)> =
        group.choices.iter().map(|(number, choice)| (*number, label(choice))).collect();
    let mut rest = labels.as_slice();
    let mut blocks: Vec<Block> = Vec::new();
    let mut cells: Vec<(usize, String)> = Vec::new();
    while let [(number, words), ..] = rest {
        let lead = lead(rest);
        let is_led = |(_, words): &&(usize, Vec<String>)| words.starts_with(lead);
        let count = if lead.is_empty() { 1 } else { rest.iter().take_while(is_led).count() };
        let text = words.join(" ");
        let is_alone = lead.is_empty() && !is_short(style, &text);
        if (is_alone || !lead.is_empty()) && !cells.is_empty() {
            blocks.extend(rows(style, "", &std::mem::take(&mut cells)));
        }
        if !lead.is_empty() {
            let led: Vec<(usize, String)> = rest[..count]
                .iter()
                .map(|(number, words)| (*number, words[lead.len()..].join(" ")))
                .collect();
            blocks.extend(rows(style, &lead.join(" "), &led));
        } else if is_alone {
            blocks.extend(rows(style, "", &[(*number, text)]));
        } else {
            cells.push((*number, text));
        }
        rest = &rest[count..];
    }
    if !cells.is_empty() {
        blocks.extend(rows(style, "", &cells));
    }
    blocks
}

/// Returns the words that the first three labels start with, or the first two if they continue with
/// brackets: "Move A1 to" of "Move A1 to (1,0)" and "Move A1 to (0,1)". Returns no words if the
/// labels have fewer than two words in common, without open slots such as "[how many]".
fn lead(labels: &[(usize, Vec<String>)]) -> &[String] {
    let common = |count: usize| {
        let [(_, first), rest @ ..] = labels.get(..count).unwrap_or_default() else {
            return &[][..];
        };
        let is_common = |nth: &usize| {
            nth + 1 < first.len()
                && !first[*nth].contains('[')
                && rest.iter().all(|(_, words)| nth + 1 < words.len() && words[*nth] == first[*nth])
        };
        let length = (0..first.len()).take_while(is_common).count();
        if length < 2 { &[] } else { &first[..length] }
    };
    let two = common(2);
    let is_bracket = |(_, words): &(usize, Vec<String>)| words[two.len()].starts_with('(');
    if !two.is_empty() && labels[..2].iter().all(is_bracket) { two } else { common(3) }
}

/// Returns whether two labels of this length fit into a line.
fn is_short(style: &Style, label: &str) -> bool {
    width(label) + 8 <= style.width / 2
}

/// Formats labels in rows of columns, below the words that they start with.
fn rows(style: &Style, lead: &str, labels: &[(usize, String)]) -> Vec<Block> {
    let numbered = |number: &usize| style.paint(format!("{number:>4}"), Ink::Notice);
    let cells: Vec<String> =
        labels.iter().map(|(number, label)| format!("{}  {label}", numbered(number))).collect();
    let column = cells.iter().map(|cell| width(cell)).max().unwrap_or(0) + 1;
    let per_line = (style.width.saturating_sub(1) / column).max(1);
    let row = |(labels, cells): (&[(usize, String)], &[String])| {
        let row = cells.iter().map(|cell| pad(cell, column)).collect::<String>();
        Block {
            numbers: labels.iter().map(|(number, _)| *number).collect(),
            text: wrap(row.trim_end(), style.width, LABEL_INDENT),
        }
    };
    let mut rows: Vec<Block> =
        labels.chunks(per_line).zip(cells.chunks(per_line)).map(row).collect();
    if let Some(first) = rows.first_mut().filter(|_| !lead.is_empty()) {
        let lead = style.paint(format!("      {lead}"), Ink::Faint);
        first.text = format!("{lead}\n{}", first.text);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(label: &str) -> Line {
        Line { notation: label.to_lowercase(), label: label.to_owned(), ..Line::default() }
    }

    #[test]
    fn common_parts_of_labels_are_written_once() {
        let list = [
            choice("Move A1 to (1,0)"),
            choice("Move A1 to (0,1) (empty space)"),
            choice("End the turn"),
        ];
        let text = overview(&Style::PLAIN, &list, 32);
        assert_eq!(
            text.join("\n"),
            "\n      Move A1 to\n   1  (1,0)                  2  (0,1) (empty space)\n   3  End \
             the turn"
        );
    }

    #[test]
    fn a_long_label_continues_below_itself() {
        let style = Style { width: 40, ..Style::PLAIN };
        let list = [choice("Move [which of ten ships] to [star], stop after [hexes]")];
        assert_eq!(
            overview(&style, &list, 32),
            ["\n   1  Move [which of ten ships] to\n      [star], stop after [hexes]"]
        );
    }

    #[test]
    fn many_choices_are_folded() {
        let list: Vec<Line> = (0..40).map(|number| choice(&format!("Thing {number}"))).collect();
        let text = overview(&Style::PLAIN, &list, 4).join("\n");
        assert_eq!(text.lines().count(), 4, "{text}");
        assert!(text.ends_with("  10  Thing 9\n      11-40: list "), "{text}");
    }

    #[test]
    fn labels_of_one_piece_share_rows() {
        let line = |label: &str| Line { heading: "Army Paris".into(), ..choice(label) };
        let list = [
            "Army Paris holds",
            "Army Paris moves to Burgundy",
            "Army Paris moves to Gascony",
            "Army Paris moves to Picardy",
            "Army Paris supports the long march of Fleet London",
            "Army Paris with [some of Paris]",
            "Army Paris with [some of Gascony]",
            "Army Paris with [some of Burgundy]",
        ];
        assert_eq!(
            overview(&Style::PLAIN, &list.map(line), 32).join("\n"),
            "Army Paris\n   1  holds\n      moves to\n   2  Burgundy    3  Gascony     4  Picardy\n   \
             5  supports the long march of Fleet London\n   6  with [some of Paris]       7  with \
             [some of Gascony]\n   8  with [some of Burgundy]"
        );
    }

    #[test]
    fn a_large_group_leaves_space_for_small_ones() {
        let of = |heading: &str, count: usize| {
            let line =
                |number| Line { heading: heading.to_owned(), ..choice(&format!("{number}")) };
            (0..count).map(line).collect::<Vec<_>>()
        };
        let list = [of("Ship", 4), of("Base", 36), of("Markers", 3)].concat();
        let text = overview(&Style::PLAIN, &list, 7).join("\n");
        assert!(text.contains("      21-40: list Base"), "{text}");
        assert!(!text.contains("list Markers") && !text.contains("list Ship"), "{text}");
        assert!(text.lines().count() <= 8, "{text}");
    }

    #[test]
    fn a_search_keeps_the_numbers() {
        let list = [choice("Move A1"), choice("End the turn")];
        assert_eq!(search(&Style::PLAIN, &list, "end"), "\n   2  End the turn");
        assert_eq!(search(&Style::PLAIN, &[], ""), "There are no choices now.");
    }

    #[test]
    fn consecutive_numbers_are_a_range() {
        assert_eq!(ranges(&[1, 2, 3, 7]), "1-3, 7");
    }
}
