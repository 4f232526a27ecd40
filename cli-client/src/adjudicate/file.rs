//! What a file of adjudication cases says, in any of the formats in which cases are passed around.
//!
//! A file is a JSON document (one case, a list, or an object with `cases` or `scenarios`) or has a
//! case on every line. Positions of the standard game name powers, those of the other one empires;
//! both ways of naming are read in both.

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Units or orders by power, in the notation.
pub(super) type Lines = BTreeMap<String, Vec<String>>;

/// A case: a position, and phases with what shall come of them.
#[derive(Debug, Deserialize)]
pub(super) struct Case {
    /// Its name.
    #[serde(default, deserialize_with = "text")]
    pub(super) id: String,
    /// What it shows.
    #[serde(default, deserialize_with = "optional")]
    pub(super) title: String,
    /// The codes of the empires, in seat order.
    #[serde(default, deserialize_with = "optional")]
    pub(super) empires: Vec<String>,
    /// The position; in some formats its fields stand in the case itself.
    #[serde(default)]
    start: Option<Start>,
    #[serde(flatten)]
    bare: Start,
    /// The phases, in order.
    #[serde(default)]
    steps: Option<Vec<Step>>,
    /// A case of one phase is written without steps.
    #[serde(default, deserialize_with = "optional")]
    phase: String,
    #[serde(default, deserialize_with = "optional")]
    orders: Lines,
    #[serde(default)]
    expect: Option<Expected>,
}

/// A position.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Start {
    pub(super) year: Option<u32>,
    /// `spring` or `fall`.
    pub(super) season: Option<String>,
    /// The units on the map.
    #[serde(deserialize_with = "optional")]
    pub(super) units: Lines,
    /// The armies in each spacecraft.
    #[serde(deserialize_with = "optional")]
    pub(super) orbit: BTreeMap<String, u32>,
    /// The owners of supply centers; none if they do not matter.
    #[serde(deserialize_with = "optional")]
    pub(super) centers: Owners,
    #[serde(deserialize_with = "optional")]
    pub(super) colonies: Owners,
}

/// Who owns which provinces: written by power, or by province.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Owners {
    /// Province to power.
    Of(BTreeMap<String, String>),
    /// Power to provinces.
    By(Lines),
}

/// A phase.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Step {
    pub(super) phase: String,
    #[serde(default, deserialize_with = "optional")]
    pub(super) orders: Lines,
    /// What shall come of them.
    #[serde(default, deserialize_with = "optional")]
    pub(super) expect: Expected,
}

/// What shall come of a phase. What is not written is not compared.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Expected {
    /// All units on the map, without those that have to retreat.
    pub(super) units: Option<Lines>,
    /// The armies in each spacecraft.
    pub(super) orbit: Option<BTreeMap<String, u32>>,
    /// The units that have to retreat.
    pub(super) dislodged: Option<Vec<Dislodged>>,
    /// Whether each move succeeds.
    pub(super) moves: Option<BTreeMap<String, bool>>,
    /// What each order is said to have come to; only explains.
    pub(super) info: Option<BTreeMap<String, String>>,
    /// What became of each line.
    pub(super) results: Option<Vec<LineResult>>,
    /// The units that had to retreat and are gone.
    pub(super) disbanded: Option<Vec<Gone>>,
    /// What became of each legal order to colonize.
    pub(super) colonize: Option<Vec<LineResult>>,
    pub(super) colonies: Option<Owners>,
    pub(super) centers: Option<Owners>,
    /// Who is out now and was not before.
    pub(super) eliminated: Option<Vec<String>>,
    /// How the game ends; `null` is that it goes on.
    #[expect(
        clippy::option_option,
        reason = "a result that is not written is not compared, and null is a result"
    )]
    #[serde(deserialize_with = "present")]
    pub(super) game_over: Option<Option<GameOver>>,
}

/// A unit that has to retreat.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Dislodged {
    #[serde(alias = "empire")]
    pub(super) power: String,
    /// The unit, where it stood.
    pub(super) unit: String,
    /// Where the attacker came from.
    pub(super) by: Attacker,
    /// Where it can go.
    #[serde(default, deserialize_with = "optional")]
    pub(super) retreats: Vec<String>,
}

/// Where an attacker came from.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Attacker {
    /// The province.
    From(String),
    /// The province or `ORB`, and whose it is.
    Of {
        #[serde(alias = "power", default)]
        empire: Option<String>,
        from: String,
    },
}

/// A unit that is gone.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Gone {
    /// `Austria A Vie`.
    Text(String),
    /// The same in parts.
    Parts {
        #[serde(alias = "empire")]
        power: String,
        /// The unit, where it stood.
        unit: String,
    },
}

/// What became of a line.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct LineResult {
    #[serde(alias = "empire")]
    pub(super) power: String,
    /// The line.
    pub(super) order: String,
    /// What became of it.
    pub(super) result: String,
    /// Why it is illegal.
    #[serde(default)]
    pub(super) reason: Option<String>,
}

/// How a game ends.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum GameOver {
    /// One wins.
    Winner(String),
    /// These share a draw.
    Draw(Vec<String>),
}

impl Default for Owners {
    fn default() -> Self {
        Self::Of(BTreeMap::new())
    }
}

impl Owners {
    /// Each province with its owner.
    pub(super) fn pairs(&self) -> Vec<(&str, &str)> {
        match self {
            Self::Of(map) => {
                map.iter().map(|(province, power)| (province.as_str(), power.as_str())).collect()
            }
            Self::By(map) => {
                let all = map
                    .iter()
                    .flat_map(|(power, list)| list.iter().map(move |province| (province, power)));
                all.map(|(province, power)| (province.as_str(), power.as_str())).collect()
            }
        }
    }
}

