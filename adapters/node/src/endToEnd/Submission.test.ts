/** Mail of other programs, from their SMTP client to the server that gets it from the service. */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer, connect as dial, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, layer } from "@effect/vitest"
import { makeCertificate, type Sink, startSink } from "@posthorn/mailer-smtp/testing"
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import { createTransport, type SendMailOptions } from "nodemailer"
import PostalMime from "postal-mime"
import { body, call } from "../testing/ApiCall.ts"
import type { Program } from "../testing/Program.ts"
import { eventually } from "../testing/Program.ts"
import { plain, talk } from "../testing/SmtpTalk.ts"
import { addDomain, type Caller, emailOf, succeed } from "./testing/Caller.ts"
import { clientPath } from "./testing/ClientPresence.ts"
import { databaseName, type Installation, install } from "./testing/Installation.ts"
import { postfix } from "./testing/Postfix.ts"
import { loginPresence } from "./testing/PostfixPresence.ts"

const run = promisify(execFile)

interface Ports {
  readonly starttls: number
  readonly tls: number
}

/** A project with a verified domain, a server with encrypted ports, and the mail server that it sends to. */
class Submitting extends Context.Service<
  Submitting,
  {
    readonly caller: Caller
    readonly ports: Ports
    readonly destination: Sink
    readonly folder: string
    readonly cert: string
    readonly installation: Installation
    readonly program: Program
  }
>()("@posthorn/node/endToEnd/Submission/Submitting") {}

const Deployment = Schema.Struct({
  features: Schema.Struct({
    smtp: Schema.Struct({
      enabled: Schema.Boolean,
      host: Schema.NullOr(Schema.String),
      ports: Schema.Struct({ starttls: Schema.NullOr(Schema.Int), tls: Schema.NullOr(Schema.Int) })
    })
  })
})

/** Where the server says that it listens. */
const smtpOf = (url: string) =>
  Effect.map(
    eventually(
      Effect.flatMap(call(`${url}/config`), (answer) => body(answer, Deployment)),
      ({ features }) => features.smtp.enabled
    ),
    ({ features: { smtp } }) => smtp
  )

const sink = Effect.acquireRelease(
  Effect.promise(() => startSink()),
  (sink) => Effect.promise(() => sink.close())
)

const submitting = Layer.effect(
  Submitting,
  Effect.gen(function* () {
    const installation = yield* install
    const destination = yield* sink
    const folder = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "posthorn-submission-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
    )
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")]
    const made = makeCertificate("127.0.0.1")
    yield* Effect.promise(() => Promise.all([writeFile(cert, made.cert), writeFile(key, made.key)]))
    const keys = yield* installation.account("Submitting")
    const { program, url } = yield* installation.serve({
      POSTHORN_SMTP_URL: `smtp://127.0.0.1:${destination.port}?tls=none`,
      POSTHORN_SUBMISSION_PORT: "0",
      POSTHORN_SUBMISSIONS_PORT: "0",
      POSTHORN_SUBMISSION_TLS_CERT: cert,
      POSTHORN_SUBMISSION_TLS_KEY: key,
      POSTHORN_MAX_MESSAGE_MB: "8"
    })
    const caller = { url, ...keys }
    const { host, ports } = yield* smtpOf(url)
    assert.strictEqual(host, "posthorn.example")
    yield* addDomain(caller, installation.dns, "mail.example.com")
    const { starttls, tls } = ports
    if (starttls === null || tls === null) return assert.fail("both ports listen")
    return Submitting.of({ caller, ports: { starttls, tls }, destination, folder, cert, installation, program })
  })
)

const arrivals = (destination: Sink, to: string, count = 1) =>
  Effect.map(
    eventually(
      Effect.sync(() => destination.mails.filter(({ rcpt }) => rcpt === to)),
      ({ length }) => length >= count
    ),
    (mails) => {
      assert.strictEqual(mails.length, count, `mails to ${to}`)
      return mails
    }
  )

const arrived = Effect.fnUntraced(function* (to: string) {
  const { destination } = yield* Submitting
  const [mail] = yield* arrivals(destination, to)
  return yield* Effect.promise(() => PostalMime.parse(mail?.raw ?? ""))
})

