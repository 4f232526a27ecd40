# The account page, and the notices of this device.

account-notices-forbidden =
    The browser does not allow notices. Allow them for this page in its settings.
account-push-impossible =
    The browser cannot subscribe to push messages. Add a webhook or an email address instead.
account-browser = Browser
account-your-data = Your data
account-download = Download my data
account-hide-results = Hide my results from others
account-hide-ratings = Hide my ratings from others and from the leaderboards
account-change-name = Change your name
account-new-name = New name
account-once-a-day = At most once a day
account-rename = Rename
account-delete-account = Delete my account
account-delete-explained =
    Your name, tokens, sign-in methods and results are erased, and automation plays your seats.
    Journals of games keep your past messages. This cannot be undone.
account-confirm-name = Type your name to confirm
account-delete = Delete
account-kind-passkey = passkey
account-kind-mail = email
account-kind-provider = account at
account-last-use = last use { $time }
account-created = created { $time }
account-signed-in = signed in
account-channel-unconfirmed = not confirmed
account-channel-on = on
account-channel-off = off
account-channel-mail = Mail
account-language = Language
account-language-of-browser = As the browser
account-this-device-chip = this device
account-sign-out = Sign out
account-dedication =
    Dedication { $dedication }: +1 for each turn with orders in time, −3 for each missed deadline.
    { $profile }
account-your-profile = Your profile
account-choose-name = Choose a name
account-choose-your-name = Choose your name
account-guest-hint = You are a guest. With a name, the account is yours for good; your games stay.
account-take-name = Take this name
account-ways-back = Ways back
account-ways-back-title = Ways back into your account
account-remove-method = Remove { $name }
account-last-way-text = Only your tokens remain. If you lose them, you lose the account.
account-last-way = Remove the last way back?
account-add-passkey = Add a passkey
account-add-provider = Add an account at { $provider }
account-no-codes = You have no recovery codes.
account-codes-left =
    { $count ->
        [one] { $count } unused recovery code
       *[other] { $count } unused recovery codes
    }.
account-create-codes = Create recovery codes
account-replace-codes = Replace them
account-add-mail = Add an email address
account-add-address = Add the address
account-sign-out-question = Sign out?
account-sign-out-link =
    You signed in here with a link. Signing out revokes the token of this browser. To sign in again,
    use a token that you have saved, or a link from a device that is signed in.
account-sign-out-others =
    This browser deletes your token. Save it to sign in again: the account has no sign-in method and
    no recovery codes.
account-sign-out-last =
    This token is the only way back into your account: it has no sign-in method and no recovery
    codes. Save it before you sign out.
account-saved-at-sign-out = saved at sign-out
account-create-token = Create a token to save
account-stay = Stay signed in
account-saved-sign-out = I have saved it: sign out
account-this-device = This device
account-colors = Colors
account-notify = Notify me in this browser when it is my turn
account-another-device = Another device
account-device-link =
    A link that signs in another device. It works once and expires after two minutes.
account-create-link = Create a link
account-tokens = Tokens
account-sessions = Sessions and tokens
account-first-token = first token
account-revoke-token = Revoke { $name }
account-revoke = Revoke
account-new-token = New token
account-token-purpose = Purpose of the token
account-for-a-bot = For a bot
account-shown-once = Shown only once: { $token }
account-notices = Notices
account-notices-title = Notices while you are away
account-confirm = Confirm
account-test = Test
account-remove-channel = Remove this channel?
account-notices-lost = Waiting notices are lost.
account-push-here = Send notices to this device
account-new-channel = New channel
account-channel-kind = Kind of channel
account-address = Address
account-add = Add
account-secret = Secret that signs the requests. Save it now; it is not shown again: { $secret }
account-blocked = Blocked players
account-unblock-player = Unblock { $name }
account-unblock = Unblock
account-block-player = Block a player
account-player-name = Name of a player
account-block = Block
