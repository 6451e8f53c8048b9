/** The length of a list in a body is checked before its items. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { send, wire } from "../../testing/TestClient.ts"

const faults = ({ body }: { readonly body: { readonly error: { readonly errors: ReadonlyArray<Fault> } } }) =>
  body.error.errors.map(({ field, code }) => `${field} ${code}`)

interface Fault {
  readonly field: string
  readonly code: string
}

const letter = { from: "hi@example.com", subject: "Hi", body: "<p>Hi</p>" }

layer(wire, { timeout: "60 seconds" })("A list in a body", (it) => {
  it.effect.each([
    ["/v1/send", "to", letter],
    ["/suppressions", "emails", {}],
    ["/contacts/bulk-subscribe", "contactIds", {}],
    ["/segments/019a0000-0000-7000-8000-00000000dead/members", "emails", {}]
  ] as const)("that is too long is refused only for its length: %s", ([path, field, more]) =>
    Effect.gen(function* () {
      const ask = (list: ReadonlyArray<unknown>) => send("POST", path, { ...more, [field]: list })
      for (const item of ["nonsense", 5, null, {}]) {
        const refused = yield* ask(Array.from({ length: 1001 }, () => item))
        assert.deepStrictEqual([refused.status, faults(refused)], [422, [`${field} too_big`]])
      }
      const named = faults(yield* ask(["nonsense", 5])).map((fault) => fault.split(" ")[0])
      assert.deepStrictEqual(named, [`${field}.0`, `${field}.1`])
    })
  )
})
