import { assert, layer } from "@effect/vitest"
import { EmailType } from "@posthorn/contract/content/templates/Template"
import { SourceType } from "@posthorn/contract/mail/emails/Email"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { pglite } from "../testing/Databases.ts"
import { asksConsent, asksConsentSql } from "./Eligibility.ts"

layer(pglite, { timeout: "60 seconds" })("asksConsent", (it) => {
  it.effect.prop("is the same rule in TypeScript and in SQL", [EmailType, SourceType], ([type, source]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`
        select ${sql.literal(asksConsentSql)} as asks from (select ${type}::text, ${source}::text) as emails(type, source_type)`
      assert.strictEqual(row?.["asks"], asksConsent(type, source))
    })
  )
})
