import { chmodSync, mkdtempSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import type {} from "@posthorn/core/testing/template"
import { makeCertificate } from "@posthorn/mailer-smtp/testing"
import * as MailboxServer from "@posthorn/platform-node/mailbox/MailboxServer"
import { dnsStub } from "@posthorn/platform-node/testing/DnsStub"
import * as MailboxTesting from "@posthorn/platform-node/testing/MailboxTesting"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { doctor, type Finding } from "./Doctor.ts"

const servers: Array<Server> = []

const folder = () => mkdtempSync(join(tmpdir(), "posthorn-doctor-"))

const found = (env: Record<string, string>, mode: "dev" | "serve" = "serve") =>
  TestClock.withLive(
    Effect.provideService(doctor(mode), ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env))
  )

const states = (findings: ReadonlyArray<Finding>) =>
  Object.fromEntries(findings.map(({ check, state }) => [check, state]))

const of = (findings: ReadonlyArray<Finding>, check: string) =>
  findings.find((finding) => finding.check === check) ?? { state: "absent", found: "", fix: "" }

/** A DNS server that answers on port `dns`, and nothing else. */
const world = Effect.map(dnsStub(new Map([["example.com", { txt: ["v=spf1 -all"] }]])), ({ address }) => ({
  POSTHORN_DNS_SERVERS: address,
  POSTHORN_DATA_DIR: folder(),
  POSTHORN_CONSOLE: "off"
}))

it.effect("an invalid configuration is reported completely, and nothing else is checked", () =>
  Effect.gen(function* () {
    const findings = yield* found({ POSTHORN_PORT: "x", POSTHORN_SMTP_URL: "smtp://a.test", POSTHORN_LOG_LEVEL: "y" })
    assert.deepStrictEqual(
      findings.map(({ check, state, fix }) => [check, state, fix]),
      [
        ["configuration", "failed", "Correct the variable."],
        ["configuration", "failed", "Correct the variable."]
      ]
    )
    assert.match(of(findings, "configuration").found, /^POSTHORN_PORT has "x"/)
  })
)

it.effect("dev mode is ready before its first start in a folder", () =>
  Effect.gen(function* () {
    const findings = yield* found(yield* world, "dev")
    assert.deepStrictEqual(states(findings), {
      configuration: "ok",
      disk: "ok",
      "data folder": "ok",
      database: "skipped",
      smtp: "skipped",
      submission: "skipped",
      dns: "ok",
      "public url": "skipped",
      "link host": "skipped",
      "dmarc reports": "skipped",
      console: "skipped",
      "event loop": "skipped",
      "security contact": "skipped"
    })
  })
)

it.effect("the submission service has a certificate for its host name, and a port that is free or its own", () =>
  Effect.gen(function* () {
    const dir = folder()
    const [cert, key] = [join(dir, "cert.pem"), join(dir, "key.pem")]
    const made = makeCertificate("127.0.0.1")
    writeFileSync(cert, made.cert)
    writeFileSync(key, made.key)
    const about = (env: Record<string, string>) =>
      Effect.map(found({ ...env, POSTHORN_DATA_DIR: dir, POSTHORN_SUBMISSION_TLS_CERT: cert }, "dev"), (findings) =>
        findings.filter(({ check }) => check === "submission").map(({ state, found }) => `${state} ${found}`)
      )
    const taken = yield* Effect.acquireRelease(
      Effect.callback<number>((resume) => {
        const server = createServer((socket) => socket.end("220 mail.example.com FTP\r\n"))
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
        })
        servers.push(server)
      }),
      () =>
        Effect.sync(() => {
          for (const server of servers) server.close()
        })
    )
    const set = { ...(yield* world), POSTHORN_SUBMISSION_TLS_KEY: key, POSTHORN_SUBMISSION_PORT: String(taken) }
    const local = yield* about({ ...set, POSTHORN_PUBLIC_URL: "http://127.0.0.1:3000" })
    assert.deepStrictEqual(local, [
      "ok The certificate is valid until 2049-12-31.",
      `failed Another program listens on port ${taken}.`
    ])
    const named = yield* about({
      ...set,
      POSTHORN_PUBLIC_URL: "https://mail.example.com",
      POSTHORN_SUBMISSION_PORT: "0"
    })
    assert.deepStrictEqual(named, [
      "warning The certificate is not for mail.example.com.",
      "skipped No fixed port with STARTTLS is set."
    ])
    writeFileSync(key, makeCertificate("127.0.0.1").key)
    assert.match((yield* about(set))[0] ?? "", /^failed The certificate .+ cannot be used: /)
  })
)

