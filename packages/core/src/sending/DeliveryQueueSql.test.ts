import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import * as LedgerSql from "../emails/LedgerSql.ts"
import * as ProjectStoreSql from "../projects/ProjectStoreSql.ts"
import { databases } from "../testing/Databases.ts"
import { suppressions } from "../testing/Services.ts"
import * as DeliveryQueueSql from "./DeliveryQueueSql.ts"
import { deliveryQueueSuite } from "./DeliveryQueueSuite.ts"

const stores = Layer.mergeAll(DeliveryQueueSql.layer, LedgerSql.layer, ProjectStoreSql.layer).pipe(
  Layer.provide(Layer.merge(SecureRandom.layerWebCrypto, suppressions))
)

for (const [name, database] of databases()) {
  deliveryQueueSuite(`DeliveryQueueSql on ${name}`, Layer.provideMerge(stores, database))
}
