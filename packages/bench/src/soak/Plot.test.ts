import { assert, it } from "@effect/vitest"
import { svg } from "./Plot.ts"

it("a plot has a line for each name, from the left to the right, with the greatest value below the upper edge", () => {
  const made = svg([0, 5, 10], "min", [{ title: "Rows & memory", lines: { mails: [0, 50, 100], events: [0, 10, 20] } }])
  assert.deepStrictEqual(
    [...made.matchAll(/<polyline points="([^"]+)"/g)].map(([, points]) => points),
    ["70.0,210.0 360.0,122.0 650.0,34.0", "70.0,210.0 360.0,192.4 650.0,174.8"]
  )
  assert.include(made, "Rows &amp; memory")
  assert.include(made, ">100</text>")
  assert.include(made, ">10 min</text>")
})
