// `npm run packed` tests what is published. It packs every package, installs the tarballs and their dependencies into
// an empty folder, and uses them there: imports, types, the server, the command line and a browser bundle.
import assert from "node:assert/strict"
import { execFileSync, spawn } from "node:child_process"
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { gzipSync } from "node:zlib"

const root = resolve(import.meta.dirname, "..")
const place = mkdtempSync(join(tmpdir(), "posthorn-packed-"))
const consumer = join(place, "consumer")
const step = (text) => process.stdout.write(`${text}\n`)
const node = (...args) =>
  execFileSync(process.execPath, args, { cwd: consumer, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })
const file = (name, content) => writeFileSync(join(consumer, name), content)

/** The documented size of the client, minified and gzipped. */
const budget = 10_000

step("Packing.")
execFileSync(process.execPath, [join(root, ".ci/pack.mjs"), place], { stdio: "inherit" })
mkdirSync(consumer)
file("package.json", JSON.stringify({ private: true, type: "module" }))

step("Installing.")
const tarballs = globSync("*.tgz", { cwd: place }).map((name) => join(place, name))
execFileSync(
  "npm",
  ["install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs, "esbuild@0.28.2"],
  {
    cwd: consumer,
    stdio: "inherit"
  }
)

step("Exports.")
for (const path of globSync("node_modules/@posthorn/*/package.json", { cwd: consumer })) {
  const { name, exports } = JSON.parse(readFileSync(join(consumer, path), "utf8"))
  for (const file of Object.values(exports).flatMap(Object.values)) {
    assert.ok(existsSync(join(consumer, path, "..", file)), `${name} exports ${file}, which is not in the package.`)
  }
}

step("Types.")
file(
  "types.ts",
  `import { type Answer, type Contact, Posthorn, verifyWebhook } from "@posthorn/client"
import * as EffectClient from "@posthorn/client/effect"
import { type Contact as SessionContact, PosthornSession } from "@posthorn/client/session"
import { createPosthorn, type Posthorn as Embedded } from "@posthorn/embedded"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { Effect } from "effect"

const client = new Posthorn({ secretKey: "sk_" })
export const contact: Promise<Answer<Contact>> = client.contacts.get("id")
export const sessionContact: Promise<Answer<SessionContact>> = new PosthornSession().contacts.get("id")
export const content: Promise<unknown> = verifyWebhook("", new Headers(), "whsec_")
export const made: (embedded: Embedded) => Promise<string> = async (embedded) =>
  (await embedded.run(Projects.use(({ create }) => create("Shop")))).project.id
export const tracked = Effect.flatMap(EffectClient.Posthorn, ({ track }) => track({ payload: { event: "seen", email: "a@b.co" } }))
// @ts-expect-error A project needs a name.
export const nameless = Projects.use(({ create }) => create(1))
export const start: typeof createPosthorn = createPosthorn
`
)
for (const [module, moduleResolution] of [
  ["nodenext", "nodenext"],
  ["esnext", "bundler"]
]) {
  file(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: {
        strict: true,
        module,
        moduleResolution,
        target: "esnext",
        lib: ["esnext", "dom"],
        noEmit: true,
        skipLibCheck: true,
        types: ["node"],
        typeRoots: [join(root, "node_modules/@types")]
      },
      files: ["types.ts"]
    })
  )
  node(join(root, "node_modules/@typescript/native/bin/tsc"), "-p", "tsconfig.json")
}

step("In an application.")
file(
  "app.js",
  `import { createPosthorn } from "@posthorn/embedded"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
const posthorn = await createPosthorn({ database: { dataDir: "data" }, mailer: { smtp: "smtp://127.0.0.1:1" },
  publicUrl: "https://app.example", secret: "0123456789abcdef0123456789abcdef" })
const { project } = await posthorn.run(Projects.use(({ create }) => create("Shop")))
const { email } = await posthorn.client(project.id).contacts.upsert({ email: "anna@example.com" }).orThrow()
const page = async () => {
  const mail = posthorn.console({ basePath: "/mail", authorize: () => null })
  return (await mail.fetch(new Request("https://app.example/mail"))).status
}
const status = await page().catch(({ message }) => message)
await posthorn.close()
console.log(JSON.stringify([email, status]))
`
)
assert.deepEqual(JSON.parse(node("app.js")), ["anna@example.com", 200])
const optional = join(consumer, "node_modules/@posthorn/console")
renameSync(optional, join(place, "console"))
assert.deepEqual(
  JSON.parse(node("app.js"))[1],
  "posthorn.console() needs the package @posthorn/console. Run: npm install @posthorn/console"
)
renameSync(join(place, "console"), optional)