const pool = Effect.gen(function* () {
  const { caller, ports } = yield* Submitting
  return yield* Effect.acquireRelease(
    Effect.sync(() =>
      createTransport({
        host: "127.0.0.1",
        port: ports.starttls,
        requireTLS: true,
        pool: true,
        maxConnections: 3,
        tls: { rejectUnauthorized: false },
        auth: { user: "posthorn", pass: caller.secretKey }
      })
    ),
    (transport) => Effect.sync(() => transport.close())
  )
})

const from = "Shop <shop@mail.example.com>"

const idOf = (response: string) => /queued as (\S+)$/.exec(response.trim())?.[1] ?? assert.fail(response)

/** Runs a program of the machine, and ends it with the test. */
const runs = (program: string | undefined, args: ReadonlyArray<string>, input = "") =>
  Effect.promise(() => {
    const running = run(program ?? "", [...args])
    running.child.stdin?.end(input)
    return running
  })

const skippedWithout = (client: Parameters<typeof clientPath>[0]) =>
  clientPath(client) === undefined ? ` (skipped: ${client} is not installed)` : ""

const live = { timeout: "60 seconds", excludeTestServices: true } as const

layer(submitting, live)(`Submissions to a server on ${databaseName}`, (it) => {
  it.effect("from a pool of nodemailer arrive, with an inline image and a calendar invitation", () =>
    Effect.gen(function* () {
      const transport = yield* pool
      const mail: SendMailOptions = {
        from,
        to: "Bob <pool@example.com>, eve@example.com",
        cc: "carl@example.com",
        bcc: "dan@example.com",
        subject: "Grüße",
        text: "Come {{name}}",
        html: '<p>Come <img src="cid:logo@shop"></p>',
        messageId: "<pool@client.test>",
        attachments: [{ filename: "logo.png", content: Buffer.from([1, 2, 3]), cid: "logo@shop" }],
        icalEvent: { method: "REQUEST", content: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n" }
      }
      const { response } = yield* Effect.promise(() => transport.sendMail(mail))
      assert.match(response, /^250 2\.0\.0 Ok: queued as /)
      for (const to of ["pool@example.com", "eve@example.com", "carl@example.com", "dan@example.com"]) {
        const found = yield* arrived(to)
        assert.strictEqual(found.messageId, "<pool@client.test>")
        assert.deepStrictEqual(
          [found.to, found.cc].map((list) => list?.map(({ address }) => address)),
          [["pool@example.com", "eve@example.com"], ["carl@example.com"]]
        )
        assert.notInclude(JSON.stringify(found.headers), "dan@example.com")
        assert.strictEqual(found.subject, "Grüße")
        assert.strictEqual(found.text?.trim(), "Come {{name}}")
        const inline = found.attachments.find(({ disposition }) => disposition === "inline")
        assert.deepInclude(inline, { contentId: "<logo@shop>", filename: "logo.png" })
        const invitation = found.attachments.find(({ mimeType }) => mimeType === "text/calendar")
        assert.strictEqual(invitation?.method, "REQUEST")
      }
      const many = Array.from({ length: 30 }, (_, n) =>
        transport.sendMail({ from, to: `many${n}@example.com`, subject: "Hi", text: `${n}` })
      )
      const ids = new Set((yield* Effect.promise(() => Promise.all(many))).map(({ response }) => idOf(response)))
      assert.strictEqual(ids.size, 30)
    })
  )

  it.effect("that are large are parsed outside of the event loop", () =>
    Effect.gen(function* () {
      const transport = yield* pool
      const content = Buffer.alloc(4_000_000, "a long attachment")
      yield* Effect.promise(() =>
        transport.sendMail({
          from,
          to: "large@example.com",
          subject: "Large",
          text: "x",
          attachments: [{ filename: "a.bin", content }]
        })
      )
      const { attachments } = yield* arrived("large@example.com")
      assert.isTrue(
        content.equals(Buffer.from((attachments[0]?.content as ArrayBuffer | undefined) ?? new ArrayBuffer()))
      )
      const over = Buffer.alloc(7_000_000)
      const refusal = yield* Effect.flip(
        Effect.tryPromise({
          try: () => transport.sendMail({ from, to: "a@example.com", subject: "x", attachments: [{ content: over }] }),
          catch: (error) => error as { readonly responseCode?: number }
        })
      )
      assert.strictEqual(refusal.responseCode, 552)
    })
  )

  it.effect.skipIf(clientPath("swaks") === undefined)(`from swaks arrive${skippedWithout("swaks")}`, () =>
    Effect.gen(function* () {
      const program = clientPath("swaks")
      const { caller, ports } = yield* Submitting
      const common = [
        "--server",
        "127.0.0.1",
        "--from",
        "shop@mail.example.com",
        "--au",
        "any",
        "--ap",
        caller.secretKey
      ]
      const starttls = ["--port", String(ports.starttls), "--tls", "--auth", "LOGIN", "--to", "swaks1@example.com"]
      const { stdout } = yield* runs(program, [...common, ...starttls])
      assert.match(stdout, /250 2\.0\.0 Ok: queued as /)
      yield* runs(program, [
        ...common,
        "--port",
        String(ports.tls),
        "--tlsc",
        "--auth",
        "PLAIN",
        "--to",
        "swaks2@example.com"
      ])
      assert.match((yield* arrived("swaks1@example.com")).subject ?? "", /^test /)
      yield* arrived("swaks2@example.com")
    })
  )

  it.effect.skipIf(clientPath("msmtp") === undefined)(`from msmtp arrive${skippedWithout("msmtp")}`, () =>
    Effect.gen(function* () {
      const program = clientPath("msmtp")
      const { caller, cert, folder, ports } = yield* Submitting
      const config = join(folder, "msmtprc")
      const lines = [
        "defaults",
        `tls_trust_file ${cert}`,
        "account default",
        "host 127.0.0.1",
        `port ${ports.starttls}`,
        "tls on",
        "tls_starttls on",
        "auth plain",
        "user any",
        `password ${caller.secretKey}`,
        "from shop@mail.example.com"
      ]
      yield* Effect.promise(() => writeFile(config, `${lines.join("\n")}\n`, { mode: 0o600 }))
      const text = `From: ${from}\nTo: msmtp@example.com\nSubject: From msmtp\n\n.\nHello\n`
      yield* runs(program, ["-C", config, "-t"], text)
      assert.strictEqual((yield* arrived("msmtp@example.com")).text?.trim(), ".\nHello")
    })
  )

  it.effect.skipIf(clientPath("curl") === undefined)(`from curl arrive${skippedWithout("curl")}`, () =>
    Effect.gen(function* () {
      const program = clientPath("curl")
      const { caller, folder, ports } = yield* Submitting
      const file = join(folder, "curl.eml")
      yield* Effect.promise(() =>
        writeFile(file, `From: ${from}\nTo: curl@example.com\nSubject: From curl\n\nHello\n.\nthere\n`)
      )
      const parties = ["--mail-from", "shop@mail.example.com", "--mail-rcpt", "curl@example.com", "--upload-file", file]
      const login = ["--silent", "--insecure", "--user", `any:${caller.secretKey}`]
      yield* runs(program, ["--crlf", ...login, ...parties, `smtps://127.0.0.1:${ports.tls}`])
      assert.strictEqual((yield* arrived("curl@example.com")).text?.trim(), "Hello\n.\nthere")
    })
  )

  it.effect.skipIf(clientPath("python3") === undefined)(
    `from Python's smtplib arrive${skippedWithout("python3")}`,
    () =>
      Effect.gen(function* () {
        const program = clientPath("python3")
        const { caller, ports } = yield* Submitting
        const script = `
import smtplib, ssl, sys
from email.message import EmailMessage
mail = EmailMessage()
mail["From"], mail["To"], mail["Subject"] = "${from}", "python@example.com", "Grüße"
mail.set_content("Straße\\n.\\n")
context = ssl._create_unverified_context()
with smtplib.SMTP("127.0.0.1", ${ports.starttls}) as client:
    client.starttls(context=context)
    client.login("any", sys.argv[1])
    client.send_message(mail)
`
        yield* runs(program, ["-c", script, caller.secretKey])
        const found = yield* arrived("python@example.com")
        assert.deepStrictEqual([found.subject, found.text?.trim().split(/\r?\n/)], ["Grüße", ["Straße", "."]])
      })
  )

  it.effect(
    "with a wrong key, from another domain, or of a disabled project are refused, each with its own reply",
    () =>
      Effect.gen(function* () {
        const { caller, cert, ports } = yield* Submitting
        const client = yield* talk(ports.tls, yield* Effect.promise(() => readFile(cert, "utf8")))
        yield* client.say(undefined)
        yield* client.say("EHLO client.test\r\n")
        const before = performance.now()
        assert.match(yield* client.say(plain(`sk_${"x".repeat(43)}`)), /^535 5\.7\.8 The API key is unknown/)
        assert.isAbove(performance.now() - before, 900)
        assert.match(yield* client.say(plain(caller.publicKey)), /^535 5\.7\.8 /)
        assert.match(yield* client.say(plain(caller.secretKey)), /^235 /)
        const handOver = Effect.fnUntraced(function* (text: string) {
          yield* client.say("MAIL FROM:<>\r\n")
          yield* client.say("RCPT TO:<a@example.com>\r\n")
          yield* client.say("DATA\r\n")
          return yield* client.say(`${text}\r\n.\r\n`)
        })
        assert.match(
          yield* handOver("From: a@elsewhere.example\r\n\r\nx"),
          /^550 5\.7\.1 The domain elsewhere\.example /
        )
        assert.match(
          yield* handOver("From: a@mail.example.com\r\nSender: b@c.de\r\n\r\nx"),
          /^554 5\.6\.0 Header Sender/
        )
        assert.match(yield* handOver("From: a@mail.example.com\r\n\r\nx"), /^250 2\.0\.0 Ok: queued as /)
      })
  )
})

/** Forwards a port, and breaks the connection in place of the first reply that accepts a message. */
const losingFirst250 = (to: number): Effect.Effect<number, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<ReturnType<typeof createServer>>((resolve) => {
            let isLost = false
            const open = new Set<Socket>()
            const server = createServer((near) => {
              const far = dial(to, "127.0.0.1")
              for (const socket of [near, far]) {
                open.add(socket)
                socket.on("error", () => undefined)
                socket.on("close", () => {
                  near.destroy()
                  far.destroy()
                  open.delete(socket)
                })
              }
              near.pipe(far)
              far.on("data", (chunk) => {
                if (!isLost && chunk.includes("queued as")) {
                  isLost = true
                  near.destroy()
                } else near.write(chunk)
              })
            })
            server.listen(0, "127.0.0.1", () => resolve(server))
          })
      ),
      (server) => Effect.sync(() => server.close())
    ),
    (server) => {
      const address = server.address()
      return typeof address === "object" && address !== null ? address.port : 0
    }
  )

