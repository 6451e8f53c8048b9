import { Layer } from "effect"
import * as Transaction from "../../platform/Transaction.ts"
import { databases } from "../../testing/Databases.ts"
import * as TemplateStoreSql from "../templates/TemplateStoreSql.ts"
import * as PartialStoreSql from "./PartialStoreSql.ts"
import { partialStoreSuite } from "./PartialStoreSuite.ts"

const stores = Layer.mergeAll(PartialStoreSql.layer, TemplateStoreSql.layer, Transaction.layerSql)

for (const [name, database] of databases()) {
  partialStoreSuite(`PartialStoreSql on ${name}`, Layer.provide(stores, database))
}
