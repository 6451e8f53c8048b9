import { assert, describe, it } from "@effect/vitest"
import { BillingLimitExceeded } from "@posthorn/contract/accounts/billing/Billing"
import * as FastCheck from "fast-check"
import * as ReputationEmails from "../../mail/reputation/ReputationEmails.ts"
import * as WebhookEmails from "../../webhooks/WebhookEmails.ts"
import * as BillingEmails from "../billing/BillingEmails.ts"
import * as AccountEmails from "../people/AccountEmails.ts"
import { inSubject, inText } from "./Names.ts"

const used = new BillingLimitExceeded({
  category: "campaigns",
  limit: 10,
  used: 9,
  requested: 2,
  resetsAt: "2026-04-01T00:00:00.000Z"
})

/** Every email that names a project or a campaign. */
const emails = (name: string) =>
  [
    AccountEmails.invitationEmail(name, "MEMBER"),
    AccountEmails.ownershipEmail(name),
    AccountEmails.handedOverEmail(name, "successor"),
    AccountEmails.keysReplacedEmail(name),
    AccountEmails.changedByKeyEmail(name, "removed", "somebody"),
    ReputationEmails.projectDisabledEmail(name, "MANUAL"),
    ReputationEmails.warningEmail(name, { metric: "bounce7Day", value: 6 }, true),
    WebhookEmails.failingEmail(name, "the URL"),
    WebhookEmails.endpointDisabledEmail(name, "the URL"),
    BillingEmails.limitWarningEmail(name, used),
    BillingEmails.campaignRefusedEmail("Shop", name, used),
    BillingEmails.campaignRefusedEmail(name, "News", used),
    BillingEmails.paymentFailedEmail(name)
  ].map((email) => email("ada@example.com"))

const hostile = [
  "https://evil.example/login",
  "evil.example",
  "www.evil.example",
  "Pay at evil.example now",
  "evil。example",
  "evil．example",
  "mailto:a@evil",
  "call@evil",
  "\u202Eelpmaxe.live",
  "evil\u200B.example",
  "evil.\u200Bexample",
  "Shop\r\nBcc: a@b.co",
  "Shop\u2028https://evil.example"
]

describe("names in system emails", () => {
  it("add no link and no hidden character to any subject or text", () => {
    for (const name of hostile) {
      for (const { subject, body } of emails(name)) {
        for (const text of [subject, body.replaceAll("\n\n", " ")]) {
          assert.notMatch(text, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, JSON.stringify(name))
          assert.notMatch(text, /[.。．]example|:\/\/|mailto:|@evil|elpmaxe\.live|a@b/, JSON.stringify(name))
        }
        assert.notMatch(subject, /evil|elpmaxe/, JSON.stringify(name))
      }
    }
  })

  it("stay unchanged if they are plain", () => {
    for (const name of ["Shop", "Söhne & Co.", "Version 2.0", "日本 ショップ", "Mr. Smith: mail", "A/B"]) {
      assert.strictEqual(inText(name), name)
      assert.strictEqual(inSubject(name, "a project"), name)
    }
    assert.strictEqual(inText("acme.io"), "acme[.]io")
    assert.strictEqual(inSubject("acme.io", "a project"), "a project")
  })

  it("have one line and at most 100 characters in a subject, whatever the input", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "binary", maxLength: 300 }), (name) => {
        const subject = inSubject(name, "a project")
        assert.isAtMost([...subject].length, 100)
        assert.notMatch(subject, /[\p{Cc}\p{Cf}@]/u)
      })
    )
  })
})
