//! Commands for signing in and out, and for the ways back into an account.

use std::io::{BufRead as _, IsTerminal as _, stdin};

use clap::Args;
use heliopause_proto::v1::sign_in_choice::Method;
use heliopause_proto::v1::sign_in_proof::Proof;
use heliopause_proto::v1::*;

use super::confirmation::is_yes;
use crate::context::Context;
use crate::engine::request_id;
use crate::failure::Failure;
use crate::profile::Account;
use crate::style::{Ink, Style};
use crate::terminal::Out;
use crate::text::{self, harmless, moment};
use crate::words::{Number, columns, say};

/// The title of the tokens that signing in creates.
const TOKEN_NAME: &str = "cli-client";

/// The ways to sign in, of which a command has one.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct SignInWays {
    /// Send a code to this email address, and ask for it.
    #[arg(long, value_name = "ADDRESS")]
    pub mail: Option<String>,
    /// Use a code from the page: "Another device" on the account page. The link also works.
    #[arg(long, value_name = "CODE")]
    pub code: Option<String>,
    /// Use a recovery code of the account with this name, and ask for it.
    #[arg(long, value_name = "NAME")]
    pub recovery: Option<String>,
}

/// Sign in to an account and save the token in the profile.
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/sign_in.txt"))]
pub struct SignInArgs {
    #[command(flatten)]
    pub way: SignInWays,
    /// An invitation code for a new account, if the engine requires one.
    #[arg(long, value_name = "CODE")]
    pub invitation: Option<String>,
}

/// Revoke the token of the profile and remove it.
#[derive(Debug, Args)]
pub struct SignOutArgs {
    /// Sign out even if the account has no way back.
    #[arg(long)]
    pub yes: bool,
}

/// Reads a line that answers a prompt, from a terminal or a script.
fn ask(prompt: &str) -> Result<String, Failure> {
    Out::Stderr.ask(prompt)?;
    let mut answer = String::new();
    let read = stdin().lock().read_line(&mut answer);
    match read {
        Ok(length) if length > 0 => Ok(answer.trim().to_owned()),
        _ => {
            Err(Failure::failed(say!("sign-in-canceled-no-code-entered")).because("NOT_CONFIRMED"))
        }
    }
}

fn mail(address: String) -> SignInChoice {
    SignInChoice { method: Some(Method::Mail(MailChoice { address })) }
}

/// Asks for a code until `attempt` accepts it. Without a terminal, asks once.
async fn with_code<T>(
    attempt: impl AsyncFn(SignInProof) -> Result<T, Failure>,
) -> Result<T, Failure> {
    loop {
        let code = ask(&say!("sign-in-code-email"))?;
        match attempt(SignInProof { proof: Some(Proof::Code(code)) }).await {
            Err(failure) if failure.report().reason == "INVALID_FIELD" && stdin().is_terminal() => {
                Out::Stderr.say(&failure.to_string())?;
            }
            finished => return finished,
        }
    }
}

pub async fn sign_in(context: &mut Context, args: SignInArgs) -> Result<(), Failure> {
    let engine = context.connect_anonymous().await?;
    let (name, request_id) = (TOKEN_NAME.to_owned(), request_id()?);
    let SignInArgs { way: SignInWays { mail: address, code, recovery }, invitation } = args;
    if let Some(address) = address {
        let mut service = engine.sign_in();
        let request = StartSignInRequest { choice: Some(mail(address)) };
        let attempt = service.start_sign_in(request).await?.into_inner().attempt;
        let attempt_id = attempt.unwrap_or_default().attempt_id;
        let response = with_code(async |proof| {
            let request = FinishSignInRequest {
                attempt_id: attempt_id.clone(),
                proof: Some(proof),
                invitation: invitation.clone().unwrap_or_default(),
                name: name.clone(),
                request_id: request_id.clone(),
            };
            Ok(engine.sign_in().finish_sign_in(request).await?.into_inner())
        })
        .await?;
        keep(context, response.player.as_ref(), &response.secret)?;
        return context.answer(&response, |style| {
            let mut told = signed_in(context, style, response.player.as_ref());
            if response.created {
                let next = say!("sign-in-account-new-choose-name");
                told = format!("{told}\n{next}");
            }
            told
        });
    }
    if let Some(player) = recovery {
        let code = ask(&say!("sign-in-recovery-code"))?;
        let request = SignInWithRecoveryCodeRequest { player, code, name, request_id };
        let response = engine.sign_in().sign_in_with_recovery_code(request).await?.into_inner();
        keep(context, response.player.as_ref(), &response.secret)?;
        return context.answer(&response, |style| {
            let left = say!("sign-in-left", count = Number(response.codes_left as usize));
            format!("{} {left}", signed_in(context, style, response.player.as_ref()))
        });
    }
    let code = code.unwrap_or_default();
    let code = code.rsplit("#code=").next().unwrap_or_default().to_owned();
    let request = SignInRequest { code, name, request_id };
    let response = engine.players().sign_in(request).await?.into_inner();
    keep(context, response.player.as_ref(), &response.secret)?;
    context.answer(&response, |style| signed_in(context, style, response.player.as_ref()))
}

