import { Layer } from "effect"
import * as ContactStoreSql from "../../audience/contacts/ContactStoreSql.ts"
import * as SuppressedAddress from "../../audience/suppression/SuppressedAddress.ts"
import * as Transaction from "../../platform/Transaction.ts"
import { databases } from "../../testing/Databases.ts"
import { crypto, secrets } from "../../testing/Services.ts"
import * as LedgerSql from "./LedgerSql.ts"
import { ledgerSuite } from "./LedgerSuite.ts"

const stores = Layer.mergeAll(ContactStoreSql.layer, LedgerSql.layer, Transaction.layerSql).pipe(
  Layer.provide(SuppressedAddress.layer),
  Layer.provide([crypto, secrets])
)

for (const [name, database] of databases()) {
  ledgerSuite(`LedgerSql on ${name}`, Layer.provideMerge(stores, database), { waits: name !== "PGlite" })
}
