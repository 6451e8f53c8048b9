/** What the lock file installs. `.ci/run` also asks the registry for known weaknesses. */
import { globSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = resolve(import.meta.dirname, "../../../..")
const read = (file: string) => JSON.parse(readFileSync(resolve(root, file), "utf8"))

interface Locked {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  readonly license?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly dependencies?: { readonly [name: string]: string }
}

const lock: { readonly packages: { readonly [path: string]: Locked } } = read("package-lock.json")

/** Packages of the registry, by their path. */
const installed = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes("node_modules/") && link !== true
)

/** Licences of packages that users install. Each allows to use, change and ship the package with a notice. */
const licences = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "Unlicense"
]

describe("dependencies", () => {
  it("are locked by content, and by no address", () => {
    assert.isAbove(installed.length, 100)
    for (const [path, { integrity, resolved }] of installed) {
      assert.match(integrity ?? "", /^sha512-/, path)
      assert.isUndefined(resolved, path)
    }
  })

  it("run no script when they are installed, except the one that places Node.js", () => {
    const { allowScripts } = read("package.json")
    assert.deepStrictEqual(allowScripts, { node: true })
    assert.include(
      installed.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path),
      "node_modules/node"
    )
  })

  it("have exact versions, so that an update is a change of this repository", () => {
    for (const file of globSync(
      "{package.json,{packages,adapters}/*/package.json,{cli,openapi,examples}/package.json}",
      {
        cwd: root
      }
    )) {
      const { dependencies = {}, devDependencies = {} } = read(file)
      for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
        const isOurs = name.startsWith("@posthorn/") || name === "posthorn"
        assert.match(
          String(version),
          isOurs ? /^\*$/ : /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+$/,
          `${file}: ${name}`
        )
      }
    }
  })

  it("that users install have a licence which allows it", () => {
    for (const [path, { dev, license }] of installed) {
      if (dev === true) continue
      const names = (license ?? "none").replace(/[()]/g, "").split(/ (?:AND|OR) /)
      for (const name of names.filter((one) => one !== "Zlib")) assert.include(licences, name, path)
    }
  })
})
