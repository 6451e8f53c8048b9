/**
 * Reads what a month left behind, and checks each promise of the journeys and campaigns. Pure. Every rule is written a
 * second time here, by other means than in the service: it shares no code with it.
 */
import { createHash } from "node:crypto"
import { cohortOfKind, type Sent } from "./Campaigns.ts"
import type { Event, Execution, Ledger, Mail, Visit } from "./Ledger.ts"
import { instantOf, minuteOf, weekdayOf } from "./LocalTime.ts"
import {
  caps,
  holdoutShare,
  hourMillis,
  localHour,
  openMinutes,
  quietMinutes,
  ratePerMinute,
  recurrence,
  spans,
  testShare
} from "./Plan.ts"
import * as Providers from "./Providers.ts"

export interface Checked {
  readonly name: string
  /** What was looked at. */
  readonly checked: number
  /** One sentence for each thing that breaks the promise. */
  readonly violations: ReadonlyArray<string>
}

type Report = (isKept: boolean, sentence: () => string) => void
type Check = (ledger: Ledger, report: Report) => void

const day = 24 * hourMillis
/** Between a due time and the try, because the clock moves in steps and a worker takes its time. */
const lateness = ({ plan }: Ledger): number => plan.stepMinutes * 60_000 + 40 * 60_000
const at = (instant: number): string => new Date(instant).toISOString()

const bucket = (salt: string, contact: string): number =>
  createHash("sha256").update(`${salt}:${contact.toLowerCase()}`, "utf8").digest().readUInt32BE(0) / 2 ** 32

const byKey = <A>(all: ReadonlyArray<A>, key: (one: A) => string | null): ReadonlyMap<string, ReadonlyArray<A>> => {
  const found = new Map<string, Array<A>>()
  for (const one of all) {
    const of = key(one)
    if (of === null) continue
    const group = found.get(of)
    if (group === undefined) found.set(of, [one])
    else group.push(one)
  }
  return found
}

const firstTry = ({ tries }: Mail): number | undefined => tries[0]
const lastTry = ({ tries }: Mail): number | undefined => tries.at(-1)
const isMarketing = ({ type }: Mail): boolean => type === "MARKETING"
const isThrottled = ({ to }: Mail): boolean => Providers.domainOf(to) === Providers.throttling
const isRefused = ({ to }: Mail): boolean => Providers.domainOf(to) === Providers.refusing

const zoneOf = (ledger: Ledger) => {
  const zones = new Map(ledger.contacts.map(({ id, zone }) => [id, zone]))
  return (contact: string | null): string => zones.get(contact ?? "") ?? "UTC"
}

/** What kind of campaign each one is; those that a recurrence made are `recurring`. */
const kinds = (ledger: Ledger): ReadonlyMap<string, Sent["kind"]> => {
  const own = new Map(ledger.sent.map(({ id, kind }) => [id, kind]))
  for (const { id, parent } of ledger.campaigns) {
    const kind = parent === null ? undefined : own.get(parent)
    if (kind !== undefined) own.set(id, kind)
  }
  return own
}

const campaignOf = (ledger: Ledger, kind: Sent["kind"]) => {
  const id = ledger.sent.find((one) => one.kind === kind)?.id
  const row = ledger.campaigns.find((one) => one.id === id)
  return row === undefined ? undefined : { ...row, mails: ledger.mails.filter(({ campaign }) => campaign === row.id) }
}

const isQuiet = (instant: number, zone: string): boolean => {
  const minute = minuteOf(instant, zone)
  return minute >= quietMinutes.from || minute < quietMinutes.to
}

/** The campaigns that bypass each part of the policy. */
const bypassing: { readonly [part in "caps" | "quietHours"]: ReadonlyArray<Sent["kind"] | undefined> } = {
  caps: ["bypass", "rate"],
  quietHours: ["bypass"]
}

/** Mail that a part of the policy limits: of campaigns that do not bypass it, and of workflows. */
const isLimited = (ledger: Ledger, part: keyof typeof bypassing) => {
  const kind = kinds(ledger)
  return (mail: Mail): boolean =>
    isMarketing(mail) && (mail.source === "WORKFLOW" || !bypassing[part].includes(kind.get(mail.campaign ?? "")))
}

const underCaps: Check = (ledger, report) => {
  const mails = new Map(ledger.mails.map((mail) => [mail.id, mail]))
  const limited = isLimited(ledger, "caps")
  for (const [contact, unordered] of byKey(ledger.places, ({ contact }) => contact)) {
    const places = unordered.toSorted((one, other) => one.at - other.at)
    for (const cap of caps(ledger.plan)) {
      const counted = places.filter(({ topic }) => cap.topic === null || topic === ledger.topics.offers)
      counted.forEach((place, n) => {
        const mail = mails.get(place.mail)
        if (mail === undefined || !limited(mail)) return
        const before = counted.slice(0, n).filter((other) => other.at > place.at - cap.hours * hourMillis).length
        report(before < cap.limit, () => `${contact} got mail ${place.mail} above the cap ${cap.id} at ${at(place.at)}`)
      })
    }
  }
}