it.effect("everything that fails comes with its fix", () =>
  Effect.gen(function* () {
    const findings = yield* found({
      ...(yield* world),
      POSTHORN_DATABASE_URL: "postgres://app:hunter22@127.0.0.1:1/mail",
      POSTHORN_SECRET: "0123456789abcdef0123456789abcdef",
      POSTHORN_SMTP_URL: "smtp://user:hunter22@127.0.0.1:1",
      POSTHORN_DNS_SERVERS: "127.0.0.1:1",
      POSTHORN_PUBLIC_URL: "http://mail.example.com",
      POSTHORN_SMPT_URL: "x"
    })
    assert.deepStrictEqual(states(findings), {
      configuration: "warning",
      "data folder": "skipped",
      database: "failed",
      smtp1: "failed",
      submission: "skipped",
      dns: "failed",
      "public url": "warning",
      "link host": "warning",
      "dmarc reports": "skipped",
      console: "skipped",
      "event loop": "skipped",
      "security contact": "warning"
    })
    assert.match(of(findings, "configuration").found, /Is POSTHORN_SMTP_URL meant/)
    assert.strictEqual(of(findings, "database").found, "postgres://127.0.0.1:1/mail does not answer (ECONNREFUSED).")
    assert.match(of(findings, "smtp1").found, /^127\.0\.0\.1:1 is not ready: .*ECONNREFUSED/)
    assert.match(of(findings, "public url").found, /not https/)
    for (const { fix, state } of findings) assert.strictEqual(fix === "", state === "skipped")
    assert.notInclude(JSON.stringify(findings), "hunter22")
  })
)

it.effect("reports about domains of other organisations need a record of the bounce domain", () =>
  Effect.gen(function* () {
    const asked = (domain: string, values: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const { address } = yield* dnsStub(new Map([[`example.com._report._dmarc.${domain}`, { txt: values }]]))
        const env = { POSTHORN_DNS_SERVERS: address, POSTHORN_DATA_DIR: folder(), POSTHORN_CONSOLE: "off" }
        return of(yield* found({ ...env, POSTHORN_BOUNCE_DOMAIN: domain }, "dev"), "dmarc reports")
      })
    assert.strictEqual((yield* asked("bounces.example.com", ["v=DMARC1;"])).state, "ok")
    for (const values of [[], ["v=spf1 -all"], ["v=DMARC11;"]]) {
      const { state, fix } = yield* asked("bounces.example.com", values)
      assert.strictEqual(state, "warning", values.join())
      assert.include(fix, "TXT *._report._dmarc.bounces.example.com with the value v=DMARC1;")
    }
    assert.strictEqual(of(yield* found(yield* world, "dev"), "dmarc reports").state, "skipped")
  })
)

