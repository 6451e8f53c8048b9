import { assert, describe, layer, it as plainIt } from "@effect/vitest"
import type { Domain } from "@posthorn/contract/mail/domains/Domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../../testing/Databases.ts"
import { project, settings, zone } from "../../../testing/Services.ts"
import { send } from "../../../testing/TestClient.ts"
import { wireWith } from "../../receivers/ReceiversFixture.ts"
import { publish } from "../DnsResolverMemory.ts"
import { decide, type LastNotice, watchAll } from "./HealthChanges.ts"

const day = 86_400_000
const nothing: LastNotice = { ready: null, failing: [], notified: {} }

plainIt("notifies of a change at most once a week for each check, and of the last state in the end", () => {
  let recorded = nothing
  const looks: ReadonlyArray<readonly [day: number, failing: ReadonlyArray<string>, tells: boolean]> = [
    // The first look tells nothing.
    [0, ["dkim"], false],
    [1, ["dkim", "spf"], false],
    [2, [], true],
    // Both were reasons two days ago.
    [3, ["spf"], false],
    [4, ["spf", "dmarc_record"], true],
    [5, [], false],
    [10, [], false],
    [11, [], true],
    [12, [], false],
    [18, ["spf"], true]
  ]
  for (const [at, failing, tells] of looks) {
    const next = decide(recorded, failing, at * day)
    assert.strictEqual(next.tells, tells, `day ${at}`)
    recorded = { ready: next.ready, failing: next.failing, notified: next.notified }
  }
  assert.deepStrictEqual(recorded.ready, false)
})

describe.each(databases())("changes of the health of domains on %s", (_, database) => {
  layer(wireWith(database, { ...settings, devMode: false }), { timeout: "120 seconds" })((it) => {
    it.effect("are an event and a mail to the administrators", () =>
      Effect.gen(function* () {
        zone.clear()
        const sql = yield* SqlClient.SqlClient
        const account = "019a0000-0000-7000-8000-0000000000aa"
        yield* sql`
          insert into users (id, email, email_verified, created_at, updated_at)
          values (${account}, 'owner@acme.test', true, now(), now())`
        yield* sql`
          insert into members (project_id, user_id, role, created_at) values (${project}, ${account}, 'OWNER', now())`
        const domain = (yield* send("POST", "/domains", { domain: "told.acme.test" })).body as Domain
        const recorded = Effect.gen(function* () {
          const events = yield* sql<{ readonly data: unknown }>`
            select data from events where project_id = ${project} and name = 'domain.health_changed' order by id`
          const mails = yield* sql<{ readonly subject: string }>`
            select subject from system_mails order by created_at, subject`
          return { events: events.map(({ data }) => data), mails: mails.map(({ subject }) => subject) }
        })
        yield* watchAll
        assert.deepStrictEqual(yield* recorded, { events: [], mails: [] })
        publish(zone, domain.records)
        // DNS is asked once a day.
        yield* TestClock.adjust("23 hours")
        yield* watchAll
        assert.deepStrictEqual((yield* recorded).events, [])
        yield* TestClock.adjust("1 hour")
        yield* watchAll
        const ready = { domainId: domain.id, domain: "told.acme.test", ready: true, failing: [] }
        assert.deepStrictEqual(yield* recorded, {
          events: [ready],
          mails: ["A domain meets the requirements of mailbox providers again"]
        })
        yield* TestClock.adjust("8 days")
        zone.clear()
        yield* watchAll
        yield* watchAll
        const { events, mails } = yield* recorded
        assert.deepStrictEqual(events, [ready, { ...ready, ready: false, failing: ["dkim", "dmarc_record"] }])
        assert.lengthOf(mails, 2)
        // Domains of a disabled project are passed over.
        yield* sql`update projects set disabled_reason = 'MANUAL' where id = ${project}`
        publish(zone, domain.records)
        yield* TestClock.adjust("8 days")
        yield* watchAll
        assert.lengthOf((yield* recorded).events, 2)
        yield* sql`update projects set disabled_reason = null where id = ${project}`
        yield* watchAll
        assert.lengthOf((yield* recorded).events, 3)
      })
    )
  })
})
