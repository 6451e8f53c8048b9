import { generateKeyPairSync } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import type { Domain } from "@posthorn/contract/mail/domains/Domain"
import type { DomainHealth } from "@posthorn/contract/mail/domains/DomainHealth"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as MailTotals from "../../../insight/analytics/MailTotals.ts"
import { reverseName } from "../../../platform/dns/DnsResolver.ts"
import { databases } from "../../../testing/Databases.ts"
import { project, zone } from "../../../testing/Services.ts"
import { outcome, send } from "../../../testing/TestClient.ts"
import { configured, mailTo, notify, wireWith } from "../../receivers/ReceiversFixture.ts"
import type { ZoneName } from "../DnsResolverMemory.ts"

const bounceDomain = "bounces.example"
const ip = "192.0.2.7"
const wire = { ...configured, devMode: false, bounceDomain, sendingIps: [ip] }

const add = Effect.fnUntraced(function* (domain: string) {
  const { body, status } = yield* send("POST", "/domains", { domain })
  assert.strictEqual(status, 201)
  return body as Domain
})

/** DNS is asked at most once a minute. */
const refreshed = Effect.fnUntraced(function* ({ id }: Domain) {
  yield* TestClock.adjust("1 minute")
  const { body } = yield* send("GET", `/domains/${id}/health?refresh=true`)
  return body as DomainHealth
})

const check = ({ checks }: DomainHealth, id: string) => {
  const found = checks.find((each) => each.id === id)
  assert.isDefined(found, id)
  return found
}

const statusOf = (health: DomainHealth, ...ids: ReadonlyArray<string>) => ids.map((id) => check(health, id).status)

/** Sent mail of a domain, some of which bounced or was reported, as the ledger has it. */
const mails = Effect.fnUntraced(function* (
  from: string,
  {
    bounced = 0,
    complained = 0,
    provider = "OTHER",
    sent
  }: {
    readonly sent: number
    readonly bounced?: number
    readonly complained?: number
    readonly provider?: string
  }
) {
  const sql = yield* SqlClient.SqlClient
  const at = new Date(yield* Clock.currentTimeMillis)
  yield* sql`
    with made as (
      insert into emails (id, project_id, to_email, from_email, type, source_type, tracking, status, lane, due_at,
                          ladder_since, created_at, updated_at)
      select gen_random_uuid(), ${project}::uuid, n || '@example.com', ${from}, 'MARKETING', 'CAMPAIGN', true, 'SENDING', 1,
             ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
      from generate_series(1, ${sent}) as n returning id
    ) select count(*) from made`
  yield* sql`
    update emails set status = 'SENT', sent_at = ${at}, provider = ${provider},
           bounced_at = case when split_part(to_email, '@', 1)::int <= ${bounced} then ${at}::timestamptz end,
           complained_at = case when split_part(to_email, '@', 1)::int <= ${complained} then ${at}::timestamptz end
    where project_id = ${project} and from_email = ${from} and status = 'SENDING'`
})

const publicKeyOf = (modulusLength: number) =>
  generateKeyPairSync("rsa", { modulusLength }).publicKey.export({ type: "spki", format: "der" }).toString("base64")

