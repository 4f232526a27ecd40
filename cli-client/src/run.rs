//! Dispatches the command line to the modules.

use clap::CommandFactory as _;

use crate::args::{Cli, Command};
use crate::commands::{
    absence, account, admin, analyze, archive, chat, chronicle, complete, lobby, look, master,
    notices, order, profile, quick_play, report, sandbox, scenario, sign_in, talk, tournament,
    watch,
};
use crate::context::Context;
use crate::failure::Failure;
use crate::{conformance, play};

/// Runs the command line. The runtime starts here, not in the program, which would otherwise
/// compile the async functions of this crate again.
#[tokio::main]
pub async fn run(cli: Cli) -> Result<(), Failure> {
    let command = match cli.command {
        Command::Completions(args) => return complete::print(&args, &mut Cli::command()),
        Command::Scenario(args) => return scenario::run(&cli.global, &args).await,
        Command::Conformance(args) => return conformance::run(&cli.global, &args).await,
        command => command,
    };
    let mut context = Context::new(&cli.global)?;
    match command {
        Command::Play(args) => play::play(&mut context, &args).await,
        Command::Learn(args) => play::learn(&mut context, &args).await,
        Command::Web(args) => play::web::web(&mut context, &args).await,
        Command::Register(args) => account::register(&mut context, &args).await,
        Command::SignIn(args) => sign_in::sign_in(&mut context, args).await,
        Command::SignOut(args) => sign_in::sign_out(&mut context, &args).await,
        Command::Whoami => account::whoami(&context).await,
        Command::Player(args) => account::player(&context, &args).await,
        Command::Profile(args) => profile::profile(&context, args).await,
        Command::Leaderboard(args) => profile::leaderboard(&context, args).await,
        Command::Tournament(command) => tournament::run(&context, command).await,
        Command::Account(command) => profile::account(&mut context, command).await,
        Command::Tokens(command) => account::tokens(&mut context, command).await,
        Command::Block(command) => account::block(&context, command).await,
        Command::Kinds(args) => lobby::kinds(&context, args).await,
        Command::New(args) => lobby::new(&context, *args).await,
        Command::QuickPlay(args) => quick_play::quick_play(&context, args).await,
        Command::Rematch(args) => quick_play::rematch(&context, args).await,
        Command::Games(args) => lobby::games(&context, args).await,
        Command::Join(args) => lobby::join(&context, args).await,
        Command::Decline(args) => lobby::decline(&context, args).await,
        Command::Leave(args) => lobby::leave(&context, args).await,
        Command::Start(args) => lobby::start(&context, args).await,
        Command::Reveal(args) => lobby::reveal(&context, args).await,
        Command::Show(args) => lobby::show(&context, args).await,
        Command::Map(args) => look::map(&context, args).await,
        Command::Report(args) => report::report(&context, args).await,
        Command::Phases(args) => look::phases(&context, args).await,
        Command::View(args) => look::view(&context, args).await,
        Command::Options(args) => order::options(&context, args).await,
        Command::Validate(args) => order::validate(&context, args).await,
        Command::Orders(args) => order::orders(&context, args).await,
        Command::Ready(args) => order::ready(&context, args).await,
        Command::TakeBack(args) => order::take_back(&context, args).await,
        Command::Wait(args) => order::wait(&context, args).await,
        Command::Watch(args) => watch::watch(&context, args).await,
        Command::Notices(args) => watch::notices(&context, args).await,
        Command::Mute(args) => notices::mute(&context, args).await,
        Command::Unmute(args) => notices::unmute(&context, args).await,
        Command::Chat(command) => chat::chat(&context, command).await,
        Command::Say(args) => talk::say(&context, args).await,
        Command::Inbox(args) => talk::inbox(&context, args).await,
        Command::Vote(command) => talk::vote(&context, command).await,
        Command::Vacation(args) => absence::vacation(&context, args).await,
        Command::Resign(args) => absence::resign(&context, args).await,
        Command::Delegate(args) => absence::delegate(&context, args).await,
        Command::History(args) => look::history(&context, args).await,
        Command::Chronicle(args) => chronicle::chronicle(&context, args).await,
        Command::Export(args) => archive::export(&context, args).await,
        Command::Verify(args) => archive::verify(&context, args).await,
        Command::Explain(args) => look::explain(&context, args).await,
        Command::Analyze(args) => analyze::run(&context, args).await,
        Command::Rule(args) => look::rule(&context, args).await,
        Command::Gm(command) => master::run(&context, command).await,
        Command::Admin(command) => admin::run(&context, command).await,
        Command::Sandbox(command) => sandbox::run(&context, command).await,
        Command::Completions(_) | Command::Scenario(_) | Command::Conformance(_) => Ok(()),
    }
}
