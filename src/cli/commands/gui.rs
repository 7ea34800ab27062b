//! `zermelo gui`: a board in the browser.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use super::play::{language_codes, select_language};
use crate::arena::engines::engine_setup::{EngineSetup, Protocol};
use crate::arena::engines::key_values::KeyValues;
use crate::arena::games::game_choice::GameChoice;
use crate::cli::GameParser;
use crate::cli::engine_settings::EngineGroups;
use crate::cli::error::CliError;
use crate::cli::terminal::stdout;
use crate::gui::requests::RequestHandler;
use crate::gui::server::{DEFAULT_PORT, GuiServer, ServerConfig, ServerStop, open_browser};
use crate::printing::quote;

/// Open a board in the browser: play, analyse, review and solve puzzles
///
/// Prints its address, which contains a secret, and opens it in the browser. Ctrl-C ends the program.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Arguments {
    #[arg(help = crate::cli::game_help(), value_name = "GAME", value_parser = GameParser, hide_possible_values = true)]
    id: Option<GameChoice>,

    /// Port [default: the first free one from 7913]
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// Address to listen on; anyone who can reach it and knows the printed address can use the engine
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,

    /// Only print the address
    #[arg(long)]
    no_browser: bool,

    #[command(flatten)]
    engines: EngineGroups,

    /// Show the record of a match while the match runs
    #[arg(long, value_name = "FILE")]
    watch: Option<PathBuf>,

    /// Language of the page [default: the browser's]
    #[arg(long, value_name = "LANGUAGE", value_parser = language_codes())]
    lang: Option<String>,
}

const EXAMPLES: &str = "\
The page can play against other engines and analyse with them. Keys of --engine: cmd, name, proto (uci or
ugi), args, dir, option.NAME, as in match.

Examples:
  zermelo gui
  zermelo gui nim --lang zh
  zermelo gui --engine cmd=./bot proto=ugi name=bot
  zermelo gui --watch games.jsonl --no-browser --port 8000";

/// Parses the groups; each engine has its own name.
fn parse_engines(groups: &EngineGroups) -> Result<Vec<EngineSetup>, CliError> {
    const NAME: &str = "name=";
    let at_flag = CliError::at_flag("--engine");
    let mut engines: Vec<EngineSetup> = Vec::new();
    for group in &groups.0 {
        let (names, settings): (Vec<_>, Vec<_>) =
            group.iter().cloned().partition(|word| word.starts_with(NAME));
        let values = KeyValues::from_arguments("--engine", &settings).map_err(&at_flag)?;
        let mut engine = EngineSetup::without_limits(&values, Protocol::Uci).map_err(&at_flag)?;
        if let Some(name) = names.last().map(|name| &name[NAME.len()..]) {
            name.clone_into(&mut engine.name);
        }
        let invalid = |reason: &str| {
            let name = quote(&engine.name);
            Err(CliError::Usage(format!("--engine {name}: {reason}")))
        };
        if engine.proto.dialect().is_none() {
            return invalid("expected proto=uci or proto=ugi");
        }
        if engine.name.is_empty() || engines.iter().any(|other| other.name == engine.name) {
            return invalid("each engine needs its own name, set name=NAME");
        }
        engines.push(engine);
    }
    Ok(engines)
}

pub(super) fn run(flagged: Option<GameChoice>, arguments: &Arguments) -> Result<(), CliError> {
    let handler = RequestHandler {
        game: crate::cli::resolve_game(flagged, arguments.id)?,
        language: arguments.lang.as_deref().map(|code| select_language(Some(code))),
        ..RequestHandler::default()
    };
    let config = ServerConfig {
        address: arguments.listen,
        port: arguments.port,
        handler,
        engines: parse_engines(&arguments.engines)?,
        watched: arguments.watch.clone(),
    };
    let server = GuiServer::bind(config).map_err(|error| {
        let port = arguments.port.unwrap_or(DEFAULT_PORT);
        CliError::Failed(format!("cannot listen on {} port {port}: {error}", arguments.listen))
    })?;
    let stop = ServerStop::default();
    let (on_stop, mut is_stopping) = (stop.clone(), false);
    // A second signal exits at once.
    crate::cli::signals::on_signal(move || {
        if is_stopping {
            std::process::exit(1);
        }
        is_stopping = true;
        on_stop.stop();
    })?;
    let url = server.url();
    let mut output = stdout();
    writeln!(output, "Zermelo is at {url}\nPress Ctrl-C to stop.")?;
    output.flush()?;
    let redirect = (!arguments.no_browser).then(|| open_browser(&url)).flatten();
    if !arguments.no_browser && redirect.is_none() {
        writeln!(output, "Open this address in a browser.")?;
        output.flush()?;
    }
    server.run(&stop);
    drop(redirect);
    Ok(())
}
