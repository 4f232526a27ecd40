//! Documents with sections, formatted for a terminal or as an HTML page.

use std::fmt::Write as _;

use heliopause_kernel::Seat;

use super::svg::{Palette, Theme, escaped};
use crate::style::{Ink, Style, seat_ink};
use crate::text;

/// A titled document with an introduction and sections.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pub title: String,
    pub lead: Vec<Words>,
    pub sections: Vec<Section>,
}

#[derive(Clone, Debug, Default)]
pub struct Section {
    pub title: String,
    pub blocks: Vec<Block>,
}

#[derive(Clone, Debug)]
pub enum Block {
    Heading(Words),
    Text(Words),
    List(Vec<Words>),
    /// Column headings, and rows with one cell per heading.
    Table(Vec<String>, Vec<Vec<Words>>),
}

/// Text that consists of styled pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<(String, Tone)>);

/// The style of a piece of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Plain,
    Good,
    Bad,
    Notice,
    Faint,
    Strong,
    /// The color of a seat, or of nobody.
    Owner(Option<Seat>),
}

impl Words {
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(text, Tone::Plain)
    }

    pub fn new(text: impl Into<String>, tone: Tone) -> Self {
        Self(vec![(text.into(), tone)])
    }

    #[must_use]
    pub fn and(mut self, text: impl Into<String>, tone: Tone) -> Self {
        self.0.push((text.into(), tone));
        self
    }

    #[must_use]
    pub fn with(mut self, words: Self) -> Self {
        self.0.extend(words.0);
        self
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|(text, _)| text.is_empty())
    }

    pub fn text(&self, style: &Style) -> String {
        let piece = |(text, tone): &(String, Tone)| match tone {
            Tone::Plain => text.clone(),
            Tone::Good => style.paint(text, Ink::Good),
            Tone::Bad => style.paint(text, Ink::Bad),
            Tone::Notice => style.paint(text, Ink::Notice),
            Tone::Faint => style.paint(text, Ink::Faint),
            Tone::Strong => style.paint(text, Ink::Heading),
            Tone::Owner(owner) => style.paint(text, seat_ink(owner.map(Seat::number))),
        };
        self.0.iter().map(piece).collect()
    }

    pub(super) fn html(&self) -> String {
        let piece = |(text, tone): &(String, Tone)| {
            let lines: Vec<String> = text.split('\n').map(escaped).collect();
            let text = lines.join("<br>");
            match tone {
                Tone::Plain => text,
                Tone::Good => format!(r#"<span class="good">{text}</span>"#),
                Tone::Bad => format!(r#"<span class="bad">{text}</span>"#),
                Tone::Notice => format!(r#"<span class="notice">{text}</span>"#),
                Tone::Faint => format!(r#"<span class="faint">{text}</span>"#),
                Tone::Strong => format!("<strong>{text}</strong>"),
                Tone::Owner(owner) => {
                    let color = Palette::of(Theme::Dark).owner(*owner);
                    format!(r#"<span class="name" style="color:{color}">{text}</span>"#)
                }
            }
        };
        self.0.iter().map(piece).collect()
    }
}

impl Section {
    /// Returns a section, or `None` if it has no blocks.
    pub fn new(title: impl Into<String>, blocks: Vec<Block>) -> Option<Self> {
        (!blocks.is_empty()).then(|| Self { title: title.into(), blocks })
    }
}

impl Document {
    pub fn text(&self, style: &Style) -> String {
        let mut lines = vec![style.paint(&self.title, Ink::Heading)];
        // `fitted` wraps the indented lines.
        let lead = |words: &Words| match words.text(style) {
            text if text::uncolored(&text).starts_with(' ') => text,
            text => text::wrap(&text, style.width, 0),
        };
        lines.extend(self.lead.iter().map(lead));
        for section in &self.sections {
            let rule = style.symbol("─", "-");
            let title = section.title.to_uppercase();
            let rest = style.width.min(100).saturating_sub(text::width(&title) + 4);
            let heading = format!("{} {title} {}", rule.repeat(2), rule.repeat(rest));
            lines.push(format!("\n{}", style.paint(heading, Ink::Heading)));
            for (index, block) in section.blocks.iter().enumerate() {
                if index > 0 && matches!(block, Block::Heading(_) | Block::Table(..)) {
                    let follows_heading = matches!(section.blocks[index - 1], Block::Heading(_));
                    lines.extend((!follows_heading).then(String::new));
                }
                lines.extend(Some(block.text(style)).filter(|text| !text.is_empty()));
            }
        }
        text::fitted(&lines.join("\n"), style.width)
    }

    /// Formats the document as a self-contained page, with an optional picture after the lead.
    pub fn html(&self, picture: &str) -> String {
        let mut body = format!("<header>\n<h1>{}</h1>\n", escaped(&self.title));
        for words in &self.lead {
            let _ = writeln!(body, "<p>{}</p>", words.html());
        }
        body.push_str("</header>\n<nav>");
        for (index, section) in self.sections.iter().enumerate() {
            let _ = write!(body, r##"<a href="#s{index}">{}</a>"##, escaped(&section.title));
        }
        body.push_str("</nav>\n");
        if !picture.is_empty() {
            let _ = writeln!(body, "<figure>{picture}</figure>");
        }
        for (index, section) in self.sections.iter().enumerate() {
            let _ =
                writeln!(body, r#"<section id="s{index}"><h2>{}</h2>"#, escaped(&section.title));
            section.blocks.iter().for_each(|block| body.push_str(&block.html()));
            body.push_str("</section>\n");
        }
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, \
             initial-scale=1\">\n<title>{}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
            escaped(&self.title)
        )
    }
}

impl Block {
    /// Returns a table, or nothing if there are no rows. A `|` separates the headings.
    pub fn table(headings: &str, rows: Vec<Vec<Words>>) -> Vec<Self> {
        if rows.is_empty() {
            return Vec::new();
        }
        vec![Self::Table(headings.split('|').map(str::to_owned).collect(), rows)]
    }

    /// Returns a list, or nothing if there are no items.
    pub fn list(items: Vec<Words>) -> Vec<Self> {
        if items.is_empty() { Vec::new() } else { vec![Self::List(items)] }
    }

    pub(super) fn text(&self, style: &Style) -> String {
        match self {
            Self::Heading(words) => style.paint(words.text(style), Ink::Heading),
            Self::Text(words) => text::wrap(&words.text(style), style.width.min(100), 2),
            Self::List(items) => {
                let mark = style.symbol("•", "-");
                let item = |words: &Words| {
                    text::wrap(&format!("  {mark} {}", words.text(style)), style.width, 4)
                };
                items.iter().map(item).collect::<Vec<_>>().join("\n")
            }
            Self::Table(headings, rows) => {
                let cells = |row: &Vec<Words>| {
                    row.iter().map(|words| words.text(style)).collect::<Vec<String>>()
                };
                text::table(style, headings, &rows.iter().map(cells).collect::<Vec<_>>())
            }
        }
    }

    fn html(&self) -> String {
        match self {
            Self::Heading(words) => format!("<h3>{}</h3>\n", words.html()),
            Self::Text(words) => format!("<p>{}</p>\n", words.html()),
            Self::List(items) => {
                let items: Vec<String> =
                    items.iter().map(|words| format!("<li>{}</li>\n", words.html())).collect();
                format!("<ul>\n{}</ul>\n", items.concat())
            }
            Self::Table(headings, rows) => {
                let headings: Vec<String> = headings
                    .iter()
                    .map(|text| format!("<th>{}</th>", escaped(text.trim())))
                    .collect();
                let row = |row: &Vec<Words>| {
                    let cells: Vec<String> =
                        row.iter().map(|words| format!("<td>{}</td>", words.html())).collect();
                    format!("<tr>{}</tr>\n", cells.concat())
                };
                let (headings, rows) =
                    (headings.concat(), rows.iter().map(row).collect::<String>());
                format!(
                    "<div \
                     class=\"table\"><table>\n<thead><tr>{headings}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
                )
            }
        }
    }
}

pub(super) const STYLE: &str = include_str!("document.css");

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Document {
        let row = vec![Words::new("Lion", Tone::Owner(Some(Seat::at(0)))), Words::plain("28/40")];
        let blocks = vec![
            Block::Heading(Words::plain("At (1,1)")),
            Block::Table(vec!["ship".into(), "DP".into()], vec![row]),
            Block::List(vec![Words::plain("<b>hit</b>").and(" hard", Tone::Bad)]),
        ];
        Document {
            title: "Turn 7".into(),
            lead: vec![Words::plain("The Culture")],
            sections: Section::new("Battles", blocks).into_iter().collect(),
        }
    }

    #[test]
    fn a_document_in_the_terminal() {
        let text = sample().text(&Style { width: 40, ..Style::PLAIN });
        let wanted = "Turn 7\nThe Culture\n\n-- BATTLES -----------------------------\nAt \
            (1,1)\nship  DP\nLion  28/40\n  - <b>hit</b> hard";
        assert_eq!(text, wanted);
        let lead = vec![Words::plain("  ").and("All orders are given.", Tone::Notice)];
        let indented = Document { title: String::new(), lead, sections: Vec::new() };
        let style = Style { width: 16, color: true, ..Style::PLAIN };
        assert_eq!(text::uncolored(&indented.text(&style)), "\n  All orders are\n    given.");
    }

    #[test]
    fn pages_hold_the_picture_and_all_lines_and_escape_markup() {
        let page = sample().html("");
        assert!(!page.contains("<figure>"), "{page}");
        let page = sample().html("<svg/>");
        assert!(
            page.contains("<figure><svg/></figure>")
                && page.contains(r##"<a href="#s0">Battles</a>"##),
            "{page}"
        );
        assert!(page.contains("&lt;b&gt;hit&lt;/b&gt;") && !page.contains("<b>hit"), "{page}");
        assert!(!page.contains("http"), "a page needs nothing from elsewhere");
        assert_eq!(Words::plain("one\n  <two>").html(), "one<br>  &lt;two&gt;");
        assert!(Section::new("Battles", Vec::new()).is_none());
    }
}