const counted: Check = (ledger, report) => {
  const places = byKey(ledger.places, ({ mail }) => mail)
  for (const mail of ledger.mails) {
    if (!isMarketing(mail) || mail.tries.length === 0) continue
    const own = places.get(mail.id) ?? []
    const [place] = own
    const begun = firstTry(mail) ?? 0
    // Older places are forgotten.
    if (begun < ledger.end - 30 * day) continue
    report(
      own.length === 1 &&
        place !== undefined &&
        place.at <= begun &&
        place.topic === mail.topic &&
        place.contact === mail.contact,
      () => `mail ${mail.id} has ${own.length} places under the caps before its first try at ${at(begun)}`
    )
  }
}

const outsideQuietHours: Check = (ledger, report) => {
  const zone = zoneOf(ledger)
  const limited = isLimited(ledger, "quietHours")
  for (const mail of ledger.mails) {
    if (!limited(mail)) continue
    // A workflow waits before it makes the mail. What a slow provider then delays is not held again.
    const instant = mail.source === "WORKFLOW" ? mail.createdAt : firstTry(mail)
    if (instant === undefined) continue
    const where = zone(mail.contact)
    report(!isQuiet(instant, where), () => `mail ${mail.id} began at ${at(instant)}, in the quiet hours of ${where}`)
  }
}

const localTime: Check = (ledger, report) => {
  const campaign = campaignOf(ledger, "local")
  if (campaign?.scheduledFor == null) return
  const zone = zoneOf(ledger)
  // The zone of the project is UTC.
  const wall = Math.floor(campaign.scheduledFor / day) * day + localHour * hourMillis
  for (const mail of campaign.mails) {
    const begun = firstTry(mail)
    if (begun === undefined) continue
    const where = zone(mail.contact)
    const due = instantOf(wall, where)
    report(begun >= due, () => `mail ${mail.id} to ${where} was due at ${at(due)} and began at ${at(begun)}`)
    // A cap or a slow provider may hold it.
    const place = ledger.places.length > 0 && !isThrottled(mail) && !wasCapped(ledger, mail, due)
    if (place)
      report(
        minuteOf(begun, where) < (localHour + 1) * 60 && begun < due + lateness(ledger),
        () => `mail ${mail.id} to ${where} was due at ${at(due)} and began as late as ${at(begun)}`
      )
  }
}

/** Whether the caps of its contact were full when the mail was due. */
const wasCapped = (ledger: Ledger, mail: Mail, due: number): boolean => {
  const places = placesOf(ledger).get(mail.contact ?? "") ?? []
  return caps(ledger.plan).some(
    ({ hours, limit, topic }) =>
      (topic === null || mail.topic === ledger.topics.offers) &&
      places.filter(
        (place) =>
          place.mail !== mail.id &&
          place.at > due - hours * hourMillis &&
          place.at <= due + hourMillis &&
          (topic === null || place.topic === ledger.topics.offers)
      ).length >= limit
  )
}

const placeCache = new WeakMap<Ledger, ReadonlyMap<string, Ledger["places"]>>()
const placesOf = (ledger: Ledger): ReadonlyMap<string, Ledger["places"]> => {
  const known = placeCache.get(ledger)
  if (known !== undefined) return known
  const made = byKey(ledger.places, ({ contact }) => contact)
  placeCache.set(ledger, made)
  return made
}

/**
 * A result has its instant before it is stored, with others in one transaction. A mail that begins in between cannot know
 * of it.
 */
const storedWithin = 1_000

const consent: Check = (ledger, report) => {
  const first = (name: string) => {
    const found = new Map<string, number>()
    for (const event of ledger.events) {
      if (event.name !== name || event.contact === null) continue
      found.set(event.contact, Math.min(event.at, found.get(event.contact) ?? event.at))
    }
    return found
  }
  const left = first("contact.unsubscribed")
  const off = first("topic.offers.unsubscribed")
  for (const mail of ledger.mails) {
    if (!isMarketing(mail) || mail.contact === null) continue
    const until = Math.min(
      left.get(mail.contact) ?? Number.POSITIVE_INFINITY,
      mail.topic === ledger.topics.offers
        ? (off.get(mail.contact) ?? Number.POSITIVE_INFINITY)
        : Number.POSITIVE_INFINITY
    )
    const last = lastTry(mail)
    if (last === undefined) continue
    report(
      last <= until + storedWithin,
      () => `mail ${mail.id} was tried at ${at(last)}, after its contact unsubscribed at ${at(until)}`
    )
  }
}

