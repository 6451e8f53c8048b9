import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { databases } from "../../testing/Databases.ts"
import * as Transaction from "../Transaction.ts"
import * as JobQueueSql from "./JobQueueSql.ts"
import { jobQueueSuite } from "./JobQueueSuite.ts"

const stores = Layer.merge(JobQueueSql.layer, Transaction.layerSql).pipe(Layer.provide(SecureRandom.layerWebCrypto))

for (const [name, database] of databases()) {
  jobQueueSuite(`JobQueueSql on ${name}`, Layer.provideMerge(stores, database))
}
