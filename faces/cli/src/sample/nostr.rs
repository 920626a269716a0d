//! Sample Nostr events: notes, reactions and articles of a realistic length.

use std::io::Write as _;

use windlass::schnorr;

use super::{Keys, Random, Rows, Way, x_off_curve};
use crate::nostr::{Event, id_of};

/// Events by some keys.
pub(super) struct Events {
    pub(super) keys: Keys,
}

impl Rows for Events {
    fn row(&self, index: u64, random: &mut Random, spoil: Option<Way>, out: &mut Vec<u8>) -> Option<()> {
        let keypair = self.keys.pick(random)?;
        let way = spoil.map(|spoil| spoil % 5);
        let mut event = Event {
            pubkey: if way == Some(2) { x_off_curve(random) } else { keypair.x_only().0.to_bytes() },
            created_at: i128::from(1_700_000_000 + index),
            ..Event::default()
        };
        event.kind = match random.below(10) {
            0..6 => 1,
            6..8 => 7,
            8 => 6,
            _ => 30023,
        };
        write_tags(random, &mut event);
        write_content(random, &mut event);
        event.id = id_of(&event);
        event.sig = schnorr::sign(&event.id, keypair, &random.bytes()).0;
        match way {
            Some(0) => event.content.extend_from_slice(b" (edited)"),
            Some(1) => {
                let [first, ..] = &mut event.sig;
                *first ^= 1;
            }
            _ => {}
        }
        write_json(&event, out);
        match way {
            Some(3) => out.truncate(out.len() / 2),
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
    // Writing to a Vec doesn't fail.
    let _ = write!(
        out,
        "{{\"id\":\"{}\",\"pubkey\":\"{}\",\"created_at\":{},\"kind\":{},\"tags\":",
        const_hex::Buffer::<32>::new().format(&event.id),
        const_hex::Buffer::<32>::new().format(&event.pubkey),
        event.created_at,
        event.kind
    );
    // Canonical JSON without control characters is JSON.
    out.extend_from_slice(&event.tags);
    out.extend_from_slice(b",\"content\":\"");
    out.extend_from_slice(&event.content);
    let _ = write!(out, "\",\"sig\":\"{}\"}}", const_hex::encode(event.sig));
}

fn write_tags(random: &mut Random, event: &mut Event) {
    event.tags.push(b'[');
    for i in 0..random.below(4) {
        if i > 0 {
            event.tags.push(b',');
        }
        let value = const_hex::encode(random.bytes());
        let _ = match random.below(3) {
            0 => write!(event.tags, "[\"e\",\"{value}\",\"wss://relay.example\",\"root\"]"),
            1 => write!(event.tags, "[\"p\",\"{value}\"]"),
            _ => write!(event.tags, "[\"t\",\"{}\"]", random.pick(&WORDS)),
        };
    }
    event.tags.push(b']');
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
