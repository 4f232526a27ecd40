//! The rules of a game, read from Markdown.

use crate::{Malformed, quoted};

/// The rules of a game by number, in the project's own words.
///
/// They are written in Markdown. `# Movement` starts a chapter, and `## 4.2 Clouds` a rule with its
/// number and heading. Without a heading, the first sentence of the rule is its heading. The lines
/// of a paragraph are joined; a code block is kept as it is.
///
/// ```
/// use heliopause_kernel::Rulebook;
///
/// let rulebook = Rulebook::new("# Movement\n\n## R1\n\nShips move.\nClouds slow them down.\n");
/// assert_eq!(rulebook.text("r1"), Some("Ships move. Clouds slow them down."));
/// assert_eq!(rulebook.heading("R1"), Some("Ships move."));
/// ```
#[derive(Debug)]
pub struct Rulebook(Vec<Rule>);

/// A rule of a [`Rulebook`].
#[derive(Debug)]
pub struct Rule {
    pub number: &'static str,
    /// The title of the chapter. Empty before the first chapter.
    pub chapter: &'static str,
    pub heading: String,
    /// The paragraphs and code blocks, separated by empty lines.
    pub text: String,
}

impl Rulebook {
    /// Reads a rulebook.
    ///
    /// # Panics
    ///
    /// Panics if the Markdown is malformed, with the line of the fault.
    pub fn new(markdown: &'static str) -> Self {
        Self::read(markdown).unwrap_or_else(|fault| panic!("malformed rules: {fault}"))
    }

    fn read(markdown: &'static str) -> Result<Self, Malformed> {
        let mut rulebook = Self(Vec::new());
        let (mut chapter, mut is_in_rule) = ("", false);
        let mut line = 1;
        for block in markdown.trim_end().split("\n\n") {
            let fault = |message: String| Malformed::text(line, 1, message);
            if block.contains("\n#") || (block.starts_with('#') && block.contains('\n')) {
                return Err(fault("there must be a blank line on both sides of a heading".into()));
            }
            if let Some(title) = block.strip_prefix("## ") {
                rulebook.start(chapter, title).map_err(fault)?;
                is_in_rule = true;
            } else if let Some(title) = block.strip_prefix("# ") {
                (chapter, is_in_rule) = (title, false);
            } else if let Some(rule) = rulebook.0.last_mut().filter(|_| is_in_rule) {
                rule.add(block).map_err(fault)?;
            } else {
                return Err(fault(format!("expected a heading, found {}", quoted(block))));
            }
            line += block.matches('\n').count() as u32 + 2;
        }
        match rulebook.0.iter().find(|rule| rule.text.is_empty()) {
            None => Ok(rulebook),
            Some(rule) => {
                Err(Malformed::field(format!("rule {}", rule.number), "the text is missing"))
            }
        }
    }

    fn start(&mut self, chapter: &'static str, title: &'static str) -> Result<(), String> {
        let (number, heading) = title.split_once(' ').unwrap_or((title, ""));
        if !number.contains(|sign: char| sign.is_ascii_digit()) {
            return Err(format!("expected the number of a rule, found {}", quoted(number)));
        }
        if self.text(number).is_some() {
            return Err(format!("there is another rule {number}"));
        }
        self.0.push(Rule { number, chapter, heading: heading.to_owned(), text: String::new() });
        Ok(())
    }

    /// Returns the text of a rule. Numbers are the same in upper and lower case.
    pub fn text(&self, number: &str) -> Option<&str> {
        self.rule(number).map(|rule| rule.text.as_str())
    }

    /// Returns the heading of a rule.
    pub fn heading(&self, number: &str) -> Option<&str> {
        self.rule(number).map(|rule| rule.heading.as_str())
    }

    /// Returns all rules, in order.
    pub fn rules(&self) -> &[Rule] {
        &self.0
    }

    fn rule(&self, number: &str) -> Option<&Rule> {
        self.0.iter().find(|rule| rule.number.eq_ignore_ascii_case(number))
    }
}

impl Rule {
    /// Adds a paragraph or a code block.
    fn add(&mut self, block: &str) -> Result<(), String> {
        let content = match block.strip_prefix("```text\n") {
            Some(code) => {
                code.strip_suffix("\n```").ok_or("the code block does not end")?.to_owned()
            }
            None if block.starts_with('#') || !block.ends_with('.') => {
                return Err(format!("expected a text with a full stop, found {}", quoted(block)));
            }
            None => block.replace('\n', " "),
        };
        if self.heading.is_empty() {
            first_sentence(&content).clone_into(&mut self.heading);
        }
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(&content);
        Ok(())
    }
}

