//! Looking at a game, now or at an earlier phase: views, maps and reports.

use heliopause_kernel::{NoSuchWord, Viewer};
use heliopause_proto::v1::*;
use heliopause_render::aim::Aim;
use heliopause_render::style::Style;
use heliopause_render::svg::{Layer, Look, Theme};
use heliopause_render::{self as render, Drawing};
use heliopause_table::registry::AnyTransform;
use heliopause_table::{Fault, Standing, Stretch, Table, registry};
use tonic::Status;

use super::Caller;
use super::errors::{Failure, status};
use super::pages::Page;
use super::play::not_started;
use super::tables::Tables;
use crate::host::Past;

/// How many columns a text has unless it is said, and may have.
const WIDTH: u32 = 80;
const WIDTHS: std::ops::RangeInclusive<u32> = 40..=400;

/// Who looks, and at what.
struct Glance<'a> {
    game_id: &'a str,
    seat: Option<u32>,
    as_spectator: bool,
    revealed: bool,
    at_phase: Option<u64>,
}

/// What a viewer sees.
struct Sight {
    /// The game as it is now.
    game: Game,
    view: GameView,
    /// What was told last: in the phase that is looked at, or as many events as a map of now shows.
    told: Vec<Event>,
    cursor: Cursor,
    /// What belongs to the present alone.
    present: Option<Present>,
}

/// What belongs to a look at the present.
struct Present {
    /// What each seat is on the way to.
    goals: Vec<Goal>,
    /// Where the viewer's seat stands, if they have one.
    standing: Option<Standing>,
}

macro_rules! glance {
    ($request:ident) => {
        Glance {
            game_id: &$request.game_id,
            seat: $request.seat,
            as_spectator: $request.as_spectator,
            revealed: $request.revealed,
            at_phase: $request.at_phase,
        }
    };
}

impl Tables {
    pub(super) async fn get_view(
        &self,
        caller: &Caller,
        request: GetViewRequest,
    ) -> Result<GetViewResponse, Status> {
        let sight = self.look(caller, glance!(request), |_| 0).await?;
        let (goals, standing) = if let Some(Present { goals, standing }) = sight.present {
            (goals, standing)
        } else {
            let kind = registry::kind_or_fault(&sight.game.kind).map_err(status)?;
            (heliopause_table::goals(kind, &sight.view).map_err(status)?, None)
        };
        Ok(GetViewResponse {
            goals,
            view: Some(sight.view),
            cursor: Some(sight.cursor),
            phase: standing.as_ref().map(|standing| standing.phase),
            revision: standing.as_ref().map(|standing| standing.revision),
            decision: standing.and_then(|standing| standing.decision),
        })
    }

    pub(super) async fn list_phases(
        &self,
        caller: &Caller,
        request: ListPhasesRequest,
    ) -> Result<ListPhasesResponse, Status> {
        let page = Page::of(&request)?;
        let seen = page.number()?.unwrap_or(0) as usize;
        let mut phases = self
            .watch(caller, &request.game_id, |table| {
                Ok(table.phases().skip(seen).take(page.limit()).collect::<Vec<_>>())
            })
            .await?;
        let next_page_token = page.after_number(page.cut(&mut phases).map(|phase| phase.number));
        Ok(ListPhasesResponse { phases, next_page_token })
    }

