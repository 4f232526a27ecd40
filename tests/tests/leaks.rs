//! Known classes of leaks of hidden information. Each has one test, here or in the named file.
//!
//! | class | prevented by | also tested in |
//! | --- | --- | --- |
//! | views of spectators | each viewer has a separate view of visible facts | |
//! | boards, scenes, maps, reports | drawn from the viewer's view alone | |
//! | history, undo | history has the same filtered events; there is no undo | |
//! | orders in logs | orders are never logged | |
//! | names in anonymous games | the names of players are visible only at the end | |
//! | the seed | only in the store and, at the end, in `GameEnded` | |
//! | errors and status codes | rejections depend only on visible state | the games' crates |
//! | lists of orders, dry runs | nothing is tried and undone | `games/table/tests/lists.rs` |
//! | counts, sizes, gaps | each audience and seat has its own numbers, without gaps | |
//! | anonymous spectators | the caller has no player id and no seat | `web.rs` |
//! | addresses of pages | a code that is valid once, instead of a token | `web.rs` |
//! | exports | filtered for the caller, even at the end | `engine-service/tests/messages.rs` |
//! | webhooks and email | a notice has only facts visible to its player | `notices_out.rs` |
//! | requests to AI clients | a lease shows one seat's view, to an account outside the game | |

use heliopause_proto::star_empires::v1::{Sector, World};
use heliopause_proto::v1::export_game_response::Part as Exported;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::*;
use heliopause_tests::{Engine, OfGame as _, Player, STARSHIPS, Sandbox, Worker, reason};
use prost::Message as _;

async fn three_players(engine: &Engine) -> (Vec<Player>, Game) {
    let [ann, bob, cid] = engine.players(["Ann", "Bob", "Cid"]).await;
    let game = ann.create(2).await;
    bob.join(&game.game_id).await;
    let game = cid.join(&game.game_id).await;
    (vec![ann, bob, cid], game)
}

fn on_turn<'a>(players: &'a [Player], game: &Game) -> (&'a Player, &'a Player) {
    let turn = game.on_turn.expect("a turn") as usize - 1;
    (&players[turn], &players[(turn + 1) % players.len()])
}

