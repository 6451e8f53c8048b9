/** The database parses dates as the contract does, and never fails on any text. */
import { assert, layer } from "@effect/vitest"
import { isoDate } from "@posthorn/contract/audience/filters/IsoDate"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { databases } from "../../testing/Databases.ts"

const two = fc
  .oneof(fc.integer({ min: 0, max: 33 }), fc.integer({ min: 0, max: 99 }))
  .map((n) => String(n).padStart(2, "0"))
const year = fc.oneof(
  fc.constantFrom("0000", "0001", "0004", "1900", "2000", "2024", "2026", "2100", "9999"),
  fc.tuple(two, two).map((pair) => pair.join(""))
)
const day = fc.oneof(fc.constantFrom("28", "29", "30", "31"), two)
const date = fc.tuple(year, fc.oneof(fc.constant("02"), two), day).map((parts) => parts.join("-"))
const time = fc.tuple(
  two,
  two,
  fc.oneof(
    fc.constant(""),
    two.map((seconds) => `:${seconds}`)
  )
)
const fraction = fc.constantFrom("", "", ".1", ".1234", ".", ",5")
const zone = fc.oneof(
  fc.constantFrom("", "Z", "z", "+02:00", "-00:00", "+15:59", "+0200"),
  fc.tuple(fc.constantFrom("+", "-"), two, two).map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`)
)
const dateTime = fc
  .tuple(date, fc.constantFrom("T", "T", "T", " ", "t"), time, fraction, zone)
  .map(
    ([date, separator, [hours, minutes, seconds], fraction, zone]) =>
      `${date}${separator}${hours}:${minutes}${seconds}${seconds && fraction}${zone}`
  )
const text = fc.oneof(
  date,
  dateTime,
  dateTime,
  fc.tuple(date, fc.constantFrom("\n", " ", "Z", "T")).map((parts) => parts.join(""))
)

for (const [name, database] of databases()) {
  layer(database, { timeout: "60 seconds" })(`iso_millis on ${name}`, (it) => {
    it.effect("returns the same instants as the contract", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const texts = fc.sample(text, 5000)
        const rows = yield* sql`
          select iso_millis(value)::text as at
          from jsonb_array_elements(${JSON.stringify(texts)}::text::jsonb) with ordinality as given(value, n) order by n`
        const read = yield* Schema.decodeUnknownEffect(
          Schema.Array(Schema.Struct({ at: Schema.NullOr(Schema.String) }))
        )(rows)
        const parsed = texts.map((text, n) => [text, read[n]?.at])
        assert.deepStrictEqual<unknown>(
          parsed,
          texts.map((text) => [text, isoDate(text)?.start.toString() ?? null])
        )
        const dates = parsed.filter(([, at]) => at !== null).length
        assert.isTrue(dates > 100 && dates < 4900, `${dates} of them are dates`)
      })
    )

    it.effect("is null for values other than text", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql`
          select iso_millis(value) as at
          from jsonb_array_elements('[null, true, 20261120, ["2026-11-20"], {"a": "2026-11-20"}, ""]'::jsonb) as value`
        assert.deepStrictEqual(
          rows.map(({ at }) => at),
          [null, null, null, null, null, null]
        )
      })
    )
  })
}
