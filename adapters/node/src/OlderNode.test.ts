/** The message of the program on a Node.js version that is too old. */
import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join, resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { newFolder } from "@posthorn/core/testing/DataFolder"

const versionOf = (node: string): string => {
  try {
    return execFileSync(node, ["--version"], { encoding: "utf8" }).trim()
  } catch {
    return ""
  }
}

const isOld = (version: string): boolean => {
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) < 22 || (Number(major) === 22 && Number(minor) < 19)
}

const old = ["/usr/bin/node", "/usr/local/bin/node", process.env["POSTHORN_TEST_OLD_NODE"] ?? ""].find((node) =>
  isOld(versionOf(node))
)

const root = resolve(import.meta.dirname, "../../..")

describe.skipIf(old === undefined)("a Node.js before 22.19, where the machine has one", () => {
  it.each(["cli/src/main.ts", "adapters/node/src/main.ts"])("is refused by %s in one sentence", (file) => {
    const main = join(newFolder(), "main.mjs")
    writeFileSync(main, stripTypeScriptTypes(readFileSync(join(root, file), "utf8")))
    const { status, stderr, stdout } = spawnSync(old ?? "", [main, "--version"], { encoding: "utf8" })
    assert.deepStrictEqual([status, stdout], [1, ""])
    assert.match(stderr, /^posthorn: Node\.js 22\.19 or newer is required; this is v[\d.]+\.\n$/)
  })

  it("is refused by the embedded package before anything else is loaded", () => {
    const folder = newFolder()
    const source = readFileSync(join(root, "adapters/embedded/src/NodeVersion.ts"), "utf8")
    writeFileSync(join(folder, "NodeVersion.mjs"), stripTypeScriptTypes(source))
    writeFileSync(join(folder, "index.mjs"), 'import "./NodeVersion.mjs"\nconsole.log(Map.groupBy)\n')
    const { status, stderr, stdout } = spawnSync(old ?? "", [join(folder, "index.mjs")], { encoding: "utf8" })
    assert.deepStrictEqual([status, stdout], [1, ""])
    assert.include(stderr, "Error: @posthorn/embedded requires Node.js 22.19 or newer; this is v")
  })

  it("is the reason that the check is the first import of the embedded package", () => {
    const source = readFileSync(join(root, "adapters/embedded/src/index.ts"), "utf8")
    assert.strictEqual(/^(?:import|export) .*"(.*)"/m.exec(source)?.[1], "./NodeVersion.ts")
  })
})
