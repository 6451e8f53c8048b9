import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { offsetPage, placeOf, sliceOf } from "./OffsetPages.ts"

const Total = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 500 }))
const PageSize = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 150 }))

describe("OffsetPages", () => {
  it("starts at page 1 with 20 items, and has at most 100", () => {
    assert.deepStrictEqual(placeOf({}), { page: 1, pageSize: 20 })
    assert.deepStrictEqual(placeOf({ page: 3, pageSize: 101 }), { page: 3, pageSize: 100 })
  })

  it("has no pages for an empty list, and keeps the requested page past the end", () => {
    assert.deepStrictEqual(offsetPage({ page: 4, pageSize: 20 }, [], 0), {
      data: [],
      page: 4,
      pageSize: 20,
      total: 0,
      totalPages: 0
    })
  })

  it.prop("shows every item on exactly one page", [Total, PageSize], ([total, pageSize]) => {
    const items = Array.from({ length: total }, (_, n) => n)
    const { totalPages } = offsetPage(placeOf({ pageSize }), [], total)
    const pages = Array.from({ length: totalPages }, (_, n) => {
      const { limit, offset } = sliceOf(placeOf({ page: n + 1, pageSize }))
      return items.slice(offset, offset + limit)
    })
    assert.deepStrictEqual(pages.flat(), items)
    assert.isTrue(pages.every((page) => page.length > 0))
  })
})
