/**
 * A model of one project in memory, by the promises of the service: its people, its emails, its campaigns. Pure except
 * for its own state.
 *
 * Emails change only while workers run, so the state between two runs is fixed. Where chance decides, as with the
 * jitter of a wait, the model takes the observed value if it is one of the allowed ones.
 */
import { maxAge, type Urgency, wait } from "@posthorn/core/mail/sending/RetryLadder"
import { Duration } from "effect"

/**
 * How the peer treats an address: it accepts, defers, reports an unknown mailbox, or disconnects after the final dot.
 */
export type Treatment = "takes" | "later" | "unknown" | "silent"

export type Status =
  | "PENDING"
  | "SENT"
  | "DELIVERED"
  | "BOUNCED"
  | "COMPLAINED"
  | "FAILED"
  | "SUPPRESSED"
  | "CANCELLED"
  | "AMBIGUOUS"

/** A time within this range, in milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The topics of the project, with what a contact is that said nothing about them. */
export const topics = { news: true, tips: false } as const
export type Topic = keyof typeof topics

export interface Person {
  /** Empty until it is observed, because an import created the contact. */
  id: string
  readonly email: string
  subscribed: boolean
  /** When its snooze ends; 0 without one. */
  snoozedUntil: number
  /** What it said about topics. */
  readonly topics: Map<Topic, "subscribed" | "unsubscribed">
  city: string | undefined
  /** Has completed the workflow. */
  welcomed: boolean
}

export const newPerson = (id: string, email: string, subscribed: boolean, city?: string): Person => ({
  ...{ id, email, subscribed, city },
  ...{ snoozedUntil: 0, topics: new Map(), welcomed: false }
})

/** What a person is asked to confirm by mail. */
export interface OptIn {
  readonly id: string
  /** Null once the contact is deleted. */
  contact: string | null
  readonly email: string
  status: "CANCELLED" | "CONFIRMED" | "DECLINED" | "EXPIRED" | "PENDING"
  subscribe: boolean
  readonly topics: Set<Topic>
  /** Whether the request created the contact. */
  readonly madeContact: boolean
  expiresAt: number
  readonly mails: Array<Mail>
}

/** What is said to be asked for: the subscription, topics, or both. */
export interface Asked {
  readonly subscribe: boolean
  readonly topics: ReadonlyArray<Topic>
}

/**
 * Rules of consent. A model that does not know one of them differs from the service, as a service would from the model
 * that did not follow the rule: `Plants.test.ts` checks that the commands show the difference.
 */
export const rules = [
  "global off wins",
  "a topic is asked",
  "a topic has a default",
  "a snooze holds mail back",
  "a suppressed address gets nothing",
  "pending is off",
  "a confirmation subscribes",
  "a confirmation is narrow",
  "an opt-in expires",
  "a no ends the opt-in",
  "a topic that was left is not confirmed",
  "who declines is not asked again",
  "a contact of a declined request goes",
  "one mail a minute",
  "a tick subscribes",
  "a page is narrow",
  "one click leaves its topic alone"
] as const
export type Rule = (typeof rules)[number]

export interface Campaign {
  readonly id: string
  status: "SENDING" | "SENT" | "CANCELLED"
  paused: boolean
}

export interface Mail {
  /** Undefined until workers have created it. */
  id: string | undefined
  /** Null once the contact is deleted. */
  contact: string | null
  readonly to: string
  readonly campaign: Campaign | undefined
  readonly source: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW"
  /** Whether only a contact that takes it gets it. */
  readonly asks: boolean
  readonly topic: Topic | undefined
  status: Status
  attempts: number
  /** Of the retry ladder. */
  step: number
  ambiguities: number
  /** AMBIGUOUS without a further attempt. */
  rests: boolean
  due: Span
  since: Span
  /** Whether it was settled as sent. */
  wasSent: boolean
  /** Its `email.sent` events: one, which is deleted with its contact. */
  told: 0 | 1
  /** Whether its bounce, or a complaint about it, has ended mail to the address. A later report changes nothing. */
  ended: { readonly [reason in "COMPLAINT" | "HARD_BOUNCE"]?: true }
}

/** An execution of the workflow: an email, a wait of an hour, an update of the contact. */
export interface Journey {
  readonly contact: string
  resumes: Span
}

const lengthOf = Duration.toMillis
const hour = lengthOf("1 hour")
const most = 3

const evidenceWait = { transactional: lengthOf("20 seconds"), bulk: lengthOf("60 seconds") }

