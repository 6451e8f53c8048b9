import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { publicKey, zone } from "../../testing/Services.ts"
import { outcome, send, wire } from "../../testing/TestClient.ts"

const mx = [{ priority: 10, exchange: "mx.example" }]

const verdict = (email: string) =>
  Effect.map(send("POST", "/v1/verify", { email }), ({ status, body }) => {
    assert.strictEqual(status, 200)
    return body.data
  })

layer(wire, { timeout: "60 seconds" })("POST /v1/verify", (it) => {
  it.effect("a valid address", () =>
    Effect.gen(function* () {
      zone.set("good.example", { mx, a: ["192.0.2.1"] })
      const { status, body } = yield* send("POST", "/v1/verify", { email: " Anna@Good.Example " })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        success: true,
        data: {
          email: "anna@good.example",
          valid: true,
          isDisposable: false,
          isAlias: false,
          isTypo: false,
          isPlusAddressed: false,
          isPersonalEmail: false,
          domainExists: true,
          hasWebsite: true,
          hasMxRecords: true,
          reasons: ["The address looks valid."],
          dnsStatus: "ok"
        }
      })
    })
  )

  it.effect("a misspelled provider: all reasons, the worst first", () =>
    Effect.gen(function* () {
      zone.set("gnail.com", { a: ["192.0.2.1"] })
      assert.deepInclude(yield* verdict("anna+news@gnail.com"), {
        valid: false,
        isTypo: true,
        suggestedEmail: "anna+news@gmail.com",
        isPlusAddressed: true,
        domainExists: true,
        hasWebsite: true,
        hasMxRecords: false,
        reasons: [
          "The domain has no mail servers.",
          "Did you mean anna+news@gmail.com?",
          "The address has a tag behind a plus sign."
        ]
      })
    })
  )

  it.effect("list flags do not affect valid", () =>
    Effect.gen(function* () {
      for (const domain of ["mailinator.com", "duck.com", "gmail.com"]) zone.set(domain, { mx })
      assert.deepInclude(yield* verdict("a@mailinator.com"), {
        valid: true,
        isDisposable: true,
        isPersonalEmail: false
      })
      assert.deepInclude(yield* verdict("a@duck.com"), { valid: true, isAlias: true })
      const personal = yield* verdict("a@gmail.com")
      assert.deepInclude(personal, { valid: true, isPersonalEmail: true, isTypo: false })
      assert.isFalse("suggestedEmail" in personal)
    })
  )

  it.effect("a domain that does not exist, a null MX, and a website only at www", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* verdict("a@nowhere.example"), {
        valid: false,
        domainExists: false,
        hasMxRecords: false,
        reasons: ["The domain does not exist."],
        dnsStatus: "ok"
      })
      zone.set("null.example", { mx: [{ priority: 0, exchange: "" }] })
      zone.set("www.null.example", { aaaa: ["2001:db8::1"] })
      assert.deepInclude(yield* verdict("a@null.example"), {
        valid: false,
        domainExists: true,
        hasMxRecords: false,
        hasWebsite: true
      })
    })
  )

  it.effect("without a usable answer the check is reported as incomplete and not cached", () =>
    Effect.gen(function* () {
      zone.set("flaky.example", { mx, trouble: "server_failure" })
      assert.deepInclude(yield* verdict("a@flaky.example"), {
        valid: false,
        domainExists: false,
        hasWebsite: false,
        hasMxRecords: false,
        dnsStatus: "unavailable",
        reasons: ["DNS gave no usable answer, so the check is incomplete."]
      })
      zone.set("flaky.example", { mx, a: ["192.0.2.1"], trouble: "timeout", troubled: ["A", "AAAA"] })
      assert.deepInclude(yield* verdict("a@flaky.example"), { valid: true, hasWebsite: false, dnsStatus: "ok" })
    })
  )

  it.effect("caches an answer for half a minute", () =>
    Effect.gen(function* () {
      zone.set("moving.example", { mx })
      assert.isTrue((yield* verdict("a@moving.example")).valid)
      zone.delete("moving.example")
      assert.isTrue((yield* verdict("b@moving.example")).valid)
      yield* TestClock.adjust("31 seconds")
      assert.isFalse((yield* verdict("a@moving.example")).valid)
    })
  )

  it.effect("requires the secret key and an address, and stores nothing", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* outcome("POST", "/v1/verify", { email: "not an address" }), "422 VALIDATION_ERROR")
      assert.strictEqual(yield* outcome("POST", "/v1/verify", {}), "422 VALIDATION_ERROR")
      const withPublicKey = { authorization: `Bearer ${publicKey}` }
      assert.strictEqual(
        yield* outcome("POST", "/v1/verify", { email: "a@good.example" }, withPublicKey),
        "401 INVALID_API_KEY"
      )
      const contacts = yield* SqlClient.SqlClient.use((sql) => sql`select from contacts`)
      assert.strictEqual(contacts.length, 0)
    })
  )
})
