//! The past: phases, the views, maps and reports at each of them, and the whole board at the end.

use heliopause_proto::v1::*;
use heliopause_tests::{Engine, Player, Sandbox, reason};
use tonic::{Code, Status};

const KINDS: [(&str, u32); 7] = [
    ("starships-at-large", 3),
    ("star-empires", 3),
    ("stellar-conquest", 2),
    ("fate-of-empire", 1),
    ("alone-in-outer-space", 2),
    ("diplomacy", 7),
    ("it-came-from-outer-space", 7),
];

/// Past the second position that is kept, so that views go on from one and from the other.
const PHASES: usize = 12;

async fn sandbox(owner: &Player, kind: &str, players: u32) -> Sandbox {
    let request = CreateSandboxGameRequest {
        kind: kind.to_owned(),
        players: Some(players),
        seed: vec![3; 32].into(),
        ..CreateSandboxGameRequest::default()
    };
    Sandbox::create(owner, request).await.expect("a sandbox game")
}

/// A look at a game.
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
        Ok(player.games().get_view(request).await?.into_inner())
    }

    async fn map(
        self,
        player: &Player,
        game_id: &str,
        format: MapFormat,
    ) -> Result<DrawMapResponse, Status> {
        let Self { seat, revealed, at_phase } = self;
        let request = DrawMapRequest {
            game_id: game_id.to_owned(),
            seat,
            as_spectator: seat.is_none() && !revealed,
            at_phase,
            revealed,
            format: format.into(),
            ..DrawMapRequest::default()
        };
        Ok(player.games().draw_map(request).await?.into_inner())
    }
}

async fn phases(player: &Player, game_id: &str, page_size: u32) -> Vec<Phase> {
    let mut request =
        ListPhasesRequest { game_id: game_id.to_owned(), page_size, page_token: String::new() };
    let mut phases = Vec::new();
    loop {
        let page = player.games().list_phases(request.clone()).await.unwrap().into_inner();
        phases.extend(page.phases);
        if page.next_page_token.is_empty() {
            return phases;
        }
        request.page_token = page.next_page_token;
    }
}

async fn told(player: &Player, game_id: &str, seat: u32, at_phase: Option<u64>) -> Vec<Event> {
    let mut request = GetHistoryRequest {
        game_id: game_id.to_owned(),
        seat: Some(seat),
        at_phase,
        page_size: 7,
        ..GetHistoryRequest::default()
    };
    let mut events = Vec::new();
    loop {
        let page = player.games().get_history(request.clone()).await.unwrap().into_inner();
        events.extend(page.events);
        if page.next_page_token.is_empty() {
            return events;
        }
        request.page_token = page.next_page_token;
    }
}

/// What every audience sees at the end of each phase, written down while the game is played.
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
            // One step may pass through several phases; only the last of them is seen as it begins.
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
async fn every_audience_sees_each_phase_again_as_it_was() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
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
async fn the_past_is_the_same_after_the_engine_was_killed() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let game = sandbox(&owner, "starships-at-large", 2).await;
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
async fn maps_and_reports_come_from_the_engine_now_and_at_any_phase() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
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
        let report = GetReportRequest { game_id: id.clone(), seat: Some(1), ..Default::default() };
        let report = owner.games().get_report(report).await;
        if kind == "starships-at-large" {
            assert_eq!(reason(&report.unwrap_err()), "NOT_FOUND", "{kind}");
        } else {
            assert!(report.unwrap().into_inner().report.lines().count() > 5, "{kind}");
        }
    }
}