const ranks: { readonly [status in Status]?: number } = {
  SENT: 0,
  AMBIGUOUS: 0,
  DELIVERED: 1,
  BOUNCED: 2,
  COMPLAINED: 3
}
const lifted = { delivery: "DELIVERED", bounce: "BOUNCED", complaint: "COMPLAINED" } as const
export type NoticeKind = keyof typeof lifted

const urgencyOf = ({ campaign }: Mail): Urgency => (campaign === undefined ? "transactional" : "bulk")

export const isOver = ({ rests, status }: Mail): boolean => status !== "PENDING" && (status !== "AMBIGUOUS" || rests)

/** The observed state of an email. */
export interface Seen {
  readonly status: string
  readonly attempts: number
}

export class Expected {
  private readonly forgotten: Rule | undefined

  /** `forgotten`: a rule that this model does not know. */
  constructor(forgotten?: Rule) {
    this.forgotten = forgotten
  }

  readonly people = new Map<string, Person>()
  readonly suppressed = new Map<string, "HARD_BOUNCE" | "COMPLAINT" | "MANUAL">()
  readonly mails: Array<Mail> = []
  readonly campaigns: Array<Campaign> = []
  readonly treatments = new Map<string, Treatment>()
  /** When each Idempotency-Key was used; a key is free again after a day. */
  readonly keys = new Map<string, number>()
  /** Contacts with which the workflow starts in the next run of the workers. */
  readonly waiting: Array<string> = []
  readonly journeys: Array<Journey> = []
  /** Rows of files that workers have not read yet. */
  readonly imports: Array<{ readonly email: string; readonly city: string }> = []
  readonly optIns: Array<OptIn> = []
  /** When each address was sent mails that ask for a confirmation. */
  private readonly askedAt = new Map<string, ReadonlyArray<number>>()
  private readonly begun = new Set<string>()

  private follows(rule: Rule): boolean {
    return rule !== this.forgotten
  }

  /** Whether a person takes mail that asks consent at some instant of the span, and whether at each. */
  takes(person: Person, topic: Topic | undefined, { from, to }: Span) {
    const asksTopic = topic !== undefined && this.follows("a topic is asked")
    const state = asksTopic ? person.topics.get(topic) : "subscribed"
    const isDefault = !this.follows("a topic has a default") || topics[topic ?? "news"]
    const isOn = person.subscribed || !this.follows("global off wins")
    const isWanted = isOn && (state === undefined ? isDefault : state === "subscribed")
    const until = this.follows("a snooze holds mail back") ? person.snoozedUntil : 0
    return { sometimes: isWanted && until <= to, always: isWanted && until <= from }
  }

  private isSuppressed(email: string): boolean {
    return this.suppressed.has(email) && this.follows("a suppressed address gets nothing")
  }

  openOf({ id }: Person): OptIn | undefined {
    return this.optIns.find(({ contact, status }) => contact === id && status === "PENDING")
  }

  /** What of it the person does not have. Undefined: it has all. */
  missing(person: Person, { subscribe, topics }: Asked): Asked | undefined {
    const left = topics.filter((topic) => person.topics.get(topic) !== "subscribed")
    return left.length === 0 && (person.subscribed || !subscribe)
      ? undefined
      : { subscribe: subscribe && !person.subscribed, topics: left }
  }

  /** What becomes of a mail that asks this person now. */
  mailNow({ email }: Person, now: number): "limited" | "queued" | "suppressed" {
    const times = this.askedAt.get(email) ?? []
    const within = (length: Duration.Input) => times.filter((at) => at + lengthOf(length) > now).length
    if (this.follows("one mail a minute") && (within("1 minute") >= 1 || within("24 hours") >= 10)) return "limited"
    return this.suppressed.has(email) ? "suppressed" : "queued"
  }

  /** The person was asked. `mail` is the id of the mail, if one was stored. */
  asked(person: Person, id: string, missing: Asked, madeContact: boolean, mail: string | undefined, now: number): void {
    const expiresAt = now + lengthOf("1 day")
    let open = this.openOf(person)
    if (open === undefined) {
      const { email, id: contact } = person
      const made = { ...missing, topics: new Set<Topic>(), madeContact, expiresAt, mails: [] }
      open = { id, contact, email, status: "PENDING", ...made }
      this.optIns.push(open)
    }
    open.subscribe ||= missing.subscribe
    for (const topic of missing.topics) open.topics.add(topic)
    open.expiresAt = expiresAt
    if (!this.follows("pending is off") && missing.subscribe) person.subscribed = true
    if (mail === undefined) return
    open.mails.push(this.accept({ source: "TRANSACTIONAL", id: mail }, person, { from: now, to: now }))
    this.askedAt.set(person.email, [...(this.askedAt.get(person.email) ?? []), now])
  }

