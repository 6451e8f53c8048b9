/**
 * Sessions: a JWT in a cookie, signed with HS256 only.
 *
 * The token names the user, the session and the user's session version. It is valid only while the store agrees with
 * it.
 */
import { AccountId, type CurrentUser, Unauthorized } from "@posthorn/contract/platform/Auth"
import { Context, DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { type Kdf, SecureRandom } from "effect/crypto"
import { HttpServerRequest } from "effect/http"
import type { SqlClient } from "effect/sql"
import { SignJWT } from "jose"
import { networkOf } from "../../platform/http/ClientLimit.ts"
import type { Secrets } from "../../platform/Secrets.ts"
import { jwts } from "./Jwts.ts"
import * as SessionStore from "./SessionStore.ts"

export const sessionLifetime = Duration.days(7)
/** An older token, and a token that a previous secret signed, is replaced on the next answer. */
const renewedAfter = Duration.days(1)
/** Precision of the time of last use. The row of a session is written at most once in this time. */
const noted = Duration.minutes(1)
const longestUserAgent = 256

/** Cuts the text to four times the length first, to bound the work. */
const printable = (text: string) =>
  text
    .slice(0, longestUserAgent * 4)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .trim()
    .slice(0, longestUserAgent)

/** The network and the user agent of the request. Null where there is no request, or the request does not name them. */
const client = Effect.map(
  Effect.serviceOption(HttpServerRequest.HttpServerRequest),
  Option.match({
    onNone: () => ({ network: null, userAgent: null }),
    onSome: ({ headers, remoteAddress }) => ({
      network: Option.getOrNull(Option.map(remoteAddress, networkOf)),
      userAgent: printable(headers["user-agent"] ?? "") || null
    })
  })
)

/** Tokens of this service have about 300 characters. */
const longestToken = 1024

export interface Authenticated {
  readonly user: CurrentUser["Service"]
  /** The token that replaces the one of the request. */
  readonly renewed: Option.Option<Redacted.Redacted<string>>
}

/** A service: the checks of every endpoint with a session call it. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** Opens a session. Takes nothing over from the request. */
    readonly open: (user: {
      readonly id: AccountId
      readonly sessionVersion: number
    }) => Effect.Effect<Redacted.Redacted<string>>
    readonly authenticate: (token: Redacted.Redacted<string>) => Effect.Effect<Authenticated, Unauthorized>
    /** Ends the session of the token. Does nothing when the token has no session. */
    readonly end: (token: Redacted.Redacted<string>) => Effect.Effect<void>
    /** The open sessions of an account, the last used first. Times are exact to a minute. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<SessionStore.OpenSession>>
    /** Ends an open session of the account, in every process. False when the account has no session with this id. */
    readonly revoke: (account: AccountId, session: string) => Effect.Effect<boolean>
    /** Ends all other sessions of the account, in every process. */
    readonly revokeOthers: (account: AccountId, session: string) => Effect.Effect<void>
    /** Deletes expired sessions. */
    readonly sweep: Effect.Effect<void>
  }
>()("@posthorn/core/accounts/people/Sessions") {}

const decodeClaims = Schema.decodeUnknownOption(
  Schema.Struct({
    sub: AccountId,
    sv: Schema.Int,
    jti: Schema.String.check(Schema.isUUID()),
    iat: Schema.Int,
    exp: Schema.Int
  })
)

export const layer: Layer.Layer<Sessions, never, Kdf.Kdf | SecureRandom.SecureRandom | Secrets | SqlClient.SqlClient> =
  Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const store = yield* SessionStore.make
      const { read, sign } = yield* jwts("posthorn/session", longestToken)

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
          .setExpirationTime(iat + Duration.toSeconds(sessionLifetime))
        return Redacted.make(yield* sign(jwt))
      })

      const noteUse = Effect.fnUntraced(function* ({
        issuedAt,
        ...session
      }: {
        readonly id: string
        readonly user: AccountId
        readonly sessionVersion: number
        readonly createdAt: DateTime.Utc
        readonly issuedAt: DateTime.Utc
      }) {
        const expiresAt = DateTime.addDuration(issuedAt, sessionLifetime)
        yield* store.seen({ ...session, ...(yield* client), seenAt: yield* DateTime.now, expiresAt })
      })

      const claimsOf = (token: Redacted.Redacted<string>) =>
        Effect.map(
          read(Redacted.value(token)),
          Option.flatMap(({ isOfPrevious, payload }) =>
            Option.map(decodeClaims(payload), (claims) => ({ ...claims, isOfPrevious }))
          )
        )

      const open = Effect.fn("Sessions.open")(function* (user: {
        readonly id: AccountId
        readonly sessionVersion: number
      }) {
        const id = yield* random.uuidV7()
        const now = yield* DateTime.now
        yield* noteUse({ id, user: user.id, sessionVersion: user.sessionVersion, createdAt: now, issuedAt: now })
        return yield* issue(user, id)
      })

      const authenticate = Effect.fn("Sessions.authenticate")(function* (token: Redacted.Redacted<string>) {
        const claims = yield* claimsOf(token)
        if (Option.isNone(claims)) return yield* new Unauthorized()
        const { sub, sv, jti, iat, isOfPrevious } = claims.value
        const issuedAt = DateTime.makeUnsafe(iat * 1000)
        const found = yield* store.user(sub, jti, issuedAt)
        if (Option.isNone(found) || found.value.sessionVersion !== sv) return yield* new Unauthorized()
        const { id, email, emailVerified, hasTwoFactors, lastSeenAt } = found.value
        const now = yield* DateTime.now
        const age = DateTime.toEpochMillis(now) / 1000 - iat
        const isOld = isOfPrevious || age > Duration.toSeconds(renewedAfter)
        if (
          isOld ||
          lastSeenAt === null ||
          Duration.isGreaterThanOrEqualTo(DateTime.distance(lastSeenAt, now), noted)
        ) {
          const use = { id: jti, user: id, sessionVersion: sv, createdAt: issuedAt }
          yield* noteUse({ ...use, issuedAt: isOld ? now : issuedAt })
        }
        return {
          user: { id, email, emailVerified, hasTwoFactors, session: jti },
          // The new token belongs to the same session, so ending the session ends its older tokens too.
          renewed: isOld ? Option.some(yield* issue(found.value, jti)) : Option.none<Redacted.Redacted<string>>()
        }
      })

      const end = Effect.fn("Sessions.end")(function* (token: Redacted.Redacted<string>) {
        const claims = yield* claimsOf(token)
        if (Option.isNone(claims)) return
        yield* store.revoke(claims.value.jti, DateTime.addDuration(yield* DateTime.now, sessionLifetime))
      })

      const revoke = Effect.fn("Sessions.revoke")(function* (account: AccountId, session: string) {
        const now = yield* DateTime.now
        return yield* store.revokeOf(account, session, now, DateTime.addDuration(now, sessionLifetime))
      })

      const revokeOthers = Effect.fn("Sessions.revokeOthers")(function* (account: AccountId, session: string) {
        const now = yield* DateTime.now
        yield* store.revokeOthers(account, session, now, DateTime.addDuration(now, sessionLifetime))
      })

      const list = (account: AccountId) => Effect.flatMap(DateTime.now, (now) => store.list(account, now))

      const sweep = Effect.flatMap(DateTime.now, store.sweep)

      return Sessions.of({ open, authenticate, end, list, revoke, revokeOthers, sweep })
    })
  )
