/**
 * Every page in each of its states: filled, empty, loading, failed, without permission, and of a disabled project.
 * With `PICTURES=some`, each visit leaves pictures in `packages/console/screenshots`; `PICTURES=all` takes all six looks.
 */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page, Route } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import {
  browserProgram,
  keepFailure,
  keepPicture,
  launch,
  overflow,
  type Visit,
  violations,
  visit
} from "./testing/Browser.ts"
import { type DevServer, startDevServer } from "./testing/DevServer.ts"

interface Ids {
  readonly contact: string
  readonly mail: string
  readonly segment: string
  readonly topic: string
  readonly form: string
  readonly template: string
  readonly piece: string
  readonly campaign: string
  readonly workflow: string
  readonly domain: string
  readonly webhook: string
}

interface Place {
  /** As the router has it. */
  readonly route: string
  readonly at?: (ids: Ids) => string
  /** A text of the page with its data. */
  readonly filled: string | RegExp
  /** A text of the page in a new project. Records have no such page. */
  readonly empty?: string | RegExp
  /** The role that marked actions of the page need. */
  readonly needs?: "ADMIN" | "OWNER"
  /** Nothing is read before the page is shown. */
  readonly isStill?: true
  /** A disabled project marks no action of the page. */
  readonly isReadOnly?: true
}

const places: ReadonlyArray<Place> = [
  { route: "/", filled: "Mail delivered", empty: "Verify a domain", isReadOnly: true },
  { route: "/activity", filled: "ada@example.com", empty: /^Everything that happens/, isReadOnly: true },
  { route: "/mails", filled: "ada@example.com", empty: /^Every mail that this project sends/ },
  { route: "/mails/scheduled", filled: "eva@example.com", empty: "Mail that waits for its time", isReadOnly: true },
  { route: "/mails/$mailId", at: ({ mail }) => `/mails/${mail}`, filled: "Accepted", isReadOnly: true },
  { route: "/mailbox", filled: "ada@example.com", isReadOnly: true },
  { route: "/segments", filled: "Pros", empty: /^A segment is a part of your contacts/ },
  { route: "/segments/new", filled: "contacts match", empty: "No contact matches now.", isReadOnly: true },
  { route: "/segments/$segmentId", at: ({ segment }) => `/segments/${segment}`, filled: "contact matches" },
  { route: "/topics", filled: "Product news", empty: /^A topic is a kind of mail/ },
  { route: "/topics/$topicId", at: ({ topic }) => `/topics/${topic}`, filled: "Other languages" },
  { route: "/forms", filled: "Newsletter sign-up", empty: /^A form lets people sign up/ },
  { route: "/forms/$formId", at: ({ form }) => `/forms/${form}`, filled: "Use it on a page" },
  {
    route: "/privacy-requests",
    filled: "ada@example.com",
    empty: /^Recipients ask on their preference page/,
    isReadOnly: true
  },
  { route: "/workflows", filled: "After sign-up", empty: /^A workflow sends mails to a contact/ },
  { route: "/workflows/$workflowId", at: ({ workflow }) => `/workflows/${workflow}`, filled: "Everything is saved" },
  { route: "/campaigns", filled: "Autumn news", empty: "A campaign is one mail to many contacts." },
  { route: "/campaigns/$campaignId", at: ({ campaign }) => `/campaigns/${campaign}`, filled: "Draft" },
  {
    route: "/campaigns/$campaignId/edit",
    at: ({ campaign }) => `/campaigns/${campaign}/edit`,
    filled: /contacts? will get the mail/
  },
  { route: "/contacts", filled: "ada@example.com", empty: /^People whom this project writes to/, needs: "ADMIN" },
  { route: "/contacts/import", filled: "CSV or TSV file", empty: "CSV or TSV file", isReadOnly: true },
  { route: "/contacts/fields", filled: "data.plan", empty: "createdAt", isReadOnly: true },
  {
    route: "/contacts/$contactId",
    at: ({ contact }) => `/contacts/${contact}`,
    filled: "order.paid",
    needs: "ADMIN"
  },
  { route: "/templates", filled: "Welcome", empty: /^A template is a mail that is written once/ },
  { route: "/templates/pieces", filled: "footer", empty: /piece/i },
  { route: "/templates/pieces/$pieceId", at: ({ piece }) => `/templates/pieces/${piece}`, filled: "Versions" },
  { route: "/templates/$templateId", at: ({ template }) => `/templates/${template}`, filled: "Blocks" },
  { route: "/events", filled: "order.paid", empty: /^Your application tracks what people do/, isReadOnly: true },
  { route: "/events/$eventName", at: () => "/events/order.paid", filled: '{"total":5}', isReadOnly: true },
  { route: "/domains", filled: "news.example.com", empty: /^Mail leaves only from a domain/, needs: "ADMIN" },
  { route: "/domains/$domainId", at: ({ domain }) => `/domains/${domain}`, filled: "Not there yet", needs: "ADMIN" },
  { route: "/deliverability", filled: "Others", empty: "No mail was sent in this range.", isReadOnly: true },
  { route: "/suppressions", filled: "gone@example.com", empty: /^Addresses here get no mail/, needs: "ADMIN" },
  { route: "/keys", filled: "Shop", empty: /^An API key opens what its scopes name/, needs: "ADMIN" },
  { route: "/webhooks", filled: "http://127.0.0.1:9/hook", empty: /^A webhook posts events/, needs: "ADMIN" },
  {
    route: "/webhooks/$webhookId",
    at: ({ webhook }) => `/webhooks/${webhook}`,
    filled: /^(?:No event was posted yet|email\.(?:sent|bounce|delivery))/,
    needs: "ADMIN"
  },
  { route: "/transports", filled: /^A transport is an SMTP server/, empty: /^A transport is/, needs: "ADMIN" },
  { route: "/settings", filled: "Complaints of all time", empty: "Complaints of all time", needs: "ADMIN" },
  {
    route: "/settings/audience",
    filled: "Confirmation by mail",
    empty: "Confirmation by mail",
    needs: "ADMIN"
  },
  { route: "/settings/members", filled: "(you)", empty: "(you)", needs: "ADMIN" },
  { route: "/settings/billing", filled: "(no cap)", empty: "(no cap)", needs: "ADMIN" },
  { route: "/settings/audit", filled: "api_key.created", empty: /project/, needs: "ADMIN", isReadOnly: true }
]

