import { Layer } from "effect"
import * as SuppressedAddress from "../audience/suppression/SuppressedAddress.ts"
import * as DomainStoreSql from "../mail/domains/DomainStoreSql.ts"
import * as LedgerSql from "../mail/ledger/LedgerSql.ts"
import * as Transaction from "../platform/Transaction.ts"
import { databases } from "../testing/Databases.ts"
import { crypto, secrets } from "../testing/Services.ts"
import * as BillingStoreSql from "./billing/BillingStoreSql.ts"
import { billingStoreSuite } from "./billing/BillingStoreSuite.ts"
import * as AccountStoreSql from "./people/AccountStoreSql.ts"
import { accountStoreSuite } from "./people/AccountStoreSuite.ts"
import * as ApiKeyStoreSql from "./projects/ApiKeyStoreSql.ts"
import { apiKeyStoreSuite } from "./projects/ApiKeyStoreSuite.ts"
import * as ProjectStoreSql from "./projects/ProjectStoreSql.ts"
import { projectStoreSuite } from "./projects/ProjectStoreSuite.ts"

const stores = Layer.mergeAll(
  AccountStoreSql.layer,
  ApiKeyStoreSql.layer,
  BillingStoreSql.layer,
  DomainStoreSql.layer,
  LedgerSql.layer,
  ProjectStoreSql.layer,
  Transaction.layerSql
).pipe(Layer.provide(SuppressedAddress.layer), Layer.provide([crypto, secrets]))

for (const [name, database] of databases()) {
  const storage = Layer.provideMerge(stores, database)
  accountStoreSuite(`AccountStoreSql on ${name}`, storage)
  apiKeyStoreSuite(`ApiKeyStoreSql on ${name}`, storage)
  billingStoreSuite(`BillingStoreSql on ${name}`, storage)
  projectStoreSuite(`ProjectStoreSql on ${name}`, storage)
}
