//! Builds legends from text files.
//!
//! A line `MEANING | SHAPE KIND ATTRIBUTE...` describes a sign. The kind of an area is its terrain,
//! and `-` is no kind. Attributes are states, or have the form `NAME=VALUE`. Seat 1 is the reader,
//! and seat 2 is another player. A line `[NAME]` starts a part that is shown on request.

use heliopause_kernel::Seat;

use super::{
    SceneArea, SceneOutcome, ScenePath, ScenePiece, ScenePlace, SceneSight, SceneSign, number,
    points, scene_sign::Sample,
};

/// Returns the signs of the parts of a file that `shows` selects.
pub fn read(text: &str, seats: [Option<Seat>; 2], shows: impl Fn(&str) -> bool) -> Vec<SceneSign> {
    let mut signs = Vec::new();
    let mut is_shown = true;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            is_shown = shows(name);
        } else if let (true, Some((meaning, text))) = (is_shown, line.split_once(" | ")) {
            let sample = Some(sample(text, seats));
            signs.push(SceneSign { meaning: meaning.to_owned(), sample });
        }
    }
    signs
}

fn sample(text: &str, seats: [Option<Seat>; 2]) -> Sample {
    let mut words = text.split(' ');
    let (shape, kind) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (values, states): (Vec<&str>, Vec<&str>) = words.partition(|word| word.contains('='));
    let value = |name: &str| {
        let mut values = values.iter().filter_map(|value| value.split_once('='));
        values.find(|(other, _)| *other == name).map(|(_, value)| value)
    };
    let text = |name: &str| value(name).unwrap_or_default().to_owned();
    let count = |name: &str| value(name).and_then(|value| value.parse().ok());
    let seat = |name: &str| match value(name)? {
        "1" => number(seats[0]),
        _ => number(seats[1]),
    };
    let kind = if kind == "-" { String::new() } else { kind.to_owned() };
    let states: Vec<String> = states.into_iter().map(str::to_owned).collect();
    match shape {
        "area" => Sample::Area(SceneArea {
            terrain: kind,
            owner: seat("owner"),
            claim: seat("claim"),
            sight: SceneSight::from_str_name(&text("sight")).unwrap_or_default().into(),
            states,
            ..SceneArea::default()
        }),
        "place" => Sample::Place(ScenePlace {
            kind,
            owner: seat("owner"),
            color: text("color"),
            value: count("value").map(u32::cast_signed),
            states,
            ..ScenePlace::default()
        }),
        "point" | "path" => Sample::Path(ScenePath {
            kind,
            points: points(&[(0.0, 0.0), (1.0, 0.0)][..if shape == "point" { 1 } else { 2 }]),
            owner: seat("owner"),
            outcome: SceneOutcome::from_str_name(&text("outcome")).unwrap_or_default().into(),
            states,
            ..ScenePath::default()
        }),
        _ => Sample::Piece(ScenePiece {
            kind,
            owner: seat("owner"),
            holder: seat("holder"),
            label: text("label"),
            count: count("count").unwrap_or_default(),
            age: count("age").unwrap_or_default(),
            states,
            ..ScenePiece::default()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legends_of_games_have_only_known_attributes() {
        let known = ["owner", "claim", "holder", "sight", "outcome", "color", "value", "label"];
        for file in [
            include_str!("../diplomacy/legend.txt"),
            include_str!("../star_empires/legend.txt"),
            include_str!("../starships/legend.txt"),
            include_str!("../stellar_conquest/legend.txt"),
        ] {
            let lines = file.lines().filter(|line| !line.starts_with('['));
            assert_eq!(read(file, [None; 2], |_| true).len(), lines.clone().count());
            for (_, sample) in lines.filter_map(|line| line.split_once(" | ")) {
                let shape = sample.split(' ').next().unwrap_or_default();
                assert!(["area", "place", "piece", "path", "point"].contains(&shape), "{sample}");
                for (name, value) in sample.split(' ').filter_map(|word| word.split_once('=')) {
                    assert!(known.contains(&name) || ["count", "age"].contains(&name), "{sample}");
                    let is_sight = SceneSight::from_str_name(value).is_some();
                    assert!(name != "sight" || is_sight, "{sample}");
                    let is_outcome = SceneOutcome::from_str_name(value).is_some();
                    assert!(name != "outcome" || is_outcome, "{sample}");
                }
            }
        }
    }
}
