//! The saved game format that other Diplomacy programs use.

use serde_json::Value;

#[path = "../examples/saved_games.rs"]
mod saved_games;

fn list(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The Python package `diplomacy` disbands other dislodged units immediately.
#[test]
fn d7_a_retreat_phase_holds_only_units_that_can_retreat() {
    let (mut phases, mut units) = (0, 0);
    for number in 1..=60 {
        for phase in saved_games::random_game(number)["phases"].as_array().expect("phases") {
            let powers = phase["state"]["units"].as_object().expect("powers");
            for (power, all) in powers {
                let driven: Vec<&str> =
                    list(all).into_iter().filter_map(|unit| unit.strip_prefix('*')).collect();
                for unit in &driven {
                    let ways = list(&phase["state"]["retreats"][power][*unit]);
                    assert!(!ways.is_empty(), "{} {power} {unit} in game {number}", phase["name"]);
                }
                if phase["name"].as_str().is_some_and(|name| name.ends_with('R')) {
                    let orders = list(&phase["orders"][power]);
                    assert!(
                        orders
                            .iter()
                            .all(|order| driven.iter().any(|unit| order.starts_with(unit))),
                        "{orders:?}"
                    );
                    (phases, units) = (phases + 1, units + driven.len());
                }
            }
        }
    }
    assert!(phases > 50 && units >= 10, "{phases} {units}");
}
