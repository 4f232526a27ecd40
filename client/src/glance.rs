//! A look at a game: who looks, and at which moment of it.

use heliopause_proto::v1::{
    Cursor, DrawMapRequest, Event, GetHistoryRequest, GetReportRequest, GetViewRequest,
    GetViewResponse, ListPhasesRequest, MapFormat, MapTheme, Phase, ReportFormat,
};
use heliopause_render::aim::Aim;
use heliopause_render::style::Style;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::table::Table;

/// Which moment of a game.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "arguments", derive(clap::Args))]
pub struct When {
    /// As it was when this phase ended; `phases` numbers them, 0 is the set-up.
    #[cfg_attr(feature = "arguments", arg(long, value_name = "N", conflicts_with = "turn"))]
    pub phase: Option<u64>,
    /// The same by the phase's title: the number of a turn, or words: "fall 1901".
    #[cfg_attr(feature = "arguments", arg(long, value_name = "WHICH"))]
    pub turn: Option<String>,
    /// With all that was secret, once the game is over.
    #[cfg_attr(feature = "arguments", arg(long))]
    pub revealed: bool,
}

impl When {
    /// The phase that is meant; none means now.
    pub async fn at_phase(&self, engine: &Engine, game: &str) -> Result<Option<u64>, Failure> {
        match (&self.turn, self.phase) {
            (None, phase) => Ok(phase),
            (Some(turn), _) => {
                named(&phases(engine, game).await?, turn).map(|phase| Some(phase.number))
            }
        }
    }
}

/// All phases of a game, page by page.
pub async fn phases(engine: &Engine, game: &str) -> Result<Vec<Phase>, Failure> {
    let mut request =
        ListPhasesRequest { game_id: game.to_owned(), page_size: 200, page_token: String::new() };
    let mut phases = Vec::new();
    loop {
        let page = engine.games().list_phases(request.clone()).await?.into_inner();
        phases.extend(page.phases);
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            return Ok(phases);
        }
    }
}

/// The last phase whose title has this number as its first one, or holds these words.
pub fn named<'a>(phases: &'a [Phase], turn: &str) -> Result<&'a Phase, Failure> {
    let wanted = turn.trim().to_lowercase();
    let is_number = wanted.parse::<u64>().is_ok();
    let is_meant = |phase: &&Phase| {
        let title = phase.title.to_lowercase();
        if is_number {
            let numbers = title.split(|char: char| !char.is_ascii_digit());
            numbers.into_iter().find(|word| !word.is_empty()) == Some(&wanted)
        } else {
            !wanted.is_empty() && title.contains(&wanted)
        }
    };
    phases.iter().rev().find(is_meant).ok_or_else(|| {
        Failure::failed(format!("No phase of this game is called `{}`.", turn.trim()))
            .advise("`cli-client phases GAME` lists them.")
    })
}

/// Who looks, and at which moment.
#[derive(Clone, Debug)]
pub struct Glance {
    /// The game, and the seat.
    pub table: Table,
    /// As a spectator, though the caller has a seat.
    pub as_spectator: bool,
    /// At the end of this phase; none: now.
    pub at_phase: Option<u64>,
    /// With all that was secret.
    pub revealed: bool,
}

/// How a picture looks.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Its colours.
    pub theme: MapTheme,
    /// What is left out.
    pub hidden: Vec<String>,
}

/// A request that looks: what all of them have in common, and what it adds.
macro_rules! request {
    ($glance:ident, $request:ident { $($more:tt)* }) => {
        $request {
            game_id: $glance.table.game.clone(),
            seat: $glance.table.seat,
            as_spectator: $glance.as_spectator,
            at_phase: $glance.at_phase,
            revealed: $glance.revealed,
            $($more)*
        }
    };
}

impl Glance {
    /// A look at the present.
    pub fn now(table: &Table, as_spectator: bool) -> Self {
        Self { table: table.clone(), as_spectator, at_phase: None, revealed: false }
    }

    /// A look at some moment.
    pub async fn at(
        engine: &Engine,
        table: &Table,
        as_spectator: bool,
        when: &When,
    ) -> Result<Self, Failure> {
        let at_phase = when.at_phase(engine, &table.game).await?;
        Ok(Self { at_phase, revealed: when.revealed, ..Self::now(table, as_spectator) })
    }

