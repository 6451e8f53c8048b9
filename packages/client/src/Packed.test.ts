/** Uses the client as it is published. `npm run packed` does the same for every package. */
import { execFileSync } from "node:child_process"
import { globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
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
  it("installs without a registry, because it has no dependencies, and is imported as ESM", () => {
    const program = `import { Posthorn } from "@posthorn/client"
      console.log((await new Posthorn().contacts.get("x")).error.code)`
    assert.strictEqual(node("--input-type=module", "--eval", program).trim(), "MISSING_KEY")
    assert.isEmpty(globSync("node_modules/!(@posthorn)", { cwd: consumer }))
  })

  /** Compiles a program under both ways of finding modules. */
  const compile = (program: string) => {
    writeFileSync(join(consumer, "use.ts"), program)
    for (const [module, moduleResolution] of [
      ["nodenext", "nodenext"],
      ["esnext", "bundler"]
    ]) {
      const options = { strict: true, module, moduleResolution, lib: ["esnext", "dom"], types: [], noEmit: true }
      writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["use.ts"] }))
      node(join(root, "node_modules/@typescript/native/bin/tsc"), "-p", "tsconfig.json")
    }
  }

  it("has its types with both kinds of module resolution", () => {
    compile(`import { type Answer, type Contact, Posthorn } from "@posthorn/client"
      import { PosthornSession } from "@posthorn/client/session"
      export const answer: Promise<Answer<Contact>> = new Posthorn().contacts.get("x")
      export const own: Promise<Answer<Contact>> = new PosthornSession({ projectId: "x" }).contacts.get("x")
      // @ts-expect-error An email needs a recipient.
      new Posthorn().send({ subject: "Hi" })`)
  })

  /** Puts a package of this repository beside the client. */
  const link = (name: string, from = name) => {
    const target = join(consumer, "node_modules", name)
    mkdirSync(join(target, ".."), { recursive: true })
    rmSync(target, { force: true })
    symlinkSync(join(root, "node_modules", from), target)
  }

  it.each(["@types/react-18", "@types/react"])("accepts elements with the types of %s", (types) => {
    link("@types/react", types)
    link("@types/prop-types")
    link("csstype")
    compile(`import { type Answer, Posthorn, type SentEmails } from "@posthorn/client/react"
      import { createElement } from "react"
      const Welcome = ({ name }: { name: string }) => createElement("p", null, name)
      const react = createElement(Welcome, { name: "Ada" })
      const client = new Posthorn()
      const mail = { to: "ada@example.com", subject: "Hi" }
      export const answer: Promise<Answer<SentEmails["data"]>> = client.send({ ...mail, react })
      client.send({ ...mail, body: "<p>Hi</p>" })
      client.batch({ emails: [{ ...mail, react }, { ...mail, body: "<p>Hi</p>" }], defaults: { react } })
      client.templates.create({ name: "Hi", subject: "Hi", from: "a@b.example", react })
      client.templates.update("x", { react })
      client.templates.get("x")
      client.contacts.get("x")
      // @ts-expect-error One of both.
      client.send({ ...mail, react, body: "<p>Hi</p>" })
      // @ts-expect-error Not an element.
      client.send({ ...mail, react: Welcome })
      // @ts-expect-error An email needs a recipient.
      client.send({ subject: "Hi", react })`)
  })

  it("renders with the packages that the user installed", () => {
    for (const name of ["react", "react-dom", "@react-email/render"]) link(name)
    const program = `import { Posthorn } from "@posthorn/client/react"
      import { createElement } from "react"
      const fetch = async (url, { body }) => {
        console.log(JSON.parse(body).body.includes("<p>Ada</p>"))
        return Response.json({ success: true, data: {} })
      }
      const client = new Posthorn({ secretKey: "sk_x", fetch })
      await client.send({ to: "ada@example.com", subject: "Hi", react: createElement("p", null, "Ada") })`
    assert.strictEqual(node("--input-type=module", "--eval", program).trim(), "true")
  })
})