fn keep(context: &mut Context, player: Option<&Player>, secret: &str) -> Result<(), Failure> {
    let name = player.map(|player| player.name.clone()).unwrap_or_default();
    context.keep(Account { name, token: secret.to_owned() })
}

fn signed_in(context: &Context, style: &Style, player: Option<&Player>) -> String {
    let name = harmless(player.map(|player| player.name.as_str()).unwrap_or_default());
    let welcome = style.paint(say!("sign-in-signed", name = name), Ink::Good);
    let saved = say!("sign-in-token-saved-profile", profile = context.profile_name());
    format!("{welcome} {saved}")
}

/// Revokes the token in use. Asks first if the account has no way back.
pub async fn sign_out(context: &mut Context, args: &SignOutArgs) -> Result<(), Failure> {
    let mut players = context.engine().await?.players();
    let has_way_back = players.get_me(GetMeRequest {}).await?.into_inner().has_way_back;
    if !has_way_back && !args.yes {
        let told = say!("sign-in-account-no-sign-in-method");
        let advice = say!("sign-in-run-cli-client-account-recovery-codes");
        if context.json || !stdin().is_terminal() {
            return Err(Failure::failed(told).because("NOT_CONFIRMED").advise(advice));
        }
        Out::Stderr.say(&told)?;
        if !is_yes(&ask(&say!("sign-in-sign-out-question"))?) {
            let failure = Failure::failed(say!("sign-in-canceled-still-signed"));
            return Err(failure.because("NOT_CONFIRMED").advise(advice));
        }
    }
    let tokens = players.list_tokens(ListTokensRequest {}).await?.into_inner().tokens;
    let current = tokens.into_iter().find(|token| token.current).unwrap_or_default();
    let request = RevokeTokenRequest { token_id: current.token_id };
    let response = players.revoke_token(request).await?;
    context.forget()?;
    context.done(&response, &say!("sign-in-signed-out-token-revoked"))
}

pub async fn list_methods(context: &Context) -> Result<(), Failure> {
    let mut service = context.engine().await?.sign_in();
    let response = service.list_sign_in_methods(ListSignInMethodsRequest {}).await?.into_inner();
    context.answer(&response, |style| methods(style, &response))
}

pub async fn add_mail(context: &Context, address: String) -> Result<(), Failure> {
    let engine = context.engine().await?;
    let request = StartSignInMethodRequest { choice: Some(mail(address)) };
    let attempt = engine.sign_in().start_sign_in_method(request).await?.into_inner().attempt;
    let attempt_id = attempt.unwrap_or_default().attempt_id;
    let response = with_code(async |proof| {
        let (attempt_id, name) = (attempt_id.clone(), String::new());
        let request = AddSignInMethodRequest { attempt_id, proof: Some(proof), name };
        Ok(engine.sign_in().add_sign_in_method(request).await?)
    })
    .await?;
    context.done(&response, &say!("sign-in-can-sign-address"))
}

pub async fn remove_method(context: &Context, id: String, yes: bool) -> Result<(), Failure> {
    let request = RemoveSignInMethodRequest { method_id: id, confirmed: yes };
    let response = context.engine().await?.sign_in().remove_sign_in_method(request).await?;
    context.done(&response, &say!("sign-in-method-removed"))
}

pub async fn create_recovery_codes(context: &Context) -> Result<(), Failure> {
    let mut service = context.engine().await?.sign_in();
    let response = service.create_recovery_codes(CreateRecoveryCodesRequest {}).await?.into_inner();
    context.answer(&response, |style| recovery_codes(style, &response.codes))
}

fn methods(style: &Style, listed: &ListSignInMethodsResponse) -> String {
    let row = |method: &SignInMethod| {
        let kind = match method.kind() {
            SignInKind::Unspecified => say!("sign-in-kind-unknown"),
            SignInKind::Passkey => say!("sign-in-kind-passkey"),
            SignInKind::Mail => say!("sign-in-kind-mail"),
            SignInKind::Provider => say!("sign-in-kind-provider"),
        };
        let used = method.use_time.as_ref().map_or_else(|| say!("sign-in-never"), moment);
        vec![method.method_id.clone(), kind, used, harmless(&method.name)]
    };
    let rows: Vec<Vec<String>> = listed.methods.iter().map(row).collect();
    let table = if rows.is_empty() {
        say!("sign-in-no-methods")
    } else {
        text::table(style, &columns("sign-in-columns"), &rows)
    };
    let left = say!("sign-in-you-have", count = Number(listed.recovery_codes_left as usize));
    format!("{table}\n{left}")
}

/// Formats new recovery codes with the advice to save them.
pub fn recovery_codes(style: &Style, codes: &[String]) -> String {
    let advice = say!("sign-in-save-these-codes-they");
    format!("{}\n{}", codes.join("\n"), style.paint(advice, Ink::Notice))
}
