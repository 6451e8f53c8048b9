import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import { ContactStore } from "./ContactStore.ts"
import * as ContactStoreSql from "./ContactStoreSql.ts"
import { contactStoreSuite } from "./ContactStoreSuite.ts"
import { noDataChange } from "./DataChange.ts"

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
}
