/** The same journey and campaign through the client, the command line and the embedded module leave equal rows. */
import { execFile } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { join } from "node:path"
import { promisify } from "node:util"
import { Posthorn as Client } from "@posthorn/client"
import type { CampaignReport } from "@posthorn/contract/automation/campaigns/CampaignReport"
import type { WorkflowReport } from "@posthorn/contract/automation/workflows/WorkflowReport"
import { dataFolder, newFolder } from "@posthorn/core/testing/DataFolder"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createPosthorn, type Posthorn } from "./index.ts"

const main = join(import.meta.dirname, "../../../cli/src/main.ts")

/** What a course does, by one way to the service. */
interface Door {
  readonly workflow: (name: string) => Promise<string>
  readonly track: (email: string, event: string, data: object) => Promise<unknown>
  readonly campaign: (name: string) => Promise<string>
  readonly workflowReport: (id: string) => Promise<WorkflowReport>
  readonly campaignReport: (id: string, by: CampaignReport["by"]) => Promise<CampaignReport>
  readonly conversions: (by: "day" | "campaign" | "workflow") => Promise<ReadonlyArray<unknown>>
  readonly providers: () => Promise<ReadonlyArray<unknown>>
}

const goalOf = (name: string) => ({
  eventName: `bought-${name}`,
  attribution: "SENT",
  revenue: { path: "total", currency: "EUR" }
})

const draftOf = (name: string) => ({
  ...{ name, subject: "News", body: "<p>News</p>", from: "news@app.test" },
  audienceCondition: { groups: [{ filters: [{ field: "data.door", operator: "equals", value: name }] }] },
  goal: goalOf(name),
  experiment: { variants: [{ key: "A" }, { key: "B", subject: "Other news" }], testShare: 1, metric: "GOAL" }
})

const throughClient = (client: Client): Door => ({
  workflow: async (name) => {
    const { id } = await client.workflows.create({ name, eventName: `start-${name}` }).orThrow()
    const graph = {
      steps: [
        {
          ...{ key: "Pro?", type: "CONDITION", name: "Pro?" },
          config: { field: "data.plan", operator: "equals", value: "pro" }
        },
        { key: "Rest", type: "DELAY", name: "Rest", config: { amount: 1, unit: "days" } },
        { key: "Bye", type: "EXIT", name: "Bye" }
      ],
      transitions: [
        { from: "Pro?", to: "Bye", branch: "yes" },
        { from: "Pro?", to: "Rest", branch: "no" },
        { from: "Rest", to: "Bye" }
      ]
    }
    await client.workflows.replaceGraph(id, graph as Parameters<typeof client.workflows.replaceGraph>[1]).orThrow()
    await client.workflows.update(id, { goal: { eventName: `bought-${name}` }, enabled: true }).orThrow()
    return id
  },
  track: (email, event, data) => client.track({ email, event, data: { ...data } }).orThrow(),
  campaign: async (name) => {
    const body = { ...draftOf(name), audienceType: "FILTERED" }
    const { id } = await client.campaigns.create(body as Parameters<typeof client.campaigns.create>[0]).orThrow()
    await client.campaigns.send(id).orThrow()
    return id
  },
  workflowReport: async (id) => (await client.workflows.report(id).orThrow()) as unknown as WorkflowReport,
  campaignReport: async (id, by) => (await client.campaigns.report(id, { by }).orThrow()) as unknown as CampaignReport,
  conversions: async (by) => await client.analytics.conversions({ by }).orThrow(),
  providers: async () => await client.deliverability.providers().orThrow()
})

const file = (name: string) => `name: ${name}
triggerConfig: { eventName: start-${name} }
goal: { eventName: bought-${name} }
entry: Pro?
steps:
  Pro?:
    type: CONDITION
    config: { field: data.plan, operator: equals, value: pro }
    next: { yes: Bye, no: Rest }
  Rest:
    type: DELAY
    config: { amount: 1, unit: days }
    next: Bye
  Bye:
    type: EXIT
`

const throughCommands = (
  url: string,
  { publicKey, secretKey }: { readonly publicKey: string; readonly secretKey: string | null }
): Door => {
  const cwd = newFolder()
  const rows = async (args: ReadonlyArray<string>, key = secretKey ?? ""): Promise<ReadonlyArray<unknown>> => {
    const { PATH = "" } = process.env
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [main, ...args, "--url", url, "--key", key, "--json"],
      { cwd, env: { PATH, HOME: cwd, XDG_CONFIG_HOME: cwd } }
    )
    return stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
  }
  // biome-ignore lint/suspicious/noExplicitAny: what a command prints has no type here.
  const run = async (args: ReadonlyArray<string>, key?: string): Promise<any> => (await rows(args, key))[0]
  return {
    workflow: async (name) => {
      writeFileSync(join(cwd, "flow.yaml"), file(name))
      const { id } = await run(["workflows", "push", "flow.yaml", "--yes"])
      await run(["workflows", "enable", id])
      return id
    },
    track: (email, event, data) => run(["track", email, "--event", event, "--data", JSON.stringify(data)], publicKey),
    campaign: async (name) => {
      const { audienceCondition, body, experiment, from, goal, subject } = draftOf(name)
      const texts = ["--name", name, "--subject", subject, "--body", body, "--from", from]
      const more = { "audience-condition": audienceCondition, experiment, goal }
      const options = Object.entries(more).flatMap(([option, value]) => [`--${option}`, JSON.stringify(value)])
      const { id } = await run(["campaigns", "create", ...texts, ...options])
      await run(["campaigns", "send", id])
      return id
    },
    workflowReport: (id) => run(["workflows", "report", id]),
    campaignReport: (id, by) => run(["campaigns", "report", id, "--by", by]),
    conversions: (by) => rows(["analytics", "conversions", "--by", by]),
    providers: () => rows(["providers", "list"])
  }
}

