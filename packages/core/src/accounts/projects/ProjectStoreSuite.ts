/** Tests of the promises of ProjectStore, over any layer. Members and domains come from their own stores. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { DomainId } from "@posthorn/contract/mail/domains/Domain"
import { AccountId, ProjectId } from "@posthorn/contract/platform/Auth"
import { type DateTime, Effect, type Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { DomainStore } from "../../mail/domains/DomainStore.ts"
import { entriesOf } from "../../platform/audit/AuditLog.ts"
import { at } from "../../testing/StoreValues.ts"
import { AccountStore } from "../people/AccountStore.ts"
import { type ProjectSettings, ProjectStore, type StoredKeys } from "./ProjectStore.ts"

const keysOf = (name: string): StoredKeys => ({
  publicKey: `pk_${name}`,
  secretHash: `hash of ${name}`,
  secretHint: name.slice(-4)
})

const policy = { subscribe: true, overwrite: true, origins: [] }

/** One changed value for each setting. */
const changes: ReadonlyArray<ProjectSettings> = [
  { name: 'Grüße \\ "eins"' },
  { language: "pt-BR" },
  { timezone: "Europe/Berlin" },
  { tracking: "DISABLED" },
  { sendRatePerSecond: 5 },
  { requireTwoFactor: true },
  { rejectDmarcFailures: false },
  { rejectDmarcFailures: true },
  { smtpDialogue: "NONE" },
  { ambiguousPolicy: { bulk: "hold" } },
  { ambiguousPolicy: { transactional: "hold", bulk: "hold" } },
  { publicKeyPolicy: { subscribe: false } },
  { publicKeyPolicy: { origins: ["https://a.example", "https://b.example"] } },
  { name: "All", language: "de", tracking: "MARKETING_ONLY", publicKeyPolicy: { overwrite: false } }
]

type Stores = AccountStore | DomainStore | ProjectStore | SqlClient.SqlClient

