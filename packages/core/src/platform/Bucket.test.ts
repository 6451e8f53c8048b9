import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { databases } from "../testing/Databases.ts"
import { crypto } from "../testing/Services.ts"
import { bucket, bucketSql, partOf } from "./Bucket.ts"

const contact = "019a9f3c-0000-7000-8000-000000000001"
const campaign = "019a9f3c-0000-7000-8000-0000000000d1"

const examples = [
  [`holdout:${campaign}`, 0.244914],
  [`test:${campaign}`, 0.712116],
  [`variant:${campaign}`, 0.255948],
  [`spread:${campaign}`, 0.433311],
  ["split:019a9f3c-0000-7000-8000-0000000000a1:019a9f3c-0000-7000-8000-0000000000b1", 0.105118]
] as const

const shares = (...given: ReadonlyArray<number>) => given.map((share, id) => ({ id, share }))

describe("The bucket of a contact", () => {
  it.layer(crypto)((it) => {
    it.effect("is the number that anybody computes from the salt and the id, whatever the case of the id", () =>
      Effect.gen(function* () {
        for (const [salt, expected] of examples) {
          assert.closeTo(yield* bucket(salt, contact), expected, 5e-7)
          assert.strictEqual(yield* bucket(salt, contact.toUpperCase()), yield* bucket(salt, contact))
        }
      })
    )

    it.effect("gives each of 10,000 contacts to a branch, within 1 % of the shares", () =>
      Effect.gen(function* () {
        const counts = [0, 0, 0]
        for (let n = 0; n < 10_000; n++) {
          const id = `019a9f3c-0000-7000-8000-${String(n).padStart(12, "0")}`
          const part = partOf(shares(50, 33.34, 16.66), yield* bucket("split:shares", id))
          if (part !== undefined) counts[part.id] = (counts[part.id] ?? 0) + 1
        }
        for (const [at, share] of [0.5, 0.3334, 0.1666].entries()) {
          assert.closeTo((counts[at] ?? 0) / 10_000, share, 0.01)
        }
      })
    )
  })

  it("belongs to the first share whose running total exceeds it", () => {
    const parts = shares(25, 0.01, 74.99)
    assert.deepStrictEqual(
      [0, 0.2499999, 0.25, 0.2500999, 0.2501, 0.9999999].map((at) => partOf(parts, at)?.id),
      [0, 0, 1, 1, 2, 2]
    )
  })

  it("always belongs to a share of 100 in all, and changed shares move only contacts between the borders", () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 9_999 }), { minLength: 1, maxLength: 9 })
    const parts = (at: ReadonlyArray<number>) => {
      const borders = [...new Set([0, ...at, 10_000])].sort((a, b) => a - b)
      return shares(...borders.slice(1).map((border, n) => (border - (borders[n] ?? 0)) / 100))
    }
    const place = fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((n) => n / 2 ** 32)
    fc.assert(
      fc.property(cuts, place, (at, bucket) => {
        const part = partOf(parts(at), bucket)
        assert.isDefined(part)
        const before = parts(at)
          .slice(0, part?.id)
          .reduce((sum, { share }) => sum + Math.round(share * 100), 0)
        assert.isAtMost(before / 10_000, bucket)
      })
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999 }),
        fc.integer({ min: 1, max: 9_999 }),
        place,
        (one, other, bucket) => {
          const [low, high] = [Math.min(one, other) / 10_000, Math.max(one, other) / 10_000]
          const isSame = partOf(parts([one]), bucket)?.id === partOf(parts([other]), bucket)?.id
          assert.strictEqual(isSame, bucket < low || bucket >= high)
        }
      )
    )
  })
})

for (const [name, database] of databases()) {
  layer(database, { timeout: "60 seconds" })(`The bucket on ${name}`, (it) => {
    it.effect("is the same in SQL", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ids = fc.sample(fc.uuid(), 50)
        const salts = [...examples.map(([salt]) => salt), "split:Größe ☃", ""]
        for (const salt of salts) {
          const rows = yield* sql`
            select id::text, ${bucketSql(sql, salt, sql`id`)} as bucket
            from unnest(${[contact, ...ids]}::uuid[]) as contact(id)`
          assert.lengthOf(rows, 51)
          for (const { id, bucket: found } of rows) {
            assert.strictEqual(found, yield* Effect.provide(bucket(salt, String(id)), crypto))
          }
        }
      })
    )
  })
}
