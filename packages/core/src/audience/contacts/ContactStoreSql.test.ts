import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { type ContactData, ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Exit, Fiber, Layer, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import { hold, somebodyWaits } from "../../testing/LockWaits.ts"
import * as Statements from "../../testing/Statements.ts"
import { at } from "../../testing/StoreValues.ts"
import { ContactStore } from "./ContactStore.ts"
import * as ContactStoreSql from "./ContactStoreSql.ts"
import { contactStoreSuite } from "./ContactStoreSuite.ts"
import { dataChange, noDataChange } from "./DataChange.ts"

const project = ProjectId.make("019a0000-0000-7000-8000-000000000000")

for (const [name, database] of databases()) {
  contactStoreSuite(`ContactStoreSql on ${name}`, Layer.provide(ContactStoreSql.layer, database))

  layer(Layer.provideMerge(ContactStoreSql.layer, database), { timeout: "60 seconds" })(`Events on ${name}`, (it) => {
    it.effect("are not written for contacts without events", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const store = yield* ContactStore
        yield* sql`create table inserts (of text)`
        yield* sql`
          create function note_insert() returns trigger language plpgsql as $$
          begin insert into inserts values (tg_table_name); return null; end $$`
        for (const table of ["contacts", "events"]) {
          yield* sql`
            create trigger noted_insert after insert on ${sql(table)} for each statement execute function note_insert()`
        }
        const contact = { id: ContactId.make(project), email: "anna@example.com", data: noDataChange }
        yield* store.upsert(project, [contact], yield* DateTime.now)
        assert.deepStrictEqual(yield* sql`select of from inserts`, [{ of: "contacts" }])
        const event = { id: project, name: "order.placed", data: {} }
        yield* store.upsert(project, [{ ...contact, event }], yield* DateTime.now)
        assert.deepStrictEqual(yield* sql`select of from inserts where of = 'events'`, [{ of: "events" }])
        assert.lengthOf(yield* sql`select from events`, 1)
      })
    )
  })

  const counted = Statements.counter()
  const traced = Layer.provideMerge(database, Layer.succeed(Tracer.Tracer, counted.tracer))
  layer(Layer.provideMerge(ContactStoreSql.layer, traced), { timeout: "60 seconds" })(
    `Contacts that are written at the same time on ${name}`,
    (it) => {
      const write = Effect.fnUntraced(function* (of: ProjectId, email: string, data: ContactData, hasEvent = false) {
        const event = { id: randomUUID(), name: "order.placed", data: { of: email } }
        const contact = { id: ContactId.make(randomUUID()), email, data: dataChange(data), ...(hasEvent && { event }) }
        const [written] = yield* ContactStore.use((store) => store.upsert(of, [contact], at(0)))
        return written
      })

      it.effect("share a statement, each in its own project and with its own event", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const other = ProjectId.make(randomUUID())
          yield* write(other, "c1@example.com", { plan: "old", city: "Rome" })
          const numbers = [1, 2, 3, 4, 5, 6]
          const written = yield* Effect.forEach(
            numbers.flatMap((n) => [project, other].map((of) => ({ of, n }))),
            ({ of, n }) => write(of, `c${n}@example.com`, { plan: of === project ? n : -n }, n > 3),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            written.map(({ contact: { projectId, email, data }, isNew }) => ({ projectId, email, data, isNew })),
            numbers.flatMap((n) => {
              const email = `c${n}@example.com`
              const mine = { projectId: project, email, data: { plan: n }, isNew: true }
              const data = n === 1 ? { plan: -n, city: "Rome" } : { plan: -n }
              return [mine, { projectId: other, email, data, isNew: n > 1 }]
            })
          )
          const events = yield* sql`
            select contacts.email, data_of.of as "of", count(*)::int as count
            from events join contacts on contacts.project_id = events.project_id and contacts.id = events.contact_id
            cross join lateral (select events.data ->> 'of' as of) as data_of
            group by 1, 2 order by 1`
          assert.deepStrictEqual(
            events,
            [4, 5, 6].map((n) => ({ email: `c${n}@example.com`, of: `c${n}@example.com`, count: 2 }))
          )
          const [{ transactions } = { transactions: 0 }] = yield* sql<{ readonly transactions: number }>`
            select count(distinct xmin::text)::int as transactions from contacts where data ? 'plan'`
          // Two are under way before the others share a statement.
          assert.isAtMost(transactions, 3)
        })
      )

      it.effect("are refused alone", () =>
        Effect.gen(function* () {
          const exits = yield* Effect.forEach(
            [1, 2, 3, 4],
            (n) => Effect.exit(write(project, `r${n}@example.com`, { text: "x".repeat(n === 3 ? 66_000 : 10) })),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true])
        })
      )

      it.effect.runIf(name === "PostgreSQL")(
        "take one statement alone, also while another transaction has locked them",
        () =>
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const store = yield* ContactStore
            for (const more of [{}, { externalId: "customer-1" }]) {
              const contact = {
                id: ContactId.make(randomUUID()),
                email: "alone@example.com",
                data: noDataChange,
                ...more
              }
              yield* store.upsert(project, [contact], at(0))
              const release = yield* hold(sql`select from contacts where email = 'alone@example.com' for update`)
              const before = counted.count()
              const upsert = Effect.map(store.upsert(project, [contact], at(1)), () => counted.count() - before)
              const fiber = yield* Effect.forkChild(upsert, { startImmediately: true })
              yield* Effect.withTracerEnabled(somebodyWaits, false)
              yield* release
              assert.strictEqual(yield* Fiber.join(fiber), 1)
            }
          })
      )

      it.effect.runIf(name === "PostgreSQL")("do not wait for one that another transaction has locked", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const emails = [1, 2, 3, 4, 5].map((n) => `l${n}@example.com`)
          for (const email of emails) yield* write(project, email, {})
          const release = yield* hold(sql`select from contacts where email = 'l5@example.com' for update`)
          const fibers = yield* Effect.forEach(emails, (email) =>
            Effect.forkChild(write(project, email, { plan: "pro" }), { startImmediately: true })
          )
          yield* Effect.forEach(fibers.slice(0, 4), Fiber.join)
          yield* somebodyWaits
          yield* release
          const { contact } = yield* Fiber.join(fibers[4] ?? (yield* Effect.die("no fiber")))
          assert.deepStrictEqual(contact.data, { plan: "pro" })
        })
      )
    }
  )
}
