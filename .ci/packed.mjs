// `npm run packed [FOLDER]` tests what is published: the tarballs in the folder, or those it packs. It publishes them to a
// registry on this machine, installs them from it into empty folders, and uses them there, with this Node.js and with the
// oldest that is supported: imports, types, an application, the server, the command line and a browser.
import assert from "node:assert/strict"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { gzipSync } from "node:zlib"
import { followNextGuide } from "./nextjs.mjs"
import { startRegistry } from "./registry.mjs"

const root = resolve(import.meta.dirname, "..")
const place = mkdtempSync(join(tmpdir(), "posthorn-packed-"))
const step = (text) => process.stdout.write(`${text}\n`)

/** The documented size of the client, minified and gzipped. */
const budget = 10_000
const oldest = "22.19.0"

const registry = await startRegistry()
const settings = Object.entries(process.env).filter(([name]) => !name.startsWith("POSTHORN_"))
const environment = {
  ...Object.fromEntries(settings),
  ...registry.env,
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false"
}
/** Runs a command to its end without holding up the registry, and returns what it printed. */
const run = async (cwd, command, args, env = environment) => {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] })
  let output = ""
  child.stdout.on("data", (chunk) => {
    output += chunk
  })
  const [code] = await once(child, "close")
  assert.equal(code, 0, `${command} ${args.join(" ")} ended with ${code}.\n${output}`)
  return output
}
const install = (folder, ...names) => run(folder, "npm", ["install", "--silent", ...names])
/** A folder as people have it before the first command. */
const emptyFolder = (name) => {
  const folder = join(place, name)
  mkdirSync(folder)
  return folder
}
/** The environment in which `node` is this program. */
const withNode = (program) => ({ ...environment, PATH: `${dirname(program)}:${environment.PATH}` })

const [given] = process.argv.slice(2)
const packed = given === undefined ? place : resolve(given)
if (given === undefined) {
  step("Packing.")
  execFileSync(process.execPath, [join(root, ".ci/pack.mjs"), place], { stdio: "inherit" })
}
const tarballs = globSync("*.tgz", { cwd: packed }).map((name) => join(packed, name))

step("Publishing to a registry on this machine.")
for (const tarball of tarballs) await run(place, "npm", ["publish", "--silent", tarball])
for (const { name, repository, homepage, bugs, engines, license, files, description } of registry.published)
  for (const [field, value] of Object.entries({ repository, homepage, bugs, engines, license, files, description }))
    assert.ok(value !== undefined, `${name} has no ${field}.`)
const names = registry.published.map(({ name }) => name)
assert.equal(names.length, tarballs.length)

