/** Removes what has expired of sign-ins and invitations. */
import { DateTime, Effect } from "effect"
import { Members } from "../accounts/members/Members.ts"
import { Attempts } from "../accounts/people/Attempts.ts"
import { MailedTokens } from "../accounts/people/MailedTokens.ts"
import { PasskeyStore } from "../accounts/people/PasskeyStore.ts"
import { SessionStore } from "../accounts/people/SessionStore.ts"
import { TwoFactorStore } from "../accounts/people/TwoFactorStore.ts"

type Stores = Attempts | MailedTokens | PasskeyStore | SessionStore | TwoFactorStore

/** What has expired has no effect any more; this frees the room that it takes. */
export const sweepAccounts: Effect.Effect<void, never, Stores | Members> = Effect.gen(function* () {
  const now = yield* DateTime.now
  yield* (yield* Attempts).sweep(now)
  yield* (yield* SessionStore).sweep(now)
  yield* (yield* PasskeyStore).sweep(now)
  yield* (yield* TwoFactorStore).sweep(now)
  yield* (yield* MailedTokens).sweep
  yield* (yield* Members).sweep
})