/** Pages that belong to no project: the test of the account opens them. */
const outside = ["/p/$projectId", "/sign-in", "/sign-up", "/forgot", "/projects", "/account"]

const pathOf = ({ route, at }: Place, ids: Ids) => at?.(ids) ?? route

const nameOf = ({ route }: Place) => route.replace(/\W+/g, "-").replace(/^-|-$/g, "") || "overview"

const fill = async ({ call, domain }: DevServer): Promise<Ids> => {
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await call<{ readonly id?: string; readonly data?: { readonly id: string } }>("POST", path, body)
    assert.oneOf(answer.status, [200, 201], `${path} ${JSON.stringify(answer.body)}`)
    return answer.body.id ?? answer.body.data?.id ?? ""
  }
  const from = `hi@${domain}`
  const send = async (mail: object) => {
    const { body } = await call<{ data: { emails: ReadonlyArray<{ email: string }> } }>("POST", "/v1/send", {
      from,
      subject: "Your order",
      body: "<p>Hello</p>",
      ...mail
    })
    return body.data?.emails[0]?.email ?? ""
  }
  const contact = await made("/contacts", { email: "ada@example.com", data: { plan: "pro", seats: 5 } })
  await made("/contacts", { email: "bob@example.com", data: { plan: "free" } })
  await call("POST", "/events/track", { email: "ada@example.com", event: "order.paid", data: { total: 5 } })
  const mail = await send({ to: "ada@example.com" })
  await send({ to: "bounced@example.test" })
  await send({ to: "eva@example.com", scheduledFor: new Date(Date.now() + 7 * 86_400_000).toISOString() })
  await call("POST", "/suppressions", { email: "gone@example.com" })
  await call("PATCH", "/settings/audience", { selfService: { erasure: "request" } })
  const { body: links } = await call<{ readonly token: string }>("GET", `/contacts/${contact}/links`)
  await call("POST", `/public/preferences/${links.token}/requests`, { type: "ERASURE" })
  await made("/api-keys", { name: "Shop", scopes: ["send"] })
  const name = "A topic with a name that nobody shortened for the width of a phone"
  await made("/topics", { name, defaultSubscription: "subscribed" })
  return {
    contact,
    mail,
    segment: await made("/segments", {
      name: "Pros",
      condition: { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] }
    }),
    topic: await made("/topics", {
      name: "Product news",
      defaultSubscription: "unsubscribed",
      translations: { de: { name: "Neuigkeiten" } }
    }),
    form: await made("/forms", {
      name: "Newsletter sign-up",
      fields: [{ key: "company", label: "Company" }],
      texts: { consentText: "I want news by mail." }
    }),
    template: await made("/templates", {
      name: "Welcome",
      from,
      subject: "Hello",
      body: "<p>Hello</p>",
      type: "TRANSACTIONAL"
    }),
    piece: await made("/partials", { name: "footer", body: "<p>Acme</p>" }),
    campaign: await made("/campaigns", {
      name: "Autumn news",
      subject: "News",
      body: "<p>Hello</p>",
      from,
      audienceType: "ALL"
    }),
    workflow: await made("/workflows", {
      name: "After sign-up",
      triggerType: "EVENT",
      triggerConfig: { eventName: "signed_up" }
    }),
    domain: await made("/domains", { domain: "news.example.com" }),
    webhook: await made("/webhooks", { url: "http://127.0.0.1:9/hook", events: ["email.*"] })
  }
}

