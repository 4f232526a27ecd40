//! Signing in with passkeys, by email, and with accounts of other providers.
//!
//! **Invariant.** The store contains neither the id of an attempt nor a code, only hashes. A reader
//! of the store therefore cannot finish an attempt.
//!
//! **Invariant.** A code of six digits is counted before it is compared, so parallel calls cannot
//! try more codes than allowed.

mod cbor;
mod passkey;
mod provider;

use std::sync::Arc;

use bytes::Bytes;
use heliopause_proto::store::v1::stored_sign_in_attempt::Kind;
use heliopause_proto::store::v1::{
    MailAttempt, PasskeyAttempt, StoredSignInAttempt, StoredSignInMethod,
};
use heliopause_proto::v1::sign_in_choice::Method;
use heliopause_proto::v1::sign_in_proof::Proof;
use heliopause_proto::v1::{
    AddSignInMethodRequest, ErrorReason, FinishSignInRequest, MailChoice, ProviderChoice,
    SignInAttempt, SignInChoice, SignInKind, SignInMethod, SignInProof,
    SignInWithRecoveryCodeRequest,
};
use prost::Message as _;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use self::passkey::Assertion;
use self::provider::Providers;
use crate::accounts::codes::signed_in_token;
use crate::accounts::counters::expiry;
use crate::accounts::recovery::{HOUR, METHODS, METHODS_MAX, WRONG_CODES_MAX, method_id};
use crate::accounts::{Accounts, Registration, RetryKey, SignedIn, is_guest};
use crate::channels::{Channels, check_address};
use crate::config::{PageOrigin, SignInSettings};
use crate::failure::{Failure, Result};
use crate::host::timestamp;
use crate::random;
use crate::store::{Account, Millis, Record, RecordChange, Store, StoreError};

const ATTEMPTS: &str = "sign-in-attempt";
/// The lifetime of an attempt, in milliseconds.
const LIFETIME: Millis = 10 * 60 * 1_000;
const TRIES_MAX: u32 = 5;
/// The maximum numbers of emails in an hour to an address: for one network or account, and in total.
/// A caller that starts sign-ins with the address of another person therefore does not keep this
/// person from signing in.
const MAILS_MAX: u32 = 5;
const MAILS_TOTAL_MAX: u32 = 30;
/// The maximum number of emails in an hour that an account can cause, to any addresses.
const MAILS_OF_ACCOUNT_MAX: u32 = 10;
/// The length of a code from a link. Shorter ones are codes of six digits.
const LINK_CODE_CHARS: usize = 32;

pub(crate) struct SignIn {
    accounts: Arc<Accounts>,
    channels: Arc<Channels>,
    store: Arc<dyn Store>,
    settings: SignInSettings,
    providers: Providers,
}

/// A proven passkey, address or account of a provider.
struct Proven {
    record_id: String,
    /// The record of the method, unless it is not known yet.
    known: Option<Record>,
    /// The method, with the changes of this sign-in.
    method: StoredSignInMethod,
    attempt: Record,
}

impl SignIn {
    pub(crate) fn new(
        accounts: Arc<Accounts>,
        channels: Arc<Channels>,
        store: Arc<dyn Store>,
        settings: &SignInSettings,
    ) -> Self {
        let providers = Providers::new(&settings.providers);
        Self { accounts, channels, store, settings: settings.clone(), providers }
    }

    pub(crate) fn passkeys_on(&self) -> bool {
        self.settings.passkeys
    }

    pub(crate) fn mail_on(&self) -> bool {
        self.settings.mail
    }

    pub(crate) fn providers(&self) -> Vec<String> {
        self.providers.names()
    }

    fn page(&self, is_on: bool, feature: &'static str) -> Result<&PageOrigin> {
        self.settings.page.as_ref().filter(|_| is_on).ok_or_else(|| off(feature))
    }

    fn now(&self) -> Millis {
        self.accounts.time().now()
    }

