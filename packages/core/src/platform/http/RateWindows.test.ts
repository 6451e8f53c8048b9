import { Layer } from "effect"
import { databases } from "../../testing/Databases.ts"
import * as RateWindows from "./RateWindows.ts"
import { rateWindowsSuite } from "./RateWindowsSuite.ts"

for (const [name, database] of databases()) {
  rateWindowsSuite(name, Layer.provide(RateWindows.layerSql, database))
}