/** What the console asks for before it can show any page. */
const isStart = (path: string) => /^\/(?:config|health|users\/@me|users\/@me\/projects)$/.test(path)
const isApi = (url: URL) => !/^\/(?:console|uploads)(?:\/|$)/.test(url.pathname) && !isStart(url.pathname)

const widths = [360, 768, 1440] as const
const schemes = ["light", "dark"] as const

/** Pictures of the page in its state, and what does not fit. The window is as wide afterwards as before. */
const photograph = async (page: Page, name: string): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  for (const [index, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 900 })
    for (const scheme of schemes) {
      const { PICTURES } = process.env
      if (PICTURES === undefined || (PICTURES !== "all" && schemes[index % 2] !== scheme)) continue
      await page.emulateMedia({ colorScheme: scheme })
      await page.evaluate("scrollTo(0, 0)")
      await keepPicture(page, `${name}-${width}-${scheme}`)
    }
    const over = await overflow(page)
    if (over > 0) faults.push(`${name}: ${over} px too wide for ${width}`)
  }
  await page.emulateMedia({ colorScheme: "light" })
  return faults
}

const bars = (page: Page) => page.locator('main [class*="_bar"]')

const isSettled = async (page: Page, text: string | RegExp) => {
  await page.getByText(text).first().waitFor()
  await bars(page).first().waitFor({ state: "detached" })
}

const layoutShifts = `new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue
    window.shifted = (window.shifted ?? 0) + entry.value
    window.shifts = [...(window.shifts ?? []), ...entry.sources.map(({ node, previousRect, currentRect }) =>
      [(node?.nodeName ?? "?"), String(node?.className ?? "").slice(0, 60), (node?.textContent ?? "").slice(0, 40),
       previousRect.y + "+" + previousRect.height, currentRect.y + "+" + currentRect.height].join(" "))]
  }
}).observe({ type: "layout-shift", buffered: true })`

