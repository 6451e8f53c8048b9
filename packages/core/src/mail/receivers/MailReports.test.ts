import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { databases } from "../../testing/Databases.ts"
import { send } from "../../testing/TestClient.ts"
import { ReturnPath } from "../sending/ReturnPath.ts"
import * as MailReport from "./MailReport.ts"
import { Receivers } from "./Receivers.ts"
import { mailTo, notify, read, tally, wireWith } from "./ReceiversFixture.ts"

const crlf = (text: string) => text.replace(/\r?\n/g, "\r\n")

const returnPathOf = (id: string) =>
  ReturnPath.use((path) => path.of({ id, from: "shop@shop.test", ownReturnPath: false }))

interface Shape {
  readonly to: string
  readonly rcpt: string
  readonly id: string
}

/** As the servers of that name write them; addresses and ids aside. */
const shapes: { readonly [server: string]: (shape: Shape) => string } = {
  postfix: ({ to, rcpt, id }) => `Return-Path: <>
Received: by mx.example.com (Postfix)
Date: Fri, 20 Nov 2026 15:00:05 +0000 (UTC)
From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: ${to}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4FxK.1605884405/mx.example.com"
Message-Id: <20261120150005.4FxK@mx.example.com>

This is a MIME-encapsulated message.

--4FxK.1605884405/mx.example.com
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--4FxK.1605884405/mx.example.com
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com
X-Postfix-Queue-ID: 4FxK
X-Postfix-Sender: rfc822; ${to}
Arrival-Date: Fri, 20 Nov 2026 15:00:04 +0000 (UTC)

Final-Recipient: rfc822; ${rcpt}
Original-Recipient: rfc822;${rcpt}
Action: failed
Status: 5.1.1
Remote-MTA: dns; mail.example.com
Diagnostic-Code: smtp; 550 5.1.1 <${rcpt}>: Recipient address rejected: User
    unknown in virtual mailbox table

--4FxK.1605884405/mx.example.com
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

Return-Path: <${to}>
X-Posthorn-Email-Id: ${id}
Message-ID: <${id}@shop.test>
Subject: Hello

--4FxK.1605884405/mx.example.com--
`,
  exim: ({ to, rcpt, id }) => `Return-path: <>
From: Mail Delivery System <Mailer-Daemon@exim.example.com>
To: ${to}
Auto-Submitted: auto-replied
X-Failed-Recipients: ${rcpt}
Content-Type: multipart/report; report-type=delivery-status; boundary=1605884405-eximdsn-1
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1kg@exim.example.com>
Date: Fri, 20 Nov 2026 15:00:05 +0000

--1605884405-eximdsn-1
Content-type: text/plain; charset=us-ascii

A message that you sent could not be delivered to one or more of its recipients.

  ${rcpt}
    host mail.example.com [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<${rcpt}>:
    550 No such user here

--1605884405-eximdsn-1
Content-type: message/delivery-status

Reporting-MTA: dns; exim.example.com

Action: failed
Final-Recipient: rfc822;${rcpt}
Status: 5.0.0
Remote-MTA: dns; mail.example.com
Diagnostic-Code: smtp; 550 No such user here

--1605884405-eximdsn-1
Content-type: message/rfc822

Return-path: <${to}>
Message-ID: <${id}@shop.test>
X-Posthorn-Email-Id: ${id}
Subject: Hello

Hello

--1605884405-eximdsn-1--
`,
  exchange: ({ to, rcpt, id }) => `From: postmaster@exchange.example.com
To: ${to}
Date: Fri, 20 Nov 2026 15:00:05 +0000
Content-Type: multipart/report; report-type=delivery-status;
	boundary="_000_exchange_"
X-MS-Exchange-Message-Is-Ndr:
Content-Language: en-US
Message-ID: <ndr@exchange.example.com>
In-Reply-To: <${id}@shop.test>
Subject: Undeliverable: Hello
Auto-Submitted: auto-replied

--_000_exchange_
Content-Type: multipart/alternative; differences=Content-Type;
	boundary="_001_exchange_"

--_001_exchange_
Content-Type: text/plain; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

Delivery has failed to these recipients or groups:=0D=0A

--_001_exchange_
Content-Type: text/html; charset="us-ascii"

<p>Delivery has failed</p>

--_001_exchange_--

--_000_exchange_
Content-Type: message/delivery-status

Reporting-MTA: dns;exchange.example.com
Received-From-MTA: dns;relay.example.com
Arrival-Date: Fri, 20 Nov 2026 15:00:04 +0000

Final-Recipient: rfc822;${rcpt}
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup

--_000_exchange_
Content-Type: message/rfc822

Message-ID: <${id}@shop.test>
Subject: Hello

Hello
--_000_exchange_--
`,
  gmail: ({ to, rcpt, id }) => `Return-Path: <>
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: ${to}
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
References: <${id}@shop.test>
In-Reply-To: <${id}@shop.test>
X-Failed-Recipients: ${rcpt}
Message-ID: <5fb7.1c69.GMR@mx.google.com>
Date: Fri, 20 Nov 2026 07:00:05 -0800 (PST)
Content-Type: multipart/report; boundary="000000000000a1"; report-type=delivery-status

--000000000000a1
Content-Type: multipart/related; boundary="000000000000a2"

--000000000000a2
Content-Type: multipart/alternative; boundary="000000000000a3"

--000000000000a3
Content-Type: text/plain; charset="UTF-8"

** Address not found **

--000000000000a3--
--000000000000a2
Content-Type: image/png; name="icon.png"
Content-Disposition: attachment; filename="icon.png"
Content-Transfer-Encoding: base64
Content-ID: <icon.png>

iVBORw0KGgo=
--000000000000a2--
--000000000000a1
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
Received-From-MTA: dns; shop@shop.test
Arrival-Date: Fri, 20 Nov 2026 07:00:04 -0800 (PST)
X-Original-Message-ID: <${id}@shop.test>

Final-Recipient: rfc822; ${rcpt}
Action: failed
Status: 5.1.1
Remote-MTA: dns; gmail-smtp-in.l.google.com. (2607:f8b0::1b, the server for
 the domain example.com.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.
Last-Attempt-Date: Fri, 20 Nov 2026 07:00:05 -0800 (PST)

--000000000000a1
Content-Type: message/rfc822

X-Posthorn-Email-Id: ${id}
Message-ID: <${id}@shop.test>
Subject: Hello

Hello
--000000000000a1--
`,
  qmail: ({ to, rcpt, id }) => `Date: 20 Nov 2026 15:00:05 -0000
From: MAILER-DAEMON@qmail.example.com
To: ${to}
Subject: failure notice

Hi. This is the qmail-send program at qmail.example.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<${rcpt}>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Message-ID: <${id}@shop.test>
Subject: Hello

Hello
`
}

