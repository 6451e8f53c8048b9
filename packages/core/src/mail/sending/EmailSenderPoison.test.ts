/** Mail that fails its worker ends as FAILED, and all other mail is sent (fault matrix F21). */
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { eventually } from "../../testing/Eventually.ts"
import { Peer } from "../../testing/MailerMemory.ts"
import { project } from "../../testing/Services.ts"
import { send, wire } from "../../testing/TestClient.ts"
import { Domains } from "../domains/Domains.ts"
import * as EmailSender from "./EmailSender.ts"
import { MessageBuilder } from "./MessageBuilder.ts"

/** Our own mistake: not a refusal, but a defect. */
const stumbling = Layer.effect(
  MessageBuilder,
  Effect.map(MessageBuilder, (builder) => ({
    ...builder,
    build: (mail) =>
      mail.to.startsWith("poison") ? Effect.die(new TypeError("no such property")) : builder.build(mail)
  }))
)

const senderDomain = Layer.effectDiscard(
  Effect.orDie(Domains.use((domains) => domains.add(project, { domain: "verified.test" })))
)

const sender = EmailSender.layer.pipe(
  Layer.provideMerge(stumbling),
  Layer.provideMerge(senderDomain),
  Layer.provideMerge(wire),
  Layer.provide(
    Layer.succeed(EmailSender.Options, { poll: Duration.millis(100), drain: Duration.seconds(5), exclusive: false })
  )
)

const post = Effect.fnUntraced(function* (...to: ReadonlyArray<string>) {
  const { body } = yield* send("POST", "/v1/send", { from: "hi@verified.test", subject: "Hi", body: "<p>Hi</p>", to })
  return body.data.emails.map(({ email }: { email: string }) => email) as ReadonlyArray<string>
})

const read = (id: string) => Effect.map(send("GET", `/emails/${id}`), ({ body }) => body)

/** Time goes by in small steps, with real time in between for what the database has to do. */
const until = Effect.fnUntraced(function* (id: string, status: string) {
  for (let step = 0; step < 600; step++) {
    if ((yield* read(id)).status === status) break
    yield* TestClock.adjust("500 millis")
    yield* TestClock.withLive(Effect.sleep("10 millis"))
  }
  return yield* eventually(read(id), (found) => found.status === status)
})

/** Mails as they would never be accepted, in the queue from one moment on. */
const copies = (model: string, rows: ReadonlyArray<readonly [to: string, type: string]>) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      insert into emails
      select (jsonb_populate_record(emails, jsonb_build_object(
        'id', gen_random_uuid(), 'to_email', copy.to, 'type', copy.type, 'status', 'PENDING', 'sent_at', null,
        'attempts', 0, 'begun_at', null, 'worker', null))).*
      from emails, jsonb_to_recordset(${JSON.stringify(rows.map(([to, type]) => ({ to, type })))}::text::jsonb)
        as copy("to" text, type text)
      where emails.id = ${model}
      returning id, to_email as "to"`
  ).pipe(
    Effect.orDie,
    Effect.map((made) => rows.map(([to]) => String(made.find((row) => row["to"] === to)?.["id"])))
  )

const givenUp = { code: "render_failed", message: "Workers ended six times while they prepared this mail." }

layer(sender, { timeout: "120 seconds" })("A mail that nobody can", (it) => {
  it.effect("build is given up, and its neighbours leave", () =>
    Effect.gen(function* () {
      const ids = yield* post("poison@example.com", "anna@example.com", "berta@example.com")
      const [poison = "", ...neighbours] = ids
      for (const id of neighbours) yield* until(id, "SENT")
      assert.deepInclude(yield* until(poison, "FAILED"), { attempts: 0, error: givenUp })
      assert.deepStrictEqual((yield* (yield* Peer).tries).map(({ envelope }) => envelope.to).sort(), [
        "anna@example.com",
        "berta@example.com"
      ])
    })
  )

  it.effect("even read is given up, and what was claimed with it leaves, once", () =>
    Effect.gen(function* () {
      const peer = yield* Peer
      const [model = ""] = yield* post("model@example.com")
      yield* until(model, "SENT")
      const before = (yield* peer.tries).length
      const [unreadable = "", ...neighbours] = yield* copies(model, [
        ["unreadable@example.com", "NEWS"],
        ["clara@example.com", "TRANSACTIONAL"],
        ["dora@example.com", "TRANSACTIONAL"]
      ])
      for (const id of neighbours) yield* until(id, "SENT")
      assert.lengthOf(yield* peer.tries, before + neighbours.length)
      const fate = SqlClient.SqlClient.use(
        (sql) => sql`select status, error_code as error from emails where id = ${unreadable}`
      )
      const found = yield* eventually(
        Effect.andThen(TestClock.adjust("1 second"), fate),
        ([row]) => row?.["status"] === "FAILED"
      )
      assert.deepStrictEqual(found, [{ status: "FAILED", error: "render_failed" }])
    })
  )
})
