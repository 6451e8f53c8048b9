/** Runs every example as its README says, against a running service, and checks every code block of every guide. */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Posthorn } from "@posthorn/client"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import { dataFolder, newFolder } from "@posthorn/core/testing/DataFolder"
import { createPosthorn } from "@posthorn/embedded"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Effect, Exit, Scope } from "effect"
import pg from "pg"
import { chromium, type Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import * as Yaml from "yaml"
import * as Guides from "./testing/GuideBlocks.ts"
import { writeModules } from "./testing/GuideModules.ts"
import { quietly, type Running, running, shell } from "./testing/Running.ts"

const here = import.meta.dirname
const server = inject("postgres")
const browser = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => globSync(path).length > 0
)
const chartFiles = globSync("helm/{values.yaml,templates/*.yaml}", { cwd: here })

/** The lines of an example's README, without those that start a service, which is already running. */
const linesOf = (example: string): ReadonlyArray<string> =>
  Guides.take(`examples/${example}/README.md`, "sh")
    .flatMap(Guides.commands)
    .filter((line) => line !== "npx posthorn dev")

const [nodeServer = ""] = linesOf("node-server")
const [doubleOptIn = ""] = linesOf("double-opt-in")
const [reactEmail = ""] = linesOf("react-email")
const drip = linesOf("drip-workflow")
const [startExpress = "", signUp = ""] = linesOf("embedded-express")
const [startHono = "", placeOrder = ""] = linesOf("embedded-hono")
const [startConsole = ""] = linesOf("embedded-console")
const [customMailer = ""] = linesOf("custom-mailer")
const [customStep = ""] = linesOf("custom-step-type")
const [transactional = ""] = linesOf("transactional-pg")
const orms = linesOf("transactional-orms")
const reload = Guides.take("examples/embedded-next/README.md", "sh").at(-1)?.trim() ?? ""
// `.ci/packed.mjs` follows the guide in an empty folder, with Next.js.
const nextFiles = ["tsx", "js"].flatMap((language) => Guides.take("examples/embedded-next/README.md", language))
const [createDatabase = "", scale = ""] = linesOf("scale")
const [scaleShows = ""] = Guides.take("examples/scale/README.md", "json")
const [browserEvents = ""] = linesOf("browser-events")
const [signupForm = ""] = linesOf("signup-form")
const [segmentIngestion = ""] = linesOf("segment-ingestion")

/** The output of an example according to its README. */
const printed = (example: string): unknown =>
  JSON.parse(Guides.remark(Guides.take(`examples/${example}/README.md`, "sh").join("")))

let sink: Awaited<ReturnType<typeof startSink>>
let smtp: string
let dev: Running
let posthorn: Posthorn
let env: Record<string, string>
const metricsToken = "token-of-those-who-watch"
const scope = Scope.makeUnsafe()

beforeAll(async () => {
  sink = await startSink({})
  smtp = `smtp://127.0.0.1:${sink.port}?tls=none`
  dev = await running(`posthorn dev --json --port 0 --data-dir ${dataFolder()}`, {
    POSTHORN_METRICS_TOKEN: metricsToken,
    POSTHORN_DNS_SERVERS: "127.0.0.1:1"
  })
  const { url = "", secretKey = "", publicKey = "" } = dev.line
  posthorn = new Posthorn({ baseUrl: url, secretKey })
  env = { POSTHORN_URL: url, POSTHORN_KEY: secretKey, POSTHORN_PUBLIC_KEY: publicKey, SMTP_URL: smtp, PORT: "0" }
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  assert.strictEqual(await dev.end(), 0)
  await sink.close()
})

/** A separate database: on the server if there is one, which is faster than a folder. */
const database = async (): Promise<Record<string, string>> =>
  server === undefined
    ? { DATA_DIR: dataFolder() }
    : { DATABASE_URL: await Effect.runPromise(Scope.provide(freshDatabase(server), scope)) }

const until = async <A>(look: () => Promise<A> | A, isSo: (found: A) => boolean): Promise<A> => {
  for (let waited = 0; ; waited += 50) {
    const found = await look()
    if (isSo(found) || waited > 30_000) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Also decodes a dot at the beginning of a line. */
const plain = (raw: string) =>
  raw
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, octet) => String.fromCharCode(Number.parseInt(octet, 16)))