    pub(super) async fn get_history(
        &self,
        caller: &Caller,
        request: GetHistoryRequest,
    ) -> Result<GetHistoryResponse, Status> {
        let page = Page::of(&request)?;
        let (viewer, to_seat, last, head, phase, reads_letters) = self
            .watch(caller, &request.game_id, |table| {
                let viewer = table.onlooker(
                    &caller.player_id,
                    request.seat,
                    request.as_spectator,
                    request.revealed,
                )?;
                let to_seat = table.transform_for(
                    &caller.player_id,
                    request.seat,
                    request.as_spectator,
                    request.revealed,
                );
                let phase = request.at_phase.map(|phase| table.entries_of(phase)).transpose()?;
                let reads_letters = !request.revealed || table.reads_letters(&caller.player_id);
                let (last, head) = (table.entry(), table.cursor(viewer));
                Ok((viewer, to_seat, last, head, phase, reads_letters))
            })
            .await?;
        let game_id = &request.game_id;
        let (mut after, mut until) = (request.after, head.number);
        if let Some((begins_after, ends_with)) = phase {
            let told_at = |entry| self.host.told_at(game_id, viewer, entry);
            let begin = told_at(begins_after + 1).await.map_err(status)?.unwrap_or(head.number);
            until = told_at(ends_with + 1).await.map_err(status)?.unwrap_or(head.number);
            let after = after.get_or_insert_default();
            if after.number < begin {
                (after.number, after.time) = (begin, None);
            }
        }
        let read = self.page_of_events(game_id, viewer, last, &head, after.as_ref(), &page);
        let (mut events, mut next_page_token) = read.await?;
        events.retain(|event| event.number <= until);
        if events.last().is_none_or(|event| event.number == until) {
            next_page_token.clear();
        }
        if !reads_letters {
            events.retain(|event| !matches!(event.body, Some(event::Body::Message(_))));
        }
        apply(to_seat.as_deref(), None, &mut events)?;
        Ok(GetHistoryResponse { events, next_page_token })
    }

    pub(super) async fn draw_map(
        &self,
        caller: &Caller,
        request: DrawMapRequest,
    ) -> Result<DrawMapResponse, Status> {
        let style = style(request.width, request.colors, request.symbols)?;
        let sight = self.look(caller, glance!(request), render::remembered).await?;
        let aim = Aim {
            around: Some(request.around.clone()).filter(|around| !around.is_empty()),
            radius: request.radius,
            layer: Some(request.layer.clone()).filter(|layer| !layer.is_empty()),
        };
        let mut drawing = sight.drawing()?;
        if !aim.is_empty() {
            let field = if aim.around.is_some() { "around" } else { "layer" };
            let is_picture = matches!(request.format(), MapFormat::Unspecified | MapFormat::Svg);
            if is_picture && !drawing.cuts_pictures() {
                let why = "is only for text: a picture of this game shows the whole map";
                return Err(Failure::field(field, why).into());
            }
            drawing = drawing.aimed(&aim).map_err(|why| Failure::field(field, why))?;
        }
        let look = look(&request)?;
        let (map, media_type, layers) = match request.format() {
            MapFormat::Unspecified | MapFormat::Svg => {
                let picture = drawing.picture(look.theme);
                (picture.document(&look.hidden), "image/svg+xml", picture.layers())
            }
            MapFormat::Text => (drawing.written(&style), "text/plain", Vec::new()),
            MapFormat::List => {
                let told = drawing.written(&Style { linear: true, ..style });
                (told, "text/plain", Vec::new())
            }
        };
        let layers = layers.iter().map(ToString::to_string).collect();
        let (media_type, cursor) = (media_type.into(), Some(sight.cursor));
        Ok(DrawMapResponse { map, media_type, cursor, layers })
    }

    pub(super) async fn get_report(
        &self,
        caller: &Caller,
        request: GetReportRequest,
    ) -> Result<GetReportResponse, Status> {
        let style = style(request.width, request.colors, request.symbols)?;
        let sight = self.look(caller, glance!(request), render::remembered).await?;
        let drawing = sight.drawing()?;
        let mut document = drawing.report().ok_or_else(|| {
            let text = "there is no report for you in this game; its map and its events tell all";
            Failure::new(ErrorReason::NotFound, text)
        })?;
        if render::is_masters(&sight.view) {
            document.sections.splice(0..0, render::told_to_master(&sight.view, &sight.told));
        }
        let (report, media_type) = match request.format() {
            ReportFormat::Unspecified | ReportFormat::Text => (document.text(&style), "text/plain"),
            ReportFormat::Html => (document.html(&drawing.svg(&Look::default())), "text/html"),
        };
        Ok(GetReportResponse { report, media_type: media_type.into(), cursor: Some(sight.cursor) })
    }

