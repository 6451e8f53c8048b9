import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import * as ProjectStoreSql from "../../accounts/projects/ProjectStoreSql.ts"
import * as ContactStoreSql from "../../audience/contacts/ContactStoreSql.ts"
import * as TemplateStoreSql from "../../content/templates/TemplateStoreSql.ts"
import * as EventLog from "../../events/EventLog.ts"
import * as Transaction from "../../platform/Transaction.ts"
import * as Wakeups from "../../platform/Wakeups.ts"
import { databases } from "../../testing/Databases.ts"
import * as ExecutionStoreSql from "./executions/ExecutionStoreSql.ts"
import { executionStoreSuite } from "./executions/ExecutionStoreSuite.ts"
import * as RunStoreSql from "./run/RunStoreSql.ts"
import { runStoreSuite } from "./run/RunStoreSuite.ts"
import * as WorkflowStoreSql from "./WorkflowStoreSql.ts"
import { workflowStoreSuite } from "./WorkflowStoreSuite.ts"

const stores = Layer.mergeAll(
  ContactStoreSql.layer,
  EventLog.layerSql,
  ExecutionStoreSql.layer,
  ProjectStoreSql.layer,
  RunStoreSql.layer,
  TemplateStoreSql.layer,
  Transaction.layerSql,
  WorkflowStoreSql.layer
).pipe(Layer.provide([SecureRandom.layerWebCrypto, Wakeups.layer]))

for (const [name, database] of databases()) {
  const storage = Layer.provideMerge(stores, database)
  executionStoreSuite(`ExecutionStoreSql on ${name}`, storage)
  runStoreSuite(`RunStoreSql on ${name}`, storage, { waits: name !== "PGlite" })
  workflowStoreSuite(`WorkflowStoreSql on ${name}`, storage)
}
