//! Sample Nostr events: notes, reactions and articles of a realistic length.

use std::io::Write as _;

use std::sync::Arc;

use super::{Keys, Nonces, Random, Rows, Way, push_hex, x_off_curve};
use crate::nostr::{Event, id_of};

/// Events by some keys.
pub(super) struct Events {
    keys: Arc<Keys>,
    event: Event,
}

impl Events {
    pub(super) fn new(keys: Arc<Keys>) -> Self {
        Self { keys, event: Event::default() }
    }
}

impl Rows for Events {
    fn row(
        &mut self,
        index: u64,
        random: &mut Random,
        nonces: &mut Nonces,
        spoil: Option<Way>,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let signer = self.keys.pick(random)?;
        let way = spoil.map(|spoil| spoil % 5);
        let event = &mut self.event;
        event.tags.clear();
        event.content.clear();
        event.pubkey = if way == Some(2) { x_off_curve(random) } else { signer.x };
        event.created_at = i128::from(1_700_000_000 + index);
        event.kind = match random.below(10) {
            0..6 => 1,
            6..8 => 7,
            8 => 6,
            _ => 30023,
        };
        write_tags(random, event);
        write_content(random, event);
        event.id = id_of(event);
        event.sig = nonces.next().sign_schnorr(&event.id, &signer.key).0;
        match way {
            Some(0) => event.content.extend_from_slice(b" (edited)"),
            Some(1) => {
                let [first, ..] = &mut event.sig;
                *first ^= 1;
            }
            _ => {}
        }
        let start = out.len();
        write_json(event, out);
        match way {
            Some(3) => out.truncate(start + (out.len() - start) / 2),
            Some(4) => {
                // ,"sig":"…128 digits…"}
                out.truncate(out.len() - 138);
                out.push(b'}');
            }
            _ => {}
        }
        Some(())
    }
}

fn write_json(event: &Event, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"id\":\"");
    push_hex(out, &event.id);
    out.extend_from_slice(b"\",\"pubkey\":\"");
    push_hex(out, &event.pubkey);
    // Writing to a Vec doesn't fail.
    let _ = write!(out, "\",\"created_at\":{},\"kind\":{},\"tags\":", event.created_at, event.kind);
    // Canonical JSON without control characters is JSON.
    out.extend_from_slice(&event.tags);
    out.extend_from_slice(b",\"content\":\"");
    out.extend_from_slice(&event.content);
    out.extend_from_slice(b"\",\"sig\":\"");
    push_hex(out, &event.sig);
    out.extend_from_slice(b"\"}");
}

fn write_tags(random: &mut Random, event: &mut Event) {
    let tags = &mut event.tags;
    tags.push(b'[');
    for i in 0..random.below(4) {
        if i > 0 {
            tags.push(b',');
        }
        let value = random.bytes();
        match random.below(3) {
            0 => {
                tags.extend_from_slice(b"[\"e\",\"");
                push_hex(tags, &value);
                tags.extend_from_slice(b"\",\"wss://relay.example\",\"root\"]");
            }
            1 => {
                tags.extend_from_slice(b"[\"p\",\"");
                push_hex(tags, &value);
                tags.extend_from_slice(b"\"]");
            }
            _ => {
                tags.extend_from_slice(b"[\"t\",\"");
                tags.extend_from_slice(random.pick(&WORDS).as_bytes());
                tags.extend_from_slice(b"\"]");
            }
        }
    }
    tags.push(b']');
}

const WORDS: [&str; 32] = [
    "rope",
    "drum",
    "anchor",
    "harbour",
    "tide",
    "deck",
    "the",
    "a",
    "of",
    "over",
    "under",
    "slowly",
    "turns",
    "holds",
    "lifts",
    "chain",
    "gear",
    "pawl",
    "crew",
    "sings",
    "heave",
    "ho",
    "\\n",
    "\\\"aye\\\"",
    "fünf",
    "Tau",
    "船",
    "⚓",
    "wind",
    "away",
    "again",
    "morning",
];

fn write_content(random: &mut Random, event: &mut Event) {
    let words = match event.kind {
        7 => 1,
        1 => 5 + random.below(40),
        _ => 20 + random.below(100),
    };
    for i in 0..words {
        if i > 0 {
            event.content.push(b' ');
        }
        event.content.extend_from_slice(random.pick(&WORDS).as_bytes());
    }
}