async fn letters_revealed(player: &Player, game_id: &str) -> usize {
    let request = GetHistoryRequest {
        game_id: game_id.to_owned(),
        revealed: true,
        page_size: 200,
        ..GetHistoryRequest::default()
    };
    let told = player.games().get_history(request).await.unwrap().into_inner().events;
    assert!(!told.is_empty());
    told.iter().filter(|event| matches!(event.body, Some(event::Body::Message(_)))).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_board_is_shown_at_the_end_and_not_before() {
    let engine = Engine::start();
    let (ann, bob) = (engine.player("Ann").await, engine.player("Bob").await);
    let request = CreateSandboxGameRequest {
        kind: "starships-at-large".into(),
        players: Some(2),
        seed: vec![7; 32].into(),
        guests: vec![SandboxGuest { seat: 2, player: "Bob".into() }],
        ..CreateSandboxGameRequest::default()
    };
    let game = Sandbox::create(&ann, request).await.unwrap();
    let id = &game.game_id;
    let join = JoinGameRequest { game_id: id.clone(), ..JoinGameRequest::default() };
    bob.games().join_game(join).await.unwrap();
    let letter = SendMessageRequest {
        game_id: id.clone(),
        seat: Some(1),
        to_seats: vec![2],
        text: "between us".into(),
        ..SendMessageRequest::default()
    };
    ann.games().send_message(letter).await.unwrap();
    play(&ann, &game, &[]).await;
    let revealed = Look { revealed: true, ..Look::default() };
    let early = revealed.view(&bob, id).await.unwrap_err();
    assert_eq!((early.code(), reason(&early).as_str()), (Code::PermissionDenied, "SEES_TOO_MUCH"));
    let early = revealed.map(&bob, id, MapFormat::Svg).await.unwrap_err();
    assert_eq!(reason(&early), "SEES_TOO_MUCH");
    let before = revealed.view(&ann, id).await.expect("the owner of a sandbox sees everything");

    let declared = DeclareOutcomeRequest {
        game_id: id.clone(),
        winners: vec![1],
        ..DeclareOutcomeRequest::default()
    };
    ann.master().declare_outcome(declared).await.unwrap();
    for at_phase in [Some(0), Some(3), None] {
        let look = Look { at_phase, ..revealed };
        let view = look.view(&bob, id).await.unwrap();
        assert_eq!(
            view.cursor.unwrap().audience.unwrap().kind,
            Some(audience::Kind::GameMaster(GameMasterAudience {}))
        );
        look.map(&bob, id, MapFormat::Svg).await.unwrap();
    }
    // The game is revealed; what its players wrote to each other is not.
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
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let game = sandbox(&owner, "diplomacy", 7).await;
    let draw = async |theme: MapTheme, hidden_layers: Vec<String>| {
        let (game_id, theme) = (game.game_id.clone(), theme.into());
        let request = DrawMapRequest { game_id, theme, hidden_layers, ..Default::default() };
        owner.games().draw_map(request).await.unwrap().into_inner()
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
async fn a_phase_that_there_is_not_and_a_width_out_of_bounds_are_refused() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let game = sandbox(&owner, "diplomacy", 7).await;
    let id = &game.game_id;
    let look = Look { seat: Some(1), at_phase: Some(2), ..Look::default() };
    let error = look.view(&owner, id).await.unwrap_err();
    assert_eq!((error.code(), reason(&error).as_str()), (Code::NotFound, "NOT_FOUND"));
    assert_eq!(error.message(), "There is no phase 2; the phases are 0 to 1.");
    let map = DrawMapRequest { game_id: id.clone(), width: 39, ..DrawMapRequest::default() };
    let error = owner.games().draw_map(map).await.unwrap_err();
    assert_eq!(reason(&error), "INVALID_FIELD");
    let map = DrawMapRequest { game_id: id.clone(), around: "Par".into(), ..Default::default() };
    assert_eq!(reason(&owner.games().draw_map(map).await.unwrap_err()), "INVALID_FIELD");
    let hidden_layers = vec!["pieces".to_owned(), "cheese".into()];
    let map = DrawMapRequest { game_id: id.clone(), hidden_layers, ..Default::default() };
    let error = owner.games().draw_map(map).await.unwrap_err();
    assert_eq!(reason(&error), "INVALID_FIELD");
    assert!(error.message().contains("expected ground, places"), "{}", error.message());
    let stranger = engine.player("Bob").await;
    let error = Look::default().view(&stranger, id).await.unwrap_err();
    assert_eq!(reason(&error), "GAME_NOT_FOUND");
}