    /// What a caller sees; `remembered` says how many of the last events a look at the present
    /// needs.
    async fn look(
        &self,
        caller: &Caller,
        glance: Glance<'_>,
        remembered: impl FnOnce(&GameView) -> u64,
    ) -> Result<Sight, Status> {
        let (viewer, to_seat, game, seen) = self
            .watch(caller, glance.game_id, |table| {
                let viewer = table.onlooker(
                    &caller.player_id,
                    glance.seat,
                    glance.as_spectator,
                    glance.revealed,
                )?;
                let to_seat = table.transform_for(
                    &caller.player_id,
                    glance.seat,
                    glance.as_spectator,
                    glance.revealed,
                );
                let stretch = glance.at_phase.map(|phase| table.stretch(phase)).transpose()?;
                let seen = if let Some(stretch) = stretch.flatten() {
                    Seen::Past(stretch)
                } else {
                    let is_past = glance.at_phase.is_some_and(|phase| table.is_past(phase));
                    Seen::now(table, viewer, is_past)?
                };
                Ok((viewer, to_seat, self.host.describe(table, &caller.player_id), seen))
            })
            .await?;
        let mut sight = match seen {
            Seen::Now { view, cursor, present, last } => {
                let wanted = remembered(&view);
                let after = cursor.number.saturating_sub(wanted);
                let told = if wanted == 0 {
                    Vec::new()
                } else {
                    let limit = wanted as usize;
                    let events = self.host.events(glance.game_id, viewer, after, last, limit);
                    events.await.map_err(status)?
                };
                Sight { game, view: *view, told, cursor, present }
            }
            Seen::Past(stretch) => {
                let kind = registry::kind_or_fault(&game.kind).map_err(status)?;
                let past = self.host.past(glance.game_id, kind, viewer, stretch).await;
                let Past { view, events: told, cursor } = past.map_err(status)?;
                Sight { game, view, told, cursor, present: None }
            }
        };
        apply(to_seat.as_deref(), Some(&mut sight.view), &mut sight.told)?;
        Ok(sight)
    }
}

/// Rewrites what is revealed in the coordinates of the seat that asks.
fn apply(
    to_seat: Option<&dyn AnyTransform>,
    view: Option<&mut GameView>,
    told: &mut [Event],
) -> Result<(), Status> {
    let Some(to_seat) = to_seat else { return Ok(()) };
    view.map_or(Ok(()), |view| to_seat.view(view)).map_err(status)?;
    told.iter_mut().try_for_each(|event| to_seat.event(event)).map_err(status)
}

/// What the table in memory tells of a sight.
enum Seen {
    /// All of the present but events.
    Now { view: Box<GameView>, cursor: Cursor, present: Option<Present>, last: u64 },
    /// Where the journal holds the past.
    Past(Stretch),
}

impl Seen {
    /// With `is_past`, what was then is what is now, but nobody is asked anything any more.
    fn now(table: &Table, viewer: Viewer, is_past: bool) -> Result<Self, Fault> {
        let standing = match viewer {
            Viewer::Seat(seat) => Some(table.standing(seat)),
            Viewer::Spectator | Viewer::GameMaster => None,
        };
        let (view, goals) = table.view_and_goals(viewer).ok_or_else(|| not_started(table))?;
        Ok(Self::Now {
            view: Box::new(view),
            cursor: table.cursor(viewer),
            present: (!is_past).then_some(Present { goals, standing }),
            last: table.entry(),
        })
    }
}

impl Sight {
    fn drawing(&self) -> Result<Box<dyn Drawing>, Failure> {
        render::drawing_after(&self.view, &self.game, &self.told)
            .ok_or_else(|| Failure::internal("a view of our own cannot be drawn"))
    }
}

/// How a picture is wanted.
fn look(request: &DrawMapRequest) -> Result<Look, Failure> {
    let theme = match request.theme() {
        MapTheme::Unspecified | MapTheme::Dark => Theme::Dark,
        MapTheme::Light => Theme::Light,
        MapTheme::ColorBlind => Theme::ColorBlind,
    };
    let hidden = request.hidden_layers.iter().map(|layer| layer.parse());
    let hidden = hidden.collect::<Result<Vec<Layer>, NoSuchWord>>();
    let hidden = hidden.map_err(|why| Failure::field("hidden_layers", why.to_string()))?;
    Ok(Look { theme, hidden })
}

fn style(width: u32, color: bool, unicode: bool) -> Result<Style, Failure> {
    let width = if width == 0 { WIDTH } else { width };
    if !WIDTHS.contains(&width) {
        let text = format!("must be {} to {}, or 0", WIDTHS.start(), WIDTHS.end());
        return Err(Failure::field("width", text));
    }
    Ok(Style { color, unicode, width: width as usize, ..Style::PLAIN })
}
