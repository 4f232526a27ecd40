//! TLS to the database: verification of its certificate.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use x509_cert::Certificate;
use x509_cert::der::oid::ObjectIdentifier;
use x509_cert::der::{Decode as _, Tag, Tagged as _};

use super::OpenError;
use super::address::Trust;

const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");
const ALTERNATIVE_NAMES: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.17");

pub(super) fn config(trust: &Trust) -> Result<ClientConfig, OpenError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let trusted = match trust {
        Trust::AnyCertificate => None,
        Trust::Verified { authority, named } => Some(TrustedCertificates {
            named: *named,
            ..TrustedCertificates::of(authority.as_deref())?
        }),
    };
    let verifier = Verifier { provider: Arc::clone(&provider), trusted };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider supports the default TLS versions");
    Ok(config
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth())
}

#[derive(Debug)]
struct TrustedCertificates {
    roots: RootCertStore,
    /// The certificates in the file. A server certificate listed here does not need an issuer.
    given: Vec<CertificateDer<'static>>,
    named: bool,
}

impl TrustedCertificates {
    fn of(authority: Option<&Path>) -> Result<Self, OpenError> {
        let mut roots = RootCertStore::empty();
        let Some(file) = authority else {
            let (known, _) =
                roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            return if known == 0 {
                Err(OpenError::NoAuthorities)
            } else {
                Ok(Self { roots, given: vec![], named: false })
            };
        };
        let failed = |error: io::Error| OpenError::Authority { file: file.to_owned(), error };
        let certificates =
            CertificateDer::pem_file_iter(file).map_err(|error| failed(io::Error::other(error)))?;
        let given: Vec<_> = certificates
            .collect::<Result<_, _>>()
            .map_err(|error| failed(io::Error::other(error)))?;
        if given.is_empty() {
            return Err(failed(io::Error::other("it contains no PEM certificate")));
        }
        for certificate in &given {
            roots.add(certificate.clone()).map_err(|error| failed(io::Error::other(error)))?;
        }
        Ok(Self { roots, given, named: false })
    }
}

/// The verifier of the database's certificate. Without `trusted`, it accepts any certificate.
#[derive(Debug)]
struct Verifier {
    provider: Arc<CryptoProvider>,
    trusted: Option<TrustedCertificates>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(TrustedCertificates { roots, given, named }) = &self.trusted else {
            return Ok(ServerCertVerified::assertion());
        };
        let certificate = ParsedCertificate::try_from(end_entity)?;
        if !given.contains(end_entity) {
            let algorithms = self.provider.signature_verification_algorithms.all;
            verify_server_cert_signed_by_trust_anchor(
                &certificate,
                roots,
                intermediates,
                now,
                algorithms,
            )?;
        }
        if *named && !is_commonly_named(end_entity, server_name) {
            verify_server_name(&certificate, server_name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        if self.trusted.is_none() {
            return Ok(HandshakeSignatureValid::assertion());
        }
        verify_tls12_signature(
            message,
            certificate,
            signed,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        if self.trusted.is_none() {
            return Ok(HandshakeSignatureValid::assertion());
        }
        verify_tls13_signature(
            message,
            certificate,
            signed,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// Returns whether a certificate without alternative names has the host as its common name.
/// PostgreSQL's manual describes how to create such certificates, and its programs accept them.
fn is_commonly_named(certificate: &CertificateDer<'_>, host: &ServerName<'_>) -> bool {
    let Ok(Certificate { tbs_certificate: told, .. }) = Certificate::from_der(certificate) else {
        return false;
    };
    if told.extensions.iter().flatten().any(|extension| extension.extn_id == ALTERNATIVE_NAMES) {
        return false;
    }
    let names =
        told.subject.0.iter().flat_map(|part| part.0.iter()).filter(|part| part.oid == COMMON_NAME);
    let texts = names.filter(|name| {
        matches!(name.value.tag(), Tag::Utf8String | Tag::PrintableString | Tag::Ia5String)
    });
    texts.into_iter().any(|name| name.value.value().eq_ignore_ascii_case(host.to_str().as_bytes()))
}