const suppressed: Check = (ledger, report) => {
  const since = new Map(ledger.suppressions.map(({ at, email }) => [email, at]))
  for (const mail of ledger.mails) {
    const last = lastTry(mail)
    if (last === undefined) continue
    const from = since.get(mail.to) ?? Number.POSITIVE_INFINITY
    report(
      last <= from + storedWithin,
      () => `mail ${mail.id} was tried at ${at(last)}, after ${mail.to} was suppressed at ${at(from)}`
    )
  }
}

const stepsOnce: Check = (ledger, report) => {
  for (const [visit, group] of byKey(
    ledger.visits,
    ({ execution, iteration, step }) => `${execution} ${step} ${iteration}`
  )) {
    report(group.length === 1, () => `the step of ${visit} was visited ${group.length} times at once`)
  }
  const mails = byKey(ledger.mails, ({ visit }) => visit)
  for (const visit of ledger.visits) {
    if (visit.type !== "SEND_EMAIL") continue
    const own = mails.get(visit.id)?.length ?? 0
    const isSent = visit.status === "COMPLETED" && !visit.skipped
    report(
      isSent ? own === 1 : own <= (visit.skipped ? 1 : 0),
      () => `visit ${visit.id} is ${visit.status} and made ${own} mails`
    )
  }
  // No graph of the month has a cycle.
  for (const [key, group] of byKey(ledger.visits, ({ execution, step }) => `${execution} ${step}`))
    report(group.length === 1, () => `an execution came to the step of ${key} ${group.length} times`)
}

const onceForEach: Check = (ledger, report) => {
  const mails = ledger.mails.filter(({ campaign }) => campaign !== null)
  for (const [key, group] of byKey(mails, ({ campaign, contact }) => `${campaign} ${contact}`))
    report(group.length === 1, () => `${group.length} mails of a campaign to one contact: ${key}`)
}

const waits: Check = (ledger, report) => {
  const zone = zoneOf(ledger)
  const contacts = new Map(ledger.executions.map(({ contact, id }) => [id, contact]))
  for (const visit of ledger.visits) {
    const { completedAt, status, type, until } = visit
    if (completedAt === null || status !== "COMPLETED") continue
    if (type === "DELAY") {
      report(
        until !== null && completedAt >= until,
        () => `visit ${visit.id} of a delay ended at ${at(completedAt)}, too early`
      )
    }
    if (visit.type === "DELAY" && visit.workflow === ledger.workflows.carts && until !== null) {
      const where = zone(contacts.get(visit.execution) ?? null)
      const weekday = weekdayOf(until, where)
      report(
        minuteOf(until, where) === 600 && weekday !== 0 && weekday !== 6 && until > (visit.startedAt ?? 0),
        () => `visit ${visit.id} waited until ${at(until)}, which is no weekday at ten in ${where}`
      )
    }
    if (type === "TIME_WINDOW") {
      const where = zone(contacts.get(visit.execution) ?? null)
      // A window that opens while a worker is busy is left some minutes later; it never closes that soon.
      const minute = minuteOf(until ?? completedAt, where)
      report(
        minute >= openMinutes.from && minute < openMinutes.to,
        () => `visit ${visit.id} passed its window at ${at(until ?? completedAt)} in ${where}`
      )
    }
  }
}

const splits: Check = (ledger, report) => {
  const contacts = new Map(ledger.executions.map(({ contact, id }) => [id, contact]))
  for (const visit of ledger.visits) {
    if (visit.type !== "SPLIT" || visit.branch === null) continue
    const own = bucket(`split:${visit.workflow}:${visit.step}`, contacts.get(visit.execution) ?? "")
    const expected = own < 0.5 ? "short" : "long"
    report(
      visit.branch === expected,
      () => `visit ${visit.id} took ${visit.branch}, and the bucket of its contact is ${own}`
    )
  }
}

const variants: Check = (ledger, report) => {
  const campaign = campaignOf(ledger, "experiment")
  if (campaign === undefined) return
  for (const mail of campaign.mails) {
    if (mail.contact === null || mail.error === "contact_deleted") continue
    const isTest = bucket(`test:${campaign.id}`, mail.contact) < testShare
    const own = String.fromCharCode(65 + Math.floor(bucket(`variant:${campaign.id}`, mail.contact) * 3))
    const expected = isTest ? own : campaign.winner
    report(mail.variant === expected, () => `mail ${mail.id} has variant ${mail.variant}, not ${expected}`)
  }
}

