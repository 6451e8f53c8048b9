import { assert, layer } from "@effect/vitest"
import { ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import { InvalidCursor } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import { EventLog } from "../../events/EventLog.ts"
import * as LedgerSql from "../../mail/ledger/LedgerSql.ts"
import * as Cursors from "../../platform/Cursors.ts"
import * as Transaction from "../../platform/Transaction.ts"
import { project, services } from "../../testing/Services.ts"
import * as ContactStoreSql from "./ContactStoreSql.ts"
import * as Contacts from "./Contacts.ts"

layer(services, { timeout: "60 seconds" })("Contacts", (it) => {
  it.effect("read the time from Effect's Clock", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts.Contacts
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
      const {
        contact: { id }
      } = yield* contacts.upsert(project, { email: "clock@example.com" })
      yield* TestClock.adjust("1 hour")
      const updated = yield* contacts.update(project, id, { subscribed: false })
      assert.strictEqual(DateTime.formatIso(updated.createdAt), "2026-11-20T15:00:00.000Z")
      assert.strictEqual(DateTime.formatIso(updated.updatedAt), "2026-11-20T16:00:00.000Z")
    })
  )

  it.effect("are not found once deleted, and cannot be deleted twice", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts.Contacts
      const {
        contact: { id }
      } = yield* contacts.upsert(project, { email: "gone@example.com" })
      yield* contacts.delete(project, id)
      assert.instanceOf(yield* Effect.flip(contacts.get(project, id)), ContactNotFound)
      assert.instanceOf(yield* Effect.flip(contacts.delete(project, id)), ContactNotFound)
    })
  )

  it.effect("report the total on the first page, and no cursor on the last", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts.Contacts
      const search = "@pages.example.com"
      for (const name of ["a", "b", "c"]) yield* contacts.upsert(project, { email: name + search })
      const first = yield* contacts.list(project, { limit: 2, search })
      assert.deepStrictEqual([first.data.length, first.hasMore, first.total], [2, true, 3])
      const second = yield* contacts.list(project, { limit: 2, search, cursor: first.cursor ?? "" })
      assert.deepStrictEqual(
        [second.data.length, second.hasMore, second.total, second.cursor],
        [1, false, 0, undefined]
      )
      const elsewhere = contacts.list(project, { limit: 2, cursor: first.cursor ?? "" })
      assert.instanceOf(yield* Effect.flip(elsewhere), InvalidCursor)
    })
  )

  it.effect("commit a subscription change and its event together or not at all", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts.Contacts
      const { contact } = yield* contacts.upsert(project, { email: "flip@example.com" })
      const exit = yield* Contacts.Contacts.use((_) => _.update(project, contact.id, { subscribed: false })).pipe(
        Effect.provide(withoutEvents, { local: true }),
        Effect.exit
      )
      assert.isTrue(Exit.hasDies(exit))
      assert.deepStrictEqual(yield* contacts.get(project, contact.id), contact)
    })
  )
})

/** All services except the event log. */
const withoutEvents = Contacts.layer.pipe(
  Layer.provide([ContactStoreSql.layer, Cursors.layer, LedgerSql.layer, Transaction.layerSql]),
  Layer.provide(
    Layer.succeed(
      EventLog,
      EventLog.of({
        record: () => Effect.die("the event log is down"),
        recordForEach: () => Effect.die("the event log is down"),
        of: () => Effect.die("the event log is down"),
        move: () => Effect.die("the event log is down"),
        forget: () => Effect.die("the event log is down")
      })
    )
  )
)
