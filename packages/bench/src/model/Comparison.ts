/**
 * Compares the service with the model: everything that can be queried of the project, after each run of the workers.
 */
import { Effect } from "effect"
import { type Expected, isOver, type Mail, type OptIn, type Person, told } from "./Expected.ts"
import type { Worked } from "./Installation.ts"
import type { MailRow, Project } from "./Project.ts"

/** Assigns the ids of emails that workers have created since the last comparison. */
const discover = (expected: Expected, rows: ReadonlyArray<MailRow>): ReadonlyArray<string> => {
  const known = new Set(expected.mails.map(({ id }) => id))
  const isOf = (row: MailRow) => (mail: Mail) =>
    mail.id === undefined &&
    mail.source === row.sourceType &&
    (mail.campaign?.id ?? null) === row.campaignId &&
    mail.contact === row.contactId &&
    (mail.to === row.to || row.contactId === null)
  return rows.flatMap((row) => {
    if (known.has(row.id)) return []
    const mail = expected.mails.find(isOf(row))
    if (mail === undefined) return [`Nobody asked for the mail ${JSON.stringify(row)}`]
    mail.id = row.id
    return []
  })
}

const counters = (mails: ReadonlyArray<Mail>) => {
  const count = (...statuses: ReadonlyArray<string>) => mails.filter(({ status }) => statuses.includes(status)).length
  return {
    totalRecipients: mails.length,
    pendingCount: count("PENDING"),
    failedCount: count("FAILED"),
    suppressedCount: count("SUPPRESSED"),
    cancelledCount: count("CANCELLED"),
    ambiguousCount: count("AMBIGUOUS"),
    sentCount: count("SENT", "DELIVERED", "BOUNCED", "COMPLAINED")
  }
}

/** What the person said about topics, and what it is asked to confirm. */
const statesOf = ({ topics }: Person, open: OptIn | undefined) => {
  const isAsked = (topic: string, state: string) =>
    state === "unsubscribed" && [...(open?.topics ?? [])].includes(topic as never)
  const asked = [...(open?.topics ?? [])].map((topic) => [topic, "pending"] as const)
  const said = [...topics].filter(([topic, state]) => !isAsked(topic, state))
  return [...new Map<string, string>([...asked, ...said])].sort()
}

/** One sentence for each difference, after a run of the workers. */
export const differences = Effect.fnUntraced(function* (
  expected: Expected,
  project: Project,
  { died, ...time }: Worked,
  copies: ReadonlyMap<string, number>
) {
  const faults: Array<string> = []
  const same = (what: string, found: unknown, wanted: unknown) => {
    const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)]
    if (is !== should) faults.push(`${what}: ${is}, not ${should}`)
  }

  const rows = yield* project.mails
  expected.import()
  expected.advance(time)
  faults.push(...discover(expected, rows))
  faults.push(...expected.work(time, died, new Map(rows.map((row) => [row.id, row]))))

  const byId = new Map(expected.mails.map((mail) => [mail.id, mail]))
  for (const { id, status } of rows) {
    const mail = byId.get(id)
    if (mail !== undefined) same(told(mail), status, mail.status)
  }
  for (const { id, logged, told: sent } of yield* project.facts) {
    const mail = byId.get(id)
    if (mail === undefined) continue
    const got = copies.get(id) ?? 0
    same(`Tries of ${told(mail)}`, logged, mail.attempts)
    same(`email.sent about ${told(mail)}`, sent, mail.told)
    if (mail.wasSent && got === 0) faults.push(`${told(mail)} is SENT and never came`)
    if (got > (mail.wasSent ? 1 : 0) + mail.ambiguities) faults.push(`${told(mail)} came ${got} times`)
  }
  same("Visits and mails of workflows that came twice", yield* project.repeatedSteps, 0)

  const people = yield* project.must(200, "GET", "/contacts?limit=100&sort=email&dir=asc")
  const shown = people.data.map(
    ({
      data,
      email,
      id,
      snoozedUntil,
      subscribed,
      subscription,
      topics
    }: {
      data: Record<string, unknown>
      email: string
      id: string
      snoozedUntil: string | null
      subscribed: boolean
      subscription: string
      topics: Record<string, string>
    }) => ({
      email,
      id,
      subscribed,
      subscription,
      snoozed: snoozedUntil,
      topics: Object.entries(topics).sort(),
      city: data["city"] ?? null,
      welcomed: data["welcomed"] === true
    })
  )
  const ids = new Map<string, string>(shown.map(({ email, id }: { email: string; id: string }) => [email, id]))
  for (const one of expected.people.values()) if (one.id === "") one.id = ids.get(one.email) ?? ""
  const wanted = [...expected.people.values()]
    .sort((one, other) => (one.email < other.email ? -1 : 1))
    .map((person) => ({
      email: person.email,
      id: person.id,
      subscribed: person.subscribed,
      subscription: person.subscribed
        ? "subscribed"
        : expected.openOf(person)?.subscribe === true
          ? "pending"
          : "unsubscribed",
      snoozed: person.snoozedUntil > time.to ? new Date(person.snoozedUntil).toISOString() : null,
      topics: statesOf(person, expected.openOf(person)),
      city: person.city ?? null,
      welcomed: person.welcomed
    }))
  same("Contacts", shown, wanted)
  same("Number of contacts", people.total, wanted.length)

  const optIns = yield* project.must(200, "GET", "/opt-ins?limit=100")
  same(
    "Opt-ins",
    optIns.data
      .map(({ contactId, id, status, subscribe, topics }: Record<string, unknown> & { topics: Array<string> }) => [
        ...[id, contactId, status, subscribe, topics.sort()]
      ])
      .sort(),
    expected.optIns
      .map(({ contact, id, status, subscribe, topics }) => [id, contact, status, subscribe, [...topics].sort()])
      .sort()
  )

  const suppressions = yield* project.must(200, "GET", "/suppressions?limit=100")
  same(
    "Suppressions",
    suppressions.data.map(({ email, reason }: { email: string; reason: string }) => `${email} ${reason}`).sort(),
    [...expected.suppressed].map(([email, reason]) => `${email} ${reason}`).sort()
  )

  for (const campaign of expected.campaigns) {
    const found = (yield* project.must(200, "GET", `/campaigns/${campaign.id}`)).data
    same(`Campaign ${campaign.id}`, [found.status, found.paused], [campaign.status, campaign.paused])
    const stats = (yield* project.must(200, "GET", `/campaigns/${campaign.id}/stats`)).data
    const wantedCounters = counters(expected.mails.filter((mail) => mail.campaign === campaign))
    same(
      `Counters of campaign ${campaign.id}`,
      Object.fromEntries(Object.keys(wantedCounters).map((name) => [name, stats[name]])),
      wantedCounters
    )
  }
  return faults
})

/** At the end, nothing may be in progress. */
export const unfinished = (expected: Expected): ReadonlyArray<string> =>
  expected.mails.filter((mail) => !isOver(mail)).map((mail) => `${told(mail)} has not come to an end`)