    /// Starts to sign in, or to add a method to an account. Emails are counted for `client`, a
    /// network or an account.
    pub(crate) async fn start(
        &self,
        account: Option<&Account>,
        client: &str,
        choice: Option<SignInChoice>,
    ) -> Result<SignInAttempt> {
        let method = choice.and_then(|choice| choice.method);
        let method = method.ok_or_else(|| {
            Failure::field("choice", "Choose a passkey, an email address or a provider.")
        })?;
        let methods = match account {
            None => Vec::new(),
            Some(account) => self.accounts.methods(&account.player_id).await?,
        };
        check_room(&methods)?;
        self.accounts.forget_expired(ATTEMPTS).await?;
        let attempt_id = format!("sa_{}", random::long_secret());
        let mut attempt = SignInAttempt { attempt_id, ..SignInAttempt::default() };
        let kind = match method {
            Method::Passkey(_) => {
                let page = self.page(self.settings.passkeys, "passkeys")?;
                let challenge = Bytes::copy_from_slice(&random::bytes::<32>());
                attempt.passkey_options = match account {
                    None => passkey::request_options(page, &challenge),
                    Some(Account { player_id, name, .. }) => {
                        let known = passkeys(&methods)?;
                        passkey::creation_options(page, &challenge, player_id, name, &known)
                    }
                };
                Kind::Passkey(PasskeyAttempt { challenge })
            }
            Method::Mail(MailChoice { address }) => {
                let page = self.page(self.settings.mail, "mail")?;
                let (address, adding) = (address.trim(), account.is_some());
                check_address(address).map_err(|why| Failure::field("choice.mail.address", why))?;
                self.count_mail(address, client, adding).await?;
                Kind::Mail(self.send_code(page, address, &attempt.attempt_id, adding).await?)
            }
            Method::Provider(ProviderChoice { provider }) => {
                let page = self.page(true, "provider")?;
                let (stored, url) = self.providers.start(page, &provider).await?;
                attempt.url = url;
                Kind::Provider(stored)
            }
        };
        let until = self.now() + LIFETIME;
        let player_id = account.map(|account| account.player_id.clone()).unwrap_or_default();
        let stored = StoredSignInAttempt { player_id, kind: Some(kind), tries: 0 };
        let id = attempt_record(&attempt.attempt_id);
        let create = RecordChange::create(ATTEMPTS, &id, &expiry(until), stored.encode_to_vec());
        self.store.change_records(vec![create]).await?;
        attempt.expire_time = Some(timestamp(until));
        Ok(attempt)
    }

    async fn count_mail(&self, address: &str, client: &str, adding: bool) -> Result<()> {
        if adding {
            self.accounts.count(&format!("mails {client}"), MAILS_OF_ACCOUNT_MAX, HOUR).await?;
        }
        let mailbox = mailbox(address);
        // Hashed, because the store contains no network addresses.
        let pair = random::hexadecimal(&Sha256::digest(format!("{mailbox} {client}")));
        self.accounts.count(&format!("mail of {pair}"), MAILS_MAX, HOUR).await?;
        self.accounts.count(&format!("mail {mailbox}"), MAILS_TOTAL_MAX, HOUR).await
    }

    async fn send_code(
        &self,
        page: &PageOrigin,
        address: &str,
        attempt_id: &str,
        adding: bool,
    ) -> Result<MailAttempt> {
        let folded = address.to_lowercase();
        let (code, link_code) = (random::digits(), random::long_secret());
        // The email to add an address has no link, because only the signed-in player can add it.
        let link = if adding {
            String::new()
        } else {
            format!("{}/sign-in#mail={attempt_id}.{link_code}", page.origin)
        };
        let (code_hash, link_hash) = (hash(attempt_id, &code), hash(attempt_id, &link_code));
        let is_useful = adding
            || self.accounts.registration() != Registration::Closed
            || self.store.record(METHODS, &mail_record(&folded)).await?.is_some();
        if is_useful {
            self.channels.send_sign_in(address, &code, &link);
        }
        Ok(MailAttempt { address: folded, code: code_hash, link: link_hash })
    }

