import { assert, layer } from "@effect/vitest"
import { eventually } from "@posthorn/core/testing/Eventually"
import { Effect, Schema } from "effect"
import * as DevServer from "../testing/DevServer.ts"

const Id = Schema.decodeUnknownEffect(Schema.Struct({ id: Schema.String }))
const Token = Schema.decodeUnknownEffect(Schema.Struct({ token: Schema.String }))
const Mailbox = Schema.decodeUnknownEffect(
  Schema.Struct({ data: Schema.Array(Schema.Struct({ subject: Schema.String, text: Schema.String })) })
)

/** What recipients ask for, as their pages do. */
const recipients = Effect.map(DevServer.DevServer, ({ url, secretKey }) => {
  const call = (method: string, path: string, body?: object) =>
    Effect.promise(async () => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      return (await response.json()) as unknown
    })
  const mailTo = (email: string, subject: RegExp) =>
    eventually(
      Effect.flatMap(call("GET", `/dev/mailbox.json?to=${email}`), Mailbox).pipe(
        Effect.map(({ data }) => data.find((mail) => subject.test(mail.subject))?.text ?? ""),
        Effect.orDie
      ),
      (text) => text !== ""
    )
  /** Asks to be erased, and confirms it by the link in the mail. */
  const asks = Effect.fnUntraced(function* (email: string) {
    const { id } = yield* Effect.flatMap(call("POST", "/contacts", { email }), Id)
    const { token } = yield* Effect.flatMap(call("GET", `/contacts/${id}/links`), Token)
    yield* call("POST", `/public/preferences/${token}/requests`, { type: "ERASURE" })
    const path = /\/privacy\/[\w-]+/.exec(yield* mailTo(email, /deleted/))?.[0] ?? ""
    const confirmed = yield* Effect.promise(() =>
      fetch(url + path, { method: "POST", body: new URLSearchParams({ confirm: "1" }) })
    )
    assert.strictEqual(confirmed.status, 200)
    return id
  })
  return { call, mailTo, asks }
})

layer(DevServer.layer, { timeout: "120 seconds" })("posthorn privacy", (it) => {
  it.effect("lists what recipients ask, erases one after a question, and refuses another with a reason", () =>
    Effect.gen(function* () {
      const { ended, json } = yield* DevServer.commands("privacy")
      const { call, mailTo, asks } = yield* recipients
      assert.deepStrictEqual(yield* json("list"), [])
      yield* call("PATCH", "/settings/audience", { selfService: { erasure: "request" } })
      const contact = yield* asks("erased@people.example.com")
      yield* asks("kept@people.example.com")
      const open = yield* json("list", "--status", "OPEN", "--type", "ERASURE")
      assert.deepStrictEqual(
        open.map(({ email, status }) => [email, status]),
        [
          ["kept@people.example.com", "OPEN"],
          ["erased@people.example.com", "OPEN"]
        ]
      )
      assert.deepStrictEqual(yield* json("list", "--type", "EXPORT"), [])
      const [kept, erased] = open.map(({ id }) => String(id))
      if (kept === undefined || erased === undefined) return assert.fail()

      const unasked = yield* ended("complete", erased)
      assert.strictEqual(unasked.code, 2)
      assert.match(unasked.stderr, /Erase erased@people\.example\.com\?.*\n.*--yes/)
      const [done] = yield* json("complete", erased, "--yes")
      assert.deepInclude(done, { id: erased, status: "DONE", email: null, contactId: null })
      assert.deepInclude(yield* call("GET", `/contacts/${contact}`), { success: false })

      assert.strictEqual((yield* ended("refuse", kept)).code, 2)
      const [refused] = yield* json("refuse", kept, "--note", "We must keep your invoices.")
      assert.deepInclude(refused, { id: kept, status: "REFUSED", note: "We must keep your invoices." })
      assert.include(yield* mailTo("kept@people.example.com", /request/i), "We must keep your invoices.")

      for (const again of [
        ["complete", kept, "--yes"],
        ["refuse", erased, "--note", "No."]
      ]) {
        const { code, stdout, stderr } = yield* ended(...again, "--json")
        assert.deepStrictEqual([code, (stdout + stderr).includes("already_finished")], [1, true], stderr)
      }
      assert.strictEqual((yield* ended("complete", contact, "--yes")).code, 4)
    })
  )
})
