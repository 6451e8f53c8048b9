import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Layer } from "effect"
import * as Transaction from "../../platform/Transaction.ts"
import { databases } from "../../testing/Databases.ts"
import { DomainStore } from "./DomainStore.ts"
import * as DomainStoreSql from "./DomainStoreSql.ts"
import { domainStoreSuite } from "./DomainStoreSuite.ts"
import { insertEmail, insertTemplate } from "./DomainUsageFixture.ts"

const project = ProjectId.make("019a0000-0000-7000-8000-000000000000")
const other = ProjectId.make("019a0000-0000-7000-8000-00000000000f")

for (const [name, database] of databases()) {
  const storage = Layer.merge(DomainStoreSql.layer, Transaction.layerSql).pipe(Layer.provideMerge(database))

  domainStoreSuite(`DomainStoreSql on ${name}`, storage)

  layer(storage, { timeout: "60 seconds" })(`DomainStoreSql on ${name}`, (it) => {
    it.effect("knows which templates and how much unsent mail use exactly this domain", () =>
      Effect.gen(function* () {
        const store = yield* DomainStore
        const nothing = { templates: [], workflowSteps: [], campaigns: [], pendingEmails: 0 }
        assert.deepStrictEqual(yield* store.usage(project, "acme.test"), nothing)
        for (const address of ["a@mail.acme.test", "a@acme.test.example", "acme.test@b.co"]) {
          yield* insertTemplate(project, "Elsewhere", address)
          yield* insertEmail(project, address, "PENDING")
        }
        yield* insertTemplate(other, "Theirs", "a@acme.test")
        yield* insertEmail(other, "a@acme.test", "PENDING")
        for (const status of ["SENT", "DELIVERED", "FAILED", "BOUNCED", "CANCELLED", "SUPPRESSED"]) {
          yield* insertEmail(project, "a@acme.test", status)
        }
        yield* insertEmail(project, "a@acme.test", "AMBIGUOUS", { rests: true })
        assert.deepStrictEqual(yield* store.usage(project, "acme.test"), nothing)

        const id = yield* insertTemplate(project, "Welcome", "hi@acme.test")
        yield* insertEmail(project, "a@acme.test", "PENDING")
        yield* insertEmail(project, "a@acme.test", "PENDING", { lane: 1 })
        yield* insertEmail(project, "a@acme.test", "SENDING", { lane: 1 })
        yield* insertEmail(project, "a@acme.test", "AMBIGUOUS")
        assert.deepStrictEqual(yield* store.usage(project, "acme.test"), {
          ...nothing,
          templates: [{ id, name: "Welcome" }],
          pendingEmails: 4
        })
      })
    )
  })
}