    /// Finishes signing in. Returns also whether the account was created.
    pub(crate) async fn finish(&self, request: FinishSignInRequest) -> Result<(SignedIn, bool)> {
        let FinishSignInRequest { attempt_id, proof, invitation, name, request_id } = request;
        let retry_key = RetryKey::new(&request_id, &attempt_id)?;
        let secret = retry_key.map(|retry_key| retry_key.token(&["finish-sign-in"]));
        if let Some(made) = self.accounts.signed_in_before(secret.as_deref()).await? {
            let created = is_guest(&made.account);
            return Ok((made, created));
        }
        let Proven { record_id, known, method, attempt } =
            self.prove(&attempt_id, "", proof).await?;
        let Some(known) = known else {
            let adjust = |token| signed_in_token(token, &attempt_id, &name);
            let body = Bytes::from(method.encode_to_vec());
            let changes = |player_id: &str| {
                let create = RecordChange::create(METHODS, &record_id, player_id, body.clone());
                vec![attempt.clone().removed(), create]
            };
            let opened = self.accounts.open_new("", &invitation, secret, adjust, changes).await?;
            let (account, token, secret) = opened;
            return Ok((SignedIn { account, token, secret }, true));
        };
        let account = self.accounts.find_named(&known.key).await?.ok_or_else(no_attempt)?;
        // Alone, because another sign-in may change the method at the same time.
        match self.store.change_records(vec![attempt.removed()]).await {
            Err(StoreError::LostRace { .. }) => return Err(no_attempt()),
            removed => removed?,
        }
        let signed_in =
            self.accounts.put_signed_in(account, &attempt_id, &name, secret, no_attempt).await?;
        self.accounts.try_change(vec![known.with_body(method.encode_to_vec())]).await?;
        Ok((signed_in, false))
    }

    /// Finishes adding a method to an account.
    pub(crate) async fn add(
        &self,
        player_id: &str,
        request: AddSignInMethodRequest,
    ) -> Result<SignInMethod> {
        let AddSignInMethodRequest { attempt_id, proof, name } = request;
        let Proven { record_id, known, mut method, attempt } =
            self.prove(&attempt_id, player_id, proof).await?;
        if let Some(known) = known {
            if known.key != player_id {
                let text = "This passkey, address or account belongs to another account here.";
                return Err(Failure::new(ErrorReason::SignInTaken, text));
            }
            return Ok(known.message::<StoredSignInMethod>()?.method.unwrap_or_default());
        }
        let methods = self.accounts.methods(player_id).await?;
        check_room(&methods)?;
        let shown = method.method.get_or_insert_default();
        if shown.kind() == SignInKind::Passkey && !name.is_empty() {
            shown.name = name;
        }
        shown.use_time = None;
        let shown = shown.clone();
        let create = RecordChange::create(METHODS, &record_id, player_id, method.encode_to_vec());
        self.store.change_records(vec![attempt.removed(), create]).await?;
        let change = format!("{} was added to your account.", described(&shown));
        self.report(player_id, &methods, &change).await?;
        Ok(shown)
    }

    /// Removes a method from an account.
    pub(crate) async fn remove(
        &self,
        player_id: &str,
        method_id: &str,
        confirmed: bool,
    ) -> Result<()> {
        let methods = self.accounts.methods(player_id).await?;
        self.accounts.remove_method(player_id, method_id, confirmed).await?;
        let removed = methods.iter().find(|(_, method)| method.method_id == method_id);
        let removed = removed.map(|(_, method)| described(method)).unwrap_or_default();
        let change = format!("{removed} was removed from your account.");
        self.report(player_id, &methods, &change).await
    }

    /// Replaces the recovery codes of an account.
    pub(crate) async fn create_recovery_codes(&self, player_id: &str) -> Result<Vec<String>> {
        let codes = self.accounts.create_recovery_codes(player_id).await?;
        let methods = self.accounts.methods(player_id).await?;
        let change = "The recovery codes of your account were replaced.";
        self.report(player_id, &methods, change).await?;
        Ok(codes)
    }

