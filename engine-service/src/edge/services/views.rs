//! `GameService` calls for views, maps and reports of a game, at the current or an earlier phase.

use heliopause_kernel::{NoSuchWord, Viewer};
use heliopause_proto::v1::*;
use heliopause_render::aim::MapRequest;
use heliopause_render::board::{MEASURED_MAX, measure};
use heliopause_render::style::Style;
use heliopause_render::svg::{Layer, Look, Theme};
use heliopause_render::{self as render, Drawing};
use heliopause_table::registry::AnyTransform;
use heliopause_table::{DecisionState, Fault, JournalRange, Table, registry};

use super::paging::Page;
use super::play::not_started;
use super::tables::CallContext;
use crate::edge::services::Result;
use crate::failure::{Failure, status};
use crate::host::Past;

/// The default width of text output in columns, and the allowed widths.
const WIDTH: u32 = 80;
const WIDTHS: std::ops::RangeInclusive<u32> = 40..=400;

struct ViewRequest<'a> {
    game_id: &'a str,
    seat: Option<u32>,
    as_spectator: bool,
    revealed: bool,
    at_phase: Option<u64>,
}

struct LoadedView {
    game: Game,
    view: GameView,
    /// The events of the requested phase, or the latest events for the current state.
    recent: Vec<Event>,
    cursor: Cursor,
    current: Option<Current>,
}

struct Current {
    goals: Vec<Goal>,
    decision_state: Option<DecisionState>,
}

macro_rules! view_request {
    ($request:ident) => {
        ViewRequest {
            game_id: &$request.game_id,
            seat: $request.seat,
            as_spectator: $request.as_spectator,
            revealed: $request.revealed,
            at_phase: $request.at_phase,
        }
    };
}

