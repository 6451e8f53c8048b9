import { PgClient } from "@effect/sql-pg"
import { Layer, Redacted } from "effect"
import * as Migrations from "../migrations/index.ts"
import * as ProjectKeysSql from "../projects/ProjectKeysSql.ts"
import { database } from "../testing/Services.ts"
import * as ContactStoreSql from "./ContactStoreSql.ts"
import { contactStoreSuite } from "./ContactStoreSuite.ts"

const stores = Layer.mergeAll(ContactStoreSql.layer, ProjectKeysSql.layer).pipe(Layer.provide(Migrations.layer))

contactStoreSuite("ContactStoreSql on PGlite", Layer.provide(stores, database))

const url = process.env["POSTHORN_TEST_DATABASE_URL"]
if (url !== undefined) {
  const postgres = Layer.orDie(PgClient.layer({ url: Redacted.make(url), maxConnections: 10 }))
  contactStoreSuite("ContactStoreSql on PostgreSQL", Layer.provide(stores, postgres))
}