/** A server on loopback without encryption, with a destination of its own. */
const clearServer = Effect.fnUntraced(function* (name: string, env: Record<string, string> = {}) {
  const installation = yield* install
  const destination = yield* sink
  const keys = yield* installation.account(name)
  const settings = {
    POSTHORN_SMTP_URL: `smtp://127.0.0.1:${destination.port}?tls=none`,
    POSTHORN_SUBMISSION_PORT: "0"
  }
  const first = yield* installation.serve({ ...settings })
  yield* addDomain({ url: first.url, ...keys }, installation.dns, "mail.example.com")
  const { program, url } =
    Object.keys(env).length === 0
      ? first
      : yield* Effect.andThen(first.program.end("SIGTERM"), installation.serve({ ...settings, ...env }))
  const { ports } = yield* smtpOf(url)
  const again = Effect.gen(function* () {
    const next = yield* installation.serve(settings)
    return { ...next, port: (yield* smtpOf(next.url)).ports.starttls ?? 0 }
  })
  return { caller: { url, ...keys }, destination, port: ports.starttls ?? 0, program, again }
})

const message = (to: string, id: string) =>
  `From: ${from}\r\nTo: ${to}\r\nSubject: Hi\r\nMessage-ID: <${id}@client.test>\r\n\r\nHello\r\n`

