import { createServer } from "node:net"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { assert, it } from "@effect/vitest"
import { type MailServer, MailServers } from "@posthorn/core/platform/Mailer"
import { type Allowed, loopback } from "@posthorn/core/platform/outbound/PublicAddress"
import { Effect, Redacted } from "effect"
import type { SMTPServerOptions } from "smtp-server"
import * as ProjectServers from "./ProjectServers.ts"
import { makeCertificate, startSmtpServer } from "./testing/index.ts"
import { at, envelope, makeSink, small } from "./testing/SinkFixture.ts"

const certificate = makeCertificate("relay.test", "127.0.0.1", "mail.test")
const misnamed = makeCertificate("other.test")
setDefaultCACertificates([...getCACertificates("default"), certificate.cert, misnamed.cert])

const makeServer = (options: SMTPServerOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => startSmtpServer({ ...certificate, ...options })),
    (server) => Effect.promise(() => server.close())
  )

const serverAt = (port: number, more: Partial<MailServer> = {}): MailServer => ({
  ...{ id: "019a0000-0000-7000-8000-0000000000aa", name: "Relay", host: "127.0.0.1", port, tls: "STARTTLS", pool: 2 },
  login: { user: "user", password: Redacted.make("password") },
  ...more
})

const zone: Record<string, ReadonlyArray<string>> = {
  "mail.test": ["127.0.0.1"],
  "other.test": ["127.0.0.1"],
  "private.test": ["10.0.0.1"],
  "half.test": ["93.184.216.34", "10.0.0.1"]
}

const over =
  (allowed: Allowed = loopback) =>
  <A, E>(self: Effect.Effect<A, E, MailServers>) =>
    Effect.provide(self, ProjectServers.layer({ allowed, lookup: (host) => Effect.fromNullishOr(zone[host]) }))

const check = (server: MailServer, allowed?: Allowed) =>
  MailServers.use((servers) => servers.check(server)).pipe(over(allowed))
const refusal = (server: MailServer, allowed?: Allowed) => Effect.flip(check(server, allowed))

it.live.each([
  ["STARTTLS", false],
  ["IMPLICIT", true]
] as const)("a check over %s logs in, and names TLS, extensions and size", ([tls, secure]) =>
  Effect.gen(function* () {
    const { port, mails } = yield* makeServer({ secure, size: 1_000_000 })
    const greeting = yield* check(serverAt(port, { tls }))
    assert.strictEqual(greeting.tls, "TLSv1.3")
    assert.include(greeting.extensions, "PIPELINING")
    assert.strictEqual(greeting.size, 1_000_000)
    assert.lengthOf(mails, 0)
  }).pipe(Effect.scoped)
)

it.live("mail goes to the checked address, with the name in TLS, and the receipt names transport and TLS", () =>
  Effect.gen(function* () {
    const { port, mails } = yield* makeServer()
    const receipt = yield* Effect.gen(function* () {
      const { open } = yield* MailServers
      const { send } = yield* open(serverAt(port, { host: "mail.test" }))
      return yield* send(envelope, small)
    }).pipe(Effect.scoped, over())
    assert.deepInclude(receipt, {
      transport: "Relay",
      transportId: "019a0000-0000-7000-8000-0000000000aa",
      remoteHost: "mail.test",
      tls: "TLSv1.3",
      code: 250
    })
    assert.deepStrictEqual([mails[0]?.user, mails[0]?.isEncrypted], ["user", true])
  }).pipe(Effect.scoped)
)

it.live("the login is never sent without TLS or to a server with another certificate", () =>
  Effect.gen(function* () {
    const { port } = yield* makeServer({ disabledCommands: ["STARTTLS"] })
    assert.strictEqual((yield* refusal(serverAt(port))).reason, "unreachable")
    const other = yield* makeServer(misnamed)
    const error = yield* refusal(serverAt(other.port, { host: "mail.test" }))
    assert.strictEqual(error.reason, "unreachable")
    assert.notInclude(error.reply, "other.test")
    assert.notInclude(error.reply, "verify=false")
    const unknown = yield* makeServer(makeCertificate("127.0.0.1"))
    assert.match((yield* refusal(serverAt(unknown.port))).reply, /DEPTH_ZERO_SELF_SIGNED_CERT|certificate/i)
  }).pipe(Effect.scoped)
)

it.live("a refused login has its own reason, and its reply contains no password", () =>
  Effect.gen(function* () {
    const { port } = yield* makeServer()
    const login = { user: "user", password: Redacted.make("a wrong password") }
    const error = yield* refusal(serverAt(port, { login }))
    assert.deepStrictEqual([error.reason, error.reply], ["authentication", "535 Invalid login"])
    const none = yield* makeServer({ disabledCommands: ["AUTH"] })
    assert.deepInclude(yield* refusal(serverAt(none.port)), { reason: "authentication" })
  }).pipe(Effect.scoped)
)

it.live("a host with any private address is refused, by number or by name, without a connection", () =>
  Effect.gen(function* () {
    const sink = yield* makeSink()
    const nothing: Allowed = { hosts: [], blocks: [] }
    for (const host of ["127.0.0.1", "10.0.0.1", "::1", "private.test", "half.test", "mail.test", "localhost"]) {
      const error = yield* refusal(serverAt(sink.port, { host }), nothing)
      assert.strictEqual(error.reply, `${host}:${sink.port}: the host is not allowed`)
    }
    assert.strictEqual(sink.connections(), 0)
    // The operator opens a name, whatever its address is.
    const server = yield* makeServer()
    const opened = { hosts: ["mail.test"], blocks: [] }
    assert.strictEqual((yield* check(serverAt(server.port, { host: "mail.test" }), opened)).tls, "TLSv1.3")
    const { judge } = yield* over(opened)(MailServers.use(Effect.succeed))
    assert.deepStrictEqual(
      ["mail.test", "smtp.example.com", "8.8.8.8", "10.0.0.1", "localhost", "a b", ""].map(judge),
      ["opened", "allowed", "allowed", "refused", "refused", "refused", "refused"]
    )
  }).pipe(Effect.scoped)
)

it.live("errors show nothing of a server that does not greet with 220", () =>
  Effect.gen(function* () {
    const secret = "internal-banner"
    const port = yield* Effect.acquireRelease(
      Effect.callback<readonly [number, () => void]>((resume) => {
        const server = createServer((socket) => {
          socket.on("error", () => {})
          socket.end(`554 ${secret}\r\n`)
        })
        server.listen(0, "127.0.0.1", () => {
          const bound = server.address()
          resume(Effect.succeed([typeof bound === "object" && bound ? bound.port : 0, () => server.close()]))
        })
      }),
      ([, close]) => Effect.sync(close)
    )
    for (const tls of ["STARTTLS", "IMPLICIT"] as const) {
      const error = yield* refusal(serverAt(port[0], { tls }))
      assert.strictEqual(error.reason, "unreachable")
      assert.notInclude(JSON.stringify(error), secret)
      assert.isUndefined(error.code)
    }
    const refusing = yield* makeSink({ misbehave: at("connect", { reply: `421 ${secret}` }) })
    assert.notInclude(JSON.stringify(yield* refusal(serverAt(refusing.port))), secret)
  }).pipe(Effect.scoped)
)
