import { Layer } from "effect"
import { databases } from "../testing/Databases.ts"
import * as HitStoreSql from "./HitStoreSql.ts"
import { hitStoreSuite } from "./HitStoreSuite.ts"

for (const [name, database] of databases()) hitStoreSuite(name, Layer.provideMerge(HitStoreSql.layer, database))