    /// Signs in with a recovery code. Returns also the number of codes that still work.
    pub(crate) async fn recover(
        &self,
        request: &SignInWithRecoveryCodeRequest,
    ) -> Result<(SignedIn, usize)> {
        let SignInWithRecoveryCodeRequest { player, code, name, request_id } = request;
        let retry_key = RetryKey::new(request_id, code)?;
        let (signed_in, left) =
            self.accounts.sign_in_with_recovery_code(player, code, name, retry_key).await?;
        let player_id = &signed_in.account.player_id;
        let methods = self.accounts.methods(player_id).await?;
        let change = "A recovery code was used to sign in to your account.";
        self.report(player_id, &methods, change).await?;
        Ok((signed_in, left))
    }

    /// Reports a change of the ways to sign in to all email addresses among the methods.
    async fn report(
        &self,
        player_id: &str,
        methods: &[(Record, SignInMethod)],
        change: &str,
    ) -> Result<()> {
        let name = self.accounts.find(player_id).await?.name;
        let page = self.settings.page.as_ref();
        let page = page.map(|page| format!("\nPage: {}/account", page.origin)).unwrap_or_default();
        let text = format!("{change}\n\nAccount: {name}{page}");
        for (_, method) in methods {
            if method.kind() == SignInKind::Mail {
                self.channels.send_change(&method.name, &text);
            }
        }
        Ok(())
    }

    /// Checks the proof of an attempt for an account, or for signing in if `player_id` is empty.
    async fn prove(
        &self,
        attempt_id: &str,
        player_id: &str,
        proof: Option<SignInProof>,
    ) -> Result<Proven> {
        let (mut attempt, stored) = self.attempt(attempt_id, player_id).await?;
        let proof = proof.and_then(|proof| proof.proof);
        let (record_id, kind, name) = match (stored.kind, proof) {
            (Some(Kind::Passkey(PasskeyAttempt { challenge })), Some(Proof::Passkey(json))) => {
                let page = self.page(self.settings.passkeys, "passkeys")?;
                let wrong = |why| Failure::field("proof.passkey", why);
                if player_id.is_empty() {
                    return self.prove_passkey(page, &challenge, &json, attempt).await;
                }
                let new = passkey::register(page, &challenge, &json).map_err(wrong)?;
                let record_id = passkey_record(&new.id);
                let known = self.store.record(METHODS, &record_id).await?;
                let method = StoredSignInMethod {
                    credential_id: new.id,
                    public_key: new.public_key,
                    sign_count: new.sign_count,
                    ..self.method(&record_id, SignInKind::Passkey, "passkey")
                };
                return Ok(Proven { record_id, known, method, attempt });
            }
            (Some(Kind::Mail(mail)), Some(Proof::Code(code))) => {
                self.page(self.settings.mail, "mail")?;
                self.check_code(attempt_id, player_id, &mail, code.trim()).await?;
                // Counting has changed the record.
                (attempt, _) = self.attempt(attempt_id, player_id).await?;
                (mail_record(&mail.address), SignInKind::Mail, mail.address)
            }
            (Some(Kind::Provider(stored)), Some(Proof::Provider(proof))) => {
                let page = self.page(true, "provider")?;
                let (issuer, subject) =
                    self.providers.finish(page, &stored, &proof, self.now()).await?;
                let record_id = format!("provider {issuer} {subject}");
                (record_id, SignInKind::Provider, stored.provider)
            }
            _ => {
                let text = "The proof must be of the method with which the attempt started.";
                return Err(Failure::field("proof", text));
            }
        };
        let known = self.store.record(METHODS, &record_id).await?;
        let mut method: StoredSignInMethod = match &known {
            Some(record) => record.message()?,
            None => self.method(&record_id, kind, &name),
        };
        method.method.get_or_insert_default().use_time = Some(timestamp(self.now()));
        Ok(Proven { record_id, known, method, attempt })
    }

