/** The pages about campaigns, in a browser against a development server. */
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, tabTo, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"
import { csvOf } from "./csv.ts"
import { everyHour } from "./hours.ts"

const contacts = 20

interface Campaign {
  readonly id: string
  readonly name: string
  readonly subject: string
  readonly status: string
  readonly audienceType: string
  readonly audienceCondition: object | null
}

const hostile = '<img src=x onerror="document.title=1"> \u202etxt'

describe.skipIf(browserProgram === undefined)("campaigns in the console", () => {
  let server: DevServer
  let browser: Browser
  let draftId: string
  let sentId: string

  const read = async (id: string) => {
    const { body } = await server.call<{ data: Campaign }>("GET", `/campaigns/${id}`)
    return body.data
  }
  const create = async (campaign: object) => {
    const { body } = await server.call<{ data: Campaign }>("POST", "/campaigns", {
      from: `news@${server.domain}`,
      audienceType: "ALL",
      ...campaign
    })
    return body.data.id
  }
  const statusIs = async (id: string, status: string) => {
    while ((await read(id)).status !== status) await new Promise((done) => setTimeout(done, 100))
  }
  const idIn = (page: Page) => /campaigns\/([^/?]+)/.exec(page.url())?.[1] ?? ""

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    for (let n = 1; n <= contacts; n++) {
      await server.call("POST", "/contacts", {
        email: `reader${n}@example.com`,
        data: { plan: n <= 5 ? "pro" : "free" }
      })
    }
    await server.call("POST", "/contacts", { email: "left@example.com", subscribed: false })
    draftId = await create({ name: hostile, subject: hostile, body: "<p>Draft</p>" })
    sentId = await create({
      name: "Sent before",
      subject: "Sent before",
      body: '<p>Hello <script>parent.document.title = "taken"</script><a href="https://example.com/a">here</a></p>'
    })
    await server.call("POST", `/campaigns/${sentId}/send`)
    await statusIs(sentId, "SENT")
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)("every page is accessible and fits: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page, go }) => {
      await go("/campaigns")
      await page.getByText("Sent before").waitFor()
      await assertFlawless(page, `campaigns-${look}`)
      await go("/campaigns?q=none-has-this-name")
      await page.getByText("Nothing matches").waitFor()
      await go(`/campaigns/${draftId}`)
      await page.frameLocator("iframe").getByText("Draft").waitFor()
      await assertFlawless(page, `campaign-draft-${look}`)
      await go(`/campaigns/${draftId}/edit`)
      await page.getByText("20 contacts will get the mail.").first().waitFor()
      await page.getByText("1 is left out: not subscribed.").waitFor()
      await page.locator(".cm-content").waitFor()
      await assertFlawless(page, `campaign-edit-${look}`)
      await page.getByRole("button", { name: "Check and send" }).click()
      await page.getByRole("alertdialog").waitFor()
      await assertFlawless(page, `campaign-send-${look}`)
      await go(`/campaigns/${sentId}`)
      await page.getByRole("grid", { name: "Recipients" }).getByText("reader1@example.com").waitFor()
      await page.getByText("https://example.com/a").waitFor()
      await assertFlawless(page, `campaign-report-${look}`)
    })
  })

  it("makes a campaign, sends it to all subscribed contacts, and shows that all of it arrived", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/campaigns")
      await page.getByRole("button", { name: "New campaign" }).click()
      await page.getByRole("dialog").getByLabel("Name").fill("Autumn news")
      await page.getByRole("button", { name: "Create" }).click()
      await page.getByRole("heading", { level: 1, name: "Autumn news" }).waitFor()
      const id = idIn(page)
      await page.getByLabel("Subject", { exact: true }).fill("News of autumn")
      await page.getByText("Saved", { exact: true }).waitFor()
      await page.getByText("Changed, not saved yet").waitFor({ state: "detached" })
      await page.getByText(`${server.domain} is verified.`).waitFor()
      await page.getByRole("button", { name: "Check and send" }).click()
      await page.getByRole("alertdialog").getByText("20 contacts will get the mail.").waitFor()
      await page.getByRole("alertdialog").getByRole("button", { name: "Send", exact: true }).click()
      const bar = page.getByRole("progressbar", { name: "Progress" })
      await bar.waitFor()
      assert.strictEqual(await bar.getAttribute("aria-valuenow"), "0")
      assert.strictEqual((await read(id)).status, "DRAFT")
      await page.locator('[role="progressbar"][aria-valuenow="100"]').waitFor({ timeout: 25_000 })
      await page.getByText("20 of 20").waitFor()
      await statusIs(id, "SENT")
      const { body } = await server.call<{ readonly total: number }>(
        "GET",
        "/dev/mailbox.json?search=News%20of%20autumn&content=false"
      )
      assert.strictEqual(body.total, contacts)
      await page.getByRole("grid", { name: "Recipients" }).getByText("reader20@example.com").waitFor()
      assert.strictEqual(await page.getByText("left@example.com").count(), 0)
    })
  })

  it("takes sending back, keeps an incomplete text in the browser, and shows what somebody else wrote", async () => {
    const id = await create({ name: "Taken back", subject: "Taken back", body: "<p>x</p>" })
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go(`/campaigns/${id}/edit`)
      await page.getByText("20 contacts will get the mail.").first().waitFor()
      await page.getByRole("button", { name: "Check and send" }).click()
      await page.getByRole("alertdialog").getByRole("button", { name: "Send", exact: true }).click()
      await page.getByText("20 mails will be sent.").waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("Nothing was sent.").waitFor()

      const subject = page.getByLabel("Subject", { exact: true })
      await subject.fill("")
      await page.getByText("Not saved: Subject is missing.").waitFor()
      await page.getByLabel("Sender's name").fill("Acme")
      await page.reload()
      await page.getByText("Not saved: Subject is missing.").waitFor()
      assert.strictEqual(await page.getByLabel("Sender's name").inputValue(), "Acme")
      assert.strictEqual((await read(id)).subject, "Taken back")

      await server.call("PUT", `/campaigns/${id}`, {
        name: "Taken back",
        subject: "Theirs",
        body: "<p>x</p>",
        from: `news@${server.domain}`,
        audienceType: "ALL"
      })
      await subject.fill("Mine")
      await page.getByText("Somebody else changed this campaign meanwhile.").waitFor()
      const dialog = page.getByRole("alertdialog", { name: "Somebody else changed this campaign meanwhile." })
      await dialog.locator("pre del", { hasText: "Theirs" }).waitFor()
      await dialog.locator("pre ins", { hasText: "Mine" }).waitFor()
      await assertFlawless(page, "campaign-conflict")
      await dialog.getByRole("button", { name: "Keep mine" }).click()
      await page.getByText("Saved", { exact: true }).waitFor()
      const stored = await read(id)
      assert.deepStrictEqual([stored.subject, stored.status], ["Mine", "DRAFT"])
      assert.isTrue(faults.every((fault) => fault.includes("409")))
      faults.length = 0
    })
  })

  it.each(["HTML", "MJML"])("nothing moves while the parts of the editor of %s arrive", async (format) => {
    const condition = {
      logic: "AND",
      groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }]
    }
    const mjml = "<mjml><mj-body><mj-section><mj-column><mj-text>x</mj-text></mj-column></mj-section></mj-body></mjml>"
    const id = await create({
      name: "Stays",
      subject: "Stays",
      ...(format === "MJML" ? { format, source: mjml } : { body: "<p>x</p>" }),
      audienceType: "FILTERED",
      audienceCondition: condition
    })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await page.route(/\/assets\/.*\.js/, async (route) => {
        await new Promise((done) => setTimeout(done, 200 + Math.random() * 800))
        await route.continue().catch(() => undefined)
      })
      await page.addInitScript(`window.places = new Set()
        const look = () => {
          const title = [...document.querySelectorAll("h2")].find(({ textContent }) => textContent === "Delivery")
          if (title) places.add(Math.round(title.getBoundingClientRect().y))
          requestAnimationFrame(look)
        }
        look()`)
      await go(`/campaigns/${id}/edit`)
      await page.getByText("5 contacts will get the mail.").first().waitFor()
      await page.getByRole("heading", { name: "Experiment" }).waitFor()
      await page.getByRole("heading", { name: "Delivery" }).waitFor()
      await page.locator('main [class*="_bar"]').first().waitFor({ state: "detached" })
      const places = await page.evaluate<ReadonlyArray<number>>("[...places]")
      assert.isBelow(Math.max(...places) - Math.min(...places), 8, places.join())
    })
  })

  it("counts a condition, schedules, goes back, and deletes with Undo", async () => {
    const id = await create({ name: "For a few", subject: "For a few", body: "<p>x</p>" })
    await server.call("PUT", `/campaigns/${id}`, {
      name: "For a few",
      subject: "For a few",
      body: "<p>x</p>",
      from: `news@${server.domain}`,
      audienceType: "FILTERED",
      audienceCondition: {
        logic: "AND",
        groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }]
      }
    })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/campaigns/${id}/edit`)
      await page.getByText("5 contacts will get the mail.").first().waitFor()
      await page.getByText("At a time", { exact: true }).click()
      await page.getByLabel("Time", { exact: true }).waitFor()
      await page.getByRole("button", { name: "Check and send" }).click()
      await page
        .getByRole("alertdialog")
        .getByText(/^Mail starts to leave (?!8 seconds)/)
        .waitFor()
      await page.getByRole("alertdialog").getByRole("button", { name: "Send", exact: true }).click()
      await page.getByText("The campaign will be scheduled.").waitFor()
      await page.getByText("Scheduled for").waitFor({ timeout: 20_000 })
      assert.strictEqual((await read(id)).status, "SCHEDULED")
      await page.getByRole("button", { name: "Edit" }).waitFor()
      await page.getByRole("button", { name: "More actions" }).click()
      await page.getByRole("menuitem", { name: "Delete" }).click()
      await page.getByText("For a few is deleted.").waitFor()
      assert.strictEqual(await page.getByRole("row", { name: /For a few/ }).count(), 0)
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByRole("row", { name: /For a few/ }).waitFor()
      assert.strictEqual((await read(id)).status, "SCHEDULED")
    })
  })

  it("plans how the mails leave, and sends a draft again and again", async () => {
    const id = await create({ name: "Planned", subject: "Planned", body: "<p>x</p>" })
    const stored = async () => {
      const { body } = await server.call<{
        data: { readonly delivery: object | null; readonly priority: number; readonly recurrence: object | null }
      }>("GET", `/campaigns/${id}`)
      return body.data
    }
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go(`/campaigns/${id}/edit`)
      await page.getByText("20 contacts will get the mail.").first().waitFor()
      const choose = (label: string, option: string) => page.getByLabel(label).selectOption({ label: option })
      const saved = async () => {
        await page.getByText("Changed, not saved yet").waitFor()
        await page.getByText("Saved", { exact: true }).waitFor()
      }
      await choose("How the mails leave", "Spread over hours")
      await page.getByLabel("Hours", { exact: true }).fill("200")
      await page.getByText("Not saved. The text is kept in this browser.").waitFor()
      await page.getByText(/at most 168/i).waitFor()
      assert.isTrue(faults.every((fault) => fault.includes("422")))
      faults.length = 0
      await page.getByLabel("Hours", { exact: true }).fill("8")
      await page.getByLabel("Mails a minute").fill("600")
      await page.getByLabel("Expires").fill("2099-12-25T00:00")
      await choose("Priority", "5, the most")
      await page.getByText("Saved", { exact: true }).waitFor()
      const expiresAt = await page.evaluate(() => new Date("2099-12-25T00:00").toISOString())
      const planned = { localTime: null, spreadHours: 8, ratePerMinute: 600, expiresAt }
      await vi.waitFor(async () => assert.deepInclude(await stored(), { delivery: planned, priority: 5 }), 10_000)
      await assertFlawless(page, "campaign-delivery")
      await page.getByLabel("Expires").fill("")
      await choose("How the mails leave", "At local time; where it has passed, the next day")
      await saved()
      await page.getByRole("button", { name: "Check and send" }).click()
      await page.getByRole("alertdialog").getByText("Choose a time").waitFor()
      await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click()
      const local = { localTime: { passed: "NEXT_DAY" }, spreadHours: null, ratePerMinute: 600, expiresAt: null }
      assert.deepInclude(await stored(), { delivery: local, priority: 5 })

      await go(`/campaigns/${id}`)
      await page.getByText("At most 600 mails a minute").waitFor()
      await page.getByRole("button", { name: "Send again and again" }).click()
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Schedule", { exact: true }).fill("*/5 * * * *")
      await dialog.getByRole("button", { name: "Save" }).click()
      await dialog.getByText("at least 60 minutes apart").waitFor()
      faults.length = 0
      await dialog.getByLabel("Schedule", { exact: true }).fill("0 9 * * MON")
      await dialog.getByLabel("Time zone").fill("Europe/Berlin")
      await assertFlawless(page, "campaign-recurrence")
      await dialog.getByRole("button", { name: "Save" }).click()
      await page.getByText("The draft is sent by its schedule.").waitFor()
      await page.getByText("0 9 * * MON", { exact: true }).waitFor()
      assert.deepInclude((await stored()).recurrence ?? {}, { timezone: "Europe/Berlin", enabled: true, runs: 0 })
      await page.getByRole("button", { name: "End", exact: true }).click()
      await page.getByRole("alertdialog").getByRole("button", { name: "End", exact: true }).click()
      await page.getByText("The recurrence has ended.").waitFor()
      assert.isNull((await stored()).recurrence)
    })
  })

  it("shows scheduled campaigns in a calendar, of the month that its link names", async () => {
    const id = await create({ name: "In March", subject: "In March", body: "<p>x</p>" })
    const year = new Date().getUTCFullYear() + 1
    const { status } = await server.call("POST", `/campaigns/${id}/send`, {
      scheduledFor: `${year}-03-14T09:30:00.000Z`
    })
    assert.strictEqual(status, 200)
    for (const look of ["desk-light", "phone-light"] as const) {
      await visit(browser, server, looks[look], async ({ page, go }) => {
        await go(`/campaigns?view=calendar&month=${year}-03`)
        const day = page.locator("td", { has: page.locator(`time[datetime="${year}-03-14"]`) })
        await day.getByRole("link", { name: /9:30\sAM In March/ }).waitFor()
        await page.getByText(`1 campaign is scheduled in March ${year}.`).waitFor()
        await assertFlawless(page, `campaigns-calendar-${look}`)
        await page.getByRole("button", { name: "Month after" }).click()
        await page.getByText(`0 campaigns are scheduled in April ${year}.`).waitFor()
        await page.goBack()
        await go(`/campaigns?view=calendar&month=${year}-03`)
        await day.getByRole("link").click()
        await page.getByRole("heading", { level: 1, name: "In March" }).waitFor()
      })
    }
  })

  it("writes a preheader into MJML, and says when the last mail leaves", async () => {
    const source =
      "<mjml><mj-body><mj-section><mj-column><mj-text>x</mj-text></mj-column></mj-section></mj-body></mjml>"
    const id = await create({ name: "With preheader", subject: "With preheader", format: "MJML", source })
    await visit(browser, server, looks["desk-light"], async ({ page, context, go, faults }) => {
      const setRate = async (sendRatePerSecond: number | null) => {
        const answer = await context.request.patch(`${server.url}/users/@me/projects/${server.projectId}`, {
          data: { sendRatePerSecond },
          headers: { origin: server.url }
        })
        assert.strictEqual(answer.status(), 200, await answer.text())
      }
      await setRate(1)
      await go(`/campaigns/${id}/edit`)
      await page.getByText(/Ends about .*, at the rate of the project: 1 mails? a second\./).waitFor()
      await page.getByRole("textbox", { name: "Preheader" }).fill("First & last")
      await page.getByText("Saved", { exact: true }).waitFor()
      await page.getByText("Changed, not saved yet").waitFor({ state: "detached" })
      await setRate(null)
      // MJML without a font of its own names one on another host, in the frame of the preview.
      faults.splice(0, faults.length, ...faults.filter((fault) => !/fonts\.googleapis|ERR_NAME_NOT/.test(fault)))
    })
    const stored = await server.call<{ data: { source: string; body: string } }>("GET", `/campaigns/${id}`)
    const { source: written, body } = stored.body.data
    assert.include(written, "<mj-preview>First &amp; last</mj-preview>")
    assert.include(body, "First &amp; last")
  })

  it("sends a test, writes a new name and opens the check by the keyboard only", async () => {
    const id = await create({ name: "By keys", subject: "By keys", body: "<p>x</p>" })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/mails")
      await page.keyboard.press("g")
      await page.keyboard.press("c")
      await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor()
      await go(`/campaigns/${id}`)
      await tabTo(page, "Edit")
      await page.keyboard.press("Enter")
      await page.getByText("20 contacts will get the mail.").first().waitFor()
      await tabTo(page, "Send test")
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").locator("input:focus").waitFor()
      await page.keyboard.press("Control+a")
      await page.keyboard.type("reader1@example.com")
      await page.keyboard.press("Enter")
      await page.getByText("Sent to reader1@example.com.").waitFor()
      await tabTo(page, "Check and send")
      await page.keyboard.press("Enter")
      await page.getByRole("alertdialog").waitFor()
      await page.keyboard.press("Escape")
      await page.getByRole("alertdialog").waitFor({ state: "detached" })
    })
  })

  it("asks for an approval, gives it, and follows up a campaign", async () => {
    await server.call("PATCH", "/settings/sending", { campaignApproval: "ALL" })
    const id = await create({ name: "To approve", subject: "To approve", body: "<p>x</p>" })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/campaigns/${id}/edit`)
      await page.getByRole("textbox", { name: "Preheader" }).fill("Look inside")
      await page.getByText("Saved", { exact: true }).waitFor()
      await page.getByText("Changed, not saved yet").waitFor({ state: "detached" })
      await go(`/campaigns/${id}`)
      await page.getByRole("button", { name: "Ask for approval" }).click()
      await page.getByText("Asked for", { exact: true }).waitFor()
      await assertFlawless(page, "campaign-approval")
      await page.getByRole("button", { name: "Approve" }).click()
      await page.getByText("Approved", { exact: true }).waitFor()
      await go(`/campaigns/${sentId}`)
      await page.getByRole("button", { name: "Follow up" }).click()
      await page.getByRole("dialog").getByLabel("Subject").fill("Once more")
      await page.getByRole("dialog").getByRole("button", { name: "Create" }).click()
      await page.getByRole("heading", { level: 1, name: "Sent before (Follow-up)" }).waitFor()
      const { body } = await server.call<{ data: object }>("GET", `/campaigns/${idIn(page)}`)
      assert.deepInclude(body.data, { subject: "Once more", recipientsOf: { campaignId: sentId, who: "NOT_OPENED" } })
    })
    const { body } = await server.call<{ data: object }>("GET", `/campaigns/${id}`)
    assert.deepInclude(body.data, { preheader: "Look inside" })
    await server.call("PATCH", "/settings/sending", { campaignApproval: "OFF" })
  })

  it("leads from a link of the report to the contacts that clicked it", async () => {
    const id = await create({
      name: "With links",
      subject: "With links",
      body: '<p><a href="https://example.com/b?x=1&amp;y=2">one</a> <a href="https://example.com/c">two</a></p>'
    })
    await server.call("POST", `/campaigns/${id}/send`)
    await statusIs(id, "SENT")
    const { body } = await server.call<{ data: ReadonlyArray<{ html: string }> }>(
      "GET",
      "/dev/mailbox.json?search=reader3@example.com"
    )
    const html = body.data.find((mail) => mail.html.includes("one</a>"))?.html ?? ""
    const [, link = ""] = /href="([^"]+)"[^>]*>one</.exec(html) ?? []
    assert.include(link, "/t/c/")
    await fetch(link.replaceAll("&amp;", "&"), { redirect: "manual" })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      const who = page.getByRole("link", { name: "1 clicked https://example.com/b?x=1&y=2" })
      await vi.waitFor(
        async () => {
          await go(`/campaigns/${id}`)
          await who.waitFor({ timeout: 2_000 })
        },
        { timeout: 20_000 }
      )
      await assertFlawless(page, "campaign-who-clicked")
      await who.click()
      await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor()
      await vi.waitFor(
        async () => {
          await page.reload()
          await page.getByRole("link", { name: "reader3@example.com" }).waitFor({ timeout: 2_000 })
        },
        { timeout: 20_000 }
      )
      assert.strictEqual(await page.getByRole("grid").getAttribute("aria-rowcount"), "2")
      await page.getByText("a mail was clicked (with data of which campaignId is").waitFor()
    })
  })

  it("shows text from outside as text, and writes formulas in a CSV as text", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/campaigns/${draftId}`)
      await page.frameLocator("iframe").getByText("Draft").waitFor()
      const heading = (await page.getByRole("heading", { level: 1 }).textContent()) ?? ""
      assert.match(heading, /<img src=x onerror/)
      assert.match(heading, /U\+202E/)
      assert.notMatch(await page.title(), /^(?:1|taken)$/)
    })
    assert.strictEqual(csvOf([["=1+1", 'a "b"', 3]]), '\'=1+1,"a ""b""",3\r\n')
  })

  it("shows every hour of a report, also those in which nothing happened", () => {
    const row = (key: string, sent: number) => ({
      ...{ key, sent, delivered: 0, humanOpened: 0, humanClicked: 0, bounced: 0, complained: 0, unsubscribed: 0 },
      ...{ deferred: 0, converted: 0, revenue: [] }
    })
    assert.isEmpty(everyHour([]))
    const hours = everyHour([row("2026-03-28T23:00:00.000Z", 5), row("2026-03-29T02:00:00.000Z", 7)])
    assert.deepStrictEqual(
      hours.map(({ key, sent }) => `${key.slice(8, 13)} ${sent}`),
      ["28T23 5", "29T00 0", "29T01 0", "29T02 7"]
    )
  })
})