const begun = Effect.fnUntraced(function* (port: number, key: string, to: string) {
  const client = yield* talk(port)
  yield* client.say(undefined)
  yield* client.say("EHLO client.test\r\n")
  assert.match(yield* client.say(plain(key)), /^235 /)
  yield* client.say("MAIL FROM:<shop@mail.example.com>\r\n")
  yield* client.say(`RCPT TO:<${to}>\r\n`)
  assert.match(yield* client.say("DATA\r\n"), /^354 /)
  return client
})

const skippedPostfix = "absence" in loginPresence ? ` (skipped: ${loginPresence.absence})` : ""

describe.skipIf("absence" in loginPresence)(
  `Postfix as a relay to a server on ${databaseName}${skippedPostfix}`,
  () => {
    layer(
      Layer.empty,
      live
    )((it) => {
      it.effect("repeats a message whose 250 is lost, and no copy is created", () =>
        Effect.gen(function* () {
          const { caller, destination, port } = yield* clearServer("Relay")
          const relay = yield* postfix(yield* losingFirst250(port), caller.secretKey)
          const transport = createTransport({ host: "127.0.0.1", port: relay.port, ignoreTLS: true })
          const to = ["relay1@example.com", "relay2@example.com"]
          yield* Effect.promise(() => transport.sendMail({ from, to, subject: "Hi", text: "Through a relay" }))
          for (const address of to) yield* arrivals(destination, address)
          const Page = Schema.Struct({ total: Schema.Int })
          const emails = succeed(200, Page, caller, "GET", "/emails")
          assert.strictEqual((yield* emails).total, 2)
          // Postfix tries again a second after the lost reply.
          yield* eventually(
            Effect.promise(() => run("/usr/sbin/postqueue", ["-c", relay.config, "-p"]).then(({ stdout }) => stdout)),
            (queue) => queue.includes("Mail queue is empty")
          )
          assert.strictEqual((yield* emails).total, 2)
          assert.strictEqual(destination.mails.length, 2)
        })
      )
    })
  }
)

