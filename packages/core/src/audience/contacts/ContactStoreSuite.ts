/** Tests of the promises of ContactStore, over any layer. */

import { assert, layer } from "@effect/vitest"
import { ContactId, EmailAlreadyExists } from "@posthorn/contract/audience/contacts/Contact"
import { Array, DateTime, Effect, type Layer, Option } from "effect"
import { at, freshProject as newProject, uuid } from "../../testing/StoreValues.ts"
import type { ConsentGiven } from "../consents/ConsentSql.ts"
import { DataTooLarge } from "./ContactConstraints.ts"
import { ContactStore, type ContactUpsert } from "./ContactStore.ts"
import { dataChange, noDataChange } from "./DataChange.ts"

/** What an unsubscription records. */
const gone = (n: number): ConsentGiven => ({
  entries: [{ id: uuid(1000 + n), to: "unsubscribed" }],
  proof: { source: "api", actor: "key" }
})

const contact = (n: number, more: Partial<ContactUpsert> = {}): ContactUpsert => ({
  id: ContactId.make(uuid(n)),
  email: `c${n}@example.com`,
  data: noDataChange,
  ...more
})

/** The merge rules, case by case: given data, stored data before and after. */
const before = { plan: "free", city: "Köln", address: { zip: "1", country: "DE" } }
const merges = [
  [{ plan: "pro" }, { ...before, plan: "pro" }],
  [
    { plan: null, city: "" },
    { city: "Köln", address: before.address }
  ],
  [{ address: { zip: "2" } }, { ...before, address: { zip: "2" } }],
  [{ code: { value: "8812", persistent: false } }, before],
  [{ plan: { value: "gold", persistent: false } }, before],
  [{ price: { value: 3, persistent: true } }, { ...before, price: { value: 3, persistent: true } }],
  [
    { email: "x@y.de", id: "7", vip: false },
    { ...before, vip: false }
  ],
  [{ nested: { a: null, b: "" } }, { ...before, nested: { a: null, b: "" } }]
] as const