/** An automatic reply, and an abuse report. */
const vacation = (to: string) => `From: =?utf-8?q?=E2=80=AEAda=E2=81=A6?= <ada@example.com>
To: ${to}
Subject: Out of office
Auto-Submitted: auto-replied
Date: Fri, 20 Nov 2026 15:00:05 +0000
Content-Type: text/plain

550 5.1.1 user unknown, I am away.
`

const feedback = (to: string, sender: string, id: string, type = "abuse") => `From: <abuse@provider.example>
To: ${to}
Date: Fri, 20 Nov 2026 15:00:05 +0000
Subject: FW: Hello
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="part"

--part
Content-Type: text/plain; charset="US-ASCII"

This is an email abuse report.
--part
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1
Original-Mail-From: <${sender}>
Arrival-Date: Fri, 20 Nov 2026 14:00:00 +0000
Source-IP: 192.0.2.1

--part
Content-Type: message/rfc822
Content-Disposition: inline

From: <shop@shop.test>
X-Posthorn-Email-Id: ${id}
Message-ID: <${id}@shop.test>
Subject: Hello

Hello
--part--
`

const taken = (text: string, recipients: ReadonlyArray<string>) =>
  Receivers.use((receivers) => receivers.takeMail(new TextEncoder().encode(crlf(text)), recipients))

