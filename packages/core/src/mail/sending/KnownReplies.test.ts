import { assert, describe, it } from "@effect/vitest"
import type { Provider } from "@posthorn/contract/mail/emails/Provider"
import { knownReplies, knownReply, lineOf } from "./KnownReplies.ts"

type Row = readonly [provider: Provider | null, reply: string, expected: string | undefined]

/** Replies as the providers write them. */
const rows: ReadonlyArray<Row> = [
  ["GMAIL", "421-4.7.28 Gmail has detected an unusual rate of mail\r\n421 4.7.28 originating from your IP", "slow"],
  ["GMAIL", "421-4.7.0 Try again later, closing connection. (EHLO) a1 - gsmtp", "slow"],
  ["GMAIL", "450-4.2.1 The user you are trying to contact is receiving mail at a rate that", "recipient"],
  ["GMAIL", "550-5.7.26 Your email has been blocked because the sender is unauthenticated.", "authentication"],
  ["GMAIL", "421-4.7.27 Your email has been rate limited because SPF authentication didn't pass", "authentication"],
  ["GMAIL", "550-5.7.25 The IP address sending this message does not have a PTR record", "authentication"],
  ["GMAIL", "421-4.7.29 This mail was not sent over a TLS connection", "authentication"],
  ["GMAIL", "550-5.7.30 DKIM authentication didn't pass", "authentication"],
  ["GMAIL", "421-4.7.32 The From: header is not aligned", "authentication"],
  ["GMAIL", "550-5.7.1 Our system has detected that this message is likely unsolicited mail", undefined],
  ["OUTLOOK", "550 5.7.515 Access denied, sending domain acme.test does not meet the level", "authentication"],
  ["MICROSOFT365", "550 5.7.515 Access denied", "authentication"],
  ["YAHOO", "550 5.7.26 not ours", undefined],
  ["YAHOO", "421 4.7.0 [TS02] Messages from 192.0.2.1 temporarily deferred", "slow"],
  ["YAHOO", "421 4.7.0 [TS03] All messages from 192.0.2.1 will be deferred", "slow"],
  ["YAHOO", "421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to user complaints", "suspend 120"],
  ["YAHOO", "421 4.7.0 [IPTS04] Messages from 192.0.2.1 temporarily deferred", "suspend 120"],
  ["YAHOO", "421 4.7.0 [TSS05] Messages from 192.0.2.1 temporarily deferred", "suspend 240"],
  ["YAHOO", "421 4.7.0 [IPTS05] Messages from 192.0.2.1 temporarily deferred", "suspend 240"],
  ["OUTLOOK", "451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited", "slow"],
  ["MICROSOFT365", "451 4.7.652 The mail server has exceeded the maximum number of connections", "slow"],
  ["OUTLOOK", "421 RP-001 (SNT004-MC1F10) Unfortunately, some messages weren't sent", "slow"],
  ["OUTLOOK", "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. (S3140).", "suspend 120"],
  ["OUTLOOK", "550 5.7.1 part of their network is on our block list (S3150).", "suspend 120"],
  ["APPLE", "550 5.7.1 [HCM1] Message rejected due to local policy", "suspend 15"],
  ["APPLE", "421 4.7.0 [BS02] Try later", "suspend 15"],
  ["GMX", "554 Too many connections", "slow"],
  ["ORANGE", "550 Trop de connexions, veuillez verifier votre configuration", "slow"],
  ["QQ", "550 Ip frequency limited", "slow"],
  ["NETEASE", "554 too many connections", "slow"],
  ["OTHER", "421 Service not available", "slow"],
  [null, "451 4.7.1 Greylisted", "slow"],
  [null, "450 4.2.1 The user is receiving mail too quickly", "slow"],
  [null, "452 Too many recipients this hour", "slow"],
  [null, "451 sending rate exceeded", "slow"],
  ["OTHER", "554 Too many connections", undefined],
  [null, "451 4.3.0 Try again", undefined],
  [null, "550 5.1.1 User unknown", undefined],
  [null, "accurate words are no rate", undefined],
  [null, "", undefined]
]

const shown = (provider: Provider | null, reply: string) => {
  const action = knownReply(provider, { reply })?.action
  return action?.kind === "suspend" ? `suspend ${action.minutes}` : action?.kind
}

describe("known replies", () => {
  it.each(rows)("%s %s", (provider, reply, expected) => {
    assert.strictEqual(shown(provider, reply), expected)
  })

  it("every row is the first that fits one of these replies", () => {
    const used = new Set(rows.map(([provider, reply]) => knownReply(provider, { reply })))
    assert.deepStrictEqual(
      knownReplies.filter((row) => !used.has(row)).map(({ code, text }) => [code.source, text?.source]),
      []
    )
  })

  it("code and enhanced code may come apart from the text", () => {
    const apart = { code: 550, enhancedCode: "5.7.26", reply: "unauthenticated sender" }
    assert.strictEqual(lineOf(apart), "550 5.7.26 unauthenticated sender")
    assert.strictEqual(knownReply("GMAIL", apart)?.action.kind, "authentication")
    // A report may have the enhanced code alone.
    const report = { enhancedCode: "5.7.26", reply: "This mail is unauthenticated" }
    assert.strictEqual(knownReply("GMAIL", report)?.action.kind, "authentication")
  })
})
