import { Layer } from "effect"
import { databases } from "../../testing/Databases.ts"
import * as Transaction from "../Transaction.ts"
import * as IdempotencyKeys from "./IdempotencyKeys.ts"
import { idempotencyKeysSuite } from "./IdempotencyKeysSuite.ts"

const stores = Layer.merge(IdempotencyKeys.layerSql, Transaction.layerSql)

for (const [name, database] of databases()) {
  idempotencyKeysSuite(`IdempotencyKeys on ${name}`, Layer.provideMerge(stores, database))
}