// Each test opens more than thirty pages: on a slow machine this takes more than the usual time.
describe.skipIf(browserProgram === undefined)("every page in its states", { timeout: 400_000 }, () => {
  let server: DevServer
  let browser: Browser
  let ids: Ids
  let fresh: string
  let member: { readonly email: string; readonly password: string }

  /** A project in which nothing was done. */
  const newProject = async (): Promise<string> => {
    const context = await browser.newContext()
    const headers = { origin: server.url }
    await context.request.post(`${server.url}/auth/login`, { data: { email: server.email, password: server.password } })
    const answer = await context.request.post(`${server.url}/users/@me/projects`, { headers, data: { name: "Fresh" } })
    const { id } = await answer.json()
    await context.close()
    return id
  }

  /** A member of the project, by an invitation that arrives in the mailbox. */
  const invite = async (email: string) => {
    await server.call("POST", `/projects/${server.projectId}/members`, { email })
    const token = await vi.waitFor(
      async () => {
        const { body } = await server.call("GET", `/dev/mailbox.json?search=${email}`)
        const found = /account\/invitation[^\s"\\<]*?([\w-]{30,})/.exec(JSON.stringify(body))?.[1]
        assert.isDefined(found)
        return found
      },
      { timeout: 30_000, interval: 200 }
    )
    const password = "a long password of joan"
    const answer = await fetch(`${server.url}/auth/signup`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: server.url },
      body: JSON.stringify({ email, password, invitationToken: token })
    })
    assert.oneOf(answer.status, [200, 201], await answer.text())
    return { email, password }
  }

  const isDisabled = async () => {
    const { body } = await server.call<{ data: { isDisabled: boolean } }>(
      "GET",
      `/projects/${server.projectId}/security`
    )
    return body.data.isDisabled
  }

  /** Too many bounces: the service disables the project. A second try of the test finds it disabled. */
  const disable = async () => {
    if (await isDisabled()) return
    for (let n = 0; n < 120; n += 20) {
      const sent = await Promise.all(
        Array.from({ length: 20 }, (_, m) =>
          server.call("POST", "/v1/send", {
            to: `bounced+${n + m}@example.test`,
            from: `hi@${server.domain}`,
            subject: "x",
            body: "<p>x</p>"
          })
        )
      )
      assert.strictEqual(sent[0]?.status, 200, JSON.stringify(sent[0]?.body))
    }
    await vi.waitFor(
      async () => {
        await server.call("POST", "/dev/clock", { advance: "1 minute" })
        assert.isTrue(await isDisabled())
      },
      { timeout: 60_000, interval: 500 }
    )
  }

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    ids = await fill(server)
    fresh = await newProject()
    member = await invite("joan@example.com")
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  /** Visits the pages one after the other, and tells all that is wrong. */
  const walk = async (
    as: DevServer,
    list: ReadonlyArray<Place>,
    look: (visit: Visit, place: Place) => Promise<ReadonlyArray<string>>
  ) => {
    await visit(browser, as, { viewport: { width: 1440, height: 900 }, colorScheme: "light" }, async (visited) => {
      visited.page.setDefaultTimeout(10_000)
      await visited.page.addInitScript(layoutShifts)
      const faults: Array<string> = []
      for (const place of list) {
        const found = await look(visited, place).catch(async (error) => {
          await keepFailure(visited.page, nameOf(place))
          return [String(error).split("\n", 3).join(" ")]
        })
        faults.push(...[...found, ...visited.faults.splice(0)].map((fault) => `${place.route}: ${fault}`))
        await visited.page.unrouteAll({ behavior: "ignoreErrors" })
        await visited.page.setViewportSize({ width: 1440, height: 900 })
      }
      assert.deepStrictEqual(faults, [])
    })
  }

  it("the table has every page of the router", () => {
    const files = globSync("pages/*/routes.ts", { cwd: import.meta.dirname })
    const routes = files.flatMap((file) =>
      [...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(/^ {2}path: "([^"]+)"/gm)].map(
        ([, path]) => path
      )
    )
    assert.isAbove(routes.length, 30)
    const known = new Set([...places.map(({ route }) => route), ...outside])
    assert.deepStrictEqual(
      routes.filter((route) => !known.has(route ?? "")),
      []
    )
  })

  it("empty: says what it is for, and has one action", async () => {
    await walk(
      { ...server, projectId: fresh },
      places.filter(({ empty }) => empty !== undefined),
      async ({ page, go }, place) => {
        await go(place.route)
        await isSettled(page, place.empty ?? "")
        return [...(await violations(page)), ...(await photograph(page, `state-empty-${nameOf(place)}`))]
      }
    )
  })

  it("loading: bars of the final size; filled: nothing has moved, and all of it fits", async () => {
    await walk(server, places, async ({ page, go }, place) => {
      let release = () => {}
      const held = new Promise<void>((done) => {
        release = done
      })
      await page.route(isApi, async (route: Route) => {
        await held
        await route.continue().catch(() => undefined)
      })
      await go(pathOf(place, ids))
      if (!place.isStill) await bars(page).first().waitFor()
      await page.waitForTimeout(200)
      const seen = await violations(page, false)
      await keepPicture(page, `state-loading-${nameOf(place)}-1440-light`)
      await page.evaluate("window.shifted = 0; window.shifts = []")
      release()
      await isSettled(page, place.filled)
      await page.waitForTimeout(200)
      const shifted = Number(await page.evaluate("window.shifted"))
      const shifts = await page.evaluate("window.shifts")
      return [
        ...seen,
        ...(shifted > 0.02 ? [`shifted by ${shifted.toFixed(3)}: ${JSON.stringify(shifts)}`] : []),
        ...(await photograph(page, `state-filled-${nameOf(place)}`))
      ]
    })
  })

  it("failed: says what and why, and one press tries all of it again", async () => {
    let pressed = 0
    await walk(
      server,
      places.filter(({ isStill }) => !isStill),
      async ({ page, go, faults }, place) => {
        await page.route(isApi, (route) =>
          route.fulfill({
            status: 500,
            contentType: "application/json",
            body: JSON.stringify({
              success: false,
              error: {
                code: "INTERNAL_SERVER_ERROR",
                message: "The service could not answer.",
                statusCode: 500,
                requestId: "019a0000-0000-7000-8000-000000000000",
                suggestion: "Try again later."
              }
            })
          })
        )
        await go(pathOf(place, ids))
        const retry = page.getByRole("alert").getByRole("button", { name: "Try again" })
        await retry.first().waitFor()
        await bars(page)
          .first()
          .waitFor({ state: "detached", timeout: 3_000 })
          .catch(() => {
            faults.push("grey bars stay")
          })
        const seen = [...(await violations(page)), ...(await photograph(page, `state-failed-${nameOf(place)}`))]
        await page.unrouteAll({ behavior: "ignoreErrors" })
        // The live stream may open first, and have everything read again.
        await retry
          .first()
          .click({ timeout: 2_000 })
          .then(
            () => pressed++,
            () => undefined
          )
        await retry.first().waitFor({ state: "detached" })
        await isSettled(page, place.filled)
        faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("status of 500")))
        return seen
      }
    )
    assert.isAbove(pressed, 20)
  })

  it("without permission: the page opens, and marks what the role lacks", async () => {
    await walk({ ...server, ...member }, places, async ({ page, go }, place) => {
      await go(pathOf(place, ids))
      await bars(page).first().waitFor({ state: "detached" })
      const marked = page.getByText(`This needs the role ${place.needs}. Ask ${server.email}`)
      if (place.needs !== undefined) await marked.first().waitFor({ state: "attached" })
      return [...(await violations(page, false)), ...(await photograph(page, `state-member-${nameOf(place)}`))]
    })
  })

  it("of a disabled project: reads work, writes are marked", async () => {
    await disable()
    await walk(server, places, async ({ page, go }, place) => {
      await go(pathOf(place, ids))
      await bars(page).first().waitFor({ state: "detached" })
      await page.getByText("This project is disabled: too many of its mails bounced").first().waitFor()
      const marks = await page.getByText("This project is disabled: it can be read but not changed.").count()
      return [
        ...(marks === 0 && !place.isReadOnly ? ["nothing is marked"] : []),
        ...(await photograph(page, `state-disabled-${nameOf(place)}`))
      ]
    })
  })

  it("knows which writes a disabled project takes", () => {
    const listed = (file: string, name: string) =>
      (new RegExp(`${name}[^[]*\\[([^\\]]*)\\]`).exec(readFileSync(join(import.meta.dirname, file), "utf8"))?.[1] ?? "")
        .split(",")
        .map((each) => each.trim())
        .filter((each) => each !== "")
    const taken = listed("../../contract/src/platform/Roles.ts", "allowedWhileDisabled")
    assert.isNotEmpty(taken)
    assert.sameMembers(listed("app/Permission.ts", "takenWhileDisabled"), taken)
  })
})