/// Returns the first sentence, or the whole text if it has only one. A full stop before a
/// lower-case word does not end a sentence, as in `i.p. buy`.
fn first_sentence(text: &str) -> &str {
    let ends = |&(at, _): &(usize, &str)| {
        let next = text[at + 1..].chars().find(|sign| !sign.is_whitespace());
        let spaced = text[at + 1..].starts_with(char::is_whitespace);
        spaced && next.is_some_and(|sign| !sign.is_lowercase())
    };
    text.match_indices('.').find(ends).map_or(text, |(at, _)| &text[..=at])
}

/// Returns the rows of a table that apply to an edition of a game.
///
/// A line has the editions, or `*` for all, and four cells. Tabs separate them.
///
/// ```
/// use heliopause_kernel::rows;
///
/// let table = "*\tCT\ttransport\tA ship.\t16\nfirst second\tF\tfleet\tA unit.\t\n";
/// assert_eq!(rows(table, "third").count(), 1);
/// assert_eq!(rows(table, "second").nth(1), Some(["F", "fleet", "A unit.", ""]));
/// ```
///
/// # Panics
///
/// Panics if a line has another number of cells.
pub fn rows<'a>(
    table: &'static str,
    edition: &'a str,
) -> impl Iterator<Item = [&'static str; 4]> + use<'a> {
    table.lines().filter_map(move |line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [editions, first, second, third, fourth] = cells[..] else {
            panic!("expected five cells, found {line:?}");
        };
        let applies = editions == "*" || editions.split(' ').any(|own| own == edition);
        applies.then_some([first, second, third, fourth])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_the_title_or_the_first_sentence() {
        assert_eq!(first_sentence("Pay 15 i.p. for it. 10 go on."), "Pay 15 i.p. for it.");
        assert_eq!(first_sentence("Version 4.2 counts"), "Version 4.2 counts");
        let rulebook = Rulebook::new(
            "# Ships\n\n## 4 Ships\n\nThey\nmove.\n\n```text\nS  1\nCT 2\n```\n\n# Range\n\n## 4.a\n\nOne sentence.",
        );
        let listed: Vec<(&str, &str, &str)> = rulebook
            .rules()
            .iter()
            .map(|rule| (rule.chapter, rule.number, rule.heading.as_str()))
            .collect();
        assert_eq!(listed, [("Ships", "4", "Ships"), ("Range", "4.a", "One sentence.")]);
        assert_eq!(rulebook.text("4"), Some("They move.\n\nS  1\nCT 2"));
        assert_eq!(rulebook.text("4.b"), None);
    }

    #[test]
    fn malformed_rules_are_rejected_with_their_line() {
        for (markdown, expected) in [
            ("Ships.", "line 1, column 1: expected a heading, found \"Ships.\""),
            ("# A\n\nShips.", "line 3, column 1: expected a heading, found \"Ships.\""),
            ("## 1\n\nA.\n\n# B\n\nC.", "line 7, column 1: expected a heading, found \"C.\""),
            ("## A\n\nB.", "line 1, column 1: expected the number of a rule, found \"A\""),
            ("## r1\n\nA.\n\n## R1\n\nB.", "line 5, column 1: there is another rule R1"),
            ("## 1\n\nA.\n\n## 2\n\n## 3\n\nB.", "rule 2: the text is missing"),
            ("## 1\nA.", "line 1, column 1: there must be a blank line on both sides of a heading"),
            (
                "## 1\n\nA.\n## 2\n\nB.",
                "line 3, column 1: there must be a blank line on both sides of a heading",
            ),
            (
                "## 1\n\n### A.",
                "line 3, column 1: expected a text with a full stop, found \"### A.\"",
            ),
            ("## 1\n\nA", "line 3, column 1: expected a text with a full stop, found \"A\""),
            ("## 1\n\n```text\nA\n\nB\n```", "line 3, column 1: the code block does not end"),
        ] {
            let fault = Rulebook::read(markdown).expect_err(markdown);
            assert_eq!(fault.to_string(), expected, "{markdown:?}");
        }
    }
}
