//! Moving from the embedded database to one that several engines share.

use std::process::{Command, Output};

use heliopause_proto::v1::*;
use heliopause_tests::{Engine, Postgres, Sandbox, binary};

fn migrate(from: &std::path::Path, to: &str) -> Output {
    let mut command = Command::new(binary("engine-service"));
    command.args(["migrate", "--from", &format!("sqlite:{}", from.display()), "--to", to]);
    command.output().expect("the engine can be started")
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_moves_and_goes_on() {
    let Some(postgres) = Postgres::start() else { return };
    let mut engine = Engine::start();
    let (ada, bob) = (engine.player("Ada").await, engine.player("Bob").await);
    let gone = engine.player("Gone").await;
    let (admin, player) = (engine.admin().await, gone.name.clone());
    admin.admin().delete_player(DeletePlayerRequest { player }).await.unwrap();
    let sandbox = Sandbox::new(&ada, 1, &[]).await;
    for _ in 0..300 {
        sandbox.order(1, "mark (0,0)\ntake up (0,0)").await.unwrap();
    }
    let table = ada.create(1).await;
    bob.join(&table.game_id).await;
    let before = (ada.all_events(&sandbox.game_id).await, bob.all_events(&table.game_id).await);

    let address = postgres.database("games");
    let refused = migrate(engine.data(), &address);
    assert!(!refused.status.success(), "the engine still runs");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("stop it first"), "{refused:?}");
    assert!(engine.terminate().success());
    let moved = migrate(engine.data(), &address);
    assert!(moved.status.success(), "{moved:?}");
    let said = String::from_utf8_lossy(&moved.stderr).into_owned();
    assert!(said.contains("moved 2 games"), "{said}");
    let again = migrate(engine.data(), &address);
    assert!(String::from_utf8_lossy(&again.stderr).contains("not empty"), "{again:?}");

    let engine = Engine::on_database(&address, &["--sandbox"]);
    let (ada, bob) = (ada.on(engine.channel().await), bob.on(engine.channel().await));
    assert_eq!((ada.all_events(&sandbox.game_id).await, bob.all_events(&table.game_id).await), before);
    let there = Sandbox { owner: ada.clone(), ..sandbox };
    there.order(1, "mark (0,0)").await.expect("the game goes on");
    let verified = ada.games().verify_game(VerifyGameRequest { game_id: there.game_id.clone() }).await.unwrap();
    assert!(verified.get_ref().valid, "{}", verified.get_ref().fault);
    let erased = ada.players().get_player(GetPlayerRequest { player: gone.id }).await.unwrap().into_inner();
    assert_eq!(erased.player.unwrap().name, "");
}

#[test]
fn what_cannot_be_moved_is_named() {
    let empty = tempfile::tempdir().unwrap();
    let refused = migrate(empty.path(), "sqlite:nowhere");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--to names a database"), "{refused:?}");
}
