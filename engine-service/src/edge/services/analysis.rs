//! `AnalysisService`: branches of games.
//!
//! **Invariant.** A branch of a running game follows from what its owner's seat sees, and from the
//! seed. Nothing else of the game is read after [`Branched`].

use bytes::Bytes;
use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::{Created, Sandbox};
use heliopause_proto::v1::analysis_service_server::AnalysisService;
use heliopause_proto::v1::*;
use heliopause_render::{drawing, guess};
use heliopause_table::registry::{self, AnyGame};
use heliopause_table::{Fault, JournalRange, Table, chain};
use tonic::{Request, Response};

use super::Reply;
use super::play::not_started;
use super::sandbox::seed_of;
use super::tables::{CallContext, Tables, person_of};
use crate::analyses::Analyses;
use crate::failure::{Failure, Result};

const NAME_MAX: usize = 64;

pub(crate) struct AnalysisApi(pub(crate) Tables);

/// What a branch needs of a game, as visible to the caller.
struct Branched {
    game: Game,
    viewer: Viewer,
    /// The seat that the owner of the branch mainly plays.
    seat: Option<Seat>,
    automated: Vec<SandboxAutomation>,
    names: Vec<String>,
    source: Source,
}

/// The view to branch.
enum Source {
    Now(Box<GameView>),
    Past(JournalRange),
}

impl Branched {
    fn read(
        table: &Table,
        game: Game,
        player_id: &str,
        request: &CreateAnalysisRequest,
    ) -> Result<Self, Fault> {
        let viewer = table.branch_viewer(player_id, request.seat, request.revealed)?;
        let seat = table.branch_seat(player_id, viewer, request.seat)?;
        let automated = table.branch_automation(seat, &request.automation_level)?;
        let past = request.at_phase.map(|phase| table.journal_range(phase)).transpose()?;
        let source = match past.flatten() {
            Some(range) => Source::Past(range),
            None => Source::Now(Box::new(table.view(viewer).ok_or_else(|| not_started(table))?)),
        };
        Ok(Self { game, viewer, seat, automated, names: table.names(), source })
    }

    /// Returns what is a guess in a game that was drawn from a view.
    fn guesses(&self, view: &GameView, drawn: &dyn AnyGame) -> Result<Option<AnalysisGuesses>> {
        let mut all = drawn.view(Viewer::GameMaster);
        let own = match self.viewer {
            Viewer::GameMaster => return Ok(None),
            Viewer::Spectator => None,
            Viewer::Seat(seat) => {
                if let Some(to_seat) = drawn.transform_for(seat, &self.names) {
                    to_seat.view(&mut all)?;
                }
                Some(seat.number())
            }
        };
        let scene = |view: &GameView| {
            let drawing = drawing(view, &self.game);
            let drawing = drawing.ok_or_else(|| {
                Failure::internal("a view created by this engine cannot be drawn")
            })?;
            Ok::<_, Failure>(drawing.scene())
        };
        Ok(guess::guesses(&scene(view)?, &scene(&all)?, own))
    }
}

