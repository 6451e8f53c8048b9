/** Uses the client as it is published. `npm run packed` does the same for every package. */
import { execFileSync } from "node:child_process"
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const place = mkdtempSync(join(tmpdir(), "posthorn-client-"))
const consumer = join(place, "consumer")
const node = (...args: ReadonlyArray<string>) =>
  execFileSync(process.execPath, args, { cwd: consumer, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })

beforeAll(() => {
  execFileSync(process.execPath, [join(root, ".ci/pack.mjs"), place, "@posthorn/client"], { stdio: "pipe" })
  mkdirSync(consumer)
  writeFileSync(join(consumer, "package.json"), '{ "type": "module" }')
  const [tarball = ""] = globSync("*.tgz", { cwd: place })
  execFileSync("npm", ["install", "--offline", "--silent", join(place, tarball)], { cwd: consumer, stdio: "pipe" })
})
afterAll(() => rmSync(place, { recursive: true }))

describe("The packed client", () => {
  it("installs without a registry, as it needs nothing, and is imported as ESM", () => {
    const program = `import { Posthorn } from "@posthorn/client"
      console.log((await new Posthorn().contacts.get("x")).error.code)`
    assert.strictEqual(node("--input-type=module", "--eval", program).trim(), "MISSING_KEY")
    assert.isEmpty(globSync("node_modules/!(@posthorn)", { cwd: consumer }))
  })

  it("has its types under both ways of finding modules", () => {
    const program = `import { type Answer, type Contact, Posthorn } from "@posthorn/client"
      export const answer: Promise<Answer<Contact>> = new Posthorn().contacts.get("x")
      // @ts-expect-error An email needs a recipient.
      new Posthorn().send({ subject: "Hi" })`
    writeFileSync(join(consumer, "use.ts"), program)
    for (const [module, moduleResolution] of [
      ["nodenext", "nodenext"],
      ["esnext", "bundler"]
    ]) {
      const options = { strict: true, module, moduleResolution, lib: ["esnext", "dom"], types: [], noEmit: true }
      writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["use.ts"] }))
      node(join(root, "node_modules/@typescript/native/bin/tsc"), "-p", "tsconfig.json")
    }
  })
})
