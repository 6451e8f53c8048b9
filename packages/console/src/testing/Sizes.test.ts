/** How much JavaScript a page loads, after gzip -9, by the manifest of the build. */
import { execFile } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { assert, beforeAll, describe, it } from "vitest"

const home = resolve(import.meta.dirname, "../..")

interface Chunk {
  readonly file: string
  readonly imports?: ReadonlyArray<string>
}

describe("the size of the console", () => {
  let manifest: { readonly [source: string]: Chunk }
  const sizes = new Map<string, number>()

  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [join(home, "build/main.ts")])
    manifest = JSON.parse(readFileSync(join(home, "dist/.vite/manifest.json"), "utf8"))
    for (const file of globSync("assets/*.js", { cwd: join(home, "dist") })) {
      sizes.set(file, gzipSync(readFileSync(join(home, "dist", file)), { level: 9 }).length)
    }
  })

  /** The files that these sources need before they run. */
  const filesOf = (sources: ReadonlyArray<string>): ReadonlySet<string> => {
    const files = new Set<string>()
    const add = (source: string) => {
      const chunk = manifest[source]
      if (chunk === undefined) throw new Error(`The build has no ${source}.`)
      if (files.has(chunk.file)) return
      files.add(chunk.file)
      chunk.imports?.forEach(add)
    }
    sources.forEach(add)
    return files
  }
  const sizeOf = (files: Iterable<string>) => [...files].reduce((total, file) => total + (sizes.get(file) ?? 0), 0)
  const beyond = (known: ReadonlyArray<string>, sources: ReadonlyArray<string>) =>
    sizeOf(filesOf([...known, ...sources])) - sizeOf(filesOf(known))

  const first = ["index.html", "src/pages/overview/OverviewPage.tsx"]
  const pages = () => Object.keys(manifest).filter((source) => /^src\/pages\/.*Page\.tsx$/.test(source))

  /** Its parts are opened on it. */
  const limits: { readonly [page: string]: number } = { "src/pages/workflows/WorkflowPage.tsx": 70_000 }

  it("of the first page is 160 kB at most", () => {
    const size = sizeOf(filesOf(first))
    assert.isBelow(size, 160_000)
    assert.isAbove(size, 50_000)
  })

  it("of every other page is 45 kB more than the first, and 70 kB of a workflow", () => {
    assert.isAbove(pages().length, 40)
    const over = pages()
      .map((page) => [page, beyond(first, [page])] as const)
      .filter(([page, size]) => size > (limits[page] ?? 45_000))
    assert.deepStrictEqual(over, [])
  })

  it("holds no words of other languages than English", () => {
    const german = Object.keys(manifest).filter((source) => source.endsWith(".de.ts"))
    assert.isAbove(german.length, 25)
    const words = new Set(german.map((source) => manifest[source]?.file))
    const loaded = filesOf([...first, ...pages()])
    assert.deepStrictEqual(
      [...words].filter((file) => file === undefined || loaded.has(file)),
      []
    )
  })

  it("of an editor with its list is 150 kB more than the first page for a workflow, 220 kB for code, 140 kB for blocks", () => {
    const workflow = ["WorkflowsPage", "WorkflowPage", "Graph", "StepSettings"].map((name) => `pages/workflows/${name}`)
    const template = ["pages/templates/TemplatesPage", "pages/templates/TemplatePage", "editor/MailEditor"]
    const size = (...parts: ReadonlyArray<string>) =>
      beyond(
        first,
        parts.map((name) => `src/${name}.tsx`)
      )
    assert.isBelow(size(...workflow), 150_000)
    assert.isBelow(size(...template, "editor/CodeEditor"), 220_000)
    assert.isBelow(size(...template, "editor/blocks/BlockEditor", "editor/blocks/Convert"), 140_000)
  })

  it("of everything together is 1,000 kB at most", () => {
    assert.isBelow(sizeOf(sizes.keys()), 1_000_000)
  })
})

describe("the source of the console", () => {
  it("has no page, and no part of one, of more than 250 lines", () => {
    const long = globSync("src/pages/**/*.tsx", { cwd: home }).filter(
      (file) => readFileSync(join(home, file), "utf8").trimEnd().split("\n").length > 250
    )
    assert.deepStrictEqual(long, [])
  })
})
