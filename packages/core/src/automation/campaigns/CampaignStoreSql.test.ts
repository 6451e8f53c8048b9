import { Layer } from "effect"
import * as ProjectStoreSql from "../../accounts/projects/ProjectStoreSql.ts"
import * as ContactStoreSql from "../../audience/contacts/ContactStoreSql.ts"
import * as Transaction from "../../platform/Transaction.ts"
import { databases } from "../../testing/Databases.ts"
import * as CampaignStoreSql from "./CampaignStoreSql.ts"
import { campaignStoreSuite } from "./CampaignStoreSuite.ts"

const stores = Layer.mergeAll(
  CampaignStoreSql.layer,
  ContactStoreSql.layer,
  ProjectStoreSql.layer,
  Transaction.layerSql
)

for (const [name, database] of databases()) {
  campaignStoreSuite(`CampaignStoreSql on ${name}`, Layer.provideMerge(stores, database))
}
