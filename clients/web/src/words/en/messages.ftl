# The messages between players.

messages-unsigned-note = unsigned
messages-delivered-later = delivered later
messages-everyone = Everyone
messages-anonymous = Anonymous
messages-open-messages = All messages become public after the end of this game.
messages-none = No messages yet
messages-unmet =
    You have not met { $count ->
        [one] { $count } other player
       *[other] { $count } other players
    } yet.
messages-read-by-all = All players can read this.
messages-read-by-master = Only the game master can read this.
messages-read-by = Only { $name } can read this.
messages-with = Messages with { $name }
messages-back = ← All messages
messages-write = Write a message
messages-to = Message to { $name }
messages-send = Send
messages-unsigned = Unsigned
messages-you = You
