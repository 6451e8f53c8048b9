import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import * as ContactStoreSql from "../audience/contacts/ContactStoreSql.ts"
import * as EventLog from "../events/EventLog.ts"
import * as Transaction from "../platform/Transaction.ts"
import * as Wakeups from "../platform/Wakeups.ts"
import { databases } from "../testing/Databases.ts"
import * as DeliveryStoreSql from "./DeliveryStoreSql.ts"
import { deliveryStoreSuite } from "./DeliveryStoreSuite.ts"
import * as WebhookStoreSql from "./WebhookStoreSql.ts"
import { webhookStoreSuite } from "./WebhookStoreSuite.ts"

const stores = Layer.mergeAll(
  ContactStoreSql.layer,
  DeliveryStoreSql.layer,
  EventLog.layerSql,
  Transaction.layerSql,
  WebhookStoreSql.layer
).pipe(Layer.provide([SecureRandom.layerWebCrypto, Wakeups.layer]))

for (const [name, database] of databases()) {
  webhookStoreSuite(`WebhookStoreSql on ${name}`, Layer.provideMerge(stores, database))
  deliveryStoreSuite(`DeliveryStoreSql on ${name}`, Layer.provideMerge(stores, database))
}
