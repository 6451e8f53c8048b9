/** Requests drawn at random from openapi.json: mostly nearly right, as those are that find faults. */
import { bodies, type Operation, operations } from "@posthorn/node/endToEnd/testing/Operations"
import { Arbitrary, Array, Effect, Random } from "effect"
import { headers, onceIn, oneOf, spoilt, torn, words } from "./Hostile.ts"

export interface Drawn {
  readonly operation: Operation
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Credentials {
  readonly secretKey: string
  readonly publicKey: string
  /** Value of a session cookie. */
  readonly session: string
}

/** They would end the session that all others need. */
const endsSession = new Set(["auth.logout", "session.logoutAll", "users.remove", "users.changePassword"])

/** Bodies that fit the document, for each operation that takes one. */
export const samples = Effect.fnUntraced(function* (seed: number, domain: string) {
  const made = new Map<string, ReadonlyArray<unknown>>()
  for (const { body, id } of operations) {
    if (body === undefined) continue
    const kinds = [false, true].map((odd) => bodies(body, [domain, "example.org"], odd))
    const drawn = yield* Effect.forEach(kinds, (kind) => Arbitrary.sampleEffect(kind, { count: 40, size: 6, seed }))
    made.set(id, drawn.flat())
  }
  return made
})
export type Samples = Effect.Success<ReturnType<typeof samples>>

/** `known` are ids that answers have told. */
const targetOf = Effect.fnUntraced(function* ({ path, query }: Operation, known: ReadonlyArray<string>) {
  const segments = yield* Effect.forEach(path.split("/"), (segment) =>
    Effect.gen(function* () {
      if (!segment.startsWith("{")) return segment
      return Array.isReadonlyArrayNonEmpty(known) && !(yield* onceIn(4)) ? yield* oneOf(known) : yield* oneOf(words)
    })
  )
  const asked = yield* Effect.filter(query, () => onceIn(2))
  const parameters = yield* Effect.forEach(asked, (name) => Effect.map(oneOf(words), (value) => `${name}=${value}`))
  return `${segments.join("/")}${parameters.length > 0 ? `?${parameters.join("&")}` : ""}`
})

const bodyOf = Effect.fnUntraced(function* (fitting: ReadonlyArray<unknown>, domain: string) {
  const json = Array.isReadonlyArrayNonEmpty(fitting) ? yield* oneOf(fitting) : {}
  const text = JSON.stringify((yield* onceIn(3)) ? json : yield* spoilt(json)) ?? ""
  // Most of what is sent needs a sender of the project to come far.
  const sent = text.replace(/"from":"[^"]*"/, `"from":"hello@${domain}"`)
  return (yield* onceIn(12)) ? yield* torn(sent) : sent
})

export const draw = Effect.fnUntraced(function* (
  { publicKey, secretKey, session }: Credentials,
  fitting: Samples,
  known: ReadonlyArray<string>,
  domain: string
) {
  const operation = operations[yield* Random.nextIntBetween(0, operations.length - 1)]
  if (operation === undefined) return yield* Effect.die("the document has operations")
  const { id, key, method, sessionOnly } = operation
  const hasBody = method !== "GET" && (fitting.has(id) || (yield* onceIn(4)))
  const bearer = key === "publicKey" ? publicKey : secretKey
  const isKnown = !(yield* onceIn(30))
  return {
    operation,
    target: yield* targetOf(operation, known),
    headers: {
      ...(key !== undefined && isKnown && { authorization: `Bearer ${bearer}` }),
      ...(sessionOnly && isKnown && !endsSession.has(id) && { cookie: `posthorn_session=${session}` }),
      ...(hasBody && { "content-type": "application/json" }),
      ...((yield* onceIn(10)) && (yield* oneOf(headers)))
    },
    body: hasBody ? yield* bodyOf(fitting.get(id) ?? [], domain) : undefined
  } satisfies Drawn
})
