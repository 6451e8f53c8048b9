import { Layer } from "effect"
import * as LedgerSql from "../emails/LedgerSql.ts"
import * as ProjectStoreSql from "../projects/ProjectStoreSql.ts"
import * as SuppressedAddress from "../suppression/SuppressedAddress.ts"
import { databases } from "../testing/Databases.ts"
import { crypto, secrets } from "../testing/Services.ts"
import * as DeliveryQueueSql from "./DeliveryQueueSql.ts"
import { deliveryQueueSuite } from "./DeliveryQueueSuite.ts"

const stores = Layer.mergeAll(DeliveryQueueSql.layer, LedgerSql.layer, ProjectStoreSql.layer).pipe(
  Layer.provide(SuppressedAddress.layer),
  Layer.provide([crypto, secrets])
)

for (const [name, database] of databases()) {
  deliveryQueueSuite(`DeliveryQueueSql on ${name}`, Layer.provideMerge(stores, database))
}