  confirm(optIn: OptIn, now: number): void {
    const person = this.personOf(optIn.contact)
    if (person === undefined || optIn.status !== "PENDING") return
    if (optIn.expiresAt <= now && this.follows("an opt-in expires")) return
    optIn.status = "CONFIRMED"
    const isNew = optIn.subscribe && !person.subscribed
    if (isNew && this.follows("a confirmation subscribes")) person.subscribed = true
    for (const topic of optIn.topics) person.topics.set(topic, "subscribed")
    if (isNew && optIn.topics.size > 0 && this.follows("a confirmation is narrow")) narrow(person)
  }

  /** The person has saved the page of preferences, which shows one topic. */
  save(person: Person, topic: Topic, ticked: boolean): void {
    person.topics.set(topic, ticked ? "subscribed" : "unsubscribed")
    if (!ticked) this.leave(person, topic)
    else if (!person.subscribed && this.follows("a tick subscribes")) {
      person.subscribed = true
      if (this.follows("a page is narrow")) narrow(person)
    }
  }

  /** The person has left the topic of a mail, or everything by a mail without one. */
  click(person: Person, topic: Topic | undefined): void {
    if (topic !== undefined) {
      person.topics.set(topic, "unsubscribed")
      this.leave(person, topic)
      if (this.follows("one click leaves its topic alone")) return
    }
    person.subscribed = false
    this.refuse(person)
  }

  decline(optIn: OptIn): void {
    if (optIn.status !== "PENDING" || !this.follows("who declines is not asked again")) return
    optIn.status = "DECLINED"
    const person = this.personOf(optIn.contact)
    if (person === undefined || person.subscribed || !optIn.madeContact) return
    if (this.follows("a contact of a declined request goes")) this.erase(person)
  }

  /** The person wants nothing, so a confirmation would be a mistake. */
  refuse(person: Person): void {
    const open = this.openOf(person)
    if (open !== undefined && this.follows("a no ends the opt-in")) cancel(open)
  }

  /** The person has left the topic, so it is not asked for. */
  leave(person: Person, topic: Topic): void {
    const open = this.openOf(person)
    if (!open?.topics.has(topic) || !this.follows("a topic that was left is not confirmed")) return
    if (open.topics.size === 1) cancel(open)
    else open.topics.delete(topic)
  }

  /** Ends opt-ins whose time is over. */
  expire(now: number): void {
    for (const one of this.optIns) if (one.status === "PENDING" && one.expiresAt <= now) one.status = "EXPIRED"
  }

  personOf(contact: string | null): Person | undefined {
    return [...this.people.values()].find(({ id }) => id === contact)
  }

  /** `now` is when it was accepted. */
  accept(
    {
      asks = false,
      campaign,
      id,
      source,
      topic
    }: Partial<Pick<Mail, "asks" | "campaign" | "id" | "topic">> & Pick<Mail, "source">,
    person: Person,
    now: Span
  ): Mail {
    const isSuppressed = campaign === undefined && this.isSuppressed(person.email)
    const mail: Mail = {
      ...{
        id,
        contact: person.id,
        to: person.email,
        campaign,
        source,
        asks,
        topic,
        attempts: 0,
        step: 0,
        ambiguities: 0
      },
      ...{
        status: isSuppressed ? "SUPPRESSED" : "PENDING",
        rests: false,
        wasSent: false,
        told: 0,
        ended: {},
        due: now,
        since: now
      }
    }
    this.mails.push(mail)
    return mail
  }

  ordered(contact: string): void {
    if (!this.begun.has(contact)) this.waiting.push(contact)
    this.begun.add(contact)
  }

  erase({ email, id }: Person): void {
    this.people.delete(email)
    for (const one of this.optIns.filter(({ contact }) => contact === id)) {
      one.contact = null
      if (one.status === "PENDING") one.status = "CANCELLED"
    }
    for (const mail of this.mails) {
      if (mail.contact !== id) continue
      mail.contact = null
      mail.told = 0
      if (mail.status === "PENDING" && mail.id !== undefined) mail.status = "CANCELLED"
    }
    for (const journeys of [this.journeys.filter((each) => each.contact === id)]) {
      for (const journey of journeys) this.journeys.splice(this.journeys.indexOf(journey), 1)
    }
    if (this.waiting.includes(id)) this.waiting.splice(this.waiting.indexOf(id), 1)
  }

