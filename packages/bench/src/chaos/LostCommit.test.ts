/**
 * The connection to the database breaks during a commit, so its outcome is unknown (fault matrix F9), or the database
 * aborts the transaction (F11).
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe } from "vitest"
import * as CutQuery from "./CutQuery.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { installation, isThere } from "./OnPostgres.ts"
import { copiesOf } from "./Verdict.ts"
import { until } from "./Waiting.ts"

const timeout = 120_000

const isCommit = (statement: string) => statement === "COMMIT"
/** The only statement with which /v1/track writes. */
const isTouch = (statement: string) => statement.includes("insert into contacts")
/** The same for /v1/send to one recipient; with an Idempotency-Key it is in a transaction. */
const isAcceptance = (statement: string) => statement.includes("insert into emails")

const mailsTo = (address: string) =>
  Effect.map(Ledger.entries, (entries) => entries.flatMap(({ id, to }) => (to === address ? [id] : [])))

const eventsOf = (address: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.orDie(sql`
      select events.id from events join contacts on contacts.id = contact_id and contacts.project_id = events.project_id
      where email = ${address}`)
  ).pipe(Effect.map((rows) => rows.map(({ id }) => String(id))))

/** A server that reaches its database over a connection that can be cut. It has already sent an email. */
const server = Effect.gen(function* () {
  const { databaseUrl, senders, startApi } = yield* Installation
  const [project] = senders
  const wire = yield* CutQuery.make(databaseUrl)
  const api = yield* startApi({ databaseUrl: wire.url })
  const post = (to: string, key?: string) =>
    Load.post(api.url, { project, key, body: Load.mailTo(project, [to]) }, { mode: "replay" })
  assert.strictEqual((yield* post("first@example.com")).status, 200)
  return { post, track: (email: string) => Load.track(api.url, project, email), wire }
})

/** From now on, commits of rows in the table take a second and a half, and the connection breaks meanwhile. */
const slowCommits = (table: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.orDie(
      Effect.andThen(
        sql.unsafe(`create or replace function slowly() returns trigger language plpgsql
                    as 'begin perform pg_sleep(1.5); return null; end'`),
        sql.unsafe(`create constraint trigger slow after insert on ${table} deferrable initially deferred
                    for each row execute function slowly()`)
      )
    )
  )

/**
 * This many times, the database aborts writes of emails with a state, as in a conflict of transactions (fault matrix
 * F11).
 */
const refused = (event: "insert" | "update", status: string, errorCode: string, times: number) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.gen(function* () {
      const name = `refused_${event}`
      yield* sql.unsafe(`create sequence ${name}`)
      yield* sql.unsafe(`create function ${name}() returns trigger language plpgsql as 'begin
        if nextval(''posthorn.${name}'') <= ${times} then raise exception using errcode = ''${errorCode}''; end if;
        return new; end'`)
      yield* sql.unsafe(`create trigger ${name} before ${event} on emails for each row when (new.status = '${status}')
        execute function ${name}()`)
    })
  ).pipe(Effect.orDie)

describe.skipIf(!isThere)("When the database is lost during a commit", () => {
  layer(installation({ projects: 1 }), { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "that did not arrive, the answer is 503 and nothing is there",
      () =>
        Effect.gen(function* () {
          const { post, track, wire } = yield* server
          wire.cutAt(isAcceptance, "before")
          assert.strictEqual((yield* post("cut-before@example.com")).status, 503)
          assert.deepStrictEqual(yield* mailsTo("cut-before@example.com"), [])
          wire.cutAt(isTouch, "before")
          assert.strictEqual((yield* track("cut-before@example.com")).status, 503)
          assert.deepStrictEqual(yield* eventsOf("cut-before@example.com"), [])

          wire.cutAt(isCommit, "before")
          assert.strictEqual((yield* post("cut-before@example.com", "cut-before")).status, 503)
          assert.strictEqual((yield* post("cut-before@example.com", "cut-before")).status, 200, "the key is free")
          assert.lengthOf(yield* mailsTo("cut-before@example.com"), 1)
        }),
      timeout
    )

    it.effect(
      "that was done, the answer is 200 and tells of what is there",
      () =>
        Effect.gen(function* () {
          const { post, track, wire } = yield* server
          wire.cutAt(isAcceptance, "reply")
          const sent = yield* post("cut-after@example.com")
          assert.strictEqual(sent.status, 200)
          assert.deepStrictEqual(yield* Load.mailsOf(sent), yield* mailsTo("cut-after@example.com"))

          wire.cutAt(isTouch, "reply")
          const tracked = yield* track("tracked@example.com")
          assert.strictEqual(tracked.status, 200)
          assert.deepStrictEqual([yield* Load.eventOf(tracked)], yield* eventsOf("tracked@example.com"))

          wire.cutAt(isCommit, "reply")
          const keyed = yield* post("keyed@example.com", "keyed")
          assert.strictEqual(keyed.status, 200)
          assert.deepStrictEqual((yield* post("keyed@example.com", "keyed")).body, keyed.body, "the key is kept")
          assert.deepStrictEqual(yield* Load.mailsOf(keyed), yield* mailsTo("keyed@example.com"))
          assert.strictEqual(wire.cuts(), 3)
        }),
      timeout
    )

    it.effect(
      "that it gave up itself, it is tried again, callers are asked to come again, and a result is recorded once it can be",
      () =>
        Effect.gen(function* () {
          const { post } = yield* server
          const { startWorker } = yield* Installation
          // A transaction is run four times in all; the second client gets the last failure.
          yield* refused("insert", "PENDING", "40P01", 5)
          assert.strictEqual((yield* post("deadlock@example.com", "deadlock")).status, 503)
          assert.strictEqual((yield* post("deadlock@example.com", "deadlock")).status, 200, "the key is free")
          yield* refused("update", "SENT", "40001", 3)
          yield* startWorker()
          yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
          const [mail] = (yield* Ledger.entries).filter(({ to }) => to === "deadlock@example.com")
          assert.deepInclude(mail, { status: "SENT", claims: 1, outcomes: ["accepted"], told: 1 })
          assert.strictEqual(yield* copiesOf(mail?.id ?? ""), 1)
        }),
      timeout
    )

    it.effect(
      "that still runs, the answer waits for its end",
      () =>
        Effect.gen(function* () {
          const { post, track, wire } = yield* server
          yield* slowCommits("emails")
          wire.cutAt(isAcceptance, "while")
          const sent = yield* post("slow@example.com")
          assert.strictEqual(sent.status, 200)
          assert.deepStrictEqual(yield* Load.mailsOf(sent), yield* mailsTo("slow@example.com"))

          wire.cutAt(isCommit, "while")
          const keyed = yield* post("slow-keyed@example.com", "slow")
          assert.strictEqual(keyed.status, 200)
          assert.deepStrictEqual(yield* Load.mailsOf(keyed), yield* mailsTo("slow-keyed@example.com"))

          yield* slowCommits("events")
          wire.cutAt(isTouch, "while")
          const tracked = yield* track("slow@example.com")
          assert.strictEqual(tracked.status, 200)
          assert.deepStrictEqual([yield* Load.eventOf(tracked)], yield* eventsOf("slow@example.com"))
          assert.strictEqual(wire.cuts(), 3)
        }),
      timeout
    )
  })
})
