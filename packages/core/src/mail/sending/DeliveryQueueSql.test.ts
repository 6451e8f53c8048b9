import { Layer } from "effect"
import * as ProjectStoreSql from "../../accounts/projects/ProjectStoreSql.ts"
import * as SuppressedAddress from "../../audience/suppression/SuppressedAddress.ts"
import { databases } from "../../testing/Databases.ts"
import { crypto, secrets } from "../../testing/Services.ts"
import * as LedgerSql from "../ledger/LedgerSql.ts"
import * as DeliveryQueueSql from "./DeliveryQueueSql.ts"
import { deliveryQueueSuite } from "./DeliveryQueueSuite.ts"

const stores = Layer.mergeAll(DeliveryQueueSql.layer, LedgerSql.layer, ProjectStoreSql.layer).pipe(
  Layer.provide(SuppressedAddress.layer),
  Layer.provide([crypto, secrets])
)

for (const [name, database] of databases()) {
  deliveryQueueSuite(`DeliveryQueueSql on ${name}`, Layer.provideMerge(stores, database))
}
