import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { freshProject } from "../../audience/segments/SegmentsFixture.ts"
import { entriesOf } from "../../platform/audit/AuditLog.ts"
import { MailerError } from "../../platform/Mailer.ts"
import { addMember, emailsTo, newProject, person } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { Peer, receipt, Servers } from "../../testing/MailerMemory.ts"
import { project, servicesOn } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"
import { Domains } from "../domains/Domains.ts"
import * as EmailSender from "../sending/EmailSender.ts"
import { tryFailing } from "./TransportHealth.ts"

const senderOn = (database: Layer.Layer<SqlClient.SqlClient>) =>
  EmailSender.layer.pipe(
    Layer.provideMerge(
      Layer.effectDiscard(
        Effect.gen(function* () {
          const domains = yield* Domains
          yield* domains.add(project, { domain: "verified.test" })
          yield* domains.add(project, { domain: "second.test" })
        }).pipe(Effect.orDie)
      )
    ),
    Layer.provideMerge(wireOver(servicesOn(database))),
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.seconds(1), drain: Duration.seconds(5), exclusive: true })
    )
  )

let made = 0
/** A transport of the test project, with a host of its own. */
const transport = Effect.fnUntraced(function* (more: object = {}) {
  const name = `relay ${++made}`
  const host = `smtp${made}.relay.example`
  const { status, body } = yield* send("POST", "/transports", { name, host, port: 587, ...more })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return { id: String(body.id), name, host, body }
})

const routes = Effect.fnUntraced(function* (...wanted: ReadonlyArray<object>) {
  const { status, body } = yield* send("PUT", "/transports/routes", { routes: wanted })
  assert.strictEqual(status, 200, JSON.stringify(body))
  // Workers know routes for a second.
  yield* TestClock.adjust("1100 millis")
})

let sent = 0
const post = Effect.fnUntraced(function* (more: object = {}) {
  const subject = `Mail ${++sent}`
  const mail = { from: "hi@verified.test", to: "ada@example.com", subject, body: "<p>Hi</p>", ...more }
  const { status, body } = yield* send("POST", "/v1/send", mail)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return { id: String(body.data.emails[0].email), subject }
})

const read = (path: string) => Effect.map(send("GET", path), ({ body }) => body)
const until = (id: string, status: string) =>
  eventually(Effect.andThen(TestClock.adjust("200 millis"), read(`/emails/${id}`)), (found) => found.status === status)
const faults = (body: { error: { errors: ReadonlyArray<{ field: string; code: string }> } }) =>
  body.error.errors.map(({ field, code }) => `${field} ${code}`)

