//! The list of phases, the view, map and report of each phase, and the whole board at the end.

use std::collections::BTreeSet;

use heliopause_proto::v1::*;
use heliopause_tests::{Engine, OfGame as _, Player, STARSHIPS, Sandbox, reason};
use tonic::Status;

const KINDS: [(&str, u32); 7] = [
    (STARSHIPS, 3),
    ("star-empires", 3),
    ("stellar-conquest", 2),
    ("fate-of-empire", 1),
    ("alone-in-outer-space", 2),
    ("diplomacy", 7),
    ("it-came-from-outer-space", 7),
];

/// Enough phases for more than two stored positions, so that views start from different positions.
const PHASES: usize = 12;

async fn sandbox(owner: &Player, kind: &str, players: u32) -> Sandbox {
    Sandbox::of(owner, kind, |request| request.players = Some(players)).await
}

#[derive(Clone, Copy, Debug, Default)]
struct Look {
    seat: Option<u32>,
    revealed: bool,
    at_phase: Option<u64>,
}

impl Look {
    async fn view(self, player: &Player, game_id: &str) -> Result<GetViewResponse, Status> {
        let Self { seat, revealed, at_phase } = self;
        let request = GetViewRequest {
            game_id: game_id.to_owned(),
            seat,
            as_spectator: seat.is_none() && !revealed,
            at_phase,
            revealed,
        };
        player.call(request).await
    }

    async fn map(
        self,
        player: &Player,
        game_id: &str,
        format: MapFormat,
    ) -> Result<DrawMapResponse, Status> {
        let Self { seat, revealed, at_phase } = self;
        let request = DrawMapRequest {
            seat,
            as_spectator: seat.is_none() && !revealed,
            at_phase,
            revealed,
            format: format.into(),
            ..DrawMapRequest::of(game_id)
        };
        player.call(request).await
    }
}

async fn phases(player: &Player, game_id: &str, page_size: u32) -> Vec<Phase> {
    let mut request =
        ListPhasesRequest { game_id: game_id.to_owned(), page_size, page_token: String::new() };
    let mut phases = Vec::new();
    loop {
        let page = player.does(request.clone()).await;
        phases.extend(page.phases);
        if page.next_page_token.is_empty() {
            return phases;
        }
        request.page_token = page.next_page_token;
    }
}

async fn told(player: &Player, game_id: &str, seat: u32, at_phase: Option<u64>) -> Vec<Event> {
    let of_seat = GetHistoryRequest { seat: Some(seat), ..GetHistoryRequest::of(game_id) };
    player.history(GetHistoryRequest { at_phase, page_size: 7, ..of_seat }).await
}

