/**
 * Tickets of sign-up forms: a signed challenge for one form, with a search over SHA-256 that a browser does in the
 * background. The challenge and the base64 JSON of its solution are those of `altcha-lib/v1`. The salt has the form, the
 * version and language that were shown, and the time, so that the signature covers them. Times are judged by the clock of
 * the service. The store of a submission makes sure that its ticket is used once.
 */
import { createChallenge, verifySolution } from "altcha-lib/v1"
import type { Challenge } from "altcha-lib/v1/types"
import { Clock, DateTime, Duration, Effect, Option, Redacted, Result, Schema } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { Base64, Hex } from "effect/encoding"
import { Secrets } from "../../platform/Secrets.ts"

/** What a page showed. */
export interface ShownVersion {
  readonly publicId: string
  readonly version: number
  /** The language of its texts. */
  readonly language: string
}

export interface FormTicket extends ShownVersion {
  /** Names the ticket: 32 bytes in hexadecimal digits. */
  readonly challenge: string
  readonly issuedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** The challenge of a page: what `altcha-lib` calls one. */
export type FormChallenge = Challenge & { readonly maxnumber: number }

export interface FormTickets {
  readonly issue: (shown: ShownVersion) => Effect.Effect<FormChallenge>
  /** A ticket that needs no search. */
  readonly solved: (shown: ShownVersion) => Effect.Effect<string>
  /** The ticket of a solution. None unless it was issued for this form, is solved and has not expired. */
  readonly read: (publicId: string, text: string) => Effect.Effect<Option.Option<FormTicket>>
}

const lifetime = Duration.minutes(30)
/** No person fills in a form in less time. */
export const shortestVisit = Duration.seconds(2)
/** The search is over at most this many numbers: about a second on a telephone. */
const maxNumber = 50_000
const saltBytes = 12
const algorithm = "SHA-256"
const longestTicket = 2_000

const utf8 = new TextEncoder()

const isHex = (text: string) => /^[0-9a-f]{64}$/.test(text)

const Solution = Schema.fromJsonString(
  Schema.Struct({
    algorithm: Schema.Literal(algorithm),
    challenge: Schema.String.check(Schema.makeFilter(isHex)),
    number: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0), Schema.isLessThanOrEqualTo(maxNumber)),
    salt: Schema.String,
    signature: Schema.String.check(Schema.makeFilter(isHex))
  })
)
const decodeSolution = Schema.decodeUnknownOption(Solution)

const numberIn = (params: URLSearchParams, name: string): number => Number(params.get(name) ?? Number.NaN)

/** What the salt says. Read it only after its signature was verified. */
const ticketOf = (challenge: string, salt: string): Option.Option<FormTicket> => {
  const params = new URLSearchParams(salt.split("?")[1] ?? "")
  const [at, version] = [numberIn(params, "at"), numberIn(params, "version")]
  if (!Number.isSafeInteger(at) || !Number.isSafeInteger(version)) return Option.none()
  const issuedAt = DateTime.makeUnsafe(at)
  return Option.some({
    challenge,
    publicId: params.get("form") ?? "",
    version,
    language: params.get("language") ?? "",
    issuedAt,
    expiresAt: DateTime.addDuration(issuedAt, lifetime)
  })
}

export const make: Effect.Effect<FormTickets, never, Mac.Mac | Secrets | SecureRandom.SecureRandom> = Effect.gen(
  function* () {
    const mac = yield* Mac.Mac
    const random = yield* SecureRandom.SecureRandom
    const { current, previous } = yield* Secrets

    const keyOf = Effect.fnUntraced(function* (secret: Redacted.Redacted<string>) {
      const key = yield* Mac.key(Mac.hmacSha256, utf8.encode(Redacted.value(secret)))
      return Hex.encode(yield* mac.sign(key, utf8.encode("posthorn/form-tickets")))
    }, Effect.orDie)
    const key = yield* keyOf(current)
    const believed = [key, ...(yield* Effect.forEach(previous, keyOf))]

    const challengeFor = Effect.fnUntraced(function* ({ publicId, version, language }: ShownVersion) {
      const at = yield* Clock.currentTimeMillis
      const number = yield* random.intBetween(1, maxNumber)
      const salt = Hex.encode(yield* random.randomBytes(saltBytes))
      const challenge = yield* Effect.promise(() =>
        createChallenge({
          algorithm,
          hmacKey: key,
          maxNumber,
          number,
          salt,
          expires: new Date(at + Duration.toMillis(lifetime)),
          params: { form: publicId, version: String(version), language, at: String(at) }
        })
      )
      return { number, challenge: { ...challenge, maxnumber: maxNumber } }
    })

    const solved = Effect.fn("FormTickets.solved")(function* (shown: ShownVersion) {
      const { challenge, number } = yield* challengeFor(shown)
      const { maxnumber: _, ...rest } = challenge
      return Base64.encode(JSON.stringify({ ...rest, number }))
    })

    const isGenuine = (solution: typeof Solution.Type) =>
      Effect.map(
        Effect.forEach(believed, (hmacKey) =>
          // It fails for a salt that it cannot read. The clock is that of the service, so it does not judge the time.
          Effect.orElseSucceed(
            Effect.tryPromise(() => verifySolution(solution, hmacKey, false)),
            () => false
          )
        ),
        (verdicts) => verdicts.includes(true)
      )

    const read = Effect.fn("FormTickets.read")(function* (publicId: string, text: string) {
      if (text === "" || text.length > longestTicket) return Option.none<FormTicket>()
      const solution = Option.flatMap(Result.getSuccess(Base64.decodeString(text)), decodeSolution)
      if (Option.isNone(solution) || !(yield* isGenuine(solution.value))) return Option.none<FormTicket>()
      const now = yield* DateTime.now
      return Option.filter(
        ticketOf(solution.value.challenge, solution.value.salt),
        (ticket) => ticket.publicId === publicId && DateTime.isLessThan(now, ticket.expiresAt)
      )
    })

    return {
      issue: Effect.fn("FormTickets.issue")((shown: ShownVersion) =>
        Effect.map(challengeFor(shown), ({ challenge }) => challenge)
      ),
      solved,
      read
    }
  }
)
