/** The dialogue with clients. What becomes of messages is tested in the core and end to end. */
import { rmSync, writeFileSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect as connectTls, type PeerCertificate } from "node:tls"
import { assert, layer } from "@effect/vitest"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Listening, Submission } from "@posthorn/core/mail/submission/Submission"
import { refused } from "@posthorn/core/mail/submission/SubmissionRefused"
import { Settings, defaults as settings } from "@posthorn/core/platform/Settings"
import { makeCertificate } from "@posthorn/mailer-smtp/testing"
import { Effect, Exit, Fiber, Layer, Option, Redacted, Ref, Scope } from "effect"
import { converse } from "../endToEnd/testing/SmtpSessions.ts"
import { parseTrustedProxies } from "../http/ClientAddress.ts"
import { plain, talk } from "../testing/SmtpTalk.ts"
import * as SubmissionServer from "./SubmissionServer.ts"
import * as TlsFiles from "./TlsFiles.ts"

const id = EmailId.make("019a0000-0000-7000-8000-000000000001")
const project = ProjectId.make("019a0000-0000-7000-8000-000000000002")

interface Taken {
  readonly text: string
  readonly recipients: ReadonlyArray<string>
}

const taken = Ref.makeUnsafe<ReadonlyArray<Taken>>([])
const place = Ref.makeUnsafe(Option.none<Listening>())
const addresses = Ref.makeUnsafe<ReadonlyArray<string>>([])
/** How long the core takes to store a message, in milliseconds. */
const storing = Ref.makeUnsafe(0)

const core = Layer.mock(Submission, {
  logIn: (password, address) =>
    Effect.gen(function* () {
      yield* Ref.update(addresses, (all) => [...all, address])
      return yield* password === "right"
        ? Effect.succeed({ project, key: Redacted.make(password), address })
        : refused(535, "5.7.8", "The key is unknown")
    }),
  begin: () => Effect.void,
  submit: (_, { bytes, recipients }) =>
    Effect.gen(function* () {
      yield* Effect.sleep(yield* Ref.get(storing))
      yield* Ref.update(taken, (all) => [...all, { text: new TextDecoder("latin1").decode(bytes), recipients }])
      return id
    }),
  opened: (listening) => Ref.set(place, Option.some(listening)),
  listening: Ref.get(place)
})

const services = Layer.merge(core, Layer.succeed(Settings, { ...settings, maxMessageBytes: 3 * 1024 * 1024 }))

const clear: SubmissionServer.Options = {
  host: "127.0.0.1",
  ports: { starttls: 0, tls: null },
  certificate: undefined,
  maxClients: 20,
  proxies: undefined
}

const server = (options: Partial<SubmissionServer.Options> = {}, limits: Partial<SubmissionServer.Limits> = {}) =>
  SubmissionServer.layer({ ...clear, ...options }, { ...SubmissionServer.defaults, ...limits }).pipe(
    Layer.provideMerge(services)
  )

const portOf = (kind: "starttls" | "tls") =>
  Effect.map(Ref.get(place), (found) => Option.getOrThrow(found).ports[kind] ?? assert.fail())

const connected = Effect.gen(function* () {
  const client = yield* talk(yield* portOf("starttls"))
  assert.match(yield* client.say(undefined), /^220 /)
  return client
})

const loggedIn = Effect.gen(function* () {
  const client = yield* connected
  yield* client.say("EHLO client.test\r\n")
  assert.strictEqual(yield* client.say(plain("right")), "235 2.7.0 Authentication successful")
  return client
})

const addressed = Effect.fnUntraced(function* (...recipients: ReadonlyArray<string>) {
  const client = yield* loggedIn
  yield* client.say("MAIL FROM:<>\r\n")
  for (const to of recipients) assert.match(yield* client.say(`RCPT TO:<${to}>\r\n`), /^250 /)
  assert.match(yield* client.say("DATA\r\n"), /^354 /)
  return client
})

const live = { timeout: "60 seconds", excludeTestServices: true } as const

