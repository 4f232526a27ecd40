//! Drawings of boards.

use std::io::Write as _;
use std::time::Duration;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use heliopause_proto::v1::Scene;
use heliopause_render::scene::picture::draw_board;
use heliopause_render::svg::{Theme, escaped};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use super::tags::{HEIGHT, WIDTH};

/// The age at which a picture or a board is drawn again, if its game has changed.
const PICTURE_AGE: Duration = Duration::from_mins(1);
const BOARD_AGE: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// PNG, because services accept no other pictures of previews.
    Picture,
    /// SVG.
    Board(Theme),
}

/// A drawing, kept until its game changes.
pub(super) struct Drawn {
    /// The number of the last event that the drawing shows.
    event: u64,
    time: Instant,
    pub(super) form: Form,
    pub(super) content: Bytes,
    pub(super) gzip: Option<Bytes>,
    pub(super) tag: String,
}

impl Drawn {
    pub(super) fn new(form: Form, event: u64, content: Vec<u8>) -> Self {
        let gzip = match form {
            Form::Picture => None,
            Form::Board(_) => packed(&content),
        };
        let hash = Sha256::digest(&content);
        let begin = hash.first_chunk().map_or(0, |bytes| u128::from_be_bytes(*bytes));
        let tag = format!("{begin:032x}");
        Self { event, time: Instant::now(), form, content: content.into(), gzip, tag }
    }

    /// Returns whether the drawing may be shown for a game at an event.
    pub(super) fn is_current(&self, event: u64) -> bool {
        let age = match self.form {
            Form::Picture => PICTURE_AGE,
            Form::Board(_) => BOARD_AGE,
        };
        self.event == event || self.time.elapsed() < age
    }
}

fn packed(content: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

pub(super) fn draw(form: Form, scene: &Scene) -> Vec<u8> {
    match form {
        Form::Picture => {
            let ratio = f64::from(WIDTH) / f64::from(HEIGHT);
            draw_board(scene, Theme::Dark, Some(ratio)).png(WIDTH.into(), HEIGHT.into())
        }
        Form::Board(theme) => draw_board(scene, theme, None).document(&[]).into_bytes(),
    }
}

/// Draws a sentence instead of a board.
pub(super) fn notice(theme: Theme, text: &str) -> Vec<u8> {
    let color = match theme {
        Theme::Light => "#171c28",
        Theme::Dark | Theme::ColorBlind => "#eceff6",
    };
    let text = escaped(text);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 240\" width=\"640\" \
         height=\"240\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n\
         <text x=\"320\" y=\"126\" font-size=\"18\" fill=\"{color}\" text-anchor=\"middle\">{text}\
         </text>\n</svg>\n"
    )
    .into_bytes()
}