layer(Layer.empty, live)("A process that is killed", (it) => {
  it.effect("between the commit and the 250 has stored the message, and its repetition creates no copy", () =>
    Effect.gen(function* () {
      const to = "killed@example.com"
      const fail = { NODE_ENV: "test", POSTHORN_FAIL_AT: "after_accept_commit" }
      const { again, caller, destination, port, program } = yield* clearServer("Killed", fail)
      const client = yield* begun(port, caller.secretKey, to)
      assert.strictEqual(yield* client.say(`${message(to, "killed")}.\r\n`), "closed")
      yield* program.ended
      const { port: next, url } = yield* again
      const repeated = yield* begun(next, caller.secretKey, to)
      const id = idOf(yield* repeated.say(`Received: by a relay\r\n${message(to, "killed")}.\r\n`))
      yield* eventually(emailOf({ ...caller, url }, id), ({ status }) => status === "SENT")
      yield* arrivals(destination, to)
      const third = yield* begun(next, caller.secretKey, to)
      assert.strictEqual(idOf(yield* third.say(`${message(to, "killed")}.\r\n`)), id)
      assert.strictEqual((yield* emailOf({ ...caller, url }, id)).messageId, "killed@client.test")
    })
  )
})

layer(Layer.empty, live)("A process that gets SIGTERM", (it) => {
  it.effect("finishes the message that a client is sending, and disconnects other clients", () =>
    Effect.gen(function* () {
      const to = "stopped@example.com"
      const { again, caller, port, program } = yield* clearServer("Stopped")
      const idle = yield* talk(port)
      yield* idle.say(undefined)
      const client = yield* begun(port, caller.secretKey, to)
      yield* program.signal("SIGTERM")
      assert.match(yield* idle.say(undefined), /^421 4\.3\.2 /)
      const id = idOf(yield* client.say(`${message(to, "stopped")}.\r\n`))
      assert.match(yield* client.say(undefined), /^421 4\.3\.2 /)
      assert.strictEqual(yield* program.ended, 0)
      const { url } = yield* again
      yield* eventually(emailOf({ ...caller, url }, id), ({ status }) => status === "SENT")
    })
  )
})
