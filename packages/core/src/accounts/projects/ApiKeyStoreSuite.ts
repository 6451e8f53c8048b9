/** Tests of the promises of ApiKeyStore, over any layer. */
import { assert, layer } from "@effect/vitest"
import { ApiKeyId } from "@posthorn/contract/accounts/keys/ApiKey"
import { AccountId, type ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, type Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { entriesOf } from "../../platform/audit/AuditLog.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { storeProject } from "../../testing/StoredProjects.ts"
import { at, numberOf, uuid } from "../../testing/StoreValues.ts"
import { ApiKeyStore, type KeySettings, type NewApiKey } from "./ApiKeyStore.ts"
import { ProjectStore } from "./ProjectStore.ts"

const id = (n: number) => ApiKeyId.make(uuid(n))
const user = AccountId.make(uuid(900))

/** One changed value for each setting. */
const changes: ReadonlyArray<Partial<KeySettings>> = [
  { name: 'Grüße \\ "eins"' },
  { scopes: ["contacts:read"] },
  { senderDomains: [] },
  { ipRanges: ["2001:db8::/32", "192.0.2.0/24"] },
  { rateLimitPerMinute: null },
  { rateLimitPerMinute: 7 },
  { expiresAt: null },
  { expiresAt: at(50) },
  { name: "All", scopes: [], senderDomains: ["b.test"], ipRanges: [], rateLimitPerMinute: 1, expiresAt: at(51) }
]

type Stores = ApiKeyStore | ProjectStore | SqlClient.SqlClient | Transaction

export const apiKeyStoreSuite = (name: string, storage: Layer.Layer<Stores>) => {
  const fresh = Effect.all({ project: storeProject, other: storeProject, store: ApiKeyStore })

  const key = (project: ProjectId, n: number, more: Partial<NewApiKey> = {}): NewApiKey => ({
    id: id(n),
    name: `Key ${n}`,
    mode: "LIVE",
    scopes: ["emails:send", "contacts:write"],
    senderDomains: ["a.test"],
    ipRanges: ["198.51.100.7/32"],
    rateLimitPerMinute: 60,
    expiresAt: at(30),
    hash: `${n} of ${project}`,
    hint: "abcd",
    createdBy: null,
    ...more
  })

  const entries = (project: ProjectId) =>
    SqlClient.SqlClient.use((sql) =>
      Effect.map(entriesOf(sql, project, 100), (found) =>
        found
          .filter(({ action }) => action.startsWith("api_key."))
          .map(({ action, details }) => [action, details["id"], details["name"]])
          .reverse()
      )
    )

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("returns every field as it was written, but the hash", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { hash: _, ...given } = key(project, 1, { createdBy: user, mode: "TEST" })
        const inserted = yield* store.insert(project, { hash: "1", ...given }, at(0))
        assert.deepStrictEqual(inserted, {
          ...given,
          projectId: project,
          createdBy: { kind: "member", id: user },
          previousValidUntil: null,
          lastUsedAt: null,
          lastUsedVia: null,
          createdAt: at(0),
          updatedAt: at(0)
        })
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(inserted))
        const bare = key(project, 2, {
          scopes: [],
          senderDomains: [],
          ipRanges: [],
          rateLimitPerMinute: null,
          expiresAt: null
        })
        const second = yield* store.insert(project, bare, at(1))
        assert.deepInclude(second, { scopes: [], senderDomains: [], ipRanges: [], rateLimitPerMinute: null })
        assert.deepInclude(second, { expiresAt: null, createdBy: { kind: "key", id: null } })
        yield* store.insert(project, key(project, 3), at(1))
        assert.deepStrictEqual((yield* store.list(project)).map(numberOf), [3, 2, 1])
      })
    )

    it.effect.each(changes)("changes only the given settings: %j", (change) =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const before = yield* store.insert(project, key(project, 1), at(0))
        const sibling = yield* store.insert(project, key(project, 2), at(0))
        const after = Option.some({ ...before, ...change, updatedAt: at(1) })
        assert.deepStrictEqual(yield* store.update(project, id(1), change, at(1)), after)
        assert.deepStrictEqual(yield* store.find(project, id(1)), after)
        assert.deepStrictEqual(yield* store.find(project, id(2)), Option.some(sibling))
      })
    )

    it.effect("finds what requests need by the hash, also after the end of the key, but not of a deleted project", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { hash, hint: _, createdBy: __, ...given } = key(project, 1)
        yield* store.insert(project, key(project, 1), at(0))
        const standing = {
          id: project,
          disabled: null,
          resetting: false,
          publicKeyPolicy: { subscribe: true, overwrite: true, origins: [] }
        }
        const apiKey = { ...given, replacedUntil: null, lastUsedAt: null }
        assert.deepStrictEqual(yield* store.findByHash(hash), Option.some({ ...standing, apiKey }))
        assert.deepStrictEqual(yield* store.findByHash("unknown"), Option.none())
        const projects = yield* ProjectStore
        yield* projects.disable(project, "MANUAL", at(1))
        yield* projects.beginReset(project, at(1))
        assert.deepStrictEqual(
          yield* store.findByHash(hash),
          Option.some({ ...standing, disabled: "MANUAL" as const, resetting: true, apiKey })
        )
        yield* projects.markDeleted(project, at(2))
        assert.deepStrictEqual(yield* store.findByHash(hash), Option.none())
      })
    )

    it.effect("a replaced key is accepted until a time, the one before it no longer", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const before = yield* store.insert(project, key(project, 1), at(0))
        const hashes = [key(project, 1).hash, `second of ${project}`, `third of ${project}`, `fourth of ${project}`]
        const [first = "", second = "", third = "", fourth = ""] = hashes
        const valid = Effect.forEach(hashes, (hash) =>
          Effect.map(
            store.findByHash(hash),
            Option.map(({ apiKey }) => apiKey.replacedUntil)
          )
        )
        const rotate = (hash: string, until: ReturnType<typeof at> | null, minute: number) =>
          store.rotate(project, id(1), { hash, hint: hash.slice(0, 4) }, until, at(minute))
        const rotated = { ...before, hint: "seco", previousValidUntil: at(20), updatedAt: at(1) }
        assert.deepStrictEqual(yield* rotate(second, at(20), 1), Option.some(rotated))
        assert.deepStrictEqual(yield* valid, [Option.some(at(20)), Option.some(null), Option.none(), Option.none()])
        yield* rotate(third, at(21), 2)
        assert.deepStrictEqual(yield* valid, [Option.none(), Option.some(at(21)), Option.some(null), Option.none()])
        yield* rotate(fourth, null, 3)
        assert.deepStrictEqual(yield* valid, [Option.none(), Option.none(), Option.none(), Option.some(null)])
        assert.isNull(Option.getOrThrow(yield* store.find(project, id(1))).previousValidUntil)
        assert.strictEqual(first, key(project, 1).hash)
      })
    )

    it.effect("records a use, unless one was recorded since a time", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const before = yield* store.insert(project, key(project, 1), at(0))
        const lastUse = Effect.map(store.find(project, id(1)), (found) => {
          const { lastUsedAt, lastUsedVia, updatedAt } = Option.getOrThrow(found)
          assert.deepStrictEqual(updatedAt, before.updatedAt)
          return [lastUsedAt, lastUsedVia]
        })
        yield* store.used(other, id(1), "HTTP", at(0), at(1))
        assert.deepStrictEqual(yield* lastUse, [null, null])
        yield* store.used(project, id(1), "HTTP", at(0), at(1))
        assert.deepStrictEqual(yield* lastUse, [at(1), "HTTP"])
        yield* store.used(project, id(1), "SMTP", at(0), at(2))
        assert.deepStrictEqual(yield* lastUse, [at(1), "HTTP"])
        yield* store.used(project, id(1), "SMTP", at(1), at(2))
        assert.deepStrictEqual(yield* lastUse, [at(2), "SMTP"])
      })
    )

    it.effect("takes keys that expire soon once for each expiry", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        for (const [n, expiresAt] of [at(5), at(10), at(11), null].entries()) {
          yield* store.insert(project, key(project, n, { expiresAt }), at(0))
        }
        const take = Effect.map(store.takeExpiring(at(10), at(5)), (found) =>
          found.filter((each) => each.project === project)
        )
        const { name, mode, scopes, hint } = key(project, 1)
        assert.deepStrictEqual(yield* take, [{ project, id: id(1), name, mode, scopes, hint, expiresAt: at(10) }])
        assert.deepStrictEqual(yield* take, [])
        yield* store.update(project, id(1), { expiresAt: at(9) }, at(6))
        assert.deepStrictEqual((yield* take).map(numberOf), [1])
      })
    )

    it.effect("records each change, and each expiry that has passed once", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* store.insert(project, key(project, 1, { expiresAt: at(5) }), at(0))
        yield* store.insert(other, key(other, 1, { expiresAt: null }), at(0))
        yield* store.update(project, id(1), { name: "Renamed" }, at(1))
        yield* store.rotate(project, id(1), { hash: `next of ${project}`, hint: "next" }, null, at(2))
        yield* store.recordExpired(at(4))
        yield* store.recordExpired(at(5))
        yield* store.recordExpired(at(6))
        yield* store.update(project, id(1), { expiresAt: at(7) }, at(6))
        yield* store.recordExpired(at(7))
        yield* store.delete(project, id(1))
        yield* store.delete(project, id(1))
        assert.deepStrictEqual(yield* entries(project), [
          ["api_key.created", id(1), "Key 1"],
          ...["updated", "rotated", "expired", "updated", "expired", "deleted"].map((change) => [
            `api_key.${change}`,
            id(1),
            "Renamed"
          ])
        ])
        assert.deepStrictEqual(yield* entries(other), [["api_key.created", id(1), "Key 1"]])
      })
    )

    it.effect("transactions that count the keys add them one after another", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const { run } = yield* Transaction
        yield* store.insert(other, key(other, 9), at(0))
        const counts = yield* Effect.forEach(
          [1, 2, 3, 4],
          (n) => run(Effect.tap(store.lockCount(project), () => store.insert(project, key(project, n), at(n)))),
          { concurrency: "unbounded" }
        )
        assert.sameMembers(counts, [0, 1, 2, 3])
      })
    )

    it.effect("deletes once, and never touches another project", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const stored = Option.some(yield* store.insert(project, key(project, 1), at(0)))
        assert.deepStrictEqual(yield* store.find(other, id(1)), Option.none())
        assert.deepStrictEqual(yield* store.list(other), [])
        assert.deepStrictEqual(yield* store.update(other, id(1), { name: "taken" }, at(1)), Option.none())
        const taken = { hash: "theirs", hint: "eirs" }
        assert.deepStrictEqual(yield* store.rotate(other, id(1), taken, at(9), at(1)), Option.none())
        assert.isFalse(yield* store.delete(other, id(1)))
        assert.deepStrictEqual(yield* store.find(project, id(1)), stored)
        assert.isTrue(yield* store.delete(project, id(1)))
        assert.isFalse(yield* store.delete(project, id(1)))
        assert.deepStrictEqual(yield* store.findByHash(key(project, 1).hash), Option.none())
      })
    )
  })
}