const winner: Check = (ledger, report) => {
  const campaign = campaignOf(ledger, "experiment")
  if (campaign === undefined) return
  const { decidedAt } = campaign
  report(decidedAt !== null && campaign.winner !== null, () => "the experiment was never decided")
  const earliest = (campaign.startedAt ?? ledger.start) + spans(ledger.plan).test * hourMillis
  report(
    decidedAt !== null && decidedAt >= earliest - 1_000,
    () => `the experiment was decided at ${at(decidedAt ?? 0)}, too early`
  )
  for (const mail of campaign.mails) {
    if (mail.contact === null || bucket(`test:${campaign.id}`, mail.contact) < testShare) continue
    report(
      mail.createdAt >= (decidedAt ?? Number.POSITIVE_INFINITY),
      () => `mail ${mail.id} of the rest was made at ${at(mail.createdAt)}, before the decision`
    )
  }
}

const spreadOut: Check = (ledger, report) => {
  const campaign = campaignOf(ledger, "spread")
  if (campaign?.startedAt == null) return
  const hours = spans(ledger.plan).spread
  for (const mail of campaign.mails) {
    const begun = firstTry(mail)
    if (begun === undefined || mail.contact === null) continue
    const due = campaign.startedAt + bucket(`spread:${campaign.id}`, mail.contact) * hours * hourMillis
    report(begun >= due - 1_000, () => `mail ${mail.id} was due at ${at(due)} and began at ${at(begun)}`)
  }
}

const rate: Check = (ledger, report) => {
  const campaign = campaignOf(ledger, "rate")
  if (campaign === undefined) return
  const perMinute = ratePerMinute(ledger.plan)
  // A token bucket of a second: so many mails are taken in a minute, and those of a second at once.
  const most = perMinute + Math.ceil(perMinute / 60)
  const begun = campaign.mails.flatMap((mail) => firstTry(mail) ?? []).sort((one, other) => one - other)
  begun.forEach((instant, n) => {
    const earlier = begun[n - most]
    // A worker begins what it has taken within seconds, so a minute may have the mails of a few seconds more.
    report(
      earlier === undefined || instant - earlier >= 50_000,
      () => `more than ${most} mails of the campaign with a rate began in the minute before ${at(instant)}`
    )
  })
}

const expiry: Check = (ledger, report) => {
  const campaign = campaignOf(ledger, "expiring")
  if (campaign?.expiresAt == null) return
  const { expiresAt } = campaign
  for (const mail of campaign.mails) {
    const begun = firstTry(mail)
    report(
      begun === undefined || begun <= expiresAt + 1_000,
      () => `mail ${mail.id} began at ${at(begun ?? 0)}, after the campaign expired at ${at(expiresAt)}`
    )
    if (begun === undefined)
      report(
        mail.error === "campaign_expired" || mail.status === "SUPPRESSED" || mail.status === "CANCELLED",
        () => `mail ${mail.id} did not begin before the campaign expired, and is ${mail.status}`
      )
  }
}

const recurring: Check = (ledger, report) => {
  const parent = ledger.sent.find(({ kind }) => kind === "recurring")
  if (parent === undefined) return
  const [, hour = "0", , , days = "*"] = recurrence(ledger.plan).split(" ")
  const expected: Array<number> = []
  const last = ledger.start + ledger.plan.days * day
  for (let instant = ledger.start + Number(hour) * hourMillis; instant <= last; instant += day) {
    if (days === "*" || new Date(instant).getUTCDay() === 1) expected.push(instant)
  }
  const made = ledger.campaigns.filter((campaign) => campaign.parent === parent.id)
  for (const instant of expected) {
    const found = made.filter(({ occurrence }) => occurrence === instant).length
    report(found === 1, () => `the recurring campaign was made ${found} times for ${at(instant)}`)
  }
  report(made.length === expected.length, () => `${made.length} campaigns for ${expected.length} firings`)
}

/** Which mail of which campaign an event counts for, and which executions convert. */
const goals = (ledger: Ledger) => {
  const window = spans(ledger.plan).goal * hourMillis
  const withGoals = new Set(
    ledger.sent.flatMap(({ id, kind }) => (kind === "goal" || kind === "experiment" || kind === "holdout" ? [id] : []))
  )
  const mails = byKey(
    ledger.mails.filter(
      ({ campaign, execution, sentAt }) => sentAt !== null && (withGoals.has(campaign ?? "") || execution !== null)
    ),
    ({ contact }) => contact
  )
  const journeys = byKey(
    ledger.executions.filter(({ workflow }) => workflow === ledger.workflows.onboarding),
    ({ contact }) => contact
  )
  const converted = new Map<string, string>()
  const campaigns = new Map<string, { contacts: Set<string>; events: number; cents: number }>()
  for (const id of withGoals) campaigns.set(id, { contacts: new Set(), events: 0, cents: 0 })
  const purchases = ledger.events.filter(({ name }) => name === "purchase").toSorted((one, other) => one.at - other.at)
  for (const event of purchases) {
    if (event.contact === null) continue
    const own = mails.get(event.contact) ?? []
    const before = own.filter(({ sentAt }) => (sentAt ?? 0) <= event.at)
    const now = (journeys.get(event.contact) ?? []).filter(
      ({ id, startedAt, trigger }) =>
        !converted.has(id) && startedAt < event.at && event.at <= startedAt + window && trigger !== event.id
    )
    for (const { id } of now) converted.set(id, event.id)
    const best = before
      .filter(({ campaign, sentAt }) => withGoals.has(campaign ?? "") && event.at <= (sentAt ?? 0) + window)
      .reduce<Mail | undefined>(
        (one, other) => (one === undefined || (other.sentAt ?? 0) > (one.sentAt ?? 0) ? other : one),
        undefined
      )
    const ofJourney = Math.max(
      0,
      ...before.filter(({ execution }) => now.some(({ id }) => id === execution)).map(({ sentAt }) => sentAt ?? 0)
    )
    const counts = best?.campaign == null || (best.sentAt ?? 0) < ofJourney ? undefined : campaigns.get(best.campaign)
    if (counts === undefined) continue
    counts.contacts.add(event.contact)
    counts.events++
    counts.cents += Math.round((event.total ?? 0) * 100)
  }
  return { converted, campaigns }
}

