# Signing in, new accounts, recovery.

sign-in-not-started = The server did not start the sign-in.
sign-in-passkey-exists = This device already has a passkey of this account.
sign-in-no-passkey = The browser returned no passkey.
sign-in-other-tab = This sign-in did not start in this tab; start again.
sign-in-provider-refused = The provider did not sign you in.
sign-in-lead = Space strategy by turns: seven games, secret orders, and dice that anyone can verify.
sign-in-stay = Stay signed in on this device
sign-in-learn = Learn the games: tutorials and rulebooks
sign-in-watch = Watch without an account
sign-in-new-account = New account
sign-in-new-here = New here?
sign-in-name = Your name
sign-in-name-hint = 1 to 32 letters and digits. Other players see it.
sign-in-invitation = Invitation
sign-in-create = Create an account
sign-in-guest = Play as a guest
sign-in-other-ways = Other ways
sign-in-no-token = Without a token
sign-in-passkey = Use a passkey
sign-in-provider = Continue with { $provider }
sign-in-by-mail = By email
sign-in-mail-address = Email address
sign-in-send-code = Send a code
sign-in-code = Code
sign-in-mail-code = Code from the email
sign-in-sent = Sent to { $address }. It is valid for 10 minutes.
sign-in-new-account-invitation = Invitation for a new account
sign-in-continue = Continue
sign-in-another-address = Another address
sign-in-lost-token = Lost your token?
sign-in-recovery = Recovery
sign-in-account-name = Name of your account
sign-in-recovery-code = Recovery code
sign-in-use-code = Use the code
sign-in-codes-shown-once = Shown only once. Each code signs you in once, without a token:
sign-in-copy-codes = Copy codes
sign-in-have-account = Have an account?
sign-in-token = Token
sign-in-token-hint = It starts with hp_. The server stores only its hash.
sign-in-accounts-here = Accounts on this device
sign-in-sign-in-as = Sign in as { $name }
sign-in-welcome = Welcome, { $name }
sign-in-save-token =
    { $save } There is no password. The token signs you in after you sign out, when this browser
    loses its data, and on other devices. Do not show it to other people.
sign-in-save-codes = Save these codes or this token: they are the way back into your account.
sign-in-saved = I have saved it
sign-in-by-link = Sign in?
sign-in-by-link-text =
    The link that you opened signs this browser in as { $other }. If you did not expect this, do not
    sign in.
sign-in-not-now = Do not sign in
sign-in-other-account = Sign in as another account?
sign-in-other-account-text =
    You are signed in as { $current }. The link that you opened signs this browser in as { $other }.
    If you did not expect this, do not sign in.
sign-in-other-account-hint =
    If you sign in as { $other }, this browser stores the token of { $current }. You can switch back
    on your account page.
sign-in-stay-as = Stay { $name }
sign-in-no-connection = No connection
sign-in-unreachable = The server cannot be reached. Your games continue without this page.
sign-in-try-again = Try again
