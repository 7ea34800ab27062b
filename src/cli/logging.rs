//! The log: filtered by `RUST_LOG`, written to a file or stderr, never to stdout.
//!
//! Without `RUST_LOG`, a log file gets the whole conversation with the client, and stderr only
//! warnings.

use std::sync::Mutex;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{Targets, dynamic_filter_fn};
use tracing_subscriber::layer::SubscriberExt;

use crate::engine::LogFile;

pub(super) fn install(log: &LogFile) {
    let writer = Mutex::new(log.clone());
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(writer);
    let filter = std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty());
    let filter = filter.map(|text| text.parse::<Targets>());
    let log = log.clone();
    let layer = match filter {
        Some(Ok(targets)) => layer.with_filter(targets).boxed(),
        unset_or_invalid => {
            if let Some(Err(error)) = unset_or_invalid {
                super::print_error(&format!("ignoring RUST_LOG: {error}"));
            }
            let level = move || if log.is_open() { LevelFilter::DEBUG } else { LevelFilter::WARN };
            layer.with_filter(dynamic_filter_fn(move |meta, _| *meta.level() <= level())).boxed()
        }
    };
    // Fails only if a subscriber is already installed.
    let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer));
}