const goalsOnce: Check = (ledger, report) => {
  const { campaigns, converted } = goals(ledger)
  const owners = byKey(ledger.conversions, ({ contact, execution, owner, ownerId }) =>
    owner === "CAMPAIGN" ? `${ownerId} ${contact}` : execution
  )
  for (const [owner, group] of owners) report(group.length === 1, () => `${owner} converted ${group.length} times`)
  const events = byKey(
    ledger.conversions.filter(({ owner }) => owner === "CAMPAIGN"),
    ({ event }) => event
  )
  for (const [event, group] of events)
    report(group.length === 1, () => `event ${event} counts for ${group.length} campaigns`)
  for (const { converted: isConverted, id, workflow } of ledger.executions) {
    if (workflow !== ledger.workflows.onboarding) continue
    report(isConverted === converted.has(id), () => `execution ${id} is ${isConverted ? "" : "not "}converted`)
  }
  for (const [id, { cents, contacts, events }] of campaigns) {
    const stats = ledger.stats.get(id)
    const revenue = Math.round((stats?.revenue.find(({ currency }) => currency === "EUR")?.amount ?? 0) * 100)
    report(
      stats?.convertedCount === contacts.size && stats.conversionEvents === events && revenue === cents,
      () =>
        `campaign ${id} reports ${stats?.convertedCount} contacts, ${stats?.conversionEvents} events and ${revenue} cents, not ${contacts.size}, ${events} and ${cents}`
    )
  }
}

const exits: Check = (ledger, report) => {
  const events = byKey(ledger.events, ({ contact }) => contact)
  const happened = (contact: string, name: string, from: number, until: number): Event | undefined =>
    (events.get(contact) ?? []).find((event) => event.name === name && event.at > from && event.at < until)
  /** The events that end an execution, and for how long after its start. */
  const rules: { readonly [workflow: string]: ReadonlyArray<readonly [name: string, span?: number]> } = {
    [ledger.workflows.onboarding]: [["purchase", spans(ledger.plan).goal * hourMillis], ["contact.unsubscribed"]],
    [ledger.workflows.carts]: [["purchase"]],
    [ledger.workflows.trials]: [["topic.offers.unsubscribed"]]
  }
  const visits = byKey(ledger.visits, ({ execution }) => execution)
  for (const execution of ledger.executions) {
    const end = execution.completedAt ?? ledger.end
    for (const [name, span = Number.POSITIVE_INFINITY] of rules[execution.workflow] ?? []) {
      const until = Math.min(end - 60_000, execution.startedAt + span)
      const event = happened(execution.contact, name, execution.startedAt, until)
      // What fits ends it at once, so it did not live on for longer than the way through the outbox takes.
      report(
        event === undefined,
        () => `execution ${execution.id} lived until ${at(end)}, after ${name} at ${at(event?.at ?? 0)}`
      )
    }
    const late = (visits.get(execution.id) ?? []).filter(({ startedAt }) => (startedAt ?? 0) > end)
    report(late.length === 0, () => `execution ${execution.id} ended at ${at(end)} and went on`)
  }
}

const throttled: Check = (ledger, report) => {
  report(ledger.slowed > 0, () => "no provider was ever slowed down")
  for (const mail of ledger.mails) {
    if (!isThrottled(mail)) continue
    const isDelivered = mail.status === "SENT" && mail.outcomes.at(-1) === "accepted"
    const hasReason = ["FAILED", "SUPPRESSED", "CANCELLED"].includes(mail.status) && mail.error !== null
    report(isDelivered || hasReason, () => `mail ${mail.id} to ${mail.to} is ${mail.status}, ${mail.error}`)
  }
}

