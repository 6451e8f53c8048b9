/** Tests of the promises of AccountStore, over any layer. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { InvitationId, type InvitationKind } from "@posthorn/contract/accounts/members/Member"
import type { MemberRole, ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, type Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Transaction } from "../../platform/Transaction.ts"
import { storeProject } from "../../testing/StoredProjects.ts"
import { at } from "../../testing/StoreValues.ts"
import * as MemberStore from "../members/MemberStore.ts"
import type { ProjectStore } from "../projects/ProjectStore.ts"
import { AccountId, AccountStore } from "./AccountStore.ts"

type NewAccount = Parameters<AccountStore["Service"]["insert"]>[0]

const newAccount = (more: Partial<NewAccount> = {}): NewAccount => {
  const id = AccountId.make(randomUUID())
  return { id, email: `${id}@example.com`, emailVerified: false, type: "PASSWORD", passwordHash: "hash", ...more }
}

export const accountStoreSuite = (
  name: string,
  storage: Layer.Layer<AccountStore | ProjectStore | SqlClient.SqlClient | Transaction>
) => {
  const insert = Effect.fnUntraced(function* (more: Partial<NewAccount> = {}) {
    const store = yield* AccountStore
    const account = newAccount(more)
    return { id: account.id, store, stored: Option.getOrThrow(yield* store.insert(account, at(0))) }
  })

  const unknown = AccountId.make(randomUUID())

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("of concurrent first accounts one is stored", () =>
      Effect.gen(function* () {
        const store = yield* AccountStore
        const sql = yield* SqlClient.SqlClient
        yield* sql`delete from users`
        assert.isFalse(yield* store.hasAny)
        const made = yield* Effect.forEach([1, 2, 3, 4], (n) => store.insertFirst(newAccount(), at(n)), {
          concurrency: "unbounded"
        })
        assert.lengthOf(made.filter(Option.isSome), 1)
        assert.isTrue(yield* store.hasAny)
        assert.deepStrictEqual(yield* store.insertFirst(newAccount(), at(9)), Option.none())
      })
    )

    it.effect("returns every field as it was written, by id and by address", () =>
      Effect.gen(function* () {
        const store = yield* AccountStore
        for (const given of [newAccount(), newAccount({ emailVerified: true, type: "OIDC", passwordHash: null })]) {
          const { passwordHash, ...shown } = given
          const stored = { ...shown, createdAt: at(0) }
          assert.deepStrictEqual(yield* store.insert(given, at(0)), Option.some(stored))
          assert.deepStrictEqual(yield* store.find(given.id), Option.some(stored))
          assert.deepStrictEqual(yield* store.findByEmail(given.email), Option.some(stored))
          const credentials = yield* store.credentials({ id: given.id })
          const { sessionVersion: _, ...rest } = Option.getOrThrow(credentials)
          assert.deepStrictEqual(rest, { account: stored, passwordHash })
          assert.deepStrictEqual(yield* store.credentials({ email: given.email }), credentials)
          assert.deepStrictEqual(yield* store.passwordHash(given.id), Option.fromNullOr(passwordHash))
        }
        assert.deepStrictEqual(
          yield* Effect.all([
            store.find(unknown),
            store.findByEmail("nobody@example.com"),
            store.credentials({ id: unknown }),
            store.passwordHash(unknown),
            store.origin(unknown)
          ]),
          [Option.none(), Option.none(), Option.none(), Option.none(), Option.none()]
        )
      })
    )

    it.effect("an address has one account, also of concurrent ones", () =>
      Effect.gen(function* () {
        const { store, stored } = yield* insert()
        assert.deepStrictEqual(yield* store.insert(newAccount({ email: stored.email }), at(1)), Option.none())
        const email = `${randomUUID()}@example.com`
        const made = yield* Effect.forEach([1, 2, 3], (n) => store.insert(newAccount({ email }), at(n)), {
          concurrency: "unbounded"
        })
        assert.lengthOf(made.filter(Option.isSome), 1)
      })
    )

    it.effect(
      "an adopted account with a confirmed address keeps its password; another one loses it and its sessions",
      () =>
        Effect.gen(function* () {
          const confirmed = yield* insert({ emailVerified: true })
          const claimed = yield* insert()
          const { store } = claimed
          const before = Option.getOrThrow(yield* store.credentials({ id: claimed.id })).sessionVersion
          const adopted = { id: confirmed.id, sessionVersion: before }
          assert.deepStrictEqual(yield* store.adopt(confirmed.stored.email, at(1)), Option.some(adopted))
          assert.deepStrictEqual(yield* store.passwordHash(confirmed.id), Option.some("hash"))
          const taken = { id: claimed.id, sessionVersion: before + 1 }
          assert.deepStrictEqual(yield* store.adopt(claimed.stored.email, at(1)), Option.some(taken))
          assert.deepStrictEqual(yield* store.adopt(claimed.stored.email, at(2)), Option.some(taken))
          const account = { ...claimed.stored, emailVerified: true }
          const after = { account, passwordHash: null, sessionVersion: before + 1 }
          assert.deepStrictEqual(yield* store.credentials({ id: claimed.id }), Option.some(after))
          assert.deepStrictEqual(yield* store.adopt("nobody@example.com", at(1)), Option.none())
        })
    )

    it.effect("a new password or the end of the sessions raises the session version; a stronger hash does not", () =>
      Effect.gen(function* () {
        const { id, store } = yield* insert()
        const sibling = yield* insert()
        const start = Option.getOrThrow(yield* store.credentials({ id })).sessionVersion
        const stateOf = (account: AccountId) =>
          Effect.map(store.credentials({ id: account }), (found) => {
            const { passwordHash, sessionVersion } = Option.getOrThrow(found)
            return [passwordHash, sessionVersion - start]
          })
        const state = stateOf(id)
        yield* store.rehash(id, "other", "wrong")
        assert.deepStrictEqual(yield* state, ["hash", 0])
        yield* store.rehash(id, "hash", "stronger")
        assert.deepStrictEqual(yield* state, ["stronger", 0])
        assert.isTrue(yield* store.setPasswordHash(id, "new", at(1)))
        assert.deepStrictEqual(yield* state, ["new", 1])
        yield* store.endSessions(id, at(2))
        assert.deepStrictEqual(yield* state, ["new", 2])
        assert.isFalse(yield* store.setPasswordHash(unknown, "new", at(1)))
        assert.deepStrictEqual(yield* stateOf(sibling.id), ["hash", 0])
      })
    )

    it.effect("confirms an address, and stores the network of an account", () =>
      Effect.gen(function* () {
        const { id, store, stored } = yield* insert()
        const sibling = yield* insert()
        assert.isTrue(yield* store.verifyEmail(id, at(1)))
        assert.isTrue(yield* store.verifyEmail(id, at(2)))
        assert.isFalse(yield* store.verifyEmail(unknown, at(1)))
        assert.deepStrictEqual(yield* store.find(id), Option.some({ ...stored, emailVerified: true }))
        assert.deepStrictEqual(yield* store.find(sibling.id), Option.some(sibling.stored))
        assert.deepStrictEqual(yield* store.origin(id), Option.some(null))
        yield* store.setOrigin(id, "192.0.2.0/24")
        assert.deepStrictEqual(yield* store.origin(id), Option.some("192.0.2.0/24"))
        assert.deepStrictEqual(yield* store.origin(sibling.id), Option.some(null))
      })
    )

    it.effect("a locked account changes in one transaction at a time", () =>
      Effect.gen(function* () {
        const { id, store } = yield* insert({ passwordHash: "" })
        const { run } = yield* Transaction
        const append = run(
          Effect.gen(function* () {
            assert.isTrue(Option.isSome(yield* store.lock(id)))
            const hash = Option.getOrThrow(yield* store.passwordHash(id))
            yield* store.setPasswordHash(id, `${hash}x`, at(1))
          })
        )
        yield* Effect.all([append, append, append, append], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* store.passwordHash(id), Option.some("xxxx"))
        assert.deepStrictEqual(yield* run(store.lock(unknown)), Option.none())
      })
    )

    it.effect(
      "lists memberships in the order of joining, and the administrators of a project with the owner first",
      () =>
        Effect.gen(function* () {
          const [project, later] = [yield* storeProject, yield* storeProject]
          const [anna, ben, carl, dora] = [yield* insert(), yield* insert(), yield* insert(), yield* insert()]
          const { store } = anna
          const join = (account: AccountId, project: ProjectId, role: MemberRole, minute: number) =>
            store.join(account, { project, role }, at(minute))
          yield* join(anna.id, project, "ADMIN", 1)
          yield* join(ben.id, project, "OWNER", 3)
          yield* join(carl.id, project, "MEMBER", 0)
          yield* join(dora.id, project, "ADMIN", 2)
          yield* join(anna.id, later, "OWNER", 0)
          assert.deepStrictEqual(
            yield* store.administrators(project),
            [ben, anna, dora].map(({ stored }) => stored.email)
          )
          assert.deepStrictEqual(yield* store.administrators(yield* storeProject), [])
          assert.deepStrictEqual(yield* store.memberships(anna.id), [
            { project: later, role: "OWNER" },
            { project, role: "ADMIN" }
          ])
          assert.deepStrictEqual(yield* store.memberships(unknown), [])
        })
    )

    it.effect("is removed once, and not while it owns a project", () =>
      Effect.gen(function* () {
        const [owner, admin] = [yield* insert(), yield* insert()]
        const { store } = owner
        const members = yield* MemberStore.make
        const [project, other] = [yield* storeProject, yield* storeProject]
        yield* store.join(owner.id, { project, role: "OWNER" }, at(0))
        yield* store.join(admin.id, { project, role: "ADMIN" }, at(0))
        const invite = (to: ProjectId, kind: InvitationKind) => {
          const id = InvitationId.make(randomUUID())
          const invitation = { id, kind, email: admin.stored.email, role: "ADMIN", invitedBy: null } as const
          return members.invite(to, { ...invitation, expiresAt: at(9), tokenHash: id }, at(0))
        }
        yield* invite(project, "OWNERSHIP")
        yield* invite(other, "MEMBERSHIP")
        assert.isFalse(yield* store.remove(owner.id))
        assert.deepStrictEqual(yield* store.find(owner.id), Option.some(owner.stored))
        assert.isTrue(yield* store.remove(admin.id))
        assert.isFalse(yield* store.remove(admin.id))
        assert.deepStrictEqual(yield* store.find(admin.id), Option.none())
        assert.lengthOf(yield* members.invitations(project, at(1)), 0)
        assert.lengthOf(yield* members.invitations(other, at(1)), 1)
        assert.deepStrictEqual(yield* store.administrators(project), [owner.stored.email])
      })
    )
  })
}