const tools = emptyFolder("tools")
await install(
  tools,
  "esbuild@0.28.2",
  "publint@0.3.25",
  "@arethetypeswrong/cli@0.18.5",
  `node-${process.platform}-${process.arch}@${oldest}`
)
const oldestNode = join(tools, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
const programs = [process.execPath, oldestNode]

step("Rules for packages.")
const isLibrary = (tarball) => !/[/\\]posthorn-\d/.test(tarball)
for (const tarball of tarballs) {
  await run(tools, process.execPath, [join(tools, "node_modules/publint/src/cli.js"), "run", tarball, "--strict"])
  // All packages are modules: require() of one works since Node.js 22.12, and is checked below.
  if (isLibrary(tarball))
    await run(tools, process.execPath, [
      join(tools, "node_modules/@arethetypeswrong/cli/dist/index.js"),
      tarball,
      "--profile",
      "esm-only"
    ])
}

step("Installing.")
const consumer = emptyFolder("consumer")
const file = (name, content) => writeFileSync(join(consumer, name), content)
const node = (...args) => run(consumer, process.execPath, args)
file("package.json", JSON.stringify({ private: true, type: "module" }))
const version = (name) => JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies[name]
const runners = ["vitest", "@effect/vitest", "fast-check"].map((name) => `${name}@${version(name)}`)
/** Packages that some modules need, and that an application installs if it uses them. */
const peers = registry.published
  .flatMap(({ peerDependencies = {} }) => Object.entries(peerDependencies))
  .filter(([name]) => !names.includes(name) && !runners.some((runner) => runner.startsWith(`${name}@`)))
  .map(([name, range]) => `${name}@${range}`)
await install(consumer, ...names, ...runners, ...new Set(peers))

step("Exports.")
const modules = []
for (const path of globSync("node_modules/@posthorn/*/package.json", { cwd: consumer })) {
  const { name, exports } = JSON.parse(readFileSync(join(consumer, path), "utf8"))
  for (const [entry, files] of Object.entries(exports)) {
    for (const file of Object.values(files))
      assert.ok(existsSync(join(consumer, path, "..", file)), `${name} exports ${file}, which is not in the package.`)
    // Suites are loaded by Vitest, below.
    if (!entry.startsWith("./testing/")) modules.push(`${name}${entry.slice(1)}`)
  }
}
file("modules.js", modules.map((module) => `await import("${module}")\n`).join(""))
file("required.cjs", `console.log(typeof require("@posthorn/client").Posthorn)\n`)
for (const program of programs) {
  await run(consumer, program, ["modules.js"])
  assert.equal((await run(consumer, program, ["--no-warnings", "required.cjs"])).trim(), "function")
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
  await node(join(root, "node_modules/@typescript/native/bin/tsc"), "-p", "tsconfig.json")
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
for (const program of programs)
  assert.deepEqual(JSON.parse(await run(consumer, program, ["app.js"])), ["anna@example.com", 200])
const optional = join(consumer, "node_modules/@posthorn/console")
renameSync(optional, join(place, "console"))
assert.deepEqual(
  JSON.parse(await node("app.js"))[1],
  "posthorn.console() needs the package @posthorn/console. Run: npm install @posthorn/console"
)
renameSync(join(place, "console"), optional)

step("The suites of a storage.")
const suites = Object.keys(
  JSON.parse(readFileSync(join(consumer, "node_modules/@posthorn/core/package.json"), "utf8")).exports
).filter((entry) => /^\.\/testing\/\w+Suite$/.test(entry))
file(
  "storage.test.js",
  `import * as ContactStoreSql from "@posthorn/core/audience/contacts/ContactStoreSql"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import { contactStoreSuite } from "@posthorn/core/testing/ContactStoreSuite"
import { makeCertificate } from "@posthorn/mailer-smtp/testing"
import * as Pglite from "@posthorn/pglite"
import { Layer } from "effect"
import { expect, test } from "vitest"
const migrated = Layer.effectDiscard(Migrations.migrate).pipe(Layer.provideMerge(Pglite.layer({})))
contactStoreSuite("A storage", Layer.provide(ContactStoreSql.layer, migrated))
test("a certificate", () => void makeCertificate("localhost"))
test.each(${JSON.stringify(suites)})("%s is a function of a name and a layer", async (entry) => {
  const suite = Object.values(await import("@posthorn/core" + entry.slice(1)))
  expect(suite.map((each) => typeof each)).toContain("function")
})
`
)
await node(join(consumer, "node_modules/vitest/vitest.mjs"), "run", "--reporter=json", "--outputFile=suite.json")
assert.ok(suites.length > 15, "The suites of some storages are not published.")
assert.ok(JSON.parse(readFileSync(join(consumer, "suite.json"), "utf8")).numPassedTests > suites.length + 10)

step("Without optional packages.")
const lean = emptyFolder("lean")
writeFileSync(join(lean, "package.json"), JSON.stringify({ private: true, type: "module" }))
await install(lean, "@posthorn/embedded")
const brought = globSync(
  "node_modules/{stripe,aws4fetch,smtp-server,mailauth,redis,@electric-sql/pglite,@simplewebauthn/server}",
  { cwd: lean }
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
  (await run(lean, process.execPath, ["app.js"])).trim(),
  "A database in a folder needs the package @posthorn/pglite. Run: npm install @posthorn/pglite"
)
await install(lean, "@posthorn/pglite")
writeFileSync(
  join(lean, "dev.js"),
  `import { createPosthorn } from "@posthorn/embedded"
await createPosthorn({ dev: true, database: { dataDir: "data" }, publicUrl: "http://localhost:3000",
  secret: "0123456789abcdef0123456789abcdef" }).catch(({ message }) => console.log(message))
`
)
assert.equal(
  (await run(lean, process.execPath, ["dev.js"])).trim(),
  "The mailbox of dev mode needs the package smtp-server. Run: npm install smtp-server"
)

/** The first block of TypeScript of a README. */
const snippet = (path) => /^```ts\n([\s\S]*?)^```/m.exec(readFileSync(join(root, path), "utf8"))[1]

step("npm install @posthorn/embedded, and its snippet.")
const application = emptyFolder("application")
await install(application, "@posthorn/embedded", "@posthorn/pglite")
writeFileSync(
  join(application, "mail.mts"),
  `${snippet("adapters/embedded/README.md")}\nconsole.log(JSON.stringify([data?.email, error]))\n`
)
for (const program of programs)
  assert.deepEqual(
    JSON.parse(
      await run(application, program, ["--no-warnings", "mail.mts"], {
        ...environment,
        POSTHORN_SECRET: "0123456789abcdef0123456789abcdef"
      })
    ),
    ["anna@example.com", null]
  )

step("Next.js, by its guide.")
await followNextGuide(emptyFolder("shop"), run, environment)

step("npm install @posthorn/client, in a browser.")
const site = emptyFolder("site")
await install(site, "@posthorn/client")
writeFileSync(join(site, "browser.js"), `export { Posthorn, verifyWebhook } from "@posthorn/client"\n`)
const { build } = (await import(join(tools, "node_modules/esbuild/lib/main.js"))).default
await build({
  entryPoints: [join(site, "browser.js")],
  outfile: join(site, "bundle.js"),
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser"
})
const bundle = readFileSync(join(site, "bundle.js"))
assert.doesNotMatch(String(bundle), /\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/)
const size = gzipSync(bundle).length
assert.ok(size <= budget, `The client has ${size} bytes, ${budget} are promised.`)
step(`The client has ${size} bytes, minified and gzipped; ${budget} are promised.`)

/** Tracks an event from a page of another origin, in Chromium. */
const browser = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path)
)
const trackInBrowser = async (url, publicKey) => {
  const pages = createServer((request, response) => {
    const isScript = request.url === "/bundle.js"
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" })
    response.end(isScript ? bundle : "<!doctype html><title>Shop</title>")
  })
  await once(pages.listen(0, "127.0.0.1"), "listening")
  const { chromium } = await import("playwright-core")
  const chrome = await chromium.launch({ executablePath: browser, args: ["--no-sandbox"] })
  try {
    const page = await chrome.newPage()
    await page.goto(`http://127.0.0.1:${pages.address().port}/`)
    return await page.evaluate(
      async ([baseUrl, key]) => {
        const { Posthorn } = await import("/bundle.js")
        const { error } = await new Posthorn({ baseUrl, publicKey: key }).track({
          event: "seen",
          email: "eve@example.com"
        })
        return error
      },
      [url, publicKey]
    )
  } finally {
    await chrome.close()
    pages.close()
  }
}

