//! The Markdown table and the JSON rows.

use serde::Serialize;

/// One row of `--json`. Times are nanoseconds an operation; the ratio is peer ÷ windlass, above 1 where windlass is
/// faster, with the 95 % interval low..high. A row without a peer has neither a peer's name and figures nor a ratio.
#[derive(Serialize, Clone)]
pub(crate) struct Row {
    pub(crate) suite: &'static str,
    pub(crate) row: String,
    pub(crate) engine: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer_version: Option<String>,
    /// Distinct inputs; every round runs all of them.
    pub(crate) n: usize,
    pub(crate) ours_ns: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio_high: Option<f64>,
}

pub(crate) const TABLE_HEAD: &str = "\
| suite | row | engine | windlass µs | peer | peer µs | ratio | 95 % interval | rounds |
|---|---|---|---:|---|---:|---:|---|---:|";

impl Row {
    pub(crate) fn markdown(&self, rounds: usize) -> String {
        let micro = |ns: f64| format!("{:.2}", ns / 1000.0);
        let ours = format!("| {} | {} | {} | {} |", self.suite, self.row, self.engine, micro(self.ours_ns));
        match (self.peer, self.peer_ns, self.ratio, self.ratio_low, self.ratio_high) {
            (Some(peer), Some(ns), Some(ratio), Some(low), Some(high)) => {
                format!("{ours} {peer} | {} | {ratio:.2} | {low:.2} – {high:.2} | {rounds} |", micro(ns))
            }
            _ => format!("{ours} – | – | – | – | {rounds} |"),
        }
    }
}
