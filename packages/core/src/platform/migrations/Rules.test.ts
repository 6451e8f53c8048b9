/** Migrations may not stop a large server. From number 0290 on, each is read for statements that would. */
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Migrations from "./index.ts"
import { isOnline, numberOf } from "./Steps.ts"

const firstBound = 290

/** The text from each call of `backfill` to its closing bracket is left out: that runs in batches. */
const withoutBackfills = (source: string): string => {
  const at = source.indexOf("backfill(")
  if (at === -1) return source
  let depth = 0
  let end = at
  do {
    const character = source[end++]
    if (character === "(") depth++
    if (character === ")") depth--
  } while (end < source.length && (depth > 0 || end < at + "backfill(".length))
  const lines = source.slice(at, end).replaceAll(/[^\n]/g, " ")
  return source.slice(0, at) + lines + withoutBackfills(source.slice(end))
}

/** Bodies of functions run for a row or a statement, not now. */
const withoutFunctions = (source: string): string =>
  source.replaceAll(/create\s+(?:or\s+replace\s+)?function[\s\S]*?(\$\w*\$)[\s\S]*?\1/gi, (body) =>
    body.replaceAll(/[^\n]/g, " ")
  )

interface Rule {
  readonly statement: RegExp
  /** Whether this statement is meant; the default is each. */
  readonly isMeant?: (statement: string) => boolean
  readonly instead: string
}

