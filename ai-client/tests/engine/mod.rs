//! An engine controlled by the test: it accepts the worker's streams and does nothing on its own.

use std::net::SocketAddr;
use std::time::Duration;

use heliopause_proto::v1::automation_service_server::{AutomationService, AutomationServiceServer};
use heliopause_proto::v1::work_request::Message as ToEngine;
pub(crate) use heliopause_proto::v1::work_response::Message as FromEngine;
use heliopause_proto::v1::{
    Accepted, Hello, Lease, LeaseRef, Refused, RevokeReason, Revoked, Verdict, Welcome,
    WorkRequest, WorkResponse,
};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_stream::wrappers::{ReceiverStream, TcpListenerStream};
use tonic::transport::{Certificate, Identity, Server, ServerTlsConfig};
use tonic::{Request, Response, Status, Streaming};

const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) struct Engine {
    scheme: &'static str,
    address: SocketAddr,
    conversations: mpsc::UnboundedReceiver<Conversation>,
}

pub(crate) struct Conversation {
    from_worker: Streaming<WorkRequest>,
    to_worker: mpsc::Sender<Result<WorkResponse, Status>>,
}

struct Service(mpsc::UnboundedSender<Conversation>);

#[tonic::async_trait]
impl AutomationService for Service {
    type WorkStream = ReceiverStream<Result<WorkResponse, Status>>;

    async fn work(
        &self,
        request: Request<Streaming<WorkRequest>>,
    ) -> Result<Response<Self::WorkStream>, Status> {
        let token = request.metadata().get("authorization").and_then(|value| value.to_str().ok());
        if token != Some("Bearer secret") {
            return Err(Status::unauthenticated("the token is wrong"));
        }
        let (to_worker, outgoing) = mpsc::channel(16);
        let conversation = Conversation { from_worker: request.into_inner(), to_worker };
        self.0.send(conversation).map_err(|_| Status::unavailable("the test is over"))?;
        Ok(Response::new(ReceiverStream::new(outgoing)))
    }
}

impl Engine {
    pub(crate) async fn start() -> Self {
        Self::serve("http", Server::builder()).await
    }

    /// Starts an engine whose workers must have a certificate from the same authority.
    pub(crate) async fn start_with_tls(certificate: &str, key: &str) -> Self {
        let tls = ServerTlsConfig::new()
            .identity(Identity::from_pem(certificate, key))
            .client_ca_root(Certificate::from_pem(certificate));
        Self::serve("https", Server::builder().tls_config(tls).unwrap()).await
    }

    async fn serve(scheme: &'static str, server: Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (opened, conversations) = mpsc::unbounded_channel();
        let service = AutomationServiceServer::new(Service(opened));
        tokio::spawn(server.serve_with_incoming(service, TcpListenerStream::new(listener)));
        Self { scheme, address, conversations }
    }

    pub(crate) fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    pub(crate) async fn next_conversation(&mut self) -> Conversation {
        within(self.conversations.recv()).await.expect("the server lives as long as the test")
    }
}

impl Conversation {
    pub(crate) async fn next_message(&mut self) -> ToEngine {
        let request = within(self.from_worker.message())
            .await
            .expect("the stream lives")
            .expect("and goes on");
        request.message.expect("a worker says something")
    }

    pub(crate) async fn receive_skipping_renewals(&mut self) -> ToEngine {
        loop {
            match self.next_message().await {
                ToEngine::Renew(_) => {}
                other => return other,
            }
        }
    }

    pub(crate) async fn hello(&mut self) -> Hello {
        match self.next_message().await {
            ToEngine::Hello(hello) => hello,
            other => panic!("a Hello comes first: {other:?}"),
        }
    }

    pub(crate) async fn welcome(&mut self, lease_time: Duration) {
        let nanos = i32::try_from(lease_time.subsec_nanos()).unwrap();
        let seconds = i64::try_from(lease_time.as_secs()).unwrap();
        self.say(FromEngine::Welcome(Welcome {
            lease_time: Some(prost_types::Duration { seconds, nanos }),
            ..Welcome::default()
        }))
        .await;
    }

    pub(crate) async fn say(&mut self, message: FromEngine) {
        self.to_worker.send(Ok(WorkResponse { message: Some(message) })).await.unwrap();
    }

    pub(crate) async fn send_empty(&mut self) {
        self.to_worker.send(Ok(WorkResponse { message: None })).await.unwrap();
    }

    pub(crate) async fn end(mut self) {
        while within(self.from_worker.message()).await.is_ok_and(|request| request.is_some()) {}
    }
}

pub(crate) fn lease(lease_id: u64, fence: u64, level: &str, seed: &[u8]) -> FromEngine {
    FromEngine::Lease(Lease {
        lease: Some(reference(lease_id, fence)),
        kind: "puppet".to_owned(),
        profile: "hand".to_owned(),
        level: level.to_owned(),
        seed: seed.to_vec().into(),
        ..Lease::default()
    })
}

pub(crate) fn lease_in(message: &mut FromEngine) -> &mut Lease {
    match message {
        FromEngine::Lease(lease) => lease,
        other => panic!("no lease: {other:?}"),
    }
}

pub(crate) fn accepted(lease_id: u64, fence: u64) -> FromEngine {
    FromEngine::Accepted(Accepted {
        lease: Some(reference(lease_id, fence)),
        ..Accepted::default()
    })
}

pub(crate) fn accepted_in_part(lease_id: u64, fence: u64, taken: u32) -> FromEngine {
    let refused = Some(Verdict { refusal: "decision-closed".to_owned(), ..Verdict::default() });
    FromEngine::Accepted(Accepted {
        lease: Some(reference(lease_id, fence)),
        accepted_count: taken,
        refused,
    })
}

pub(crate) fn refused(
    lease_id: u64,
    fence: u64,
    verdicts: Vec<Verdict>,
    attempts_left: u32,
) -> FromEngine {
    let message = "no".to_owned();
    FromEngine::Refused(Refused {
        lease: Some(reference(lease_id, fence)),
        verdicts,
        message,
        attempts_left,
    })
}

pub(crate) fn revoked(lease_id: u64, fence: u64) -> FromEngine {
    FromEngine::Revoked(Revoked {
        lease: Some(reference(lease_id, fence)),
        reason: RevokeReason::NotHeld.into(),
    })
}

fn reference(lease_id: u64, fence: u64) -> LeaseRef {
    LeaseRef { lease_id, fence }
}

async fn within<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(PATIENCE, future).await.expect("the worker answers in time")
}