it.effect("a folder that others can read, and one that is in use, are reported", () =>
  Effect.gen(function* () {
    const env = yield* world
    chmodSync(env.POSTHORN_DATA_DIR, 0o755)
    writeFileSync(join(env.POSTHORN_DATA_DIR, "posthorn.lock"), String(process.ppid))
    const findings = yield* found(env, "dev")
    assert.match(of(findings, "data folder").fix, /^Run 'chmod 700 /)
    assert.strictEqual(of(findings, "database").state, "skipped")
    assert.include(of(findings, "database").found, `Process ${process.ppid} uses`)
  })
)

it.effect("a folder that cannot be created is reported", () =>
  Effect.gen(function* () {
    const env = yield* world
    const file = join(env.POSTHORN_DATA_DIR, "file")
    writeFileSync(file, "")
    const findings = yield* found({ ...env, POSTHORN_DATA_DIR: join(file, "data") }, "dev")
    assert.strictEqual(of(findings, "data folder").state, "failed")
  })
)

const server = inject("postgres")

describe.runIf(server !== undefined)("with a database server", () => {
  it.effect("all checks pass, except those that need a public server", () =>
    Effect.gen(function* () {
      if (server === undefined) return
      const database = yield* TestClock.withLive(freshDatabase(server))
      const mailbox = MailboxServer.layer({ onAccepted: () => Effect.void }).pipe(Layer.provide(MailboxTesting.store))
      const { url } = yield* Effect.provideContext(MailboxServer.MailboxServer, yield* Layer.build(mailbox))
      const findings = yield* found({
        ...(yield* world),
        POSTHORN_DATABASE_URL: database,
        POSTHORN_SECRET: "0123456789abcdef0123456789abcdef",
        POSTHORN_SMTP_URL: url.replace("smtp://", "smtp://user:secret@")
      })
      assert.deepStrictEqual(states(findings), {
        configuration: "ok",
        "data folder": "skipped",
        database: "ok",
        migrations: "ok",
        secrets: "ok",
        search: "ok",
        clock: "ok",
        smtp1: "warning",
        submission: "skipped",
        dns: "ok",
        "public url": "warning",
        "link host": "skipped",
        "dmarc reports": "skipped",
        console: "skipped",
        "event loop": "skipped",
        "security contact": "warning"
      })
      assert.match(of(findings, "smtp1").found, /accepts the login, but the connection is not encrypted/)
    })
  )

  it.effect("a reachable server without an account is reported, because anyone can create the first one", () =>
    Effect.gen(function* () {
      if (server === undefined) return
      const database = yield* TestClock.withLive(freshDatabase(server))
      const env = {
        ...(yield* world),
        POSTHORN_DATABASE_URL: database,
        POSTHORN_SECRET: "0123456789abcdef0123456789abcdef",
        POSTHORN_SMTP_URL: "smtp://127.0.0.1:1",
        POSTHORN_HOST: "0.0.0.0"
      }
      const signups = (more: Record<string, string> = {}) =>
        Effect.map(found({ ...env, ...more }), (findings) => of(findings, "sign-ups").state)
      assert.strictEqual(yield* signups(), "warning")
      assert.strictEqual(yield* signups({ POSTHORN_DISABLE_SIGNUPS: "true" }), "absent")
      yield* TestClock.withLive(
        Effect.provide(
          SqlClient.SqlClient.use(
            (sql) =>
              sql.unsafe(`
              insert into posthorn.users (id, email, email_verified, created_at, updated_at)
              values (gen_random_uuid(), 'a@example.com', true, now(), now())`).unprepared
          ),
          PgClient.layer({ url: Redacted.make(database) })
        )
      )
      assert.strictEqual(yield* signups(), "absent")
    })
  )

  it.effect("a search without its index is reported once, with the statements that create it", () =>
    Effect.gen(function* () {
      if (server === undefined) return
      const database = yield* TestClock.withLive(freshDatabase(server))
      const run = (statement: string) =>
        TestClock.withLive(
          Effect.provide(
            SqlClient.SqlClient.use((sql) => sql.unsafe(statement).unprepared),
            PgClient.layer({ url: Redacted.make(database) })
          )
        )
      const env = {
        ...(yield* world),
        POSTHORN_DATABASE_URL: database,
        POSTHORN_SECRET: "0123456789abcdef0123456789abcdef",
        POSTHORN_SMTP_URL: "smtp://127.0.0.1:1"
      }
      yield* run("drop extension pg_trgm cascade")
      const { fix, state } = of(yield* found(env), "search")
      assert.strictEqual(state, "warning")
      for (const statement of fix.replace("Ask an administrator to run: ", "").split(";")) {
        if (statement.trim() !== "") yield* run(statement)
      }
      assert.strictEqual(of(yield* found(env), "search").state, "ok")
    })
  )
})
