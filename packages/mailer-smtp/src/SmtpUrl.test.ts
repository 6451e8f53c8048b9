import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { parse } from "./SmtpUrl.ts"

const refusal = (text: string) => Effect.map(Effect.flip(parse(text)), ({ message }) => message)

describe("SmtpUrl", () => {
  it.effect("has defaults for everything except the host", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* parse("smtp://mail.example.com"), [
        { host: "mail.example.com", port: 587, pool: 20, tls: "offered", verify: true }
      ])
      const [{ port, tls }] = yield* parse("SMTPS://Mail.Example.com/")
      assert.deepStrictEqual([port, tls], [465, "implicit"])
    })
  )

  it.effect("reads all options from its query", () =>
    Effect.gen(function* () {
      const [transport] = yield* parse("smtp://[::1]:2525?pool=5&tls=required&verify=false&name=out.example.com")
      assert.deepStrictEqual(transport, {
        host: "::1",
        port: 2525,
        pool: 5,
        tls: "required",
        verify: false,
        name: "out.example.com"
      })
    })
  )

  it.effect("lists transports in the order of failover", () =>
    Effect.gen(function* () {
      const transports = yield* parse("smtp://u:a,b@one.test:25, smtps://two.test,smtp://drei.tëst?tls=none")
      assert.deepStrictEqual(
        transports.map(({ host, port, tls }) => [host, port, tls]),
        [
          ["one.test", 25, "offered"],
          ["two.test", 465, "implicit"],
          ["drei.xn--tst-jma", 587, "none"]
        ]
      )
    })
  )

  it("reads any percent-encoded login", () => {
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1 }),
        fc.string({ unit: "grapheme", minLength: 1 }),
        async (user, password) => {
          const url = `smtp://${encodeURIComponent(user)}:${encodeURIComponent(password)}@mail.test`
          const [{ login }] = await Effect.runPromise(parse(Redacted.make(url)))
          assert.deepStrictEqual([login?.user, login && Redacted.value(login.password)], [user, password])
        }
      )
    )
  })

  it.effect.each([
    ["smtp://mail.test?pool=0", "The SMTP URL has pool=0, it may be 1 to 200."],
    ["smtp://mail.test?pool=201", "The SMTP URL has pool=201, it may be 1 to 200."],
    ["smtp://mail.test?pool=many", "The SMTP URL has pool=many, it may be 1 to 200."],
    ["smtp://mail.test?tls=maybe", "The SMTP URL has tls=maybe, it may be required or none."],
    ["smtps://mail.test?tls=none", "The SMTP URL has tls=none, which smtps:// cannot have; use smtp://."],
    ["smtp://mail.test?verify=no", "The SMTP URL has verify=no, it may be true or false."],
    ["smtp://mail.test?pool=1&pool=2", "The SMTP URL has the option pool twice."],
    ["smtp://mail.test?name=a%20b", "The SMTP URL has a name that is neither a host name nor an address literal."],
    ["smtp://mail.test:0", "The SMTP URL has port 0, it may be 1 to 65535."],
    ["smtp://", "The SMTP URL has no valid host."],
    ["smtp://a..b", "The SMTP URL has no valid host."],
    ["smtp://ok.test,smtp://a..b", "SMTP URL 2 has no valid host."]
  ] satisfies ReadonlyArray<[string, string]>)("%s is refused in one sentence", ([text, message]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refusal(text), message)
    })
  )

  it.effect.each([
    "",
    "mail.example.com:25",
    "http://user:s3cret@mail.test",
    "user:s3cret@mail.test:25",
    "smtp://user:s3cret@mail.test:99999",
    "smtp://user:s3cret@mail.test?pool=0",
    "smtp://user:s3cret@mail.test?tls=s",
    "smtp://user:s3/cret@mail.test",
    "smtp://user:25?s3cret@mail.test",
    "smtp://user:25#s3cret@mail.test",
    "smtp://user:%zzs3cret@mail.test",
    "smtp://:s3cret@mail.test",
    "smtp://user@mail.test",
    "smtp://user:25,s3cret@mail..test",
    "smtp://mail.test?s3cret=1",
    "smtp://user:s3@cret/@mail.test"
  ])("%s is refused without showing a part of the password", (text) =>
    Effect.gen(function* () {
      const message = yield* refusal(text)
      assert.match(message, /^The SMTP URL [^\r\n]+\.$/)
      assert.notMatch(message, /s3|cret/)
    })
  )
})
