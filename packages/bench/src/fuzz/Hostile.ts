/** Hostile values, texts and changes of a request, drawn at random. Pure except for the random source. */
import { Array, Effect, Random } from "effect"

export const oneOf = <A>(items: Array.NonEmptyReadonlyArray<A>): Effect.Effect<A> =>
  Effect.map(Random.nextIntBetween(0, items.length - 1), (n) => items[n] ?? items[0])

/** True once in `n` times. */
export const onceIn = (n: number): Effect.Effect<boolean> => Effect.map(Random.next, (drawn) => drawn * n < 1)

const deep = (depth: number): unknown => Array.reduce(Array.range(1, depth), {} as unknown, (inner) => ({ a: [inner] }))

/** Replacements for any value of a body. */
const values: Array.NonEmptyReadonlyArray<unknown> = [
  null,
  ...[true, 0, -1, 0.5, 1e308, 2 ** 53, "", " ", "0", "null", [], {}, [[]], [null]],
  ...["\u0000", "\ud800", "a\r\nBcc: x@example.org", "\u202e", "🦊".repeat(300), "x".repeat(100_000)],
  ...["'; drop table contacts; --", "%00", "../../etc/passwd", "{{#each a}}{{/each}}", "{{", "<script>", "__proto__"],
  ...["2026-02-30T25:61:00Z", "9999999-01-01", "019a0000-0000-7000-8000-00000000ffff", "x@y", "a@[127.0.0.1]"],
  ...[{ ["__proto__"]: { admin: true } }, { constructor: { prototype: {} } }, deep(60), Array.makeBy(2_000, (n) => n)]
]

/** Replacements for a value of a path or a query. */
export const words: Array.NonEmptyReadonlyArray<string> = [
  "%00",
  ...["%ED%A0%80", "%", "%zz", "%2e%2e%2f", "-1", "0", "1e999", "NaN", "9".repeat(40)],
  ...["a".repeat(5_000), "%F0%9F%A6%8A", "'", "*", "null", "[object Object]", "2026-13-45", "Mars/Olympus"]
]

/** With one value replaced, removed or renamed. */
export const spoilt = (json: unknown): Effect.Effect<unknown> =>
  Effect.gen(function* () {
    const isOpen = typeof json === "object" && json !== null && Object.keys(json).length > 0
    if (!isOpen || (yield* onceIn(6))) return yield* oneOf(values)
    const entries = Object.entries(json)
    const at = yield* Random.nextIntBetween(0, entries.length - 1)
    const [name, value] = entries[at] ?? ["", null]
    if (yield* onceIn(8)) return Object.fromEntries(entries.toSpliced(at, 1))
    if (yield* onceIn(8)) return Object.fromEntries([...entries, ["x".repeat(300), value]])
    const next = yield* spoilt(value)
    return globalThis.Array.isArray(json)
      ? json.with(at, next)
      : Object.fromEntries(entries.with(at, [name, next] as const))
  })

/** Text that is mostly not valid JSON any more. */
export const torn = (text: string): Effect.Effect<string> =>
  Effect.gen(function* () {
    const at = yield* Random.nextIntBetween(0, text.length)
    return yield* oneOf([
      text.slice(0, at),
      `${text.slice(0, at)}\u0000${text.slice(at)}`,
      `${text}${text}`,
      "[".repeat(5_000),
      text.replace(/\d+/, "1e999"),
      `\ufeff${text}`,
      text.replaceAll('"', "'")
    ])
  })

/** Additional headers, or replacements. */
export const headers: Array.NonEmptyReadonlyArray<Readonly<Record<string, string>>> = [
  { "content-type": "text/plain" },
  { "content-type": "application/json; charset=utf-16" },
  { "content-type": "multipart/form-data; boundary=x" },
  { "content-type": "application/x-www-form-urlencoded" },
  { "content-encoding": "gzip" },
  { "idempotency-key": "x".repeat(300) },
  { "idempotency-key": "again" },
  { "x-project-id": "nobody" },
  { authorization: "Bearer sk_" },
  { authorization: `Basic ${"A".repeat(2_000)}` },
  { origin: "https://elsewhere.example" },
  { cookie: "posthorn_session=eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0." },
  { "accept-language": "x".repeat(3_000) },
  { "x-forwarded-for": "' or 1=1 --" }
]
