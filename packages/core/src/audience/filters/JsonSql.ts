/** Tests of custom data and of the data of events. */
import type { Bound, JsonMatch, JsonPath, Period, ValueTest } from "@posthorn/contract/audience/filters/Condition"
import type { Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { isPosition } from "./JsonPaths.ts"
import { instantsOf } from "./Periods.ts"

/** Over `contacts.data`. */
export const jsonSql = (sql: SqlClient.SqlClient, test: ValueTest, now: number): Statement.Fragment => {
  const { path, match } = test
  const contained =
    match._tag === "OneOf" && match.periods.length === 0 ? containment(sql, path, match.values) : undefined
  return testSql(sql, test, sql`contacts.data`, contained, now)
}

/** Over `event.data`, which no index helps to find. */
export const eventDataSql = (sql: SqlClient.SqlClient, test: ValueTest, now: number): Statement.Fragment =>
  testSql(sql, test, sql`event.data`, undefined, now)

const testSql = (
  sql: SqlClient.SqlClient,
  { path, match, negated }: ValueTest,
  data: Statement.Fragment,
  contained: ReturnType<typeof containment>,
  now: number
): Statement.Fragment => {
  const value = valueSql(sql, path, data)
  const matches =
    contained === undefined
      ? matchSql(sql, match, value, now)
      : contained.isExact
        ? contained.term
        : sql`(${contained.term} and ${matchSql(sql, match, value, now)})`
  return negated ? sql`(${isPresent(sql, value)} and not (${matches}))` : matches
}

/** Null if there is nothing at the path. */
const valueSql = (sql: SqlClient.SqlClient, { key, steps }: JsonPath, data: Statement.Fragment): Statement.Fragment => {
  const whole = sql`${data} -> ${key}::text`
  if (steps.length < 2) return sql`(${whole})`
  const walked = steps.reduce(
    (at, step) => (isPosition(step) ? sql`${at} #> array[${step}::text]` : sql`${at} -> ${step}::text`),
    data
  )
  return sql`(case when ${data} ? ${key}::text then ${whole} else ${walked} end)`
}

const isPresent = (sql: SqlClient.SqlClient, value: Statement.Fragment) => sql`coalesce(${value} <> 'null', false)`

const matchSql = (
  sql: SqlClient.SqlClient,
  match: JsonMatch,
  value: Statement.Fragment,
  now: number
): Statement.Fragment => {
  const ofType = (type: "string" | "number", holds: Statement.Fragment) =>
    sql`coalesce(jsonb_typeof(${value}) = ${sql.literal(`'${type}'`)} and ${holds}, false)`
  const text = sql`(${value} #>> '{}')`

  switch (match._tag) {
    case "Present":
      return isPresent(sql, value)
    case "Missing":
      return sql`coalesce(${value} = 'null', true)`
    case "OneOf":
      return sql.or([
        ...(match.values.length === 0 ? [] : [sql`coalesce(${value} = any(${jsonArray(sql, match.values)}), false)`]),
        ...(match.periods.length === 0 ? [] : [isDateIn(sql, value, match.periods, now)])
      ])
    case "Contains":
      return sql`coalesce(case jsonb_typeof(${value})
        when 'string' then strpos(${text}, ${match.text}) > 0
        when 'array' then ${value} @> ${json(sql, match.element)} end, false)`
    case "StartsWith":
      return ofType("string", sql`starts_with(${text}, ${match.text})`)
    case "EndsWith":
      return ofType("string", sql`right(${text}, length(${match.text}::text)) = ${match.text}`)
    case "Numbers":
      return ofType(
        "number",
        bounded(sql, value, match.bounds, (bound) => json(sql, bound))
      )
    case "Texts":
      return ofType(
        "string",
        bounded(sql, sql`${text} collate "C"`, match.bounds, (bound) => sql`${bound}`)
      )
    case "Dates":
      return isDateIn(sql, value, [match.period], now)
  }
}

const bounded = <Value>(
  sql: SqlClient.SqlClient,
  value: Statement.Fragment,
  bounds: ReadonlyArray<Bound<Value>>,
  parameter: (value: Value) => Statement.Fragment
) => sql.and(bounds.map((bound) => sql`${value} ${sql.literal(bound.is)} ${parameter(bound.value)}`))

/**
 * `iso_millis` is null for everything that is not an ISO date text. All periods of a list are one parameter that is
 * read once, and each row is looked up in it.
 */
const isDateIn = (sql: SqlClient.SqlClient, value: Statement.Fragment, periods: ReadonlyArray<Period>, now: number) => {
  const ranges = periods.map((period) => {
    const { from = "", to = "" } = instantsOf(period, now)
    return `[${from},${to})`
  })
  return sql`coalesce(iso_millis(${value}) <@ ${`{${ranges.join()}}`}::int8multirange, false)`
}

const json = (sql: SqlClient.SqlClient, value: Schema.Json) => sql`${JSON.stringify(value)}::text::jsonb`

const jsonArray = (sql: SqlClient.SqlClient, values: ReadonlyArray<Schema.Json>) =>
  sql`${values.map((value) => JSON.stringify(value))}::text[]::jsonb[]`

/** For a longer list, a lookup entry by entry costs more than a comparison with each row. */
const maxLookups = 100

/**
 * The part of the test that an index over the whole of `data` can answer. It is exact for scalar values. For objects
 * and arrays it also matches stored values that contain more. It cannot express array positions.
 */
const containment = (sql: SqlClient.SqlClient, { key, steps }: JsonPath, values: ReadonlyArray<Schema.Json>) => {
  if (values.length > maxLookups || steps.slice(1).some(isPosition)) return undefined
  const contains = (wrap: (value: Schema.Json) => Schema.Json) =>
    values.length === 1
      ? sql`contacts.data @> ${json(sql, wrap(values[0] ?? null))}`
      : sql`contacts.data @> any(${jsonArray(sql, values.map(wrap))})`
  const whole = contains((value) => ({ [key]: value }))
  const walked = () => contains((value) => steps.reduceRight<Schema.Json>((inner, step) => ({ [step]: inner }), value))
  return {
    term: steps.length < 2 ? whole : sql`(${whole} or (${walked()} and not contacts.data ? ${key}::text))`,
    isExact: values.every((value) => typeof value !== "object")
  }
}