impl CallContext<'_> {
    pub(crate) async fn get_view(&self, request: GetViewRequest) -> Result<GetViewResponse> {
        let loaded = self.look(view_request!(request), |_| 0).await?;
        let (goals, decision_state) =
            if let Some(Current { goals, decision_state }) = loaded.current {
                (goals, decision_state)
            } else {
                let kind = registry::kind_or_fault(&loaded.game.kind).map_err(status)?;
                (heliopause_table::goals(kind, &loaded.view).map_err(status)?, None)
            };
        Ok(GetViewResponse {
            goals,
            view: Some(loaded.view),
            cursor: Some(loaded.cursor),
            phase: decision_state.as_ref().map(|decision_state| decision_state.phase),
            revision: decision_state.as_ref().map(|decision_state| decision_state.revision),
            decision: decision_state.and_then(|decision_state| decision_state.decision),
        })
    }

    pub(crate) async fn list_phases(
        &self,
        request: ListPhasesRequest,
    ) -> Result<ListPhasesResponse> {
        let page = Page::of(&request)?;
        let seen = page.number()?.unwrap_or(0) as usize;
        let mut phases = self
            .watch(&request.game_id, |table| {
                Ok(table.phases().skip(seen).take(page.limit()).collect::<Vec<_>>())
            })
            .await?;
        let next_page_token = page.after_number(page.cut(&mut phases).map(|phase| phase.number));
        Ok(ListPhasesResponse { phases, next_page_token })
    }

    pub(crate) async fn get_history(
        &self,
        request: GetHistoryRequest,
    ) -> Result<GetHistoryResponse> {
        let page = Page::of(&request)?;
        let (viewer, to_seat, last, head, phase, may_read_messages) = self
            .watch(&request.game_id, |table| {
                let viewer = table.past_viewer(
                    self.player_id(),
                    request.seat,
                    request.as_spectator,
                    request.revealed,
                )?;
                let to_seat = table.transform_for(
                    self.player_id(),
                    request.seat,
                    request.as_spectator,
                    request.revealed,
                );
                let phase = request.at_phase.map(|phase| table.entries_of(phase)).transpose()?;
                let may_read_messages =
                    !request.revealed || table.may_read_messages(self.player_id());
                let (last, head) = (table.entry(), table.cursor(viewer));
                Ok((viewer, to_seat, last, head, phase, may_read_messages))
            })
            .await?;
        let game_id = &request.game_id;
        let (mut after, mut until) = (request.after, head.number);
        if let Some((begins_after, ends_with)) = phase {
            let events_before = |entry| self.host.events_before(game_id, viewer, entry);
            let begin =
                events_before(begins_after + 1).await.map_err(status)?.unwrap_or(head.number);
            until = events_before(ends_with + 1).await.map_err(status)?.unwrap_or(head.number);
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
        if !may_read_messages {
            events.retain(|event| !matches!(event.body, Some(event::Body::Message(_))));
        }
        apply(to_seat.as_deref(), None, &mut events)?;
        Ok(GetHistoryResponse { events, next_page_token })
    }

    pub(crate) async fn draw_map(&self, request: DrawMapRequest) -> Result<DrawMapResponse> {
        let style = style(request.width, request.colors, request.symbols)?;
        let loaded = self.look(view_request!(request), render::recent_events).await?;
        let aim = MapRequest {
            around: Some(request.around.clone()).filter(|around| !around.is_empty()),
            radius: request.radius,
            layer: Some(request.layer.clone()).filter(|layer| !layer.is_empty()),
        };
        let mut drawing = loaded.drawing()?;
        if !aim.is_empty() {
            let field = if aim.around.is_some() { "around" } else { "layer" };
            let is_picture = matches!(request.format(), MapFormat::Unspecified | MapFormat::Svg);
            if is_picture && !drawing.supports_partial_pictures() {
                let why = format!("{field} applies only to text; the image shows the whole map.");
                return Err(Failure::field(field, why).into());
            }
            drawing = drawing.for_request(&aim).map_err(|why| Failure::field(field, why))?;
        }
        let look = look(&request)?;
        let (map, media_type, layers) = match request.format() {
            MapFormat::Unspecified | MapFormat::Svg => {
                let picture = drawing.picture(look.theme);
                (picture.document(&look.hidden), "image/svg+xml", picture.layers())
            }
            MapFormat::Text => (drawing.written(&style), "text/plain", Vec::new()),
            MapFormat::List => {
                let recent = drawing.written(&Style { linear: true, ..style });
                (recent, "text/plain", Vec::new())
            }
        };
        let layers = layers.iter().map(ToString::to_string).collect();
        let (media_type, cursor) = (media_type.into(), Some(loaded.cursor));
        Ok(DrawMapResponse { map, media_type, cursor, layers })
    }

    pub(crate) async fn get_scene(&self, request: GetSceneRequest) -> Result<GetSceneResponse> {
        let loaded = self.look(view_request!(request), render::recent_events).await?;
        let mut drawing = loaded.drawing()?;
        if !request.layer.is_empty() {
            let layer = Some(request.layer.clone());
            let aim = MapRequest { layer, ..MapRequest::default() };
            drawing = drawing.for_request(&aim).map_err(|why| Failure::field("layer", why))?;
        }
        Ok(GetSceneResponse { scene: Some(drawing.scene()), cursor: Some(loaded.cursor) })
    }

    pub(crate) async fn get_board(&self, request: GetBoardRequest) -> Result<GetBoardResponse> {
        let board = match (request.kind.is_empty(), request.game_id.is_empty()) {
            (false, true) => {
                let kind = registry::kind_or_fault(&request.kind).map_err(status)?;
                let options = kind.rules.options(request.options.as_ref()).map_err(status)?;
                render::board(&options.0)
            }
            (true, false) => {
                let view_request = ViewRequest {
                    game_id: &request.game_id,
                    seat: request.seat,
                    as_spectator: request.as_spectator,
                    revealed: false,
                    at_phase: None,
                };
                let loaded = self.look(view_request, |_| 0).await?;
                render::visible_board(&loaded.view)
            }
            _ => {
                let why = "Set either kind or game_id.";
                return Err(Failure::field("kind", why).into());
            }
        };
        let mut board =
            board.ok_or_else(|| Failure::internal("valid options or a valid view have a board"))?;
        if request.distances && !measure(&mut board) {
            let text = format!(
                "The board has {} places; distances are available for at most {MEASURED_MAX}. \
                 Compute them from q and r.",
                board.places.len()
            );
            return Err(Failure::field("distances", text).into());
        }
        Ok(GetBoardResponse { board: Some(board) })
    }

    pub(crate) async fn get_report(&self, request: GetReportRequest) -> Result<GetReportResponse> {
        let style = style(request.width, request.colors, request.symbols)?;
        let loaded = self.look(view_request!(request), render::recent_events).await?;
        let drawing = loaded.drawing()?;
        let mut document = drawing.report();
        if render::is_master_view(&loaded.view) {
            document.sections.splice(0..0, render::master_events(&loaded.view, &loaded.recent));
        }
        let (report, media_type) = match request.format() {
            ReportFormat::Unspecified | ReportFormat::Text => (document.text(&style), "text/plain"),
            ReportFormat::Html => (document.html(&drawing.svg(&Look::default())), "text/html"),
        };
        Ok(GetReportResponse { report, media_type: media_type.into(), cursor: Some(loaded.cursor) })
    }

    async fn look(
        &self,
        view_request: ViewRequest<'_>,
        recent_events: impl FnOnce(&GameView) -> u64,
    ) -> Result<LoadedView> {
        let (viewer, to_seat, game, seen) = self
            .watch(view_request.game_id, |table| {
                let viewer = table.past_viewer(
                    self.player_id(),
                    view_request.seat,
                    view_request.as_spectator,
                    view_request.revealed,
                )?;
                let to_seat = table.transform_for(
                    self.player_id(),
                    view_request.seat,
                    view_request.as_spectator,
                    view_request.revealed,
                );
                let journal_range =
                    view_request.at_phase.map(|phase| table.journal_range(phase)).transpose()?;
                let seen = if let Some(journal_range) = journal_range.flatten() {
                    Lookup::Past(journal_range)
                } else {
                    let is_past = view_request.at_phase.is_some_and(|phase| table.is_past(phase));
                    Lookup::now(table, viewer, is_past)?
                };
                Ok((viewer, to_seat, self.host.describe(table, self.player_id()), seen))
            })
            .await?;
        let mut loaded = match seen {
            Lookup::Now { view, cursor, current, last } => {
                let wanted = recent_events(&view);
                let after = cursor.number.saturating_sub(wanted);
                let recent = if wanted == 0 {
                    Vec::new()
                } else {
                    let limit = wanted as usize;
                    let events = self.host.events(view_request.game_id, viewer, after, last, limit);
                    events.await.map_err(status)?
                };
                LoadedView { game, view: *view, recent, cursor, current }
            }
            Lookup::Past(journal_range) => {
                let kind = registry::kind_or_fault(&game.kind).map_err(status)?;
                let past = self.host.past(view_request.game_id, kind, viewer, journal_range).await;
                let Past { view, events: recent, cursor } = past.map_err(status)?;
                LoadedView { game, view, recent, cursor, current: None }
            }
        };
        apply(to_seat.as_deref(), Some(&mut loaded.view), &mut loaded.recent)?;
        Ok(loaded)
    }
}