impl Case {
    /// Reads one case, and brings all formats into one.
    fn read(value: Value) -> Result<Self, String> {
        let mut case: Self = serde_path_to_error::deserialize(value).map_err(|error| {
            let path = error.path().to_string();
            if path == "." {
                error.into_inner().to_string()
            } else {
                format!("{path}: {}", error.into_inner())
            }
        })?;
        if case.steps.is_none() {
            let phase = case.kind_of_phase()?;
            let expect = case.expect.take().ok_or("it has neither `steps` nor `expect`")?;
            case.steps =
                Some(vec![Step { phase, orders: std::mem::take(&mut case.orders), expect }]);
        }
        Ok(case)
    }

    /// The kind of the only phase, by its short name: `S1903M`.
    fn kind_of_phase(&self) -> Result<String, String> {
        let kind = match self.phase.chars().last() {
            None | Some('M' | 'm') => "movement",
            Some('R' | 'r') => "retreat",
            Some('A' | 'a') => "adjustment",
            Some(_) => return Err(format!("phase: `{}` is no phase such as S1903M", self.phase)),
        };
        Ok(kind.to_owned())
    }

    /// The position.
    pub(super) fn start(&self) -> &Start {
        self.start.as_ref().unwrap_or(&self.bare)
    }

    /// The phases.
    pub(super) fn steps(&self) -> &[Step] {
        self.steps.as_deref().unwrap_or_default()
    }

    /// Whether the first turn is a fall turn.
    pub(super) fn begins_in_fall(&self) -> bool {
        let season =
            self.start().season.as_deref().or(self.bare.season.as_deref()).unwrap_or(&self.phase);
        season.starts_with(['f', 'F', 'a', 'A', 'w', 'W'])
    }
}

/// A case that was read, or why it could not be.
pub(super) type Read = Result<Case, (String, String)>;

/// Reads all cases of a file. A case that cannot be read does not keep the others from being read.
pub(super) fn read(path: &Path) -> Result<Vec<Read>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let by_line = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
    match serde_json::from_str::<Value>(&text) {
        Ok(document) if !by_line => {
            Ok(cases_of(document).into_iter().enumerate().map(one).collect())
        }
        Err(error)
            if !by_line && text.lines().filter(|line| !line.trim().is_empty()).count() < 2 =>
        {
            Err(error.to_string())
        }
        _ => lines(&text),
    }
}

/// The cases of a document.
fn cases_of(document: Value) -> Vec<Value> {
    match document {
        Value::Array(cases) => cases,
        Value::Object(mut fields) => {
            match fields.remove("cases").or_else(|| fields.remove("scenarios")) {
                Some(Value::Array(cases)) => cases,
                Some(other) => vec![other],
                None => vec![Value::Object(fields)],
            }
        }
        other => vec![other],
    }
}

/// A case a line.
fn lines(text: &str) -> Result<Vec<Read>, String> {
    let mut cases = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let value =
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))?;
        cases.push(one((number, value)));
    }
    Ok(cases)
}

fn one((index, value): (usize, Value)) -> Read {
    let id = match value.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(other) if !other.is_null() => other.to_string(),
        _ => format!("case {}", index + 1),
    };
    match Case::read(value) {
        Ok(case) => Ok(Case { id, ..case }),
        Err(fault) => Err((id, fault)),
    }
}

/// A field that is absent or `null` has its default.
fn optional<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// A name may be a number.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Value::deserialize(deserializer)
        .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

/// Tells `null` from a field that is absent.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(text: &str) -> Case {
        Case::read(serde_json::from_str(text).expect("JSON"))
            .unwrap_or_else(|fault| panic!("{fault}"))
    }

    #[test]
    fn a_line_is_a_case_of_one_phase() {
        let case = case(
            r#"{"id":"P1","phase":"F1903M","units":{"France":["A Par"]},"orders":{"France":["A Par H"]},
            "expect":{"units":{"France":["A Par"]},"dislodged":[]}}"#,
        );
        assert!(case.begins_in_fall());
        assert_eq!((case.steps().len(), case.steps()[0].phase.as_str()), (1, "movement"));
        assert_eq!(case.start().units["France"], ["A Par"]);
    }

    #[test]
    fn owners_are_read_by_power_and_by_province() {
        let by: Owners = serde_json::from_str(r#"{"Germany":["Ber","Kie"]}"#).expect("owners");
        let of: Owners =
            serde_json::from_str(r#"{"Ber":"Germany","Kie":"Germany"}"#).expect("owners");
        assert_eq!(by.pairs(), of.pairs());
    }

    #[test]
    fn that_the_game_goes_on_is_told_from_nothing_at_all() {
        let expected =
            |text: &str| serde_json::from_str::<Expected>(text).expect("expectations").game_over;
        assert!(expected("{}").is_none());
        assert!(matches!(expected(r#"{"game_over":null}"#), Some(None)));
        assert!(matches!(
            expected(r#"{"game_over":{"draw":["ZOR","VEL"]}}"#),
            Some(Some(GameOver::Draw(_)))
        ));
    }

    #[test]
    fn documents_hold_cases_in_several_ways() {
        let count = |text: &str| cases_of(serde_json::from_str(text).expect("JSON")).len();
        assert_eq!(count(r#"{"format":"x","cases":[{},{}]}"#), 2);
        assert_eq!(count(r#"{"scenarios":[{}]}"#), 1);
        assert_eq!(count("[{},{},{}]"), 3);
        assert_eq!(count(r#"{"id":"1"}"#), 1);
    }

    #[test]
    fn a_case_that_cannot_be_read_says_where() {
        let fault =
            Case::read(serde_json::json!({ "steps": [{ "phase": 3 }] })).expect_err("no phase");
        assert!(fault.contains("steps[0].phase"), "{fault}");
    }
}
