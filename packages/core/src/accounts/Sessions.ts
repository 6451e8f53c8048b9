/**
 * Sessions: a JWT in a cookie, signed with HS256 and nothing else (contract-2 9.1).
 *
 * The token names user, session and the user's session version; what it says counts only while the store agrees.
 */
import { AccountId, type CurrentUser, Unauthorized } from "@posthorn/contract/Auth"
import { Context, DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { type Kdf, SecureRandom } from "effect/crypto"
import { SignJWT } from "jose"
import type { Secrets } from "../Secrets.ts"
import { jwts } from "./Jwts.ts"
import { SessionStore } from "./SessionStore.ts"

export const lifetime = Duration.days(7)
/** An older one gets a fresh token with its next answer. */
const renewedAfter = Duration.days(1)
/** Ours have about 300 characters. */
const longestToken = 1024

export interface Authenticated {
  readonly user: CurrentUser["Service"]
  /** To be set in the place of the one that was sent. */
  readonly renewed: Option.Option<Redacted.Redacted<string>>
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /** A new session; nothing that a caller sent is taken over into it. */
    readonly open: (user: {
      readonly id: AccountId
      readonly sessionVersion: number
    }) => Effect.Effect<Redacted.Redacted<string>>
    readonly authenticate: (token: Redacted.Redacted<string>) => Effect.Effect<Authenticated, Unauthorized>
    /** Ends this session; nothing when it is none. */
    readonly end: (token: Redacted.Redacted<string>) => Effect.Effect<void>
  }
>()("@posthorn/core/accounts/Sessions") {}

const decodeClaims = Schema.decodeUnknownOption(
  Schema.Struct({
    sub: AccountId,
    sv: Schema.Int,
    jti: Schema.String.check(Schema.isUUID()),
    iat: Schema.Int,
    exp: Schema.Int
  })
)

export const layer: Layer.Layer<Sessions, never, Kdf.Kdf | SecureRandom.SecureRandom | Secrets | SessionStore> =
  Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const store = yield* SessionStore
      const { payloadOf, sign } = yield* jwts("posthorn/session", longestToken)

      const issue = Effect.fnUntraced(function* (
        { id, sessionVersion }: { readonly id: AccountId; readonly sessionVersion: number },
        session: string
      ) {
        const now = yield* DateTime.now
        const iat = Math.floor(DateTime.toEpochMillis(now) / 1000)
        const jwt = new SignJWT({ sv: sessionVersion })
          .setSubject(id)
          .setJti(session)
          .setIssuedAt(iat)
          .setExpirationTime(iat + Duration.toSeconds(lifetime))
        return Redacted.make(yield* sign(jwt))
      })

      const claimsOf = (token: Redacted.Redacted<string>) =>
        Effect.map(payloadOf(Redacted.value(token)), Option.flatMap(decodeClaims))

      const open = Effect.fn("Sessions.open")(function* (user: {
        readonly id: AccountId
        readonly sessionVersion: number
      }) {
        return yield* issue(user, yield* random.uuidV7())
      })

      const authenticate = Effect.fn("Sessions.authenticate")(function* (token: Redacted.Redacted<string>) {
        const claims = yield* claimsOf(token)
        if (Option.isNone(claims)) return yield* new Unauthorized()
        const { sub, sv, jti, iat } = claims.value
        const found = yield* store.user(sub, jti)
        if (Option.isNone(found) || found.value.sessionVersion !== sv) return yield* new Unauthorized()
        const { id, email, emailVerified } = found.value
        const age = DateTime.toEpochMillis(yield* DateTime.now) / 1000 - iat
        const isOld = age > Duration.toSeconds(renewedAfter)
        return {
          user: { id, email, emailVerified, session: jti },
          // The same session: ending it ends the older tokens of it too.
          renewed: isOld ? Option.some(yield* issue(found.value, jti)) : Option.none<Redacted.Redacted<string>>()
        }
      })

      const end = Effect.fn("Sessions.end")(function* (token: Redacted.Redacted<string>) {
        const claims = yield* claimsOf(token)
        if (Option.isNone(claims)) return
        yield* store.revoke(claims.value.jti, DateTime.addDuration(yield* DateTime.now, lifetime))
      })

      return Sessions.of({ open, authenticate, end })
    })
  )