layer(server(), live)("A client of the submission service", (it) => {
  it.effect("is offered only the extensions that the service supports", () =>
    Effect.gen(function* () {
      const client = yield* connected
      const offered = yield* client.lines("EHLO client.test\r\n")
      assert.sameMembers(
        offered.slice(1).map((line) => line.slice(4)),
        ["PIPELINING", "8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES", "AUTH PLAIN LOGIN", `SIZE ${3 * 1024 * 1024}`]
      )
      assert.match(yield* client.say("VRFY ada@example.com\r\n"), /^252 /)
      assert.match(yield* client.say("EXPN staff\r\n"), /^502 5\.5\.1/)
      for (const command of [
        "XCLIENT ADDR=1.2.3.4",
        "XFORWARD ADDR=1.2.3.4",
        "BDAT 1 LAST",
        "WIZ x",
        "SHELL",
        "KILL"
      ]) {
        assert.match(yield* client.say(`${command}\r\n`), /^500 /, command)
      }
    })
  )

  it.effect("logs in before it sends, with PLAIN or LOGIN and any user name", () =>
    Effect.gen(function* () {
      const client = yield* connected
      assert.match(yield* client.say("MAIL FROM:<a@b.co>\r\n"), /^503 /)
      yield* client.say("EHLO client.test\r\n")
      assert.match(yield* client.say("MAIL FROM:<a@b.co>\r\n"), /^530 5\.7\.0 /)
      assert.match(yield* client.say("AUTH CRAM-MD5\r\n"), /^504 5\.5\.4 /)
      assert.match(yield* client.say("AUTH LOGIN\r\n"), /^334 /)
      assert.match(yield* client.say(`${Buffer.from("anybody").toString("base64")}\r\n`), /^334 /)
      assert.match(yield* client.say(`${Buffer.from("right").toString("base64")}\r\n`), /^235 /)
      assert.match(yield* client.say("MAIL FROM:<a@b.co> SIZE=100 BODY=8BITMIME SMTPUTF8\r\n"), /^250 2\.1\.0 /)
    })
  )

  it.effect("is disconnected after three failed logins", () =>
    Effect.gen(function* () {
      const client = yield* connected
      yield* client.say("EHLO client.test\r\n")
      assert.strictEqual(yield* client.say(plain("wrong")), "535 5.7.8 The key is unknown")
      assert.match(yield* client.say(plain("wrong")), /^535 /)
      assert.match(yield* client.say(plain("wrong")), /^535 /)
      assert.strictEqual(yield* client.say(undefined), "421 4.7.0 Too many failed logins")
      assert.strictEqual(yield* client.say(undefined), "closed")
    })
  )

  it.effect("may name valid recipients, at most 100, each once", () =>
    Effect.gen(function* () {
      yield* Ref.set(taken, [])
      const client = yield* loggedIn
      assert.match(yield* client.say("MAIL FROM:<> RET=HDRS\r\n"), /^555 5\.5\.4 /)
      assert.match(yield* client.say("MAIL FROM:<>\r\n"), /^250 /)
      assert.match(yield* client.say("RCPT TO:<a@b.co> NOTIFY=NEVER\r\n"), /^555 5\.5\.4 /)
      for (const address of ["nobody", "a@localhost", "a b@example.com", "a@", "<a@b.co", "a@[127.0.0.1]", ""]) {
        assert.match(yield* client.say(`RCPT TO:<${address}>\r\n`), /^553 5\.1\.3 /, address)
      }
      assert.match(yield* client.say("RCPT TO:<jürgen@example.com>\r\n"), /^553 5\.6\.7 /)
      assert.match(yield* client.say("RCPT TO:<Ada@BÜCHER.example>\r\n"), /^250 /)
      assert.match(yield* client.say("RCPT TO:<ada@xn--bcher-kva.example>\r\n"), /^250 /)
      for (let n = 1; n < 100; n++) yield* client.say(`RCPT TO:<a${n}@example.com>\r\n`)
      assert.match(yield* client.say("RCPT TO:<over@example.com>\r\n"), /^452 4\.5\.3 /)
      yield* client.say("DATA\r\n")
      assert.strictEqual(yield* client.say("Subject: x\r\n\r\nhi\r\n.\r\n"), `250 2.0.0 Ok: queued as ${id}`)
      const [{ recipients } = assert.fail()] = yield* Ref.get(taken)
      assert.deepStrictEqual([recipients.length, recipients[0]], [100, "ada@xn--bcher-kva.example"])
    })
  )

  it.effect("cannot smuggle a second message: only CRLF.CRLF ends a message, and dots are unstuffed", () =>
    Effect.gen(function* () {
      const second = "MAIL FROM:<evil@example.com>"
      for (const end of ["\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r\n.\r", "\n.\r", "\r.\r\n", "\r\n\0.\r\n"]) {
        yield* Ref.set(taken, [])
        const client = yield* addressed("a@example.com")
        const text = `Subject: x\r\n\r\nfirst${end}${second}\r\n..dot\r\n...\r\n`
        assert.match(yield* client.say(`${text}.\r\n`), /^250 /, JSON.stringify(end))
        assert.match(yield* client.say("NOOP\r\n"), /^250 2\.0\.0 OK/)
        const found = yield* Ref.get(taken)
        assert.deepStrictEqual(
          found.map(({ text }) => text.includes(second) && text.endsWith("\r\n.dot\r\n..\r\n")),
          [true],
          JSON.stringify(end)
        )
        yield* client.end
      }
    })
  )

  it.effect("may send one octet at a time with the same result", () =>
    Effect.gen(function* () {
      yield* Ref.set(taken, [])
      const client = yield* addressed("a@example.com")
      const text = "Subject: x\r\n\r\n..\r\n..a\r\n\n.\nb\r\n"
      for (const octet of `${text}.\r`) {
        yield* Effect.raceFirst(client.say(octet), Effect.sleep("2 millis"))
      }
      assert.match(yield* client.say("\n"), /^250 /)
      assert.strictEqual((yield* Ref.get(taken))[0]?.text, "Subject: x\r\n\r\n.\r\n.a\r\n\n.\nb\r\n")
    })
  )

  it.effect("gets a reply to each command of one packet with two messages and QUIT", () =>
    Effect.gen(function* () {
      yield* Ref.set(taken, [])
      const message = "MAIL FROM:<>\r\nRCPT TO:<a@example.com>\r\nDATA\r\nSubject: x\r\n\r\nhi\r\n.\r\n"
      const packet = Buffer.from(`EHLO client.test\r\n${plain("right")}${message}${message}QUIT\r\n`)
      const port = yield* portOf("starttls")
      const heard = yield* Effect.promise(() => converse(port, { packets: [packet], ending: "reads" }))
      const codes = [...heard.matchAll(/^\d{3}(?= )/gm)].map(([code]) => code)
      const replies = ["250", "250", "354", "250"]
      assert.deepStrictEqual(codes, ["220", "250", "235", ...replies, ...replies, "221"])
      assert.strictEqual((yield* Ref.get(taken)).length, 2)
    })
  )

  it.effect("gets a refusal for a message that is too large, announced or not, and may continue", () =>
    Effect.gen(function* () {
      yield* Ref.set(taken, [])
      const client = yield* loggedIn
      assert.match(yield* client.say("MAIL FROM:<> SIZE=3145729\r\n"), /^552 5\.3\.4 /)
      yield* client.say("MAIL FROM:<>\r\n")
      yield* client.say("RCPT TO:<a@example.com>\r\n")
      yield* client.say("DATA\r\n")
      const line = `${"x".repeat(998)}\r\n`
      assert.match(yield* client.say(`Subject: x\r\n\r\n${line.repeat(3_200)}.\r\n`), /^552 5\.3\.4 /)
      yield* client.say("MAIL FROM:<>\r\n")
      yield* client.say("RCPT TO:<a@example.com>\r\n")
      yield* client.say("DATA\r\n")
      assert.match(yield* client.say(`Subject: x\r\n\r\n${line.repeat(2_500)}.\r\n`), /^250 /)
      assert.deepStrictEqual(
        (yield* Ref.get(taken)).map(({ text }) => text.length),
        [2_500_014]
      )
    })
  )
})

