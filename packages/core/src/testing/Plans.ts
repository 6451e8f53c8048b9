/** The indexes that PostgreSQL chooses for a statement, and the number of rows that it reads. For tests. */
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"

interface PlanNode {
  readonly "Node Type": string
  readonly "Index Name"?: string
  readonly "Relation Name"?: string
  readonly "Actual Rows"?: number
  readonly "Actual Loops"?: number
  readonly "Rows Removed by Filter"?: number
  readonly Plans?: ReadonlyArray<PlanNode>
}

const PlanNode: Schema.Codec<PlanNode> = Schema.Struct({
  "Node Type": Schema.String,
  "Index Name": Schema.optionalKey(Schema.String),
  "Relation Name": Schema.optionalKey(Schema.String),
  "Actual Rows": Schema.optionalKey(Schema.Finite),
  "Actual Loops": Schema.optionalKey(Schema.Finite),
  "Rows Removed by Filter": Schema.optionalKey(Schema.Finite),
  Plans: Schema.optionalKey(Schema.Array(Schema.suspend(() => PlanNode)))
})
const Explained = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ "QUERY PLAN": Schema.Tuple([Schema.Struct({ Plan: PlanNode })]) })])
)

const nodesOf = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const Parts = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ part: Schema.String, whole: Schema.String, empty: Schema.Boolean }))
)

/** Partitions and their indexes have the names of the whole. Those without rows are left out. */
const planOf = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  statement: Statement.Statement<unknown>,
  options: string
) {
  const [text, values] = statement.compile()
  const [{ "QUERY PLAN": plan }] = yield* Explained(
    yield* sql.unsafe(`explain (${options}, format json) ${text}`, values).unprepared
  )
  const parts = yield* Parts(
    yield* sql`
      select part.relname as part, whole.relname as whole,
             part.relkind = 'r' and pg_relation_size(part.oid) = 0 as empty
      from pg_inherits
      join pg_class as part on part.oid = inhrelid join pg_class as whole on whole.oid = inhparent`
  )
  const wholes = new Map(parts.map(({ part, whole }) => [part, whole]))
  const named = (name: string | undefined) => (name === undefined ? undefined : (wholes.get(name) ?? name))
  const empty = new Set(parts.filter((part) => part.empty).map(({ part }) => part))
  return nodesOf(plan[0].Plan)
    .filter((node) => !empty.has(node["Relation Name"] ?? ""))
    .map((node) => ({
      ...node,
      "Index Name": named(node["Index Name"]),
      "Relation Name": named(node["Relation Name"])
    }))
}, Effect.orDie)

/** The indexes by name, each once, in alphabetical order. A table that is read whole is `every row of <table>`. */
export const access = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, statement: Statement.Statement<unknown>) {
  const used = (yield* planOf(sql, statement, "costs")).flatMap((node) => {
    if (node["Node Type"].endsWith("Seq Scan")) return [`every row of ${node["Relation Name"]}`]
    return node["Index Name"] ?? []
  })
  return [...new Set(used)].sort()
})

/** The number of rows of a table that the statement read. Runs the statement. */
export const rowsRead = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  statement: Statement.Statement<unknown>,
  table: string
) {
  const nodes = (yield* planOf(sql, statement, "analyze")).filter((node) => node["Relation Name"] === table)
  return nodes.reduce(
    (sum, node) =>
      sum + ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)) * (node["Actual Loops"] ?? 1),
    0
  )
})

const Row = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ isOpen: Schema.Boolean })]))

/**
 * Vacuums and analyzes tables until nearly all rows are marked as visible to all transactions. Other activity,
 * autovacuum too, delays that for a moment, and then other plans are cheaper.
 */
export const vacuumed = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, ...tables: ReadonlyArray<string>) {
  for (let tries = 0; tries < 50; tries++) {
    yield* sql.unsafe(`vacuum (analyze) ${tables.join(", ")}`).unprepared
    const [{ isOpen }] = yield* Row(
      yield* sql`
        select coalesce(bool_or(relallvisible < 0.9 * relpages), false) as "isOpen" from pg_class
        where oid = any(${tables}::text[]::regclass[])
           or oid in (select inhrelid from pg_inherits where inhparent = any(${tables}::text[]::regclass[]))`
    )
    if (!isOpen) return
    yield* sql`select pg_sleep(0.1)`
  }
}, Effect.orDie)
