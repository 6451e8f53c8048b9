/** The headers, footer and links of each type of email, as the recipient gets them over SMTP. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { call } from "../testing/ApiCall.ts"
import { request, send, succeed } from "./testing/Caller.ts"
import { databaseName } from "./testing/Installation.ts"
import { parsed } from "./testing/Received.ts"
import { assertSigned, mailTo, Shop, shop } from "./testing/Shop.ts"

const Id = Schema.Struct({ id: Schema.String })
const from = "zoe@mail.example.com"
const body = '<html><body><p>News</p><a href="https://shop.example/?a=1&amp;b=2">Shop</a></body></html>'

let made = 0

/** An email of this type from a template, to a subscriber with this language. */
const received = Effect.fnUntraced(function* (type: string, locale: string, more: Record<string, unknown> = {}) {
  const { caller } = yield* Shop
  const to = `reader-${++made}@example.org`
  const template = yield* succeed(201, Id, caller, "POST", "/templates", {
    name: `Letter ${made}`,
    subject: "News",
    body,
    from,
    type
  })
  const [id = ""] = yield* send(caller, { to, template: template.id, subscribed: true, data: { locale }, ...more })
  const { raw } = yield* mailTo(to)
  yield* assertSigned(raw)
  return { id, to, mail: yield* parsed(raw), raw: Buffer.from(raw).toString("latin1") }
})

/** The header names that the first signature covers. */
const signedNames = (raw: string) => /\sh=([^;]+);/.exec(raw)?.[1]?.replaceAll(/\s/g, "").toLowerCase().split(":") ?? []

describe(`the mail of a server on ${databaseName}`, () => {
  layer(shop, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("is marked as automatic and has no list headers if it is transactional", () =>
      Effect.gen(function* () {
        const { id, to, mail } = yield* received("TRANSACTIONAL", "de", { reply: "answers@example.com" })
        assert.strictEqual(mail.header("Auto-Submitted"), "auto-generated")
        assert.strictEqual(mail.header("X-Posthorn-Email-Id"), id)
        assert.strictEqual(mail.header("Message-ID"), `<${id}@mail.example.com>`)
        assert.strictEqual(mail.header("Feedback-ID"), "transactional:zoe-sohne:posthorn")
        assert.include(mail.header("To"), to)
        assert.include(mail.header("Reply-To"), "answers@example.com")
        assert.strictEqual(mail.header("MIME-Version"), "1.0")
        for (const name of [
          "List-Unsubscribe",
          "List-ID",
          "Precedence",
          "X-Auto-Response-Suppress",
          "X-Posthorn-Test"
        ]) {
          assert.strictEqual(mail.header(name), "", name)
        }
        assert.notInclude(mail.html, "/unsubscribe/")
      })
    )

    it.effect.each(["MARKETING", "HEADLESS"])("has list headers with one-click unsubscribe if it is %s", (type) =>
      Effect.gen(function* () {
        const { caller } = yield* Shop
        const { id, mail, raw, to } = yield* received(type, "fr-CA")
        assert.strictEqual(mail.header("Auto-Submitted"), "auto-generated")
        assert.strictEqual(mail.header("Precedence"), "bulk")
        assert.strictEqual(mail.header("X-Auto-Response-Suppress"), "All")
        assert.strictEqual(mail.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click")
        assert.strictEqual(mail.header("Feedback-ID"), `${type.toLowerCase()}:zoe-sohne:posthorn`)
        assert.match(mail.header("List-ID"), /<mail\.zoe-sohne\.mail\.example\.com>$/)
        assert.strictEqual(mail.header("X-Posthorn-Email-Id"), id)
        const names = signedNames(raw)
        for (const name of [
          "list-unsubscribe",
          "list-unsubscribe-post",
          "list-id",
          "feedback-id",
          "from",
          "to",
          "date"
        ]) {
          assert.include(names, name)
        }
        const isMarketing = type === "MARKETING"
        assert.strictEqual(mail.html.includes("Se désabonner"), isMarketing)
        assert.strictEqual(mail.text.includes("Se désabonner"), isMarketing)

        const url = /^<(https:\/\/posthorn\.example(\/unsubscribe\/[^>]+))>$/.exec(mail.header("List-Unsubscribe"))
        const path = url?.[2] ?? ""
        if (isMarketing) assert.include(mail.html, `href="${url?.[1]}"`)
        const answer = yield* call(`${caller.url}${path}`, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: "List-Unsubscribe=One-Click"
        })
        assert.deepStrictEqual([answer.status, answer.text], [200, "Unsubscribed"])
        const contacts = yield* request(caller, "GET", `/contacts?search=${to}`)
        assert.strictEqual(JSON.parse(contacts.text).data[0].subscribed, false)
        const again = yield* request(caller, "GET", `/emails/${id}`)
        const types = JSON.parse(again.text).timeline.map(({ type }: { type: string }) => type)
        assert.include(types, "unsubscribed")
      })
    )

    it.effect("has links through the service, and reading it through the API does not count as an open", () =>
      Effect.gen(function* () {
        const { caller } = yield* Shop
        const { id, mail } = yield* received("TRANSACTIONAL", "en")
        assert.match(
          mail.html,
          /href="https:\/\/posthorn\.example\/t\/c\/[\w.-]+\?u=https%3A%2F%2Fshop\.example%2F%3Fa%3D1%26b%3D2"/
        )
        assert.match(
          mail.html,
          /<img src="https:\/\/posthorn\.example\/t\/o\/[\w.-]+\.gif" width="1" height="1" alt=""><\/body>/
        )
        assert.include(mail.text, "https://shop.example/?a=1&b=2")
        const shown = yield* request(caller, "GET", `/emails/${id}/content`)
        assert.strictEqual(JSON.parse(shown.text).html, body)
        const raw = yield* request(caller, "GET", `/emails/${id}/content?format=raw`)
        const again = yield* parsed(Buffer.from(raw.text, "latin1"))
        assert.strictEqual(again.html, body)
        assert.strictEqual(again.header("Message-ID"), `<${id}@mail.example.com>`)
      })
    )
  })
})
