//! The options that limit the work of a review, shared by `review` and `annotate`.

use std::time::Duration;

use crate::teaching::review::ReviewOptions;

#[derive(Debug, Clone, Copy, clap::Args)]
pub(in crate::cli) struct ReviewEffort {
    /// Nodes per move; the same number gives the same review [default: 500000, without --time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Seconds per move that is not solved instantly
    #[arg(long, value_name = "SECONDS", value_parser = crate::cli::parse_seconds)]
    time: Option<Duration>,

    /// Search threads; with more than one, reviews differ slightly from run to run
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

impl ReviewEffort {
    pub(in crate::cli) fn options(&self) -> ReviewOptions {
        let default = ReviewOptions::default();
        let nodes = if self.time.is_some() { self.nodes } else { self.nodes.or(default.nodes) };
        ReviewOptions { nodes, time: self.time, threads: self.threads.into() }
    }

    /// The options as they are typed, each after a space.
    pub(in crate::cli) fn typed(&self) -> String {
        let nodes = self.nodes.map_or(String::new(), |nodes| format!(" --nodes {nodes}"));
        let time =
            self.time.map_or(String::new(), |time| format!(" --time {}", time.as_secs_f64()));
        let threads = match self.threads {
            1 => String::new(),
            threads => format!(" --threads {threads}"),
        };
        [nodes, time, threads].concat()
    }

    /// Whether neither nodes nor time are given.
    pub(in crate::cli) fn is_default(&self) -> bool {
        self.nodes.is_none() && self.time.is_none()
    }
}
