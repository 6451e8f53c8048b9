/**
 * A corpus of 60 hostile texts: 30 for subjects, fields of contacts, data of events and names, and 30 bodies of mails.
 * Every page that shows text from outside shows them, and none of them runs, leads away, calls out or breaks a page.
 */
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { browserProgram, launch, overflow, visit } from "./testing/Browser.ts"
import { type DevServer, startDevServer } from "./testing/DevServer.ts"

const foreign = "http://foreign.example"
const act = "top.hacked=1;document.title='hacked';alert(1)"

const texts: ReadonlyArray<string> = [
  `<script>${act}</script>`,
  `<img src=x onerror="${act}">`,
  `<svg onload="${act}"><animate onbegin="${act}" attributeName=x dur=1s></svg>`,
  `"><svg/onload=${act}//`,
  `'-alert(1)-'`,
  `</title><script>${act}</script>`,
  `</textarea><img src=x onerror=alert(1)>`,
  `--><img src=x onerror=alert(1)><!--`,
  `javascript:alert(1)`,
  `java\tscript:alert(1)`,
  `data:text/html,<script>alert(1)</script>`,
  `<a href="javascript:${act}">link</a>`,
  `<iframe srcdoc="<script>${act}</script>"></iframe>`,
  `<meta http-equiv="refresh" content="0;url=${foreign}/refresh">`,
  `<base href="${foreign}/">`,
  `<link rel=stylesheet href="${foreign}/style.css">`,
  `<style>@import "${foreign}/import.css";*{display:none}</style>`,
  `<form action="${foreign}/form"><input autofocus onfocus="${act}"></form>`,
  `<object data="${foreign}/object"></object>`,
  `{{constructor.constructor('alert(1)')()}}`,
  `\${alert(1)} #{alert(1)} <%= alert(1) %>`,
  `invoice\u202egpj.exe`,
  `\u2066pay\u2069 \u200bto\u200b me \ufeff`,
  `\u0001\u0007\u001b[31mred\u009b`,
  `W${"w".repeat(299)}`,
  `${"ab ".repeat(40)}`,
  `a\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a`.repeat(8),
  `مرحبا <b>שלום</b> ${foreign}`,
  `=HYPERLINK("${foreign}","click")`,
  `&lt;img src=x onerror=alert(1)&gt; &#x3c;script&#x3e;`
]

const bodies: ReadonlyArray<string> = [
  `<script>${act}</script>`,
  `<script src="${foreign}/a.js"></script>`,
  `<img src=x onerror="${act}">`,
  `<body onload="${act}"><p onclick="${act}">x</p>`,
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${act}"><script>${act}</script></svg>`,
  `<svg><a xlink:href="javascript:${act}"><text x=10 y=20>x</text></a></svg>`,
  `<svg><use href="${foreign}/use.svg#x"></use><image href="${foreign}/image.svg"></image></svg>`,
  `<svg><foreignObject><iframe src="${foreign}/frame"></iframe></foreignObject></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${act}">`,
  `<a href="javascript:${act}" id=go>go</a>`,
  `<a href="data:text/html,<script>${act}</script>">go</a>`,
  `<a href="/console/" target="_top">home</a>`,
  `<meta http-equiv="refresh" content="0;url=${foreign}/refresh">`,
  `<meta http-equiv="Content-Security-Policy" content="script-src *">`,
  `<base href="${foreign}/"><img src="relative.png">`,
  `<base target="_top"><a href="${foreign}/base">x</a>`,
  `<form action="${foreign}/form" method=post><input name=a value=1><button>send</button></form>`,
  `<form id=f action="${foreign}/form"></form><button form=f formaction="javascript:${act}">send</button>`,
  `<iframe src="${foreign}/frame"></iframe><iframe srcdoc="<script>${act}</script>"></iframe>`,
  `<object data="${foreign}/object"></object><embed src="${foreign}/embed">`,
  `<link rel="prefetch" href="${foreign}/prefetch"><link rel="stylesheet" href="${foreign}/style.css"><style>@import "${foreign}/import.css"; @font-face { font-family: x; src: url("${foreign}/font.woff2") } p { font-family: x }</style><p>x</p>`,
  `<link rel="modulepreload" href="${foreign}/module.js"><link rel="manifest" href="${foreign}/manifest">`,
  `<style>body{background:url("${foreign}/background.png")} p{behavior:url(${foreign}/b.htc)}</style>`,
  `<div style="position:fixed;inset:0;background:red;z-index:99999">over</div>`,
  `<video src="${foreign}/video.mp4" autoplay></video><audio src="${foreign}/audio.mp3" autoplay></audio>`,
  `<img src="${foreign}/image.png" srcset="${foreign}/set.png 2x"><picture><source srcset="${foreign}/p.png"></picture>`,
  `<details open ontoggle="${act}">x</details><input autofocus onfocus="${act}">`,
  `<template><script>${act}</script></template><noscript><img src=x onerror="${act}"></noscript>`,
  `<p>${"w".repeat(3_000)}</p><table width=4000><tr><td>wide</td></tr></table>`,
  `<textarea></textarea><script>parent.postMessage({posthorn:true,height:1e9,block:"x",link:"javascript:alert(1)"},"*")</script>`
]

