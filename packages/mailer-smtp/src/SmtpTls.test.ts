import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SMTPServerOptions } from "smtp-server"
import { verifyLogin } from "./Smtp.ts"
import { mayLogIn } from "./SmtpSession.ts"
import { parse } from "./SmtpUrl.ts"
import { makeCertificate, startSmtpServer } from "./testing/index.ts"
import { at, makeSink, outcomeOf, over, send, sendFails, urlOf } from "./testing/SinkFixture.ts"

const trusted = makeCertificate("127.0.0.1", "mail.test")
const misnamed = makeCertificate("other.test")
setDefaultCACertificates([...getCACertificates("default"), trusted.cert, misnamed.cert])

const makeServer = (options: SMTPServerOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => startSmtpServer(options)),
    (server) => Effect.promise(() => server.close())
  )

const withoutTls: SMTPServerOptions = { disabledCommands: ["STARTTLS"], allowInsecureAuth: true }

const verify = (url: string) => Effect.flatMap(parse(url), ([transport]) => verifyLogin(transport))
const url = (scheme: "smtp" | "smtps", { port }: { readonly port: number }, query = "", login = "user:password@") =>
  `${scheme}://${login}127.0.0.1:${port}${query}`

describe("STARTTLS", () => {
  it.effect("is used when it is offered, with a certificate that must be valid", () =>
    Effect.gen(function* () {
      const server = yield* makeServer(trusted)
      yield* send().pipe(over(url("smtp", server)))
      assert.deepStrictEqual([server.mails[0]?.isEncrypted, server.mails[0]?.user], [true, "user"])
    })
  )

  it.effect("is optional, unless it is required; then nothing is sent without encryption", () =>
    Effect.gen(function* () {
      const server = yield* makeServer(withoutTls)
      yield* send().pipe(over(url("smtp", server)))
      assert.isFalse(server.mails[0]?.isEncrypted)
      const error = yield* sendFails().pipe(over(url("smtp", server, "?tls=required")))
      assert.deepStrictEqual([error.reason, error.code], ["unreachable", 500])
      assert.match(error.reply, /^127\.0\.0\.1:\d+: STARTTLS was answered by 500 /)
      assert.strictEqual(server.mails.length, 1)
    })
  )

  it.effect("that is required stays required if EHLO fails or STARTTLS is refused", () =>
    Effect.gen(function* () {
      const old = yield* makeSink({ misbehave: at("ehlo", { reply: "502 5.5.1 What?" }) })
      assert.strictEqual(yield* outcomeOf(send()).pipe(over(urlOf(old, "?tls=required"))), "unreachable")
      const refusing = yield* makeSink({ extensions: ["STARTTLS"] })
      for (const query of ["", "?tls=required"]) {
        assert.strictEqual(yield* outcomeOf(send()).pipe(over(urlOf(refusing, query))), "unreachable")
      }
      for (const command of [...old.commands, ...refusing.commands]) assert.match(command, /^(EHLO .+|STARTTLS)$/)
    })
  )

  it.effect("is not used with tls=none", () =>
    Effect.gen(function* () {
      const server = yield* makeServer(trusted)
      yield* send().pipe(over(url("smtp", server, "?tls=none", "")))
      assert.isFalse(server.mails[0]?.isEncrypted)
    })
  )
})

