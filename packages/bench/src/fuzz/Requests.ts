/** Requests drawn at random from openapi.json: most are nearly valid, because those find the most faults. */
import { bodies, type Operation, operations } from "@posthorn/node/endToEnd/testing/Operations"
import { Arbitrary, Array, Effect, Option, Random } from "effect"
import { headers, onceIn, oneOf, spoilt, torn, words } from "./Hostile.ts"
import { type Known, kindOf, kindOfParameter } from "./Known.ts"

export interface Drawn {
  readonly operation: Operation
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Credentials {
  readonly secretKey: string
  readonly publicKey: string
  /** The value of a session cookie. */
  readonly session: string
  /** A project of that user. */
  readonly project: string
}

/** These would end the session that all other requests need, or delete its project. */
const endsSession = new Set([
  "auth.logout",
  "session.logoutAll",
  "accountSessions.remove",
  "users.remove",
  "users.changePassword"
])

/** How many of the bodies of each kind. */
const count = 40

/** Bodies that match the document, for each operation that takes one. A third of them is its example, which is valid. */
export const samples = Effect.fnUntraced(function* (seed: number, domain: string) {
  const made = new Map<string, ReadonlyArray<unknown>>()
  for (const { body, example, id } of operations) {
    if (body === undefined) continue
    const shown: unknown = JSON.parse(JSON.stringify(example).replaceAll("mail.example.com", domain))
    const kinds = [false, true].map((odd) => bodies(body, [domain, "example.org"], odd))
    const drawn = yield* Effect.forEach(kinds, (kind) => Arbitrary.sampleEffect(kind, { count, size: 6, seed }))
    made.set(id, [...Array.makeBy(count, () => shown), ...drawn.flat()])
  }
  return made
})
export type Samples = Effect.Success<ReturnType<typeof samples>>

const targetOf = Effect.fnUntraced(function* ({ choices, path, query }: Operation, known: Known) {
  const fitting = (kind: string) =>
    Effect.flatMap(onceIn(8), (isWord) =>
      isWord
        ? oneOf(words)
        : Effect.flatMap(
            known.any(kind),
            Option.match({ onNone: () => oneOf(words), onSome: (value) => Effect.succeed(encodeURIComponent(value)) })
          )
    )
  const segments = yield* Effect.forEach(path.split("/"), (segment, at) =>
    segment.startsWith("{") ? fitting(kindOfParameter(path, at)) : Effect.succeed(segment)
  )
  const asked = yield* Effect.filter(query, () => onceIn(3))
  const parameters = yield* Effect.forEach(asked, (name) => {
    const values = choices[name] ?? []
    const value = Effect.flatMap(onceIn(4), (isWord) => {
      if (isWord) return oneOf(words)
      return Array.isReadonlyArrayNonEmpty(values) ? oneOf(values) : fitting(kindOf(name))
    })
    return Effect.map(value, (value) => `${name}=${value}`)
  })
  return `${segments.join("/")}${parameters.length > 0 ? `?${parameters.join("&")}` : ""}`
})

const bodyOf = Effect.fnUntraced(function* (fitting: ReadonlyArray<unknown>, known: Known, domain: string) {
  const json = yield* known.filled(Array.isReadonlyArrayNonEmpty(fitting) ? yield* oneOf(fitting) : {})
  const text = JSON.stringify((yield* onceIn(3)) ? json : yield* spoilt(json)) ?? ""
  // Most bodies need a sender of the project to pass validation.
  const sent = text.replace(/"from":"[^"]*"/, `"from":"hello@${domain}"`)
  return (yield* onceIn(12)) ? yield* torn(sent) : sent
})

/** The key that the operation takes or, if it accepts one, the session of a user. */
const standingOf = Effect.fnUntraced(function* (
  { id, key, sessionOnly, takesSession }: Operation,
  target: string,
  { project, publicKey, secretKey, session }: Credentials
) {
  const cookie = `posthorn_session=${session}`
  const ends = endsSession.has(id) || (id === "ownProjects.remove" && target.includes(project))
  if (sessionOnly) return ends ? {} : { cookie }
  if (takesSession && (yield* onceIn(6))) return { cookie, "x-project-id": project }
  return key === undefined ? {} : { authorization: `Bearer ${key === "publicKey" ? publicKey : secretKey}` }
})

/** Each request has its own address behind the proxy, so that limits by address affect no other. */
const caller = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(1, 254), 3),
  (numbers) => `10.${numbers.join(".")}`
)

export const draw = Effect.fnUntraced(function* (
  credentials: Credentials,
  fitting: Samples,
  known: Known,
  domain: string
) {
  const operation = operations[yield* Random.nextIntBetween(0, operations.length - 1)]
  if (operation === undefined) return yield* Effect.die("the document has operations")
  const { id, method } = operation
  const hasBody = method !== "GET" && (fitting.has(id) || (yield* onceIn(4)))
  const isNobody = yield* onceIn(30)
  const target = yield* targetOf(operation, known)
  return {
    operation,
    target,
    headers: {
      "x-forwarded-for": yield* caller,
      ...(isNobody ? {} : yield* standingOf(operation, target, credentials)),
      ...(hasBody && { "content-type": "application/json" }),
      ...((yield* onceIn(10)) && (yield* oneOf(headers)))
    },
    body: hasBody ? yield* bodyOf(fitting.get(id) ?? [], known, domain) : undefined
  } satisfies Drawn
})