    /// Checks the signature of a known passkey.
    async fn prove_passkey(
        &self,
        page: &PageOrigin,
        challenge: &[u8],
        json: &str,
        attempt: Record,
    ) -> Result<Proven> {
        let wrong = |why| Failure::field("proof.passkey", why);
        let assertion = Assertion::read(json).map_err(wrong)?;
        let record_id = passkey_record(assertion.credential_id());
        let Some(known) = self.store.record(METHODS, &record_id).await? else {
            let text = "No account has this passkey; its owner may have removed it.";
            return Err(Failure::new(ErrorReason::NotFound, text).with("what", "passkey"));
        };
        let mut method: StoredSignInMethod = known.message()?;
        let (key, count) = (&method.public_key, method.sign_count);
        method.sign_count =
            assertion.check(page, challenge, &known.key, key, count).map_err(wrong)?;
        method.method.get_or_insert_default().use_time = Some(timestamp(self.now()));
        Ok(Proven { record_id, known: Some(known), method, attempt })
    }

    /// Checks a code from an email. The long code of a link cannot be guessed, so it is not counted,
    /// and works even if another person has tried too many codes.
    async fn check_code(
        &self,
        attempt_id: &str,
        player_id: &str,
        mail: &MailAttempt,
        code: &str,
    ) -> Result<()> {
        let given = hash(attempt_id, code);
        let matches = |hash: &Bytes| bool::from(hash.ct_eq(&given));
        let wrong =
            || Failure::field("proof.code", "The code is wrong; enter the one from the email.");
        if code.len() == LINK_CODE_CHARS {
            return if matches(&mail.link) { Ok(()) } else { Err(wrong()) };
        }
        self.count_try(attempt_id, player_id).await?;
        let codes = format!("code {}", mail.address);
        self.accounts.count(&codes, WRONG_CODES_MAX, HOUR).await?;
        if !matches(&mail.code) {
            return Err(wrong());
        }
        self.accounts.reset_count(&codes).await
    }

    async fn count_try(&self, attempt_id: &str, player_id: &str) -> Result<()> {
        loop {
            let (record, mut stored) = self.attempt(attempt_id, player_id).await?;
            if stored.tries >= TRIES_MAX {
                return Err(no_attempt());
            }
            stored.tries += 1;
            match self.store.change_records(vec![record.with_body(stored.encode_to_vec())]).await {
                Err(StoreError::LostRace { .. }) => {}
                changed => return Ok(changed?),
            }
        }
    }

    async fn attempt(
        &self,
        attempt_id: &str,
        player_id: &str,
    ) -> Result<(Record, StoredSignInAttempt)> {
        let found = self.store.record(ATTEMPTS, &attempt_record(attempt_id)).await?;
        let record = found.filter(|record| record.key > expiry(self.now()));
        let record = record.ok_or_else(no_attempt)?;
        let stored: StoredSignInAttempt = record.message()?;
        if stored.player_id == player_id { Ok((record, stored)) } else { Err(no_attempt()) }
    }

    fn method(&self, record_id: &str, kind: SignInKind, name: &str) -> StoredSignInMethod {
        let method = SignInMethod {
            method_id: method_id(record_id),
            kind: kind.into(),
            name: name.to_owned(),
            create_time: Some(timestamp(self.now())),
            use_time: None,
        };
        StoredSignInMethod { method: Some(method), ..StoredSignInMethod::default() }
    }
}

fn described(method: &SignInMethod) -> String {
    let name = heliopause_proto::text::shown(&method.name);
    match method.kind() {
        SignInKind::Passkey => format!("The passkey {name}"),
        SignInKind::Mail => format!("The email address {name}"),
        SignInKind::Provider | SignInKind::Unspecified => format!("An account at {name}"),
    }
}

fn passkeys(methods: &[(Record, SignInMethod)]) -> Result<Vec<Bytes>> {
    let mut ids = Vec::new();
    for (record, method) in methods {
        if method.kind() == SignInKind::Passkey {
            ids.push(record.message::<StoredSignInMethod>()?.credential_id);
        }
    }
    Ok(ids)
}