async fn play(owner: &Player, game: &Sandbox, seats: &[Option<u32>]) -> Vec<Vec<GetViewResponse>> {
    let id = &game.game_id;
    let mut seen: Vec<Vec<GetViewResponse>> = Vec::new();
    for _ in 0..PHASES * 40 {
        let begun = phases(owner, id, 0).await.len();
        if seen.len() < begun {
            let mut now = Vec::new();
            for &seat in seats {
                now.push(Look { seat, ..Look::default() }.view(owner, id).await.unwrap());
            }
            // One step can close several phases. Only the last of these phases is visible at its
            // start.
            seen.resize_with(begun - 1, Vec::new);
            seen.push(now);
        }
        if begun > PHASES || owner.game(id).await.status() != GameStatus::Running {
            break;
        }
        game.close().await;
    }
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_of_a_game_equals_that_of_its_kind_and_shows_what_the_seat_sees() {
    let (_engine, [ann, bob]) = Engine::with_players(["Ann", "Bob"]).await;
    for kind in ["diplomacy", "it-came-from-outer-space", STARSHIPS] {
        let change = |request: &mut CreateGameRequest| kind.clone_into(&mut request.kind);
        let game_id = ann.create_with(1, change).await.game_id;
        let request = GetBoardRequest::of(&game_id);
        assert_eq!(ann.refusal(request.clone()).await, "WRONG_STATUS");
        bob.join(&game_id).await;
        let fixed = GetBoardRequest { kind: kind.to_owned(), ..GetBoardRequest::default() };
        let fixed = bob.does(fixed).await.board.unwrap();
        assert!(!fixed.partial && !fixed.places.is_empty());
        assert_eq!(ann.does(request).await.board.unwrap(), fixed);
    }
    let change = |request: &mut CreateGameRequest| request.kind = "star-empires".to_owned();
    let game_id = ann.create_with(1, change).await.game_id;
    bob.join(&game_id).await;
    let of = |seat, as_spectator| GetBoardRequest {
        seat,
        as_spectator,
        ..GetBoardRequest::of(&game_id)
    };
    let own = ann.does(of(None, false)).await.board.unwrap();
    assert!(own.partial && own.places.iter().any(|place| place.kind == "homeworld"));
    let spectator = ann.does(of(None, true)).await.board.unwrap();
    assert!(spectator.partial && spectator.places.is_empty());
    assert_eq!(ann.refusal(of(Some(2), false)).await, "NOT_YOUR_SEAT");
    let fixed = GetBoardRequest { kind: "star-empires".into(), ..GetBoardRequest::default() };
    assert!(ann.does(fixed).await.board.unwrap().places.is_empty());
    assert_eq!(ann.refusal(GetBoardRequest::default()).await, "INVALID_FIELD");
    let both = GetBoardRequest { kind: "diplomacy".into(), ..GetBoardRequest::of(&game_id) };
    assert_eq!(ann.refusal(both).await, "INVALID_FIELD");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_audience_sees_past_phases_unchanged() {
    let (_engine, [owner]) = Engine::with_players(["Ann"]).await;
    for (kind, players) in KINDS {
        let game = sandbox(&owner, kind, players).await;
        let id = &game.game_id;
        let seats: Vec<Option<u32>> =
            [None].into_iter().chain((1..=players.min(3)).map(Some)).collect();
        let seen = play(&owner, &game, &seats).await;
        let is_over = owner.game(id).await.status() == GameStatus::Ended;
        assert!(seen.len() > PHASES || is_over, "{kind} has only {} phases", seen.len());
        let listed = phases(&owner, id, 5).await;
        assert!(listed.iter().map(|phase| phase.number).eq(1..=listed.len() as u64), "{kind}");
        assert!(listed.iter().all(|phase| !phase.title.is_empty() && phase.start_time.is_some()));
        assert_eq!(
            listed.iter().filter(|phase| phase.end_time.is_none()).count(),
            1 - usize::from(is_over),
            "{kind}"
        );
        for (phase, views) in (0..).zip(&seen) {
            for (&seat, then) in seats.iter().zip(views) {
                let look = Look { seat, at_phase: Some(phase), ..Look::default() };
                let again = look.view(&owner, id).await.unwrap();
                assert_eq!(again.view, then.view, "{kind}, phase {phase}, seat {seat:?}");
                assert_eq!(again.cursor, then.cursor, "{kind}, phase {phase}, seat {seat:?}");
                assert_eq!(again.decision, None, "nothing is asked in the past");
            }
        }
        let mut by_phase = Vec::new();
        for phase in 0..=listed.len() as u64 {
            by_phase.extend(told(&owner, id, 1, Some(phase)).await);
        }
        assert_eq!(by_phase, told(&owner, id, 1, None).await, "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn past_views_survive_a_kill_of_the_engine() {
    let (engine, [owner]) = Engine::with_players(["Ann"]).await;
    let game = sandbox(&owner, STARSHIPS, 2).await;
    let seats = [None, Some(1), Some(2)];
    let seen = play(&owner, &game, &seats).await;
    let engine = engine.kill_and_restart();
    let owner = owner.on(engine.channel().await);
    for (phase, views) in (0..).zip(&seen) {
        for (&seat, then) in seats.iter().zip(views) {
            let look = Look { seat, at_phase: Some(phase), ..Look::default() };
            assert_eq!(look.view(&owner, &game.game_id).await.unwrap().view, then.view);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_serves_maps_and_reports_of_any_phase() {
    let (_engine, [owner]) = Engine::with_players(["Ann"]).await;
    for (kind, players) in KINDS {
        let game = sandbox(&owner, kind, players).await;
        let id = &game.game_id;
        let seen = play(&owner, &game, &[Some(1)]).await;
        for at_phase in [None, Some(0), Some(2), Some(seen.len() as u64)] {
            for seat in [None, Some(1)] {
                let look = Look { seat, at_phase, ..Look::default() };
                let svg = look.map(&owner, id, MapFormat::Svg).await.unwrap();
                assert_eq!(svg.media_type, "image/svg+xml");
                assert!(svg.map.starts_with("<svg ") && svg.map.ends_with("</svg>\n"), "{kind}");
                assert_eq!(svg.cursor, look.view(&owner, id).await.unwrap().cursor);
                for layer in &svg.layers {
                    assert!(svg.map.contains(&format!("data-layer=\"{layer}\"")), "{kind}");
                }
                let text = look.map(&owner, id, MapFormat::Text).await.unwrap();
                assert_eq!(text.media_type, "text/plain");
                assert!(!text.map.is_empty() && text.map.is_ascii(), "{kind}");
            }
        }
        let first = Look { seat: Some(1), at_phase: Some(1), ..Look::default() };
        let now = Look { at_phase: None, ..first };
        assert_ne!(
            first.map(&owner, id, MapFormat::Svg).await.unwrap().map,
            now.map(&owner, id, MapFormat::Svg).await.unwrap().map,
            "{kind}: nothing changes on the map in {PHASES} phases"
        );
        let report = GetReportRequest { seat: Some(1), ..GetReportRequest::of(id) };
        assert!(owner.does(report).await.report.lines().count() > 5, "{kind}");
    }
}

async fn letters_revealed(player: &Player, game_id: &str) -> usize {
    let request =
        GetHistoryRequest { revealed: true, page_size: 200, ..GetHistoryRequest::of(game_id) };
    let told = player.does(request).await.events;
    assert!(!told.is_empty());
    told.iter().filter(|event| matches!(event.body, Some(event::Body::Message(_)))).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_board_is_shown_only_at_the_end() {
    let (_engine, [ann, bob]) = Engine::with_players(["Ann", "Bob"]).await;
    let change = |request: &mut CreateSandboxGameRequest| {
        request.players = Some(2);
        request.guests = vec![SandboxGuest { seat: 2, player: "Bob".into() }];
    };
    let game = Sandbox::of(&ann, STARSHIPS, change).await;
    let id = &game.game_id;
    bob.does(JoinGameRequest::of(id)).await;
    let letter = SendMessageRequest {
        seat: Some(1),
        to_seats: vec![2],
        text: "between us".into(),
        ..SendMessageRequest::of(id)
    };
    ann.does(letter).await;
    play(&ann, &game, &[]).await;
    let revealed = Look { revealed: true, ..Look::default() };
    let early = revealed.view(&bob, id).await.unwrap_err();
    assert_eq!(reason(&early), "ROLE_CONFLICT");
    let early = revealed.map(&bob, id, MapFormat::Svg).await.unwrap_err();
    assert_eq!(reason(&early), "ROLE_CONFLICT");
    let before = revealed.view(&ann, id).await.expect("the owner of a sandbox sees everything");

    ann.does(DeclareOutcomeRequest { winners: vec![1], ..DeclareOutcomeRequest::of(id) }).await;
    for at_phase in [Some(0), Some(3), None] {
        let look = Look { at_phase, ..revealed };
        let view = look.view(&bob, id).await.unwrap();
        assert_eq!(
            view.cursor.unwrap().audience.unwrap().kind,
            Some(audience::Kind::GameMaster(GameMasterAudience {}))
        );
        look.map(&bob, id, MapFormat::Svg).await.unwrap();
    }
    assert!(letters_revealed(&ann, id).await > 0, "whoever leads a game reads all letters");
    assert_eq!(letters_revealed(&bob, id).await, 0);
    let own = Look { seat: Some(2), at_phase: Some(3), ..Look::default() };
    let all = Look { at_phase: Some(3), ..revealed };
    assert_ne!(own.view(&bob, id).await.unwrap().view, all.view(&bob, id).await.unwrap().view);
    let again = Look { at_phase: Some(PHASES as u64), ..revealed };
    assert_eq!(again.view(&bob, id).await.unwrap().view, before.view, "as its owner saw it then");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_map_is_drawn_in_a_theme_and_without_layers() {
    let (_engine, [owner]) = Engine::with_players(["Ann"]).await;
    let game = sandbox(&owner, "diplomacy", 7).await;
    let draw = async |theme: MapTheme, hidden_layers: Vec<String>| {
        let (game_id, theme) = (game.game_id.clone(), theme.into());
        owner.does(DrawMapRequest { theme, hidden_layers, ..DrawMapRequest::of(&game_id) }).await
    };
    let usual = draw(MapTheme::Unspecified, Vec::new()).await;
    assert_eq!(usual.map, draw(MapTheme::Dark, Vec::new()).await.map);
    assert_ne!(usual.map, draw(MapTheme::Light, Vec::new()).await.map);
    assert_ne!(usual.map, draw(MapTheme::ColorBlind, Vec::new()).await.map);
    assert!(usual.map.contains("data-piece=\"A Vie\"") && usual.layers.contains(&"pieces".into()));
    let bare = draw(MapTheme::Dark, vec!["pieces".into()]).await;
    assert_eq!(bare.layers, usual.layers, "hidden layers are told too");
    assert!(!bare.map.contains("data-piece=\"A Vie\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rows_of_a_scene_link_to_its_places_and_pieces() {
    let (_engine, [owner]) = Engine::with_players(["Ann"]).await;
    for (kind, players) in KINDS {
        let game = sandbox(&owner, kind, players).await;
        for seat in [None, Some(1)] {
            let request = GetSceneRequest { seat, ..GetSceneRequest::of(&game.game_id) };
            let scene = owner.does(request).await.scene.unwrap();
            let areas = scene.areas.iter().map(|area| area.name.as_str());
            let places: BTreeSet<&str> =
                areas.chain(scene.places.iter().map(|place| place.name.as_str())).collect();
            let members = |piece: &'_ ScenePiece| {
                let members = piece.members.iter().map(|member| member.name.clone());
                members.chain([piece.name.clone()]).collect::<Vec<String>>()
            };
            let pieces: BTreeSet<String> = scene.pieces.iter().flat_map(members).collect();
            let is_visible = seat.is_some() || kind != "star-empires";
            assert_eq!(!places.is_empty() && !scene.panels.is_empty(), is_visible, "{kind}");
            for piece in &scene.pieces {
                let is_there = piece.place.is_empty() || places.contains(piece.place.as_str());
                assert!(is_there, "{kind}: {piece:?}");
            }
            for panel in &scene.panels {
                for row in &panel.rows {
                    assert!(row.cells.len() <= panel.columns.len(), "{kind}: {row:?}");
                    let known = row.places.iter().all(|place| places.contains(place.as_str()));
                    assert!(known, "{kind}, {}: {:?}", panel.key, row.places);
                    let known = row.pieces.iter().all(|piece| pieces.contains(piece));
                    assert!(known, "{kind}, {}: {:?}", panel.key, row.pieces);
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scene_follows_seats_phases_and_layers() {
    let (engine, [owner]) = Engine::with_players(["Ann"]).await;
    let game = sandbox(&owner, "diplomacy", 7).await;
    let request = GetSceneRequest::of(&game.game_id);
    let own = owner.does(GetSceneRequest { seat: Some(1), ..request.clone() }).await;
    let spectator = owner.does(GetSceneRequest { as_spectator: true, ..request.clone() }).await;
    let keys = |response: &GetSceneResponse| {
        let scene = response.scene.as_ref().unwrap();
        scene.panels.iter().map(|panel| panel.key.clone()).collect::<Vec<_>>()
    };
    assert_eq!(keys(&own), ["powers", "centers"]);
    assert_eq!(keys(&spectator), ["powers"]);
    assert_ne!(own.cursor.unwrap().audience, spectator.cursor.unwrap().audience);
    let later = GetSceneRequest { at_phase: Some(2), ..request.clone() };
    assert_eq!(owner.refusal(later).await, "NOT_FOUND");
    let cheese = GetSceneRequest { layer: "cheese".into(), ..request.clone() };
    assert_eq!(owner.refusal(cheese).await, "INVALID_FIELD");
    assert_eq!(engine.player("Bob").await.refusal(request).await, "GAME_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_phases_and_invalid_widths_are_rejected() {
    let (engine, [owner]) = Engine::with_players(["Ann"]).await;
    let game = sandbox(&owner, "diplomacy", 7).await;
    let id = &game.game_id;
    let look = Look { seat: Some(1), at_phase: Some(2), ..Look::default() };
    let error = look.view(&owner, id).await.unwrap_err();
    assert_eq!(reason(&error), "NOT_FOUND");
    assert_eq!(error.message(), "Phase 2 does not exist; choose 0 to 1.");
    let error = owner.refused(DrawMapRequest { width: 39, ..DrawMapRequest::of(id) }).await;
    assert_eq!(reason(&error), "INVALID_FIELD");
    let map = DrawMapRequest { around: "Par".into(), ..DrawMapRequest::of(id) };
    assert_eq!(owner.refusal(map).await, "INVALID_FIELD");
    let hidden_layers = vec!["pieces".to_owned(), "cheese".into()];
    let error = owner.refused(DrawMapRequest { hidden_layers, ..DrawMapRequest::of(id) }).await;
    assert_eq!(reason(&error), "INVALID_FIELD");
    assert!(error.message().contains("expected ground, places"), "{}", error.message());
    let anonymous = engine.player("Bob").await;
    let error = Look::default().view(&anonymous, id).await.unwrap_err();
    assert_eq!(reason(&error), "GAME_NOT_FOUND");
}