const refused: Check = (ledger, report) => {
  const gone = new Set(ledger.suppressions.map(({ email }) => email))
  for (const mail of ledger.mails) {
    if (!isRefused(mail) || mail.tries.length === 0) continue
    const isGone = Providers.isGone(mail.to)
    report(
      mail.tries.length === 1 && (isGone ? mail.status === "BOUNCED" : mail.status === "FAILED" && mail.error !== null),
      () => `mail ${mail.id} to ${mail.to} was tried ${mail.tries.length} times and is ${mail.status}`
    )
    report(gone.has(mail.to) === isGone, () => `${mail.to} is ${isGone ? "not " : ""}suppressed`)
  }
}

const transactional: Check = (ledger, report) => {
  for (const mail of ledger.mails) {
    if (mail.type !== "TRANSACTIONAL") continue
    const begun = firstTry(mail)
    const isRejected = mail.status === "SUPPRESSED"
    report(
      isRejected || (begun !== undefined && begun - mail.createdAt < lateness(ledger)),
      () =>
        `transactional mail ${mail.id} of ${at(mail.createdAt)} began at ${begun === undefined ? "no time" : at(begun)}`
    )
  }
}

const ends = new Set(["SENT", "BOUNCED", "FAILED", "SUPPRESSED", "CANCELLED"])

const nothingLost: Check = (ledger, report) => {
  const known = new Map(ledger.mails.map((mail) => [mail.id, mail]))
  for (const id of ledger.accepted) report(known.has(id), () => `mail ${id} was accepted and is not in the ledger`)
  for (const [id, copies] of ledger.arrivals) {
    const mail = known.get(id)
    report(mail?.status === "SENT" && copies === 1, () => `mail ${id} arrived ${copies} times and is ${mail?.status}`)
  }
  for (const mail of ledger.mails) {
    report(ends.has(mail.status), () => `mail ${mail.id} is ${mail.status} after the month`)
    report(
      mail.status !== "SENT" || ledger.arrivals.has(mail.id),
      () => `mail ${mail.id} is SENT and did not arrive at the peer`
    )
    report(
      mail.outcomes.filter((outcome) => outcome === "accepted").length === (mail.status === "SENT" ? 1 : 0),
      () => `mail ${mail.id} is ${mail.status} and was accepted by ${mail.outcomes.join(", ")}`
    )
  }
  for (const campaign of ledger.campaigns)
    report(
      ["SENT", "DRAFT"].includes(campaign.status),
      () => `campaign ${campaign.name} is ${campaign.status} after the month`
    )
}

/** Who took mail of a campaign when it began: those of its audience that had not unsubscribed. */
const takersOf = (ledger: Ledger, startedAt: number, kind: Sent["kind"]): Ledger["contacts"] => {
  const topic = kind === "recurring" ? "topic.offers.unsubscribed" : undefined
  const left = new Set(
    ledger.events.flatMap(({ at, contact, name }) =>
      contact !== null && at < startedAt && (name === "contact.unsubscribed" || name === topic) ? [contact] : []
    )
  )
  const wanted = cohortOfKind[kind]
  return ledger.contacts.filter(({ cohort, id }) => !left.has(id) && (wanted === undefined || cohort === wanted))
}

const isHeldOut = (campaign: string, contact: string): boolean => bucket(`holdout:${campaign}`, contact) < holdoutShare

const audiences: Check = (ledger, report) => {
  const kind = kinds(ledger)
  const mails = byKey(ledger.mails, ({ campaign }) => campaign)
  for (const campaign of ledger.campaigns) {
    const of = kind.get(campaign.id)
    if (of === undefined || campaign.startedAt === null || of === "follow-up") continue
    const takers = takersOf(ledger, campaign.startedAt, of)
    const expected = of === "holdout" ? takers.filter(({ id }) => !isHeldOut(campaign.id, id)) : takers
    const reached = new Set((mails.get(campaign.id) ?? []).map(({ contact }) => contact))
    report(
      reached.size === expected.length,
      () => `${campaign.name} has ${reached.size} mails for ${expected.length} contacts`
    )
    for (const { id } of expected) report(reached.has(id), () => `${campaign.name} has no mail for ${id}`)
  }
}

