import { Layer } from "effect"
import * as Transaction from "../../platform/Transaction.ts"
import { databases } from "../../testing/Databases.ts"
import * as SegmentStoreSql from "./SegmentStoreSql.ts"
import { segmentStoreSuite } from "./SegmentStoreSuite.ts"

const stores = Layer.merge(SegmentStoreSql.layer, Transaction.layerSql)

for (const [name, database] of databases()) {
  segmentStoreSuite(`SegmentStoreSql on ${name}`, Layer.provideMerge(stores, database))
}
