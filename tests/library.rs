//! Tests of the library. They share one binary, because linking the library into each file's own takes longer than the tests.

mod common;

mod clients;
mod conformance;
mod known_values;
mod layers;
mod lessons;
mod links;
mod protocol;
mod reasons;
mod records;
mod report;
mod searchers;
mod statistics;
