//! Which place or piece an element shows.

use std::fmt::{Display, Write as _};

use heliopause_kernel::Seat;

use super::push_escaped;

/// What a mark is about, by the name that orders use.
#[derive(Clone, Debug)]
enum Subject {
    Place(String),
    Piece { name: String, at: String },
    Group { at: String },
    Order,
}

/// Says of an element which place or piece it shows, whose that is, and what is known of it.
#[derive(Clone, Debug)]
pub struct Mark {
    subject: Subject,
    owner: Option<Seat>,
    title: String,
}

impl Mark {
    const fn new(subject: Subject) -> Self {
        Self { subject, owner: None, title: String::new() }
    }

    /// A place.
    pub fn place(name: impl Display) -> Self {
        Self::new(Subject::Place(name.to_string()))
    }

    /// A piece, and the place where it is.
    pub fn piece(name: impl Display, at: impl Display) -> Self {
        Self::new(Subject::Piece { name: name.to_string(), at: at.to_string() })
    }

    /// Pieces that share a token; each is a member of it.
    pub fn group(at: impl Display) -> Self {
        Self::new(Subject::Group { at: at.to_string() })
    }

    /// An order, or what became of it.
    pub fn order() -> Self {
        Self::new(Subject::Order)
    }

    /// The same with an owner, if there is one.
    #[must_use]
    pub fn of(self, owner: impl Into<Option<Seat>>) -> Self {
        Self { owner: owner.into(), ..self }
    }

    /// The same with what a pointer that rests on it shows.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Begins its group.
    pub(super) fn open(&self, out: &mut String) {
        out.push_str("<g");
        self.write_attributes(out);
        out.push('>');
        self.write_title(out);
    }

    /// Writes what programs find it by.
    pub(super) fn write_attributes(&self, out: &mut String) {
        let mut attribute = |name: &str, value: &str| {
            for part in [" data-", name, "=\""] {
                out.push_str(part);
            }
            push_escaped(out, value);
            out.push('"');
        };
        match &self.subject {
            Subject::Place(name) => attribute("place", name),
            Subject::Piece { name, at } => {
                attribute("piece", name);
                attribute("place", at);
            }
            Subject::Group { at } => attribute("group", at),
            Subject::Order => attribute("order", ""),
        }
        if let Some(owner) = self.owner {
            let _ = write!(out, " data-owner=\"{}\"", owner.number());
        }
    }

    /// Writes what a pointer that rests on it shows.
    pub(super) fn write_title(&self, out: &mut String) {
        if !self.title.is_empty() {
            out.push_str("<title>");
            push_escaped(out, &self.title);
            out.push_str("</title>");
        }
    }
}
