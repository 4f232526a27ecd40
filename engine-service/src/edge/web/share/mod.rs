//! Shared games: links with a preview, and boards that other sites embed.
//!
//! | path | content |
//! | --- | --- |
//! | `/g/GAME` | the page, with tags from which other services make a preview |
//! | `/g/GAME.png` | the picture of the preview |
//! | `/embed/GAME` | a small page with the board, for frames of other sites |
//! | `/embed/GAME.svg` | the board |
//!
//! **Invariant.** Everything is what an anonymous spectator sees, and the same for every caller.
//! The responses for a game that is not public are those for a game that does not exist.

mod answer;
mod board;
mod tags;

use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::Either;
use heliopause_proto::v1::{ErrorReason, Game};
use heliopause_render::svg::Theme;
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use tokio::time::timeout;
use tonic::body::Body;
use tower::{Layer, Service};

use self::answer::Answer;
use self::board::{Drawn, Form, draw, notice};
use self::tags::Origin;
use super::{Content, Site, finished, too_many};
use crate::bounded::Generations;
use crate::config::{Config, Watch};
use crate::edge::Engine;
use crate::edge::limits::executors::{Cost, Executors};
use crate::edge::listen::connections::Peer;
use crate::edge::services::public::{PublicGames, has_board};
use crate::failure::{Failure, Result};

/// The time limit for a response.
const ANSWER_TIME: Duration = Duration::from_secs(30);
/// The number of recently used drawings that are kept. At most twice as many are.
const KEPT: usize = 24;
/// The maximum size of a drawing that is kept.
const KEPT_BYTES_MAX: usize = 1 << 20;

pub(crate) struct Sharing {
    games: PublicGames,
    site: Site,
    executors: Arc<Executors>,
    origin: Origin,
    drawn: Mutex<Drawings>,
}

type Drawings = Generations<(String, Form), Arc<Drawn>>;

impl Sharing {
    /// Returns `None` if the operator does not allow anonymous spectators.
    pub(crate) fn new(
        config: &Config,
        engine: &Engine,
        site: &Site,
        executors: &Arc<Executors>,
    ) -> Option<Arc<Self>> {
        (config.watch == Watch::Public).then(|| {
            Arc::new(Self {
                games: PublicGames::new(engine),
                site: site.clone(),
                executors: Arc::clone(executors),
                origin: Origin::of(config),
                drawn: Mutex::new(Generations::new(KEPT)),
            })
        })
    }
}

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Page,
    Picture,
    Embedded(Theme),
    Board(Theme),
}

impl Target {
    /// Returns the target and the game of a request, or `None` for another path.
    fn of<B>(request: &Request<B>) -> Option<(Self, String)> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return None;
        }
        let uri = request.uri();
        let (folder, name) = uri.path().strip_prefix('/')?.split_once('/')?;
        let theme = || {
            let mut parameters = uri.query().unwrap_or_default().split('&');
            let theme = parameters.find_map(|parameter| parameter.strip_prefix("theme="));
            theme.and_then(|theme| theme.parse::<Theme>().ok()).unwrap_or_default()
        };
        let (target, game_id) = match (folder, name.strip_suffix(".png"), name.strip_suffix(".svg"))
        {
            ("g", Some(game_id), _) => (Self::Picture, game_id),
            ("g", None, _) => (Self::Page, name),
            ("embed", _, Some(game_id)) => (Self::Board(theme()), game_id),
            ("embed", _, None) => (Self::Embedded(theme()), name),
            _ => return None,
        };
        Some((target, game_id.to_owned()))
    }

    /// Returns the weight of a request, as for a call that does the same.
    fn weight(self) -> u32 {
        match self {
            Self::Page | Self::Embedded(_) | Self::Board(_) => 2,
            Self::Picture => 10,
        }
    }
}

/// Adds the shared games to a service.
#[derive(Clone)]
pub(crate) struct SharingLayer(pub(crate) Arc<Sharing>);

impl<S> Layer<S> for SharingLayer {
    type Service = WithSharing<S>;

    fn layer(&self, inner: S) -> WithSharing<S> {
        WithSharing { sharing: Arc::clone(&self.0), inner }
    }
}

#[derive(Clone)]
pub(crate) struct WithSharing<S> {
    sharing: Arc<Sharing>,
    inner: S,
}

type AnswerFuture<E> = Pin<Box<dyn Future<Output = Result<Response<Body>, E>> + Send>>;

impl<S> Service<Request<Body>> for WithSharing<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Error: 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<S::Future, AnswerFuture<S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let Some((target, game_id)) = Target::of(&request) else {
            return Either::Left(self.inner.call(request));
        };
        let sharing = Arc::clone(&self.sharing);
        let (head, _) = request.into_parts();
        Either::Right(Box::pin(async move {
            let answer = sharing.answer(target, game_id, &head).await;
            Ok(finished(answer, sharing.site.strict))
        }))
    }
}

