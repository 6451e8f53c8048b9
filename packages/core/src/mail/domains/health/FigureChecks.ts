/** The checks of a sender domain that look at its own mail. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dayOf } from "../../../platform/QuarterHours.ts"
import { Settings } from "../../../platform/Settings.ts"
import { foundTexts } from "../RecordFindings.ts"
import type { CheckOutcome } from "./DnsChecks.ts"

/** Mails in 7 days from which rates say something. */
const enoughMail = 1_000
/** Mails in a day to one provider from which it counts the domain as a bulk sender. */
const bulkFrom = 5_000
/** The newest mails of a project whose connections are looked at. */
const newest = 2_000

const sums = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ sent: Schema.Int, bounced: Schema.Int, complained: Schema.Int })])
)
const biggest = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ provider: Schema.String, day: Schema.Date, sent: Schema.Int }))
)
const connections = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ taken: Schema.Int, encrypted: Schema.Int })])
)
const refusals = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ provider: Schema.String, reply: Schema.String }))
)

const percent = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole)
const shown = (rate: number) => `${Math.round(rate * 100) / 100} %`

const rateCheck = (
  id: "bounce_rate" | "complaint_rate",
  count: number,
  sent: number,
  limits: { readonly warn: number; readonly fail: number },
  advice: string
): CheckOutcome => {
  if (sent < enoughMail) {
    const message = `Rates count from ${enoughMail} mails in 7 days on.`
    return { id, status: "UNKNOWN", found: [`${sent} mails in 7 days`], advice: message }
  }
  const rate = percent(count, sent)
  const status = rate < limits.warn ? "PASS" : rate < limits.fail ? "WARN" : "FAIL"
  return {
    id,
    status,
    found: [`${shown(rate)} of ${sent} mails in 7 days`],
    advice: status === "PASS" ? "" : `Keep the rate below ${limits.warn} %. ${advice}`
  }
}

export const figureChecks = Effect.fn("FigureChecks.figureChecks")(function* (
  project: ProjectId,
  domain: string
): Effect.fn.Return<ReadonlyArray<CheckOutcome>, never, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const { publicUrl } = yield* Settings
  const now = yield* DateTime.now
  const today = dayOf(now)
  const back = (days: number) => DateTime.toDate(DateTime.subtract(today, { days }))
  const weekAgo = DateTime.toDate(DateTime.subtract(now, { days: 7 }))

  /** Whole UTC days, and the deltas that are not added to them yet. */
  const days = (from: Date) => sql`
    select day, provider, sent, bounced, complained from domain_days
    where project_id = ${project} and domain = ${domain} and day >= ${from}
    union all
    select date_trunc('day', quarter, 'UTC'), coalesce(provider, 'OTHER'), sent, bounced, complained
    from mail_total_deltas
    where project_id = ${project} and from_domain = ${domain} and quarter >= ${from}`

  return yield* Effect.gen(function* () {
    const [week] = yield* sums(
      yield* sql`
        select coalesce(sum(sent), 0)::int as sent, coalesce(sum(bounced), 0)::int as bounced,
               coalesce(sum(complained), 0)::int as complained
        from (${days(back(6))}) as days`
    )
    const [most] = yield* biggest(
      yield* sql`
        select provider, day, sum(sent)::int as sent from (${days(back(29))}) as days
        where provider in ('GMAIL', 'YAHOO', 'OUTLOOK') group by provider, day having sum(sent) >= ${bulkFrom}
        order by 3 desc, 2 desc, 1 limit 1`
    )
    const [tls] = yield* connections(
      yield* sql`
        with recent as (
          select id, from_email from emails
          where project_id = ${project} and sent_at >= ${weekAgo} and not test
          order by sent_at desc, id desc limit ${newest}
        )
        select count(*)::int as taken, (count(*) filter (where tls is not null))::int as encrypted
        from recent join email_attempts on email_attempts.project_id = ${project} and email_id = recent.id
          and outcome = 'accepted'
        where lower(split_part(from_email, '@', -1)) = ${domain}`
    )
    const refused = yield* refusals(
      yield* sql`
        select provider, reply from domain_refusals
        where project_id = ${project} and domain = ${domain} and last_at >= ${weekAgo}
        order by last_at desc, provider, enhanced_code limit 5`
    )
    const isEncrypted = percent(tls.encrypted, tls.taken) >= 99
    const outcomes: ReadonlyArray<CheckOutcome> = [
      publicUrl.startsWith("https://")
        ? { id: "one_click", status: "PASS", found: [], advice: "" }
        : {
            id: "one_click",
            status: "FAIL",
            found: [publicUrl],
            advice:
              "One-click unsubscribe (RFC 8058) needs a public URL with https. The operator sets POSTHORN_PUBLIC_URL."
          },
      rateCheck(
        "complaint_rate",
        week.complained,
        week.sent,
        { warn: 0.1, fail: 0.3 },
        "Write only to people who asked for it, and make it easy to unsubscribe."
      ),
      rateCheck(
        "bounce_rate",
        week.bounced,
        week.sent,
        { warn: 2, fail: 5 },
        "Check where the addresses came from, and verify new ones."
      ),
      {
        id: "volume",
        status: "PASS",
        found:
          most === undefined
            ? []
            : ["bulk sender", `${most.sent} mails to ${most.provider} on ${most.day.toISOString().slice(0, 10)}`],
        advice: ""
      },
      refused.length === 0
        ? { id: "authentication", status: "PASS", found: [], advice: "" }
        : {
            id: "authentication",
            status: "FAIL",
            found: foundTexts(refused.map(({ provider, reply }) => `${provider}: ${reply}`)),
            advice:
              "Providers refuse mail because the domain does not prove itself. Correct the DNS records above first."
          },
      tls.taken === 0
        ? { id: "tls", status: "UNKNOWN", found: [], advice: "No mail was handed over in 7 days." }
        : {
            id: "tls",
            status: isEncrypted ? "PASS" : "WARN",
            found: [`${shown(percent(tls.encrypted, tls.taken))} of the newest ${tls.taken} mails went over TLS`],
            advice: isEncrypted ? "" : "Use a mail server with STARTTLS or TLS. The operator sets POSTHORN_SMTP_URL."
          }
    ]
    return outcomes
  }).pipe(Effect.orDie)
})