export const contactStoreSuite = (name: string, storage: Layer.Layer<ContactStore>) => {
  const freshProject = Effect.all({ project: newProject, store: ContactStore })

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("creates once, then updates; updatedAt changes only if a value does", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const [created] = yield* store.upsert(project, [contact(1, { data: dataChange({ a: 1 }) })], at(0))
        const [same] = yield* store.upsert(project, [contact(2, { email: "c1@example.com" })], at(1))
        const unsubscribed = contact(3, { email: "c1@example.com", subscribed: false })
        const [changed] = yield* store.upsert(project, [unsubscribed], at(2))
        assert.deepStrictEqual([created.isNew, same.isNew, changed.isNew], [true, false, false])
        assert.deepStrictEqual(same.contact, created.contact)
        assert.deepStrictEqual(changed.contact, {
          ...created.contact,
          subscribed: false,
          subscription: "unsubscribed",
          updatedAt: at(2)
        })
      })
    )

    it.effect("updates many in one statement, each with its own data", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        yield* store.upsert(project, [contact(1, { data: dataChange({ a: 1, b: 1 }) })], at(0))
        const upserted = yield* store.upsert(
          project,
          [
            contact(1, { data: dataChange({ a: null, c: 3 }) }),
            contact(2, { data: dataChange({ a: 2 }), subscribed: false })
          ],
          at(1)
        )
        const byEmail = new Map(upserted.map((_) => [_.contact.email, [_.isNew, _.contact.subscribed, _.contact.data]]))
        assert.deepStrictEqual(byEmail.get("c1@example.com"), [false, true, { b: 1, c: 3 }])
        assert.deepStrictEqual(byEmail.get("c2@example.com"), [true, false, { a: 2 }])
      })
    )

    it.effect.each(merges)("merges data: %j", ([given, after]) =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        yield* store.upsert(project, [contact(1, { data: dataChange(before) })], at(0))
        const [upserted] = yield* store.upsert(project, [contact(1, { data: dataChange(given) })], at(1))
        assert.deepStrictEqual<unknown>(upserted.contact.data, after)
        yield* store.upsert(project, [contact(2, { data: dataChange(before) })], at(0))
        const updated = yield* store.update(project, ContactId.make(uuid(2)), { data: dataChange(given) }, at(1))
        assert.deepStrictEqual<unknown>(Option.getOrThrow(updated).contact.data, after)
      })
    )

    it.effect("concurrent first calls create one contact with the data of all", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const keys = Array.makeBy(10, (n) => `k${n}`)
        const results = yield* Effect.forEach(
          keys,
          (key, n) => {
            const same = contact(n, { email: "one@example.com", data: dataChange({ [key]: n }) })
            return store.upsert(project, [same], at(0))
          },
          { concurrency: "unbounded" }
        )
        assert.strictEqual(results.filter(([{ isNew }]) => isNew).length, 1)
        const [found] = yield* store.list(project, {}, { sort: "email", dir: "asc" }, 10)
        assert.deepStrictEqual(Object.keys(found?.data ?? {}).sort(), keys)
      })
    )

    it.effect("measures 64 KB as JSON without whitespace, for any structure and any text", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const filled = (bytes: number) => {
          const data = { list: Array.replicate(1, 5_000), 'a "key", \\ : b': 'a "text", \\ : \\', fill: "" }
          const room = bytes - JSON.stringify(data).length
          return { ...data, fill: "é ".repeat(room / 3) + "x".repeat(room % 3) }
        }
        const full = filled(65_536)
        assert.strictEqual(new TextEncoder().encode(JSON.stringify(full)).length, 65_536)
        const [{ contact: stored }] = yield* store.upsert(project, [contact(1, { data: dataChange(full) })], at(0))
        assert.deepStrictEqual(stored.data, full)
        const more = { ...full, fill: `${full.fill}x` }
        const refused = yield* Effect.flip(store.upsert(project, [contact(1, { data: dataChange(more) })], at(1)))
        assert.instanceOf(refused, DataTooLarge)
      })
    )

    it.effect("refuses data above 64 KB after the merge, and a taken address, and changes nothing", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const half = "x".repeat(40_000)
        const [{ contact: first }] = yield* store.upsert(
          project,
          [contact(1, { data: dataChange({ a: half }) })],
          at(0)
        )
        yield* store.upsert(project, [contact(2)], at(0))
        const more = contact(1, { data: dataChange({ b: half }) })
        const tooLarge = yield* Effect.flip(store.upsert(project, [more], at(1)))
        const taken = yield* Effect.flip(store.update(project, first.id, { email: "c2@example.com" }, at(1)))
        assert.instanceOf(tooLarge, DataTooLarge)
        assert.instanceOf(taken, EmailAlreadyExists)
        assert.deepStrictEqual(yield* store.find(project, first.id), Option.some(first))
      })
    )

    it.effect(
      "pages contain every contact exactly once, in both orders, with equal keys and concurrent deletions",
      () =>
        Effect.gen(function* () {
          const { project, store } = yield* freshProject
          for (let n = 0; n < 7; n++) yield* store.upsert(project, [contact(n)], at(Math.floor(n / 3)))
          const byTime = { sort: "createdAt", dir: "desc" } as const
          const [a, b, c] = yield* store.list(project, {}, byTime, 3)
          assert.isDefined(c)
          yield* store.delete(project, c.id, at(9))
          const rest = yield* store.list(project, {}, byTime, 9, { key: DateTime.formatIso(c.createdAt), id: c.id })
          assert.deepStrictEqual(
            [a, b, c, ...rest].map((_) => _?.email.at(1)),
            ["6", "5", "4", "3", "2", "1", "0"]
          )
          const byEmail = yield* store.list(project, {}, { sort: "email", dir: "asc" }, 9, {
            key: "c1@example.com",
            id: uuid(1)
          })
          assert.deepStrictEqual(
            byEmail.map((_) => _.email.at(1)),
            ["2", "3", "5", "6"]
          )
        })
    )

    it.effect("searches literally, and only in the project", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const emails = [contact(1, { email: "a_b@example.com" }), contact(2, { email: "axb@example.com" })] as const
        yield* store.upsert(project, emails, at(0))
        assert.strictEqual(yield* store.count(project, { search: "A_B" }), 1)
        assert.strictEqual(yield* store.count(project, { search: "%" }), 0)
        const other = (yield* freshProject).project
        assert.strictEqual(yield* store.count(other, {}), 0)
        assert.isTrue(Option.isNone(yield* store.find(other, ContactId.make(uuid(1)))))
        assert.isFalse(yield* store.delete(other, ContactId.make(uuid(1)), at(9)))
      })
    )

    it.effect("reports a subscription change only if the stored state changes", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const [created] = yield* store.upsert(project, [contact(1, { subscribed: false })], at(0))
        const [same] = yield* store.upsert(project, [contact(2, { email: "c1@example.com", subscribed: false })], at(1))
        const [flipped] = yield* store.upsert(
          project,
          [contact(3, { email: "c1@example.com", subscribed: true })],
          at(2)
        )
        const [kept] = yield* store.upsert(project, [contact(4, { email: "c1@example.com" })], at(3))
        assert.deepStrictEqual(
          [created, same, flipped, kept].map((_) => _.flipped),
          [false, false, true, false]
        )
        const left = yield* store.unsubscribe(project, "c1@example.com", gone(1), at(4))
        assert.deepStrictEqual(
          left.map((_) => [_.contact.subscribed, _.flipped]),
          [[false, true]]
        )
        assert.deepStrictEqual(yield* store.unsubscribe(project, "c1@example.com", gone(2), at(5)), [])
      })
    )

    it.effect("a new contact has the given subscription, and is subscribed by default", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const upserted = yield* store.upsert(
          project,
          [
            contact(1),
            contact(2, { subscribedWhenNew: false }),
            contact(3, { subscribedWhenNew: false, subscribed: true })
          ],
          at(0)
        )
        const states = new Map(upserted.map((_) => [_.contact.email.at(1), _.contact.subscribed]))
        assert.deepStrictEqual([...states].sort(), [
          ["1", true],
          ["2", false],
          ["3", true]
        ])
      })
    )

    it.effect("a search finds the same contacts by either plan, with or without a known total", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const named = (name: string, count: number, time: number) => {
          const many = Array.makeBy(count, (n) => contact(time * 10_000 + n, { email: `${name}-${n}@example.com` }))
          return Array.isReadonlyArrayNonEmpty(many) ? store.upsert(project, many, at(time)) : Effect.die("none")
        }
        yield* named("old", 20, 1)
        yield* named("new", 5_500, 2)
        const order = { sort: "createdAt", dir: "desc" } as const
        const found = (search: string, limit: number, total?: number) =>
          Effect.map(store.list(project, { search }, order, limit, undefined, total), (contacts) =>
            contacts.map(({ email }) => email)
          )
        const newest = Array.makeBy(10, (n) => `new-${5_499 - n}@example.com`)
        const oldest = Array.makeBy(20, (n) => `old-${19 - n}@example.com`)
        assert.deepStrictEqual(yield* found("NEW-", 10), newest)
        assert.deepStrictEqual(yield* found("new-", 10, 5_500), newest)
        assert.deepStrictEqual(yield* found("old-", 100), oldest)
        assert.deepStrictEqual(yield* found("old-", 100, 20), oldest)
        assert.deepStrictEqual(yield* found("_ld", 100), [])
        assert.deepStrictEqual(
          [yield* store.count(project, { search: "new-" }), yield* store.count(project, { search: "%" })],
          [5_500, 0]
        )
      })
    )
  })
}