step("The suite of a storage.")
const version = (name) => JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies[name]
const runners = ["vitest", "@effect/vitest"].map((name) => `${name}@${version(name)}`)
execFileSync("npm", ["install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", ...runners], {
  cwd: consumer,
  stdio: "inherit"
})
file(
  "storage.test.js",
  `import * as ContactStoreSql from "@posthorn/core/audience/contacts/ContactStoreSql"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import { contactStoreSuite } from "@posthorn/core/testing/ContactStoreSuite"
import { makeCertificate } from "@posthorn/mailer-smtp/testing"
import * as Pglite from "@posthorn/pglite"
import { Layer } from "effect"
import { test } from "vitest"
const migrated = Layer.effectDiscard(Migrations.migrate).pipe(Layer.provideMerge(Pglite.layer({})))
contactStoreSuite("A storage", Layer.provide(ContactStoreSql.layer, migrated))
test("a certificate", () => void makeCertificate("localhost"))
`
)
node(join(consumer, "node_modules/vitest/vitest.mjs"), "run", "--reporter=json", "--outputFile=suite.json")
assert.ok(JSON.parse(readFileSync(join(consumer, "suite.json"), "utf8")).numPassedTests > 10)

step("Without optional packages.")
const lean = join(place, "lean")
mkdirSync(lean)
writeFileSync(join(lean, "package.json"), JSON.stringify({ private: true, type: "module" }))
const needed = tarballs.filter((path) => !/posthorn-(?:node|pglite)-|[/\\]posthorn-\d/.test(path))
execFileSync("npm", ["install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", ...needed], {
  cwd: lean,
  stdio: "inherit"
})
const brought = globSync(
  "node_modules/{stripe,aws4fetch,smtp-server,mailauth,redis,@electric-sql/pglite,@simplewebauthn/server}",
  {
    cwd: lean
  }
)
assert.deepEqual(brought, [], "An application brings what it does not use.")
writeFileSync(
  join(lean, "app.js"),
  `import { createPosthorn } from "@posthorn/embedded"
await createPosthorn({ database: { dataDir: "data" }, mailer: { smtp: "smtp://127.0.0.1:1" },
  publicUrl: "https://app.example", secret: "0123456789abcdef0123456789abcdef" }).catch(({ message }) => console.log(message))
`
)
assert.equal(
  execFileSync(process.execPath, ["app.js"], { cwd: lean, encoding: "utf8" }).trim(),
  "A database in a folder needs the package @posthorn/pglite. Run: npm install @posthorn/pglite"
)

execFileSync(
  "npm",
  [
    "install",
    "--silent",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    ...tarballs.filter((path) => path.includes("posthorn-pglite-"))
  ],
  {
    cwd: lean,
    stdio: "inherit"
  }
)
writeFileSync(
  join(lean, "dev.js"),
  `import { createPosthorn } from "@posthorn/embedded"
await createPosthorn({ dev: true, database: { dataDir: "data" }, publicUrl: "http://localhost:3000",
  secret: "0123456789abcdef0123456789abcdef" }).catch(({ message }) => console.log(message))
`
)
assert.equal(
  execFileSync(process.execPath, ["dev.js"], { cwd: lean, encoding: "utf8" }).trim(),
  "The mailbox of dev mode needs the package smtp-server. Run: npm install smtp-server"
)

step("On the command line.")
const program = join(consumer, "node_modules/.bin/posthorn")
assert.match(node(program, "--version"), /\d+\.\d+\.\d+/)
const dev = spawn(process.execPath, [program, "dev", "--json", "--port", "0"], {
  cwd: consumer,
  stdio: ["ignore", "pipe", "ignore"]
})
const [line] = await createInterface({ input: dev.stdout })
  [Symbol.asyncIterator]()
  .next()
  .then(({ value }) => [value])
const { url, secretKey, domain } = JSON.parse(line)
const { Posthorn } = await import(join(consumer, "node_modules/@posthorn/client/src/index.js"))
const posthorn = new Posthorn({ baseUrl: url, secretKey })
const sent = await posthorn
  .send({ to: "anna@example.com", from: `hi@${domain}`, subject: "Hi", body: "<p>Hi</p>" })
  .orThrow()
assert.equal(sent.emails.length, 1)
const ended = new Promise((go) => dev.on("exit", go))
dev.kill("SIGTERM")
assert.equal(await ended, 0)

step("In a browser.")
file("browser.js", `export { Posthorn, verifyWebhook } from "@posthorn/client"\n`)
const esbuild = join(consumer, "node_modules/esbuild/lib/main.js")
const { build } = (await import(esbuild)).default
await build({
  entryPoints: [join(consumer, "browser.js")],
  outfile: join(consumer, "bundle.js"),
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser"
})
const bundle = readFileSync(join(consumer, "bundle.js"))
assert.doesNotMatch(String(bundle), /\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/)
const size = gzipSync(bundle).length
assert.ok(size <= budget, `The client has ${size} bytes, ${budget} are promised.`)
step(`The client has ${size} bytes, minified and gzipped; ${budget} are promised.`)
rmSync(place, { recursive: true })
