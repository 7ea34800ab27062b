//! Who may connect: the token in the address, and the headers `Host` and `Origin`.
//!
//! The token keeps out other users of the machine. The check of `Host` keeps out pages whose domain was
//! rebound to this machine, and that of `Origin` keeps other pages from opening a WebSocket.

use std::fmt::Write;
use std::io;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::HeaderMap;
use axum::http::header::{HOST, HeaderName, ORIGIN};

const TOKEN_BYTES: usize = 16;

/// Returns a random token in hexadecimal.
pub(super) fn new_token() -> io::Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    let mut token = String::with_capacity(2 * TOKEN_BYTES);
    for byte in bytes {
        let _ = write!(token, "{byte:02x}");
    }
    Ok(token)
}

pub(super) struct AccessRules {
    address: SocketAddr,
    token: String,
}

impl AccessRules {
    pub(super) fn new(address: SocketAddr, token: String) -> Self {
        Self { address, token }
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Returns the rest of a path below the token; `None` if the token is wrong.
    pub(super) fn below_token<'a>(&self, path: &'a str) -> Option<&'a str> {
        let path = path.strip_prefix('/')?;
        let (token, rest) = path.split_at_checked(self.token.len())?;
        is_equal(token.as_bytes(), self.token.as_bytes()).then_some(rest)
    }

    /// Whether the request names this server as its host.
    pub(super) fn is_own_host(&self, headers: &HeaderMap) -> bool {
        single(headers, &HOST).is_some_and(|host| self.is_own_name(host))
    }

    /// Whether the request comes from this server's own page. Browsers state the origin of each
    /// WebSocket, and no page can change it.
    pub(super) fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        let host = single(headers, &HOST);
        let origin = single(headers, &ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        origin.is_some() && origin == host && self.is_own_host(headers)
    }

    /// Whether a host with port is an address of this server. A server bound to all addresses
    /// accepts any literal IP address: DNS rebinding needs a host name.
    pub(super) fn is_own_name(&self, host: &str) -> bool {
        let own = self.address.ip();
        // Browsers leave out port 80.
        let port = self.address.port();
        let name = match host.strip_suffix(&format!(":{port}")) {
            Some(name) => name,
            None if port == 80 => host,
            None => return false,
        };
        let is_loopback = |address: IpAddr| address == own || address.is_loopback();
        match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            _ if name == "localhost" => true,
            Some(name) => name
                .parse::<Ipv6Addr>()
                .is_ok_and(|address| own.is_unspecified() || is_loopback(address.into())),
            None => name
                .parse::<std::net::Ipv4Addr>()
                .is_ok_and(|address| own.is_unspecified() || is_loopback(address.into())),
        }
    }
}

/// Whether a connection has sent a request with the token.
#[derive(Debug, Clone, Default)]
pub(super) struct Admission(Arc<AtomicBool>);

impl Admission {
    pub(super) fn admit(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_admitted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The value of a header that occurs exactly once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    value.to_str().ok()
}

/// Compares tokens in constant time, so that response times reveal nothing about the token.
fn is_equal(found: &[u8], token: &[u8]) -> bool {
    let differences = found.iter().zip(token).fold(0, |bits, (one, other)| bits | (one ^ other));
    found.len() == token.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn rules(address: &str) -> AccessRules {
        AccessRules::new(address.parse().unwrap(), "0123abcd".to_owned())
    }

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(name.clone(), HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn tokens_are_random_and_long() {
        let tokens = [new_token().unwrap(), new_token().unwrap()];
        assert_ne!(tokens[0], tokens[1]);
        assert!(tokens.iter().all(|token| token.len() == 32));
    }

    #[test]
    fn only_paths_below_the_token_are_answered() {
        let rules = rules("127.0.0.1:80");
        for (path, rest) in [
            ("/0123abcd/", Some("/")),
            ("/0123abcd/app.js", Some("/app.js")),
            ("/0123abcd", Some("")),
            ("/0123abce/app.js", None),
            ("/0123ABCD/", None),
            ("/0123abc/", None),
            ("0123abcd/", None),
            ("//0123abcd/", None),
            ("/0123ab策d/", None),
            ("/", None),
            ("", None),
        ] {
            assert_eq!(rules.below_token(path), rest, "{path}");
        }
    }

    #[test]
    fn only_own_addresses_are_own_hosts() {
        for (address, host, is_own) in [
            ("127.0.0.1:7913", "127.0.0.1:7913", true),
            ("127.0.0.1:7913", "localhost:7913", true),
            ("127.0.0.1:7913", "[::1]:7913", true),
            ("127.0.0.1:7913", "127.0.0.1", false),
            ("127.0.0.1:7913", "127.0.0.1:7914", false),
            ("127.0.0.1:7913", "evil.example:7913", false),
            ("127.0.0.1:7913", "127.0.0.1.evil.example:7913", false),
            ("127.0.0.1:7913", "192.168.1.5:7913", false),
            ("127.0.0.1:7913", "localhost:7913:7913", false),
            ("192.168.1.5:7913", "192.168.1.5:7913", true),
            ("192.168.1.5:7913", "10.0.0.1:7913", false),
            ("0.0.0.0:7913", "10.0.0.1:7913", true),
            ("0.0.0.0:7913", "host.local:7913", false),
            ("[::]:7913", "[fe80::1]:7913", true),
        ] {
            let headers = headers(&[(HOST, host)]);
            assert_eq!(rules(address).is_own_host(&headers), is_own, "{address} {host}");
        }
        let rules = rules("127.0.0.1:80");
        assert!(!rules.is_own_host(&HeaderMap::new()));
        let twice = headers(&[(HOST, "localhost:80"), (HOST, "localhost:80")]);
        assert!(!rules.is_own_host(&twice));
    }
}
