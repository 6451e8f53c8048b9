import { Layer } from "effect"
import { databases } from "../testing/Databases.ts"
import * as ParkedNotifications from "./ParkedNotifications.ts"
import { parkedNotificationsSuite } from "./ParkedNotificationsSuite.ts"
import * as Transaction from "./Transaction.ts"

const stores = Layer.merge(ParkedNotifications.layerSql, Transaction.layerSql)

for (const [name, database] of databases()) {
  parkedNotificationsSuite(`ParkedNotifications on ${name}`, Layer.provide(stores, database))
}