  notice(mail: Mail, kind: NoticeKind): void {
    const next = lifted[kind]
    if (mail.status === "AMBIGUOUS" || (ranks[mail.status] ?? 9) < (ranks[next] ?? 0)) mail.status = next
    mail.rests = false
    if (kind === "delivery") return
    this.end(mail, kind === "bounce" ? "HARD_BOUNCE" : "COMPLAINT")
  }

  /** The address of an email gets no more email. */
  private end(mail: Mail, reason: "HARD_BOUNCE" | "COMPLAINT"): void {
    if (mail.ended[reason]) return
    mail.ended = { ...mail.ended, [reason]: true }
    const { contact, to } = mail
    if (reason === "COMPLAINT" || !this.suppressed.has(to)) this.suppressed.set(to, reason)
    const person = this.personOf(contact) ?? this.people.get(to)
    if (person?.email === to) person.subscribed = false
    const open = this.optIns.find(({ email, status }) => email === to && status === "PENDING")
    if (open !== undefined) cancel(open)
  }

  /**
   * Applies a run of the workers. `died`: emails that were started and not settled when a worker died meanwhile;
   * `seen`: the observed state afterwards. Returns one sentence for each violation.
   */
  work(time: Span, died: ReadonlySet<string>, seen: ReadonlyMap<string, Seen>): ReadonlyArray<string> {
    const faults: Array<string> = []
    const due = this.mails.filter((mail) => !isOver(mail))
    const crowded = new Set(due.map(({ to }) => to).filter((to, at, all) => all.indexOf(to) !== at))
    const open = this.optIns.filter(({ status }) => status === "PENDING")
    // A bounce of another mail ends what the person is asked, with the mails that wait.
    const endangered = new Set(open.flatMap(({ email, mails }) => (this.isUnknown(email) ? mails : [])))
    // These run concurrently: the effects of one may come before or after the others.
    const chances = due.map((mail) => {
      const may = this.mayBecome(mail, time, died, crowded.has(mail.to))
      return [mail, endangered.has(mail) && crowded.has(mail.to) ? [...may, cancelled(mail)] : may] as const
    })
    for (const [mail, may] of chances) {
      const found = mail.id === undefined ? undefined : seen.get(mail.id)
      if (found === undefined) faults.push(`${told(mail)} is not there`)
      else {
        const is = may.find((next) => next.status === found.status && next.attempts === found.attempts)
        if (is === undefined) {
          const those = may.map(({ attempts, status }) => `${status} after ${attempts} tries`).join(" or ")
          faults.push(`${told(mail)} is ${found.status} after ${found.attempts} tries, not ${those}`)
        } else {
          Object.assign(mail, is)
          if (is.status === "BOUNCED") this.end(mail, "HARD_BOUNCE")
        }
      }
    }
    for (const campaign of this.campaigns) {
      const isDone = this.mails.every((mail) => mail.campaign !== campaign || isOver(mail))
      if (campaign.status === "SENDING" && isDone) campaign.status = "SENT"
      if (campaign.status === "SENT") campaign.paused = false
    }
    return faults
  }

  /** Applies the files that were read. A contact that complained is not subscribed again. */
  import(): void {
    for (const { city, email } of this.imports.splice(0)) {
      const found = this.people.get(email)
      const subscribed = this.suppressed.get(email) !== "COMPLAINT"
      if (found === undefined) this.people.set(email, newPerson("", email, subscribed, city))
      else found.city = city
    }
  }

  /** Executions that started, and those whose hour has passed. Emails of the first are accepted. */
  advance(time: Span): void {
    for (const contact of this.waiting.splice(0)) {
      const person = this.personOf(contact)
      if (person === undefined) continue
      this.accept({ source: "WORKFLOW" }, person, time)
      this.journeys.push({ contact, resumes: { from: time.from + hour, to: time.to + hour } })
    }
    for (const { contact } of this.journeys.filter(({ resumes }) => resumes.to <= time.from)) {
      const person = this.personOf(contact)
      if (person !== undefined) person.welcomed = true
    }
  }

  private isUnknown(email: string): boolean {
    return this.treatments.get(email) === "unknown"
  }