const holdouts: Check = (ledger, report) => {
  const campaign = campaignOf(ledger, "holdout")
  const stats = ledger.stats.get(campaign?.id ?? "")
  const [from, ended] = [campaign?.startedAt ?? null, campaign?.completedAt ?? null]
  if (campaign === undefined || stats === undefined || from === null || ended === null)
    return report(false, () => "the campaign with a holdout did not end")
  const until = ended + spans(ledger.plan).goal * hourMillis
  const bought = new Set(
    ledger.events.flatMap(({ at, contact, name }) =>
      name === "purchase" && at >= from && at <= until ? [contact] : []
    )
  )
  const takers = takersOf(ledger, from, "holdout")
  const held = takers.filter(({ id }) => isHeldOut(campaign.id, id))
  const treated = takers.filter(({ id }) => !isHeldOut(campaign.id, id))
  for (const { id } of held)
    report(
      campaign.mails.every(({ contact }) => contact !== id),
      () => `${id} is held out and has a mail`
    )
  report(
    stats.audienceSize === treated.length && stats.holdoutSize === held.length,
    () => `${stats.audienceSize} contacts and ${stats.holdoutSize} held out, not ${treated.length} and ${held.length}`
  )
  if (treated.length === 0 || held.length === 0) return
  const rate = (group: typeof takers) => group.filter(({ id }) => bought.has(id)).length / group.length
  const { difference = Number.NaN, holdoutRate = Number.NaN, treatedRate = Number.NaN } = stats.uplift ?? {}
  report(
    treatedRate === rate(treated) && holdoutRate === rate(held) && difference === treatedRate - holdoutRate,
    () => `the uplift is ${treatedRate} over ${holdoutRate}, and the events say ${rate(treated)} over ${rate(held)}`
  )
}

const count = <A>(all: ReadonlyArray<A>, isOne: (one: A) => boolean): number =>
  all.reduce((sum, one) => (isOne(one) ? sum + 1 : sum), 0)

const left = ({ status }: Mail): boolean => status === "SENT" || status === "BOUNCED"
const wasDeferred = ({ outcomes }: Mail): boolean => outcomes.includes("deferred")

const campaignReports: Check = (ledger, report) => {
  const mails = byKey(ledger.mails, ({ campaign }) => campaign)
  for (const [id, stats] of ledger.stats) {
    const own = mails.get(id) ?? []
    const of = (status: string) => count(own, (mail) => mail.status === status)
    const expected = {
      totalRecipients: own.length,
      sentCount: count(own, left),
      pendingCount: of("PENDING"),
      bouncedCount: of("BOUNCED"),
      failedCount: of("FAILED"),
      suppressedCount: of("SUPPRESSED"),
      cancelledCount: of("CANCELLED")
    }
    for (const [field, value] of Object.entries(expected)) {
      const reported = stats[field as keyof typeof expected]
      report(reported === value, () => `campaign ${id} reports ${reported} as ${field}, and the ledger has ${value}`)
    }
    const [byVariant, byHour, byProvider] = ledger.reports.get(id) ?? []
    const keyed = (
      name: string,
      rows: ReadonlyArray<{ key: string; sent: number; bounced: number; deferred: number }>,
      key: (mail: Mail) => string
    ) => {
      const reported = new Map(rows.map((row) => [row.key, row]))
      const groups = byKey(
        own.filter((mail) => left(mail) || wasDeferred(mail)),
        key
      )
      for (const of of new Set([...reported.keys(), ...groups.keys()])) {
        const group = groups.get(of) ?? []
        const row = reported.get(of)
        for (const [field, value] of [
          ["sent", count(group, left)],
          ["bounced", count(group, ({ status }) => status === "BOUNCED")],
          ["deferred", count(group, wasDeferred)]
        ] as const) {
          const shown = row?.[field] ?? 0
          report(
            shown === value,
            () => `campaign ${id} by ${name} reports ${shown} ${field} for ${of}, and the ledger has ${value}`
          )
        }
      }
    }
    keyed("variant", byVariant?.rows ?? [], ({ variant }) => variant ?? "A")
    keyed("provider", byProvider?.rows ?? [], ({ provider }) => provider ?? "OTHER")
    const hours = new Map((byHour?.rows ?? []).map(({ key, sent }) => [key, sent]))
    const sentIn = byKey(own.filter(left), (mail) =>
      at(Math.floor((mail.sentAt ?? lastTry(mail) ?? 0) / hourMillis) * hourMillis)
    )
    for (const hour of new Set([...hours.keys(), ...sentIn.keys()])) {
      const [reported, value] = [hours.get(hour) ?? 0, sentIn.get(hour)?.length ?? 0]
      report(
        reported === value,
        () => `campaign ${id} reports ${reported} mails in ${hour}, and the ledger has ${value}`
      )
    }
  }
}

