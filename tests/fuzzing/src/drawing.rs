//! Checks that valid positions are drawn as text without control characters and well-formed SVG.

use std::error::Error;

use heliopause_games::Enveloped;
use heliopause_proto::v1::Game as GameCard;
use heliopause_render::style::Style;
use heliopause_render::svg::{Look, Theme};
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

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
    let mut reader = Reader::from_str(text);
    let (mut open, mut roots) = (0, 0);
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        match &event {
            Event::Start(tag) | Event::Empty(tag) => {
                check_tag(tag).map_err(|error| format!("{tag:?}: {error}"))?;
                roots += u32::from(open == 0);
                open += u32::from(matches!(event, Event::Start(_)));
            }
            Event::End(_) => open -= 1,
            Event::Text(text) if open > 0 || text.trim_ascii().is_empty() => {}
            Event::GeneralRef(name) if open > 0 => {
                let name = name.decode().map_err(|error| error.to_string())?;
                unescape(&format!("&{name};")).map_err(|error| error.to_string())?;
            }
            Event::Decl(_) | Event::Comment(_) => {}
            Event::Eof if open == 0 && roots == 1 => return Ok(()),
            other => return Err(format!("{other:?} with {open} open tags, of {roots} documents")),
        }
    }
}

fn check_tag(tag: &BytesStart<'_>) -> Result<(), Box<dyn Error>> {
    let name = std::str::from_utf8(tag.name().into_inner())?;
    let is_name = |sign: char| sign.is_alphanumeric() || [':', '-', '_', '.'].contains(&sign);
    if name.is_empty() || !name.chars().all(is_name) || name.eq_ignore_ascii_case("script") {
        return Err("the name is not allowed".into());
    }
    for attribute in tag.attributes() {
        let attribute = attribute?;
        let key = std::str::from_utf8(attribute.key.into_inner())?;
        let value = unescape(std::str::from_utf8(&attribute.value)?)?;
        if !key.chars().all(is_name) || key.starts_with("on") || attribute.value.contains(&b'<') {
            return Err(format!("{key}={value:?} is not allowed").into());
        }
    }
    Ok(())
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
            "<svg a=\"&b\"/>",
            "<svg a=\"&b;\"/>",
            "<svg>&b;</svg>",
            "<svg><!DOCTYPE x></svg>",
        ] {
            assert!(well_formed(bad).is_err(), "{bad}");
        }
    }
}