  private mayBecome(mail: Mail, time: Span, died: ReadonlySet<string>, isCrowded: boolean): ReadonlyArray<Mail> {
    const { campaign } = mail
    if (campaign?.status === "CANCELLED") return [stopped(mail)]
    // If the contact is deleted before its email is created, no email waits for the campaign.
    if (mail.status === "PENDING" && campaign?.paused === true) return [mail.contact === null ? stopped(mail) : mail]
    const isDue = mail.due.to <= time.from
    const mayBeDue = mail.due.from <= time.to
    if (!mayBeDue) return [mail]
    // An ambiguous email of a paused campaign waits on, like one that is due again.
    if (campaign?.paused === true) return [mail, { ...mail, status: "PENDING", due: time }]
    const tried = this.tried(mail, time, died, isCrowded)
    return isDue ? tried : [mail, ...tried]
  }

  private tried(mail: Mail, time: Span, died: ReadonlySet<string>, isCrowded: boolean): ReadonlyArray<Mail> {
    if (mail.campaign !== undefined && mail.contact === null) return [{ ...mail, status: "CANCELLED" }]
    const person = this.personOf(mail.contact)
    const suppressed: Mail = { ...mail, status: "SUPPRESSED" }
    if (this.isSuppressed(mail.to)) return [suppressed]
    const taken = mail.asks && person !== undefined ? this.takes(person, mail.topic, time) : undefined
    if (taken?.sometimes === false) return [suppressed]
    const refused = taken?.always === false ? [suppressed] : []
    if (mail.id !== undefined && died.has(mail.id)) return [ambiguous(mail, time), ...refused]
    const next = handedOver(mail, time, this.treatments.get(mail.to) ?? "takes")
    // Of several emails to an unknown mailbox, one may report it before the others are tried.
    return isCrowded && next.status === "BOUNCED" ? [next, suppressed] : [next, ...refused]
  }
}

export const told = ({ campaign, id, source, to }: Mail): string =>
  `The ${source} mail to ${to}${campaign === undefined ? "" : ` of campaign ${campaign.id}`} (${id ?? "not found"})`

const cancelled = (mail: Mail): Mail => (mail.status === "PENDING" ? { ...mail, status: "CANCELLED" } : mail)

/** Who signs up for some topics has not signed up for the others. */
const narrow = (person: Person): void => {
  const others = (Object.keys(topics) as ReadonlyArray<Topic>).filter((topic) => topics[topic])
  for (const topic of others) if (!person.topics.has(topic)) person.topics.set(topic, "unsubscribed")
}

/** Ends the opt-in, with its mails that wait. */
const cancel = (optIn: OptIn): void => {
  optIn.status = "CANCELLED"
  for (const mail of optIn.mails) Object.assign(mail, cancelled(mail))
}

const stopped = (mail: Mail): Mail =>
  mail.ambiguities > 0 ? { ...mail, status: "AMBIGUOUS", rests: true } : { ...mail, status: "CANCELLED" }

const later = ({ from, to }: Span, least: number, longest: number): Span => ({ from: from + least, to: to + longest })

const ambiguous = (mail: Mail, time: Span): Mail => {
  const ambiguities = mail.ambiguities + 1
  const patience = evidenceWait[urgencyOf(mail)]
  return {
    ...mail,
    ...{ status: "AMBIGUOUS", ambiguities, attempts: mail.attempts + 1, rests: ambiguities >= most },
    due: later(time, patience, patience)
  }
}

const handedOver = (mail: Mail, time: Span, treatment: Treatment): Mail => {
  const attempts = mail.attempts + 1
  switch (treatment) {
    case "takes":
      return { ...mail, status: "SENT", attempts, wasSent: true, told: 1 }
    case "unknown":
      return { ...mail, status: "BOUNCED", attempts }
    case "silent":
      return ambiguous(mail, time)
    case "later": {
      const urgency = urgencyOf(mail)
      const deadline = later(mail.since, lengthOf(maxAge(urgency)), lengthOf(maxAge(urgency)))
      if (time.from >= deadline.to) return { ...mail, status: "FAILED", attempts }
      const [least, longest] = [0, 1].map((chance) => lengthOf(wait(urgency, mail.step, chance)))
      const next = later(time, least ?? 0, longest ?? 0)
      const due = { from: Math.min(next.from, deadline.from), to: Math.min(next.to, deadline.to) }
      return { ...mail, status: "PENDING", attempts, step: mail.step + 1, due }
    }
  }
}