fn apply(
    to_seat: Option<&dyn AnyTransform>,
    view: Option<&mut GameView>,
    recent: &mut [Event],
) -> Result<()> {
    let Some(to_seat) = to_seat else { return Ok(()) };
    view.map_or(Ok(()), |view| to_seat.view(view)).map_err(status)?;
    recent.iter_mut().try_for_each(|event| to_seat.event(event)).map_err(status)
}

enum Lookup {
    Now { view: Box<GameView>, cursor: Cursor, current: Option<Current>, last: u64 },
    Past(JournalRange),
}

impl Lookup {
    /// Returns the current state, without goals and decision if an earlier phase was requested.
    fn now(table: &Table, viewer: Viewer, is_past: bool) -> Result<Self, Fault> {
        let decision_state = match viewer {
            Viewer::Seat(seat) => Some(table.decision_state(seat)),
            Viewer::Spectator | Viewer::GameMaster => None,
        };
        let (view, goals) = table.view_and_goals(viewer).ok_or_else(|| not_started(table))?;
        Ok(Self::Now {
            view: Box::new(view),
            cursor: table.cursor(viewer),
            current: (!is_past).then_some(Current { goals, decision_state }),
            last: table.entry(),
        })
    }
}

impl LoadedView {
    fn drawing(&self) -> Result<Box<dyn Drawing>, Failure> {
        render::drawing_after(&self.view, &self.game, &self.recent)
            .ok_or_else(|| Failure::internal("a view created by this engine cannot be drawn"))
    }
}

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
        let (least, most) = (WIDTHS.start(), WIDTHS.end());
        let text =
            format!("The width must be {least} to {most} columns, or 0 for {WIDTH}, not {width}.");
        return Err(Failure::field("width", text));
    }
    Ok(Style { color, unicode, width: width as usize, ..Style::PLAIN })
}
