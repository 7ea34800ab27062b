//! Who may connect, and what is served.

use zermelo::gui::page;

use crate::client::TestServer;

#[test]
fn the_page_is_served_below_the_token_only() {
    let server = TestServer::start();
    let token = &server.token;
    let (status, head, body) = server.get(&format!("/{token}/"), &[]);
    assert_eq!((status, body.as_str()), (200, &*page::FILES[0].content));
    assert!(head.contains("content-type: text/html; charset=utf-8"), "{head}");
    for file in page::FILES.iter() {
        let (status, head, body) = server.get(&format!("/{token}/{}", file.name), &[]);
        assert_eq!((status, body.as_str()), (200, &*file.content), "{}", file.name);
        assert!(head.contains(&format!("content-type: {}", file.content_type)), "{head}");
    }
    let (status, head, _) = server.get(&format!("/{token}"), &[]);
    assert_eq!(status, 308);
    assert!(head.contains(&format!("location: /{token}/\r\n")), "{head}");
    let wrong = "0".repeat(token.len());
    for path in ["/", "/index.html", "/socket", &format!("/{wrong}/"), &format!("/{wrong}/socket")]
    {
        let (status, _, body) = server.get(path, &[]);
        assert_eq!(status, 404, "{path}");
        assert!(!body.contains(token.as_str()), "{path}");
    }
}

#[test]
fn files_are_compressed_if_the_browser_accepts_it() {
    let server = TestServer::start();
    let path = format!("/{}/app.js", server.token);
    let length = |head: &str| -> usize {
        let (_, rest) = head.split_once("content-length: ").unwrap();
        rest.lines().next().unwrap().parse().unwrap()
    };
    let (_, plain, body) = server.get(&path, &[("Accept-Encoding", "br")]);
    assert!(!plain.contains("content-encoding"), "{plain}");
    assert_eq!(length(&plain), body.len());
    let (status, compressed, _) = server.get(&path, &[("Accept-Encoding", "deflate, gzip")]);
    assert_eq!(status, 200);
    for header in
        ["content-encoding: gzip", "vary: accept-encoding", "content-type: text/javascript"]
    {
        assert!(compressed.contains(header), "{header} not in {compressed}");
    }
    assert!(length(&compressed) < length(&plain) / 2, "{compressed}");
}

#[test]
fn no_path_reaches_the_file_system() {
    let server = TestServer::start();
    for path in [
        "../Cargo.toml",
        "..%2f..%2fetc/passwd",
        "%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/etc/passwd",
        "index.html/../../Cargo.toml",
        "index.html%00.js",
        "./index.html",
        "INDEX.HTML",
        "pages.css?/../../etc/passwd",
        "\\..\\..\\etc\\passwd",
    ] {
        let (status, _, _) = server.get(&format!("/{}/{path}", server.token), &[]);
        assert!(status == 404 || status == 400, "{path}: {status}");
    }
}

#[test]
fn every_response_forbids_what_the_page_does_not_need() {
    let server = TestServer::start();
    for path in [format!("/{}/", server.token), format!("/{}/none", server.token), "/".to_owned()] {
        let (_, head, _) = server.get(&path, &[]);
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; \
             img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'\r\n",
            "x-content-type-options: nosniff\r\n",
            "referrer-policy: no-referrer\r\n",
            "cache-control: no-store\r\n",
            "cross-origin-opener-policy: same-origin\r\n",
            "cross-origin-resource-policy: same-origin\r\n",
        ] {
            assert!(format!("{head}\r\n").contains(header), "{path}: {header} not in {head}");
        }
        assert!(!head.contains("access-control-allow"), "{head}");
    }
}

#[test]
fn foreign_hosts_are_refused() {
    let server = TestServer::start();
    let port = server.address.port();
    let path = format!("/{}/", server.token);
    let status = |head: &str| server.send_head(&format!("GET {path} HTTP/1.1\r\n{head}\r\n")).0;
    let close = "Connection: close\r\n";
    for host in ["localhost", "127.0.0.1", "[::1]"] {
        assert_eq!(status(&format!("Host: {host}:{port}\r\n{close}")), 200, "{host}");
    }
    for host in ["evil.example", "127.0.0.1.evil.example", "10.0.0.1", "0.0.0.0"] {
        assert_eq!(status(&format!("Host: {host}:{port}\r\n{close}")), 421, "{host}");
    }
    assert_eq!(status(&format!("Host: 127.0.0.1\r\n{close}")), 421);
    assert_eq!(status(close), 421);
    // The address in absolute form names the host, too.
    let absolute = |host: &str| {
        let own = server.host();
        server
            .send_head(&format!("GET http://{host}{path} HTTP/1.1\r\nHost: {own}\r\n{close}\r\n"))
            .0
    };
    assert_eq!(absolute(&server.host()), 200);
    assert_eq!(absolute(&format!("other.host:{port}")), 421);
}

#[test]
fn only_get_is_answered() {
    let server = TestServer::start();
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"] {
        let head = format!(
            "{method} /{}/ HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            server.token,
            server.host()
        );
        assert_eq!(server.send_head(&head).0, 405, "{method}");
    }
}

#[test]
fn only_the_own_page_may_open_a_socket() {
    let server = TestServer::start();
    let (host, token) = (server.host(), &server.token);
    let own = format!("http://{host}");
    let path = format!("/{token}/socket");
    assert_eq!(server.socket_status(&path, &host, Some(&own)), 101);
    let foreign = ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1"];
    for origin in foreign {
        assert_eq!(server.socket_status(&path, &host, Some(origin)), 403, "{origin}");
    }
    assert_eq!(server.socket_status(&path, &host, None), 403);
    let wrong = format!("/{}/socket", "0".repeat(token.len()));
    assert_eq!(server.socket_status(&wrong, &host, Some(&own)), 404);
    let rebound = format!("evil.example:{}", server.address.port());
    let origin = format!("http://{rebound}");
    assert_eq!(server.socket_status(&path, &rebound, Some(&origin)), 421);
}

#[test]
fn a_socket_needs_a_websocket_handshake() {
    let server = TestServer::start();
    let own = format!("http://{}", server.host());
    let path = format!("/{}/socket", server.token);
    let (status, _, _) = server.get(&path, &[("Origin", &own)]);
    assert!((400..500).contains(&status), "{status}");
}