fn check_room(methods: &[(Record, SignInMethod)]) -> Result<()> {
    if methods.len() < METHODS_MAX {
        return Ok(());
    }
    let text =
        format!("You have {METHODS_MAX} sign-in methods, which is the limit; remove one first.");
    let failure = Failure::new(ErrorReason::QuotaExceeded, text);
    Err(failure.with("quota", "sign-in methods").with("limit", METHODS_MAX))
}

fn attempt_record(attempt_id: &str) -> String {
    random::hexadecimal(&hash(attempt_id, "attempt"))
}

fn passkey_record(credential_id: &[u8]) -> String {
    format!("passkey {}", random::hexadecimal(&Sha256::digest(credential_id)))
}

/// Returns the id of an email address's record. Ignores case, because no provider has two mailboxes
/// that differ only in case.
fn mail_record(folded: &str) -> String {
    format!("mail {folded}")
}

/// Returns the mailbox of an address: in lower case, and without a tag, such as `+games` in
/// `ann+games@example.org`.
fn mailbox(address: &str) -> String {
    let folded = address.to_lowercase();
    match folded.rsplit_once('@') {
        Some((local, domain)) => {
            let untagged = local.split('+').next().filter(|untagged| !untagged.is_empty());
            format!("{}@{domain}", untagged.unwrap_or(local))
        }
        None => folded,
    }
}

/// Hashes a code together with the secret id of its attempt, which the store does not contain.
fn hash(attempt_id: &str, code: &str) -> Bytes {
    let length = (attempt_id.len() as u64).to_be_bytes();
    let hash = Sha256::new().chain_update(length).chain_update(attempt_id).chain_update(code);
    Bytes::copy_from_slice(&hash.finalize())
}

fn no_attempt() -> Failure {
    let text = "The sign-in is unknown, used or expired; start again.";
    Failure::new(ErrorReason::NotFound, text).with("what", "sign-in")
}

fn off(feature: &'static str) -> Failure {
    let text = "This server does not offer this way to sign in.";
    Failure::new(ErrorReason::SignInOff, text).with("feature", feature)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use heliopause_proto::v1::PasskeyChoice;

    use super::*;
    use crate::Time;
    use crate::config::NoticeSettings;
    use crate::store::sqlite::SqliteStore;

    #[tokio::test]
    async fn an_attempt_expires() {
        let clock = Arc::new(AtomicI64::new(1_000_000));
        let time = Time::of({
            let clock = Arc::clone(&clock);
            move || clock.load(Ordering::Relaxed)
        });
        let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
        let accounts = Accounts::new(Arc::clone(&store), Registration::Open, 1, time.clone());
        let channels = Channels::new(Arc::clone(&store), &NoticeSettings::default(), time);
        let (origin, host) = ("http://localhost".to_owned(), "localhost".to_owned());
        let page = Some(PageOrigin { origin, host });
        let settings = SignInSettings { page, passkeys: true, ..SignInSettings::default() };
        let sign_in = SignIn::new(Arc::new(accounts), Arc::new(channels), store, &settings);
        let choice = SignInChoice { method: Some(Method::Passkey(PasskeyChoice {})) };
        let attempt = sign_in.start(None, "a network", Some(choice)).await.unwrap();
        let reason = async |now| {
            clock.store(now, Ordering::Relaxed);
            sign_in.attempt(&attempt.attempt_id, "").await.err().map(|failure| failure.reason())
        };
        assert_eq!(reason(1_000_000 + LIFETIME - 1).await, None);
        assert_eq!(reason(1_000_000 + LIFETIME).await, Some(ErrorReason::NotFound));
    }

    #[test]
    fn addresses_of_one_mailbox_are_counted_together() {
        for address in
            ["ann@example.net", "Ann@Example.NET", "ann+1@example.net", "ANN+a+b@example.net"]
        {
            assert_eq!(mailbox(address), "ann@example.net", "{address}");
        }
        assert_eq!(mailbox("+ann@example.net"), "+ann@example.net");
    }
}