layer(server({ maxClients: 4 }, { perClient: 3, idle: 500, sending: 1_000 }), live)("The service", (it) => {
  it.effect("limits the connections of a client", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(
        Effect.gen(function* () {
          for (let n = 0; n < 3; n++) yield* connected
          const fourth = yield* talk(yield* portOf("starttls"))
          assert.strictEqual(yield* fourth.say(undefined), "421 4.7.0 Too many connections, try again later")
          assert.strictEqual(yield* fourth.say(undefined), "closed")
        })
      )
      yield* Effect.sleep("100 millis")
      yield* connected
    })
  )

  it.effect("closes idle connections, and ends messages that take too long", () =>
    Effect.gen(function* () {
      yield* Effect.sleep("100 millis")
      const idle = yield* connected
      assert.match(yield* idle.say(undefined), /^421 4\.4\.2 /)
      const slow = yield* addressed("a@example.com")
      const dripped = yield* Effect.forkScoped(
        Effect.forever(Effect.andThen(Effect.sleep("100 millis"), slow.say("x")))
      )
      yield* Effect.sleep("1500 millis")
      assert.isDefined(dripped)
      assert.strictEqual(yield* slow.say("x"), "closed")
    })
  )
})

const certificates = { first: makeCertificate("127.0.0.1"), second: makeCertificate("127.0.0.1") }