describe.each(["smtp", "smtps"] as const)("a certificate over %s", (scheme) => {
  const secure = scheme === "smtps"

  it.effect("that is trusted and names the host is accepted", () =>
    Effect.gen(function* () {
      const server = yield* makeServer({ secure, ...trusted })
      assert.deepStrictEqual(yield* verify(url(scheme, server)), { isEncrypted: true })
    })
  )

  it.effect.each([
    ["self-signed", makeCertificate("127.0.0.1"), /self-signed certificate/],
    ["of another host", misnamed, /does not match certificate's altnames/]
  ] as const)("%s is refused, unless verify=false", ([, certificate, reason]) =>
    Effect.gen(function* () {
      const server = yield* makeServer({ secure, ...certificate })
      const error = yield* sendFails().pipe(over(url(scheme, server)))
      assert.strictEqual(error.reason, "unreachable")
      assert.match(error.reply, reason)
      assert.match(error.reply, /verify=false/)
      yield* send().pipe(over(url(scheme, server, "?verify=false")))
      assert.isTrue(server.mails[0]?.isEncrypted)
    })
  )
})

describe("a login", () => {
  it.effect("that is wrong is a failed authentication, and the error does not contain the password", () =>
    Effect.gen(function* () {
      const echo = (text: string) => Object.assign(new Error(text), { responseCode: 535 })
      const server = yield* makeServer({
        ...trusted,
        onAuth: ({ password, username }, _session, done) =>
          done(echo(`5.7.8 ${username} ${password} ${Buffer.from(`\0${username}\0${password}`).toString("base64")}`))
      })
      const error = yield* sendFails().pipe(over(url("smtp", server, "", "user:s3cret@")))
      assert.deepStrictEqual(
        { ...error },
        {
          _tag: "MailerError",
          reason: "authentication",
          transport: "smtp1",
          remoteHost: "127.0.0.1",
          tls: "TLSv1.3",
          code: 535,
          enhancedCode: "5.7.8",
          reply: "535 5.7.8 user *** ***"
        }
      )
    })
  )

  it.effect("is sent without encryption to loopback, and with tls=none", () =>
    Effect.gen(function* () {
      const server = yield* makeServer(withoutTls)
      for (const query of ["", "?tls=none"]) yield* send().pipe(over(url("smtp", server, query)))
      assert.deepStrictEqual(
        server.mails.map(({ isEncrypted, user }) => [isEncrypted, user]),
        [
          [false, "user"],
          [false, "user"]
        ]
      )
    })
  )

  it("is not sent without encryption over a network", () => {
    const offered = { host: "mail.test", port: 587, pool: 1, verify: true, tls: "offered" } as const
    assert.isFalse(mayLogIn(offered, false, "192.0.2.1"))
    assert.isFalse(mayLogIn(offered, false, "2001:db8::127"))
    assert.isFalse(mayLogIn(offered, false, undefined))
    assert.isTrue(mayLogIn(offered, true, "192.0.2.1"))
    assert.isTrue(mayLogIn({ ...offered, tls: "none" }, false, "192.0.2.1"))
    for (const address of ["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"]) {
      assert.isTrue(mayLogIn(offered, false, address))
    }
  })

  it.effect("is omitted if the peer supports none", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink()
      yield* send().pipe(over(url("smtp", sink)))
      assert.notInclude(sink.commands.join(), "AUTH")
    })
  )

  it.effect("during which the connection breaks means an unreachable peer, not a wrong login", () =>
    Effect.gen(function* () {
      const server = yield* makeServer({ ...withoutTls, onAuth: () => server.close() })
      assert.strictEqual(yield* outcomeOf(send()).pipe(over(url("smtp", server))), "unreachable")
    })
  )
})

describe("verifyLogin", () => {
  it.effect("opens a session and ends it, without a mail", () =>
    Effect.gen(function* () {
      const server = yield* makeServer(trusted)
      assert.deepStrictEqual(yield* verify(url("smtp", server)), { isEncrypted: true })
      const sink = yield* makeSink()
      assert.deepStrictEqual(yield* verify(urlOf(sink)), { isEncrypted: false })
      assert.match(sink.commands.join(), /^EHLO [^,]+,QUIT$/)
    })
  )

  it.effect("fails with the reason", () =>
    Effect.gen(function* () {
      const server = yield* makeServer(trusted)
      const error = yield* Effect.flip(verify(url("smtp", server, "", "user:wrong@")))
      assert.strictEqual(error._tag === "MailerError" ? error.reason : undefined, "authentication")
      assert.strictEqual(error.message, "535 Invalid login")
    })
  )
})