describe.each(databases())("the health of a domain on %s", (_, database) => {
  layer(wireWith(database, wire), { timeout: "120 seconds" })((it) => {
    it.effect("DNS walks every check from its worst to its best", () =>
      Effect.gen(function* () {
        zone.clear()
        const domain = yield* add("mail.acme.test")
        const value = (purpose: string) => domain.records.find((record) => record.purpose === purpose)?.value ?? ""
        const dkim = domain.records[0]?.name ?? ""
        const [returnPath, dmarc, bimi] = [
          "bounce.mail.acme.test",
          "_dmarc.mail.acme.test",
          "default._bimi.mail.acme.test"
        ]
        const includes = (names: ReadonlyArray<string>) =>
          `v=spf1 ${names.map((name) => `include:${name}`).join(" ")} ~all`
        const many = Array.from({ length: 11 }, (_, n) => `s${n}.test`)
        const ptr = reverseName(ip) ?? ""
        const mx = [{ priority: 10, exchange: bounceDomain }]

        const steps: ReadonlyArray<
          readonly [
            what: string,
            zone: { readonly [name: string]: ZoneName },
            expected: { readonly [id: string]: string }
          ]
        > = [
          [
            "nothing is published",
            {},
            {
              ...{ dkim: "FAIL", dkim_key: "UNKNOWN", alignment: "WARN", spf: "WARN", dmarc_record: "FAIL" },
              ...{ dmarc_policy: "UNKNOWN", dmarc_reports: "WARN", reverse_dns: "FAIL", replies: "WARN", bimi: "NONE" }
            }
          ],
          [
            "a key of another, shorter length",
            { [dkim]: { txt: [`v=DKIM1; k=rsa; p=${publicKeyOf(1024)}`] } },
            { dkim: "FAIL", dkim_key: "WARN" }
          ],
          ["our key", { [dkim]: { txt: [value("DKIM")] } }, { dkim: "PASS", dkim_key: "PASS" }],
          ["the bounce domain has no SPF record", { [returnPath]: {} }, { alignment: "WARN", spf: "WARN" }],
          ["it has two", { [bounceDomain]: { txt: ["v=spf1 -all", "v=spf1 mx -all"] } }, { spf: "FAIL" }],
          [
            "it has one",
            { [bounceDomain]: { txt: ["v=spf1 ip4:192.0.2.7 -all"] } },
            { alignment: "WARN", spf: "PASS" }
          ],
          ["the return path is below the domain", { [returnPath]: { mx } }, { alignment: "PASS", spf: "WARN" }],
          ["its SPF record needs eleven look-ups", { [returnPath]: { mx, txt: [includes(many)] } }, { spf: "FAIL" }],
          [
            "look-ups of includes count",
            { [returnPath]: { mx, txt: [includes(["a.test", bounceDomain])] }, "a.test": { txt: [includes(many)] } },
            { spf: "FAIL" }
          ],
          ["it leaves us out", { [returnPath]: { mx, txt: [includes(["other.test"])] } }, { spf: "WARN" }],
          ["it has us", { [returnPath]: { mx, txt: [value("SPF")] } }, { spf: "PASS" }],
          [
            "a DMARC record without a policy",
            { [dmarc]: { txt: ["v=DMARC1; p=maybe"] } },
            { dmarc_record: "FAIL", dmarc_policy: "UNKNOWN", dmarc_reports: "WARN" }
          ],
          [
            "two DMARC records",
            { [dmarc]: { txt: ["v=DMARC1; p=none", "v=DMARC1; p=reject"] } },
            { dmarc_record: "FAIL", dmarc_policy: "UNKNOWN" }
          ],
          [
            "policy none, reports to others",
            { [dmarc]: { txt: ["v=DMARC1; p=none; future=1; rua=mailto:a@b.test!10m"] } },
            { dmarc_record: "PASS", dmarc_policy: "WARN", dmarc_reports: "NONE" }
          ],
          ["our record", { [dmarc]: { txt: [value("DMARC")] } }, { dmarc_policy: "WARN", dmarc_reports: "PASS" }],
          [
            "the organisational domain has a policy for subdomains",
            { [dmarc]: {}, "_dmarc.acme.test": { txt: ["v=DMARC1; p=none; sp=quarantine"] } },
            { dmarc_record: "PASS", dmarc_policy: "PASS", dmarc_reports: "WARN" }
          ],
          [
            "a logo without a policy",
            { [dmarc]: { txt: ["v=DMARC1; p=none"] }, [bimi]: { txt: ["v=BIMI1; l=https://acme.test/logo.svg"] } },
            { bimi: "WARN" }
          ],
          [
            "a logo with a policy",
            { [dmarc]: { txt: ["v=DMARC1; p=reject"] } },
            { bimi: "PASS", dmarc_policy: "PASS" }
          ],
          ["an invalid logo", { [bimi]: { txt: ["v=BIMI1; l=ftp://acme.test/logo.svg"] } }, { bimi: "WARN" }],
          [
            "the PTR record leads elsewhere",
            { [ptr]: { ptr: ["smtp.test"] }, "smtp.test": { a: ["192.0.2.8"] } },
            { reverse_dns: "FAIL" }
          ],
          ["and back", { "smtp.test": { a: ["192.0.2.8", ip] } }, { reverse_dns: "PASS" }],
          [
            "the domain refuses all mail",
            { "mail.acme.test": { mx: [{ priority: 0, exchange: "" }] } },
            { replies: "WARN" }
          ],
          ["an address is enough for replies", { "mail.acme.test": { a: ["192.0.2.9"] } }, { replies: "PASS" }]
        ]
        for (const [what, changes, expected] of steps) {
          for (const [name, entry] of Object.entries(changes)) zone.set(name, entry)
          const health = yield* refreshed(domain)
          const statuses = Object.fromEntries(Object.keys(expected).map((id) => [id, check(health, id).status]))
          assert.deepStrictEqual(statuses, expected, what)
          assert.strictEqual(health.ready, !health.checks.some(({ status }) => status === "FAIL"))
          for (const { advice, id, status } of health.checks)
            if (status === "FAIL" || status === "WARN") assert.notStrictEqual(advice, "", `${what}: ${id}`)
        }
        const healthy = yield* refreshed(domain)
        assert.isTrue(healthy.ready)
        assert.deepStrictEqual(check(healthy, "dkim").requiredBy, ["GMAIL", "YAHOO", "OUTLOOK"])
        assert.deepStrictEqual(statusOf(healthy, "one_click", "volume"), ["PASS", "PASS"])

        // Without an answer nothing is known, and nothing fails.
        for (const [name, entry] of zone) zone.set(name, { ...entry, trouble: "server_failure" })
        const unknown = yield* refreshed(domain)
        const ids = ["dkim", "dkim_key", "alignment", "spf", "dmarc_record", "dmarc_policy", "dmarc_reports", "bimi"]
        assert.deepStrictEqual(new Set(statusOf(unknown, ...ids, "reverse_dns", "replies")), new Set(["UNKNOWN"]))
        assert.isTrue(unknown.ready)
      })
    )

    it.effect("DNS is asked at the first request, and then at most once a minute", () =>
      Effect.gen(function* () {
        zone.clear()
        const domain = yield* add("often.acme.test")
        const read = (query = "") => Effect.map(send("GET", `/domains/${domain.id}/health${query}`), ({ body }) => body)
        const first = yield* read()
        zone.set(domain.records[0]?.name ?? "", { txt: [domain.records[0]?.value ?? ""] })
        yield* TestClock.adjust("59 seconds")
        assert.deepStrictEqual(yield* read("?refresh=true"), first)
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* read(), first)
        const second = yield* read("?refresh=true")
        assert.deepStrictEqual(statusOf(second, "dkim"), ["PASS"])
        assert.notStrictEqual(second.checkedAt, first.checkedAt)
        assert.strictEqual(yield* outcome("GET", `/domains/${project}/health`), "404 RESOURCE_NOT_FOUND")
        assert.strictEqual(yield* outcome("GET", `/domains/${domain.id}/health?refresh=soon`), "400 BAD_REQUEST")
      })
    )

    it.effect("rates and volume count the mail of the domain itself, from 1,000 mails on", () =>
      Effect.gen(function* () {
        const figures = Effect.fnUntraced(function* (name: string, given: Parameters<typeof mails>[1]) {
          const domain = yield* add(name)
          yield* mails(`news@${name}`, given)
          return yield* refreshed(domain)
        })
        const today = new Date(yield* Clock.currentTimeMillis).toISOString().slice(0, 10)
        const few = yield* figures("few.acme.test", { sent: 999, bounced: 900, complained: 900 })
        assert.deepStrictEqual(statusOf(few, "complaint_rate", "bounce_rate"), ["UNKNOWN", "UNKNOWN"])
        const good = yield* figures("good.acme.test", { sent: 1_001, bounced: 20, complained: 1 })
        assert.deepStrictEqual(statusOf(good, "complaint_rate", "bounce_rate"), ["PASS", "PASS"])
        assert.deepStrictEqual(check(good, "volume").found, [])
        const worse = yield* figures("worse.acme.test", { sent: 1_000, bounced: 20, complained: 1 })
        assert.deepStrictEqual(statusOf(worse, "complaint_rate", "bounce_rate"), ["WARN", "WARN"])
        const worst = yield* figures("worst.acme.test", {
          sent: 5_000,
          bounced: 250,
          complained: 15,
          provider: "YAHOO"
        })
        assert.deepStrictEqual(statusOf(worst, "complaint_rate", "bounce_rate"), ["FAIL", "FAIL"])
        assert.deepStrictEqual(check(worst, "complaint_rate").found, ["0.3 % of 5000 mails in 7 days"])
        assert.deepStrictEqual(
          [check(worst, "volume").status, check(worst, "volume").found],
          ["PASS", ["bulk sender", `5000 mails to YAHOO on ${today}`]]
        )
        // The same after the deltas are added up, and nothing of it a week later.
        const totals = yield* MailTotals.make
        yield* totals.rollUp
        const domain = (yield* send("GET", `/domains/project/${project}`)).body.find(
          (each: Domain) => each.domain === "worst.acme.test"
        )
        assert.deepStrictEqual(yield* Effect.map(refreshed(domain), ({ checks }) => checks), worst.checks)
        yield* TestClock.adjust("7 days")
        const later = yield* refreshed(domain)
        assert.deepStrictEqual(statusOf(later, "complaint_rate", "bounce_rate"), ["UNKNOWN", "UNKNOWN"])
        assert.deepStrictEqual(check(later, "volume").found[0], "bulk sender")
      })
    )

    it.effect("a report that a provider asks for authentication fails the check for 7 days", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const domain = yield* add("auth.acme.test")
        const id = yield* mailTo("ada@gmail.com")
        yield* sql`
          update emails set from_email = 'a@auth.acme.test', provider = 'GMAIL' where project_id = ${project} and id = ${id}`
        const report = (status: string, diagnostic: string) =>
          notify({
            events: [
              { id: status, type: "deferral", emailId: id, timestamp: "1970-01-01T00:00:00.000Z", status, diagnostic }
            ]
          })
        yield* report("4.7.28", "421 4.7.28 Unusual rate of mail")
        assert.deepStrictEqual(statusOf(yield* refreshed(domain), "authentication"), ["PASS"])
        yield* report(
          "4.7.27",
          "421 4.7.27 Your email from [203.0.113.9] to <ada@gmail.com> has been rate limited: SPF"
        )
        const failed = yield* refreshed(domain)
        assert.deepStrictEqual(
          [check(failed, "authentication").status, check(failed, "authentication").found],
          ["FAIL", ["GMAIL: 421 4.7.27 Your email from ... to ... has been rate limited: SPF"]]
        )
        yield* TestClock.adjust("7 days")
        assert.deepStrictEqual(statusOf(yield* refreshed(domain), "authentication"), ["PASS"])
      })
    )

    it.effect("TLS is the share of the newest hand-overs", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* TestClock.adjust("30 days")
        const domain = yield* add("tls.acme.test")
        yield* mails("a@tls.acme.test", { sent: 100 })
        assert.deepStrictEqual(statusOf(yield* refreshed(domain), "tls"), ["UNKNOWN"])
        yield* sql`
          insert into email_attempts (project_id, email_id, number, started_at, ended_at, outcome, tls)
          select project_id, id, 1, sent_at, sent_at, 'accepted',
                 case when split_part(to_email, '@', 1)::int > 2 then 'TLSv1.3' end
          from emails where project_id = ${project} and from_email = 'a@tls.acme.test'`
        assert.deepStrictEqual(statusOf(yield* refreshed(domain), "tls"), ["WARN"])
        yield* sql`
          update email_attempts set tls = 'TLSv1.3' where project_id = ${project} and email_id in (
            select id from emails where project_id = ${project} and to_email = '1@example.com')`
        assert.deepStrictEqual(statusOf(yield* refreshed(domain), "tls"), ["PASS"])
      })
    )
  })
})
