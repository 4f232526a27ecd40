//! Marks that identify the place or piece of an element.

use std::fmt::{Display, Write as _};

use heliopause_kernel::Seat;

use super::push_escaped;

/// The place or piece of an element, its owner, and its tooltip.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The names and values of the attributes.
    subject: Vec<(&'static str, String)>,
    owner: Option<Seat>,
    title: String,
}

impl Mark {
    fn new(subject: impl Into<Vec<(&'static str, String)>>) -> Self {
        Self { subject: subject.into(), owner: None, title: String::new() }
    }

    pub fn place(name: impl Display) -> Self {
        Self::new([("place", name.to_string())])
    }

    pub fn piece(name: impl Display, at: impl Display) -> Self {
        Self::new([("piece", name.to_string()), ("place", at.to_string())])
    }

    /// Returns the mark of pieces that share a token. Each piece is added as a member of the token.
    pub fn group(at: impl Display) -> Self {
        Self::new([("group", at.to_string())])
    }

    pub fn order() -> Self {
        Self::new([("order", String::new())])
    }

    #[must_use]
    pub fn of(self, owner: impl Into<Option<Seat>>) -> Self {
        Self { owner: owner.into(), ..self }
    }

    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    pub(super) fn open(&self, out: &mut String) {
        out.push_str("<g");
        self.write_attributes(out);
        out.push('>');
        self.write_title(out);
    }

    pub(super) fn write_attributes(&self, out: &mut String) {
        for (name, value) in &self.subject {
            for part in [" data-", name, "=\""] {
                out.push_str(part);
            }
            push_escaped(out, value);
            out.push('"');
        }
        if let Some(owner) = self.owner {
            let _ = write!(out, " data-owner=\"{}\"", owner.number());
        }
    }

    pub(super) fn write_title(&self, out: &mut String) {
        if !self.title.is_empty() {
            out.push_str("<title>");
            push_escaped(out, &self.title);
            out.push_str("</title>");
        }
    }
}
