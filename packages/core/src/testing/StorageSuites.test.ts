/** Every storage port has a suite that a reader can run on a storage of his own, and that runs here on both databases. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"

const core = resolve(import.meta.dirname, "..")

const files = globSync("**/*.ts", { cwd: core }).map((file) => ({
  file,
  text: readFileSync(resolve(core, file), "utf8")
}))
const tests = files.filter(({ file }) => file.endsWith(".test.ts"))
const modules = files.filter(({ file }) => !/\.test\.ts$|^testing\/|(?:Suite|Testing|Fixture)\.ts$/.test(file))

const tag = /(\/\*\*(?:(?!\*\/).)*\*\/\n)export class (\w+) extends Context\.Service</gs

/** The modules of the core that implement a tag with the database. */
const implementing = (name: string) =>
  modules.filter(
    ({ text }) =>
      text.includes("SqlClient") && new RegExp(`Layer\\.effect\\(\\s*${name}\\b|\\b${name}\\.of\\(`).test(text)
  )

/** Ports over the database, with the file of each. */
const ports = modules
  .flatMap(({ file, text }) =>
    Array.from(text.matchAll(tag), ([, docstring = "", name = ""]) => ({ file, docstring, name }))
  )
  .filter(({ docstring, name }) => /\b[Pp]ort\b/.test(docstring) && implementing(name).length > 0)
  .map(({ file, name }) => ({ name, suite: `${name}Suite`, path: resolve(core, file, `../${name}Suite.ts`) }))

const { exports } = JSON.parse(readFileSync(resolve(core, "../package.json"), "utf8"))

describe("storage ports", () => {
  it("are found", () => assert.isAtLeast(ports.length, 15))

  it.each(ports)("$name has a suite beside it, which is published and runs on both databases", ({ suite, path }) => {
    assert.isTrue(existsSync(path))
    const exported = resolve(core, "..", exports[`./testing/${suite}`] ?? "")
    assert.strictEqual(exported, path)
    const called = `${suite.charAt(0).toLowerCase()}${suite.slice(1)}(`
    const running = tests.filter(({ text }) => text.includes("of databases()") && text.includes(called))
    assert.isAtLeast(running.length, 1)
  })
})
