/** Tests of the promises of BillingStore, over any layer. Emails come from the ledger. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import type { LimitedCategory } from "@posthorn/contract/accounts/billing/Billing"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, type Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Ledger, type NewEmail } from "../../mail/ledger/Ledger.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { newEmail } from "../../testing/SampleEmails.ts"
import { at, freshProject } from "../../testing/StoreValues.ts"
import { BillingStore, type Cap } from "./BillingStore.ts"
import type { BillingPeriod } from "./Periods.ts"

const period: BillingPeriod = { start: at(0), end: at(30) }
const nextPeriod: BillingPeriod = { start: at(30), end: at(59) }
const nothing = { workflows: 0, campaigns: 0, transactional: 0, inbound: 0 }

const cap = (category: LimitedCategory, limit: number): Cap => ({ category, limit })
const ten = [cap("transactional", 10), cap("total", 12)]

type Stores = BillingStore | Ledger | SqlClient.SqlClient | Transaction

export const billingStoreSuite = (name: string, storage: Layer.Layer<Stores>) => {
  const fresh = Effect.all({ project: freshProject, other: freshProject, store: BillingStore })

  const accept = Effect.fnUntraced(function* (project: ProjectId, minute: number, more: Partial<NewEmail> = {}) {
    const id = EmailId.make(randomUUID())
    const email = newEmail(ContactId.make(randomUUID()), id, "a@example.com", { id, contactId: null, ...more })
    yield* Ledger.use((ledger) => ledger.accept(project, [email], [{ id, html: null, text: "Hi" }], [], at(minute)))
    return id
  })

  const charge = (project: ProjectId, caps: ReadonlyArray<Cap>, count: number, of = period) =>
    Effect.gen(function* () {
      const { run } = yield* Transaction
      const store = yield* BillingStore
      return yield* run(store.charge(project, of, caps, count))
    })

  const used = (project: ProjectId, caps: ReadonlyArray<Cap> = ten, of = period) =>
    BillingStore.use((store) => Effect.map(store.used(project, of, caps), (found) => found.map(({ used }) => used)))

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("has no caps at first, and sets the given ones", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const none = { workflows: null, campaigns: null, transactional: null, inbound: null }
        assert.deepStrictEqual(yield* store.terms(project), { caps: none, subscription: undefined })
        yield* store.setCaps(project, { workflows: 5, inbound: 0 })
        yield* store.setCaps(project, { workflows: null, campaigns: 7 })
        assert.deepStrictEqual((yield* store.terms(project)).caps, { ...none, campaigns: 7, inbound: 0 })
        assert.deepStrictEqual((yield* store.terms(other)).caps, none)
      })
    )

    it.effect("counts the emails of a period by their source, and what was recorded apart from them", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const sql = yield* SqlClient.SqlClient
        yield* accept(project, 0)
        yield* accept(project, 29, { sourceType: "CAMPAIGN" })
        yield* accept(project, 29, { sourceType: "WORKFLOW" })
        yield* accept(project, 5, { sourceType: "WORKFLOW" })
        yield* accept(project, 5, { test: true })
        yield* accept(project, 30)
        yield* accept(other, 5)
        for (const status of ["CANCELLED", "SUPPRESSED"]) {
          yield* sql`update emails set status = ${status} where id = ${yield* accept(project, 6)}`
        }
        yield* store.record(project, { id: randomUUID(), category: "inbound", count: 3 }, at(0))
        yield* store.record(project, { id: randomUUID(), category: "transactional", count: 2 }, at(29))
        yield* store.record(project, { id: randomUUID(), category: "inbound", count: 9 }, at(30))
        const usage = { workflows: 2, campaigns: 1, transactional: 3, inbound: 3 }
        assert.deepStrictEqual(yield* store.usage(project, period), usage)
        assert.deepStrictEqual(yield* store.usage(project, nextPeriod), { ...nothing, transactional: 1, inbound: 9 })
        assert.deepStrictEqual(yield* store.usage(other, period), { ...nothing, transactional: 1 })
        const caps = [cap("workflows", 9), cap("inbound", 9), cap("total", 9)]
        assert.deepStrictEqual(
          yield* store.used(project, period, caps),
          caps.map((each, n) => ({ ...each, used: [2, 3, 9][n] ?? -1 }))
        )
      })
    )

    it.effect("charges up to the cap, and names the cap that would be exceeded", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* accept(project, 1)
        assert.isUndefined(yield* store.excess(project, period, ten, 9))
        assert.deepStrictEqual(yield* store.excess(project, period, ten, 10), { ...cap("transactional", 10), used: 1 })
        assert.isUndefined(yield* charge(project, ten, 8))
        assert.deepStrictEqual(yield* used(project), [9, 9])
        assert.deepStrictEqual(yield* charge(project, ten, 2), { ...cap("transactional", 10), used: 9 })
        assert.deepStrictEqual(yield* store.excess(project, period, ten, 2), { ...cap("transactional", 10), used: 9 })
        assert.isUndefined(yield* charge(project, ten, 1))
        assert.deepStrictEqual(yield* used(project), [10, 10])
        assert.deepStrictEqual(yield* charge(project, [cap("transactional", 99), cap("total", 12)], 3), {
          ...cap("total", 12),
          used: 10
        })
        assert.deepStrictEqual(yield* used(other), [0, 0])
        assert.deepStrictEqual(yield* used(project, ten, nextPeriod), [0, 0])
      })
    )

    it.effect("a charge that is rolled back, or given back, is none", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { run } = yield* Transaction
        yield* charge(project, ten, 1)
        yield* Effect.flip(run(Effect.andThen(store.charge(project, period, ten, 5), Effect.fail("undone"))))
        assert.deepStrictEqual(yield* used(project), [1, 1])
        yield* run(
          Effect.andThen(store.charge(project, period, ten, 5), store.giveBack(project, period, [cap("total", 12)], 2))
        )
        assert.deepStrictEqual(yield* used(project), [6, 4])
      })
    )

    it.effect("concurrent charges do not exceed the cap", () =>
      Effect.gen(function* () {
        const { project } = yield* fresh
        const results = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => charge(project, ten, 3), {
          concurrency: "unbounded"
        })
        assert.lengthOf(
          results.filter((excess) => excess === undefined),
          3
        )
        assert.deepStrictEqual(yield* used(project), [9, 9])
      })
    )

    it.effect("counts the emails again when it is asked to, or when the counters are wrong", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        for (const owner of [project, other]) {
          yield* accept(owner, 1)
          yield* charge(owner, ten, 4)
        }
        assert.deepStrictEqual(yield* used(project), [5, 5])
        yield* store.recount(project)
        assert.deepStrictEqual(yield* used(project), [1, 1])
        assert.deepStrictEqual(yield* used(other), [5, 5])
        yield* store.recountIfWrong(project, period)
        assert.deepStrictEqual(yield* used(project), [1, 1])
        yield* store.recountIfWrong(other, nextPeriod)
        assert.deepStrictEqual(yield* used(other), [5, 5])
        yield* store.recountIfWrong(other, period)
        assert.deepStrictEqual(yield* used(other), [1, 1])
      })
    )

    it.effect("keeps the count of emails that are then deleted, once for each time", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const sql = yield* SqlClient.SqlClient
        for (const owner of [project, other]) {
          yield* accept(owner, 1)
          yield* accept(owner, 2, { sourceType: "CAMPAIGN" })
        }
        yield* store.carryOver(project, period, at(3))
        yield* store.carryOver(project, period, at(3))
        yield* sql`delete from emails where project_id in (${project}, ${other})`
        assert.deepStrictEqual(yield* store.usage(project, period), { ...nothing, transactional: 1, campaigns: 1 })
        assert.deepStrictEqual(yield* store.usage(other, period), nothing)
      })
    )

    it.effect("watches projects with a cap, and those with a counter of a period that has not ended", () =>
      Effect.gen(function* () {
        const { project: capped, other: counted, store } = yield* fresh
        const lifted = yield* freshProject
        yield* store.setCaps(capped, { campaigns: 1 })
        yield* store.setCaps(lifted, { campaigns: 1 })
        yield* store.setCaps(lifted, { campaigns: null })
        yield* charge(counted, ten, 1)
        const watched = (minute: number) =>
          Effect.map(store.watched(at(minute)), (found) =>
            [capped, counted, lifted].filter((project) => found.includes(project))
          )
        assert.deepStrictEqual(yield* watched(29), [capped, counted])
        assert.deepStrictEqual(yield* watched(30), [capped])
      })
    )

    it.effect("warns once for each category and period", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const warns = (owner: ProjectId, category: LimitedCategory, of = period) =>
          store.firstWarning(owner, category, of)
        assert.deepStrictEqual(
          [
            yield* warns(project, "total"),
            yield* warns(project, "total"),
            yield* warns(project, "inbound"),
            yield* warns(project, "total", nextPeriod),
            yield* warns(other, "total")
          ],
          [true, false, true, true, true]
        )
      })
    )

    it.effect("sweeps the counters of periods that have ended", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        yield* charge(project, ten, 4)
        yield* charge(project, ten, 4, nextPeriod)
        yield* store.sweep(at(30))
        assert.deepStrictEqual(yield* used(project), [4, 4])
        yield* store.sweep(DateTime.add(at(30), { seconds: 1 }))
        assert.deepStrictEqual(
          [yield* used(project), yield* used(project, ten, nextPeriod)],
          [
            [0, 0],
            [4, 4]
          ]
        )
      })
    )
  })
}
