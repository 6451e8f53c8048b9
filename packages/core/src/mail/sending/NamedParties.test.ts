/** `Ada <ada@example.com>` wherever a request names a party of a mail, from the wire to the message that leaves. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { outcome, send, wire } from "../../testing/TestClient.ts"

const from = '"Posthorn, Inc." <Hi@Named.test>'
const content = { subject: "Hi", body: "<p>Hi</p>" }

const addDomain = send("POST", "/domains", { domain: "named.test" })

layer(wire, { timeout: "60 seconds" })("A name beside an address", (it) => {
  it.effect("is taken by a send, in each of its parties", () =>
    Effect.gen(function* () {
      yield* addDomain
      const { status, body } = yield* send("POST", "/v1/send", {
        ...content,
        from,
        to: ["Ada Lovelace <ada@example.com>", "bob@example.com", { email: "eve@example.com", name: "Eve" }],
        reply: "Help <help@named.test>"
      })
      assert.strictEqual(status, 200, JSON.stringify(body))
      const sent: ReadonlyArray<{ readonly email: string }> = body.data.emails
      const mails = yield* Effect.forEach(sent, ({ email }) =>
        Effect.map(send("GET", `/emails/${email}`), ({ body }) => body)
      )
      assert.deepStrictEqual(
        mails.map((mail) => [mail.to, mail.toName, mail.from, mail.fromName, mail.replyTo]),
        [
          ["ada@example.com", "Ada Lovelace", "hi@named.test", "Posthorn, Inc.", "Help <help@named.test>"],
          ["bob@example.com", null, "hi@named.test", "Posthorn, Inc.", "Help <help@named.test>"],
          ["eve@example.com", "Eve", "hi@named.test", "Posthorn, Inc.", "Help <help@named.test>"]
        ]
      )
      const { body: page } = yield* send("GET", "/contacts?search=ada@example.com")
      assert.deepStrictEqual(page.data[0].data, { name: "Ada Lovelace" })
    })
  )

  it.effect("is taken by templates, where it wins over `fromName`", () =>
    Effect.gen(function* () {
      yield* addDomain
      const { body: made } = yield* send("POST", "/templates", { ...content, name: "News", from, fromName: "Other" })
      assert.deepInclude(made, { from: "hi@named.test", fromName: "Posthorn, Inc." })
      const change = (body: object) => Effect.map(send("PATCH", `/templates/${made.id}`, body), ({ body }) => body)
      assert.deepInclude(yield* change({ from: "new@named.test" }), {
        from: "new@named.test",
        fromName: "Posthorn, Inc."
      })
      assert.deepInclude(yield* change({ from: "New <new@named.test>" }), { from: "new@named.test", fromName: "New" })
    })
  )

  it.effect("is taken by campaigns and their tests", () =>
    Effect.gen(function* () {
      yield* addDomain
      yield* send("POST", "/contacts", { email: "tester@example.com" })
      const { body: made } = yield* send("POST", "/campaigns", { ...content, name: "News", from, audienceType: "ALL" })
      assert.deepInclude(made.data, { from: "hi@named.test", fromName: "Posthorn, Inc." })
      const { status, body } = yield* send("POST", `/campaigns/${made.data.id}/test`, {
        email: "Test Er <Tester@example.com>"
      })
      assert.strictEqual(status, 200, JSON.stringify(body))
      const { body: mail } = yield* send("GET", `/emails/${body.data.email}`)
      assert.deepInclude(mail, { to: "tester@example.com", toName: "Test Er" })
    })
  )

  it.effect("smuggles nothing, and identities keep to the address", () =>
    Effect.gen(function* () {
      yield* addDomain
      for (const to of [
        "Ada\r\nBcc: eve@example.com <ada@example.com>",
        "eve@example.com, Ada <ada@example.com>",
        '"Ada <ada@example.com>',
        "Ada <ada@example.com> <eve@example.com>"
      ]) {
        assert.strictEqual(
          yield* outcome("POST", "/v1/send", { ...content, from: "hi@named.test", to }),
          "422 VALIDATION_ERROR"
        )
      }
      const contact = { email: "Ada <ada@example.com>" }
      assert.strictEqual(yield* outcome("POST", "/contacts", contact), "422 VALIDATION_ERROR")
      assert.strictEqual(yield* outcome("POST", "/suppressions", contact), "422 VALIDATION_ERROR")
    })
  )
})
