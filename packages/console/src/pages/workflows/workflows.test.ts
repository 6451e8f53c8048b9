/** Workflows, in a browser against a development server. */
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, tabTo, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"
import { starts } from "./starts.ts"

interface Workflow {
  readonly id: string
  readonly enabled: boolean
  readonly updatedAt: string
  readonly steps: ReadonlyArray<{ readonly id: string; readonly type: string; readonly name: string }>
  readonly transitions: ReadonlyArray<{ readonly fromStepId: string; readonly toStepId: string }>
}

const hostile = `<img src=x onerror="alert(1)">`

describe.skipIf(browserProgram === undefined)("workflows in the console", () => {
  let server: DevServer
  let browser: Browser
  let workflowId: string
  let executionId: string

  const read = async (id: string) => (await server.call<Workflow>("GET", `/workflows/${id}`)).body
  const draw = async (name: string, graph: object): Promise<string> => {
    const { body } = await server.call<Workflow>("POST", "/workflows", { name })
    const drawn = await server.call("PUT", `/workflows/${body.id}/graph`, graph)
    assert.strictEqual(drawn.status, 200, JSON.stringify(drawn.body))
    return body.id
  }
  const track = async (email: string, event: string) => {
    const { status } = await fetch(`${server.url}/v1/track`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.publicKey}`, "content-type": "application/json" },
      body: JSON.stringify({ email, event })
    })
    assert.strictEqual(status, 200)
  }
  const executionOf = async (id: string): Promise<string> => {
    for (let n = 0; n < 50; n++) {
      const { body } = await server.call<{ data: ReadonlyArray<{ id: string }> }>("GET", `/workflows/${id}/executions`)
      if (body.data[0] !== undefined) return body.data[0].id
      await new Promise((done) => setTimeout(done, 100))
    }
    return assert.fail("No execution started.")
  }

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    workflowId = await draw(hostile, {
      triggerType: "EVENT",
      triggerConfig: { eventName: "opened_account" },
      steps: [
        { key: "start", type: "TRIGGER" },
        { key: "set", type: "UPDATE_CONTACT", name: "<b>Mark</b>", config: { updates: { note: hostile } } },
        {
          key: "pro",
          type: "CONDITION",
          name: "Pro?",
          config: { field: "data.plan", operator: "equals", value: "pro" }
        },
        { key: "wait", type: "DELAY", name: "Wait", config: { amount: 1, unit: "days" }, position: { x: 300, y: 420 } }
      ],
      transitions: [
        { from: "start", to: "set" },
        { from: "set", to: "pro" },
        { from: "pro", to: "wait", branch: "no" }
      ]
    })
    const enabled = await server.call("PATCH", `/workflows/${workflowId}`, { enabled: true })
    assert.strictEqual(enabled.status, 200, JSON.stringify(enabled.body))
    await track("eva@example.com", "opened_account")
    executionId = await executionOf(workflowId)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)("every page is accessible and fits: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page, go }) => {
      await go("/workflows")
      await page.getByText(hostile).first().waitFor()
      await assertFlawless(page, `workflows-${look}`)
      await go("/workflows?new=trial")
      await page.getByRole("dialog").waitFor()
      await assertFlawless(page, `workflows-new-${look}`)
      const isPhone = look.startsWith("phone")
      await go(`/workflows/${workflowId}`)
      await (isPhone ? page.getByRole("button", { name: /Pro\?/ }) : page.locator(".react-flow__node"))
        .first()
        .waitFor()
      await page.getByText("Everything is saved").waitFor()
      await assertFlawless(page, `workflow-${look}`)
      await go(`/workflows/${workflowId}?view=${isPhone ? "graph" : "list"}`)
      await (isPhone ? page.locator(".react-flow__node") : page.getByRole("button", { name: /Pro\?/ }))
        .first()
        .waitFor()
      await assertFlawless(page, `workflow-other-${look}`)
      const step = (await read(workflowId)).steps[2]?.id
      await go(`/workflows/${workflowId}?step=${step}`)
      await page.getByRole("dialog", { name: "Condition" }).waitFor()
      await assertFlawless(page, `workflow-step-${look}`)
      await go(`/workflows/${workflowId}?tab=executions`)
      await page.getByText("eva@example.com").first().waitFor()
      await assertFlawless(page, `workflow-executions-${look}`)
      await go(`/workflows/${workflowId}?tab=executions&view=graph&execution=${executionId}`)
      await page.locator(".react-flow__node").first().waitFor()
      await page.getByRole("heading", { name: "Path" }).waitFor()
      await assertFlawless(page, `workflow-execution-${look}`)
    })
  })

  /** Chooses an item of the open menu by its first letters. */
  const choose = async (page: Page, name: string) => {
    await page.getByRole("menuitem", { name }).waitFor()
    await page.keyboard.type(name.slice(0, 5))
    await page.keyboard.press("Enter")
  }

  it("builds, enables and follows a workflow with the keyboard alone", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/workflows?new=blank")
      await page.getByRole("dialog", { name: "New workflow" }).waitFor()
      await page.keyboard.type("After sign-up")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: "After sign-up" }).waitFor()
      const id = new URL(page.url()).pathname.split("/").at(-1) ?? ""
      await page.locator(".react-flow__node").first().waitFor()
      await tabTo(page, "Steps as list")
      await page.keyboard.press("Enter")
      await page.getByRole("list", { name: "Steps in the order of the flow" }).waitFor()

      // The trigger: Enter opens its settings, where the event is typed.
      const trigger = page.locator("[data-step]").first()
      for (let n = 0; n < 20 && !(await trigger.evaluate((step) => step === document.activeElement)); n++) {
        await page.keyboard.press("Tab")
      }
      await page.keyboard.press("Enter")
      await page.getByRole("dialog", { name: "Trigger" }).waitFor()
      for (
        let n = 0;
        n < 5 && !(await page.getByLabel("Event").evaluate((field) => field === document.activeElement));
        n++
      ) {
        await page.keyboard.press("Tab")
      }
      await page.keyboard.type("signed_up_here")
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").waitFor({ state: "detached" })

      // A delay behind it, and a change of the contact behind the delay.
      await page.locator("[data-step]:focus").waitFor()
      await page.keyboard.press("i")
      await choose(page, "Delay")
      await page.getByRole("dialog", { name: "Delay" }).waitFor()
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page.locator("[data-step]:focus", { hasText: "Delay" }).waitFor()
      await page.keyboard.press("i")
      await choose(page, "Update contact")
      await page.getByRole("dialog", { name: "Update contact" }).waitFor()
      await page.keyboard.press("Tab")
      await page.keyboard.press("Control+a")
      await page.keyboard.type(`{"welcomed": true}`)
      await page.keyboard.press("Escape")
      await page.locator("[data-step]:focus", { hasText: "Update contact" }).waitFor()

      // Taken out, and brought back by undo.
      await page.keyboard.press("Delete")
      await page.locator("[data-step]").nth(2).waitFor({ state: "detached" })
      await page.keyboard.press("Control+z")
      await page.locator("[data-step]").nth(2).waitFor()
      await page.keyboard.press("Control+s")
      await page.getByText("Everything is saved").waitFor()
      assert.deepStrictEqual(
        (await read(id)).steps.map(({ type }) => type),
        ["TRIGGER", "DELAY", "UPDATE_CONTACT"]
      )

      await page.getByRole("heading", { level: 1 }).focus()
      await tabTo(page, "Enable")
      await page.keyboard.press("Enter")
      await page.getByText("After sign-up is enabled.").waitFor()
      assert.isTrue((await read(id)).enabled)

      await track("ada@example.com", "signed_up_here")
      const execution = await executionOf(id)
      await go(`/workflows/${id}?tab=executions&execution=${execution}`)
      await page
        .locator(".react-flow__node", { hasText: "Delay" })
        .getByText(/Scheduled|Waiting/)
        .waitFor()
      const moved = await server.call("POST", "/dev/clock", { advance: "1 day" })
      assert.strictEqual(moved.status, 200, JSON.stringify(moved.body))
      await page.locator(".react-flow__node", { hasText: "Update contact" }).getByText("Completed").waitFor()
      await page.getByRole("region", { name: "ada@example.com" }).getByText("Completed").waitFor()
    })
  })

  it("starts from a list of workflows, shows faults at their steps, and refuses to enable", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go("/workflows?new=welcome")
      await page.getByRole("button", { name: "Create", exact: true }).click()
      await page.getByRole("heading", { level: 1, name: "Welcome" }).waitFor()
      const mail = page.locator(".react-flow__node", { hasText: "First steps" })
      await mail.getByText("1 fault").waitFor()
      await page.getByRole("button", { name: "Enable" }).click()
      await page
        .getByRole("alert")
        .getByText(/template/i)
        .first()
        .waitFor()
      faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("422")))
      await mail.click()
      await page
        .getByRole("dialog", { name: "Send email" })
        .getByText(/template/i)
        .first()
        .waitFor()
    })
  })

  it.each(Object.keys(starts) as ReadonlyArray<keyof typeof starts>)(
    "the start %s lacks only templates",
    async (name) => {
      const { body } = await server.call<Workflow>("POST", "/workflows", { name })
      const graph = starts[name]
      assert.strictEqual((await server.call("PUT", `/workflows/${body.id}/graph`, graph)).status, 200)
      const checked = await server.call<{ errors: ReadonlyArray<{ field: string }>; warnings: ReadonlyArray<unknown> }>(
        "GET",
        `/workflows/${body.id}/validate`
      )
      const mails = graph.steps.filter(({ type }) => type === "SEND_EMAIL")
      assert.deepStrictEqual(
        [checked.body.errors.map(({ field }) => field.split(".").at(-1)), checked.body.warnings],
        [mails.map(() => "templateId"), []]
      )
    }
  )

  it("edits splits, windows, limits and delays until a date, and shows the figures of an experiment", async () => {
    const branches = ["short", "long"].map((id) => ({ id, share: 50 }))
    const id = await draw("Timed", {
      steps: [
        { key: "start", type: "TRIGGER" },
        { key: "two", type: "SPLIT", name: "Two", config: { branches, experiment: { metric: "HUMAN_CLICK" } } },
        { key: "hours", type: "TIME_WINDOW", name: "Hours", config: { from: "09:00", to: "17:00" } },
        { key: "pace", type: "RATE_LIMIT", name: "Pace", config: { limit: 60, per: "minute" } },
        { key: "trial", type: "DELAY", name: "Trial", config: { amount: 1, unit: "days" } }
      ],
      transitions: [
        { from: "start", to: "two" },
        { from: "two", to: "hours", branch: "short" },
        { from: "hours", to: "pace" },
        { from: "pace", to: "trial" }
      ]
    })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/workflows/${id}?view=list`)
      const panel = page.getByRole("dialog")
      const opened = async (name: string) => {
        await page.locator("[data-step]", { hasText: name }).first().click()
        await panel.waitFor()
      }
      const done = async () => {
        await panel.getByRole("button", { name: "Done" }).click()
        await panel.waitFor({ state: "detached" })
      }
      await opened("Two")
      await panel.getByText("Not decided yet").waitFor()
      await panel.getByRole("button", { name: "Take long" }).click()
      await panel.getByText("Everybody takes long.").waitFor()
      await panel.getByLabel("Share in percent").first().fill("40")
      await panel.getByLabel("Share in percent").last().fill("60")
      await assertFlawless(page, "workflow-split")
      await done()
      await opened("Hours")
      await panel.getByText("Sun", { exact: true }).click()
      await panel.getByLabel("From", { exact: true }).fill("08:30")
      await assertFlawless(page, "workflow-window")
      await done()
      await opened("Pace")
      await panel.getByLabel("At most", { exact: true }).fill("30")
      await assertFlawless(page, "workflow-limit")
      await done()
      await opened("Trial")
      await panel.getByLabel("Wait until").selectOption("field")
      await panel.getByLabel("Field", { exact: true }).fill("data.trialEnds")
      await assertFlawless(page, "workflow-delay")
      await done()
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByText("Everything is saved").waitFor()
      const stored = (await server.call<{ steps: ReadonlyArray<{ config: object }> }>("GET", `/workflows/${id}`)).body
      assert.deepStrictEqual(
        stored.steps.slice(1).map(({ config }) => config),
        [
          {
            branches: [
              { id: "short", share: 40 },
              { id: "long", share: 60 }
            ],
            experiment: { metric: "HUMAN_CLICK" }
          },
          { from: "08:30", to: "17:00", days: ["MON", "TUE", "WED", "THU", "FRI", "SAT"] },
          { limit: 30, per: "minute" },
          { until: { field: "data.trialEnds" } }
        ]
      )
    })
  })

  it("sets topics in a step, each with its state", async () => {
    for (const key of ["news", "tips"]) {
      await server.call("POST", "/topics", { name: `The ${key}`, key, defaultSubscription: "unsubscribed" })
    }
    const id = await draw("Topics", {
      steps: [
        { key: "start", type: "TRIGGER" },
        { key: "set", type: "UPDATE_CONTACT", name: "Set", config: { topics: { tips: "unset" } } }
      ],
      transitions: [{ from: "start", to: "set" }]
    })
    await visit(browser, server, looks["phone-light"], async ({ page, go }) => {
      await go(`/workflows/${id}?view=list`)
      const panel = page.getByRole("dialog")
      await page.locator("[data-step]", { hasText: "Set" }).first().click()
      await panel.waitFor()
      assert.strictEqual(await panel.getByLabel("The tips").inputValue(), "unset")
      await panel.getByRole("button", { name: "Remove The tips" }).click()
      await panel.getByLabel("Add a topic").selectOption("news")
      await panel.getByLabel("The news").selectOption("unsubscribed")
      await panel.getByLabel("Add a topic").selectOption("tips")
      await assertFlawless(page, "workflow-topics")
      await panel.getByRole("button", { name: "Done" }).click()
      await panel.waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByText("Everything is saved").waitFor()
    })
    const stored = (await server.call<{ steps: ReadonlyArray<{ config: object }> }>("GET", `/workflows/${id}`)).body
    assert.deepStrictEqual(stored.steps[1]?.config, { topics: { news: "unsubscribed", tips: "subscribed" } })
  })

  it("says that somebody saved meanwhile, and keeps one of both", async () => {
    const id = await draw("Shared", { steps: [{ key: "bye", type: "EXIT", name: "Bye" }], transitions: [] })
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go(`/workflows/${id}?view=list`)
      const rename = async (name: string) => {
        await page.locator("[data-step]", { hasText: "Bye" }).click()
        await page.getByRole("dialog").getByLabel("Name").fill(name)
        await page.getByRole("dialog").getByRole("button", { name: "Done" }).click()
      }
      await rename("Bye from here")
      await page.getByRole("link", { name: "Overview" }).first().click()
      const leaving = page.getByRole("alertdialog", { name: "Leave without saving" })
      await leaving.getByRole("button", { name: "Cancel" }).click()
      await leaving.waitFor({ state: "detached" })
      const elsewhere = (name: string) =>
        server.call("PUT", `/workflows/${id}/graph`, { steps: [{ key: "other", type: "EXIT", name }], transitions: [] })
      assert.strictEqual((await elsewhere("Bye from there")).status, 200)
      await page.getByRole("button", { name: "Save", exact: true }).click()
      const dialog = page.getByRole("dialog", { name: "This workflow was changed meanwhile" })
      await dialog.locator("ins", { hasText: "Bye from here" }).first().waitFor()
      await dialog.locator("del", { hasText: "Bye from there" }).first().waitFor()
      await dialog.getByRole("button", { name: "Keep mine" }).click()
      await page.getByText("Everything is saved").waitFor()
      assert.deepStrictEqual(
        (await read(id)).steps.map(({ name }) => name),
        ["Trigger", "Bye from here"]
      )
      await rename("Bye again")
      assert.strictEqual((await elsewhere("Bye for good")).status, 200)
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await dialog.getByRole("button", { name: "Take theirs" }).click()
      await page.locator("[data-step]", { hasText: "Bye for good" }).waitFor()
      await rename("Bye to nothing")
      await page.getByRole("link", { name: "Overview" }).first().click()
      await leaving.getByRole("button", { name: "Leave" }).click()
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
      assert.strictEqual((await read(id)).steps[1]?.name, "Bye for good")
      faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("409")))
    })
  })

  it("shows the figures of one version, and of the last days", async () => {
    const id = await draw("Figures", {
      triggerType: "EVENT",
      triggerConfig: { eventName: "figures_begin" },
      steps: [
        { key: "start", type: "TRIGGER" },
        { key: "rest", type: "DELAY", name: "Rest", config: { amount: 3, unit: "days" } }
      ],
      transitions: [{ from: "start", to: "rest" }]
    })
    await server.call("PATCH", `/workflows/${id}`, { versioning: "PUBLISHED", enabled: true })
    await track("one@example.com", "figures_begin")
    await executionOf(id)
    const [, rest] = (await read(id)).steps
    await server.call("PATCH", `/workflows/${id}/steps/${rest?.id}`, { name: "Rest more" })
    assert.strictEqual((await server.call("POST", `/workflows/${id}/publish`, {})).status, 200)
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/workflows/${id}?view=list`)
      const entered = page.getByText("1 entered, 1 there now")
      await entered.waitFor()
      const version = page.getByLabel("Figures of")
      await version.waitFor()
      assert.deepStrictEqual(await version.getByRole("option").allInnerTexts(), [
        "All versions",
        "Version 2",
        "Version 1"
      ])
      await version.selectOption("2")
      await entered.waitFor({ state: "detached" })
      await assertFlawless(page, "workflow-figures")
      await version.selectOption("1")
      await entered.waitFor()
      await page.getByLabel("Time", { exact: true }).selectOption("7")
      await entered.waitFor()
      assert.include(page.url(), "days=7")
      await page.reload()
      await entered.waitFor()
    })
  })

  it("cancels an execution after a confirmation, and disables with Undo", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await track("mia@example.com", "opened_account")
      await go(`/workflows/${workflowId}?tab=executions`)
      await page.getByRole("link", { name: "mia@example.com" }).click()
      await page.getByRole("button", { name: "Cancel execution" }).click()
      await page.getByRole("alertdialog").getByRole("button", { name: "Cancel execution" }).click()
      await page.getByRole("region", { name: "mia@example.com" }).getByText("Cancelled", { exact: true }).waitFor()
      await page.getByRole("button", { name: "Disable" }).click()
      await page.getByRole("button", { name: "Undo", exact: true }).click()
      await page.getByRole("status").getByText("is enabled.").waitFor()
      assert.isTrue((await read(workflowId)).enabled)
    })
  })
})
