//! How shapes are filled and edged, and how letters look.

use std::fmt;

use heliopause_kernel::Seat;

use super::{Color, Length, OWN_ID};

/// What a shape is filled with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tint {
    /// Nothing, so that a pointer goes through it.
    None,
    /// Nothing, but a pointer finds it.
    Clear,
    /// One colour.
    Flat(Color),
    /// A gradient or a pattern of this name.
    Shade(&'static str),
    /// The pattern of a seat that shares its colour with another.
    Pattern(Seat),
}

/// How a shape is filled and edged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finish {
    tint: Tint,
    edge: Option<(Color, f64)>,
    dashes: &'static str,
    opacity: f64,
}

impl From<Tint> for Finish {
    fn from(tint: Tint) -> Self {
        Self { tint, edge: None, dashes: "", opacity: 1.0 }
    }
}

impl Finish {
    /// Filled with a colour, without an edge.
    pub fn fill(color: Color) -> Self {
        Tint::Flat(color).into()
    }

    /// A line that encloses nothing.
    pub fn line(color: Color, width: f64) -> Self {
        Self::from(Tint::None).edge(color, width)
    }

    /// The same with an edge.
    #[must_use]
    pub fn edge(self, color: Color, width: f64) -> Self {
        Self { edge: Some((color, width)), ..self }
    }

    /// The same with a broken edge.
    #[must_use]
    pub fn dashed(self, dashes: &'static str) -> Self {
        Self { dashes, ..self }
    }

    /// The same, seen through.
    #[must_use]
    pub fn faint(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }

    /// The colour of its edge.
    pub(super) fn line_color(&self) -> Option<Color> {
        self.edge.map(|(color, _)| color)
    }
}

impl fmt::Display for Finish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tint {
            Tint::None => f.write_str(r#"fill="none""#)?,
            Tint::Clear => f.write_str(r#"fill-opacity="0""#)?,
            Tint::Flat(color) => write!(f, r#"fill="{color}""#)?,
            Tint::Shade(name) => write!(f, r#"fill="url(#{OWN_ID}{name})""#)?,
            Tint::Pattern(seat) => write!(f, r#"fill="url(#{OWN_ID}seat{})""#, seat.number())?,
        }
        if let Some((color, width)) = self.edge {
            write!(f, r#" stroke="{color}" stroke-width="{width}""#)?;
        }
        if !self.dashes.is_empty() {
            write!(f, r#" stroke-dasharray="{}""#, self.dashes)?;
        }
        if self.opacity < 1.0 {
            write!(f, r#" opacity="{}""#, self.opacity)?;
        }
        Ok(())
    }
}

/// Where a text stands beside its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// How letters look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Font {
    pub(super) size: f64,
    color: Color,
    bold: bool,
    pub(super) anchor: Anchor,
    halo: Option<Color>,
}

impl Font {
    /// Letters of this size that begin at their place.
    pub fn new(size: f64, color: Color) -> Self {
        Self { size, color, bold: false, anchor: Anchor::Start, halo: None }
    }

    /// The same, bold.
    #[must_use]
    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// The same, bold if that holds.
    #[must_use]
    pub fn bold_if(self, bold: bool) -> Self {
        Self { bold, ..self }
    }

    /// The same, with its middle at its place.
    #[must_use]
    pub fn centered(self) -> Self {
        Self { anchor: Anchor::Middle, ..self }
    }

    /// The same, with its end at its place.
    #[must_use]
    pub fn at_end(self) -> Self {
        Self { anchor: Anchor::End, ..self }
    }

    /// The same, readable on anything.
    #[must_use]
    pub fn halo(self, color: Color) -> Self {
        Self { halo: Some(color), ..self }
    }

    /// How wide a text is at most. Letters of the fonts in use differ; these are wide ones.
    pub fn width(&self, text: &str) -> f64 {
        let letter = if self.bold { 0.66 } else { 0.6 };
        super::to_f64(crate::text::width(text)) * letter * self.size
    }
}

impl fmt::Display for Font {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#"font-size="{}" fill="{}""#, self.size, self.color)?;
        if self.bold {
            f.write_str(r#" font-weight="bold""#)?;
        }
        match self.anchor {
            Anchor::Start => {}
            Anchor::Middle => f.write_str(r#" text-anchor="middle""#)?,
            Anchor::End => f.write_str(r#" text-anchor="end""#)?,
        }
        if let Some(halo) = self.halo {
            write!(
                f,
                r#" paint-order="stroke" stroke="{halo}" stroke-width="{}" stroke-linejoin="round""#,
                Length((self.size * 0.27).max(2.4))
            )?;
        }
        Ok(())
    }
}
