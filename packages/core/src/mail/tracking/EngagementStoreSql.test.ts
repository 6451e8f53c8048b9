import { Layer } from "effect"
import { databases } from "../../testing/Databases.ts"
import * as EngagementStoreSql from "./EngagementStoreSql.ts"
import { engagementStoreSuite } from "./EngagementStoreSuite.ts"

for (const [name, database] of databases())
  engagementStoreSuite(name, Layer.provideMerge(EngagementStoreSql.layer, database))
