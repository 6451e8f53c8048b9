import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as Known from "./Known.ts"

const id = (n: number) => `019a0000-0000-7000-8000-00000000000${n}`

it.effect("what answers tell is found again by what it names", () =>
  Effect.gen(function* () {
    const known = Known.make({ projects: id(0) })
    known.learn("/workflows/{id}", { id: id(1), name: "Welcome", steps: [{ id: id(2), templateId: id(3) }] })
    known.learn("/contacts", { data: [{ id: id(4), email: "ada@example.com" }], cursor: "next", hasMore: true })
    known.learn("/v1/send", { data: { emails: [{ contact: { id: id(4) }, email: id(5) }] } })
    const kinds = ["projects", "workflows", "steps", "templates", "contacts", "cursor", "emails", "email"]
    const found = yield* Effect.forEach(kinds, (kind) => Effect.map(known.any(kind), Option.getOrNull))
    assert.deepStrictEqual(found, [id(0), id(1), id(2), id(3), id(4), "next", id(5), "ada@example.com"])
    assert.deepStrictEqual(yield* known.filled({ contactId: id(9), segmentId: id(9), ids: [{ templateId: id(9) }] }), {
      contactId: id(4),
      segmentId: id(9),
      ids: [{ templateId: id(3) }]
    })
    assert.deepStrictEqual(
      [
        Known.kindOfParameter("/workflows/{id}/steps/{stepId}", 2),
        Known.kindOfParameter("/workflows/{id}/steps/{stepId}", 4)
      ],
      ["workflows", "steps"]
    )
    assert.strictEqual(Known.kindOfParameter("/events/contact/{contactId}", 3), "contacts")
  })
)
