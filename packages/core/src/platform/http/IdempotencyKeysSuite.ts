/** Tests of the promises of IdempotencyKeys, over any layer. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { type DateTime, Effect, type Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { at, freshProject } from "../../testing/StoreValues.ts"
import { Transaction } from "../Transaction.ts"
import { type FirstUse, IdempotencyKeys, type KeyClaim } from "./IdempotencyKeys.ts"

const claimOf = (owner: string, more: Partial<KeyClaim> = {}): KeyClaim => ({
  owner,
  request: "POST /v1/send",
  fingerprint: "ab+/=",
  expiresAt: at(10),
  ...more
})

export const idempotencyKeysSuite = (
  name: string,
  storage: Layer.Layer<IdempotencyKeys | SqlClient.SqlClient | Transaction>
) => {
  const fresh = Effect.all({ project: freshProject, other: freshProject, keys: IdempotencyKeys })

  /** Ends the leases of the key, as if its process had died. */
  const kill = (key: string) =>
    SqlClient.SqlClient.use(
      (sql) => sql`update idempotency_keys set lease_until = clock_timestamp() - interval '1 second' where key = ${key}`
    )

  const running = (firstAt: DateTime.Utc) => ({
    request: "POST /v1/send",
    fingerprint: "ab+/=",
    firstAt,
    status: null,
    body: null
  })

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("a key is claimed once, and the next one sees its first use", () =>
      Effect.gen(function* () {
        const { project, other, keys } = yield* fresh
        const [first, second] = [randomUUID(), randomUUID()]
        assert.deepStrictEqual(yield* keys.claim(project, "k", claimOf(first), at(0)), Option.none())
        const later = claimOf(second, { request: "POST /v1/track", fingerprint: "other" })
        assert.deepStrictEqual(yield* keys.claim(project, "k", later, at(1)), Option.some(running(at(0))))
        assert.isFalse(yield* keys.isKept(project, "k", first))
        assert.isFalse(yield* keys.keep(project, "k", second, 500, "theirs"))
        assert.isFalse(yield* keys.keep(other, "k", first, 500, "theirs"))
        assert.isTrue(yield* keys.keep(project, "k", first, 202, '{"ä":"\\"}'))
        const done = { ...running(at(0)), status: 202, body: '{"ä":"\\"}' }
        assert.deepStrictEqual(yield* keys.claim(project, "k", later, at(2)), Option.some(done))
        assert.isTrue(yield* keys.isKept(project, "k", first))
        assert.deepStrictEqual(
          [yield* keys.isKept(project, "k", second), yield* keys.isKept(other, "k", first)],
          [false, false]
        )
        assert.deepStrictEqual(yield* keys.claim(other, "k", claimOf(second), at(2)), Option.none())
        assert.deepStrictEqual(yield* keys.claim(project, "K", claimOf(second), at(2)), Option.none())
      })
    )

    it.effect("an expired key is new, with or without a response", () =>
      Effect.gen(function* () {
        const { project, keys } = yield* fresh
        const [first, second] = [randomUUID(), randomUUID()]
        for (const key of ["done", "running"]) yield* keys.claim(project, key, claimOf(first), at(0))
        yield* keys.keep(project, "done", first, 200, "{}")
        for (const key of ["done", "running"]) {
          const again = claimOf(second, { fingerprint: "two", expiresAt: at(20) })
          assert.isTrue(Option.isSome(yield* keys.claim(project, key, again, at(9))))
          assert.deepStrictEqual(yield* keys.claim(project, key, again, at(10)), Option.none())
          const seen = yield* keys.claim(project, key, claimOf(first), at(11))
          assert.deepStrictEqual(seen, Option.some({ ...running(at(10)), fingerprint: "two" }))
        }
      })
    )

    it.effect("a key whose request died is taken over; the request before has lost it", () =>
      Effect.gen(function* () {
        const { project, other, keys } = yield* fresh
        const [dead, next] = [randomUUID(), randomUUID()]
        yield* keys.claim(project, "dead", claimOf(dead), at(0))
        yield* kill("dead")
        assert.isFalse(yield* keys.renew(other, "dead", dead))
        assert.isTrue(yield* keys.renew(project, "dead", dead))
        assert.isTrue(Option.isSome(yield* keys.claim(project, "dead", claimOf(next), at(1))))
        yield* kill("dead")
        assert.deepStrictEqual(yield* keys.claim(project, "dead", claimOf(next), at(1)), Option.none())
        assert.isFalse(yield* keys.renew(project, "dead", dead))
        assert.isFalse(yield* keys.keep(project, "dead", dead, 200, "{}"))
        yield* keys.release(project, "dead", dead)
        assert.isTrue(yield* keys.renew(project, "dead", next))
        yield* keys.keep(project, "dead", next, 200, "{}")
        // A response stays, whatever its lease.
        yield* kill("dead")
        assert.isFalse(yield* keys.renew(project, "dead", next))
        assert.isTrue(Option.isSome(yield* keys.claim(project, "dead", claimOf(dead), at(2))))
      })
    )

    it.effect("a released key is free, unless it has a response", () =>
      Effect.gen(function* () {
        const { project, other, keys } = yield* fresh
        const [first, second] = [randomUUID(), randomUUID()]
        yield* keys.claim(project, "free", claimOf(first), at(0))
        yield* keys.release(other, "free", first)
        yield* keys.release(project, "free", second)
        assert.isTrue(Option.isSome(yield* keys.claim(project, "free", claimOf(second), at(0))))
        yield* keys.release(project, "free", first)
        assert.deepStrictEqual(yield* keys.claim(project, "free", claimOf(second), at(0)), Option.none())
        yield* keys.keep(project, "free", second, 200, "{}")
        yield* keys.release(project, "free", second)
        assert.isTrue(yield* keys.isKept(project, "free", second))
      })
    )

    it.effect("claims many keys at once, and names those that are taken", () =>
      Effect.gen(function* () {
        const { project, other, keys } = yield* fresh
        const [first, second] = [randomUUID(), randomUUID()]
        yield* keys.claim(project, "running", claimOf(first), at(0))
        yield* keys.claim(project, "done", claimOf(first), at(1))
        yield* keys.keep(project, "done", first, 200, "{}")
        yield* keys.claim(project, "late", claimOf(first, { expiresAt: at(2) }), at(0))
        yield* keys.claim(other, "new", claimOf(first), at(0))
        const given = ["new", "late", "done", "running"].map((key) => ({ key, fingerprint: `of ${key}` }))
        const taken = yield* keys.claimAll(project, given, claimOf(second), at(3))
        assert.deepStrictEqual(
          taken,
          new Map<string, FirstUse>([
            ["done", { ...running(at(1)), status: 200, body: "{}" }],
            ["running", running(at(0))]
          ])
        )
        const seen = yield* keys.claim(project, "new", claimOf(first), at(4))
        assert.deepStrictEqual(seen, Option.some({ ...running(at(3)), fingerprint: "of new" }))
        assert.deepStrictEqual(yield* keys.claimAll(project, [], claimOf(second), at(3)), new Map())
        assert.deepStrictEqual(
          yield* keys.claimAll(project, [{ key: "only", fingerprint: "" }], claimOf(second), at(3)),
          new Map()
        )
      })
    )

    it.effect("stores many responses of one owner and frees its other keys", () =>
      Effect.gen(function* () {
        const { project, other, keys } = yield* fresh
        const [first, second] = [randomUUID(), randomUUID()]
        const given = ["a", "b", "c"].map((key) => ({ key, fingerprint: "" }))
        for (const owner of [project, other]) yield* keys.claimAll(owner, given, claimOf(first), at(0))
        yield* keys.claim(project, "foreign", claimOf(second), at(0))
        const answers = ["a", "b", "foreign"].map((key) => ({ key, body: `"${key}"` }))
        yield* keys.keepAll(project, first, ["c", "foreign"], answers)
        const again = yield* keys.claimAll(
          project,
          ["a", "b", "c", "foreign"].map((key) => ({ key, fingerprint: "" })),
          claimOf(randomUUID()),
          at(1)
        )
        assert.deepStrictEqual([...again].map(([key, { status, body }]) => [key, status, body]).sort(), [
          ["a", 200, '"a"'],
          ["b", 200, '"b"'],
          ["foreign", null, null]
        ])
        assert.isFalse(yield* keys.isKept(other, "a", first))
        assert.isTrue(yield* keys.renew(other, "c", first))
        yield* keys.keepAll(project, first, [], [])
      })
    )

    it.effect("a claim and a response join the caller's transaction", () =>
      Effect.gen(function* () {
        const { project, keys } = yield* fresh
        const { run } = yield* Transaction
        const [owner, other] = [randomUUID(), randomUUID()]
        yield* keys.claim(project, "kept", claimOf(owner), at(0))
        const undone = Effect.all([
          keys.keep(project, "kept", owner, 200, "{}"),
          keys.claimAll(project, [{ key: "new", fingerprint: "" }], claimOf(owner), at(0))
        ])
        yield* Effect.flip(run(Effect.andThen(undone, Effect.fail("undone"))))
        assert.isFalse(yield* keys.isKept(project, "kept", owner))
        assert.deepStrictEqual(yield* keys.claim(project, "new", claimOf(other), at(0)), Option.none())
      })
    )

    it.effect("of concurrent claims of one key one gets it", () =>
      Effect.gen(function* () {
        const { project, keys } = yield* fresh
        const owners = Array.from({ length: 5 }, () => randomUUID())
        const uses = yield* Effect.forEach(owners, (owner) => keys.claim(project, "race", claimOf(owner), at(0)), {
          concurrency: "unbounded"
        })
        assert.lengthOf(uses.filter(Option.isNone), 1)
      })
    )

    it.effect("forgets an address in the responses of one project", () =>
      Effect.gen(function* () {
        const { project, other, keys } = yield* fresh
        const owner = randomUUID()
        const body = JSON.stringify({ to: ["a@example.com", "aa@example.com"], note: "a@example.com.org" })
        for (const each of [project, other]) {
          yield* keys.claim(each, "k", claimOf(owner), at(0))
          yield* keys.keep(each, "k", owner, 200, body)
        }
        yield* keys.forget(project, "a@example.com")
        const bodyOf = (each: typeof project) =>
          Effect.map(
            keys.claim(each, "k", claimOf(randomUUID()), at(1)),
            Option.map((use) => use.body)
          )
        assert.deepStrictEqual(yield* bodyOf(project), Option.some(body.replace('"a@example.com"', '""')))
        assert.deepStrictEqual(yield* bodyOf(other), Option.some(body))
      })
    )

    it.effect("sweeps the keys that have expired", () =>
      Effect.gen(function* () {
        const { project, keys } = yield* fresh
        const owner = randomUUID()
        yield* keys.claim(project, "old", claimOf(owner, { expiresAt: at(5) }), at(0))
        yield* keys.claim(project, "kept", claimOf(owner, { expiresAt: at(6) }), at(0))
        yield* keys.sweep(at(5))
        assert.isFalse(yield* keys.renew(project, "old", owner))
        assert.isTrue(yield* keys.renew(project, "kept", owner))
      })
    )
  })
}
