//! The log: filtered by `RUST_LOG`, written to a file or stderr, never to stdout.
//!
//! Without `RUST_LOG`, a file gets everything that passes between engine and client, and stderr
//! only what is wrong.

use std::sync::Mutex;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{Targets, dynamic_filter_fn};
use tracing_subscriber::layer::SubscriberExt;

use crate::engine::LogFile;

pub(super) fn install(log: &LogFile) {
    let writer = Mutex::new(log.clone());
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(writer);
    let wanted = std::env::var("RUST_LOG").ok().map(|text| text.parse::<Targets>());
    let log = log.clone();
    let layer = match wanted {
        Some(Ok(targets)) => layer.with_filter(targets).boxed(),
        unset_or_wrong => {
            if let Some(Err(error)) = unset_or_wrong {
                super::print_error(&format!("RUST_LOG is not used: {error}"));
            }
            let level = move || if log.is_open() { LevelFilter::DEBUG } else { LevelFilter::WARN };
            layer.with_filter(dynamic_filter_fn(move |meta, _| *meta.level() <= level())).boxed()
        }
    };
    // Fails only if a subscriber is there already, and then the log has its place.
    let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer));
}
