import { assert, describe, layer, it as plainIt } from "@effect/vitest"
import type { Domain } from "@posthorn/contract/mail/domains/Domain"
import { Clock, Effect, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { outcome, send } from "../../testing/TestClient.ts"
import { Receivers } from "../receivers/Receivers.ts"
import { configured, notify, tally, wireWith } from "../receivers/ReceiversFixture.ts"
import { ReturnPath } from "../sending/ReturnPath.ts"
import { adviceOf, type Evidence } from "./Dmarc.ts"
import { google, gzipped, mailWith, microsoft, rfc9990, type Shape, zipped } from "./ReportFixture.ts"
import { isAbout } from "./ReportIntake.ts"
import * as ReportStore from "./ReportStore.ts"

const day = 86_400

const add = Effect.fnUntraced(function* (name: string) {
  const { body } = yield* send("POST", "/domains", { domain: name })
  const domain = body as Domain
  assert.match(domain.dmarcReportAddress ?? "", /^dmarc\+[a-z2-7]{39}@bounces\.example$/)
  return { ...domain, to: domain.dmarcReportAddress ?? "" }
})

const begin = Effect.map(Clock.currentTimeMillis, (now) => Math.floor(now / 1_000) + 1)

const shapeOf = Effect.fnUntraced(function* (domain: Domain, more: Partial<Shape> = {}) {
  return {
    org: "receiver.example",
    id: "1",
    domain: domain.domain,
    begin: yield* begin,
    records: [{ ip: "203.0.113.7", count: 10, dkim: true, spf: true, selector: domain.selector }],
    ...more
  } satisfies Shape
})

const take = (domain: { readonly to: string }, bytes: Uint8Array, type = "application/gzip") =>
  Receivers.use((receivers) => receivers.takeMail(mailWith(domain.to, [[type, bytes]]), [domain.to]))

const summary = (domain: Domain, query = "") =>
  Effect.map(send("GET", `/domains/${domain.id}/dmarc${query}`), ({ body, status }) => {
    assert.strictEqual(status, 200)
    return body
  })

/** Mails to addresses for reports with this result, as the metric counts them. */
const counted = (result: string) =>
  Effect.map(Metric.snapshot, (all) =>
    all.reduce(
      (sum, { id, attributes, state }) =>
        id === "posthorn_dmarc_reports_total" && attributes?.["result"] === result && "count" in state
          ? sum + Number(state.count)
          : sum,
      0
    )
  )

const nothing = { messages: 0, passed: 0, failed: 0, dkimAligned: 0, spfAligned: 0, quarantined: 0, rejected: 0 }

describe.each(databases())("DMARC reports on %s", (_, database) => {
  layer(wireWith(database, { ...configured, devMode: false }), { timeout: "120 seconds" })((it) => {
    it.effect("of three makers in three forms count once each, though they come twice", () =>
      Effect.gen(function* () {
        const domain = yield* add("makers.acme.test")
        const records = [
          { ip: "203.0.113.7", count: 10, dkim: true, spf: true, selector: domain.selector },
          { ip: "198.51.100.9", count: 2, disposition: "quarantine" },
          { ip: "198.51.100.9", count: 1, disposition: "reject", from: "sub.makers.acme.test" }
        ]
        const given = [
          ["google.com", "application/gzip", (shape: Shape) => gzipped(google(shape))],
          ["Outlook.com", "application/zip", (shape: Shape) => zipped([microsoft(shape)])],
          ["Other", "text/xml", (shape: Shape) => new TextEncoder().encode(rfc9990(shape))]
        ] as const
        for (const [org, type, pack] of given) {
          const bytes = pack(yield* shapeOf(domain, { org, records }))
          assert.deepStrictEqual(yield* take(domain, bytes, type), tally({ accepted: 1 }))
          assert.deepStrictEqual(yield* take(domain, bytes, type), tally({ duplicates: 1 }))
        }
        const totals = {
          messages: 39,
          passed: 30,
          failed: 9,
          dkimAligned: 30,
          spfAligned: 30,
          quarantined: 6,
          rejected: 3
        }
        const own = { ...nothing, messages: 30, passed: 30, dkimAligned: 30, spfAligned: 30 }
        const foreign = { ...nothing, messages: 9, failed: 9, quarantined: 6, rejected: 3 }
        const found = yield* summary(domain)
        assert.deepStrictEqual(found.totals, totals)
        assert.deepStrictEqual(found.rows, [
          { source: "203.0.113.7", own: true, ...own },
          { source: "198.51.100.9", own: false, ...foreign }
        ])
        const third = {
          messages: 13,
          passed: 10,
          failed: 3,
          dkimAligned: 10,
          spfAligned: 10,
          quarantined: 2,
          rejected: 1
        }
        assert.deepStrictEqual((yield* summary(domain, "?groupBy=reporter")).rows, [
          { reporter: "Other", ...third },
          { reporter: "Outlook.com", ...third },
          { reporter: "google.com", ...third }
        ])
        assert.deepStrictEqual((yield* summary(domain, "?groupBy=day")).rows, [{ day: "1970-01-01", ...totals }])
        assert.lengthOf((yield* summary(domain, "?limit=1")).rows, 1)
        assert.deepStrictEqual((yield* summary(domain, "?endDate=1969-12-31")).totals, nothing)
        assert.match(found.advice, /count 39 mails/)
        assert.strictEqual(yield* outcome("GET", `/domains/${domain.id}/dmarc?groupBy=ip`), "400 BAD_REQUEST")
        assert.strictEqual(yield* outcome("GET", `/domains/${domain.id}/dmarc?limit=0`), "400 BAD_REQUEST")
        assert.strictEqual(yield* outcome("GET", `/domains/${domain.projectId}/dmarc`), "404 RESOURCE_NOT_FOUND")
      })
    )

    it.effect("what is no report, about another domain or for a forged address changes nothing", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const domain = yield* add("mail.strict.test")
        const ignored = tally({ ignored: 1 })
        const report = (more: Partial<Shape>) => Effect.map(shapeOf(domain, more), (shape) => gzipped(google(shape)))
        assert.deepStrictEqual(yield* take(domain, yield* report({ domain: "other.test" })), ignored)
        assert.deepStrictEqual(yield* take(domain, yield* report({ domain: "test" })), ignored)
        assert.deepStrictEqual(yield* take(domain, yield* report({ domain: "sub.mail.strict.test" })), ignored)
        assert.deepStrictEqual(yield* take(domain, yield* report({ begin: (yield* begin) + 2 * day })), ignored)
        assert.deepStrictEqual(yield* take(domain, new Uint8Array([0x1f, 0x8b, 1])), ignored)
        const { takeMail } = yield* Receivers
        const empty = new TextEncoder().encode(`To: ${domain.to}\r\nSubject: Hello\r\n\r\nNo report.`)
        assert.deepStrictEqual(yield* takeMail(empty, [domain.to]), ignored)
        assert.deepStrictEqual(yield* takeMail(new Uint8Array(10 * 1024 * 1024 + 1), [domain.to]), ignored)
        const forged = domain.to.replace(/\+./, domain.to.includes("+a") ? "+b" : "+a")
        const mail = mailWith(forged, [["application/gzip", yield* report({})]])
        assert.deepStrictEqual(yield* takeMail(mail, [forged]), ignored)
        assert.isAbove(yield* counted("bad"), 0)
        assert.deepStrictEqual((yield* summary(domain)).totals, nothing)
        for (const table of ["dmarc_rows", "dmarc_reports"])
          assert.deepStrictEqual(yield* sql`select 1 as row from ${sql(table)} where domain_id = ${domain.id}`, [])
        // The organisational domain is above it, and one of ten parts has the report.
        const above = yield* report({ domain: "strict.test" })
        const files = Array.from({ length: 9 }, () => ["image/png", new Uint8Array([1, 2, 3])] as const)
        const ten = mailWith(domain.to, [...files, ["application/octet-stream", above]])
        const eleven = mailWith(domain.to, [...files, ...files, ["application/gzip", above]])
        assert.deepStrictEqual(yield* takeMail(eleven, [domain.to]), ignored)
        assert.deepStrictEqual(yield* takeMail(ten, [domain.to.toUpperCase()]), tally({ accepted: 1 }))
      })
    )

    it.effect("raw mail over HTTP is taken by the address in its header", () =>
      Effect.gen(function* () {
        const domain = yield* add("http.acme.test")
        const mail = mailWith(domain.to, [["application/gzip", gzipped(google(yield* shapeOf(domain)))]])
        const { body, status } = yield* notify(Buffer.from(mail).toString("latin1"), { type: "message/rfc822" })
        assert.deepStrictEqual([status, body.data], [200, tally({ accepted: 1 })])
        assert.strictEqual((yield* summary(domain)).totals.messages, 10)
      })
    )

    it.effect("a domain has at most 2,000 reports a day and 100,000 rows, and they go after 400 days or with it", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const domain = yield* add("many.acme.test")
        const stored = yield* ReportStore.domainWith(domain.id)
        assert.isDefined(stored)
        const shape = yield* shapeOf(domain)
        yield* take(domain, gzipped(google(shape)))
        // Rows of earlier reports fill the table up to its limit.
        yield* sql`
          insert into dmarc_rows (project_id, domain_id, day, source, from_domain, disposition, dkim, spf, messages, own)
          select project_id, domain_id, day, 'x' || n, '', 'none', false, false, 1, false
          from dmarc_rows, generate_series(2, ${ReportStore.limits.rows}) as n where domain_id = ${domain.id}`
        yield* take(domain, gzipped(google({ ...shape, id: "2", records: [{ ip: "192.0.2.1", count: 2 }] })))
        const [{ n, other, messages }] = (yield* sql`
          select count(*)::int as n, (count(*) filter (where source = 'other'))::int as other, sum(messages)::int as messages
          from dmarc_rows where domain_id = ${domain.id}`) as [{ n: number; other: number; messages: number }]
        assert.isAtMost(n, ReportStore.limits.rows)
        assert.deepStrictEqual([other, messages], [1, 10 + ReportStore.limits.rows - 1 + 2])
        assert.deepStrictEqual(
          (yield* summary(domain, "?limit=3")).rows.map(({ source }: { source: string }) => source),
          ["other", "203.0.113.7", "192.0.2.1"]
        )

        yield* sql`
          insert into dmarc_reports (project_id, domain_id, key, reporter, day, policy, received_at, messages, passed,
                                     dkim_aligned, spf_aligned, quarantined, rejected)
          select project_id, domain_id, int4send(n), 'x', day, policy, received_at, 0, 0, 0, 0, 0, 0
          from dmarc_reports, generate_series(3, ${ReportStore.limits.reportsADay}) as n
          where domain_id = ${domain.id} and reporter = 'receiver.example' and messages = 10`
        assert.deepStrictEqual(yield* take(domain, gzipped(google({ ...shape, id: "3" }))), tally({ ignored: 1 }))
        yield* TestClock.adjust("1 day")
        assert.deepStrictEqual(yield* take(domain, gzipped(google({ ...shape, id: "3" }))), tally({ accepted: 1 }))

        const rows = Effect.map(
          sql`select 1 as row from dmarc_rows where domain_id = ${domain.id} limit 1`,
          ({ length }) => length
        )
        yield* TestClock.adjust("398 days")
        yield* ReportStore.sweep
        assert.strictEqual(yield* rows, 1)
        yield* TestClock.adjust("2 days")
        yield* ReportStore.sweep
        assert.strictEqual(yield* rows, 0)
        yield* take(domain, gzipped(google({ ...shape, id: "4", begin: yield* begin })))
        assert.strictEqual(yield* rows, 1)
        yield* send("DELETE", `/domains/${domain.id}`)
        assert.strictEqual(yield* rows, 0)
        assert.deepStrictEqual(yield* take(domain, gzipped(google(shape))), tally({ ignored: 1 }))
      })
    )

    it.effect("advice follows the reports of 30 days", () =>
      Effect.gen(function* () {
        const domain = yield* add("advice.acme.test")
        let id = 0
        const report = (policy: string, records: Shape["records"]) =>
          Effect.flatMap(shapeOf(domain, { id: String(id++), policy, records }), (shape) =>
            take(domain, gzipped(google(shape)))
          )
        const ours = (count: number, passed = true) =>
          ({
            ip: "203.0.113.7",
            count,
            dkim: passed,
            spf: passed,
            ...(passed && { selector: domain.selector })
          }) as const
        const advice = Effect.map(summary(domain), (found) => String(found.advice))
        yield* report("none", [ours(99)])
        assert.match(yield* advice, /count 99 mails/)
        yield* report("none", [ours(901)])
        assert.strictEqual(yield* advice, `Publish v=DMARC1; p=quarantine; rua=mailto:${domain.to}`)
        yield* report("none", [{ ip: "198.51.100.9", count: 11 }])
        assert.match(yield* advice, /^1\.1 % .* from 198\.51\.100\.9\./)
        yield* TestClock.adjust("31 days")
        yield* report("none", [ours(1_000), ours(1, false)])
        assert.match(yield* advice, /fails DMARC when it comes from 203\.0\.113\.7/)
        yield* TestClock.adjust("31 days")
        yield* report("quarantine", [ours(1_000)])
        yield* TestClock.adjust("10 days")
        yield* report("quarantine", [ours(1_000)])
        assert.match(yield* advice, /quarantine for 10 days/)
        yield* TestClock.adjust("20 days")
        yield* report("quarantine", [ours(1_000)])
        assert.strictEqual(yield* advice, `Publish v=DMARC1; p=reject; rua=mailto:${domain.to}`)
        yield* report("reject", [ours(1_000)])
        assert.notMatch(yield* advice, /p=quarantine/)
        const health = yield* send("GET", `/domains/${domain.id}/health`)
        assert.strictEqual(health.status, 200)
      })
    )

    it.effect("an address of before the change of the secret still takes reports", () =>
      Effect.gen(function* () {
        const { reportAddress, reportedDomain } = yield* ReturnPath
        const domain = yield* add("again.acme.test")
        assert.strictEqual(yield* reportAddress(domain.id), domain.to)
        assert.strictEqual(yield* reportedDomain(domain.to.toUpperCase()), domain.id)
        assert.strictEqual(yield* reportedDomain(domain.to.replace("dmarc+", "dmarc+x")), "forged")
        assert.strictEqual(yield* reportedDomain("dmarc@bounces.example"), "other")
      })
    )
  })
})

plainIt("a policy is about a domain from its own name up to the organisational domain", () => {
  const about = (policy: string) => isAbout(policy, "a.mail.acme.co.uk")
  assert.deepStrictEqual(
    ["a.mail.acme.co.uk", "mail.acme.co.uk", "acme.co.uk", "co.uk", "uk", "b.a.mail.acme.co.uk", "cme.co.uk"].map(
      about
    ),
    [true, true, true, false, false, false, false]
  )
})

plainIt("without a bounce domain, or own mail, advice says so", () => {
  const evidence: Evidence = {
    messages: 1_000,
    hasOwn: true,
    foreignFailed: 0,
    ownFailing: [],
    foreignFailing: [],
    policy: undefined,
    reportAddress: null
  }
  assert.strictEqual(adviceOf(evidence), "Publish v=DMARC1; p=quarantine")
  assert.match(adviceOf({ ...evidence, hasOwn: false }), /No report has mail that this service signed/)
  assert.strictEqual(adviceOf({ ...evidence, policy: { policy: "reject", days: 1 } }), "")
})
