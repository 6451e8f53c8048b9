import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/Auth"
import { EmailId, type EmailStatus } from "@posthorn/contract/emails/Email"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../testing/Databases.ts"
import { suppressions } from "../testing/Services.ts"
import { Ledger, type Notice } from "./Ledger.ts"
import * as LedgerSql from "./LedgerSql.ts"

const now = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15))
const rank = ["SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "COMPLAINED"] as const
const reached = { delivered: "DELIVERED", bounced: "BOUNCED", complained: "COMPLAINED" } as const

const mailIn = (project: ProjectId, status: EmailStatus) =>
  Effect.map(
    SqlClient.SqlClient.use(
      (sql) => sql`
        insert into emails (id, project_id, to_email, from_email, type, source_type, tracking, status, lane, due_at,
                            ladder_since, created_at, updated_at)
        values (${randomUUID()}, ${project}, 'a@example.com', 'b@example.com', 'TRANSACTIONAL', 'TRANSACTIONAL', false,
                ${status}, 0, now(), now(), now(), now())
        returning id`
    ),
    ([row]) => EmailId.make(String(row?.["id"]))
  )

const statusOf = (id: string) =>
  Effect.map(
    SqlClient.SqlClient.use((sql) => sql`select status from emails where id = ${id}`),
    ([row]) => String(row?.["status"])
  )

for (const [name, database] of databases()) {
  layer(Layer.provideMerge(LedgerSql.layer, Layer.provideMerge(suppressions, database)), { timeout: "60 seconds" })(
    `Ledger on ${name}`,
    (it) => {
      it.effect.prop(
        "in whatever order notices come, and however often, the highest state is reached and each kind is news once",
        [Schema.Array(Schema.Literals(["delivered", "bounced", "complained"]))],
        ([kinds]) =>
          Effect.gen(function* () {
            const ledger = yield* Ledger
            const project = ProjectId.make(randomUUID())
            const id = yield* mailIn(project, "SENT")
            const news = yield* Effect.forEach(kinds, (kind) =>
              ledger.notice(project, id, { kind, at: now } satisfies Notice, now)
            )
            const highest = Math.max(0, ...kinds.map((kind) => rank.indexOf(reached[kind])))
            assert.strictEqual(yield* statusOf(id), rank[highest])
            assert.strictEqual(news.filter((entry) => entry !== undefined).length, new Set(kinds).size)
          })
      )

      it.effect(
        "a notice proves that ambiguous and failed mail went out, and says nothing about mail that did not",
        () =>
          Effect.gen(function* () {
            const ledger = yield* Ledger
            const project = ProjectId.make(randomUUID())
            const rows = [
              ["AMBIGUOUS", "delivered", "DELIVERED"],
              ["AMBIGUOUS", "bounced", "BOUNCED"],
              ["FAILED", "bounced", "BOUNCED"],
              ["FAILED", "delivered", "DELIVERED"],
              ["BOUNCED", "complained", "COMPLAINED"],
              ["COMPLAINED", "bounced", "COMPLAINED"],
              ["PENDING", "delivered", "PENDING"],
              ["SENDING", "complained", "SENDING"],
              ["SUPPRESSED", "bounced", "SUPPRESSED"],
              ["CANCELLED", "delivered", "CANCELLED"]
            ] as const
            for (const [before, kind, after] of rows) {
              const id = yield* mailIn(project, before)
              yield* ledger.notice(project, id, { kind, at: now }, now)
              assert.strictEqual(yield* statusOf(id), after, `${before} and ${kind}`)
            }
          })
      )

      it.effect("another project's mail is not there", () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const id = yield* mailIn(ProjectId.make(randomUUID()), "SENT")
          const stranger = ProjectId.make(randomUUID())
          assert.isUndefined(yield* ledger.notice(stranger, id, { kind: "delivered", at: now }, now))
          assert.strictEqual(yield* statusOf(id), "SENT")
        })
      )
    }
  )
}
