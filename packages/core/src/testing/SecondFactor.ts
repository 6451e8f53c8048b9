/** Accounts with two factors on, and their authenticator apps. For tests. */
import { DateTime, Effect } from "effect"
import { Secret, TOTP } from "otpauth/slim"
import { browse, cookieOf, password, person } from "./Browser.ts"

/** The code that an app shows now, or `steps` of 30 seconds later. */
export const codeOf = (secret: string, steps = 0) =>
  Effect.map(DateTime.now, (now) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: DateTime.toEpochMillis(now) + steps * 30_000
    })
  )

/** A code that is certainly wrong. */
export const wrongCodeOf = (secret: string) =>
  Effect.gen(function* () {
    const near = yield* Effect.all([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, Math.max(steps, 0))))
    return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.includes(code)) ?? ""
  })

/** Turns two factors on, in the session of the user. */
export const switchOn = Effect.fnUntraced(function* (cookie: string) {
  const begun = yield* browse(cookie, "POST", "/users/@me/two-factor/totp", { password })
  const secret = String(begun.body.secret)
  const confirmed = yield* browse(cookie, "POST", "/users/@me/two-factor/totp/confirm", { code: yield* codeOf(secret) })
  if (confirmed.status !== 200) return yield* Effect.die(new Error(JSON.stringify(confirmed.body)))
  return { secret, recoveryCodes: confirmed.body.recoveryCodes as ReadonlyArray<string> }
})

/** A new confirmed account with two factors on. */
export const guarded = Effect.fnUntraced(function* (name: string) {
  const someone = yield* person(name)
  return { ...someone, ...(yield* switchOn(someone.cookie)) }
})

export const logIn = (email: string) => browse("", "POST", "/auth/login", { email, password })

/** The token of a pending login. */
export const pendingToken = (email: string) => Effect.map(logIn(email), ({ body }) => String(body.error.details.token))

export const second = (given: object) =>
  Effect.map(browse("", "POST", "/auth/two-factor", given), ({ status, body, headers }) => ({
    outcome: `${status} ${body?.error?.code ?? "ok"}`,
    cookie: cookieOf(headers),
    headers
  }))