const files = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "posthorn-tls-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
).pipe(
  Effect.map((folder) => {
    const paths = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") }
    writeFileSync(paths.cert, certificates.first.cert)
    writeFileSync(paths.key, certificates.first.key)
    return paths
  })
)

const encrypted = Layer.unwrap(
  Effect.map(files, (certificate) => server({ certificate, ports: { starttls: 0, tls: 0 } }))
)

layer(encrypted, live)("An encrypted service", (it) => {
  it.effect("accepts logins only with TLS", () =>
    Effect.gen(function* () {
      const client = yield* connected
      const offered = yield* client.lines("EHLO client.test\r\n")
      assert.include(offered.join(), "STARTTLS")
      assert.notInclude(offered.join(), "AUTH")
      assert.match(yield* client.say(plain("right")), /^538 5\.7\.11 /)
      assert.match(yield* client.say("MAIL FROM:<a@b.co>\r\n"), /^530 5\.7\.0 /)
      const inside = yield* talk(yield* portOf("tls"), certificates.first.cert)
      assert.match(yield* inside.say(undefined), /^220 /)
      const inTls = yield* inside.lines("EHLO client.test\r\n")
      assert.include(inTls.join(), "AUTH PLAIN LOGIN")
      assert.notInclude(inTls.join(), "REQUIRETLS")
      assert.match(yield* inside.say(plain("right")), /^235 /)
    })
  )

  it.effect("discards commands that arrive in the same packet as STARTTLS", () =>
    Effect.gen(function* () {
      const client = yield* connected
      yield* client.say("EHLO client.test\r\n")
      assert.match(yield* client.say(`STARTTLS\r\n${plain("right")}MAIL FROM:<a@b.co>\r\n`), /^220 /)
      assert.strictEqual(yield* client.say("NOOP\r\n".repeat(10)), "closed")
    })
  )
})

const fingerprintAt = (port: number) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve, reject) => {
        const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
          const found: PeerCertificate = socket.getPeerCertificate()
          resolve(found.fingerprint256)
          socket.destroy()
        })
        socket.once("error", reject)
      })
  )