impl Sharing {
    async fn answer(
        self: &Arc<Self>,
        target: Target,
        game_id: String,
        head: &Parts,
    ) -> Response<Body> {
        let Site { limits, proxies, .. } = &self.site;
        let peer = head.extensions.get::<Peer>();
        if let Some(peer) = peer {
            peer.made_call();
        }
        // Only tests call this without a connection.
        let from = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), Peer::address);
        let address = proxies.client(from, &head.headers);
        let Ok(counted) = limits.file(address) else { return too_many() };
        let content = Content::new(peer.map(Peer::answer), counted);
        let made = if limits.spectator_calls.take(address, target.weight()).is_err() {
            Err(StatusCode::TOO_MANY_REQUESTS)
        } else {
            let is_trusted = proxies.trust(from);
            let (sharing, origin) = (Arc::clone(self), self.origin.at(head, is_trusted));
            let work = Box::pin(async move { sharing.make(target, game_id, &origin).await });
            let usage = limits.address(address);
            let run = self.executors.run(Cost::of(target.weight()), &usage, work);
            match timeout(ANSWER_TIME, run).await {
                Ok(Ok(made)) => made.map_err(|failure| status(&failure)),
                Ok(Err(ended)) => Err(status(&Failure::internal(ended))),
                Err(_) => Err(StatusCode::SERVICE_UNAVAILABLE),
            }
        };
        match (made, target) {
            (Ok(answer), _) => answer.respond(head, content),
            // The page shows the game to players who may see it, or the reason why it cannot.
            (Err(_), Target::Page) => Answer::plain_page().respond(head, content),
            (Err(StatusCode::TOO_MANY_REQUESTS), _) => too_many(),
            (Err(code), Target::Embedded(theme)) => {
                Answer::no_board(theme, code).respond(head, content)
            }
            (Err(code), Target::Picture | Target::Board(_)) => super::refusal(code, None),
        }
    }

    async fn make(&self, target: Target, game_id: String, origin: &str) -> Result<Answer> {
        let (game, event) = self.games.game(&game_id).await?;
        match target {
            Target::Page => Ok(Answer::page(&tags::of(&game, event, origin))),
            Target::Embedded(theme) => Ok(Answer::embedded(&game, theme)),
            Target::Picture => self.draw(&game, event, Form::Picture).await,
            Target::Board(theme) => self.draw(&game, event, Form::Board(theme)).await,
        }
    }
}

impl Sharing {
    async fn draw(&self, game: &Game, event: u64, form: Form) -> Result<Answer> {
        let key = (game.game_id.clone(), form);
        let kept = self.drawn().get_mut(&key).cloned();
        if let Some(kept) = kept.filter(|kept| kept.is_current(event)) {
            return Ok(Answer::drawn(&kept));
        }
        let content = match form {
            _ if has_board(game) => draw(form, &self.games.scene(&game.game_id).await?),
            Form::Board(theme) => notice(theme, &tags::description(game)),
            Form::Picture => {
                let text = "The game has no board before it starts.";
                return Err(Failure::new(ErrorReason::GameNotFound, text));
            }
        };
        let drawn = Arc::new(Drawn::new(form, event, content));
        if drawn.content.len() <= KEPT_BYTES_MAX {
            self.drawn().insert(key, Arc::clone(&drawn));
        }
        Ok(Answer::drawn(&drawn))
    }

    fn drawn(&self) -> MutexGuard<'_, Drawings> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn status(failure: &Failure) -> StatusCode {
    match failure.reason() {
        ErrorReason::GameNotFound | ErrorReason::WatchingOff => StatusCode::NOT_FOUND,
        ErrorReason::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        ErrorReason::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::SERVICE_UNAVAILABLE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(method: Method, uri: &str) -> Option<(Target, String)> {
        Target::of(&Request::builder().method(method).uri(uri).body(()).unwrap())
    }

    #[test]
    fn paths_of_shared_games_are_recognized() {
        let of = |uri| target(Method::GET, uri);
        let game = || "a-1".to_owned();
        assert_eq!(of("/g/a-1"), Some((Target::Page, game())));
        assert_eq!(of("/g/a-1.png?v=7"), Some((Target::Picture, game())));
        assert_eq!(of("/embed/a-1"), Some((Target::Embedded(Theme::Dark), game())));
        let light = Some((Target::Embedded(Theme::Light), game()));
        assert_eq!(of("/embed/a-1?x=1&theme=light"), light);
        let vision = Some((Target::Board(Theme::ColorBlind), game()));
        assert_eq!(of("/embed/a-1.svg?theme=color-blind"), vision);
        assert_eq!(of("/embed/a-1.svg?theme=pink"), Some((Target::Board(Theme::Dark), game())));
        for other in ["/", "/g", "/game/a-1", "/embedded/a-1", "/assets/g/a.png", "/kinds/g.png"] {
            assert_eq!(of(other), None, "{other}");
        }
        assert_eq!(target(Method::POST, "/g/a-1"), None);
    }
}
