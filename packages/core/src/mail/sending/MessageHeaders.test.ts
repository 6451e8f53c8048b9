import { assert, describe, it } from "@effect/vitest"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { claimedEmail } from "../../testing/SampleEmails.ts"
import type { ClaimedEmail } from "./DeliveryQueue.ts"
import { messageHeaders } from "./MessageHeaders.ts"

const id = EmailId.make("019a0000-0000-7000-8000-0000000000e1")
const campaign = "019a0000-0000-7000-8000-00000000ca4e"
const workflow = "019a0000-0000-7000-8000-0000000000f1"

const mail = claimedEmail({
  id,
  projectName: "Café & Co",
  from: "hi@shop.example",
  html: "",
  text: "",
  tracking: true,
  domainId: null
})

const unsubscribeUrl = "https://posthorn.example/unsubscribe/abc.def"
const headersOf = (more: Partial<ClaimedEmail>, url = unsubscribeUrl) =>
  Object.fromEntries(messageHeaders({ ...mail, ...more }, { unsubscribeUrl: url }))

const leave = { "List-Unsubscribe": `<${unsubscribeUrl}>` }
const oneClick = { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
const automatic = { "Auto-Submitted": "auto-generated" }
const bulk = { Precedence: "bulk", "X-Auto-Response-Suppress": "All" }
const own = { "X-Posthorn-Email-Id": id }
const feedback = (first: string) => ({ "Feedback-ID": `${first}:cafe-co:posthorn` })
const list = (label: string) => ({ "List-ID": `Café   Co <${label}.cafe-co.shop.example>` })

/** Which headers each type of email has, column by column. */
describe("the headers of", () => {
  it.each([
    ["a single transactional mail", {}, { ...automatic, ...feedback("transactional"), ...own }],
    [
      "a workflow's transactional mail",
      { sourceType: "WORKFLOW", workflowId: workflow },
      { ...automatic, ...feedback("transactional"), ...own }
    ],
    [
      "a campaign's transactional mail",
      { sourceType: "CAMPAIGN", campaignId: campaign },
      { ...automatic, ...bulk, ...feedback(campaign), ...own }
    ],
    [
      "single marketing mail",
      { type: "MARKETING" },
      { ...leave, ...oneClick, ...list("mail"), ...automatic, ...bulk, ...feedback("marketing"), ...own }
    ],
    [
      "single headless mail",
      { type: "HEADLESS" },
      { ...leave, ...oneClick, ...list("mail"), ...automatic, ...bulk, ...feedback("headless"), ...own }
    ],
    [
      "a workflow's marketing mail",
      { type: "MARKETING", sourceType: "WORKFLOW", workflowId: workflow },
      { ...leave, ...oneClick, ...list(workflow), ...automatic, ...bulk, ...feedback("marketing"), ...own }
    ],
    [
      "a campaign's marketing mail",
      { type: "MARKETING", sourceType: "CAMPAIGN", campaignId: campaign },
      { ...leave, ...oneClick, ...list(campaign), ...automatic, ...bulk, ...feedback(campaign), ...own }
    ],
    [
      "a test of marketing mail",
      { type: "MARKETING", sourceType: "CAMPAIGN", campaignId: campaign, test: true },
      { ...leave, ...list(campaign), ...feedback(campaign), ...own, "X-Posthorn-Test": "true" }
    ],
    [
      "a test of transactional mail",
      { sourceType: "CAMPAIGN", campaignId: campaign, test: true },
      { ...leave, ...feedback(campaign), ...own, "X-Posthorn-Test": "true" }
    ]
  ] as const)("%s", (_, more, expected) => {
    assert.deepStrictEqual(headersOf(more), expected)
  })

  it("stored mail leave out what has become reserved since", () => {
    const given = { "X-SES-Configuration-Set": "other", "Resent-Bcc": "a@b.co", "X-Own": "1" }
    assert.deepInclude(headersOf({ headers: given }), { "X-Own": "1" })
    assert.doesNotHaveAnyKeys(headersOf({ headers: given }), ["X-SES-Configuration-Set", "Resent-Bcc"])
  })

  it("mail of an installation without https say nothing of one click", () => {
    const url = "http://127.0.0.1:3000/unsubscribe/abc.def"
    const headers = headersOf({ type: "MARKETING" }, url)
    assert.strictEqual(headers["List-Unsubscribe"], `<${url}>`)
    assert.notProperty(headers, "List-Unsubscribe-Post")
  })

  it("the caller win, but for those that identify the mail and let people leave", () => {
    const given = {
      "auto-submitted": "no",
      "Feedback-ID": "mine",
      "List-ID": "<mine.example>",
      precedence: "list",
      "List-Unsubscribe": "<https://elsewhere.example/>",
      "X-Shop": "1"
    }
    assert.deepStrictEqual(headersOf({ type: "MARKETING", headers: given }), {
      "auto-submitted": "no",
      "Feedback-ID": "mine",
      "List-ID": "<mine.example>",
      precedence: "list",
      "X-Shop": "1",
      ...leave,
      ...oneClick,
      "X-Auto-Response-Suppress": "All",
      ...own
    })
    assert.strictEqual(headersOf({ headers: given })["List-Unsubscribe"], "<https://elsewhere.example/>")
  })
})
