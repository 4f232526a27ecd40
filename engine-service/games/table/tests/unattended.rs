//! Where automation has every seat nobody is there to end the game, so it must have an end of its
//! own.

use heliopause_proto::star_empires::v1 as star_empires;
use heliopause_proto::store::v1::*;
use heliopause_proto::v1::{AutomatedSeat, Game, GameOptions, OpenSeat, game_options};
use heliopause_table::{Reader, Table, chain};
use planned_seat::Plan;

const SECRET: [u8; 32] = [7; 32];

/// A table of Star Empires, hosted by somebody who does not play.
fn lay(plans: [Plan; 2], options: Option<star_empires::Options>) -> Table {
    let options =
        options.map(|options| GameOptions { game: Some(game_options::Game::StarEmpires(options)) });
    let created = Created {
        kind: "star-empires".to_owned(),
        seats: plans.into_iter().map(|plan| PlannedSeat { plan: Some(plan) }).collect(),
        host: Some(Person { player_id: "ann".to_owned(), name: "Ann".to_owned() }),
        seed_commitment: chain::commitment(&SECRET).to_vec().into(),
        game_id: "table".to_owned(),
        options,
        ..Created::default()
    };
    Table::lay(created, SECRET, "ann", 0).expect("a table").0
}

fn automated() -> Plan {
    Plan::Automated(AutomatedSeat::default())
}

fn open() -> Plan {
    Plan::Open(OpenSeat {})
}

fn start(table: &mut Table, fill: Option<AutomatedSeat>) {
    let kind = Some(step::Kind::StartCalled(StartCalled { fill }));
    table
        .take(Step { by: "ann".to_owned(), kind, ..Step::default() }, 0)
        .expect("it can be started");
}

fn shown(table: &Table) -> Game {
    table.describe(Reader { player_id: "ann" })
}

/// The last turn and the automatic victory, as the game shows them.
fn end_of(table: &Table) -> (Option<u32>, Option<bool>) {
    match shown(table).options.and_then(|options| options.game) {
        Some(game_options::Game::StarEmpires(options)) => {
            (options.last_turn, options.automatic_victory)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn rules_16_a_table_that_automation_has_to_itself_is_shown_its_last_turn() {
    let mut table = lay([automated(), automated()], None);
    assert_eq!(end_of(&table), (Some(60), Some(true)));
    start(&mut table, None);
    assert_eq!(shown(&table).progress, "map 0 of 60");
}

#[test]
fn rules_16_so_is_one_whose_open_seats_are_filled_at_the_start() {
    let mut table = lay([open(), automated()], None);
    assert_eq!(end_of(&table), (None, None), "somebody may come");
    start(&mut table, Some(AutomatedSeat::default()));
    assert_eq!(end_of(&table), (Some(60), Some(true)));
    assert_eq!(shown(&table).progress, "map 0 of 60");
}

#[test]
fn rules_16_what_the_options_say_stays() {
    let said = star_empires::Options {
        last_turn: Some(0),
        automatic_victory: Some(false),
        ..Default::default()
    };
    let mut table = lay([automated(), automated()], Some(said));
    start(&mut table, None);
    assert_eq!(end_of(&table), (Some(0), Some(false)));
    assert_eq!(shown(&table).progress, "map 0");
}