async fn all_that_a_seat_sees(sandbox: &Sandbox, seat: u32) -> Vec<Vec<u8>> {
    let mut answers =
        vec![sandbox.view(seat).await.encode_to_vec(), sandbox.offers(seat).await.encode_to_vec()];
    for mut event in sandbox.history(seat, 0).await {
        event.time = None;
        answers.push(event.encode_to_vec());
    }
    for order in [
        "face up (1,0)",
        "move B1 to (1,0)",
        "force B1",
        "give (1,0) to A",
        "exile A",
        "colonize (1,0)",
    ] {
        answers.push(match sandbox.validate(seat, order).await {
            Ok(answer) => answer.encode_to_vec(),
            Err(status) => status.message().as_bytes().to_vec(),
        });
    }
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_visibility_gives_equal_bytes_on_the_wire() {
    let (_engine, [owner]) = Engine::with_players(["Ann"]).await;
    let dead = Sandbox::beside(&owner, "MARKER_DEAD", &[6; 20]).await;
    let empty = Sandbox::beside(&owner, "MARKER_EMPTY", &[6; 20]).await;
    assert_ne!(dead.position().await, empty.position().await, "the games differ");
    for seat in [1, 2] {
        assert_eq!(
            all_that_a_seat_sees(&dead, seat).await,
            all_that_a_seat_sees(&empty, seat).await
        );
    }
    for sandbox in [&dead, &empty] {
        sandbox.order(1, "move A1 to (1,0)").await.unwrap();
        sandbox.order(1, "mark (1,0)").await.unwrap();
    }
    assert_ne!(
        all_that_a_seat_sees(&dead, 1).await,
        all_that_a_seat_sees(&empty, 1).await,
        "A knows now"
    );
    assert_eq!(
        all_that_a_seat_sees(&dead, 2).await,
        all_that_a_seat_sees(&empty, 2).await,
        "B does not"
    );
}

/// Returns the board, scene, maps and report that a viewer sees: a seat, or a spectator.
async fn drawn(sandbox: &Sandbox, seat: Option<u32>) -> [Vec<u8>; 5] {
    let (owner, game_id) = (&sandbox.owner, &sandbox.game_id);
    let as_spectator = seat.is_none();
    let board = GetBoardRequest { seat, as_spectator, ..GetBoardRequest::of(game_id) };
    let scene = GetSceneRequest { seat, as_spectator, ..GetSceneRequest::of(game_id) };
    let map = |format: MapFormat| DrawMapRequest {
        seat,
        as_spectator,
        format: format.into(),
        ..DrawMapRequest::of(game_id)
    };
    let report = GetReportRequest { seat, as_spectator, ..GetReportRequest::of(game_id) };
    [
        owner.does(board).await.board.unwrap().encode_to_vec(),
        owner.does(scene).await.scene.unwrap().encode_to_vec(),
        owner.does(map(MapFormat::Svg)).await.map.into_bytes(),
        owner.does(map(MapFormat::List)).await.map.into_bytes(),
        owner.does(report).await.report.into_bytes(),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn boards_scenes_maps_and_reports_show_only_what_their_viewer_sees() {
    let (_engine, [owner]) = Engine::with_players(["Ann"]).await;
    let dead = Sandbox::beside(&owner, "MARKER_DEAD", &[6; 20]).await;
    let empty = Sandbox::beside(&owner, "MARKER_EMPTY", &[6; 20]).await;
    for seat in [Some(1), Some(2), None] {
        assert_eq!(drawn(&dead, seat).await, drawn(&empty, seat).await, "{seat:?}");
    }

    // Another world, out of sight of the second empire.
    let new = Sandbox::of(&owner, "star-empires", |request| request.players = Some(2)).await;
    let position = new.position().await.position.unwrap();
    let mut changed = position.clone();
    let Some(game_position::Game::StarEmpires(state)) = &mut changed.game else {
        panic!("a position of this game")
    };
    let galaxy = state.galaxy.as_mut().unwrap();
    let home = galaxy.worlds.iter().find(|world| world.owner == 1).expect("a homeworld");
    let at = home.at.map(|at| Sector { oblique: at.oblique - at.oblique.signum().max(1), ..at });
    galaxy.worlds.retain(|world| world.at != at);
    let name = "Farland".to_owned();
    galaxy.worlds.push(World { name, at, production: 5, ..World::default() });
    let mut sandboxes = Vec::new();
    for position in [position, changed] {
        let change = |request: &mut CreateSandboxGameRequest| request.position = Some(position);
        sandboxes.push(Sandbox::of(&owner, "star-empires", change).await);
    }
    assert_ne!(sandboxes[0].position().await, sandboxes[1].position().await, "the games differ");
    for seat in [Some(2), None] {
        assert_eq!(drawn(&sandboxes[0], seat).await, drawn(&sandboxes[1], seat).await, "{seat:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spectator_sees_only_public_state() {
    let engine = Engine::start();
    let (players, game) = three_players(&engine).await;
    let anonymous = engine.player("Eve").await;
    let (active, _) = on_turn(&players, &game);
    let seen = anonymous.view(&game.game_id).await;
    assert_eq!(
        seen.cursor.unwrap().audience.unwrap().kind,
        Some(audience::Kind::Spectators(SpectatorAudience {}))
    );
    let request = GetViewRequest { seat: game.on_turn, ..GetViewRequest::of(&game.game_id) };
    assert_eq!(anonymous.refusal(request).await, "NOT_YOUR_SEAT");
    let request = GetViewRequest { as_spectator: true, ..GetViewRequest::of(&game.game_id) };
    let as_spectator = active.does(request).await;
    assert_eq!(as_spectator.view, seen.view);
    let refused = anonymous.order(&game.game_id, "end", "eve-1").await.unwrap_err();
    assert_eq!(reason(&refused), "NOT_YOUR_SEAT");
}

#[tokio::test(flavor = "multi_thread")]
async fn history_and_streams_contain_only_their_audiences_events() {
    let engine = Engine::start();
    let (players, game) = three_players(&engine).await;
    let (active, other) = on_turn(&players, &game);
    let before = other.view(&game.game_id).await.cursor.unwrap().number;
    // A rejected order, a dry run and a view leave no trace, not even a gap in the event numbers.
    active.order(&game.game_id, "attack A9 B9", "x").await.unwrap_err();
    active.offers(&game.game_id).await;
    assert_eq!(other.view(&game.game_id).await.cursor.unwrap().number, before);
    active.order(&game.game_id, "end", "y").await.unwrap();
    for player in &players {
        let streamed = player.all_events(&game.game_id).await;
        let request = GetHistoryRequest { page_size: 200, ..GetHistoryRequest::of(&game.game_id) };
        let history = player.does(request).await.events;
        assert_eq!(streamed, history);
        assert!(streamed.iter().map(|event| event.number).eq(1..=streamed.len() as u64), "dense");
    }
    let accepted = |events: &[Event]| {
        events
            .iter()
            .filter(|event| matches!(event.body, Some(event::Body::OrdersAccepted(_))))
            .count()
    };
    assert_eq!(accepted(&active.all_events(&game.game_id).await), 1);
    assert_eq!(
        accepted(&other.all_events(&game.game_id).await),
        0,
        "other people's orders are theirs"
    );
    let request = GetHistoryRequest { seat: game.on_turn, ..GetHistoryRequest::of(&game.game_id) };
    assert_eq!(other.refusal(request).await, "NOT_YOUR_SEAT");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_of_another_audience_is_rejected() {
    let engine = Engine::start();
    let (players, game) = three_players(&engine).await;
    let mine = players[0].view(&game.game_id).await.cursor.unwrap();
    let request =
        StreamEventsRequest { after: Some(mine), ..StreamEventsRequest::of(&game.game_id) };
    assert_eq!(players[1].refusal(request.clone()).await, "CURSOR_INVALID");
    let beyond = Cursor { number: mine.number + 1, ..mine };
    let request = StreamEventsRequest { after: Some(beyond), ..request };
    assert_eq!(players[0].refusal(request).await, "CURSOR_INVALID");
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_tokens_and_messages_are_not_in_the_log() {
    let engine = Engine::start();
    let (players, game) = three_players(&engine).await;
    let (active, other) = on_turn(&players, &game);
    active.order(&game.game_id, "mark (0,0)", "secret-request").await.unwrap();
    let request = SendMessageRequest {
        to_all: true,
        text: "the crow flies at midnight".to_owned(),
        ..SendMessageRequest::of(&game.game_id)
    };
    other.does(request).await;
    active.order(&game.game_id, "mark (9,9)", "refused").await.unwrap_err();
    let log = engine.log();
    for secret in ["mark (", "crow", "secret-request", active.token.as_str(), "(9,9)"] {
        assert!(!log.contains(secret), "the log says {secret:?}:\n{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_anonymous_game_hides_names_until_it_is_over() {
    let (engine, [ann, bob]) = Engine::with_players(["Annabel", "Bobbington"]).await;
    let game = ann.create_with(1, |request| request.anonymous = true).await;
    bob.join(&game.game_id).await;
    let seen =
        format!("{:?}{:?}", bob.game(&game.game_id).await, bob.all_events(&game.game_id).await);
    assert!(!seen.contains("Annabel") && !seen.contains(&ann.id), "{seen}");
    assert!(seen.contains("Bobbington"), "one's own name is no secret");
    let anonymous = engine.player("Eve").await;
    let seen = format!(
        "{:?}{:?}",
        anonymous.game(&game.game_id).await,
        anonymous.all_events(&game.game_id).await
    );
    assert!(!seen.contains("Annabel") && !seen.contains("Bobbington"), "{seen}");
    let vote = ann.propose(&game.game_id, VoteSubject::Draw).await;
    bob.agree(&game.game_id, vote.number).await;
    let over = anonymous.game(&game.game_id).await;
    assert_eq!(over.status(), GameStatus::Ended);
    assert!(format!("{over:?}").contains("Annabel"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_seed_is_revealed_only_when_the_game_ends() {
    let (_engine, [ann]) = Engine::with_players(["Ann"]).await;
    let game = ann.create(0).await;
    let export = |player: Player, full: bool, game_id: String| async move {
        let mut stream = player.call(ExportGameRequest { game_id, full }).await?;
        let mut parts = Vec::new();
        while let Some(part) = stream.message().await? {
            parts.extend(part.part);
        }
        Ok::<_, tonic::Status>(parts)
    };
    let parts = export(ann.clone(), false, game.game_id.clone()).await.unwrap();
    let Exported::Header(header) = &parts[0] else { panic!("a header comes first") };
    assert!(!header.complete && header.seed.is_empty() && header.chain_head.is_empty());
    assert!(
        parts[1..].iter().all(|part| matches!(part, Exported::Event(_))),
        "one's own events, and no journal"
    );
    let refused = export(ann.clone(), true, game.game_id.clone()).await.unwrap_err();
    assert_eq!(reason(&refused), "ROLE_CONFLICT");

    ann.propose(&game.game_id, VoteSubject::Draw).await;
    let events = ann.all_events(&game.game_id).await;
    let Some(event::Body::GameEnded(ended)) = &events.last().unwrap().body else {
        panic!("the end comes last")
    };
    assert_eq!(ended.seed.len(), 32);
    let parts = export(ann, false, game.game_id.clone()).await.unwrap();
    let Exported::Header(header) = &parts[0] else { panic!("a header comes first") };
    assert_eq!(header.seed, ended.seed);
    let mut verifier =
        heliopause_table::verify::Verifier::new(header.seed.as_ref().try_into().unwrap());
    for part in &parts[1..] {
        let Exported::Entry(entry) = part else { panic!("the journal itself") };
        verifier.entry(entry);
    }
    let report = verifier.finish();
    assert_eq!(report.fault, None);
    assert_eq!(report.head, header.chain_head);
    assert_eq!(
        heliopause_table::chain::commitment(header.seed.as_ref().try_into().unwrap()),
        game.seed_commitment[..]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_game_is_invisible_to_other_players() {
    let (_engine, [ann, eve]) = Engine::with_players(["Ann", "Eve"]).await;
    let game = ann.create_with(1, |request| request.is_private = true).await;
    assert!(!game.invite_code.is_empty());
    let unknown = GetGameRequest { game_id: "000000000000".to_owned(), invite_code: String::new() };
    let hidden = GetGameRequest { game_id: game.game_id.clone(), invite_code: "wrong".to_owned() };
    let unknown = eve.refused(unknown).await;
    let hidden = eve.refused(hidden).await;
    assert_eq!(
        (unknown.code(), unknown.message(), unknown.details()),
        (hidden.code(), hidden.message(), hidden.details())
    );
    let list = eve.does(ListGamesRequest::default()).await;
    assert!(list.games.is_empty());
    let request = JoinGameRequest::of(&game.game_id);
    assert_eq!(eve.refusal(request.clone()).await, "GAME_NOT_FOUND");
    let with_code = JoinGameRequest { invite_code: game.invite_code.clone(), ..request };
    let joined = eve.does(with_code).await.game.unwrap();
    assert_eq!(joined.your_seat, Some(2));
    assert!(joined.invite_code.is_empty(), "only who leads the game hands out its code");
}

#[tokio::test(flavor = "multi_thread")]
async fn detailed_lists_show_what_get_game_shows_each_caller() {
    let (_engine, [ann, bob, eve]) = Engine::with_players(["Ann", "Bob", "Eve"]).await;
    let masked = ann
        .create_with(1, |request| (request.anonymous, request.hide_ready) = (true, true))
        .await
        .game_id;
    bob.join(&masked).await;
    let private = ann.create_with(1, |request| request.is_private = true).await.game_id;
    for (caller, sees_private) in [(&ann, true), (&bob, false), (&eve, false)] {
        let request = ListGamesRequest { detailed: true, ..ListGamesRequest::default() };
        let listed = caller.does(request).await.games;
        assert_eq!(listed.iter().any(|game| game.game_id == private), sees_private);
        for summary in listed {
            let game = summary.game.expect("the list is detailed");
            assert_eq!(game, caller.game(&summary.game_id).await);
        }
        let request = ListMyGamesRequest { detailed: true, ..ListMyGamesRequest::default() };
        for mine in caller.does(request).await.games {
            assert_eq!(mine.game.expect("details"), caller.game(&mine.game_id).await);
        }
    }
    let games = eve.does(ListGamesRequest::default()).await.games;
    assert!(games.iter().all(|game| game.game.is_none()), "details only on request");
    let request = ListGamesRequest { detailed: true, ..ListGamesRequest::default() };
    let shown = format!("{:?}", eve.does(request).await.games);
    assert!(!shown.contains("Ann") && !shown.contains("Bob"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_shows_only_the_leased_seats_view() {
    let (engine, [ann]) = Engine::with_players(["Ann"]).await;
    let game = ann.create_automated(STARSHIPS, 2, "", None).await;
    let account = engine.worker_account().await;
    let mut worker = Worker::attach(&account, 1).await.unwrap();
    let lease = worker.lease().await;
    let request = GetViewRequest { seat: Some(lease.seat), ..GetViewRequest::of(&game.game_id) };
    assert_eq!(account.refusal(request).await, "NOT_YOUR_SEAT");
    let secret = GetOffersRequest { game_id: game.game_id.clone(), seat: Some(lease.seat) };
    assert_eq!(ann.refusal(secret).await, "NOT_YOUR_SEAT");
    assert!(lease.recent.iter().all(|event| event.number > 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_players_stream_ends_and_the_new_player_has_the_seat() {
    let engine = Engine::start();
    let (players, game) = three_players(&engine).await;
    let heir = engine.player("Dan").await;
    let (host, leaves) = (&players[0], &players[1]);
    let mut events = leaves.all_events(&game.game_id).await;
    let mut stream = leaves.events(&game.game_id, None).await;
    vote_out(host, &players[2], &game.game_id, 2).await;
    let replace = ReplacePlayerRequest {
        seat: 2,
        player: "Dan".to_owned(),
        ..ReplacePlayerRequest::of(&game.game_id)
    };
    host.does(replace).await;
    let ended = loop {
        match stream.message().await {
            Ok(part) => {
                if let Some(Part::Event(event)) = part.expect("it does not end well").part {
                    events.push(event);
                }
            }
            Err(status) => break status,
        }
    };
    assert_eq!(reason(&ended), "NOT_YOUR_SEAT");
    let joined = heir.join(&game.game_id).await;
    assert_eq!(joined.your_seat, Some(2));
    let inherited = heir.all_events(&game.game_id).await;
    assert_eq!(inherited[..events.len()], events[..], "view, events and messages are the seat's");
    assert_eq!(
        reason(&leaves.order(&game.game_id, "end", "late").await.unwrap_err()),
        "NOT_YOUR_SEAT"
    );
}

async fn vote_out(proposer: &Player, other: &Player, game_id: &str, target_seat: u32) {
    let subject = VoteSubject::Replace.into();
    let request = ProposeVoteRequest {
        subject,
        target_seat: Some(target_seat),
        ..ProposeVoteRequest::of(game_id)
    };
    let vote = proposer.does(request).await.vote.unwrap();
    assert_eq!((vote.state(), vote.needed), (VoteState::Open, 2));
    let vote = other.agree(game_id, vote.number).await;
    assert_eq!(vote.state(), VoteState::Passed);
}
