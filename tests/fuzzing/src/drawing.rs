//! Checks that valid positions are drawn as text without control characters and well-formed SVG.

use heliopause_games::Enveloped;
use heliopause_proto::v1::Game as GameCard;
use heliopause_render::style::Style;
use heliopause_render::svg::{Look, Theme};

use crate::source::Source;
use crate::wire::{Known, read, viewers};

/// Fuzzes drawing. The bytes determine a position, which is drawn for all viewers.
pub fn drawing(data: &[u8]) {
    let mut source = Source::new(data);
    let game = source.byte();
    with_game!(game, Own => {
        if let Some(game) = read::<Own>(&mut source) {
            drawn(&game);
        }
    });
}

fn drawn<G: Enveloped>(game: &G)
where
    G::PositionMessage: Known,
{
    let card = GameCard { game_id: "g".to_owned(), name: "<a&b>".to_owned(), ..Default::default() };
    for viewer in viewers(game) {
        let view = G::seal_view(G::write_view(&game.view(viewer)));
        let drawing = heliopause_render::drawing(&view, &card)
            .unwrap_or_else(|| panic!("{} {viewer:?}: a view of a game is drawn", G::ID));
        for linear in [false, true] {
            for width in [40, 80] {
                let style = Style { width, linear, ..Style::PLAIN };
                let text = drawing.written(&style);
                let control = |sign: char| sign.is_control() && sign != '\n';
                assert!(!text.contains(control), "{} {viewer:?}: {text:?}", G::ID);
            }
        }
        drawing.list();
        for theme in [Theme::Light, Theme::Dark] {
            let svg = drawing.svg(&Look { theme, ..Look::default() });
            if let Err(fault) = well_formed(&svg) {
                panic!("{} {viewer:?}: {fault}: {svg}", G::ID);
            }
        }
        let documents = std::iter::once(drawing.report()).chain(drawing.bulletin());
        for document in documents {
            document.text(&Style::PLAIN);
        }
    }
}

/// Checks that the text is a single XML element without executable content: no scripts, handlers or
/// doctype.
///
/// # Errors
///
/// The first violation.
pub fn well_formed(text: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    let mut roots = 0;
    while let Some(at) = rest.find(['<', '&']) {
        let outside = &rest[..at];
        if open.is_empty() && !outside.trim().is_empty() {
            return Err(format!("text outside of the document: {outside:?}"));
        }
        rest = &rest[at..];
        if rest.starts_with('&') {
            rest = entity(rest)?;
            continue;
        }
        if let Some(declaration) = rest.strip_prefix("<?xml") {
            rest = declaration.split_once("?>").ok_or("a declaration without an end")?.1;
            continue;
        }
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").ok_or("a comment without an end")?.1;
            continue;
        }
        if let Some(closing) = rest.strip_prefix("</") {
            let (name, after) = closing.split_once('>').ok_or("a tag without an end")?;
            let opened = open.pop();
            if opened != Some(name.trim_end()) {
                return Err(format!("</{name}> closes {opened:?}"));
            }
            rest = after;
            continue;
        }
        let (name, closed, after) = tag(&rest[1..])?;
        if open.is_empty() {
            roots += 1;
        }
        if !closed {
            open.push(name);
        }
        rest = after;
    }
    if !rest.trim().is_empty() || !open.is_empty() || roots != 1 {
        return Err(format!("{} are open at the end, of {roots} documents", open.len()));
    }
    Ok(())
}

fn entity(text: &str) -> Result<&str, String> {
    let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"];
    if let Some(after) = known.iter().find_map(|known| text.strip_prefix(known)) {
        return Ok(after);
    }
    let number = text.strip_prefix("&#").and_then(|number| number.split_once(';'));
    match number {
        Some((digits, after)) if digits.chars().all(|digit| digit.is_ascii_alphanumeric()) => {
            Ok(after)
        }
        _ => Err(format!("a bare &: {:?}", text.chars().take(20).collect::<String>())),
    }
}

fn tag(text: &str) -> Result<(&str, bool, &str), String> {
    let is_name = |sign: char| sign.is_alphanumeric() || [':', '-', '_', '.'].contains(&sign);
    let name_of = |text: &str| text.find(|sign| !is_name(sign)).unwrap_or(text.len());
    let end = name_of(text);
    let name = &text[..end];
    if name.is_empty() || name.eq_ignore_ascii_case("script") {
        return Err(format!("a tag {name:?}"));
    }
    let mut rest = &text[end..];
    let mut seen: Vec<&str> = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("/>") {
            return Ok((name, true, after));
        }
        if let Some(after) = rest.strip_prefix('>') {
            return Ok((name, false, after));
        }
        let end = name_of(rest);
        let attribute = &rest[..end];
        if attribute.is_empty() || attribute.starts_with("on") || seen.contains(&attribute) {
            return Err(format!("an attribute {attribute:?} of {name}"));
        }
        seen.push(attribute);
        let value = rest[end..].trim_start().strip_prefix('=').map(str::trim_start);
        let value = value.ok_or_else(|| format!("{attribute} of {name} has no value"))?;
        let quote = value.chars().next().filter(|quote| ['"', '\''].contains(quote));
        let quote = quote.ok_or_else(|| format!("{attribute} of {name} has no quotes"))?;
        let (value, after) = value[1..].split_once(quote).ok_or("quotes without an end")?;
        if value.contains('<') {
            return Err(format!("< in {attribute} of {name}"));
        }
        let mut inner = value;
        while let Some(at) = inner.find('&') {
            inner = entity(&inner[at..])?;
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::well_formed;

    #[test]
    fn malformed_text_is_detected() {
        assert_eq!(well_formed("<svg a=\"1\"><g><b c='&lt;'/>x &amp; y</g></svg>\n"), Ok(()));
        for bad in [
            "",
            "<svg>",
            "<svg></g></svg>",
            "<svg/><svg/>",
            "<svg>a & b</svg>",
            "<svg a=1/>",
            "<svg onload=\"x\"/>",
            "<svg><script>x</script></svg>",
            "<svg a=\"<\"/>",
            "<svg/>x",
            "<svg a=\"1\" a=\"2\"/>",
        ] {
            assert!(well_formed(bad).is_err(), "{bad}");
        }
    }
}
