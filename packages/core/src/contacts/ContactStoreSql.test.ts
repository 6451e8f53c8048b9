import { Layer } from "effect"
import { databases } from "../testing/Databases.ts"
import { contactStoreSuite } from "./ContactStoreSuite.ts"
import * as ContactStoreSql from "./ContactStoreSql.ts"

for (const [name, database] of databases()) {
  contactStoreSuite(`ContactStoreSql on ${name}`, Layer.provide(ContactStoreSql.layer, database))
}