describe("a journey and a campaign", () => {
  let posthorn: Posthorn
  let server: Server
  let own: Client
  let doors: { readonly [name: string]: Door }
  beforeAll(async () => {
    posthorn = await createPosthorn({
      publicUrl: "http://localhost:4099",
      secret: "0123456789abcdef0123456789abcdef",
      database: { dataDir: dataFolder() },
      dev: true,
      onLog: () => {}
    })
    server = createServer(posthorn.node)
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    const url = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : ""}`
    const project = await posthorn.ensureProject("App")
    own = posthorn.client(project.id)
    await own.domains.add({ domain: "app.test" }).orThrow()
    const { publicKey, secretKey } = project
    doors = {
      embedded: throughClient(own),
      client: throughClient(new Client({ baseUrl: url, publicKey, secretKey: secretKey ?? "" })),
      command: throughCommands(url, project)
    }
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await posthorn.close()
  })

  const eventually = async (isSo: () => Promise<boolean>) => {
    for (let waited = 0; !(await isSo()); waited += 50) {
      assert.isBelow(waited, 60_000, "waited in vain")
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Two of three contacts start, one of them buys twice, and another one buys without a start. */
  const course = async (name: string, door: Door) => {
    const people = ["pro", "free", "none"]
    const address = (plan: string) => `${plan}-${name}@example.com`
    for (const plan of people) {
      await own.contacts.upsert({ email: address(plan), data: { door: name, plan } }).orThrow()
    }
    const workflow = await door.workflow(name)
    await door.track(address("pro"), `start-${name}`, {})
    await door.track(address("free"), `start-${name}`, {})
    const executions = async () => (await own.workflows.report(workflow).orThrow()).executions
    await eventually(async () => {
      const { exited, live } = await executions()
      return exited === 1 && live === 1
    })
    const campaign = await door.campaign(name)
    const stats = () => own.campaigns.stats(campaign).orThrow()
    await eventually(async () => (await stats()).deliveredCount === 3)
    await door.track(address("free"), `bought-${name}`, { total: 12.5 })
    await door.track(address("free"), `bought-${name}`, { total: 2 })
    await door.track(address("none"), `bought-${name}`, {})
    await eventually(async () => (await stats()).conversionEvents === 3 && (await executions()).live === 0)
    return { workflow, campaign }
  }

  const total = (rows: CampaignReport["rows"]) => ({
    sent: rows.reduce((sum, each) => sum + each.sent, 0),
    delivered: rows.reduce((sum, each) => sum + each.delivered, 0),
    converted: rows.reduce((sum, each) => sum + each.converted, 0),
    revenue: rows.flatMap(({ revenue }) => revenue)
  })

  /** Every report of a workflow and a campaign, read one way. */
  const reportsOf = async (
    door: Door,
    { workflow, campaign }: { readonly workflow: string; readonly campaign: string }
  ) => ({
    workflow: await door.workflowReport(workflow),
    variant: await door.campaignReport(campaign, "variant"),
    hour: await door.campaignReport(campaign, "hour"),
    provider: await door.campaignReport(campaign, "provider"),
    conversions: [
      await door.conversions("day"),
      await door.conversions("campaign"),
      await door.conversions("workflow")
    ],
    providers: await door.providers()
  })

  /** The rows without ids. Which contact gets which variant follows from ids, so variants are summed. */
  const rowsOf = ({ provider, variant, workflow }: Awaited<ReturnType<typeof reportsOf>>) => {
    const { branches, executions, steps } = workflow
    const names = new Map<string, string>(steps.map(({ name, stepId }) => [stepId, name.replace(/start-.*/, "start")]))
    return {
      executions,
      steps: steps
        .map(({ stepId, ...row }) => ({ ...row, name: names.get(stepId) ?? "" }))
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
      branches: branches.map(({ branch, stepId, taken }) => `${names.get(stepId)} ${branch} ${taken}`).sort(),
      variants: total(variant.rows),
      providers: provider.rows
    }
  }

  let tries = 0
  it("leave equal rows, whichever way they come, and each way reads the same", { timeout: 240_000 }, async () => {
    // A second try in the same service has to find no rows of the first one.
    tries++
    const left = new Map<string, ReturnType<typeof rowsOf>>()
    for (const [name, door] of Object.entries(doors)) {
      const ids = await course(`${name}${tries}`, door)
      const reports = await reportsOf(door, ids)
      for (const other of Object.values(doors)) {
        if (other !== door) assert.deepStrictEqual(await reportsOf(other, ids), reports)
      }
      for (const by of ["variant", "hour", "provider"] as const) {
        const expected = { converted: 2, revenue: [{ currency: "EUR", amount: 14.5 }] }
        assert.deepInclude(total(reports[by].rows), expected, by)
      }
      left.set(name, rowsOf(reports))
    }
    const expected = left.get("embedded")
    assert.deepInclude(expected?.executions, { started: 2, exited: 2, live: 0, converted: 1 })
    assert.deepInclude(expected?.variants, { sent: 3, converted: 2, revenue: [{ currency: "EUR", amount: 14.5 }] })
    assert.deepStrictEqual(left.get("client"), expected)
    assert.deepStrictEqual(left.get("command"), expected)
  })
})
