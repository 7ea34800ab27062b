//! Hostile and careless clients: what they send is bounded, and others do not notice.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tungstenite::Message;
use zermelo::gui::server::limits::{
    GUEST_TIMEOUT, MAX_CONNECTIONS, MAX_FRAME, MAX_LINES, MAX_REQUESTS, MAX_SOCKETS,
};

use crate::client::{TIMEOUT, Tab, TestServer};

fn works(tab: &mut Tab) -> bool {
    tab.ask("position", json!({ "setup": { "game": "tixtax" } }))["plies"] == 0
}

#[test]
fn invalid_messages_are_answered_with_errors() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    for frame in [
        "{",
        "{}",
        "{\"id\":1}",
        "{\"id\":1,\"ask\":\"quit\"}",
        "{\"id\":1,\"ask\":[]}",
        "{\"id\":1.5,\"ask\":\"games\"}",
        "{\"cancel\":-1}",
        "{\"id\":1,\"ask\":\"position\",\"setup\":{\"game\":\"nim\",\"moves\":[1]}}",
        "{\"id\":1,\"ask\":\"position\",\"setup\":{\"game\":\"nim\",\"file\":\"/etc/passwd\"}}",
    ] {
        tab.send(frame);
        let answer = tab.receive_json();
        assert!(answer["error"]["message"].is_string(), "{frame}: {answer}");
    }
    tab.send("{\"cancel\":99}");
    assert!(works(&mut tab), "an unknown cancellation is ignored");
}

#[test]
fn garbage_frames_end_at_most_their_own_tab() {
    let server = TestServer::start();
    let mut witness = server.open_tab();
    let nested = "{\"a\":".repeat(100_000);
    let long = "x".repeat(100_000);
    for frame in [&nested, &long, "\u{0}\u{1b}[2J", "\n\n\n", "", "go depth", "position fen"] {
        let mut tab = server.open_tab();
        tab.send(frame);
        assert!(works(&mut tab), "{:?}", &frame[..frame.len().min(20)]);
    }
    let mut tab = server.open_tab();
    tab.socket.send(Message::binary(vec![0xff; 1000])).unwrap();
    while tab.socket.read().is_ok() {}
    let mut tab = server.open_tab();
    tab.socket.get_mut().write_all(&[0xff; 1000]).unwrap();
    while tab.socket.read().is_ok() {}
    assert!(works(&mut witness));
}

#[test]
fn frames_that_are_too_long_end_the_tab() {
    let server = TestServer::start();
    let mut witness = server.open_tab();
    let mut tab = server.open_tab();
    let frame = format!("{{\"id\":1,\"ask\":\"{}\"}}", "x".repeat(MAX_FRAME));
    // The server may close while the frame is being sent.
    let _ = tab.socket.send(Message::text(frame));
    while tab.socket.read().is_ok() {}
    assert!(works(&mut witness));
}

#[test]
fn a_tab_has_a_bounded_number_of_requests() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let fields = json!({ "setup": { "game": "tixtax" }, "ms": 5000 });
    let started: Vec<u64> = (0..MAX_REQUESTS).map(|_| tab.start("hint", fields.clone())).collect();
    let refused = tab.ask_refused("hint", fields);
    assert!(refused["message"].as_str().unwrap().starts_with("too many requests"), "{refused}");
    for id in &started {
        tab.send(&json!({ "cancel": id }).to_string());
    }
    let begin = Instant::now();
    for _ in &started {
        let answer = tab.receive_json();
        assert!(started.contains(&answer["id"].as_u64().unwrap()), "{answer}");
    }
    assert!(begin.elapsed() < Duration::from_secs(4), "cancelled requests end early");
    assert!(works(&mut tab));
}

#[test]
fn an_id_can_be_used_again_only_after_its_answer() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let prove = "{\"id\":5,\"ask\":\"prove\",\"setup\":{\"game\":\"tixtax\"},\"ms\":3600000}";
    let cancel = "{\"cancel\":5}";
    tab.send(prove);
    // A request that is cancelled in the queue ends with an error.
    tab.wait_for_progress(5);
    tab.send(prove);
    tab.send(cancel);
    assert_eq!(
        tab.finish(5).0["error"]["message"],
        "request id 5 is still in use, expected a new one"
    );
    assert!(tab.finish(5).0["answer"].is_object());
    tab.send(prove);
    tab.wait_for_progress(5);
    tab.send(cancel);
    assert!(tab.finish(5).0["answer"].is_object());
}

#[test]
fn a_flood_does_not_starve_another_tab() {
    let server = TestServer::start();
    let mut witness = server.open_tab();
    let mut flood: Vec<Tab> = (0..20).map(|_| server.open_tab()).collect();
    for tab in &mut flood {
        for _ in 0..MAX_REQUESTS {
            tab.start("hint", json!({ "setup": { "game": "tixtax" }, "ms": 2000 }));
        }
    }
    let begin = Instant::now();
    for _ in 0..10 {
        assert!(works(&mut witness));
    }
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}

