//! Hidden information leaks in known ways. One test each.

use heliopause_proto::v1::export_game_response::Part as Exported;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::*;
use heliopause_tests::{Engine, Player, STARSHIPS, Sandbox, Worker, reason};
use prost::Message as _;

/// A game of three people that has begun; the first is its host.
async fn three_players(engine: &Engine) -> (Vec<Player>, Game) {
    let players =
        vec![engine.player("Ann").await, engine.player("Bob").await, engine.player("Cid").await];
    let game = players[0].create(2).await;
    players[1].join(&game.game_id).await;
    let game = players[2].join(&game.game_id).await;
    (players, game)
}

/// The player whose turn it is, and one whose turn it is not.
fn on_turn<'a>(players: &'a [Player], game: &Game) -> (&'a Player, &'a Player) {
    let turn = game.on_turn.expect("a turn") as usize - 1;
    (&players[turn], &players[(turn + 1) % players.len()])
}

/// A hidden marker is somewhere in a position but not in what others see: the bytes of their views
/// agree whatever it is.
async fn sandbox_with(owner: &Player, marker: &str) -> Sandbox {
    let hex = format!(r#"{{"hex":{{"q":1,"r":0}},"marker":"{marker}"}}"#);
    let json = format!(r#"{{"starshipsAtLarge":{{"players":[{{}},{{}}],"hexes":[{hex}]}}}}"#);
    let position = heliopause_proto::json::from_text(&json).expect("a position");
    let request = CreateSandboxGameRequest {
        kind: STARSHIPS.to_owned(),
        position: Some(position),
        seed: vec![1; 32].into(),
        dice: vec![6; 20],
        ..CreateSandboxGameRequest::default()
    };
    Sandbox::create(owner, request).await.expect("a sandbox game")
}

/// Everything that a seat can ask for, as bytes.
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
        let request = ValidateOrdersRequest {
            game_id: sandbox.game_id.clone(),
            seat: Some(seat),
            orders: Some(Orders { text: order.to_owned(), ..Orders::default() }),
        };
        answers.push(match sandbox.owner.games().validate_orders(request).await {
            Ok(answer) => answer.into_inner().encode_to_vec(),
            Err(status) => status.message().as_bytes().to_vec(),
        });
    }
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_knowledge_gives_equal_bytes_over_the_wire() {
    let engine = Engine::start();
    let owner = engine.player("Ann").await;
    let dead = sandbox_with(&owner, "MARKER_DEAD").await;
    let empty = sandbox_with(&owner, "MARKER_EMPTY").await;
    assert_ne!(
        owner
            .sandboxes()
            .get_position(GetPositionRequest { game_id: dead.game_id.clone() })
            .await
            .unwrap()
            .into_inner(),
        owner
            .sandboxes()
            .get_position(GetPositionRequest { game_id: empty.game_id.clone() })
            .await
            .unwrap()
            .into_inner(),
        "the games differ"
    );
    for seat in [1, 2] {
        assert_eq!(
            all_that_a_seat_sees(&dead, seat).await,
            all_that_a_seat_sees(&empty, seat).await
        );
    }
    // Player A looks, and colonizes the one and bluffs on the other: B is told the same.
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

#[tokio::test(flavor = "multi_thread")]
async fn a_spectator_sees_what_everybody_sees_and_no_seats_view() {
    let engine = Engine::start();
    let (players, game) = three_players(&engine).await;
    let stranger = engine.player("Eve").await;
    let (active, _) = on_turn(&players, &game);
    let seen = stranger.view(&game.game_id).await;
    assert_eq!(
        seen.cursor.unwrap().audience.unwrap().kind,
        Some(audience::Kind::Spectators(SpectatorAudience {}))
    );
    let request = GetViewRequest {
        game_id: game.game_id.clone(),
        seat: game.on_turn,
        as_spectator: false,
        ..GetViewRequest::default()
    };
    assert_eq!(reason(&stranger.games().get_view(request).await.unwrap_err()), "NOT_YOUR_SEAT");
    // A player may look as a spectator, and sees exactly the same.
    let request = GetViewRequest {
        game_id: game.game_id.clone(),
        as_spectator: true,
        seat: None,
        ..GetViewRequest::default()
    };
    let as_spectator = active.games().get_view(request).await.unwrap().into_inner();
    assert_eq!(as_spectator.view, seen.view);
    let refused = stranger.order(&game.game_id, "end", "eve-1").await.unwrap_err();
    assert_eq!(reason(&refused), "NOT_YOUR_SEAT");
}

#[tokio::test(flavor = "multi_thread")]
async fn history_and_streams_tell_only_their_own_audience() {
    let engine = Engine::start();
    let (players, game) = three_players(&engine).await;
    let (active, other) = on_turn(&players, &game);
    let before = other.view(&game.game_id).await.cursor.unwrap().number;
    // A refused order, a dry run and a look leave no trace, not even a gap.
    active.order(&game.game_id, "attack A9 B9", "x").await.unwrap_err();
    active.offers(&game.game_id).await;
    assert_eq!(other.view(&game.game_id).await.cursor.unwrap().number, before);
    active.order(&game.game_id, "end", "y").await.unwrap();
    for player in &players {
        let streamed = player.all_events(&game.game_id).await;
        let request = GetHistoryRequest {
            game_id: game.game_id.clone(),
            page_size: 200,
            ..Default::default()
        };
        let history = player.games().get_history(request).await.unwrap().into_inner().events;
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
    let request = GetHistoryRequest {
        game_id: game.game_id.clone(),
        seat: game.on_turn,
        ..Default::default()
    };
    assert_eq!(reason(&other.games().get_history(request).await.unwrap_err()), "NOT_YOUR_SEAT");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_of_one_audience_is_refused_by_another() {
    let engine = Engine::start();
    let (players, game) = three_players(&engine).await;
    let mine = players[0].view(&game.game_id).await.cursor.unwrap();
    let request = StreamEventsRequest {
        game_id: game.game_id.clone(),
        after: Some(mine),
        ..Default::default()
    };
    assert_eq!(
        reason(&players[1].games().stream_events(request.clone()).await.unwrap_err()),
        "CURSOR_INVALID"
    );
    let beyond = Cursor { number: mine.number + 1, ..mine };
    let request = StreamEventsRequest { after: Some(beyond), ..request };
    assert_eq!(
        reason(&players[0].games().stream_events(request).await.unwrap_err()),
        "CURSOR_INVALID"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_tokens_and_messages_are_not_in_the_log() {
    let engine = Engine::start();
    let (players, game) = three_players(&engine).await;
    let (active, other) = on_turn(&players, &game);
    active.order(&game.game_id, "mark (0,0)", "secret-request").await.unwrap();
    let request = SendMessageRequest {
        game_id: game.game_id.clone(),
        to_all: true,
        text: "the crow flies at midnight".to_owned(),
        ..SendMessageRequest::default()
    };
    other.games().send_message(request).await.unwrap();
    active.order(&game.game_id, "mark (9,9)", "refused").await.unwrap_err();
    let log = engine.log();
    for secret in ["mark (", "crow", "secret-request", active.token.as_str(), "(9,9)"] {
        assert!(!log.contains(secret), "the log says {secret:?}:\n{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_anonymous_game_names_nobody_until_it_is_over() {
    let engine = Engine::start();
    let ann = engine.player("Annabel").await;
    let bob = engine.player("Bobbington").await;
    let game = ann.create_with(1, |request| request.anonymous = true).await;
    bob.join(&game.game_id).await;
    let seen =
        format!("{:?}{:?}", bob.game(&game.game_id).await, bob.all_events(&game.game_id).await);
    assert!(!seen.contains("Annabel") && !seen.contains(&ann.id), "{seen}");
    assert!(seen.contains("Bobbington"), "one's own name is no secret");
    let stranger = engine.player("Eve").await;
    let seen = format!(
        "{:?}{:?}",
        stranger.game(&game.game_id).await,
        stranger.all_events(&game.game_id).await
    );
    assert!(!seen.contains("Annabel") && !seen.contains("Bobbington"), "{seen}");
    for (number, player) in [&ann, &bob].into_iter().enumerate() {
        let request = ProposeVoteRequest {
            game_id: game.game_id.clone(),
            subject: VoteSubject::Draw.into(),
            ..ProposeVoteRequest::default()
        };
        if number == 0 {
            player.games().propose_vote(request).await.unwrap();
        } else {
            let request = CastVoteRequest {
                game_id: game.game_id.clone(),
                vote: 1,
                yes: true,
                seat: None,
                ..CastVoteRequest::default()
            };
            player.games().cast_vote(request).await.unwrap();
        }
    }
    let over = stranger.game(&game.game_id).await;
    assert_eq!(over.status(), GameStatus::Ended);
    assert!(format!("{over:?}").contains("Annabel"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_seed_is_revealed_when_the_game_ends_and_not_before() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let game = ann.create(0).await;
    let export = |player: Player, full: bool, game_id: String| async move {
        let request = ExportGameRequest { game_id, full };
        let mut stream = player.games().export_game(request).await?.into_inner();
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
    assert_eq!(reason(&refused), "SEES_TOO_MUCH");

    let request = ProposeVoteRequest {
        game_id: game.game_id.clone(),
        subject: VoteSubject::Draw.into(),
        ..ProposeVoteRequest::default()
    };
    ann.games().propose_vote(request).await.unwrap();
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
async fn a_private_game_does_not_exist_for_strangers() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let eve = engine.player("Eve").await;
    let game = ann.create_with(1, |request| request.is_private = true).await;
    assert!(!game.invite_code.is_empty());
    let unknown = GetGameRequest { game_id: "000000000000".to_owned(), invite_code: String::new() };
    let hidden = GetGameRequest { game_id: game.game_id.clone(), invite_code: "wrong".to_owned() };
    let unknown = eve.games().get_game(unknown).await.unwrap_err();
    let hidden = eve.games().get_game(hidden).await.unwrap_err();
    assert_eq!(
        (unknown.code(), unknown.message(), unknown.details()),
        (hidden.code(), hidden.message(), hidden.details())
    );
    let list = eve.games().list_games(ListGamesRequest::default()).await.unwrap().into_inner();
    assert!(list.games.is_empty());
    let request = JoinGameRequest { game_id: game.game_id.clone(), ..JoinGameRequest::default() };
    assert_eq!(
        reason(&eve.games().join_game(request.clone()).await.unwrap_err()),
        "GAME_NOT_FOUND"
    );
    let with_code = JoinGameRequest { invite_code: game.invite_code.clone(), ..request };
    let joined = eve.games().join_game(with_code).await.unwrap().into_inner().game.unwrap();
    assert_eq!(joined.your_seat, Some(2));
    assert!(joined.invite_code.is_empty(), "only who leads the game hands out its code");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_shows_the_workers_seat_only() {
    let engine = Engine::start();
    let ann = engine.player("Ann").await;
    let game = ann.watch_new(STARSHIPS, 2, "", None).await;
    let account = engine.worker_account().await;
    let mut worker = Worker::hire(&account, 1).await.unwrap();
    let lease = worker.lease().await;
    let request = GetViewRequest {
        game_id: game.game_id.clone(),
        seat: Some(lease.seat),
        as_spectator: false,
        ..GetViewRequest::default()
    };
    assert_eq!(reason(&account.games().get_view(request).await.unwrap_err()), "NOT_YOUR_SEAT");
    let secret = ann
        .games()
        .get_offers(GetOffersRequest { game_id: game.game_id.clone(), seat: Some(lease.seat) })
        .await;
    assert_eq!(reason(&secret.unwrap_err()), "NOT_YOUR_SEAT");
    assert!(lease.recent.iter().all(|event| event.number > 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_players_stream_ends_and_the_heir_inherits_the_seat() {
    let engine = Engine::start();
    let (players, game) = three_players(&engine).await;
    let heir = engine.player("Dan").await;
    let (host, leaves) = (&players[0], &players[1]);
    let mut events = leaves.all_events(&game.game_id).await;
    let mut stream = leaves.events(&game.game_id, None).await;
    vote_out(host, &players[2], &game.game_id, 2).await;
    let replace = ReplacePlayerRequest {
        game_id: game.game_id.clone(),
        seat: 2,
        player: "Dan".to_owned(),
        ..ReplacePlayerRequest::default()
    };
    host.master().replace_player(replace).await.unwrap();
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

/// Two players agree that a third is to be replaced.
async fn vote_out(proposer: &Player, other: &Player, game_id: &str, target_seat: u32) {
    let subject = VoteSubject::Replace.into();
    let request = ProposeVoteRequest {
        game_id: game_id.to_owned(),
        subject,
        target_seat: Some(target_seat),
        ..ProposeVoteRequest::default()
    };
    let vote = proposer.games().propose_vote(request).await.unwrap().into_inner().vote.unwrap();
    assert_eq!((vote.state(), vote.needed), (VoteState::Open, 2));
    let cast = CastVoteRequest {
        game_id: game_id.to_owned(),
        vote: vote.number,
        yes: true,
        ..CastVoteRequest::default()
    };
    let vote = other.games().cast_vote(cast).await.unwrap().into_inner().vote.unwrap();
    assert_eq!(vote.state(), VoteState::Passed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_playing_host_reads_nobodys_secrets_by_taking_a_seat_that_is_played() {
    let engine = Engine::start();
    let (host, friend) = (engine.player("Ann").await, engine.player("Second Ann").await);
    let bob = engine.player("Bob").await;
    let game = host.create_with(1, |request| "star-empires".clone_into(&mut request.kind)).await;
    let game_id = game.game_id;
    bob.join(&game_id).await;
    bob.order(&game_id, "# nobody reads this", "secret").await.unwrap();
    for player in ["", "Second Ann", "Ann"] {
        let replace = ReplacePlayerRequest {
            game_id: game_id.clone(),
            seat: 2,
            player: player.to_owned(),
            ..ReplacePlayerRequest::default()
        };
        let refused = host.master().replace_player(replace).await.unwrap_err();
        assert!(
            ["ROLE_REQUIRED", "INVALID_FIELD"].contains(&reason(&refused).as_str()),
            "{refused:?}"
        );
    }
    let subject = VoteSubject::Replace.into();
    let alone = ProposeVoteRequest {
        game_id: game_id.clone(),
        subject,
        target_seat: Some(2),
        ..ProposeVoteRequest::default()
    };
    assert_eq!(reason(&host.games().propose_vote(alone).await.unwrap_err()), "INVALID_FIELD");
    let second = Some(PhasePace {
        interval: Some(prost_types::Duration { seconds: 1, nanos: 0 }),
        ..PhasePace::default()
    });
    let pace =
        Some(Pace { standard: second, missed: MissedDeadline::Automate.into(), ..Pace::default() });
    let hurry = host
        .master()
        .set_pace(SetPaceRequest { game_id: game_id.clone(), pace, ..SetPaceRequest::default() })
        .await
        .unwrap_err();
    assert_eq!(reason(&hurry), "INVALID_FIELD", "nor do they hurry them out of it");
    let join =
        JoinGameRequest { game_id: game_id.clone(), seat: Some(2), ..JoinGameRequest::default() };
    assert_eq!(reason(&friend.games().join_game(join).await.unwrap_err()), "NO_OPEN_SEAT");
    let view = bob.view(&game_id).await;
    assert_eq!((view.phase, view.revision), (Some(1), Some(1)), "their orders stand");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ratings_of_an_anonymous_game_are_public_when_it_ends() {
    let engine = Engine::start();
    let (master, ann, bob) =
        (engine.player("Gina").await, engine.player("Ann").await, engine.player("Bob").await);
    let anonymous = |request: &mut CreateGameRequest| {
        "star-empires".clone_into(&mut request.kind);
        request.game_master = true;
        request.anonymous = true;
    };
    let game_id = master.create_with(1, anonymous).await.game_id;
    ann.join(&game_id).await;
    bob.join(&game_id).await;
    let dedication = async |name: &str| {
        let request = GetPlayerRequest { player: name.to_owned() };
        master.players().get_player(request).await.unwrap().into_inner().player.unwrap().dedication
    };
    ann.order(&game_id, "# one", "one").await.unwrap();
    master
        .master()
        .close_phase(ClosePhaseRequest { game_id: game_id.clone(), ..ClosePhaseRequest::default() })
        .await
        .unwrap();
    assert_eq!(ann.view(&game_id).await.phase, Some(2), "the turn is over");
    assert_eq!(
        (dedication("Ann").await, dedication("Bob").await),
        (0, 0),
        "it would tell who gave orders"
    );
    let request =
        DeclareOutcomeRequest { game_id: game_id.clone(), ..DeclareOutcomeRequest::default() };
    master.master().declare_outcome(request).await.unwrap();
    assert_eq!((dedication("Ann").await, dedication("Bob").await), (1, 0));
}
