# The verification of the dice.

proof-commitment = The commitment
proof-chain = The chain
proof-seed-of-dice = The seed of the dice
proof-rolls = The rolls
proof-rules = The rules
proof-valid = valid
proof-invalid = invalid
proof-scripted = scripted
proof-title = Verification of the dice
proof-lead =
    Before the first roll the engine published the hash of a secret. Now the secret is known, and
    this page recomputes every roll from the journal alone.
proof-checking = Checking… { $count } entries
proof-download = Download and verify the journal
proof-later = The secret is published when the game ends.
proof-no-journal = The engine sent no journal.
proof-failed = Verification failed: { $fault }.
proof-verified =
    Verified: { $entries ->
        [one] { $entries } entry
       *[other] { $entries } entries
    }, { $rolls ->
        [one] { $rolls } roll
       *[other] { $rolls } rolls
    }.
proof-commitment-text =
    The SHA-256 hash of the secret equals the hash published when the game was created.
proof-secret = Secret
proof-published = Published
proof-chain-text =
    Each of the { $entries } entries contains a hash of the previous hash, a salt and its own
    content. No entry was changed, added or removed.
proof-last-hash = Last hash
proof-seed-players =
    Derived from the secret and from the entropy of { $count ->
        [one] { $count } player
       *[other] { $count } players
    }, which the server could not know in advance.
proof-seed-alone = Derived from the secret alone: no player added entropy.
proof-seed = Seed
proof-replayed =
    The engine replays the entries of its current rules version and compares the positions.
    Replayed: { $replayed } of { $entries } entries. { $fault }
proof-no-dice = No dice were rolled in this game.
proof-find-roll = Find a roll
proof-find-roll-hint = Find a roll by its purpose
proof-entry = Entry
proof-purpose = Purpose
proof-sides = Sides
proof-drawn = Number drawn
proof-result = Result
proof-computation = Computation of a roll
proof-set-by-script = A sandbox script set this roll to { $value }.
proof-blake = BLAKE3, keyed by { $seed }, over the text { $draw }
proof-bytes =
    Four bytes of its output, the lowest first: { $number }. Numbers above the last full multiple of
    the sides are skipped.