/** The last group is the table. */
const rules: ReadonlyArray<Rule> = [
  {
    statement: /create\s+(?:unique\s+)?index\s[^`;]*?\bon\s+(?:only\s+)?(\w+)/gi,
    instead: "CREATE INDEX blocks all writers: use index()"
  },
  {
    statement: /alter\s+table\s+(?:only\s+)?(\w+)[^`;"]*/gi,
    isMeant: (statement) =>
      /\badd\s+(?:constraint|check|foreign|unique|primary|exclude)\b/i.test(statement) &&
      !/\bnot\s+valid\b|\busing\s+index\b/i.test(statement),
    instead: "a new constraint reads all rows under a lock: use constraint() and validate()"
  },
  {
    statement: /alter\s+table\s+(?:only\s+)?(\w+)[^`;"]*/gi,
    isMeant: (statement) => /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/i.test(statement),
    instead: "another type rewrites the table under a lock: add a column, and use backfill()"
  },
  {
    statement: /alter\s+table\s+(?:only\s+)?(\w+)[^`;"]*/gi,
    isMeant: (statement) => /\bset\s+not\s+null\b/i.test(statement),
    instead: "SET NOT NULL reads all rows under a lock: validate() a check first, and say so in an exception"
  },
  {
    statement: /(?<!do\s)(?<!for\s)(?<!no\skey\s)\bupdate\s+(?:only\s+)?(\w+)\s+(?:(?:as\s+)?\w+\s+)?set\b/gi,
    instead: "UPDATE of a table locks all its rows: use backfill()"
  },
  { statement: /\bdelete\s+from\s+(?:only\s+)?(\w+)/gi, instead: "DELETE of a table's rows: use backfill()" },
  {
    statement: /\binsert\s+into\s+\w+[^`;]*?\bselect\b[^`;]*?\bfrom\s+(\w+)/gi,
    instead: "INSERT ... SELECT reads a whole table in a transaction: use backfill()"
  }
]

/** An exception is a comment above the statement, with the reason. */
const exception = /\/\/ Allowed: .{15,}/

/** What is wrong with the source of a migration. Tables that it creates itself are empty. */
const faultsIn = (source: string): ReadonlyArray<string> => {
  const text = withoutFunctions(withoutBackfills(source))
  const own = [...text.matchAll(/create\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map((found) => found[1])
  return rules.flatMap(({ instead, isMeant = () => true, statement }) =>
    [...text.matchAll(statement)].flatMap((found) => {
      if (own.includes(found.at(-1)) || !isMeant(found[0])) return []
      const above = text.slice(0, found.index).split("\n").slice(-4).join("\n")
      return exception.test(above) ? [] : [`${found[0].replaceAll(/\s+/g, " ").trim()}: ${instead}`]
    })
  )
}

const files = readdirSync(new URL(".", import.meta.url)).filter((file) => /^\d{4}_\w+\.ts$/.test(file))
const sourceOf = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8")

it("no migration from 0290 on stops a large server", () => {
  const faults = files
    .filter((file) => numberOf(file) >= firstBound)
    .flatMap((file) => faultsIn(sourceOf(file)).map((fault) => `${file}: ${fault}`))
  assert.deepStrictEqual(faults, [])
})

it("each file is a migration, and each has its file", () => {
  assert.deepStrictEqual(
    files.map((file) => file.replace(".ts", "")),
    Object.keys(Migrations.migrations)
  )
})

it("no two migrations have one number", () => {
  assert.lengthOf(new Set(files.map(numberOf)), files.length)
})

it("the steps of a migration have different names, and finish only earlier migrations", () => {
  for (const [name, migration] of Object.entries<unknown>(Migrations.migrations)) {
    const known = migration as Parameters<typeof isOnline>[0]
    if (!isOnline(known)) continue
    const steps = [...known.expand, ...known.background]
    assert.lengthOf(new Set(steps.map((step) => step.name)), steps.length, name)
    for (const step of steps) {
      if (step._tag === "Finished") assert.isTrue(step.migration in Migrations.migrations && step.migration < name)
    }
  }
})

describe("the rules", () => {
  const refused: ReadonlyArray<readonly [string, RegExp]> = [
    ["sql`create index a on emails (id)`", /use index\(\)/],
    ["sql`CREATE UNIQUE INDEX\n a\n ON emails (id) where x`", /use index\(\)/],
    ["sql`alter table emails add constraint a check (x > 0)`", /use constraint\(\)/],
    ["sql`alter table emails add column x int, add foreign key (x) references y`", /use constraint\(\)/],
    ["sql`alter table emails alter column x type bigint`", /another type/],
    ["sql`alter table emails alter x set not null`", /SET NOT NULL/],
    ["sql`update emails set x = 1`", /use backfill\(\)/],
    ["sql`update emails as e set x = 1 from y`", /use backfill\(\)/],
    ["sql`delete from emails where x`", /use backfill\(\)/],
    ["sql`insert into outbox (id) select id from events where x`", /use backfill\(\)/],
    ["backfill('a', (sql, rows) => sql`update a set x = f(y) where rows`)\nsql`update b set x = 1`", /^update b/],
    ["// Allowed: short\nsql`update emails set x = 1`", /use backfill\(\)/]
  ]
  it.each(refused)("refuse %s", (source, fault) => {
    const faults = faultsIn(source)
    assert.lengthOf(faults, 1)
    assert.match(faults[0] ?? "", fault)
  })

  it.each([
    ["sql`create table a (id int)`\nsql`create index b on a (id)`\nsql`insert into a select 1 from a`"],
    ["index('a', 'on emails (id)')"],
    ["sql`alter table emails add constraint a check (x > 0) not valid`"],
    ["sql`alter table emails add constraint a unique using index b`"],
    ["sql`alter table emails add column x int`"],
    ["sql`insert into a values (1) on conflict (x) do update set y = 1`"],
    ["sql`select from a for update`"],
    ["sql`insert into a (id) values (1)`\nsql`select 1 from b`"],
    ["backfill('a', (sql, rows) => sql`update a set x = f(y) where rows`)"],
    ["sql.unsafe(`create function f() returns trigger as $$ begin update a set x = 1; end $$`)"],
    ["// Allowed: the table has one row for each project.\nsql`update projects set x = 1`"]
  ])("allow %s", (source) => {
    assert.deepStrictEqual(faultsIn(source), [])
  })

  it("find what earlier migrations do", () => {
    assert.match(faultsIn(sourceOf("0220_campaigns_unexpanded.ts"))[0] ?? "", /^create index campaigns_unexpanded/)
    assert.match(faultsIn(sourceOf("0260_event_outbox.ts"))[0] ?? "", /^insert into event_outbox/)
  })
})