layer(services, live)("A certificate", (it) => {
  it.effect("is read again when its files change, and a certificate without its new key changes nothing", () =>
    Effect.gen(function* () {
      const paths = yield* files
      const uses: Array<string> = []
      yield* Effect.forkScoped(TlsFiles.watch(paths, ({ cert }) => uses.push(cert), "100 millis"))
      yield* Effect.sleep("300 millis")
      assert.deepStrictEqual(uses, [])
      writeFileSync(paths.cert, certificates.second.cert)
      yield* Effect.sleep("400 millis")
      assert.deepStrictEqual(uses, [])
      writeFileSync(paths.key, certificates.second.key)
      yield* Effect.sleep("400 millis")
      assert.deepStrictEqual(uses, [certificates.second.cert])
    })
  )

  it.effect("that does not belong to its key makes the start fail with a sentence about both", () =>
    Effect.gen(function* () {
      const paths = yield* files
      writeFileSync(paths.key, certificates.second.key)
      const error = yield* Effect.flip(Layer.build(server({ certificate: paths })))
      assert.match(error.message, /^The certificate .+cert\.pem \(POSTHORN_SUBMISSION_TLS_CERT\) with the key /)
      const absent = { ...paths, cert: `${paths.cert}.absent` }
      assert.match((yield* Effect.flip(Layer.build(server({ certificate: absent })))).message, /ENOENT/)
    })
  )

  it.effect("is used for each new connection", () =>
    Effect.gen(function* () {
      const paths = yield* files
      yield* Layer.build(server({ certificate: paths, ports: { starttls: null, tls: 0 } }))
      assert.isString(yield* fingerprintAt(yield* portOf("tls")))
    })
  )
})

layer(services, live)("Behind a proxy", (it) => {
  it.effect("the client has the address of the PROXY header, if the peer is trusted", () =>
    Effect.gen(function* () {
      const trusted = parseTrustedProxies("127.0.0.0/8") ?? assert.fail()
      yield* Layer.build(server({ proxies: trusted }))
      yield* Ref.set(addresses, [])
      const client = yield* talk(yield* portOf("starttls"))
      assert.match(yield* client.say("PROXY TCP4 203.0.113.9 127.0.0.1 55555 587\r\n"), /^220 /)
      yield* client.say("EHLO client.test\r\n")
      yield* client.say(plain("right"))
      assert.deepStrictEqual(yield* Ref.get(addresses), ["203.0.113.9"])
      const without = yield* talk(yield* portOf("starttls"))
      assert.strictEqual(yield* without.say("EHLO client.test\r\n"), "closed")
    })
  )

  it.effect("a header of any other peer is an unknown command", () =>
    Effect.gen(function* () {
      const trusted = parseTrustedProxies("10.0.0.0/8") ?? assert.fail()
      yield* Layer.build(server({ proxies: trusted }))
      const client = yield* connected
      assert.match(yield* client.say("PROXY TCP4 203.0.113.9 127.0.0.1 55555 587\r\n"), /^500 /)
    })
  )
})

layer(services, live)("When the process ends", (it) => {
  it.effect("clients between messages are disconnected, and a message in transmission is finished", () =>
    Effect.gen(function* () {
      yield* Ref.set(taken, [])
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(server({}, { stopping: 5_000 }), scope)
      const idle = yield* loggedIn
      const between = yield* loggedIn
      yield* between.say("MAIL FROM:<>\r\n")
      const sending = yield* addressed("a@example.com")
      yield* Effect.raceFirst(sending.say("Subject: x\r\n\r\nhalf"), Effect.sleep("50 millis"))
      const stopped = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      assert.match(yield* idle.say(undefined), /^421 4\.3\.2 /)
      assert.match(yield* between.say(undefined), /^421 4\.3\.2 /)
      yield* Ref.set(storing, 300)
      assert.match(yield* sending.say(" and half\r\n.\r\n"), /^250 2\.0\.0 Ok/)
      assert.match(yield* sending.say(undefined), /^421 4\.3\.2 /)
      yield* Fiber.join(stopped)
      yield* Ref.set(storing, 0)
      assert.deepStrictEqual(
        (yield* Ref.get(taken)).map(({ text }) => text),
        ["Subject: x\r\n\r\nhalf and half\r\n"]
      )
    })
  )
})
