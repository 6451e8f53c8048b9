/** Delays that receivers report after the hand-over slow a provider. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { project } from "../../testing/Services.ts"
import { mailTo, notify, tally, wireWith } from "../receivers/ReceiversFixture.ts"
import * as ShapingSql from "./ShapingSql.ts"
import { installation } from "./ShapingState.ts"

const start = Date.UTC(2026, 10, 20, 15)
const limited = "421-4.7.28 [192.0.2.1] Our system has detected an unusual rate of mail to ada@gmail.com"

for (const [name, database] of databases()) {
  layer(wireWith(database), { timeout: "60 seconds" })(`Reported delays on ${name}`, (it) => {
    const setUp = Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const sql = yield* SqlClient.SqlClient
      yield* sql`truncate shaping, shaping_log, shaping_reports, emails, email_attempts cascade`
      let sent = 0
      /** A mail that was handed over, by a transport of the project if one is named. */
      const mail = Effect.fnUntraced(function* (provider: string | null, transportId: string | null = null) {
        const id = yield* mailTo(`c${++sent}@example.com`)
        yield* sql`update emails set provider = ${provider} where id = ${id}`
        yield* sql`
          insert into email_attempts (project_id, email_id, number, started_at, ended_at, outcome, transport, transport_id)
          values (${project}::uuid, ${id}, 1, now(), now(), 'accepted', ${transportId === null ? "smtp2" : "relay"}, ${transportId})`
        return id
      })
      const delayed = Effect.fnUntraced(function* (emailId: string, diagnostic: string, id: string = randomUUID()) {
        const timestamp = DateTime.formatIso(yield* DateTime.now)
        const { body } = yield* notify({ id, type: "deferral", emailId, timestamp, status: "4.7.28", diagnostic })
        return body.data
      })
      const slowed = Effect.map(ShapingSql.readAll(sql), (rows) =>
        rows.map((row) => [row.key, row.transport, row.project, row.status, row.level])
      )
      return { sql, mail, delayed, slowed }
    })

    it.effect("five within ten minutes are a signal about the provider and the transport of the mail", () =>
      Effect.gen(function* () {
        const { delayed, mail, slowed, sql } = yield* setUp
        for (let n = 0; n < 4; n++) yield* delayed(yield* mail("GMAIL"), limited)
        assert.deepStrictEqual(yield* slowed, [])
        // The first four are forgotten after ten minutes.
        yield* TestClock.setTime(start + 600_001)
        for (let n = 0; n < 4; n++) yield* delayed(yield* mail("GMAIL"), limited)
        // Other providers, other transports, other texts, mail of an unknown provider and a repeated report do not count.
        yield* delayed(yield* mail("YAHOO"), limited)
        yield* delayed(yield* mail("GMAIL", randomUUID()), limited)
        yield* delayed(yield* mail("GMAIL"), "452 4.2.2 Mailbox full")
        yield* delayed(yield* mail(null), limited)
        const last = yield* mail("GMAIL")
        assert.deepStrictEqual(yield* slowed, [])
        assert.deepStrictEqual(yield* delayed(last, limited, "once"), tally({ accepted: 1 }))
        assert.deepStrictEqual(yield* slowed, [["GMAIL", "smtp2", installation, "SLOWED", 1]])
        const [{ reason } = { reason: {} }] = yield* sql<{ readonly reason: { readonly reply?: string } }>`
          select reason from shaping`
        assert.notMatch(reason.reply ?? "", /192|ada/)

        // The count begins again: four more and a repeated one change nothing, and the next one is a second signal.
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual(yield* delayed(last, limited, "once"), tally({ duplicates: 1 }))
        for (let n = 0; n < 4; n++) yield* delayed(yield* mail("GMAIL"), limited)
        assert.deepStrictEqual((yield* slowed)[0]?.[4], 1)
        yield* delayed(yield* mail("GMAIL"), limited)
        assert.deepStrictEqual((yield* slowed)[0]?.[4], 2)
      })
    )

    it.effect("about mail by a transport of a project slow that transport, for that project alone", () =>
      Effect.gen(function* () {
        const { delayed, mail, slowed } = yield* setUp
        const relay = randomUUID()
        for (let n = 0; n < 5; n++) yield* delayed(yield* mail("GMAIL", relay), limited)
        assert.deepStrictEqual(yield* slowed, [["GMAIL", relay, project, "SLOWED", 1]])
      })
    )

    it.effect("with a text that asks for a pause suspend the provider", () =>
      Effect.gen(function* () {
        const { delayed, mail, slowed } = yield* setUp
        const text = "451 4.7.0 [TSS04] Messages temporarily deferred"
        for (let n = 0; n < 5; n++) yield* delayed(yield* mail("YAHOO"), text)
        assert.deepStrictEqual(yield* slowed, [["YAHOO", "smtp2", installation, "SUSPENDED", 3]])
      })
    )
  })
}
