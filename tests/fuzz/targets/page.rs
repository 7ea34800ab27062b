//! The JSON messages of the page in the browser: any text is answered or refused.
//!
//! Requests that search are only parsed.
#![no_main]

use zermelo::gui::requests::{ClientMessage, RequestContext, RequestHandler};
use zermelo::interact::KeptSearcher;
use zermelo::search::SearchControl;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let request = match ClientMessage::parse(text) {
        Ok(ClientMessage::Request(request)) if !request.ask.thinks() => request,
        Ok(_) => return,
        Err(invalid) => return assert!(!invalid.reason.is_empty()),
    };
    let mut context = RequestContext {
        control: &SearchControl::default(),
        progress: &mut |_| {},
        searcher: &mut KeptSearcher::default(),
    };
    match RequestHandler::default().answer(&request, &mut context) {
        Ok(answer) => assert!(serde_json::to_string(&answer).is_ok()),
        Err(error) => assert!(!error.message.is_empty()),
    }
});