/** The same from a relay that signs what it hands over. */
const signed = (text: string) => Effect.map(notify(crlf(text), { type: "message/rfc822" }), ({ body }) => body.data)

for (const [name, database] of databases()) {
  layer(wireWith(database), { timeout: "60 seconds" })(`Reports by mail on ${name}`, (it) => {
    it.effect.each(Object.entries(shapes))("a bounce of %s is found by its return path, once", ([server, shape]) =>
      Effect.gen(function* () {
        const rcpt = `${server}@example.com`
        const id = yield* mailTo(rcpt, "SENT", { sentAt: new Date(0) })
        const to = yield* returnPathOf(id)
        // Some hosts fold the case of a local part.
        const report = shape({ to: to.toUpperCase(), rcpt, id: randomUUID() })
        assert.deepStrictEqual(yield* taken(report, [to.toUpperCase()]), tally({ accepted: 1 }))
        assert.deepStrictEqual(yield* taken(report, [to.toUpperCase()]), tally({ duplicates: 1 }))
        const mail = yield* read(id)
        assert.strictEqual(mail.status, "BOUNCED")
        assert.match(mail.error.message, /not found|no such user|unknown|does not exist|no mailbox/i)
        assert.strictEqual((yield* send("GET", `/suppressions/${rcpt}`)).body?.reason, "HARD_BOUNCE")
      })
    )

    it.effect.each(["postfix", "exim", "exchange", "gmail"])(
      "without a token, a report of %s is accepted only if it is signed",
      (server) =>
        Effect.gen(function* () {
          const rcpt = `plain-${server}@example.com`
          const id = yield* mailTo(rcpt)
          const report = shapes[server]?.({ to: "shop@shop.test", rcpt, id }) ?? ""
          assert.deepStrictEqual(yield* taken(report, ["shop@shop.test"]), tally({ ignored: 1 }))
          assert.strictEqual((yield* read(id)).status, "SENT")
          assert.deepStrictEqual(yield* signed(report), tally({ accepted: 1 }))
          assert.strictEqual((yield* read(id)).status, "BOUNCED")
        })
    )

    it.effect("a report with a forged token, or about another recipient, changes nothing", () =>
      Effect.gen(function* () {
        const id = yield* mailTo("forged@example.com")
        const to = yield* returnPathOf(id)
        const forged = to.replace(/^bounces\+(.)/, (_, first) => `bounces+${first === "a" ? "b" : "a"}`)
        const report = (address: string, rcpt: string) => shapes["postfix"]?.({ to: address, rcpt, id }) ?? ""
        for (const address of [forged, "bounces+abc@bounces.example", "bounces+@bounces.example"]) {
          assert.deepStrictEqual(yield* taken(report(address, "forged@example.com"), [address]), tally({ ignored: 1 }))
          assert.deepStrictEqual(yield* signed(report(address, "forged@example.com")), tally({ ignored: 1 }))
          assert.strictEqual((yield* read(id)).status, "SENT")
        }
        const other = yield* mailTo("mine@example.com")
        const about = shapes["postfix"]?.({ to: "x@shop.test", rcpt: "somebody@example.com", id: other }) ?? ""
        assert.deepStrictEqual(yield* signed(about), tally({ ignored: 1 }))
        assert.strictEqual((yield* read(other)).status, "SENT")
      })
    )

    it.effect("a delay is a deferral, a success a delivery, and a relay nothing", () =>
      Effect.gen(function* () {
        const report = (to: string, rcpt: string, action: string, status: string) =>
          (shapes["postfix"]?.({ to, rcpt, id: randomUUID() }) ?? "").replace(
            "Action: failed\nStatus: 5.1.1",
            `Action: ${action}\nStatus: ${status}`
          )
        const outcomes = []
        for (const [action, status] of [
          ["delayed", "4.4.1"],
          ["delivered", "2.0.0"],
          ["relayed", "2.0.0"],
          ["expanded", "2.0.0"]
        ] as const) {
          const id = yield* mailTo("actions@example.com")
          const to = yield* returnPathOf(id)
          yield* taken(report(to, "actions@example.com", action, status), [to])
          const mail = yield* read(id)
          const types = mail.timeline.map((_: { type: string }) => _.type)
          outcomes.push([mail.status, types.includes("deferred")])
        }
        assert.deepStrictEqual(outcomes, [
          ["SENT", true],
          ["DELIVERED", false],
          ["SENT", false],
          ["SENT", false]
        ])
      })
    )

    it.effect("an abuse report is a complaint, not-spam is not", () =>
      Effect.gen(function* () {
        const [byHeader, byToken, fine] = [
          yield* mailTo("arf1@example.com"),
          yield* mailTo("arf2@example.com"),
          yield* mailTo("arf3@example.com")
        ]
        const guessed = feedback("fbl@bounces.example", "shop@shop.test", byHeader)
        assert.deepStrictEqual(yield* taken(guessed, ["fbl@bounces.example"]), tally({ ignored: 1 }))
        assert.strictEqual((yield* read(byHeader)).status, "SENT")
        assert.deepStrictEqual(yield* signed(guessed), tally({ accepted: 1 }))
        assert.deepStrictEqual(
          yield* taken(feedback("fbl@bounces.example", yield* returnPathOf(byToken), randomUUID()), [
            "fbl@bounces.example"
          ]),
          tally({ accepted: 1 })
        )
        assert.deepStrictEqual(
          yield* signed(feedback("fbl@bounces.example", "shop@shop.test", fine, "not-spam")),
          tally({ ignored: 1 })
        )
        assert.deepStrictEqual(
          yield* Effect.forEach([byHeader, byToken, fine], (id) => Effect.map(read(id), ({ status }) => status)),
          ["COMPLAINED", "COMPLAINED", "SENT"]
        )
      })
    )

    it.effect("impossible names and times are not errors of the service", () =>
      Effect.gen(function* () {
        const odd = yield* mailTo("odd@example.com")
        const report = shapes["postfix"]?.({ to: "fbl@bounces.example", rcpt: "odd@example.com", id: odd }) ?? ""
        const unknown = report.replace(/^X-Posthorn-Email-Id.*\n/m, "").replace(`<${odd}@`, "<a\0b@")
        assert.deepStrictEqual(yield* signed(unknown), tally({ parked: 1 }))
        const early = report.replace("Action:", "Last-Attempt-Date: -200000-01-01T00:00:00Z\nAction:")
        assert.deepStrictEqual(yield* signed(early), tally({ accepted: 1 }))
        assert.strictEqual((yield* read(odd)).status, "BOUNCED")
        const opened = yield* mailTo("opened@example.com")
        const event = { id: "early", type: "open", emailId: opened, timestamp: "0000-01-01T00:00:00Z" }
        assert.strictEqual((yield* notify({ ...event, timestamp: "-200000-01-01T00:00:00Z" })).status, 422)
        assert.deepStrictEqual((yield* notify(event)).body.data, tally({ accepted: 1 }))
      })
    )

    it.effect("an automatic reply is always inbound mail, and never a bounce", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* send("POST", "/domains", { domain: "replies.test" })
        const id = yield* mailTo("ada@example.com")
        const to = yield* returnPathOf(id)
        assert.deepStrictEqual(yield* taken(vacation(to), [to]), tally({ ignored: 1 }))
        assert.deepStrictEqual(yield* taken(vacation("hi@replies.test"), ["hi@replies.test"]), tally({ accepted: 1 }))
        assert.strictEqual((yield* read(id)).status, "SENT")
        const rows = yield* sql<{
          data: Record<string, unknown>
        }>`select data from events where name = 'email.received'`
        assert.deepInclude(rows[0]?.data, {
          from: "ada@example.com",
          fromName: "Ada",
          subject: "Out of office",
          to: "hi@replies.test"
        })
      })
    )

    it.effect("over HTTP a mail is signed like JSON, and its header fields name its recipient", () =>
      Effect.gen(function* () {
        const id = yield* mailTo("http@example.com")
        const to = yield* returnPathOf(id)
        const report = crlf(shapes["gmail"]?.({ to, rcpt: "http@example.com", id }) ?? "")
        const first = yield* notify(report, { type: "message/rfc822", id: "mail-1" })
        assert.deepStrictEqual([first.status, first.body.data], [200, tally({ accepted: 1 })])
        const again = yield* notify(report, { type: "message/rfc822", id: "mail-1" })
        assert.deepStrictEqual(again.body.data, tally({ duplicates: 1 }))
        assert.strictEqual((yield* notify(report, { type: "message/rfc822", signature: "v1,x" })).status, 403)
        assert.strictEqual((yield* read(id)).status, "BOUNCED")
      })
    )
  })
}

