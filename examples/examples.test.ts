/** Every example is run as its README says, against a service that runs. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Posthorn } from "@posthorn/client"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import { dataFolder, newFolder } from "@posthorn/core/testing/DataFolder"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Effect, Exit, Scope } from "effect"
import { chromium } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { output, type Running, running } from "./testing/Running.ts"

const here = import.meta.dirname
const server = inject("postgres")
const browser = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => globSync(path).length > 0)

let sink: Awaited<ReturnType<typeof startSink>>
let smtp: string
let dev: Running
let posthorn: Posthorn
let env: Record<string, string>
const scope = Scope.makeUnsafe()

beforeAll(async () => {
  sink = await startSink({})
  smtp = `smtp://127.0.0.1:${sink.port}?tls=none`
  dev = await running(["cli/src/main.ts", "dev", "--json", "--port", "0", "--data-dir", dataFolder()], {})
  const { url = "", secretKey = "", publicKey = "" } = dev.line
  posthorn = new Posthorn({ baseUrl: url, secretKey })
  env = { POSTHORN_URL: url, POSTHORN_KEY: secretKey, POSTHORN_PUBLIC_KEY: publicKey, SMTP_URL: smtp, PORT: "0" }
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  assert.strictEqual(await dev.end(), 0)
  await sink.close()
})

/** A database of its own: on the server where there is one, which is ready sooner than a folder. */
const database = async (): Promise<Record<string, string>> =>
  server === undefined
    ? { DATA_DIR: dataFolder() }
    : { DATABASE_URL: await Effect.runPromise(Scope.provide(freshDatabase(server), scope)) }

const post = (url: string, body: object) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })

