import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Settings } from "../platform/Settings.ts"
import { services, settings } from "../testing/Services.ts"
import { outcome, send, wire, wireOver } from "../testing/TestClient.ts"
import { contactOf } from "./SecurityText.ts"

it("a contact is an address, or a URL of mailto, https or tel", () => {
  const cases = [
    [" security@example.com ", "mailto:security@example.com"],
    ["mailto:security@example.com", "mailto:security@example.com"],
    ["https://example.com/security", "https://example.com/security"],
    ["tel:+49-30-1234", "tel:+49-30-1234"],
    ["http://example.com", undefined],
    ["javascript:alert(1)", undefined],
    ["a@b.co\nContact: mailto:eve@example.com", undefined],
    ["nobody", undefined],
    ["", undefined]
  ] as const
  assert.deepStrictEqual(
    cases.map(([given]) => contactOf(given)),
    cases.map(([, contact]) => contact)
  )
})

it.effect.prop("a contact cannot contain a second field", [Schema.String], ([text]) =>
  Effect.sync(() => assert.notMatch(contactOf(`https://example.com/${text}`) ?? "", /\s/))
)

layer(wire)("security.txt without a contact", (it) => {
  it.effect("responds 404", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* outcome("GET", "/.well-known/security.txt"), "404 ROUTE_NOT_FOUND")
    })
  )
})

const contacts = ["mailto:security@example.com", "https://example.com/security"]
const withContacts = Layer.merge(services, Layer.succeed(Settings, { ...settings, securityContacts: contacts }))

layer(wireOver(withContacts))("security.txt", (it) => {
  it.effect("lists the contacts in order, and expires after a year at the start of a day", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("30 hours")
      const { body, headers, status } = yield* send("GET", "/.well-known/security.txt", undefined, {
        authorization: ""
      })
      assert.deepStrictEqual([status, headers.get("content-type")], [200, "text/plain; charset=utf-8"])
      assert.strictEqual(
        body,
        "Contact: mailto:security@example.com\nContact: https://example.com/security\n" +
          "Expires: 1971-01-02T00:00:00.000Z\nCanonical: https://posthorn.example/.well-known/security.txt\n"
      )
    })
  )
})
