import { execFileSync } from "node:child_process"
import { readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import { sendTo } from "@posthorn/platform-node/testing/MailboxTesting"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { createTransport } from "nodemailer"
import { firstMail } from "./dev/Welcome.ts"
import { body, call, emailState, getWithKey, postJson, send } from "./testing/ApiCall.ts"
import { forward, freePort } from "./testing/Forwarder.ts"
import { eventually, type Program, readiness, start } from "./testing/Program.ts"

const Line = Schema.Struct({
  url: Schema.String,
  console: Schema.String,
  publicKey: Schema.String,
  secretKey: Schema.String,
  projectId: Schema.String,
  email: Schema.String,
  password: Schema.String,
  domain: Schema.String,
  mailbox: Schema.String,
  smtp: Schema.String,
  pid: Schema.Int
})

const Mailbox = Schema.Struct({
  total: Schema.Int,
  data: Schema.Array(
    Schema.Struct({
      emailId: Schema.NullOr(Schema.String),
      to: Schema.String,
      subject: Schema.String,
      headers: Schema.Record(Schema.String, Schema.String)
    })
  )
})

const Times = Schema.Struct({
  sentAt: Schema.DateTimeUtcFromString,
  deliveredAt: Schema.DateTimeUtcFromString
})

const Me = Schema.Struct({ id: Schema.String })
const Account = Schema.Struct({ data: Me })

const Now = Schema.Struct({ now: Schema.DateTimeUtcFromString })

const Made = Schema.Struct({ id: Schema.String })
const Visits = Schema.Struct({
  stepExecutions: Schema.Array(
    Schema.Struct({
      status: Schema.String,
      scheduledFor: Schema.NullOr(Schema.String),
      output: Schema.NullOr(Schema.Struct({ until: Schema.optionalKey(Schema.String) }))
    })
  )
})

/** The date of a Sunday of a month: the first is 1, the last -1. */
const sundayOf = (year: number, month: number, which: number): string => {
  const days = Array.from({ length: 31 }, (_, n) => new Date(Date.UTC(year, month - 1, n + 1)))
  const sundays = days.filter((day) => day.getUTCDay() === 0 && day.getUTCMonth() === month - 1)
  return (
    sundays
      .at(which > 0 ? which - 1 : which)
      ?.toISOString()
      .slice(0, 10) ?? ""
  )
}

const develop = Effect.fnUntraced(function* (dataDir: string, env: Record<string, string> = {}) {
  const program = yield* start(["dev", "--json"], { POSTHORN_PORT: "0", POSTHORN_DATA_DIR: dataDir, ...env })
  return { program, dev: yield* readiness(program, Line) }
})

const mailbox = (dev: typeof Line.Type, to?: string) =>
  Effect.flatMap(call(`${dev.mailbox}.json${to === undefined ? "" : `?to=${to}`}`), (answer) => body(answer, Mailbox))

/** The email, once it is in one of these states. */
const settled = (dev: typeof Line.Type, id: string, ...states: ReadonlyArray<string>) =>
  eventually(emailState(dev, id), ({ status }) => states.includes(status))

/** Something listens on the port for as long as the scope is open: this test, or whatever was there before. */
const taken = (port: number) => Effect.catchDefect(forward(port, { host: "127.0.0.1", port }), () => Effect.void)

const advance = (dev: typeof Line.Type, by: string) => postJson(`${dev.url}/dev/clock`, { advance: by })

/** One server shared by the tests that do not disturb each other, because a start takes seconds. */
class Running extends Context.Service<
  Running,
  { readonly dev: typeof Line.Type; readonly program: Program; readonly dataDir: string }
>()("@posthorn/node/Dev.test/Running") {}

/** Takes effect only with NODE_ENV=test. */
const failAt = { POSTHORN_FAIL_AT: "after_begin" }

const running = Layer.effect(
  Running,
  Effect.suspend(() => {
    const dataDir = dataFolder()
    return Effect.map(develop(dataDir, failAt), (started) => Running.of({ ...started, dataDir }))
  })
)

layer(running, { timeout: "2 minutes", excludeTestServices: true })("posthorn dev, running", (it) => {
  it.effect("prints in one line all that is needed to send, and a mail sent with it is in the mailbox, signed", () =>
    Effect.gen(function* () {
      const { dev, program } = yield* Running
      assert.strictEqual(program.output().trim().split("\n").length, 1)
      assert.deepStrictEqual(Object.keys(JSON.parse(program.output())), Object.keys(Line.fields))
      assert.include(dev, { email: "dev@posthorn.test", domain: "posthorn.test", mailbox: `${dev.url}/dev/mailbox` })
      assert.strictEqual(dev.console, `${dev.url}/console`)
      assert.strictEqual(dev.pid, program.pid)
      assert.match(dev.smtp, /^smtp:\/\/127\.0\.0\.1:\d+$/)

      const answer = execFileSync("sh", ["-c", firstMail(dev)], { encoding: "utf8" })
      assert.include(answer, '"success":true')
      const { data } = yield* eventually(mailbox(dev, "you@example.com"), ({ total }) => total === 1)
      assert.strictEqual(data[0]?.subject, "Hello")
      const signatures = data[0]?.headers["dkim-signature"] ?? ""
      assert.match(signatures, /a=rsa-sha256;[^\n]* d=posthorn\.test;/)
      assert.match(signatures, /a=ed25519-sha256;[^\n]* d=posthorn\.test;/)
      assert.include((yield* call(dev.mailbox)).text, "you@example.com")
      const { features, urls } = JSON.parse((yield* call(`${dev.url}/config`)).text)
      assert.deepStrictEqual(urls, { api: dev.url, dashboard: dev.console })
      assert.deepInclude(features, { storage: { enabled: true, s3Enabled: false }, devMailbox: { enabled: true } })
    })
  )

  it.effect("the line has the submission ports if they are set, and submitted mail goes to the mailbox", () =>
    Effect.gen(function* () {
      const program = yield* start(["dev", "--json", "--smtp-port", "0"], {
        POSTHORN_PORT: "0",
        POSTHORN_DATA_DIR: dataFolder(),
        POSTHORN_SUBMISSION_PORT: "0"
      })
      const submission = Schema.Struct({
        host: Schema.String,
        ports: Schema.Struct({ starttls: Schema.Int, tls: Schema.Null })
      })
      const dev = yield* readiness(program, Schema.Struct({ ...Line.fields, submission }))
      assert.strictEqual(dev.submission.host, "127.0.0.1")
      const auth = { user: "any", pass: dev.secretKey }
      const transport = createTransport({ host: "127.0.0.1", port: dev.submission.ports.starttls, auth })
      const from = `hello@${dev.domain}`
      yield* Effect.promise(() => transport.sendMail({ from, to: "smtp@example.com", subject: "By SMTP", text: "Hi" }))
      const { data } = yield* eventually(mailbox(dev, "smtp@example.com"), ({ total }) => total === 1)
      assert.strictEqual(data[0]?.subject, "By SMTP")
    })
  )

  it.effect("outcome addresses have the outcome in their name, and advancing the clock sends due mail at once", () =>
    Effect.gen(function* () {
      const { dev } = yield* Running
      const [good, bounced, complained, deferred] = yield* Effect.all([
        send(dev, "anna@example.test"),
        send(dev, "bounced@example.test"),
        send(dev, "complained@example.test"),
        send(dev, "deferred@example.test")
      ])
      assert.include(yield* settled(dev, good, "DELIVERED"), { status: "DELIVERED", attempts: 1 })
      assert.include(yield* settled(dev, bounced, "BOUNCED"), { status: "BOUNCED" })
      assert.include(yield* settled(dev, complained, "COMPLAINED"), { status: "COMPLAINED" })
      yield* eventually(emailState(dev, deferred), ({ attempts }) => attempts === 1)

      assert.strictEqual((yield* advance(dev, "2 minutes")).status, 200)
      yield* eventually(emailState(dev, deferred), ({ attempts }) => attempts === 2)
      assert.strictEqual((yield* advance(dev, "1 hour")).status, 200)
      assert.include(yield* settled(dev, deferred, "DELIVERED"), { status: "DELIVERED", attempts: 3 })
      const { sentAt, deliveredAt } = yield* Effect.flatMap(
        getWithKey(`${dev.url}/emails/${deferred}`, dev.secretKey),
        (answer) => body(answer, Times)
      )
      assert.isTrue(DateTime.isGreaterThanOrEqualTo(deliveredAt, sentAt))
      assert.isTrue(DateTime.isGreaterThan(sentAt, yield* DateTime.now))
    })
  )

  it.effect("a scheduled mail is sent once the clock has passed its time", () =>
    Effect.gen(function* () {
      const { dev } = yield* Running
      const first = yield* advance(dev, "1 second")
      const { now } = yield* body(first, Now)
      const scheduledFor = DateTime.formatIso(DateTime.add(now, { days: 2 }))
      const id = yield* send(dev, "later@example.com", { scheduledFor })
      assert.strictEqual((yield* advance(dev, "47 hours")).status, 200)
      assert.include(yield* emailState(dev, id), { status: "SCHEDULED", attempts: 0 })
      assert.strictEqual((yield* advance(dev, "2 hours")).status, 200)
      yield* settled(dev, id, "DELIVERED")
      assert.strictEqual((yield* mailbox(dev, "later@example.com")).total, 1)
    })
  )

  it.effect("keys of test mode work, and their mail is not in the mailbox", () =>
    Effect.gen(function* () {
      const { dev } = yield* Running
      const wanted = { name: "Tests", mode: "TEST", scopes: ["send", "emails:read"] }
      const made = yield* postJson(`${dev.url}/api-keys`, wanted, dev.secretKey)
      const { key } = yield* body(made, Schema.Struct({ key: Schema.String }))
      const test = { ...dev, secretKey: key }
      const id = yield* send(test, "tested@example.com")
      assert.include(yield* settled(test, id, "DELIVERED"), { attempts: 1 })
      assert.strictEqual((yield* mailbox(dev, "tested@example.com")).total, 0)
    })
  )

  it.effect("a second process on the folder fails with one sentence", () =>
    Effect.gen(function* () {
      const { dataDir, program } = yield* Running
      const refused = yield* Effect.flip(develop(dataDir))
      assert.strictEqual(refused.code, 1)
      assert.strictEqual(
        refused.errors,
        `posthorn: ${dataDir} is in use by process ${program.pid}. Stop it, or use another folder.\n`
      )
      assert.match(readFileSync(join(dataDir, "posthorn.lock"), "utf8"), new RegExp(`^${program.pid} `))
    })
  )

  it.effect("the development pages answer this machine, but not requests from other websites", () =>
    Effect.gen(function* () {
      const { dev } = yield* Running
      assert.strictEqual((yield* call(`${dev.url}/docs`)).status, 200)
      const docs = yield* call(`${dev.url}/docs/v1`)
      assert.include(docs.text, "POST /v1/send".replace(" ", "</span> <code>"))
      assert.strictEqual((yield* call(`${dev.url}/openapi.json`)).status, 200)
      const llms = yield* call(`${dev.url}/llms.txt`)
      assert.deepStrictEqual([llms.status, llms.headers.get("content-type")], [200, "text/plain; charset=utf-8"])
      yield* getWithKey(`${dev.url}/contacts/019a0000-0000-7000-8000-000000000000`, dev.secretKey)
      const metrics = yield* call(`${dev.url}/metrics`)
      assert.include(metrics.text, 'posthorn_http_requests_total{route="/contacts/:id",method="GET",status="404"} 1')
      assert.include(metrics.text, 'posthorn_http_requests_duration_seconds_count{route="/docs/*"')
      assert.strictEqual((yield* call(`${dev.url}/health`)).status, 200)

      for (const advance of ["3 fortnights", "-1 day", 3, "40000 days"]) {
        const refused = yield* postJson(`${dev.url}/dev/clock`, { advance })
        assert.strictEqual(refused.status, 422, String(advance))
        assert.include(refused.text, '"field":"advance"')
      }
      const noJson = yield* call(`${dev.url}/dev/clock`, { method: "POST", body: "3 days" })
      assert.include(noJson.text, "INVALID_JSON")
      const foreign = yield* call(`${dev.url}/dev/clock`, { method: "POST", headers: { origin: "https://evil.test" } })
      assert.strictEqual(foreign.status, 403)
    })
  )

  it.effect("a page of the service opens a session of the account without its password, and no other page does", () =>
    Effect.gen(function* () {
      const { dev } = yield* Running
      const open = (headers: Record<string, string>) => call(`${dev.url}/dev/session`, { method: "POST", headers })
      const opened = yield* open({ origin: dev.url })
      const { id } = (yield* body(opened, Account)).data
      assert.deepStrictEqual(JSON.parse(opened.text), { success: true, data: { id, email: dev.email } })
      const [cookie = ""] = opened.headers.getSetCookie()
      assert.match(cookie, /^posthorn_session=[^;]+; Max-Age=604800; Path=\/;.* HttpOnly; SameSite=Lax$/)
      const session = { cookie: cookie.split(";", 1)[0] ?? "", "x-project-id": dev.projectId }
      assert.strictEqual((yield* body(yield* call(`${dev.url}/users/@me`, { headers: session }), Me)).id, id)
      assert.strictEqual((yield* call(`${dev.url}/contacts`, { headers: session })).status, 200)

      for (const origin of ["https://evil.test", "null"]) {
        const refused = yield* open({ origin })
        assert.deepStrictEqual([refused.status, refused.headers.getSetCookie()], [403, []], origin)
      }
      assert.strictEqual((yield* call(`${dev.url}/dev/session`)).status, 404)
    })
  )

  it.effect("mail can go to a configured server, with a copy in the mailbox and without simulated outcomes", () =>
    Effect.gen(function* () {
      const peer = yield* Running
      const { dev } = yield* develop(dataFolder(), {
        POSTHORN_SMTP_URL: `${peer.dev.smtp.replace("//", "//user:pass@")}?tls=none`
      })
      assert.strictEqual(dev.smtp, peer.dev.smtp)
      const id = yield* send(dev, "bounced@example.org")
      assert.include(yield* settled(dev, id, "SENT"), { status: "SENT" })
      assert.strictEqual((yield* mailbox(dev, "bounced@example.org")).total, 1)
      assert.strictEqual((yield* mailbox(peer.dev, "bounced@example.org")).total, 1)
    })
  )

  it.effect("a workflow waits for the time of day through both changes of the clock, in two zones", () =>
    Effect.gen(function* () {
      const { dev } = yield* Running
      const { now } = yield* Effect.flatMap(advance(dev, "1 second"), (answer) => body(answer, Now))
      const year = DateTime.toPartsUtc(now).year + 1
      const change = (timezone: string, month: number, sunday: number, time: string, utc: string) => {
        const date = sundayOf(year, month, sunday)
        return { until: { date, time, timezone }, at: `${date}T${utc}:00.000Z` }
      }
      // A time that is skipped means the first minute after the gap, one that occurs twice the first.
      const waits = [
        change("America/New_York", 3, 2, "02:30", "07:00"),
        change("Europe/Berlin", 3, -1, "02:30", "01:00"),
        change("Europe/Berlin", 10, -1, "02:30", "00:30"),
        change("America/New_York", 11, 1, "01:30", "05:30")
      ]
      const api = (path: string, value: object) =>
        Effect.flatMap(postJson(`${dev.url}${path}`, value, dev.secretKey), (answer) => body(answer, Made))
      const flow = yield* api("/workflows", { name: "Clocks", eventName: "clocks" })
      for (const { until } of waits) yield* api(`/workflows/${flow.id}/steps`, { type: "DELAY", config: { until } })
      yield* call(`${dev.url}/workflows/${flow.id}`, {
        method: "PATCH",
        headers: { "content-type": "application/json", authorization: `Bearer ${dev.secretKey}` },
        body: JSON.stringify({ enabled: true })
      })
      const contact = yield* api("/contacts", { email: "clocks@example.com" })
      const { id } = yield* api(`/workflows/${flow.id}/executions`, { contactId: contact.id })
      const visits = Effect.flatMap(
        getWithKey(`${dev.url}/workflows/${flow.id}/executions/${id}`, dev.secretKey),
        (answer) => Effect.map(body(answer, Visits), ({ stepExecutions }) => stepExecutions)
      )
      /** Moves the clock to an instant. */
      const moveTo = Effect.fnUntraced(function* (instant: number) {
        const { now } = yield* Effect.flatMap(advance(dev, "1 second"), (answer) => body(answer, Now))
        yield* advance(dev, `${Math.round((instant - DateTime.toEpochMillis(now)) / 1_000)} seconds`)
      })
      for (const [n, { at }] of waits.entries()) {
        const begun = yield* eventually(visits, (found) => found[n]?.status === "SCHEDULED")
        assert.strictEqual(begun[n]?.scheduledFor, at)
        yield* moveTo(Date.parse(at) - 60_000)
        assert.strictEqual((yield* visits)[n]?.status, "SCHEDULED")
        yield* moveTo(Date.parse(at) + 1_000)
        const ended = yield* eventually(visits, (found) => found[n]?.status === "COMPLETED")
        assert.strictEqual(ended[n]?.output?.until, at)
      }
    })
  )

  it.effect("it kills itself at the failpoint that a test sets, and only there", () =>
    Effect.gen(function* () {
      const unharmed = yield* Running
      const sent = yield* send(unharmed.dev, "anna@example.com")
      assert.include(yield* settled(unharmed.dev, sent, "DELIVERED"), { status: "DELIVERED" })

      const dataDir = dataFolder()
      const { dev, program } = yield* develop(dataDir, { ...failAt, NODE_ENV: "test" })
      const id = yield* send(dev, "anna@example.com")
      assert.strictEqual(yield* program.ended, null)
      const next = yield* develop(dataDir)
      assert.include(yield* settled(next.dev, id, "AMBIGUOUS"), { status: "AMBIGUOUS", attempts: 1 })
      yield* advance(next.dev, "30 seconds")
      assert.include(yield* settled(next.dev, id, "DELIVERED"), { status: "DELIVERED", attempts: 2 })
    })
  )
})

describe("posthorn dev, from start to end", () => {
  it.live("a second start has the same keys, mails and time; without its state file, it has new keys", () =>
    Effect.gen(function* () {
      const dataDir = dataFolder()
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const { dev, program } = yield* develop(dataDir)
          const id = yield* send(dev, "anna@example.com")
          yield* settled(dev, id, "DELIVERED")
          const { now } = yield* Effect.flatMap(advance(dev, "3 days"), (answer) => body(answer, Now))
          assert.strictEqual(yield* program.end("SIGTERM"), 0)
          return { dev, id, now }
        })
      )
      for (const file of ["dev.json", "secret"]) {
        assert.strictEqual(statSync(join(dataDir, file)).mode & 0o777, 0o600, file)
      }
      assert.strictEqual(statSync(dataDir).mode & 0o077, 0)
      assert.include(readFileSync(join(dataDir, "dev.json"), "utf8"), first.dev.secretKey)

      const { dev, program } = yield* develop(dataDir)
      const { url, console: _console, mailbox: _page, smtp, pid, ...kept } = dev
      assert.include(first.dev, kept)
      assert.include(yield* emailState(dev, first.id), { status: "DELIVERED" })
      assert.strictEqual((yield* mailbox(dev)).total, 1)
      const { now } = yield* Effect.flatMap(advance(dev, "1 second"), (answer) => body(answer, Now))
      assert.isAbove(now.epochMilliseconds, first.now.epochMilliseconds)

      assert.strictEqual(yield* program.end("SIGTERM"), 0)
      rmSync(join(dataDir, "dev.json"))
      const { dev: renewed } = yield* develop(dataDir)
      assert.strictEqual(renewed.projectId, dev.projectId)
      assert.notStrictEqual(renewed.secretKey, dev.secretKey)
      const id = yield* send(renewed, "bert@example.com")
      assert.include(yield* settled(renewed, id, "DELIVERED"), { status: "DELIVERED" })
    })
  )

  it.live("a killed process loses nothing, and the next one finishes its work", () =>
    Effect.gen(function* () {
      const dataDir = dataFolder()
      const ids = yield* Effect.scoped(
        Effect.gen(function* () {
          const { dev, program } = yield* develop(dataDir)
          const slow = yield* send(dev, "slow@example.test")
          const others = yield* Effect.all(Array.from({ length: 10 }, (_, n) => send(dev, `anna${n}@example.com`)))
          yield* eventually(mailbox(dev), ({ data }) => data.some(({ to }) => to === "slow@example.test"))
          yield* program.end("SIGKILL")
          return [slow, ...others]
        })
      )
      const { dev } = yield* develop(dataDir)
      for (const id of ids) assert.include(yield* settled(dev, id, "DELIVERED"), { status: "DELIVERED" })
      const { data } = yield* mailbox(dev)
      // The mailbox had the slow email before the kill, and reports it before the email would be sent again.
      assert.strictEqual(data.filter(({ to }) => to === "slow@example.test").length, 1)
      assert.deepStrictEqual([...new Set(data.map(({ emailId }) => emailId))].sort(), [...ids].sort())
    })
  )

  it.live("the shutdown waits for mail in transmission, refuses new work, and reports that it is not ready", () =>
    Effect.gen(function* () {
      const dataDir = dataFolder()
      const id = yield* Effect.scoped(
        Effect.gen(function* () {
          const { dev, program } = yield* develop(dataDir)
          const id = yield* send(dev, "slow@example.test")
          yield* eventually(mailbox(dev), ({ total }) => total === 1)
          yield* program.signal("SIGTERM")
          const ready = yield* eventually(call(`${dev.url}/ready`), ({ status }) => status !== 200)
          assert.strictEqual(ready.status, 503)
          assert.include(ready.text, '"not_ready"')
          const refused = yield* postJson(`${dev.url}/v1/send`, {}, dev.secretKey)
          assert.strictEqual(refused.status, 503)
          assert.include(refused.text, "SERVICE_UNAVAILABLE")
          assert.include(refused.text, "This server is about to stop and accepts no new requests.")
          assert.strictEqual(refused.headers.get("retry-after"), "1")
          assert.strictEqual(yield* program.ended, 0)
          return id
        })
      )
      const { dev } = yield* develop(dataDir)
      assert.include(yield* settled(dev, id, "DELIVERED"), { status: "DELIVERED", attempts: 1 })
      assert.strictEqual((yield* mailbox(dev)).total, 1)
    })
  )

  it.live("a second signal ends it at once", () =>
    Effect.gen(function* () {
      const { dev, program } = yield* develop(dataFolder())
      yield* send(dev, "slow@example.test")
      yield* eventually(mailbox(dev), ({ total }) => total === 1)
      yield* program.signal("SIGTERM")
      yield* eventually(call(`${dev.url}/ready`), ({ status }) => status === 503)
      assert.strictEqual(yield* program.end("SIGTERM"), 143)
    })
  )

  it.live("it uses other ports if the usual ones are in use, says so, and receives mail of any application", () =>
    Effect.gen(function* () {
      for (const port of [3000, 1025]) yield* taken(port)
      const { dev, program } = yield* develop(dataFolder(), { POSTHORN_PORT: "" })
      assert.match(dev.url, /^http:\/\/127\.0\.0\.1:30[0-2]\d$/)
      assert.notStrictEqual(dev.url, "http://127.0.0.1:3000")
      assert.include(program.errors(), `Port 3000 is in use, so the server listens at ${dev.url}.`)
      // Another program, such as a server of another test, may hold port 1025 and leave it just now.
      if (!dev.smtp.endsWith(":1025")) {
        assert.include(program.errors(), `Port 1025 is in use, so the SMTP server of the mailbox is at ${dev.smtp}.`)
      }
      yield* sendTo(dev.smtp, { to: "anna@example.com", subject: "From an application" })
      const { data } = yield* mailbox(dev, "anna@example.com")
      assert.deepInclude(data[0], { emailId: null, subject: "From an application" })
    })
  )

  it.live("if the chosen port is in use, the start fails with one sentence", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      yield* taken(port)
      const refused = yield* Effect.flip(develop(dataFolder(), { POSTHORN_PORT: `${port}` }))
      assert.strictEqual(refused.code, 1)
      assert.match(refused.errors, new RegExp(`^posthorn: 127\\.0\\.0\\.1:${port} is in use; [^\n]*\n$`))
    })
  )

  it.live("with a wrong value, the start fails with one sentence and exit code 2", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(develop(dataFolder(), { POSTHORN_LOG_LEVEL: "loud" }))
      assert.strictEqual(refused.code, 2)
      assert.strictEqual(
        refused.errors,
        'posthorn: POSTHORN_LOG_LEVEL has "loud"; it may be one of trace, debug, info, warn, error, fatal, none.\n'
      )
    })
  )
})
