/** Every endpoint of openapi.json on a running server: whatever is asked, the answer is one that the document describes. */
import { assert, describe, layer } from "@effect/vitest"
import { Arbitrary, Effect } from "effect"
import { ask, Documented, documented, domain, fresh } from "./testing/Documented.ts"
import { examples } from "./testing/Examples.ts"
import { databaseName } from "./testing/Installation.ts"
import { bodies, type Operation, operations } from "./testing/Operations.ts"
import { isAboutWord, neededBodies, prefixesOf } from "./testing/Resources.ts"

const nobodys = "019a0000-0000-7000-8000-00000000ffff"
const unknownIds = [nobodys, "no-uuid", "%00", "%F0%9F%A6%8A"]
const oddValues = ["", "~", "0", "-1", "1e999", "%00", "%ED%A0%80", "a".repeat(5_000)]
const oddBodies = ["", "{}", "[]", "null", '"a"', "{", "[".repeat(200), '{"a":"\\u0000"}', '{"a":"\\ud800"}']

/** For the fuzz, the same in every run. */
const seed = 7

/** The same id for everything that the path names. */
const everywhere = ({ path }: Operation, id: string) =>
  Object.fromEntries(prefixesOf(path).map((prefix) => [prefix, id]))

const withKey = operations.filter(({ key }) => key !== undefined)
/** A field is named, not identified: one that nobody has is no less a field. */
const withIds = operations.filter(({ path }) => path.includes("{") && !path.includes("{field}"))
const withQuery = operations.filter(({ query }) => query.length > 0)
const writing = operations.filter(({ method }) => method !== "GET")

describe(`answers as openapi.json describes them, on ${databaseName}:`, () => {
  layer(documented, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect.each(operations)("$method $path when all is well, and the same once more", (operation) =>
      Effect.gen(function* () {
        const example = { ids: yield* fresh(operation), ...(yield* examples[operation.id] ?? Effect.succeed({})) }
        const { status, text } = yield* ask(operation, example)
        assert.isBelow(status, 300, `Examples.ts needs a request that succeeds: ${text}`)
        // What it names may be gone by now, and what it makes may be there.
        yield* ask(operation, example)
      })
    )

    it.effect.each(withKey)("$method $path without the key that it takes", (operation) =>
      Effect.gen(function* () {
        const { caller } = yield* Documented
        const other = operation.key === "publicKey" ? caller.secretKey : caller.publicKey
        for (const key of ["", other, `${other.slice(0, -1)}~`, "sk_"]) {
          const { status } = yield* ask(operation, { key, ids: everywhere(operation, nobodys) })
          assert.strictEqual(status, 401, key)
        }
      })
    )

    it.effect.each(withIds)("$method $path of what is not there", (operation) =>
      Effect.gen(function* () {
        for (const id of unknownIds) {
          const ids = everywhere(operation, id)
          const needed = neededBodies[operation.id]
          const sent = needed === undefined ? { ids } : { ids, text: JSON.stringify(needed) }
          // Nobody has used the word, which is an answer too.
          const expected = isAboutWord(operation.path) ? 200 : 404
          assert.strictEqual((yield* ask(operation, sent)).status, expected, id)
        }
      })
    )

    it.effect.each(withQuery)("$method $path with any query", (operation) =>
      Effect.gen(function* () {
        const ids = yield* fresh(operation)
        for (const name of operation.query) {
          for (const value of oddValues) yield* ask(operation, { ids, query: `?${name}=${value}` })
        }
      })
    )

    it.effect.each(writing)("$method $path with any body", (operation) =>
      Effect.gen(function* () {
        const ids = yield* fresh(operation)
        for (const text of oddBodies) yield* ask(operation, { ids, text })
        if (operation.body === undefined) return
        for (const odd of [false, true]) {
          const made = bodies(operation.body, [domain, "example.org"], odd)
          for (const body of yield* Arbitrary.sampleEffect(made, { count: odd ? 8 : 20, size: 6, seed })) {
            yield* ask(operation, { ids: yield* fresh(operation), text: JSON.stringify(body) })
          }
        }
      })
    )
  })
})
