import { assert, layer } from "@effect/vitest"
import { EmailType } from "@posthorn/contract/content/templates/Template"
import { SourceType } from "@posthorn/contract/mail/emails/Email"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { pglite } from "../testing/Databases.ts"
import { asksConsent, asksConsentSql } from "./Eligibility.ts"

layer(pglite, { timeout: "60 seconds" })("asksConsent", (it) => {
  it.effect.prop(
    "is the same rule in TypeScript and in SQL",
    [EmailType, SourceType, Schema.NullOr(Schema.String.check(Schema.isUUID()))],
    ([type, source, topic]) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql`
        select ${sql.literal(asksConsentSql)} as asks 
        from (select ${type}::text, ${source}::text, ${topic}::uuid) as emails(type, source_type, topic_id)`
        assert.strictEqual(row?.["asks"], asksConsent(type, source, topic))
      })
  )
})
