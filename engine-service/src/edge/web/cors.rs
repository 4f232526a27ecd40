//! CORS: pages from other origins may make calls only if the operator has listed their origin.

use std::time::Duration;

use http::{HeaderName, HeaderValue, Method, header};
use tower_http::cors::CorsLayer;

/// Creates the CORS layer. Returns `None` without origins, and the first malformed origin as an
/// error.
pub(crate) fn layer(origins: &[String]) -> Result<Option<CorsLayer>, String> {
    if origins.is_empty() {
        return Ok(None);
    }
    let origin = |origin: &String| match HeaderValue::from_str(origin) {
        Ok(value) if origin.contains("://") && !origin.ends_with('/') => Ok(value),
        _ => Err(origin.clone()),
    };
    let origins = origins.iter().map(origin).collect::<Result<Vec<_>, _>>()?;
    let sent =
        ["x-grpc-web", "x-user-agent", "grpc-timeout", "grpc-encoding", "grpc-accept-encoding"]
            .map(HeaderName::from_static);
    let shown = [
        "grpc-status",
        "grpc-message",
        "grpc-status-details-bin",
        "grpc-encoding",
        "grpc-accept-encoding",
    ]
    .map(HeaderName::from_static);
    let layer = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::POST])
        .allow_headers(
            [header::CONTENT_TYPE, header::AUTHORIZATION]
                .into_iter()
                .chain(sent)
                .collect::<Vec<_>>(),
        )
        .expose_headers(shown)
        .max_age(Duration::from_hours(1));
    Ok(Some(layer))
}