impl CallContext<'_> {
    fn analyses(&self) -> Analyses<'_> {
        Analyses::new(&self.host)
    }

    async fn create_analysis(
        &self,
        request: CreateAnalysisRequest,
    ) -> Result<CreateAnalysisResponse> {
        let asked = self.key(&request.request_id, &request)?;
        if let Some(game_id) = self.created_before(&asked).await? {
            return self.created_analysis(&game_id).await;
        }
        let secret = seed_of(&request.seed)?;
        let name = name_of(&request.name)?;
        let read = |table: &Table| {
            let game = self.host.describe(table, self.player_id());
            Branched::read(table, game, self.player_id(), &request)
        };
        let branched = self.watch(&request.game_id, read).await?;
        let kind = registry::kind_or_fault(&branched.game.kind)?;
        let past;
        let view = match &branched.source {
            Source::Now(view) => &**view,
            Source::Past(range) => {
                past = self.host.past(&request.game_id, kind, branched.viewer, *range).await?;
                &past.view
            }
        };
        let drawn = kind.rules.sample(view, branched.viewer, &mut chance(&secret))?;
        if drawn.outcome().is_some() {
            let text = "The game is over at this phase; choose an earlier one.";
            return Err(Failure::field("at_phase", text));
        }
        let guesses = branched.guesses(view, &*drawn)?;
        let origin = origin(&request, &branched, drawn.progress(), guesses);
        let name = if name.is_empty() { shortened(&origin.progress) } else { name };
        let game_id = self.new_game_id(&asked);
        self.analyses().add(&game_id, self.player_id(), name, origin.clone()).await?;
        let created = Created {
            game_id,
            kind: branched.game.kind,
            name: branched.game.name,
            seed_commitment: Bytes::copy_from_slice(&chain::commitment(&secret)),
            sandbox: Some(Sandbox {
                owner: Some(person_of(&self.caller)),
                position: Some(drawn.position()),
                automated: branched.automated,
                origin: Some(origin),
                ..Sandbox::default()
            }),
            ..Created::default()
        };
        let game_id = Box::pin(self.make_with_id(asked, created, secret, None)).await?;
        self.created_analysis(&game_id).await
    }

    async fn created_analysis(&self, game_id: &str) -> Result<CreateAnalysisResponse> {
        let analysis = self.analyses().find(self.player_id(), game_id).await?;
        Ok(CreateAnalysisResponse { analysis: Some(analysis), game: self.game(game_id).await? })
    }

    async fn list_analyses(&self, request: ListAnalysesRequest) -> Result<ListAnalysesResponse> {
        let branched = |table: &Table| Ok(table.analysis().map(|origin| origin.game_id.clone()));
        let branched = match self.read(&request.game_id, branched).await {
            // The caller's branches stay if the caller can no longer see the game.
            Err(failure) if failure.reason() == ErrorReason::GameNotFound => None,
            branched => branched?,
        };
        let game_id = branched.unwrap_or(request.game_id);
        let analyses = self.analyses().list(self.player_id(), &game_id).await?;
        Ok(ListAnalysesResponse { analyses })
    }

    async fn rename_analysis(
        &self,
        request: RenameAnalysisRequest,
    ) -> Result<RenameAnalysisResponse> {
        let name = name_of(&request.name)?;
        if name.is_empty() {
            return Err(Failure::field("name", "Give a name of 1 to 64 characters."));
        }
        let analysis = self.analyses().rename(self.player_id(), &request.game_id, name).await?;
        Ok(RenameAnalysisResponse { analysis: Some(analysis) })
    }

    async fn delete_analysis(
        &self,
        request: DeleteAnalysisRequest,
    ) -> Result<DeleteAnalysisResponse> {
        self.analyses().delete(self.player_id(), &request.game_id).await?;
        Ok(DeleteAnalysisResponse {})
    }
}

fn origin(
    request: &CreateAnalysisRequest,
    branched: &Branched,
    progress: String,
    guesses: Option<AnalysisGuesses>,
) -> AnalysisOrigin {
    let own = AnalysisOrigin {
        game_id: request.game_id.clone(),
        at_phase: request.at_phase,
        progress,
        seat: branched.seat.map(Seat::number),
        revealed: branched.viewer == Viewer::GameMaster,
        parent_id: String::new(),
        guesses,
    };
    match &branched.game.analysis {
        None => own,
        Some(first) => AnalysisOrigin {
            game_id: first.game_id.clone(),
            revealed: first.revealed,
            parent_id: own.game_id,
            guesses: first.guesses.clone(),
            ..own
        },
    }
}

/// Returns the numbers for the guesses of a branch.
fn chance(seed: &[u8; 32]) -> impl FnMut() -> u64 + use<> {
    let seed = *seed;
    let mut drawn = 0_u64;
    move || {
        drawn += 1;
        let hash = chain::sha256(&[b"heliopause guesses", &seed, &drawn.to_be_bytes()]);
        hash.iter().take(8).fold(0, |number, byte| (number << 8) | u64::from(*byte))
    }
}

fn name_of(name: &str) -> Result<String> {
    let name = name.trim();
    let length = name.chars().count();
    if length > NAME_MAX {
        let text = format!("The name has {length} characters; the maximum is {NAME_MAX}.");
        return Err(Failure::field("name", text));
    }
    Ok(name.to_owned())
}

fn shortened(progress: &str) -> String {
    progress.chars().take(NAME_MAX).collect()
}

service! {
    AnalysisService for AnalysisApi;
    method create_analysis(CreateAnalysisRequest) -> CreateAnalysisResponse;
    method list_analyses(ListAnalysesRequest) -> ListAnalysesResponse;
    method rename_analysis(RenameAnalysisRequest) -> RenameAnalysisResponse;
    method delete_analysis(DeleteAnalysisRequest) -> DeleteAnalysisResponse;
}
