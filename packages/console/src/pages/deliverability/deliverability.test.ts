/** Domains, providers, suppressions and events, in a browser against a development server. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"

describe.skipIf(browserProgram === undefined)("deliverability and events in the console", () => {
  let server: DevServer
  let browser: Browser
  let domainId: string

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    const { body } = await server.call<{ id: string }>("POST", "/domains", { domain: "news.example.com" })
    domainId = body.id
    await server.call("POST", "/suppressions", { email: "gone@example.com", note: "<i>asked</i>" })
    await server.call("POST", "/events/track", { email: "ada@example.com", event: "order.paid", data: { total: 5 } })
    await server.call("POST", "/v1/send", {
      to: "ada@gmail.com",
      from: `hi@${server.domain}`,
      subject: "Hi",
      body: "<p>Hi</p>"
    })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)("every page is accessible and fits: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page, go }) => {
      for (const [path, text, name] of [
        ["/domains", "news.example.com", "domains"],
        [`/domains/${domainId}`, "Not there yet", "domain"],
        ["/deliverability", "GMAIL", "providers"],
        ["/suppressions", "<i>asked</i>", "suppressions"],
        ["/events", "order.paid", "events"],
        ["/events/order.paid", '{"total":5}', "event"]
      ] as const) {
        await go(path)
        await page.getByText(text).first().waitFor()
        await assertFlawless(page, `${name}-${look}`)
      }
    })
  })

  it("adds a domain, shows its records, and removes it after its name is typed", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/domains")
      await page.getByRole("button", { name: "Add domain" }).click()
      await page.getByLabel("Domain", { exact: true }).fill("shop.example.com")
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await page.getByRole("heading", { name: "shop.example.com", exact: true }).waitFor()
      await page.getByRole("button", { name: "Check now" }).click()
      await page.getByRole("button", { name: "Remove domain" }).click()
      const dialog = page.getByRole("alertdialog")
      await dialog.getByRole("button", { name: "Remove domain" }).click()
      await dialog.getByText("This is not shop.example.com.").waitFor()
      await dialog.getByRole("textbox").fill("shop.example.com")
      await dialog.getByRole("button", { name: "Remove domain" }).click()
      await page.getByText("The domain is removed.").waitFor()
    })
  })

  it("shows what a domain lacks with the record to copy, and who sends with it", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/domains/${domainId}`)
      const health = page.getByRole("region", { name: "Requirements of mailbox providers" })
      await health.getByText("One-click unsubscribe", { exact: true }).waitFor()
      await health.getByRole("button", { name: "Ask DNS now" }).click()
      await page
        .getByRole("region", { name: "Who sends with this domain" })
        .getByText(/There are no reports yet/)
        .waitFor()
    })
  })

  it("warms a domain up, shows the curve, pauses and ends it", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go(`/domains/${domainId}`)
      await page.getByRole("button", { name: "Warm up this domain" }).click()
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Plan", { exact: true }).selectOption("CUSTOM")
      await dialog.getByLabel("Cap of each day").fill("100, 50")
      await dialog.getByRole("button", { name: "Save" }).click()
      await dialog.getByText("Must not be below the cap before it.").waitFor()
      faults.length = 0
      await dialog.getByLabel("Cap of each day").fill("100, 500")
      await dialog.getByRole("button", { name: "Save" }).click()
      await page.getByText("The domain is warmed up.").waitFor()
      const card = page.getByRole("region", { name: "Warm-up" })
      await card.getByText("0 of 100").waitFor()
      await assertFlawless(page, "domain-warmup")
      // The curve goes on with the caps that are still to come.
      const curveOf = async () => {
        await card.getByRole("button", { name: "Show as table" }).click()
        const table = card.getByRole("region", { name: "Cap, Sent" })
        await table.waitFor()
        const rows = await table.getByRole("row").allInnerTexts()
        await card.getByRole("button", { name: "Show as chart" }).click()
        return rows.slice(1).map((row) => row.split("\t").slice(1).join(" ").trim())
      }
      assert.deepStrictEqual(await curveOf(), ["100 0", "500"])
      for (const [preset, steps, last] of [
        ["STANDARD", 17, "140,000"],
        ["FAST", 13, "220,000"]
      ] as const) {
        const set = await server.call<{ step: number; startsOn: string; completesOn: string }>(
          "PUT",
          `/domains/${domainId}/warmup`,
          { preset }
        )
        const { startsOn, completesOn } = set.body
        assert.strictEqual((Date.parse(completesOn) - Date.parse(startsOn)) / 86_400_000, steps - 1)
        await page.reload()
        await card.getByText("Last step").waitFor()
        const rows = await curveOf()
        assert.deepStrictEqual([rows.length, rows.at(-1)], [steps, last])
      }
      await server.call("PUT", `/domains/${domainId}/warmup`, { preset: "CUSTOM", caps: [100, 500] })
      await page.reload()
      await card.getByText("0 of 100").waitFor()
      await card.getByRole("button", { name: "Pause warm-up" }).click()
      await card.getByText(/until you resume/).waitFor()
      await card.getByRole("button", { name: "Resume warm-up" }).click()
      await card.getByRole("button", { name: "Pause warm-up" }).waitFor()
      const { body } = await server.call<ReadonlyArray<{ caps: unknown; status: string }>>(
        "GET",
        `/domains/${domainId}/warmups`
      )
      assert.deepStrictEqual(
        body.map(({ caps, status }) => [caps, status]),
        [[[100, 500], "ACTIVE"]]
      )
      await card.getByRole("button", { name: "End warm-up" }).click()
      await page.getByRole("alertdialog").getByRole("button", { name: "End warm-up" }).click()
      await page.getByRole("button", { name: "Warm up this domain" }).waitFor()
    })
  })

  it("suppresses addresses, exports them, and lifts one", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/suppressions")
      await page.getByRole("button", { name: "Add addresses" }).click()
      await page.getByRole("textbox", { name: "Addresses" }).fill("one@example.com\ntwo@example.com")
      await page.getByRole("dialog").getByRole("button", { name: "Add addresses" }).click()
      await page.getByText("2 addresses are suppressed.").waitFor()
      const saved = page.waitForEvent("download")
      await page.getByRole("button", { name: "Export" }).click()
      assert.strictEqual((await saved).suggestedFilename(), "suppressions.csv")
      await page
        .getByRole("row", { name: /\bone@example\.com/ })
        .getByRole("button", { name: "Lift" })
        .click()
      await page.getByRole("alertdialog").getByRole("button", { name: "Lift" }).click()
      await page.getByText("one@example.com gets mail again.").waitFor()
      assert.strictEqual((await server.call("GET", "/suppressions/one@example.com")).status, 404)
    })
  })
})