const until = async <A>(look: () => Promise<A> | A, isSo: (found: A) => boolean): Promise<A> => {
  for (let waited = 0; ; waited += 50) {
    const found = await look()
    if (isSo(found) || waited > 30_000) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The link of a mail, as its recipient sees it. */
const linkIn = (raw: string, text: string) =>
  new RegExp(`href="([^"]+)"[^>]*>${text}`).exec(raw.replaceAll("=\r\n", "").replaceAll("=3D", "="))?.[1] ?? ""

describe("Examples", () => {
  it("every folder has a README, and the root's names it", () => {
    const folders = readdirSync(here, { withFileTypes: true }).filter(
      (one) => one.isDirectory() && !/^\.|testing|node_modules/.test(one.name)
    )
    const readme = readFileSync(join(here, "README.md"), "utf8")
    for (const { name } of folders) {
      assert.isAbove(readFileSync(join(here, name, "README.md"), "utf8").length, 100, name)
      assert.include(readme, `(${name})`)
    }
  })

  it("node-server: curl sends a mail and sees it leave", async () => {
    assert.match(await output("sh", ["examples/node-server/send.sh"], env), /is (?:SENT|DELIVERED)\n$/)
  })

  it("the README of the repository: its commands work as they stand there", async () => {
    const blocks = readFileSync(join(here, "../README.md"), "utf8").match(/^```sh\n[\s\S]*?^```/gm) ?? []
    const manifest = readFileSync(join(here, "../package.json"), "utf8")
    for (const [, script = ""] of blocks.join("\n").matchAll(/npm (?:run )?(\w+)/g)) {
      if (script !== "ci") assert.include(manifest, `"${script}":`)
    }
    const commands = blocks.join("\n").match(/^npx posthorn (?!serve|migrate|accounts).*$/gm) ?? []
    assert.isNotEmpty(commands)
    for (const command of commands) {
      const path = `${join(here, "../node_modules/.bin")}:${process.env["PATH"]}`
      await output("sh", ["-c", command.replace("npx ", "")], { ...env, PATH: path })
    }
  })

  it("double-opt-in: only the link in the mail subscribes", async () => {
    await output(process.execPath, ["examples/double-opt-in/main.ts", "dora@example.com"], env)
    const contact = async () => (await posthorn.contacts.list({ search: "dora@" }).page().orThrow()).data[0]
    assert.isFalse((await contact())?.subscribed)
    const mails = async () => {
      const list = await (await fetch(`${dev.line["url"]}/dev/mailbox.json`)).text()
      const [, id = ""] = /"id":"?([\w-]+)"?[^{}]*dora@/.exec(list) ?? []
      return id === "" ? "" : (await fetch(`${dev.line["url"]}/dev/mailbox/${id}.eml`)).text()
    }
    const page = linkIn(await until(mails, (raw) => raw !== ""), "Yes")
    assert.strictEqual((await fetch(page)).status, 200)
    assert.isFalse((await contact())?.subscribed, "looking changes nothing")
    await fetch(page, { method: "POST", body: new URLSearchParams({ confirm: "1" }) })
    assert.isTrue((await contact())?.subscribed)
  })

  it("drip-workflow: files become templates and a workflow, and events lead a contact through it", async () => {
    const readme = readFileSync(join(here, "drip-workflow/README.md"), "utf8")
    const commands = readme.match(/^npx posthorn (?!dev).*$/gm) ?? []
    assert.lengthOf(commands, 6)
    const PATH = `${join(here, "../node_modules/.bin")}:${process.env["PATH"]}`
    const run = (part: RegExp, key = env["POSTHORN_KEY"] ?? "") => {
      const script = commands.filter((each) => part.test(each)).map((each) => each.replace("npx ", ""))
      return output("sh", ["-ec", script.join("\n")], { ...env, PATH, POSTHORN_KEY: key })
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

  it("embedded-express and embedded-hono: applications with mail and events inside", async () => {
    const [express, hono] = await Promise.all([
      running(["examples/embedded-express/main.ts"], { ...env, ...(await database()) }),
      running(["examples/embedded-hono/main.ts"], { ...env, ...(await database()) })
    ])
    assert.strictEqual((await post(`${express.line["url"]}/signups`, { email: "eva@example.com" })).status, 202)
    assert.strictEqual((await post(`${express.line["url"]}/signups`, { email: "nonsense" })).status, 422)
    const raw = await until(
      () => String(sink.mails.at(-1)?.raw ?? ""),
      (text) => text !== ""
    )
    const path = new URL(linkIn(raw, "No more mail")).pathname
    assert.match(path, /^\/mail\//)
    assert.strictEqual((await fetch(`${express.line["url"]}${path}`)).status, 200)

    const placed = await post(`${hono.line["url"]}/orders/7`, { email: "otto@example.com" })
    assert.property(await placed.json(), "event")
    assert.strictEqual((await fetch(`${hono.line["url"]}/mail/contacts`)).status, 401)
    assert.deepStrictEqual(await Promise.all([express.end(), hono.end()]), [0, 0])
  })

  it("custom-mailer and custom-step-type: a transport and a step of one's own", async () => {
    const OUTBOX = newFolder()
    const [said, steps] = await Promise.all([
      output(process.execPath, ["examples/custom-mailer/main.ts"], { ...(await database()), OUTBOX }),
      output(process.execPath, ["examples/custom-step-type/main.ts"], { ...(await database()), PORT: "0" })
    ])
    assert.match(said, /is SENT/)
    assert.deepStrictEqual(JSON.parse(steps), { first: "COMPLETED", second: "gold" })
    const [file = ""] = readdirSync(OUTBOX)
    assert.include(readFileSync(join(OUTBOX, file), "utf8"), "DKIM-Signature:")
  })

  it.skipIf(server === undefined)("transactional-pg: an order and its mail, or neither", async () => {
    const said = await output(process.execPath, ["examples/transactional-pg/main.ts"], {
      ...env,
      ...(await database())
    })
    assert.deepStrictEqual(JSON.parse(said), { orders: 1, mails: 1 })
  })

  it.skipIf(server === undefined)("scale: servers and workers on one database, and no mail twice", async () => {
    const short = { MAILS: "20", WORKERS: "2" }
    const said = await output(process.execPath, ["examples/scale/main.ts"], { ...(await database()), ...short })
    const [delivery = "", end = ""] = said.trim().split("\n")
    assert.deepInclude(JSON.parse(delivery), { servers: 2, workers: 2, mails: 40 })
    assert.deepStrictEqual(JSON.parse(end), { delivered: 40, twice: 0 })
  })

  it.skipIf(browser === undefined)("browser-events: a page tracks with the public key", async () => {
    const site = await running(["examples/browser-events/main.ts"], env)
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

  it("the guides: every link from one page to another leads somewhere", () => {
    const root = join(here, "..")
    const pages = globSync(["*.md", "llms.txt", "{packages,adapters,examples}/*/*.md", "{cli,examples}/*.md"], {
      cwd: root
    })
    assert.isAtLeast(pages.length, 15)
    for (const page of pages) {
      for (const [, link = ""] of readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
        assert.isTrue(existsSync(join(root, page, "..", link)), `${page}: ${link}`)
      }
    }
  })

  it("packages: whatever they export is there", () => {
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

  it("grafana: the dashboard asks for metrics that there are", () => {
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

  it("compose and systemd: they start what there is, with settings that there are", () => {
    const known = readFileSync(join(here, "../adapters/node/README.md"), "utf8")
    for (const path of ["compose/compose.yaml", "systemd/posthorn.service"]) {
      const text = readFileSync(join(here, path), "utf8")
      for (const [name] of text.matchAll(/POSTHORN_\w+/g)) assert.include(known, name, path)
      for (const [, command = ""] of text.matchAll(/posthorn (serve|worker|migrate)\b/g)) {
        assert.isTrue(existsSync(join(here, `../cli/src/commands/${command}.ts`)), path)
      }
    }
  })
})