/** Direction and control characters that text outside of fields and code must not have. */
const hidden = String.raw`/[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/`

describe.skipIf(browserProgram === undefined)("hostile texts", () => {
  let server: DevServer
  let browser: Browser
  const pages: Array<string> = []
  const mails: Array<string> = []

  const made = async (path: string, body: object): Promise<string> => {
    const answer = await server.call<{ readonly id?: string; readonly data?: { readonly id: string } }>(
      "POST",
      path,
      body
    )
    assert.oneOf(answer.status, [200, 201], `${path} ${JSON.stringify(answer.body)}`)
    return answer.body.id ?? answer.body.data?.id ?? ""
  }
  /** A name may have 100 characters and no control characters. */
  const named = (text: string) => text.replace(/\p{Cc}/gu, "").slice(0, 100)

  beforeAll(async () => {
    assert.deepStrictEqual([texts.length, bodies.length], [30, 30])
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    const from = `hi@${server.domain}`
    let contact = ""
    for (const [n, text] of texts.entries()) {
      const email = `reader${n}@example.com`
      const { status, body } = await server.call<{ data: { emails: ReadonlyArray<{ email: string }> } }>(
        "POST",
        "/v1/send",
        {
          to: email,
          from,
          // A subject is a template, in which round brackets are a fault.
          subject: text.replace(/\p{Cc}/gu, " ").replace("{{", "{ {"),
          body: bodies[n],
          tags: { note: "x" }
        }
      )
      assert.strictEqual(status, 200, `${text} ${JSON.stringify(body)}`)
      mails.push(body.data.emails[0]?.email ?? "")
      contact = await made("/contacts", { email, data: { note: text, plan: named(text) } })
      await server.call("POST", "/events/track", { email, event: "order.paid", data: { note: text } })
    }
    const some = [1, 4, 13, 21, 24].map((n) => named(texts[n] ?? ""))
    for (const name of some) {
      const segment = await made("/segments", {
        name,
        condition: { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: name }] }] }
      })
      const template = await made("/templates", {
        name,
        from,
        subject: name,
        body: `<p>x</p>${bodies[2]}`,
        type: "TRANSACTIONAL"
      })
      const campaign = await made("/campaigns", {
        name,
        subject: name,
        body: `<p>x</p>${bodies[3]}`,
        from,
        audienceType: "ALL"
      })
      const workflow = await made("/workflows", { name })
      await server.call("PUT", `/workflows/${workflow}/graph`, {
        steps: [
          { key: "a", type: "EXIT", name },
          { key: "b", type: "UPDATE_CONTACT", name, config: { updates: { note: name } } }
        ],
        transitions: []
      })
      await made("/api-keys", { name, scopes: ["send"] })
      if (name === some[0]) {
        pages.push(`/segments/${segment}`, `/templates/${template}`, `/templates/${template}?tab=preview`)
        pages.push(
          `/campaigns/${campaign}`,
          `/campaigns/${campaign}/edit?tab=preview`,
          `/workflows/${workflow}?view=list`
        )
      }
    }
    await server.call("POST", "/suppressions", { email: "gone@example.com", note: some[0] })
    const webhook = await made("/webhooks", {
      url: "http://127.0.0.1:9/<script>",
      events: ["email.*"],
      description: some[0]
    })
    const piece = await made("/partials", { name: "footer", body: bodies[2], description: some[0] })
    pages.push(`/webhooks/${webhook}`, `/templates/pieces/${piece}`, `/contacts/${contact}`)
    for (const tab of ["timeline", "text", "source", "headers", "attempts", "raw"])
      pages.push(`/mails/${mails[1]}?tab=${tab}`)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  const nothingHappened = async (page: Page): Promise<ReadonlyArray<string>> =>
    page.evaluate(`[
      ...(window.hacked ? ["a script ran"] : []),
      ...(document.title.startsWith("hacked") ? ["the title is taken"] : []),
      ...(window.reports ?? []),
      ...[...document.querySelectorAll("main *")].filter((element) =>
        [...element.childNodes].some((node) => node.nodeType === 3 && ${hidden}.test(node.data)) &&
        element.closest("pre,code,textarea,option,[contenteditable]") === null
      ).map((element) => "hidden characters in " + element.outerHTML.slice(0, 120)),
      ...[...document.querySelectorAll("main a[href]")].filter(({ href }) => !/^(https?|mailto):/.test(href)).map(({ href }) => "link to " + href.slice(0, 80))
    ]`)

  it("run nowhere, lead nowhere, call nobody, and fit every page", async () => {
    await visit(browser, server, { viewport: { width: 1280, height: 800 } }, async ({ page, context, go, faults }) => {
      const found: Array<string> = []
      let isWatched = false
      page.setDefaultTimeout(15_000)
      page.on("dialog", (dialog) => {
        found.push(`dialog ${dialog.message()}`)
        void dialog.dismiss()
      })
      context.on("page", () => found.push("a window opened"))
      page.on("framenavigated", (frame) => {
        if (frame === page.mainFrame() && !frame.url().startsWith(`${server.url}/console/`))
          found.push(`led to ${frame.url()}`)
      })
      await context.route(
        ({ hostname }) => hostname === new URL(foreign).hostname,
        async (route) => {
          const request = route.request()
          const isOfMail = !request.isNavigationRequest() && request.frame().url().includes("/console/preview.html")
          if (!isOfMail || request.resourceType() !== "image") {
            found.push(`${request.resourceType()} ${request.url()}`)
          } else isWatched = true
          await route.fulfill({
            status: 200,
            contentType: "image/gif",
            body: Buffer.from("R0lGODlhAQABAAAAACw=", "base64")
          })
        }
      )
      await page.addInitScript(
        `document.addEventListener("securitypolicyviolation", (event) => {
          window.reports = [...(window.reports ?? []), "policy: " + event.violatedDirective + " " + event.blockedURI]
        })`
      )
      const look = async (path: string, ready: () => Promise<unknown>) => {
        await go(path)
        await ready()
        found.push(...(await nothingHappened(page)).map((fault) => `${path}: ${fault}`))
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          const over = await overflow(page)
          if (over > 0) found.push(`${path}: ${over} px too wide for ${width}`)
        }
      }
      const bars = page.locator('main [class*="_bar"]')
      const isRead = () => bars.first().waitFor({ state: "detached" })
      for (const path of [
        "/",
        "/activity",
        "/mails",
        "/mailbox",
        "/contacts?columns=note,plan",
        "/contacts/fields",
        "/contacts/fields?field=data.note",
        "/segments",
        "/segments/new",
        "/events",
        "/events/order.paid",
        "/templates",
        "/templates/pieces",
        "/campaigns",
        "/workflows",
        "/suppressions",
        "/keys",
        "/webhooks",
        "/deliverability",
        "/settings/audit",
        ...pages
      ]) {
        await look(path, isRead)
      }
      for (const [n, mail] of mails.entries()) {
        await look(`/mails/${mail}?tab=preview`, async () => {
          await isRead()
          await page.locator("iframe").waitFor()
          const frame = await (await page.locator("iframe").elementHandle())?.contentFrame()
          await page.locator("iframe:not([style*='height: 320px'])").waitFor()
          const state = await frame?.evaluate(
            "[window.hacked ?? 0, document.querySelectorAll('script,base,meta[http-equiv],object,embed,iframe,form,link:not([rel=stylesheet])').length].join()"
          )
          if (state !== "0,0") found.push(`body ${n}: ${state}`)
          // A press on the mail itself runs nothing either.
          await page
            .frameLocator("iframe")
            .locator("#go, p, button")
            .first()
            .click({ timeout: 500 })
            .catch(() => undefined)
        })
      }
      assert.deepStrictEqual(found, [])
      assert.isTrue(isWatched, "A preview shows its images.")
      // Refusals in the frame are what its policy is for. A favicon or an unknown request still fails the test.
      faults.splice(
        0,
        faults.length,
        ...faults.filter(
          (fault) =>
            !fault.includes("foreign.example") && !/Content Security Policy|sandboxed|preview\.html/.test(fault)
        )
      )
    })
  }, 300_000)

  it("are found by the palette as text", async () => {
    await visit(browser, server, { viewport: { width: 1280, height: 800 } }, async ({ page, go }) => {
      await go("/")
      await page.keyboard.press("ControlOrMeta+k")
      await page.getByRole("searchbox").fill("<img src=x")
      await page
        .getByRole("menuitem", { name: /<img src=x onerror/ })
        .first()
        .waitFor()
      assert.deepStrictEqual(await nothingHappened(page), [])
    })
  })
})