for (const [name, database] of databases()) {
  layer(senderOn(database), { timeout: "120 seconds", excludeTestServices: false })(
    `transports of a project on ${name}`,
    (it) => {
      it.effect("the record never shows the password, and its name is unique", () =>
        Effect.gen(function* () {
          const secret = `whsec_${"A".repeat(40)}`
          const { body, id, host, name } = yield* transport({
            user: "ada",
            password: "correct horse",
            notificationSecret: secret
          })
          assert.deepInclude(body, {
            host,
            port: 587,
            tls: "STARTTLS",
            user: "ada",
            hasPassword: true,
            hasNotificationSecret: true,
            pool: 5,
            enabled: true,
            status: "OK",
            lastError: null,
            lastUsedAt: null
          })
          const stored = yield* SqlClient.SqlClient.use((sql) => sql`select * from transports where id = ${id}`)
          assert.notInclude(JSON.stringify([body, stored]), "correct horse")
          assert.notInclude(JSON.stringify([body, stored]), secret)
          const again = yield* send("POST", "/transports", { name, host: "other.relay.example", port: 465 })
          assert.deepInclude(again.body.error, { code: "CONFLICT", details: { reason: "name_taken" } })
          const implicit = yield* transport({ port: 465 })
          assert.strictEqual(implicit.body.tls, "IMPLICIT")
          assert.deepStrictEqual(
            (yield* read("/transports")).slice(0, 2).map((each: { id: string }) => each.id),
            [implicit.id, id]
          )
          const { body: renamed } = yield* send("PATCH", `/transports/${id}`, { name: "renamed", pool: 7 })
          assert.deepInclude(renamed, { name: "renamed", pool: 7, hasPassword: true, user: "ada" })
          const sql = yield* SqlClient.SqlClient
          const actions = (yield* entriesOf(sql, project, 10)).map(({ action }) => action)
          assert.includeMembers(actions, ["transport.created", "transport.updated"])
        })
      )

      it.effect("the stored password goes to no other host", () =>
        Effect.gen(function* () {
          const servers = yield* Servers
          const { id, host } = yield* transport({ user: "ada", password: "correct horse" })
          const change = (body: object) => send("PATCH", `/transports/${id}`, body)
          for (const body of [{ host: "thief.example" }, { host: "thief.example", user: "eve", port: 465 }]) {
            const { status, body: refused } = yield* change(body)
            assert.deepStrictEqual([status, ...faults(refused)], [422, "password required"])
          }
          assert.strictEqual(yield* servers.connections("thief.example"), 0)
          // The same host in another spelling is no new one.
          assert.strictEqual((yield* change({ host: `${host.toUpperCase()}.`, pool: 3 })).status, 200)
          const moved = yield* change({ host: "new.relay.example", password: "battery staple" })
          assert.deepInclude(moved.body, { host: "new.relay.example", user: "ada", hasPassword: true })
          const open = yield* change({ host: "open.relay.example", user: null })
          assert.deepInclude(open.body, { host: "open.relay.example", user: null, hasPassword: false })
        })
      )

      it.effect("bad fields, private hosts and other ports are refused before any connection", () =>
        Effect.gen(function* () {
          const servers = yield* Servers
          const good = { name: "x", host: "mail.relay.example", port: 587 }
          for (const [more, fault] of [
            [{ host: "10.0.0.1" }, "host custom"],
            [{ host: "[::1" }, "host custom"],
            [{ host: "localhost" }, "host custom"],
            [{ host: "a b" }, "host custom"],
            [{ port: 80 }, "port custom"],
            [{ port: 0 }, "port too_small"],
            [{ user: "ada" }, "password required"],
            [{ password: "secret" }, "user required"],
            [{ pool: 51 }, "pool too_big"],
            [{ name: " " }, "name required"],
            [{ tls: "NONE" }, "tls invalid_enum"],
            [{ snsTopicArns: ["x"] }, "snsTopicArns.0 invalid_string"],
            [{ notificationSecret: "short" }, "notificationSecret invalid_string"]
          ] as const) {
            const { status, body } = yield* send("POST", "/transports", { ...good, ...more })
            assert.deepStrictEqual([status, ...faults(body)], [422, fault], JSON.stringify(more))
          }
          assert.strictEqual(yield* servers.connections(good.host), 0)
          // An operator's or dev mode's own hosts have any port.
          const { status } = yield* send("POST", "/transports", { name: "here", host: "127.0.0.1", port: 3025 })
          assert.strictEqual(status, 201)
        })
      )

      it.effect("a server that cannot be reached or refuses the login is not stored, with its reply", () =>
        Effect.gen(function* () {
          const servers = yield* Servers
          const input = { name: "refused", host: "refused.example", port: 587, user: "a", password: "b" }
          yield* servers.refuse(input.host, "authentication")
          const login = yield* send("POST", "/transports", input)
          assert.deepStrictEqual(faults(login.body), ["password custom"])
          assert.strictEqual(login.body.error.errors[0].message, "535 5.7.8 Wrong password")
          yield* servers.refuse(input.host, "unreachable")
          assert.deepStrictEqual(faults((yield* send("POST", "/transports", input)).body), ["host custom"])
          const { id, host } = yield* transport()
          yield* servers.refuse("elsewhere.example", "unreachable")
          const moved = yield* send("PATCH", `/transports/${id}`, { host: "elsewhere.example" })
          assert.deepStrictEqual(faults(moved.body), ["host custom"])
          assert.strictEqual((yield* read(`/transports/${id}`)).host, host)
          const names = (yield* read("/transports")).map(({ name }: { name: string }) => name)
          assert.notInclude(names, "refused")
        })
      )

      it.effect("a project has at most 20 transports, and 30 tries to connect an hour", () =>
        Effect.gen(function* () {
          const { ask } = yield* freshProject
          const servers = yield* Servers
          yield* servers.refuse("down.example", "unreachable")
          const tried = (name: string, host = "up.example") => ask("POST", "/transports", { name, host, port: 587 })
          for (let n = 0; n < 20; n++) assert.strictEqual((yield* tried(`t${n}`)).status, 201)
          assert.deepStrictEqual(faults((yield* tried("one more")).body), ["name too_big"])
          const [{ id }] = (yield* ask("GET", "/transports")).body
          for (let n = 0; n < 10; n++) {
            const { status } = yield* ask("PATCH", `/transports/${id}`, { host: "down.example" })
            assert.strictEqual(status, 422)
          }
          const over = yield* ask("PATCH", `/transports/${id}`, { host: "down.example" })
          assert.strictEqual(over.status, 429)
          assert.strictEqual(over.headers.get("retry-after"), String(over.body.error.details.retryAfter))
          assert.deepInclude(over.body.error.details, { limit: 30 })
          // What opens no connection still works.
          assert.strictEqual((yield* ask("PATCH", `/transports/${id}`, { pool: 2 })).status, 200)
        })
      )

      it.effect("a transport of another project does not exist", () =>
        Effect.gen(function* () {
          const { id } = yield* transport()
          const { ask } = yield* freshProject
          for (const [method, path] of [
            ["GET", ""],
            ["PATCH", ""],
            ["DELETE", ""],
            ["POST", "/verify"]
          ] as const) {
            const { status, body } = yield* ask(method, `/transports/${id}${path}`, method === "PATCH" ? {} : undefined)
            assert.deepStrictEqual([status, body.error.details.resource], [404, "transport"])
          }
          const put = yield* ask("PUT", "/transports/routes", { routes: [{ transportIds: [id] }] })
          assert.deepStrictEqual(faults(put.body), ["routes.0.transportIds.0 custom"])
        })
      )

      it.effect("the first route whose conditions hold decides; other mail takes the server's transports", () =>
        Effect.gen(function* () {
          const [a, b] = [yield* transport(), yield* transport()]
          const servers = yield* Servers
          yield* routes(
            { senderDomain: "second.test", type: "TRANSACTIONAL", transportIds: [b.id] },
            {
              senderDomain: "verified.test",
              transportIds: [a.id]
            }
          )
          const first = yield* post()
          const record = yield* until(first.id, "SENT")
          assert.deepInclude(record.attemptLog[0], {
            outcome: "accepted",
            transport: a.name,
            transportId: a.id,
            tls: "TLSv1.3"
          })
          const second = yield* post({ from: "hi@second.test" })
          yield* until(second.id, "SENT")
          assert.deepStrictEqual(yield* servers.accepted(a.host), [first.subject])
          assert.deepStrictEqual(yield* servers.accepted(b.host), [second.subject])
          assert.isNotNull((yield* read(`/transports/${a.id}`)).lastUsedAt)

          const used = yield* send("DELETE", `/transports/${a.id}`)
          assert.deepInclude(used.body.error, { code: "RESOURCE_IN_USE", details: { routes: [1] } })
          yield* routes({ senderDomain: "second.test", transportIds: [b.id] })
          const third = yield* post()
          assert.deepInclude((yield* until(third.id, "SENT")).attemptLog[0], { transport: "memory", transportId: null })
          assert.strictEqual((yield* send("DELETE", `/transports/${a.id}`)).status, 204)
          assert.deepStrictEqual((yield* read("/transports/routes")).routes, [
            { senderDomain: "second.test", type: null, sourceType: null, transportIds: [b.id], fallbackToServer: true }
          ])
          yield* routes()
        })
      )

      it.effect("mail goes to the next transport only when nothing was handed over, and none is sent twice", () =>
        Effect.gen(function* () {
          const [a, b] = [yield* transport(), yield* transport()]
          const servers = yield* Servers
          const peer = yield* Peer
          yield* routes({ transportIds: [a.id, b.id] })
          yield* servers.refuse(a.host, "unreachable")
          const mails = yield* Effect.forEach([1, 2, 3], () => post())
          for (const { id } of mails) {
            const { attemptLog } = yield* until(id, "SENT")
            assert.deepStrictEqual(
              attemptLog.map(({ transport }: { transport: string }) => transport),
              [b.name]
            )
          }
          assert.sameMembers(
            [...(yield* servers.accepted(b.host))],
            mails.map(({ subject }) => subject)
          )
          yield* servers.refuse(b.host, "authentication")
          const before = (yield* peer.accepted).length
          const { id } = yield* post()
          assert.deepInclude((yield* until(id, "SENT")).attemptLog[0], { transport: "memory" })
          assert.lengthOf(yield* peer.accepted, before + 1)
          yield* servers.refuse(a.host, undefined)
          yield* servers.refuse(b.host, undefined)
          yield* routes()
        })
      )

      it.effect("without a fallback mail waits until its transport works, and spends no try", () =>
        Effect.gen(function* () {
          const { host, id: transportId, name } = yield* transport()
          const servers = yield* Servers
          yield* routes({ transportIds: [transportId], fallbackToServer: false })
          yield* servers.refuse(host, "unreachable")
          const { id } = yield* post()
          yield* eventually(
            Effect.andThen(TestClock.adjust("1 second"), read(`/transports/${transportId}`)),
            ({ status }) => status === "FAILING"
          )
          const waiting = yield* until(id, "PENDING")
          assert.deepInclude(waiting, { attempts: 0, attemptLog: [] })
          // While it fails, mail does not try it.
          const tries = yield* servers.connections(host)
          yield* TestClock.adjust("30 seconds")
          assert.strictEqual(yield* servers.connections(host), tries)
          yield* tryFailing
          assert.strictEqual(yield* servers.connections(host), tries + 1)
          yield* servers.refuse(host, undefined)
          yield* tryFailing
          assert.deepInclude(yield* read(`/transports/${transportId}`), {
            status: "OK",
            failingSince: null,
            lastError: null
          })
          yield* TestClock.adjust("1100 millis")
          assert.deepInclude((yield* until(id, "SENT")).attemptLog[0], { transport: name, number: 1 })
          const events = yield* SqlClient.SqlClient.use(
            (
              sql
            ) => sql`select name, data from events where name like 'transport.%' and data ->> 'transportId' = ${transportId}
                       order by created_at, id`
          )
          assert.deepStrictEqual(events, [
            { name: "transport.failing", data: { transportId, name, error: `${host}: connection refused` } },
            { name: "transport.recovered", data: { transportId, name, error: null } }
          ])
          yield* routes()
        })
      )

      it.effect("mail that waits too long for its transport expires", () =>
        Effect.gen(function* () {
          const { host, id: transportId } = yield* transport()
          const servers = yield* Servers
          yield* routes({ transportIds: [transportId], fallbackToServer: false })
          yield* servers.refuse(host, "authentication")
          const { id } = yield* post()
          yield* eventually(
            Effect.andThen(TestClock.adjust("1 second"), read(`/transports/${transportId}`)),
            ({ status }) => status === "FAILING"
          )
          const sql = yield* SqlClient.SqlClient
          yield* sql`update emails set ladder_since = ladder_since - interval '25 hours' where id = ${id}`
          const failed = yield* until(id, "FAILED")
          assert.strictEqual(failed.error.code, "expired")
          yield* servers.refuse(host, undefined)
          yield* routes()
        })
      )

      it.effect("administrators are written to after 15 minutes, once", () =>
        Effect.gen(function* () {
          const { host, id: transportId } = yield* transport()
          const servers = yield* Servers
          const sql = yield* SqlClient.SqlClient
          yield* servers.refuse(host, "authentication")
          const { body } = yield* send("POST", `/transports/${transportId}/verify`)
          // The result of the creation is fresh for 10 seconds.
          assert.isTrue(body.ok)
          yield* TestClock.adjust("11 seconds")
          const checked = yield* send("POST", `/transports/${transportId}/verify`)
          assert.deepInclude(checked.body, { ok: false, error: "535 5.7.8 Wrong password" })
          assert.strictEqual((yield* read(`/transports/${transportId}`)).status, "FAILING")
          const warned = Effect.map(
            sql`select warned from transports where id = ${transportId}`,
            ([row]) => row?.["warned"]
          )
          yield* TestClock.adjust("14 minutes")
          yield* tryFailing
          assert.isFalse(yield* warned)
          yield* TestClock.adjust("2 minutes")
          yield* tryFailing
          assert.isTrue(yield* warned)
          yield* servers.refuse(host, undefined)
          yield* TestClock.adjust("11 seconds")
          const back = yield* send("POST", `/transports/${transportId}/verify`)
          assert.deepInclude(back.body, { ok: true, tls: "TLSv1.3", size: 1_000_000, error: null })
          assert.strictEqual((yield* read(`/transports/${transportId}`)).status, "OK")
        })
      )

      it.effect("the email goes to the OWNER and to ADMINs, and names the transport and its reply", () =>
        Effect.gen(function* () {
          const owner = yield* person("owner")
          const { id: projectId, secret } = yield* newProject(owner.cookie)
          const [admin, member] = [yield* person("admin"), yield* person("member")]
          yield* addMember(owner.cookie, projectId, admin, "ADMIN")
          yield* addMember(owner.cookie, projectId, member, "MEMBER")
          const authorization = `Bearer ${secret}`
          const host = "letters.relay.example"
          const { body: relay } = yield* send(
            "POST",
            "/transports",
            { name: "Letters", host, port: 587 },
            { authorization }
          )
          const servers = yield* Servers
          yield* servers.refuse(host, "authentication")
          yield* TestClock.adjust("11 seconds")
          yield* send("POST", `/transports/${relay.id}/verify`, undefined, { authorization })
          yield* TestClock.adjust("16 minutes")
          for (let run = 0; run < 2; run++) yield* tryFailing
          yield* servers.refuse(host, undefined)
          const letters = (address: string) =>
            Effect.map(emailsTo(address), (found) => found.filter(({ subject }) => subject.includes("transport")))
          for (const { email } of [owner, admin]) {
            const [letter, ...more] = yield* letters(email)
            assert.isEmpty(more)
            assert.include(letter?.body, "Letters")
            assert.include(letter?.body, "535 5.7.8 Wrong password")
          }
          assert.isEmpty(yield* letters(member.email))
        })
      )

      it.effect("a slow transport holds only its own mail, at most twice its pool", () =>
        Effect.gen(function* () {
          const [slow, quick] = [yield* transport({ pool: 2 }), yield* transport()]
          const servers = yield* Servers
          const sql = yield* SqlClient.SqlClient
          const answered = yield* Deferred.make<void>()
          yield* servers.delay(slow.host, Deferred.await(answered))
          yield* routes(
            { senderDomain: "verified.test", transportIds: [slow.id] },
            {
              senderDomain: "second.test",
              transportIds: [quick.id]
            }
          )
          const waiting = yield* Effect.forEach(Array.from({ length: 10 }), () => post())
          yield* eventually(
            Effect.andThen(
              TestClock.adjust("200 millis"),
              sql`select id from emails where status = 'SENDING' and begun_at is not null`
            ),
            ({ length }) => length === 2
          )
          const held = yield* sql`select id from emails where status = 'SENDING'`
          assert.isAtMost(held.length, 4)
          const other = yield* post({ from: "hi@second.test" })
          yield* until(other.id, "SENT")
          yield* routes({ senderDomain: "verified.test", type: "TRANSACTIONAL", transportIds: [slow.id] })
          const ofServer = yield* post({ from: "hi@second.test" })
          yield* until(ofServer.id, "SENT")
          yield* Deferred.succeed(answered, undefined)
          for (const { id } of waiting) yield* until(id, "SENT")
          assert.lengthOf(new Set(yield* servers.accepted(slow.host)), 10)
          yield* routes()
        })
      )

      it.effect("the sending rate of a project holds for its transports too", () =>
        Effect.gen(function* () {
          const { id, host } = yield* transport()
          const servers = yield* Servers
          const sql = yield* SqlClient.SqlClient
          yield* routes({ transportIds: [id] })
          yield* sql`update projects set send_rate_per_second = 1 where id = ${project}`
          const mails = yield* Effect.forEach([1, 2, 3, 4], () => post())
          yield* TestClock.adjust("1 second")
          yield* eventually(
            Effect.andThen(TestClock.adjust("10 millis"), servers.accepted(host)),
            ({ length }) => length >= 1
          )
          assert.isAtMost((yield* servers.accepted(host)).length, 3)
          for (const mail of mails) yield* until(mail.id, "SENT")
          yield* sql`update projects set send_rate_per_second = null where id = ${project}`
          yield* routes()
        })
      )

      it.effect("routes are replaced as a whole, and only by valid ones", () =>
        Effect.gen(function* () {
          const { id } = yield* transport()
          yield* routes({ transportIds: [id], fallbackToServer: false })
          const put = (body: object) => Effect.map(send("PUT", "/transports/routes", body), ({ body }) => faults(body))
          assert.deepStrictEqual(yield* put({}), ["routes required"])
          assert.deepStrictEqual(yield* put({ routes: [{ transportIds: [] }] }), ["routes.0.transportIds too_small"])
          assert.deepStrictEqual(yield* put({ routes: [{ transportIds: Array(6).fill(id) }] }), [
            "routes.0.transportIds too_big"
          ])
          assert.deepStrictEqual(yield* put({ routes: Array(51).fill({ transportIds: [id] }) }), ["routes too_big"])
          assert.deepStrictEqual(yield* put({ routes: [{ transportIds: [project] }] }), [
            "routes.0.transportIds.0 custom"
          ])
          assert.lengthOf((yield* read("/transports/routes")).routes, 1)
          yield* routes()
          assert.deepStrictEqual((yield* read("/transports/routes")).routes, [])
          const sql = yield* SqlClient.SqlClient
          const [last] = yield* entriesOf(sql, project, 1)
          assert.deepInclude(last, { action: "routes.changed", details: { routes: 0 } })
        })
      )

      it.effect("mail of a project without routes is sent as ever while another project's transport refuses", () =>
        Effect.gen(function* () {
          const peer = yield* Peer
          yield* peer.answer(() => Effect.succeed(receipt))
          const { id } = yield* post()
          const { attemptLog } = yield* until(id, "SENT")
          assert.deepInclude(attemptLog[0], { transport: "memory", transportId: null, tls: null })
          yield* peer.answer(() =>
            Effect.fail(new MailerError({ reason: "unreachable", transport: "smtp1", reply: "down" }))
          )
          const waits = yield* post()
          const record = yield* eventually(
            Effect.andThen(TestClock.adjust("200 millis"), read(`/emails/${waits.id}`)),
            ({ attempts }) => attempts === 1
          )
          assert.deepInclude(record, { status: "PENDING" })
          yield* peer.answer(() => Effect.succeed(receipt))
          yield* until(waits.id, "SENT")
          assert.isDefined(yield* DateTime.now)
        })
      )
    }
  )
}