/** The link in an email, as its recipient sees it. */
const linkIn = (raw: string, text: string) => new RegExp(`href="([^"]+)"[^>]*>${text}`).exec(plain(raw))?.[1] ?? ""

describe("Examples", () => {
  it("every folder has a README, which the README above it links", () => {
    const folders = readdirSync(here, { withFileTypes: true }).filter(
      (one) => one.isDirectory() && !/^\.|testing|node_modules/.test(one.name)
    )
    const readme = readFileSync(join(here, "README.md"), "utf8")
    for (const { name } of folders) {
      assert.isAbove(readFileSync(join(here, name, "README.md"), "utf8").length, 100, name)
      assert.include(readme, `(${name})`)
    }
  })

  it("node-server: curl sends a mail and sees that it is sent", async () => {
    assert.match(await shell(nodeServer, env), /is (?:SENT|DELIVERED)\n$/)
  })

  it("double-opt-in: only the link in the mail subscribes", async () => {
    const asked = "anna@example.com"
    assert.strictEqual(await shell(doubleOptIn, env), `${asked} gets the confirmation mail.\n`)
    const contact = async () => (await posthorn.contacts.list({ search: asked }).page().orThrow()).data[0]
    assert.isFalse((await contact())?.subscribed)
    const mails = async () => {
      const list: { data: Array<{ id: string; subject: string }> } = JSON.parse(
        await (await fetch(`${dev.line["url"]}/dev/mailbox.json?to=${asked}`)).text()
      )
      const mail = list.data.find(({ subject }) => subject === "Please confirm")
      return mail === undefined ? "" : (await fetch(`${dev.line["url"]}/dev/mailbox/${mail.id}.eml`)).text()
    }
    const page = linkIn(await until(mails, (raw) => raw !== ""), "Yes")
    assert.strictEqual((await fetch(page)).status, 200)
    assert.isFalse((await contact())?.subscribed, "looking changes nothing")
    await fetch(page, { method: "POST", body: new URLSearchParams({ confirm: "1" }) })
    assert.isTrue((await contact())?.subscribed)
  })

  it("drip-workflow: files become templates and a workflow, and events move a contact through it", async () => {
    assert.lengthOf(drip, 8)
    const run = async (part: RegExp, key = env["POSTHORN_KEY"] ?? "") => {
      for (const line of drip) if (part.test(line)) await shell(line, { ...env, POSTHORN_KEY: key })
    }
    await run(/posthorn (?:templates|workflows)/)
    const [workflow] = (await posthorn.workflows.list({ search: "Getting started" }).page().orThrow()).data
    assert.isTrue(workflow?.enabled)
    const id = workflow?.id ?? ""
    const standing = async () => (await posthorn.executions.list(id).page().orThrow()).data[0]?.status

    await run(/signed_up/, dev.line["publicKey"])
    assert.strictEqual(await until(standing, (status) => status === "WAITING"), "WAITING")
    await run(/project_made/, dev.line["publicKey"])
    assert.strictEqual(await until(standing, (status) => status === "EXITED"), "EXITED")
    const mails = (await posthorn.emails.list({ sourceType: "WORKFLOW" }).page().orThrow()).data
    assert.sameMembers(
      mails.map(({ subject }) => subject),
      ["Welcome, Ada", "Your first project is there"]
    )
  })

  it("react-email: components arrive as HTML and text, once", async () => {
    const receipts = async () => {
      const mailbox = await fetch(`${dev.line["url"]}/dev/mailbox.json?to=bob@example.com`)
      const { data }: { data: Array<{ id: string }> } = JSON.parse(await mailbox.text())
      return Promise.all(data.map(async ({ id }) => (await fetch(`${dev.line["url"]}/dev/mailbox/${id}.eml`)).text()))
    }
    for (let run = 0; run < 2; run++) {
      assert.strictEqual(await shell(reactEmail, env), "2 receipts are accepted.\n")
      const found = await until(receipts, (mails) => mails.length > 0)
      assert.lengthOf(found, 1)
      assert.include(plain(found[0] ?? ""), "Thank you, {{Bob}} &amp; &lt;Co&gt;.</p>")
      assert.include(plain(found[0] ?? ""), "Thank you, {{Bob}} & <Co>.")
    }
  })

  it("embedded-express and embedded-hono: applications with mail and events inside", async () => {
    const at = async (line: string, to: string) =>
      running(line.replace(/SMTP_URL="[^"]*"/, `SMTP_URL="${to}"`), {
        ...env,
        ...(await database())
      })
    const [express, hono] = await Promise.all([at(startExpress, smtp), at(startHono, smtp)])
    const curl = async (line: string, { line: { url = "" } }: Running) =>
      JSON.parse(await shell(line.replace(/http:\/\/127\.0\.0\.1:\d+/, url), env))
    assert.property(await curl(signUp, express), "email")
    assert.property(await curl(signUp.replace("anna@example.com", "nonsense"), express), "message")
    const raw = await until(
      () => String(sink.mails.at(-1)?.raw ?? ""),
      (text) => text !== ""
    )
    const path = new URL(linkIn(raw, "No more mail")).pathname
    assert.match(path, /^\/mail\//)
    const page = await fetch(`${express.line["url"]}${path}`)
    assert.strictEqual(page.status, 200, `${path}\n${await page.text()}`)

    assert.property(await curl(placeOrder, hono), "event")
    assert.strictEqual((await fetch(`${hono.line["url"]}/mail/contacts`)).status, 401)
    assert.deepStrictEqual(await Promise.all([express.end(), hono.end()]), [0, 0])
  })

  it.skipIf(browser === undefined)(
    "embedded-console: people of the application see the mail of their projects, and nothing of others",
    async () => {
      execFileSync(process.execPath, [join(here, "../packages/console/build/main.ts")])
      const site = await running(startConsole, { ...env, ...(await database()) })
      const url = site.line["url"] ?? ""
      const chrome = await chromium.launch({ executablePath: browser ?? "", args: ["--no-sandbox"] })
      /** Opens the console as this person, and returns what was wrong. */
      const as = async (name: string, look: (page: Page) => Promise<void>) => {
        const context = await chrome.newContext()
        const page = await context.newPage()
        const faults: Array<string> = []
        page.on("console", (message) => {
          // A browser looks for an icon of the other pages.
          const isIcon = message.location().url.endsWith("/favicon.ico")
          if (["error", "warning"].includes(message.type()) && !isIcon) faults.push(message.text())
        })
        page.on("pageerror", ({ message }) => faults.push(message))
        page.on("request", (request) => {
          const { origin, pathname } = new URL(request.url())
          if (origin !== url || !/^\/(?:$|login$|favicon|admin\/mail(?:\/|$))/.test(pathname))
            faults.push(request.url())
        })
        page.on("response", (response) => {
          const isIcon = response.url().endsWith("/favicon.ico")
          if (response.status() >= 400 && response.status() !== 401 && !isIcon)
            faults.push(`${response.status()} ${response.url()}`)
        })
        await page.goto(`${url}/admin/mail`)
        await page.getByRole("heading", { name: "The login of the shop" }).waitFor()
        // The refused call is an error in the console of the browser.
        assert.isNotEmpty(faults.filter((fault) => fault.includes("401")))
        faults.length = 0
        await page.getByLabel("Name").fill(name)
        await page.getByRole("button", { name: "Sign in" }).click()
        await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
        await look(page)
        await context.close()
        assert.deepStrictEqual(faults, [])
      }
      try {
        await as("ada", async (page) => {
          assert.match(await page.title(), /Mail of the shop$/)
          await page
            .getByRole("button", { name: /Switch project/ })
            .first()
            .click()
          await page.getByRole("menuitem", { name: "Shop" }).click()
          await page.getByRole("link", { name: "Mails" }).first().click()
          await page.getByText("Your order").first().waitFor()
          await page.getByRole("link", { name: "Settings" }).first().click()
          await page.getByRole("link", { name: "Audit" }).waitFor()
          for (const gone of ["Members", "Billing"])
            assert.strictEqual(await page.getByRole("link", { name: gone }).count(), 0)
          await page.goto(`${url}/admin/mail/account`)
          await page.getByRole("heading", { name: "There is no such page" }).waitFor()
          // The application may show the console in a frame of its own pages.
          await page.goto(url)
          await page.frameLocator("iframe").getByRole("heading", { level: 1, name: "Overview" }).waitFor()
        })
        await as("bob", async (page) => {
          await page.getByRole("link", { name: "Mails" }).first().click()
          await page.getByRole("heading", { level: 1, name: "Mails" }).waitFor()
          assert.strictEqual(await page.getByText("Your order").count(), 0)
        })
        const page = await (await fetch(`${url}/admin/mail`)).headers
        assert.include(page.get("content-security-policy"), "frame-ancestors 'self'")
        assert.strictEqual((await fetch(`${url}/admin/mail/api/contacts`)).status, 401)
      } finally {
        await chrome.close()
        assert.strictEqual(await site.end(), 0)
      }
    }
  )

  it("custom-mailer and custom-step-type: a custom transport and a custom step", async () => {
    const OUTBOX = newFolder()
    const [said, steps] = await Promise.all([
      shell(customMailer, { ...(await database()), OUTBOX }),
      shell(customStep, { ...(await database()), PORT: "0" })
    ])
    assert.match(said, /is SENT/)
    assert.deepStrictEqual(JSON.parse(steps), printed("custom-step-type"))
    const [file = ""] = readdirSync(OUTBOX)
    assert.include(readFileSync(join(OUTBOX, file), "utf8"), "DKIM-Signature:")
  })

  it.skipIf(server === undefined)("transactional-pg: an order and its mail, or neither", async () => {
    const { DATABASE_URL = "" } = await database()
    const said = await shell(transactional.replace(/DATABASE_URL=\S+/, `DATABASE_URL=${DATABASE_URL}`), env)
    assert.deepStrictEqual(JSON.parse(said), printed("transactional-pg"))
  })

  it.skipIf(server === undefined)(
    "transactional-orms: the same in a transaction of Drizzle and of Kysely",
    async () => {
      assert.deepStrictEqual(
        orms.map((line) => /(\w+)\.ts/.exec(line)?.[1]),
        ["drizzle", "kysely"]
      )
      const [block = ""] = Guides.take("examples/transactional-orms/README.md", "sh")
      const expected = block
        .trim()
        .split("\n")
        .map((line) => JSON.parse(Guides.remark(line)))
      for (const [index, line] of orms.entries()) {
        const { DATABASE_URL = "" } = await database()
        const said = await shell(line.replace(/DATABASE_URL=\S+/, `DATABASE_URL=${DATABASE_URL}`), env)
        assert.deepStrictEqual(JSON.parse(said), expected[index], line)
      }
    }
  )

  it.skip("transactional-orms with Prisma: prisma generate downloads an engine, which a test without network cannot", () =>
    undefined)

  it("embedded-next: a module that is loaded again finds the existing instance", async () => {
    const said = await shell(reload, await database())
    assert.deepStrictEqual(JSON.parse(said), JSON.parse(Guides.remark(reload)))
  })

  it("embedded-next: the guide shows the files of the folder", () => {
    const [start, serve = ""] = nextFiles
    const read = (name: string) => readFileSync(join(here, "embedded-next", name), "utf8")
    assert.strictEqual(start, read("mail.ts"))
    assert.strictEqual(serve.replace("../../../lib/mail", "./mail.ts"), read("route.ts"))
  })

  it.skipIf(server === undefined)("scale: servers and workers on one database send no mail twice", async () => {
    const { DATABASE_URL = "" } = await database()
    const short = { MAILS: "20", WORKERS: "2" }
    const said = (await shell(scale.replace(/DATABASE_URL=\S+/, `DATABASE_URL=${DATABASE_URL}`), short))
      .trim()
      .split("\n")
    const [delivery = "", end = ""] = said
    assert.deepInclude(JSON.parse(delivery), { servers: 2, workers: 2, mails: 40 })
    assert.deepStrictEqual(JSON.parse(end), { delivered: 40, twice: 0 })

    const lines = scaleShows
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const last = lines.pop()
    for (const line of lines) assert.hasAllKeys(line, Object.keys(JSON.parse(delivery)))
    assert.deepStrictEqual(last, { delivered: lines.reduce((sum, { mails }) => sum + mails, 0), twice: 0 })
  })

  it.skipIf(server === undefined || !existsSync("/usr/bin/createdb"))(
    "scale: the database can be created with these commands",
    async () => {
      const { hostname, password, port, username } = new URL(server?.url ?? "")
      const PGUSER = decodeURIComponent(username)
      const as = { PGHOST: hostname, PGPORT: port || "5432", PGUSER, PGPASSWORD: decodeURIComponent(password) }
      const name = `posthorn_test_scale_${process.pid}`
      await shell(createDatabase.replace("posthorn_scale", name), as)
      await shell(`dropdb ${name}`, as)
    }
  )

  it.skipIf(browser === undefined)("browser-events: a page tracks with the public key", async () => {
    const site = await running(browserEvents, env)
    const chrome = await chromium.launch({ executablePath: browser ?? "", args: ["--no-sandbox"] })
    try {
      const page = await chrome.newPage()
      await page.goto(site.line["url"] ?? "")
      await page.getByLabel("Your address").fill("bea@example.com")
      await page.getByRole("button").click()
      await page.getByText("Thank you.").waitFor()
      const [event] = (await posthorn.events.list({ eventName: "asked for the price list" }).page().orThrow()).data
      assert.strictEqual(event?.name, "asked for the price list")
    } finally {
      await chrome.close()
      await site.end()
    }
  })

  it("segment-ingestion: the library of Segment sends people and events", async () => {
    const app = await running(segmentIngestion, env)
    assert.strictEqual(app.line["sent"], "2 messages")
    const [contact] = (await posthorn.contacts.list({ externalId: "user-4711" }).page().orThrow()).data
    assert.deepInclude(contact, { email: "sam@example.com", data: { plan: "pro" } })
    const [event] = (await posthorn.events.list({ eventName: "order shipped" }).page().orThrow()).data
    assert.deepStrictEqual([event?.contactId, event?.data], [contact?.id, { order: "A-17", total: 42 }])
    await app.end()
  })

  it.skipIf(browser === undefined)("signup-form: a static page signs up, with and without script", async () => {
    const site = await running(signupForm, env)
    const chrome = await chromium.launch({ executablePath: browser ?? "", args: ["--no-sandbox"] })
    try {
      for (const javaScriptEnabled of [true, false]) {
        const context = await chrome.newContext({ javaScriptEnabled })
        const page = await context.newPage()
        const email = `reader-${javaScriptEnabled}@example.com`
        await page.goto(site.line["url"] ?? "")
        await page.getByLabel("Email address").fill(email)
        await page.getByLabel("First name").fill("Ada")
        await page.getByRole("button").click()
        if (!javaScriptEnabled) await page.getByRole("button", { name: "Send" }).click()
        await page.getByRole("status").waitFor()
        const [contact] = (await posthorn.contacts.list({ email }).page().orThrow()).data
        assert.deepInclude(contact, { email, subscribed: true, data: { firstName: "Ada" } })
        await context.close()
      }
    } finally {
      await chrome.close()
      await site.end()
    }
  })

  it("packages: all exported files exist", () => {
    const root = join(here, "..")
    for (const manifest of globSync("{packages,adapters}/*/package.json", { cwd: root })) {
      const { exports } = JSON.parse(readFileSync(join(root, manifest), "utf8"))
      for (const path of Object.values<string>(exports)) {
        assert.isNotEmpty(
          globSync(path.replace("*", "**/*"), { cwd: join(root, manifest, "..") }),
          `${manifest}: ${path}`
        )
      }
    }
  })

  it("grafana: the dashboard uses existing metrics", () => {
    const sources = globSync("{packages,adapters}/*/src/**/*.ts", { cwd: join(here, "..") })
    const defined = sources.flatMap((path) =>
      [...readFileSync(join(here, "..", path), "utf8").matchAll(/Metric\.\w+\("(posthorn_\w+)"/g)].map(
        ([, name]) => name
      )
    )
    const asked = readFileSync(join(here, "grafana/posthorn.json"), "utf8").match(/posthorn_\w+/g) ?? []
    assert.isAtLeast(asked.length, 8)
    for (const name of asked) assert.include(defined, name.replace(/_bucket$/, ""))
  })

  it("deployments start existing commands with existing options and settings", () => {
    const known = readFileSync(join(here, "../adapters/node/README.md"), "utf8")
    const help = (...args: ReadonlyArray<string>) =>
      execFileSync(process.execPath, [join(here, "../cli/src/main.ts"), ...args, "--help"], { encoding: "utf8" })
    const helps: Record<string, string> = { serve: help("serve"), worker: help("worker"), migrate: help("migrate") }
    const paths = ["../Dockerfile", "compose/compose.yaml", "systemd/posthorn.service", ...chartFiles]
    let started = 0
    for (const path of paths) {
      const text = readFileSync(join(here, path), "utf8")
      for (const [name] of text.matchAll(/POSTHORN_\w+/g)) assert.include(known, name, path)
      const lines = /(?:posthorn |(?:command|args): \[|CMD \[")((serve|worker|migrate)\b.*)/g
      for (const [, line = "", command = ""] of text.matchAll(lines)) {
        started++
        for (const [option] of line.matchAll(/--[\w-]+/g)) assert.include(helps[command], option, path)
      }
    }
    assert.isAtLeast(started, 8)
  })
})

/** The blocks of the main README that `npm run readme` runs on a fresh clone. */
const onFreshClone = Guides.take("README.md", "sh", 0, 2)
const inRepository = Guides.take("README.md", "sh", 2).flatMap(Guides.commands)
/** `cli/src/Guide.test.ts` runs them. */
const commandLine = Guides.take("cli/README.md", "sh")
const measurements = Guides.take("packages/bench/README.md", "sh").flatMap(Guides.commands)
const [chartValues = ""] = Guides.take("examples/helm/README.md", "yaml")
const [scraping = ""] = Guides.take("examples/grafana/README.md", "yaml")
const [settings = ""] = Guides.take("examples/compose/README.md", "ini")
const [submission = ""] = Guides.take("adapters/node/README.md", "sh")
const [relay = ""] = Guides.take("adapters/node/README.md", "ini")
const firstCampaign = Guides.take("packages/docs/guides/first-campaign.md", "sh").flatMap(Guides.commands)
const [install = "", upgrade = "", takeAlong = "", remove = ""] = Guides.take(
  "packages/docs/guides/production.md",
  "sh"
)
const [migration = ""] = Guides.take("packages/core/src/platform/README.md", "js")
const [pooler = ""] = Guides.take("adapters/node/OPERATIONS.md", "ini")
const [pooled = ""] = Guides.take("adapters/node/OPERATIONS.md", "sh")
const clientsOfTools = ["cli/README.md", "adapters/node/README.md"].flatMap((page) => Guides.take(page, "json"))
const [imports = ""] = Guides.take("cli/IMPORT.md", "sh")
const [plunk = ""] = Guides.take("cli/IMPORT.md", "text")
const quickStart = Guides.take("packages/docs/guides/quick-start.md", "sh").flatMap(Guides.commands)
const modules = writeModules()

describe("Guides", () => {
  it("have no block without a test", () => {
    assert.deepStrictEqual(
      Guides.left().map(({ page, language, text }) => `${page}: a block of ${language || "nothing"}: ${text}`),
      []
    )
  })

  it("README.md: its scripts exist; CI runs those of a fresh clone", async () => {
    const { scripts } = JSON.parse(readFileSync(join(Guides.root, "package.json"), "utf8"))
    for (const [, script = ""] of onFreshClone.join("\n").matchAll(/npm (?:run )?(\w+)/g)) {
      if (script !== "ci") assert.property(scripts, script)
    }
    assert.include(readFileSync(join(Guides.root, ".ci/run"), "utf8"), "npm run --silent readme")
    assert.lengthOf(commandLine, 4)
    for (const line of inRepository) await shell(line, env)
  })

  it("packages/docs: the commands of the quick start send a mail, and name the variables that the samples read", async () => {
    const [start, ...lines] = quickStart
    assert.strictEqual(start, "npx posthorn dev")
    const given = lines.flatMap((line) => /^export (\w+)=/.exec(line)?.[1] ?? [])
    assert.deepStrictEqual(given, ["POSTHORN_URL", "POSTHORN_KEY"])
    const sent = async () =>
      (await posthorn.emails.list({ to: "ada@example.com", limit: 100 }).page().orThrow()).data.length
    const before = await sent()
    const commands = lines.filter((line) => !line.startsWith("export "))
    for (const line of commands) await shell(line, env)
    assert.strictEqual(await sent(), before + commands.length)
  })

  it("packages/docs: the guide to a first campaign, word by word", async () => {
    const [start, ...lines] = firstCampaign
    assert.strictEqual(start, "npx posthorn dev")
    await shell([`cd ${newFolder()}`, ...lines].join("\n"), env)
    const [campaign] = (await posthorn.campaigns.list({ search: "Launch" }).page().orThrow()).data
    assert.strictEqual(campaign?.status, "SENT")
    const mails = (
      await posthorn.emails
        .list({ campaignId: campaign?.id ?? "", limit: 100 })
        .page()
        .orThrow()
    ).data
    assert.includeMembers(
      mails.map(({ subject }) => subject),
      ["It is here, Ida", "It is here, Alan"]
    )
  })

  it.skipIf(server === undefined)("packages/docs: the guide to production installs, upgrades and leaves", async () => {
    const { DATABASE_URL = "" } = await database()
    const filled = (block: string) =>
      [`cd ${newFolder()}`, ...Guides.commands(block)]
        .map((line) =>
          line
            .replace(/POSTHORN_DATABASE_URL=.*/, `POSTHORN_DATABASE_URL=${DATABASE_URL}`)
            .replace(/POSTHORN_SMTP_URL=.*/, `POSTHORN_SMTP_URL='${smtp}'`)
            .replace(/^(npx posthorn accounts create.*)/, "echo correct horse battery staple | $1 --password-stdin")
            // It also checks the public URL, at which nothing answers.
            .replace(/^(npx posthorn doctor)$/, "$1 || true")
        )
        .join("\n")
    assert.match(install, /\nnpx posthorn serve\n$/)
    const installed = { POSTHORN_DATABASE_URL: DATABASE_URL, POSTHORN_SECRET: "0123456789abcdef0123456789abcdef" }
    const said = await shell(filled(install.replace("npx posthorn serve\n", "")), {})
    assert.match(said, /sk_/)
    assert.match(said, /atabase/)
    await shell(filled(upgrade), installed)
    await shell(filled(takeAlong), env)
    await shell(filled(remove), installed)
    const client = new pg.Client(DATABASE_URL)
    await client.connect()
    const { rows } = await client.query("select 1 from pg_namespace where nspname = 'posthorn'")
    await client.end()
    assert.isEmpty(rows)
  })

  it("adapters/node/OPERATIONS.md: the pooler is one in transaction mode, and the settings lead to it", () => {
    assert.match(pooler, /^pool_mode = transaction$/m)
    const [, port = ""] = /^listen_port = (\d+)$/m.exec(pooler) ?? []
    const [through = "", direct = ""] = pooled.trim().split("\n")
    assert.match(through, new RegExp(`^POSTHORN_DATABASE_URL=postgres://.*:${port}/mail$`))
    assert.match(direct, /^POSTHORN_DATABASE_DIRECT_URL=postgres:\/\/.*:5432\/mail$/)
    const known = readFileSync(join(Guides.root, "adapters/node/README.md"), "utf8")
    for (const [name] of pooled.matchAll(/POSTHORN_\w+/g)) assert.include(known, name)
  })

  it("settings for clients of the tools are JSON, and commands that import exist with their options", () => {
    for (const text of clientsOfTools) assert.property(JSON.parse(text).mcpServers, "posthorn")
    for (const line of Guides.commands(imports).filter((one) => !one.startsWith("export "))) {
      const [, source = "", options = ""] = /^posthorn import (\w+)(.*)$/.exec(line) ?? assert.fail(line)
      const help = execFileSync(process.execPath, [join(here, "../cli/src/main.ts"), "import", source, "--help"], {
        encoding: "utf8"
      })
      for (const [option] of options.matchAll(/--[\w-]+/g)) assert.include(help, option, line)
    }
    // `cli/src/imports` calls the service with this library.
    assert.match(plunk, /^new Plunk\("sk_\.\.\.", \{ baseUrl: "[^"]+\/v1\/" \}\)/)
  })

  it("packages/bench: its programs and options exist", () => {
    for (const line of measurements) {
      const [, name = "", workspace, options = ""] =
        /^npm run (\w+)(?: -w @posthorn\/(\w+))?(?: -- (.*))?$/.exec(line) ?? []
      const home = workspace === undefined ? Guides.root : join(Guides.root, "packages", workspace)
      const { scripts } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
      const folder = join(home, scripts[name].replace("node ", ""), "..")
      const program = globSync("*.ts", { cwd: folder })
        .map((file) => readFileSync(join(folder, file), "utf8"))
        .join("\n")
      for (const [, option = ""] of options.matchAll(/--([\w-]+)/g)) {
        assert.match(program, new RegExp(`^ +"?${option}"?: `, "m"), line)
      }
    }
  })

  it("examples/grafana: the Prometheus configuration leads to the metrics", async () => {
    const { scrape_configs: jobs } = Yaml.parse(scraping)
    assert.lengthOf(jobs, 1)
    const [{ job_name: name, authorization, static_configs: places }] = jobs
    assert.hasAllKeys(jobs[0], ["job_name", "authorization", "static_configs"])
    assert.isString(name)
    assert.hasAllKeys(authorization, ["credentials"])
    for (const place of places.flatMap(({ targets }: { targets: Array<string> }) => targets))
      assert.match(place, /^[\d.]+:\d+$/)
    const metrics = (token: string) =>
      fetch(`${dev.line["url"]}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    assert.strictEqual((await metrics("another")).status, 404)
    assert.match(await (await metrics(metricsToken)).text(), /^posthorn_/m)
  })

  it("adapters/node: the variables of submission are in its table, and a test runs Postfix with these lines", () => {
    const page = readFileSync(join(Guides.root, "adapters/node/README.md"), "utf8")
    for (const [, name = ""] of submission.matchAll(/^export (\w+)=/gm)) assert.include(page, `\`${name}\``, name)
    const tested = readFileSync(join(Guides.root, "adapters/node/src/endToEnd/testing/Postfix.ts"), "utf8")
    const names = Array.from(relay.matchAll(/^(\w+) = /gm), ([, name = ""]) => name)
    assert.isNotEmpty(names)
    for (const name of names) assert.include(tested, name)
  })

  it("examples/compose: the settings match the file", () => {
    const compose = readFileSync(join(here, "compose/compose.yaml"), "utf8")
    assert.isObject(Yaml.parse(compose, { merge: true }).services)
    const asked = Array.from(compose.matchAll(/\$\{(\w+)/g), ([, name = ""]) => name)
    const given = Array.from(settings.matchAll(/^(\w+)=\S/gm), ([, name = ""]) => name)
    assert.sameMembers(given, [...new Set(asked)])
  })

  it("examples/helm: the values exist", () => {
    const existing: unknown = Yaml.parse(readFileSync(join(here, "helm/values.yaml"), "utf8"))
    const given: Record<string, unknown> = Yaml.parse(chartValues)
    assert.containsAllDeepKeys(existing, Object.keys(given))
  })

  it("packages/core: the sketch of a migration uses the steps that exist", () => {
    const steps = readFileSync(join(Guides.root, "packages/core/src/platform/migrations/Steps.ts"), "utf8")
    const used = Array.from(migration.matchAll(/^ {4}(\w+)\(/gm), ([, name = ""]) => name)
    assert.isAtLeast(used.length, 5)
    for (const name of used) assert.include(steps, `export const ${name} = (`)
  })

  it("every link between pages has a target", () => {
    assert.isAtLeast(Guides.pages.length, 15)
    for (const page of Guides.pages) {
      for (const [, link = ""] of readFileSync(join(Guides.root, page), "utf8").matchAll(
        /\]\((?!https?:|#|\/)([^)#\s]+)/g
      )) {
        assert.isTrue(existsSync(join(Guides.root, page, "..", link)), `${page}: ${link}`)
      }
    }
  })
})

/** Runs each block in its own folder and process, like a reader who copied it. */
describe.skipIf(server === undefined)("The TypeScript of the guides runs", () => {
  const secret = "0123456789abcdef0123456789abcdef"
  let surroundings: Record<string, string>

  beforeAll(async () => {
    const { DATABASE_URL = "" } = await database()
    const application = await createPosthorn({
      database: DATABASE_URL,
      mailer: { smtp },
      publicUrl: "https://app.example.com",
      secret,
      settings: { devMode: true },
      workers: false
    })
    const { project } = await application.run(Projects.use(({ create }) => create("Guides")))
    await application.client(project.id).domains.add({ domain: "posthorn.test" }).orThrow()
    await application.close()
    const client = new pg.Client(DATABASE_URL)
    await client.connect()
    await client.query("create table orders (id text primary key)")
    await client.end()
    surroundings = {
      ...env,
      DATABASE_URL,
      PROJECT_ID: project.id,
      POSTHORN_SECRET: secret,
      POSTHORN_WEBHOOK_SECRET: `whsec_${Buffer.from(secret).toString("base64")}`,
      CONTACT_ID: (await posthorn.contacts.upsert({ email: "carl@example.com" }).orThrow()).id
    }
  })

  it.each(modules)("$page", ({ file }) => quietly(file, surroundings, newFolder()))
})
