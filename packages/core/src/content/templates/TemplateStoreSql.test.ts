import { assert, layer } from "@effect/vitest"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import { TemplateStore } from "./TemplateStore.ts"
import * as TemplateStoreSql from "./TemplateStoreSql.ts"
import { templateStoreSuite } from "./TemplateStoreSuite.ts"

const project = ProjectId.make("019a0000-0000-7000-8000-000000000000")
const other = ProjectId.make("019a0000-0000-7000-8000-00000000000f")
const template = TemplateId.make("019a0000-0000-7000-8000-0000000000c1")

/** Inserts a mail made from the template, either SENT or still waiting. */
const insertEmail = Effect.fnUntraced(function* (owner: ProjectId, templateId: string | null, sent: boolean) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into emails (id, project_id, to_email, from_email, type, source_type, template_id, tracking, status, lane,
      due_at, ladder_since, sent_at, created_at, updated_at)
    values (gen_random_uuid(), ${owner}, 'a@example.com', 'hi@example.com', 'TRANSACTIONAL', 'TRANSACTIONAL',
      ${templateId}::uuid, true, ${sent ? "SENT" : "PENDING"}, 0, now(), now(), ${sent ? new Date(0) : null}, now(),
      now())`
})

for (const [name, database] of databases()) {
  const storage = Layer.provideMerge(TemplateStoreSql.layer, database)

  templateStoreSuite(`TemplateStoreSql on ${name}`, storage)

  layer(storage, { timeout: "60 seconds" })(`TemplateStoreSql on ${name}`, (it) => {
    it.effect("counts the sent mail of this template in this project", () =>
      Effect.gen(function* () {
        const store = yield* TemplateStore
        yield* insertEmail(project, template, true)
        yield* insertEmail(project, template, true)
        yield* insertEmail(project, template, false)
        yield* insertEmail(project, null, true)
        yield* insertEmail(other, template, true)
        const nothing = { campaigns: [], workflowSteps: [] }
        assert.deepStrictEqual(yield* store.references(project, template), { ...nothing, emailsSent: 2 })
      })
    )
  })
}
