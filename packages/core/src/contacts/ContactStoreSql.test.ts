import { Layer } from "effect"
import { databases } from "../testing/Databases.ts"
import * as ContactStoreSql from "./ContactStoreSql.ts"
import { contactStoreSuite } from "./ContactStoreSuite.ts"

for (const [name, database] of databases()) {
  contactStoreSuite(`ContactStoreSql on ${name}`, Layer.provide(ContactStoreSql.layer, database))
}
