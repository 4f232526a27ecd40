//! The fill and edge of shapes, and the style of text.

use std::fmt;

use heliopause_kernel::Seat;

use super::{Color, ID_PLACEHOLDER, Length};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tint {
    /// No fill. The pointer does not hit the inside of the shape.
    None,
    /// No fill, but the pointer hits the inside of the shape.
    Clear,
    Flat(Color),
    /// A gradient or pattern with this name.
    Shade(&'static str),
    /// The pattern of a seat that shares its color with another.
    Pattern(Seat),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeStyle {
    tint: Tint,
    edge: Option<(Color, f64)>,
    dashes: &'static str,
    opacity: f64,
}

impl From<Tint> for ShapeStyle {
    fn from(tint: Tint) -> Self {
        Self { tint, edge: None, dashes: "", opacity: 1.0 }
    }
}

impl ShapeStyle {
    pub fn fill(color: Color) -> Self {
        Tint::Flat(color).into()
    }

    pub fn line(color: Color, width: f64) -> Self {
        Self::from(Tint::None).edge(color, width)
    }

    #[must_use]
    pub fn edge(self, color: Color, width: f64) -> Self {
        Self { edge: Some((color, width)), ..self }
    }

    #[must_use]
    pub fn dashed(self, dashes: &'static str) -> Self {
        Self { dashes, ..self }
    }

    #[must_use]
    pub fn faint(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }

    pub(super) fn line_color(&self) -> Option<Color> {
        self.edge.map(|(color, _)| color)
    }
}

impl fmt::Display for ShapeStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tint {
            Tint::None => f.write_str(r#"fill="none""#)?,
            Tint::Clear => f.write_str(r#"fill-opacity="0""#)?,
            Tint::Flat(color) => write!(f, r#"fill="{color}""#)?,
            Tint::Shade(name) => write!(f, r#"fill="url(#{ID_PLACEHOLDER}{name})""#)?,
            Tint::Pattern(seat) => {
                write!(f, r#"fill="url(#{ID_PLACEHOLDER}seat{})""#, seat.number())?;
            }
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

/// The alignment of text relative to its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Font {
    pub(super) size: f64,
    color: Color,
    bold: bool,
    pub(super) anchor: Anchor,
    halo: Option<Color>,
}

impl Font {
    pub fn new(size: f64, color: Color) -> Self {
        Self { size, color, bold: false, anchor: Anchor::Start, halo: None }
    }

    #[must_use]
    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    #[must_use]
    pub fn bold_if(self, bold: bool) -> Self {
        Self { bold, ..self }
    }

    #[must_use]
    pub fn centered(self) -> Self {
        Self { anchor: Anchor::Middle, ..self }
    }

    #[must_use]
    pub fn at_end(self) -> Self {
        Self { anchor: Anchor::End, ..self }
    }

    /// Adds a halo, so that the text is readable on any background.
    #[must_use]
    pub fn halo(self, color: Color) -> Self {
        Self { halo: Some(color), ..self }
    }

    /// Returns an upper bound on the width of text, based on wide fonts.
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
