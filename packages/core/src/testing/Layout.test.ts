/** What stands where: the areas, and the README of each. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { pglite } from "./Databases.ts"

const core = resolve(import.meta.dirname, "..")
const root = resolve(core, "../../..")

const areas = [
  "platform",
  "events",
  "accounts",
  "audience",
  "content",
  "mail",
  "automation",
  "webhooks",
  "insight",
  "service"
]

const readmes = areas.map((area) => ({ area, text: readFileSync(resolve(core, area, "README.md"), "utf8") }))

/** The words in backticks. */
const quoted = (text: string) => Array.from(text.matchAll(/`([^`\n]+)`/g), ([, word = ""]) => word)

const sectionOf = (text: string, title: string) =>
  text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ""

const unshipped = /\.test\.ts$|\/testing\/|(?:Suite|Testing|Fixture)\.ts$/

describe("layout", () => {
  it("has the areas of CONTRIBUTING.md, the two files that compose them, and what only tests use", () => {
    assert.sameMembers(readdirSync(core), [...areas, "Http.ts", "Posthorn.ts", "testing"])
  })

  it("has at most 70 files of the command line", () => {
    assert.isAtMost(globSync("cli/src/**/*.ts", { cwd: root }).filter((file) => !unshipped.test(file)).length, 70)
  })

  it("has at most 60 words in the glossary, each once", () => {
    const glossary = readFileSync(resolve(core, "../glossary.md"), "utf8")
    const words = Array.from(glossary.matchAll(/^\| ([a-z][^|]*?) \|/gm), ([, word = ""]) => word)
    assert.isAtLeast(words.length, 30)
    assert.isAtMost(words.length, 60)
    assert.strictEqual(new Set(words).size, words.length)
  })
})

describe("README of an area", () => {
  it.each(readmes)("$area names files and pages that exist", ({ area, text }) => {
    const files = quoted(text).filter((word) =>
      /^[\w./-]+\.(?:ts|md)$|^(?:adapters|cli|examples|packages)\//.test(word)
    )
    const isThere = (file: string) =>
      existsSync(resolve(core, area, file)) ||
      existsSync(resolve(root, file)) ||
      globSync(`**/${file}`, { cwd: resolve(core, area) }).length > 0
    assert.deepStrictEqual(
      files.filter((file) => !isThere(file)),
      []
    )
    const links = Array.from(text.matchAll(/\]\((\.[^)#]*)/g), ([, link = ""]) => link)
    assert.deepStrictEqual(
      links.filter((link) => !existsSync(resolve(core, area, link))),
      []
    )
  })

  it.each(readmes)("$area has a promise with tests, and every folder in its list of files", ({ area, text }) => {
    assert.isAtLeast(quoted(sectionOf(text, "Promise")).filter((word) => word.endsWith(".ts")).length, 1)
    const listed = quoted(sectionOf(text, "Files in reading order"))
    const folders = readdirSync(resolve(core, area), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const missing = folders.filter(({ name }) => !listed.some((file) => file.startsWith(`${name}/`)))
    assert.deepStrictEqual(
      missing.map(({ name }) => name),
      []
    )
  })

  layer(pglite)((it) => {
    it.effect("names every table, and one that exists", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql`
          select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
          where nspname = current_schema() and relkind in ('r', 'p') and not relispartition`
        const tables = rows.map(({ name }) => String(name)).filter((name) => !name.includes("migrations"))
        const named = readmes.flatMap(({ area, text }) =>
          quoted(sectionOf(text, "Tables"))
            .filter((word) => /^[a-z_]+$/.test(word))
            .map((name) => ({ area, name }))
        )
        assert.deepStrictEqual(
          named.filter(({ name }) => !tables.includes(name)),
          []
        )
        assert.deepStrictEqual(
          tables.filter((table) => !named.some(({ name }) => name === table)),
          []
        )
        assert.strictEqual(new Set(named.map(({ name }) => name)).size, named.length)
      })
    )
  })
})
