//! Views of a game from a chosen perspective: a viewer and a point in time.

use heliopause_proto::v1::{
    Cursor, DrawMapRequest, Event, GetHistoryRequest, GetReportRequest, GetViewRequest,
    GetViewResponse, ListPhasesRequest, MapFormat, MapTheme, Phase, ReportFormat,
};
use heliopause_render::aim::MapRequest;
use heliopause_render::style::Style;

use crate::all_pages;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::table::Table;

/// A point in time of a game.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "arguments", derive(clap::Args))]
pub struct When {
    /// The end of phase N, as numbered by `phases`; 0 is the setup.
    #[cfg_attr(feature = "arguments", arg(long, value_name = "N", conflicts_with = "turn"))]
    pub phase: Option<u64>,
    /// The end of a phase by its title: a turn number, or words such as "fall 1901".
    #[cfg_attr(feature = "arguments", arg(long, value_name = "WHICH"))]
    pub turn: Option<String>,
    /// Show all secrets, once the game is over.
    #[cfg_attr(feature = "arguments", arg(long))]
    pub revealed: bool,
}

impl When {
    /// Returns the number of the selected phase, or `None` for the present. Returns an error if no
    /// phase has the title.
    pub async fn at_phase(&self, engine: &Engine, game: &str) -> Result<Option<u64>, Failure> {
        match (&self.turn, self.phase) {
            (None, phase) => Ok(phase),
            (Some(turn), _) => {
                named(&phases(engine, game).await?, turn).map(|phase| Some(phase.number))
            }
        }
    }
}

/// Fetches all phases of a game.
pub async fn phases(engine: &Engine, game: &str) -> Result<Vec<Phase>, Failure> {
    let request = ListPhasesRequest { game_id: game.to_owned(), ..ListPhasesRequest::default() };
    Ok(all_pages!(engine.games(), list_phases, request, phases))
}

/// Finds the last phase whose title contains `turn`, ignoring case. If `turn` is a number, finds
/// the last phase whose title has it as the first number. Returns an error if no phase matches.
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
        let latest = phases.last().map(|phase| format!(" The latest is `{}`.", phase.title));
        let latest = latest.unwrap_or_default();
        Failure::failed(format!("This game has no phase `{}`.{latest}", turn.trim()))
            .because("NO_SUCH_PHASE")
    })
}

/// A viewer and a point in time.
#[derive(Clone, Debug)]
pub struct Perspective {
    pub table: Table,
    /// Whether to view as a spectator, even if the caller has a seat.
    pub as_spectator: bool,
    /// The phase whose end is viewed. `None` means the present.
    pub at_phase: Option<u64>,
    pub revealed: bool,
}

/// The appearance of a map image.
#[derive(Clone, Debug, Default)]
pub struct Look {
    pub theme: MapTheme,
    pub hidden: Vec<String>,
}

macro_rules! request {
    ($perspective:ident, $request:ident { $($more:tt)* }) => {
        $request {
            game_id: $perspective.table.game.clone(),
            seat: $perspective.table.seat,
            as_spectator: $perspective.as_spectator,
            at_phase: $perspective.at_phase,
            revealed: $perspective.revealed,
            $($more)*
        }
    };
}

impl Perspective {
    pub fn now(table: &Table, as_spectator: bool) -> Self {
        Self { table: table.clone(), as_spectator, at_phase: None, revealed: false }
    }

    pub async fn at(
        engine: &Engine,
        table: &Table,
        as_spectator: bool,
        when: &When,
    ) -> Result<Self, Failure> {
        let at_phase = when.at_phase(engine, &table.game).await?;
        Ok(Self { at_phase, revealed: when.revealed, ..Self::now(table, as_spectator) })
    }

    pub async fn view(&self, engine: &Engine) -> Result<GetViewResponse, Failure> {
        let request = request!(self, GetViewRequest {});
        Ok(engine.games().get_view(request).await?.into_inner())
    }

    pub async fn map(
        &self,
        engine: &Engine,
        aim: &MapRequest,
        style: &Style,
    ) -> Result<String, Failure> {
        let (width, colors, symbols) = written(Some(style));
        let format = if style.linear { MapFormat::List } else { MapFormat::Text };
        let request =
            DrawMapRequest { format: format.into(), width, colors, symbols, ..self.drawing(aim) };
        Ok(style.adopted(&engine.games().draw_map(request).await?.into_inner().map))
    }

    pub async fn picture(
        &self,
        engine: &Engine,
        aim: &MapRequest,
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

    fn drawing(&self, aim: &MapRequest) -> DrawMapRequest {
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

    /// Fetches the report as text if there is a style, otherwise as an HTML page with a map.
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

    /// Fetches the events after a number, either of the selected phase or of the whole game.
    pub async fn events(&self, engine: &Engine, after: u64) -> Result<Vec<Event>, Failure> {
        let after = (after > 0).then_some(Cursor { number: after, ..Cursor::default() });
        let request = request!(self, GetHistoryRequest { after, ..GetHistoryRequest::default() });
        Ok(all_pages!(engine.games(), get_history, request, events))
    }
}

const WIDTH_MIN: u32 = 40;
const WIDTH_MAX: u32 = 400;

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
    fn phases_are_found_by_number_or_title_words() {
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