const workflowReports: Check = (ledger, report) => {
  const visits = byKey(ledger.visits, ({ step }) => step)
  const mails = byKey(ledger.mails, ({ step }) => step)
  for (const [id, { branches, executions, steps }] of ledger.journeys) {
    const own = ledger.executions.filter(({ workflow }) => workflow === id)
    const of = (status: string) => count(own, (execution: Execution) => execution.status === status)
    const expected = {
      started: own.length,
      live: of("RUNNING") + of("WAITING"),
      completed: of("COMPLETED"),
      exited: of("EXITED"),
      failed: of("FAILED"),
      cancelled: of("CANCELLED"),
      converted: count(own, ({ converted }) => converted)
    }
    for (const [field, value] of Object.entries(expected)) {
      const reported = executions[field as keyof typeof expected]
      report(reported === value, () => `workflow ${id} reports ${reported} ${field}, and the ledger has ${value}`)
    }
    for (const step of steps) {
      // Each execution has passed the trigger, without a visit.
      if (step.type === "TRIGGER") {
        report(
          step.entered === own.length && step.left === own.length,
          () => `workflow ${id} reports ${step.entered} starts`
        )
        continue
      }
      const group = visits.get(step.stepId) ?? []
      const state = (status: Visit["status"]) => count(group, (visit) => visit.status === status)
      const letters = mails.get(step.stepId) ?? []
      const values = {
        entered: group.length,
        completed: state("COMPLETED"),
        skipped: state("SKIPPED"),
        failed: state("FAILED")
      }
      for (const [field, value] of Object.entries(values)) {
        const reported = step[field as keyof typeof values]
        report(
          reported === value,
          () => `step ${step.stepId} reports ${reported} ${field}, and the ledger has ${value}`
        )
      }
      report(
        step.entered === step.left + step.waiting,
        () => `step ${step.stepId} has other visits than left and waiting ones`
      )
      if (step.mail !== null) {
        const { sent } = step.mail
        report(
          sent === count(letters, left),
          () => `step ${step.stepId} reports ${sent} mails, and the ledger has others`
        )
      }
    }
    for (const { branch, stepId, taken } of branches) {
      if (branch === null) continue
      const value = count(visits.get(stepId) ?? [], (visit) => visit.branch === branch && visit.status === "COMPLETED")
      report(taken === value, () => `step ${stepId} reports ${taken} on branch ${branch}, and the ledger has ${value}`)
    }
  }
}

const starts: Check = (ledger, report) => {
  const started = new Set(ledger.executions.map(({ trigger, workflow }) => `${workflow} ${trigger}`))
  const [once, again] = [ledger.workflows.onboarding, ledger.workflows.trials]
  for (const [workflow, name] of [
    [once, "signed_up"],
    [again, "trial"]
  ] as const) {
    const events = ledger.events.filter((event) => event.name === name)
    for (const [contact, group] of byKey(events, ({ contact }) => contact)) {
      const first = group.toSorted((one, other) => one.at - other.at)[0]
      report(started.has(`${workflow} ${first?.id}`), () => `${name} of ${contact} started no execution`)
      report(
        count(group, ({ id }) => started.has(`${workflow} ${id}`)) === 1,
        () => `${contact} started a workflow without re-entry more than once`
      )
    }
  }
}

/** Each promise by its name. */
export const promises = {
  "no contact above a frequency cap in any window": underCaps,
  "every mail that counts for caps took its place once, before its first try": counted,
  "no campaign or workflow mail begins in the quiet hours of its contact": outsideQuietHours,
  "campaign mail at local time leaves at its local hour": localTime,
  "no mail to who unsubscribed from all or from its topic": consent,
  "no mail to a suppressed address": suppressed,
  "each step once, with one mail": stepsOnce,
  "one mail of a campaign for each contact": onceForEach,
  "each campaign reaches exactly its audience": audiences,
  "a holdout gets no mail, and its uplift follows from the events alone": holdouts,
  "each first event starts its workflow once": starts,
  "no wait ends early, and windows and weekdays hold in the zone of the contact": waits,
  "exits end executions at once, and nothing follows": exits,
  "branches of a split follow from the contact": splits,
  "one variant for each cohort of an experiment": variants,
  "the winner goes out after the decision only": winner,
  "a spread campaign follows its buckets": spreadOut,
  "a campaign keeps its rate": rate,
  "nothing begins after a campaign has expired": expiry,
  "a recurring campaign is made once for each firing": recurring,
  "goals count once, for one mail, and their sums are exact": goalsOnce,
  "mail of the provider that throttles is delivered, or ends with a reason": throttled,
  "mail of the provider that refuses ends in the right state": refused,
  "transactional mail never waits for the policy": transactional,
  "reports of campaigns equal the ledger": campaignReports,
  "reports of workflows equal the ledger": workflowReports,
  "nothing is lost: each mail has an end, and arrived once": nothingLost
} as const satisfies { readonly [name: string]: Check }
export type Promise = keyof typeof promises

/** Sentences that are kept of each promise. */
const mostSentences = 1_000

export const check = (ledger: Ledger): ReadonlyArray<Checked> =>
  Object.entries(promises).map(([name, of]) => {
    let checked = 0
    const violations: Array<string> = []
    of(ledger, (isKept, sentence) => {
      checked++
      if (!isKept && violations.length < mostSentences) violations.push(sentence())
    })
    return { name, checked, violations }
  })