step("npx posthorn dev.")
// npx keeps what it has installed; here it finds nothing, but the downloads of npm.
const cache = emptyFolder("cache")
symlinkSync(join((await run(place, "npm", ["config", "get", "cache"])).trim(), "_cacache"), join(cache, "_cacache"))
for (const program of programs) {
  const folder = emptyFolder(`first-${programs.indexOf(program)}`)
  const dev = spawn("npx", ["--yes", "posthorn", "dev", "--json", "--port", "0"], {
    cwd: folder,
    env: { ...withNode(program), npm_config_cache: cache },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true
  })
  try {
    const lines = createInterface({ input: dev.stdout })[Symbol.asyncIterator]()
    const { value: line } = await lines.next()
    const { url, secretKey, publicKey, domain, pid } = JSON.parse(line)
    const { Posthorn } = await import(join(consumer, "node_modules/@posthorn/client/src/index.js"))
    const posthorn = new Posthorn({ baseUrl: url, secretKey })
    const sent = await posthorn
      .send({ to: "anna@example.com", from: `hi@${domain}`, subject: "Hi", body: "<p>Hi</p>" })
      .orThrow()
    assert.equal(sent.emails.length, 1)
    if (browser === undefined) step("SKIPPED: the client in a browser, as Chromium is missing.")
    else {
      assert.equal(await trackInBrowser(url, publicKey), null)
      const people = await posthorn.contacts.list({ search: "eve@example.com" }).page().orThrow()
      assert.equal(people.data.length, 1)
    }
    const ended = once(dev, "exit")
    process.kill(pid, "SIGTERM")
    assert.equal((await ended)[0], 0)
    step(`It ran on Node.js ${(await run(place, program, ["--version"])).trim()}.`)
  } finally {
    if (dev.exitCode === null) process.kill(-dev.pid, "SIGKILL")
  }
}
registry.close()
rmSync(place, { recursive: true })
