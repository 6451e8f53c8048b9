import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import type { ProviderDelivery } from "@posthorn/contract/insight/deliverability/Deliverability"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { sendingProject, work } from "../../automation/campaigns/CampaignsFixture.ts"
import * as RecipientDomains from "../../mail/recipients/RecipientDomains.ts"
import * as ShapingJobs from "../../mail/shaping/ShapingJobs.ts"
import { MailerError } from "../../platform/Mailer.ts"
import { databases } from "../../testing/Databases.ts"
import { Peer, receipt } from "../../testing/MailerMemory.ts"
import { sendDue } from "../../testing/SendDue.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"

const noon = DateTime.toEpochMillis(DateTime.makeUnsafe("2026-11-27T12:00:00Z"))

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds", excludeTestServices: false })(
    `GET /deliverability/providers, on ${name}`,
    (it) => {
      const project = Effect.fnUntraced(function* (domains: ReadonlyArray<string>) {
        const sql = yield* SqlClient.SqlClient
        const made = yield* sendingProject(0)
        for (const [n, domain] of domains.entries()) {
          yield* sql`
            insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
            values (${randomUUID()}, ${made.project}, ${`reader${n}@${domain}`}, true, '{}', now(), now())`
        }
        const campaign = yield* made.create()
        assert.strictEqual((yield* made.ask("POST", `/campaigns/${campaign}/send`)).status, 200)
        yield* work
        const providers = Effect.map(made.ask("GET", "/deliverability/providers"), ({ body, status }) => {
          assert.strictEqual(status, 200, JSON.stringify(body))
          return body as unknown as ReadonlyArray<typeof ProviderDelivery.Encoded>
        })
        return { ...made, campaign, providers }
      })

      it.effect("shows the state of the service with the figures of the project, and no address of another one", () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(noon)
          const peer = yield* Peer
          yield* RecipientDomains.storeKnown
          yield* peer.answer(({ to }) =>
            to[0]?.address.endsWith("@yahoo.com")
              ? Effect.fail(
                  new MailerError({
                    reason: "refused",
                    transport: "smtp1",
                    code: 421,
                    enhancedCode: "4.7.0",
                    reply: `421 4.7.0 [TSS04] Messages from 192.0.2.9 to ${to[0].address} temporarily deferred`
                  })
                )
              : Effect.succeed({ ...receipt, transport: "smtp1" })
          )
          const one = yield* project(["gmail.com", "gmail.com", "yahoo.com", "yahoo.com", "yahoo.com", "yahoo.com"])
          yield* sendDue(1, 3)
          const other = yield* project(["yahoo.com", "example.com"])
          const [yahoo, gmail] = yield* one.providers
          assert.deepInclude(yahoo, {
            provider: "YAHOO",
            name: "Yahoo",
            transport: "smtp1",
            state: "SUSPENDED",
            level: 3,
            until: "2026-11-27T14:00:00.000Z",
            waiting: 4,
            reason: {
              code: 421,
              enhancedCode: "4.7.0",
              reply: "421 4.7.0 [TSS04] Messages from ... to ... temporarily deferred",
              at: "2026-11-27T12:00:00.000Z"
            }
          })
          assert.isAbove(yahoo?.lastHour.deferred ?? 0, 0)
          assert.deepInclude(gmail, {
            provider: "GMAIL",
            name: "Gmail",
            transport: null,
            state: "NORMAL",
            level: 0,
            reason: null,
            lastHour: { sent: 2, deferred: 0 },
            sevenDays: { sent: 2, delivered: 0, bounced: 0, complained: 0, deferred: 0 }
          })

          // The other project sees the state too, and its own mail.
          yield* sendDue(1, 5)
          const seen = yield* other.providers
          assert.deepInclude(seen[0], {
            provider: "YAHOO",
            state: "SUSPENDED",
            waiting: 1,
            lastHour: { sent: 0, deferred: 0 }
          })
          assert.notInclude(JSON.stringify(seen), "reader")
          assert.deepStrictEqual(
            seen.map(({ provider }) => provider),
            ["YAHOO", "OTHER"]
          )

          const waiting = yield* other.ask("GET", "/emails?status=PENDING")
          const [mail] = waiting.body.data as unknown as ReadonlyArray<{ readonly hold: unknown }>
          assert.deepStrictEqual(mail?.hold, { reason: "PROVIDER_LIMIT", until: "2026-11-27T14:00:00.000Z" })

          yield* TestClock.setTime(noon + 2 * 3_600_000)
          yield* ShapingJobs.advance
          assert.deepInclude((yield* other.providers)[0], { state: "PROBING", ratePerMinute: 1, until: null })
        })
      )
    }
  )
}
