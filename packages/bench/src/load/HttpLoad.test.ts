import { assert, describe, it } from "@effect/vitest"
import { bodyOf } from "./HttpLoad.ts"

describe("the body of a request", () => {
  it("takes the values of its project, and keeps the number for each request", () => {
    const body = '{"to":"reader-$n@example.com","template":"$template"}'
    assert.strictEqual(bodyOf(body, { template: "t1" }), '{"to":"reader-$n@example.com","template":"t1"}')
  })
})