    /// The view.
    pub async fn view(&self, engine: &Engine) -> Result<GetViewResponse, Failure> {
        let request = request!(self, GetViewRequest {});
        Ok(engine.games().get_view(request).await?.into_inner())
    }

    /// The map as text.
    pub async fn map(&self, engine: &Engine, aim: &Aim, style: &Style) -> Result<String, Failure> {
        let (width, colors, symbols) = written(Some(style));
        let format = if style.linear { MapFormat::List } else { MapFormat::Text };
        let request =
            DrawMapRequest { format: format.into(), width, colors, symbols, ..self.drawing(aim) };
        Ok(style.adopted(&engine.games().draw_map(request).await?.into_inner().map))
    }

    /// The map as an SVG picture.
    pub async fn picture(
        &self,
        engine: &Engine,
        aim: &Aim,
        look: &Look,
    ) -> Result<String, Failure> {
        let request = DrawMapRequest {
            format: MapFormat::Svg.into(),
            theme: look.theme.into(),
            hidden_layers: look.hidden.clone(),
            ..self.drawing(aim)
        };
        Ok(engine.games().draw_map(request).await?.into_inner().map)
    }

    fn drawing(&self, aim: &Aim) -> DrawMapRequest {
        request!(
            self,
            DrawMapRequest {
                around: aim.around.clone().unwrap_or_default(),
                radius: aim.radius,
                layer: aim.layer.clone().unwrap_or_default(),
                ..DrawMapRequest::default()
            }
        )
    }

    /// The report: as text in this style, or else as a page with the map in it.
    pub async fn report(&self, engine: &Engine, style: Option<&Style>) -> Result<String, Failure> {
        let (width, colors, symbols) = written(style);
        let format = if style.is_some() { ReportFormat::Text } else { ReportFormat::Html };
        let format = format.into();
        let request = request!(self, GetReportRequest { format, width, colors, symbols });
        let report = engine.games().get_report(request).await?.into_inner().report;
        Ok(match style {
            Some(style) => style.adopted(&report),
            None => report,
        })
    }

    /// The events after a number, page by page: of the phase, or all.
    pub async fn events(&self, engine: &Engine, after: u64) -> Result<Vec<Event>, Failure> {
        let after = (after > 0).then_some(Cursor { number: after, ..Cursor::default() });
        let (page_size, page_token) = (200, String::new());
        let mut request = request!(self, GetHistoryRequest { after, page_size, page_token });
        let mut events = Vec::new();
        loop {
            let page = engine.games().get_history(request.clone()).await?.into_inner();
            events.extend(page.events);
            request.page_token = page.next_page_token;
            if request.page_token.is_empty() {
                return Ok(events);
            }
        }
    }
}

/// The narrowest and the widest text that an engine writes.
const WIDTH_MIN: u32 = 40;
const WIDTH_MAX: u32 = 400;

/// How an engine writes text in a style: the columns that it may have, colours, symbols.
fn written(style: Option<&Style>) -> (u32, bool, bool) {
    style.map_or((0, false, false), |style| {
        let width = u32::try_from(style.width).unwrap_or(WIDTH_MAX).clamp(WIDTH_MIN, WIDTH_MAX);
        (width, style.color, style.unicode)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phases(titles: &[&str]) -> Vec<Phase> {
        let phase = |(number, title): (u64, &&str)| Phase {
            number,
            title: (*title).into(),
            ..Phase::default()
        };
        (1..).zip(titles).map(phase).collect()
    }

    #[test]
    fn a_phase_goes_by_its_number_or_by_words_of_its_title() {
        let turns = phases(&["Turn 1 of 44", "Turn 2 of 44", "Turn 2 of 44", "Turn 20 of 44"]);
        let number = |turn| named(&turns, turn).map(|phase| phase.number).ok();
        assert_eq!(number("2"), Some(3), "the last that is called so");
        assert_eq!(number("44"), None, "the first number counts");
        assert_eq!(number("turn 20"), Some(4));
        assert_eq!((number("21"), number(""), number("spring")), (None, None, None));
        let seasons = phases(&["Spring 1901, movement", "Fall 1901, movement"]);
        let number = |turn| named(&seasons, turn).map(|phase| phase.number).ok();
        assert_eq!((number("1901"), number("Spring 1901")), (Some(2), Some(1)));
    }
}
