/** What "Show code" shows, run as it stands against a development server. */
import { execFile } from "node:child_process"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type DevServer, startDevServer } from "../testing/DevServer.ts"
import { type CodeCall, clientSample, commandSample, curlSample } from "./samples.ts"

const root = resolve(import.meta.dirname, "../../../..")
const run = promisify(execFile)

describe("Show code", () => {
  let server: DevServer
  let calls: ReadonlyArray<CodeCall>
  let contactId: string
  let env: Record<string, string | undefined>

  beforeAll(async () => {
    server = await startDevServer()
    env = { ...process.env, POSTHORN_KEY: server.secretKey }
    const { body } = await server.call<{ id: string }>("POST", "/contacts", { email: "ada@example.com" })
    contactId = body.id
    calls = [
      {
        operation: "send",
        body: {
          to: "ada@example.com",
          from: `hello@${server.domain}`,
          subject: 'It\'s "here"',
          text: "a\nb $HOME `id`"
        }
      },
      { operation: "contacts.upsert", body: { email: "grace@example.com", data: { name: "O'Neil", "last-visit": 3 } } },
      { operation: "contacts.get", path: [contactId] },
      { operation: "contacts.list", query: { search: "a&b=c'd", limit: 5, subscribed: undefined } },
      { operation: "contacts.update", path: [contactId], body: { data: { plan: "pro" } } },
      { operation: "emails.list", query: { status: "SENT,DELIVERED", limit: 50 } },
      { operation: "suppressions.add", body: { emails: ["gone@example.com"], note: "don't" } },
      { operation: "suppressions.get", path: ["gone@example.com"] },
      { operation: "suppressions.list", query: { reason: "MANUAL" } },
      { operation: "apiKeys.create", body: { name: "Shop", scopes: ["send"] } },
      { operation: "webhooks.create", body: { url: "https://example.com/hook", events: ["email.*"] } },
      { operation: "webhooks.list" },
      {
        operation: "segments.create",
        body: {
          name: 'It\'s "theirs"',
          type: "DYNAMIC",
          condition: { groups: [{ filters: [{ field: "data.name", operator: "equals", value: "O'Neil" }] }] }
        }
      },
      { operation: "segments.list" },
      { operation: "contacts.query", body: { search: "ada", sort: "email", dir: "asc", limit: 5 } },
      { operation: "campaigns.list", query: { search: "a&b", status: "DRAFT" } },
      { operation: "templates.list", query: { sort: "updatedAt" } },
      { operation: "workflows.list", query: { status: "active", triggerType: "EVENT" } },
      { operation: "projects.audit", path: [server.projectId], query: { action: "webhook.*" } }
    ]
  })
  afterAll(() => server?.stop())

  it("runs with curl", async () => {
    for (const call of calls) {
      const { stdout } = await run("sh", ["-c", `${curlSample(call, server.url)} -s -o /dev/null -w '%{http_code}'`], {
        env
      })
      assert.match(stdout, /^20[01]$/, call.operation)
    }
    const { body } = await server.call<{ data: object }>("GET", `/contacts/${contactId}`)
    assert.deepStrictEqual(body.data, { plan: "pro" })
  })

  it("runs with the client", async () => {
    const ids = calls.map(async (call) => {
      const code = `${clientSample(call, server.url)}\nif (error !== null) throw error\nconsole.log(JSON.stringify(data))`
      const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { cwd: root, env })
      return [call.operation, JSON.parse(stdout)] as const
    })
    const answers = new Map(await Promise.all(ids))
    assert.strictEqual(answers.get("contacts.get").id, contactId)
    assert.strictEqual(answers.get("suppressions.get").note, "don't")
    assert.strictEqual(answers.get("projects.audit").data.at(-1).action, "webhook.created")
  })

  it("runs with the command line", async () => {
    const posthorn = `posthorn() { "${process.execPath}" "${root}/cli/src/main.ts" "$@"; }`
    for (const call of calls.filter((_, index) => index % 3 === 0)) {
      const { stdout } = await run("sh", ["-c", `${posthorn}\n${commandSample(call, server.url)}`], { cwd: root, env })
      assert.isObject(JSON.parse(stdout), call.operation)
    }
  })

  it("never shows the key itself", () => {
    for (const call of calls) {
      const all = [curlSample(call, server.url), clientSample(call, server.url), commandSample(call, server.url)].join()
      assert.notInclude(all, server.secretKey)
    }
  })
})
