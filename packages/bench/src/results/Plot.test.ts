import { assert, it } from "@effect/vitest"
import { sizeAxis, svg, timeAxis } from "./Plot.ts"

it("a plot has a line for each name, from the left to the right, with the greatest value below the upper edge", () => {
  const lines = { mails: [0, 50, 100], events: [0, 10, 20] }
  const made = svg([{ title: "Rows & memory", axis: timeAxis([0, 5, 10], "min"), lines }])
  assert.deepStrictEqual(
    [...made.matchAll(/<polyline points="([^"]+)"/g)].map(([, points]) => points),
    ["70.0,210.0 360.0,122.0 650.0,34.0", "70.0,210.0 360.0,192.4 650.0,174.8"]
  )
  assert.include(made, "Rows &amp; memory")
  assert.include(made, ">100</text>")
  assert.include(made, ">10 min</text>")
})

it("sizes stand apart by how many times larger they are", () => {
  const made = svg([{ title: "Count", axis: sizeAxis([10_000, 100_000, 1_000_000]), lines: { ms: [1, 2, 4] } }])
  assert.deepStrictEqual(
    [...made.matchAll(/<polyline points="([^"]+)"/g)].map(([, points]) => points),
    ["70.0,166.0 360.0,122.0 650.0,34.0"]
  )
  assert.include(made, ">1,000,000</text>")
})
