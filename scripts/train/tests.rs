//! From games to a network, and what is refused.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use zermelo::eval::training_data::TrainingFile;
use zermelo::eval::{EvalFile, Net};
use zermelo::search::SearchControl;
use zermelo::thinking::selfplay::{SelfPlayRun, SelfPlaySettings, TrainedGame};

use crate::Options;

/// A folder, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("zermelo-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Plays some short games.
fn play(path: &str, game: usize, games: u64) {
    let game = &TrainedGame::ALL[game];
    let settings = SelfPlaySettings { seed: 0, nodes: 60 };
    let description = game.description(&settings, None);
    let file = TrainingFile::open(Path::new(path), &description).unwrap();
    let control = &SearchControl::default();
    let progress = &|_: &TrainingFile| {};
    let run = SelfPlayRun { settings, net: None, games: 0..games, threads: 2, control, progress };
    (game.play)(file, &run).unwrap();
}

fn train(arguments: &[&str]) -> Result<[f64; 2], String> {
    crate::train(&Options::parse_from([&["train"], arguments].concat()))
}

#[test]
fn a_network_is_trained_from_games() {
    let folder = Folder::new("train");
    let [data, out, further] = ["a.samples", "a.eval", "b.eval"].map(|name| folder.path(name));
    play(&data, 0, 300);
    let small = ["--batch", "256", "--threads", "2", "--data", &data];
    let [first, last] =
        train(&[&small[..], &["--epochs", "2", "--rate", "0.0005", "--out", &out]].concat())
            .unwrap();
    assert!(last < first - 0.005, "{first} {last}");
    assert!(!Path::new(&format!("{out}.state")).exists());
    Net::new(&EvalFile::load(Path::new(&out)).unwrap()).unwrap();
    // A network that is trained further starts where it was, up to rounding.
    let more = ["--epochs", "1", "--start", &out, "--out", &further];
    let [again, _] = train(&[&small[..], &more].concat()).unwrap();
    assert!((again - last).abs() < 0.001, "{last} {again}");
}

#[test]
fn what_cannot_be_used_is_refused_with_a_reason() {
    let folder = Folder::new("train-refusals");
    let file = |name: &str| folder.path(name);
    let [data, other, out] = ["a.samples", "b.samples", "a.eval"].map(file);
    play(&data, 0, 4);
    play(&other, 1, 4);
    let embedded = concat!(env!("CARGO_MANIFEST_DIR"), "/data/weights/tixtax.eval");
    let weights = fs::read(embedded).unwrap();
    let [old, short] = ["old.eval", "short.eval"].map(file);
    fs::write(&old, [b"zermelo-eval 3\n", &weights[15..]].concat()).unwrap();
    fs::write(&short, &weights[..1000]).unwrap();
    let refused = |arguments: &[&str], reasons: &[&str]| {
        let error = train(&[&["--out", &out, "--epochs", "1"], arguments].concat()).unwrap_err();
        assert!(reasons.iter().all(|reason| error.contains(reason)), "{error}");
    };
    refused(&["--data", &data, "--start", &old], &["old.eval", "zermelo-eval 4"]);
    refused(&["--data", &data, "--start", &short], &["short.eval", "1000 bytes, expected"]);
    refused(&["--data", &data, &other], &["b.samples", "of tixtax-count", "of tixtax;"]);
    refused(&["--data", &short], &["short.eval", "not a training data file"]);
    refused(&["--data", &data, "--batch", "0"], &["--batch 0"]);
    refused(&["--data", &data, "--share", "2"], &["--share 2"]);
    refused(&["--data", &data, "--labels"], &["cannot read", "a.labels"]);
    fs::write(file("a.labels"), b"zermelo-labels 1\n1234").unwrap();
    refused(&["--data", &data, "--labels"], &["a.labels", "of other positions"]);
    fs::write(file("a.eval.state"), "zermelo-training 1 data 0\n").unwrap();
    refused(&["--data", &data], &["a.eval.state", "other settings or data"]);
}