export const projectStoreSuite = (name: string, storage: Layer.Layer<Stores>) => {
  const insert = Effect.fnUntraced(function* (now = at(0)) {
    const store = yield* ProjectStore
    const id = ProjectId.make(randomUUID())
    const keys = keysOf(id)
    return { id, keys, store, stored: yield* store.insert({ id, name: "Shop", ...keys }, now) }
  })

  const member = Effect.fnUntraced(function* () {
    const id = AccountId.make(randomUUID())
    const account = {
      id,
      email: `${id}@example.com`,
      emailVerified: true,
      type: "PASSWORD",
      passwordHash: null
    } as const
    yield* AccountStore.use((accounts) => accounts.insert(account, at(0)))
    return id
  })

  const join = (account: AccountId, project: ProjectId, role: "ADMIN" | "MEMBER" | "OWNER") =>
    AccountStore.use((accounts) => accounts.join(account, { project, role }, at(1)))

  const actions = (project: ProjectId) =>
    SqlClient.SqlClient.use((sql) =>
      Effect.map(entriesOf(sql, project, 100), (found) => found.map(({ action }) => action).reverse())
    )

  const own = <A extends { readonly id: ProjectId }>(project: ProjectId, found: Effect.Effect<ReadonlyArray<A>>) =>
    Effect.map(found, (all) => all.filter(({ id }) => id === project))

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("returns a new project with its defaults, by id and in the lists", () =>
      Effect.gen(function* () {
        const { id, keys, store, stored } = yield* insert()
        const { ambiguousPolicy, publicKeyPolicy, ...rest } = stored
        assert.deepStrictEqual(ambiguousPolicy, { transactional: "retry", bulk: "retry" })
        assert.deepStrictEqual(publicKeyPolicy, policy)
        assert.deepStrictEqual(rest, {
          id,
          name: "Shop",
          publicKey: keys.publicKey,
          secretHint: keys.secretHint,
          disabled: null,
          disabledAt: null,
          tracking: "ENABLED",
          language: "en",
          timezone: "UTC",
          smtpDialogue: "FAILURES",
          sendRatePerSecond: null,
          requireTwoFactor: false,
          rejectDmarcFailures: false,
          resetting: false,
          createdAt: at(0),
          updatedAt: at(0)
        })
        assert.deepStrictEqual(yield* store.find(id), Option.some(stored))
        assert.deepStrictEqual(yield* own(id, store.list), [stored])
        assert.deepStrictEqual(yield* store.find(ProjectId.make(randomUUID())), Option.none())
      })
    )

    it.effect("lists the newest first, all of them, and those of a user with its role", () =>
      Effect.gen(function* () {
        const [old, young, foreign] = [yield* insert(at(1)), yield* insert(at(2)), yield* insert(at(3))]
        const { store } = old
        const [user, other] = [yield* member(), yield* member()]
        yield* join(user, old.id, "MEMBER")
        yield* join(user, young.id, "OWNER")
        yield* join(other, foreign.id, "ADMIN")
        assert.deepStrictEqual(yield* store.listOf(user), [
          { project: young.stored, role: "OWNER" },
          { project: old.stored, role: "MEMBER" }
        ])
        const ids = [old.id, young.id, foreign.id]
        const listed = (yield* store.list).map(({ id }) => id).filter((id) => ids.includes(id))
        assert.deepStrictEqual(listed, ids.toReversed())
        yield* store.markDeleted(young.id, at(4))
        assert.deepStrictEqual(yield* store.listOf(user), [{ project: old.stored, role: "MEMBER" }])
      })
    )

    it.effect.each(changes)("changes only the given settings: %j", (change) =>
      Effect.gen(function* () {
        const { id, store, stored } = yield* insert()
        const sibling = yield* insert()
        const { ambiguousPolicy, publicKeyPolicy, ...rest } = change
        const isSame = "rejectDmarcFailures" in change && !change.rejectDmarcFailures
        const after = Option.some({
          ...stored,
          ...rest,
          ambiguousPolicy: { ...stored.ambiguousPolicy, ...ambiguousPolicy },
          publicKeyPolicy: { ...stored.publicKeyPolicy, ...publicKeyPolicy },
          updatedAt: isSame ? at(0) : at(1)
        })
        assert.deepStrictEqual(yield* store.update(id, change, at(1)), after)
        assert.deepStrictEqual(yield* store.find(id), after)
        assert.deepStrictEqual(yield* sibling.store.find(sibling.id), Option.some(sibling.stored))
        const changed = isSame ? [] : ["project.settings_changed"]
        assert.deepStrictEqual(yield* actions(id), ["project.created", ...changed])
        assert.deepStrictEqual(yield* store.update(id, change, at(2)), after)
      })
    )

    it.effect("each change of the origins changes updatedAt", () =>
      Effect.gen(function* () {
        const { id, store } = yield* insert()
        for (const [n, origins] of [["a", "b"], ["a", "a"], ["a"], ["b"], ["b", "a"], ["a", "b"], []].entries()) {
          const changed = Option.getOrThrow(yield* store.update(id, { publicKeyPolicy: { origins } }, at(n + 1)))
          assert.deepStrictEqual([changed.publicKeyPolicy.origins, changed.updatedAt], [origins, at(n + 1)])
        }
      })
    )

    it.effect("finds what requests need by either key; replaced keys find nothing", () =>
      Effect.gen(function* () {
        const { id, keys, store } = yield* insert()
        const found = (at: StoredKeys) =>
          Effect.all([store.findBySecretHash(at.secretHash), store.findByPublicKey(at.publicKey)])
        const standing = { id, disabled: null, resetting: false, publicKeyPolicy: policy }
        assert.deepStrictEqual(yield* found(keys), [Option.some(standing), Option.some(standing)])
        yield* store.disable(id, "MANUAL", at(1))
        yield* store.beginReset(id, at(1))
        yield* store.update(id, { publicKeyPolicy: { subscribe: false } }, at(1))
        const changed = Option.some({
          id,
          disabled: "MANUAL" as const,
          resetting: true,
          publicKeyPolicy: { ...policy, subscribe: false }
        })
        assert.deepStrictEqual(yield* found(keys), [changed, changed])
        const next = keysOf(`next ${id}`)
        assert.isTrue(yield* store.replaceKeys(id, next, at(2)))
        assert.deepStrictEqual(yield* found(keys), [Option.none(), Option.none()])
        assert.deepStrictEqual(yield* found(next), [changed, changed])
        const { publicKey, secretHint, updatedAt } = Option.getOrThrow(yield* store.find(id))
        assert.deepStrictEqual([publicKey, secretHint, updatedAt], [next.publicKey, next.secretHint, at(2)])
        assert.isFalse(yield* store.replaceKeys(ProjectId.make(randomUUID()), keysOf("nobody"), at(2)))
      })
    )

    it.effect("is disabled for a reason, and since when; a repetition changes nothing", () =>
      Effect.gen(function* () {
        const { id, store, stored } = yield* insert()
        const sibling = yield* insert()
        const disable = (reason: "MANUAL" | "PAYMENT_FAILED" | null, now: DateTime.Utc) =>
          Effect.all([store.disable(id, reason, now), Effect.map(store.find(id), Option.getOrThrow)])
        assert.deepStrictEqual(yield* disable(null, at(1)), [false, stored])
        const first = { ...stored, disabled: "PAYMENT_FAILED" as const, disabledAt: at(2), updatedAt: at(2) }
        assert.deepStrictEqual(yield* disable("PAYMENT_FAILED", at(2)), [true, first])
        assert.deepStrictEqual(yield* disable("PAYMENT_FAILED", at(3)), [false, first])
        const second = { ...first, disabled: "MANUAL" as const, updatedAt: at(4) }
        assert.deepStrictEqual(yield* disable("MANUAL", at(4)), [true, second])
        assert.deepStrictEqual(yield* disable(null, at(5)), [true, { ...stored, updatedAt: at(5) }])
        assert.deepStrictEqual(yield* store.find(sibling.id), Option.some(sibling.stored))
        const names = ["project.created", "project.disabled", "project.disabled", "project.enabled"]
        assert.deepStrictEqual(yield* actions(id), names)
      })
    )

    it.effect("is reset once at a time, until that reset ends", () =>
      Effect.gen(function* () {
        const { id, store } = yield* insert()
        const going = own(id, store.going)
        assert.deepStrictEqual(yield* going, [])
        assert.deepStrictEqual(yield* store.beginReset(id, at(1)), Option.some(at(1)))
        assert.deepStrictEqual(yield* store.beginReset(id, at(2)), Option.some(at(1)))
        assert.isTrue(Option.getOrThrow(yield* store.find(id)).resetting)
        assert.deepStrictEqual(yield* going, [{ id, resetting: at(1) }])
        yield* store.endReset(id, at(2))
        assert.lengthOf(yield* going, 1)
        yield* store.endReset(id, at(1))
        assert.deepStrictEqual(yield* going, [])
        assert.deepStrictEqual(yield* store.beginReset(id, at(3)), Option.some(at(3)))
        assert.deepStrictEqual(yield* store.beginReset(ProjectId.make(randomUUID()), at(3)), Option.none())
      })
    )

    it.effect("is deleted by one of concurrent calls: nothing finds it, and keys, members and domains are gone", () =>
      Effect.gen(function* () {
        const { id, keys, store } = yield* insert()
        const sibling = yield* insert()
        const user = yield* member()
        for (const project of [id, sibling.id]) {
          yield* join(user, project, "OWNER")
          const domain = {
            id: DomainId.make(randomUUID()),
            domain: `${project}.test`,
            verified: true,
            records: [],
            selector: "s",
            rsaPublicKey: "",
            rsaPrivateKey: "",
            ed25519PublicKey: "",
            ed25519PrivateKey: ""
          }
          yield* DomainStore.use((domains) => Effect.orDie(domains.insert(project, domain, at(0))))
        }
        const marks = yield* Effect.forEach([1, 2, 3], (n) => store.markDeleted(id, at(n)), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(marks.toSorted(), [false, false, true])
        assert.deepStrictEqual(
          yield* Effect.all([
            Effect.map(store.find(id), Option.isSome),
            Effect.map(store.findBySecretHash(keys.secretHash), Option.isSome),
            Effect.map(store.findByPublicKey(keys.publicKey), Option.isSome),
            Effect.map(store.update(id, { name: "Back" }, at(9)), Option.isSome),
            Effect.map(store.beginReset(id, at(9)), Option.isSome),
            store.replaceKeys(id, keysOf(`next ${id}`), at(9)),
            store.disable(id, null, at(9))
          ]),
          [false, false, false, false, false, false, false]
        )
        assert.deepStrictEqual(yield* own(id, store.list), [])
        assert.deepStrictEqual(yield* AccountStore.use(({ memberships }) => memberships(user)), [
          { project: sibling.id, role: "OWNER" }
        ])
        const domains = yield* DomainStore
        assert.deepStrictEqual(yield* domains.list(id), [])
        assert.lengthOf(yield* domains.list(sibling.id), 1)
        assert.deepStrictEqual(yield* own(id, store.going), [{ id, resetting: null }])
        yield* store.remove(id)
        assert.deepStrictEqual(yield* own(id, store.going), [])
        assert.deepStrictEqual(yield* store.find(sibling.id), Option.some(sibling.stored))
      })
    )
  })
}
