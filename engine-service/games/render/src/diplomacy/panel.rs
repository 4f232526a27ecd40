//! The right side of the picture: the powers with their centers and units, and what the signs mean.

use super::atlas::{Atlas, Power};
use super::picture::{PANEL, legend};
use crate::svg::Picture;

/// Where the first power stands, and how far they are apart.
const FIRST: f64 = 96.0;

fn step(atlas: &Atlas) -> f64 {
    if atlas.powers.len() > 24 { 17.0 } else { 27.0 }
}

fn to_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// How high the picture must be for the panel.
pub(super) fn height(atlas: &Atlas) -> f64 {
    FIRST + step(atlas) * to_f64(atlas.powers.len()) + 140.0
}

/// Draws the panel.
pub(super) fn draw(picture: &mut Picture, atlas: &Atlas) {
    let heading = r##"font-size="12" fill="#7a7566""##;
    let columns: &[(f64, &str)] = if atlas.is_in_space() {
        &[(150.0, "centers"), (200.0, "units"), (240.0, "orbit"), (280.0, "colonies")]
    } else {
        &[(190.0, "centers"), (250.0, "units")]
    };
    for (x, text) in columns {
        picture.text(PANEL + x, FIRST - 22.0, heading, text);
    }
    for (index, power) in atlas.powers.iter().enumerate() {
        row(picture, atlas, power, FIRST + step(atlas) * to_f64(index), columns);
    }
    let mut y = FIRST + step(atlas) * to_f64(atlas.powers.len()) + 22.0;
    for line in legend(atlas.table().options.variant) {
        picture.text(PANEL, y, heading, line);
        y += 18.0;
    }
}

fn row(picture: &mut Picture, atlas: &Atlas, power: &Power, y: f64, columns: &[(f64, &str)]) {
    let position = &atlas.table().position;
    let color = atlas.color(power.seat);
    let out = atlas.table().eliminated.contains(power.seat);
    picture.circle(
        PANEL + 7.0,
        y - 5.0,
        6.5,
        &format!(r##"fill="{color}" stroke="#1e1d1a" stroke-width="1""##),
    );
    let fill = if out { "#a9a497" } else { "#2b2a27" };
    let weight = if atlas.own() == Some(power.seat) { "bold" } else { "normal" };
    let name = if atlas.is_in_space() {
        format!("{} {}", power.code, power.name)
    } else {
        power.name.clone()
    };
    let name: String = name.chars().take(17).collect();
    let style = format!(r#"font-size="14" font-weight="{weight}" fill="{fill}""#);
    picture.text(PANEL + 22.0, y, &style, &name);
    let counts = [
        position.centers_of(power.seat).len(),
        position.units_of(power.seat).count(),
        usize::from(position.orbit(power.seat)),
        position.colonies_of(power.seat).len(),
    ];
    for ((x, _), count) in columns.iter().zip(counts) {
        picture.text(
            PANEL + x + 14.0,
            y,
            &format!(r#"{style} text-anchor="middle""#),
            &count.to_string(),
        );
    }
    if !power.player.is_empty() && atlas.powers.len() <= 24 {
        let player: String = power.player.chars().take(34).collect();
        picture.text(PANEL + 22.0, y + 11.0, r##"font-size="10" fill="#7a7566""##, &player);
    }
}