layer(wireWith(databases()[0]?.[1] ?? assert.fail("no database")), { timeout: "60 seconds" })("Broken mail", (it) => {
  it.effect("is ignored, and never causes an error", () =>
    Effect.gen(function* () {
      const { read } = yield* MailReport.make
      const whole = new TextEncoder().encode(
        crlf(shapes["gmail"]?.({ to: "a@b.test", rcpt: "c@d.test", id: randomUUID() }) ?? "")
      )
      const run = (bytes: Uint8Array) =>
        Effect.exit(Effect.option(read({ bytes, id: "x", recipients: ["a@b.test"], isSigned: true })))
      const cuts = fc.sample(fc.nat(whole.length), 30)
      const noise = fc.sample(fc.uint8Array({ maxLength: 2000 }), 30)
      const flipped = fc.sample(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), 30)
      const mails = [
        ...cuts.map((end) => whole.subarray(0, end)),
        ...noise,
        ...flipped.map(([at, byte]) => whole.map((each, n) => (n === at ? byte : each))),
        new TextEncoder().encode(`${"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n".repeat(400)}x`),
        new TextEncoder().encode(
          `Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\nx\r\n".repeat(100_000)}--b--`
        )
      ]
      for (const mail of mails) assert.strictEqual((yield* run(mail))._tag, "Success")
    })
  )

  it.effect("takes linear time for every field of a report and of its header", () =>
    Effect.gen(function* () {
      const { read } = yield* MailReport.make
      const run = (text: string) =>
        Effect.gen(function* () {
          const bytes = new TextEncoder().encode(text)
          let least = Number.POSITIVE_INFINITY
          for (let n = 0; n < 3; n++) {
            const begin = performance.now()
            yield* Effect.exit(read({ bytes, id: "x", isSigned: true }))
            least = Math.min(least, performance.now() - begin)
          }
          return least
        })
      const report = crlf(
        (shapes["postfix"]?.({ to: "a@b.test", rcpt: "c@d.test", id: randomUUID() }) ?? "").replace(
          "Action:",
          "Last-Attempt-Date: now\nAction:"
        )
      )
      const fields = [
        "From",
        "To",
        "Date",
        "Content-Type",
        "Last-Attempt-Date",
        "Original-Recipient",
        "Diagnostic-Code"
      ]
      const hostile = ["(", "<", ":", '"', " ", "\t\r\n ", ";", "\\", "a@b,", "=?utf-8?q?"]
      const slow: Array<unknown> = []
      for (const field of fields) {
        const line = new RegExp(`^${field}:.*$`, "m")
        for (const shape of hostile) {
          const filled = (length: number) =>
            report.replace(line, () => `${field}: ${shape.repeat(length / shape.length)}x`)
          const once = yield* run(filled(30_000))
          const twice = yield* run(filled(60_000))
          // A quadratic pattern takes half a second there, and four times as long as for half of it.
          if (twice <= 50 || twice <= 3 * once) continue
          // Something else may have taken the processor meanwhile.
          const again = [yield* run(filled(30_000)), yield* run(filled(60_000))] as const
          if (again[1] > 3 * again[0]) slow.push([field, shape, ...again])
        }
      }
      assert.deepStrictEqual(slow, [])
    })
  )
})