#[test]
fn sockets_are_bounded_and_given_back() {
    let server = TestServer::start();
    let open = || Tab::try_open(server.address, &server.token);
    let mut tabs: Vec<Tab> = (0..MAX_SOCKETS).map(|_| open().unwrap()).collect();
    for _ in 0..40 {
        assert!(open().err().unwrap().contains("503"));
    }
    assert!(works(&mut tabs[0]));
    tabs.pop();
    let begin = Instant::now();
    while open().is_err() {
        assert!(begin.elapsed() < TIMEOUT);
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn silent_connections_do_not_keep_others_out() {
    let server = TestServer::start();
    let mut silent: Vec<TcpStream> =
        (0..300).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    for stream in &mut silent {
        let _ = stream.write_all(b"GET / HT");
    }
    let begin = Instant::now();
    let (status, _, _) = server.get(&format!("/{}/", server.token), &[]);
    assert_eq!(status, 200);
    assert!(begin.elapsed() < GUEST_TIMEOUT, "{:?}", begin.elapsed());
}

#[test]
fn connections_without_the_token_do_not_keep_others_out() {
    let server = TestServer::start();
    let requests = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.host()).repeat(10_000);
    let connect = |_| {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.set_nonblocking(true).unwrap();
        // The answers are not read, so at some point the server cannot write.
        let _ = stream.write_all(requests.as_bytes());
        stream
    };
    let guests: Vec<TcpStream> = (0..MAX_CONNECTIONS + 10).map(connect).collect();
    let begin = Instant::now();
    let (status, _, _) = server.get(&format!("/{}/", server.token), &[]);
    assert_eq!(status, 200);
    assert!(begin.elapsed() < GUEST_TIMEOUT, "{:?}", begin.elapsed());
    drop(guests);
}

#[test]
fn frames_of_many_lines_are_refused_and_empty_lines_ignored() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    tab.send(&"\n".repeat(MAX_FRAME));
    tab.send(&"isready\n".repeat(MAX_LINES + 1));
    tab.send("isready");
    assert!(tab.receive().starts_with("info string error: too many lines"));
    assert_eq!(tab.receive(), "readyok");
}

#[test]
fn records_of_too_many_games_are_refused() {
    let server = TestServer::start();
    let mut tab = server.open_tab();
    let error = tab.ask_refused("read_record", json!({ "text": "{}\n".repeat(MAX_FRAME / 5) }));
    assert!(error["message"].as_str().unwrap().starts_with("the record is too long"), "{error}");
    let read = tab.ask("read_record", json!({ "text": "{}\n".repeat(16_000) }));
    assert_eq!(read["games"].as_array().unwrap().len(), 16_000);
}

/// Eight tabs ask for far more thinking than runs at a time. One more tab waits for one request of
/// each of them, not for all.
#[test]
fn tabs_take_turns_to_think() {
    const TABS: usize = 8;
    let server = TestServer::start();
    let mut witness = server.open_tab();
    let mut flood: Vec<Tab> = (0..TABS).map(|_| server.open_tab()).collect();
    let begin = Instant::now();
    // One for each position, since a tab remembers its answers.
    let hint = |row: usize| json!({ "setup": { "game": "tixtax", "moves": [format!("a{row}")] }, "ms": 500 });
    for tab in &mut flood {
        for row in 1..=MAX_REQUESTS {
            tab.start("hint", hint(row));
        }
    }
    witness.ask("hint", hint(1));
    let waited = begin.elapsed();
    for tab in &mut flood {
        // In any order, since those of a tab compete, too.
        let answers = std::iter::repeat_with(|| tab.receive_json());
        answers.filter(|message| message.get("answer").is_some()).take(MAX_REQUESTS).for_each(drop);
    }
    let total = begin.elapsed();
    assert!(2 * waited < total, "{waited:?} of {total:?}");
}

#[test]
fn a_client_that_reads_nothing_is_disconnected() {
    let server = TestServer::start();
    let mut witness = server.open_tab();
    let mut tab = server.open_tab();
    let begin = Instant::now();
    // `help` is answered by many lines, `games` by many kilobytes.
    loop {
        let message = Message::text("{\"id\":1,\"ask\":\"games\"}");
        if tab.socket.send(message).is_err() {
            break;
        }
        assert!(begin.elapsed() < TIMEOUT, "the server buffers without bound");
    }
    assert!(works(&mut witness));
    let mut rest = Vec::new();
    let _ = tab.socket.get_mut().read_to_end(&mut rest);
}

/// Far more tabs than are admitted, all of them busy: the tab in use still answers, and its engine
/// still searches.
#[test]
fn a_thousand_tabs_do_not_starve_the_one_in_use() {
    const TABS: usize = 1000;
    const THREADS: usize = 4;
    let server = TestServer::start();
    let mut used = server.open_tab();
    let running = AtomicBool::new(true);
    let refused = std::thread::scope(|scope| {
        let (server, running) = (&server, &running);
        let flood = || {
            let (mut admitted, mut refused) = (Vec::new(), 0);
            for _ in 0..TABS / THREADS {
                match Tab::try_open(server.address, &server.token) {
                    Ok(mut tab) => {
                        for _ in 0..MAX_REQUESTS {
                            tab.start(
                                "hint",
                                json!({ "setup": { "game": "tixtax" }, "ms": 10_000 }),
                            );
                        }
                        tab.send("go infinite");
                        admitted.push(tab);
                    }
                    Err(_) => refused += 1,
                }
            }
            let begin = Instant::now();
            while running.load(Ordering::Relaxed) && begin.elapsed() < TIMEOUT {
                std::thread::sleep(Duration::from_millis(10));
            }
            refused
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(flood)).collect();
        let mut times = Vec::new();
        for _ in 0..30 {
            let begin = Instant::now();
            assert!(works(&mut used));
            times.push(begin.elapsed());
        }
        used.send("position startpos");
        used.send("go nodes 1000");
        used.wait_for("bestmove");
        times.sort_unstable();
        println!("median {:?}, maximum {:?}", times[times.len() / 2], times[times.len() - 1]);
        assert!(times[times.len() / 2] < TIMEOUT / 10, "{times:?}");
        running.store(false, Ordering::Relaxed);
        threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>()
    });
    // Tabs that read nothing are disconnected and make room for others.
    assert!(refused >= TABS / 2, "{refused} refused");
    assert!(works(&mut used));
}
