/** Texts far above the limit of a field: their length is checked first, so no pattern runs on them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { send, wire } from "../../testing/TestClient.ts"

interface Fault {
  readonly field: string
  readonly code: string
}

const mail = { to: "ada@example.com", from: "hi@verified.test", subject: "Hi", body: "<p>Hi</p>" }
const template = { name: "News", from: "hi@verified.test", subject: "Hi", body: "<p>Hi</p>" }
const campaign = { ...template, audienceType: "ALL" }
const file = { filename: "a.txt", content: "YQ==" }

const long = (megabytes: number, piece = "a") => piece.repeat((megabytes * 1024 * 1024) / piece.length)

layer(wire, { timeout: "120 seconds" })("A text that is too long", (it) => {
  it.effect.each([
    ["/templates", "description", { ...template, description: long(9) }],
    ["/templates", "description", { ...template, description: long(4, "\n") }],
    ["/templates", "description", { ...template, description: long(4, "😀") }],
    ["/templates", "name", { ...template, name: long(9) }],
    ["/templates", "subject", { ...template, subject: long(9) }],
    ["/templates", "fromName", { ...template, fromName: long(4, "é") }],
    ["/templates", "body", { ...template, body: long(3) }],
    ["/templates", "from", { ...template, from: long(9) }],
    ["/templates", "replyTo", { ...template, replyTo: `${long(2, '"\\')} <a@b.co>` }],
    ["/campaigns", "description", { ...campaign, description: long(9) }],
    ["/campaigns", "segmentId", { ...campaign, segmentId: long(9) }],
    ["/contacts", "email", { email: `${long(1, "a.")}@example.com` }],
    ["/domains", "domain", { domain: long(1, "a.") }],
    ["/v1/send", "attachments.0.contentType", { ...mail, attachments: [{ ...file, contentType: long(12) }] }],
    [
      "/v1/send",
      "attachments.0.contentType",
      { ...mail, attachments: [{ ...file, contentType: long(12, "a/b;c=d") }] }
    ],
    ["/v1/send", "attachments.0.filename", { ...mail, attachments: [{ ...file, filename: long(12) }] }],
    ["/v1/send", "attachments.0.contentId", { ...mail, attachments: [{ ...file, contentId: long(12) }] }],
    ["/v1/send", "headers.X-Long", { ...mail, headers: { "X-Long": long(12) } }],
    ["/v1/send", "to", { ...mail, to: long(12) }],
    ["/v1/send", "from.name", { ...mail, from: { email: "hi@verified.test", name: long(12) } }],
    ["/v1/send", "template", { ...mail, template: long(12) }]
  ] as const)("is refused with its field: %s %s", ([path, field, body]) =>
    Effect.gen(function* () {
      const { status, body: answer } = yield* send("POST", path, body)
      const faults: ReadonlyArray<Fault> = answer.error.errors
      assert.deepStrictEqual([status, faults.length], [422, 1], JSON.stringify(answer).slice(0, 500))
      assert.strictEqual(faults[0]?.field.split(".").slice(0, 3).join("."), field)
      assert.isBelow(JSON.stringify(answer).length, 2_000)
    })
  )
})
