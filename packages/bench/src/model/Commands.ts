/** The commands of the model test, drawn at random. Each changes the service and the model alike. */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import * as OptIns from "@posthorn/core/audience/optins/OptIns"
import { PublicLinks } from "@posthorn/core/platform/links/PublicLinks"
import { RequestLinks } from "@posthorn/core/platform/links/RequestLinks"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import * as Comparison from "./Comparison.ts"
import {
  type Asked,
  type Expected,
  isOver,
  type NoticeKind,
  newPerson,
  type Person,
  type Span,
  type Topic,
  type Treatment
} from "./Expected.ts"
import type { Death, Installation, Services } from "./Installation.ts"
import type { Project } from "./Project.ts"

/** The service, and a function to run its effects as promises. */
export interface Real {
  readonly installation: Installation
  readonly project: Project
  readonly promise: <A>(effect: Effect.Effect<A>) => Promise<A>
}

export type Command = fc.AsyncCommand<Expected, Real>

const say = (name: string, given: object) => `${name}${JSON.stringify(given)}`

/** A command with its precondition. */
const command = (
  name: string,
  given: object,
  run: (expected: Expected, real: Real) => Effect.Effect<void, never, Services>,
  isPossible: (expected: Expected) => boolean = () => true
): Command => ({
  check: isPossible,
  run: (expected, real) => real.promise(real.installation.run(run(expected, real))),
  toString: () => say(name, given)
})

const addresses = ["ada", "bob", "cleo", "dan", "eve"]
const addressOf = (name: string, { project }: Real) => `${name}@${project.name}.example.com`
const nameOf = ({ email }: Person) => email.split("@")[0]
const known = (expected: Expected, name: string) =>
  [...expected.people.values()].find((person) => nameOf(person) === name)

const now: Effect.Effect<Span> = Effect.map(
  Effect.clockWith((clock) => clock.currentTimeMillis),
  (at) => ({ from: at, to: at })
)

const fail = (faults: ReadonlyArray<string>) =>
  faults.length === 0 ? Effect.void : Effect.die(new Error(faults.join("\n")))

const person = (expected: Expected, email: string, id: string, isSubscribed: boolean): Person => {
  const found = expected.people.get(email)
  if (found !== undefined) return found
  const made = newPerson(id, email, isSubscribed)
  expected.people.set(email, made)
  return made
}

/** A command about a person that is there. */
const about = <Given extends { readonly name: string }>(
  title: string,
  given: Given,
  run: (one: Person, expected: Expected, project: Project) => Effect.Effect<void, never, Services>
): Command =>
  command(
    title,
    given,
    (expected, { project }) =>
      Effect.suspend(() => {
        const one = known(expected, given.name)
        return one === undefined ? Effect.void : run(one, expected, project)
      }),
    (expected) => known(expected, given.name) !== undefined
  )

const upsert = (given: { readonly name: string; readonly subscribed: boolean | undefined; readonly city: string }) =>
  command("Upsert", given, (expected, real) =>
    Effect.gen(function* () {
      const { city, name, subscribed } = given
      const email = addressOf(name, real)
      const isNew = !expected.people.has(email)
      const body = { email, data: { city }, ...(subscribed !== undefined && { subscribed }) }
      const { id } = yield* real.project.must(isNew ? 201 : 200, "POST", "/contacts", body)
      const one = person(expected, email, id, true)
      one.city = city
      one.subscribed = subscribed ?? one.subscribed
      if (subscribed === false) expected.refuse(one)
    })
  )

export const subscribe = (given: { readonly name: string; readonly subscribed: boolean }) =>
  about("Subscribe", given, (one, expected, project) =>
    Effect.gen(function* () {
      yield* project.must(200, "PATCH", `/contacts/${one.id}`, { subscribed: given.subscribed })
      one.subscribed = given.subscribed
      if (!given.subscribed) expected.refuse(one)
    })
  )

/** Zero hours end the snooze. */
export const snooze = (given: { readonly name: string; readonly hours: number }) =>
  about("Snooze", given, (one, _, project) =>
    Effect.gen(function* () {
      const at = yield* now
      one.snoozedUntil = given.hours === 0 ? 0 : at.from + Duration.toMillis(Duration.hours(given.hours))
      const snoozedUntil = given.hours === 0 ? null : new Date(one.snoozedUntil).toISOString()
      yield* project.must(200, "PATCH", `/contacts/${one.id}`, { snoozedUntil })
    })
  )

/** Says yes or no to a topic, or takes back what was said. */
export const choose = (given: {
  readonly name: string
  readonly topic: Topic
  readonly state: "subscribed" | "unsubscribed" | "unset"
}) =>
  about("Choose", given, (one, expected, project) =>
    Effect.gen(function* () {
      const { state, topic } = given
      yield* project.must(200, "PATCH", `/contacts/${one.id}`, { topics: { [topic]: state } })
      if (state === "unset") one.topics.delete(topic)
      else one.topics.set(topic, state)
      if (state === "unsubscribed") expected.leave(one, topic)
    })
  )

/** Saves the page of preferences, which shows one topic. */
export const save = (given: { readonly name: string; readonly topic: Topic; readonly ticked: boolean }) =>
  about("Save", given, (one, expected, project) =>
    Effect.gen(function* () {
      const { ticked, topic } = given
      const { token } = yield* project.must(200, "GET", `/contacts/${one.id}/links`)
      yield* project.page(`/manage/${token}`, { action: "save", shown: topic, ...(ticked && { topic }) })
      expected.save(one, topic, ticked)
    })
  )

/** The one-click request of a mailbox provider, for mail of a topic or of none. */
export const click = (given: { readonly name: string; readonly topic: Topic | undefined }) =>
  about("Click", given, (one, expected, project) =>
    Effect.gen(function* () {
      const { topic: key } = given
      const topic = key && String((yield* project.must(200, "GET", `/topics/${key}`)).id)
      const token = yield* PublicLinks.use((links) =>
        links.token("unsubscribe", {
          ...{ project: ProjectId.make(project.id), contact: ContactId.make(one.id), email: null },
          ...(topic !== undefined && { topic })
        })
      )
      yield* project.page(`/unsubscribe/${token}`, { "List-Unsubscribe": "One-Click" })
      expected.click(one, key)
    })
  )

const noteAsked = Effect.fnUntraced(function* (
  expected: Expected,
  project: Project,
  one: Person,
  missing: Asked,
  madeContact: boolean
) {
  const { from: at } = yield* now
  const before = expected.openOf(one)
  const all: ReadonlyArray<{ readonly id: string; readonly status: string; readonly emailIds: ReadonlyArray<string> }> =
    yield* project.must(200, "GET", `/contacts/${one.id}/opt-ins`)
  const [optIn, ...others] = all.filter(({ status }) => status === "PENDING")
  if (optIn === undefined || others.length > 0 || (before !== undefined && before.id !== optIn.id)) {
    return yield* fail([`${one.email} is asked by ${JSON.stringify(all)}, not ${before?.id}`])
  }
  const mail = optIn.emailIds.find((id) => before?.mails.every((mail) => mail.id !== id) ?? true)
  expected.asked(one, optIn.id, missing, madeContact, mail, at)
})

/** By a write of a contact, which may create it. */
export const signUp = (given: {
  readonly name: string
  readonly topics: ReadonlyArray<Topic>
  readonly by: "PATCH" | "POST"
}) =>
  command(
    "SignUp",
    given,
    (expected, real) =>
      Effect.gen(function* () {
        const { by, name, topics } = given
        const { project } = real
        const email = addressOf(name, real)
        const before = expected.people.get(email)
        const states = Object.fromEntries(topics.map((topic) => [topic, "subscribed"]))
        const body = { subscribed: true, doubleOptIn: true, ...(topics.length > 0 && { topics: states }) }
        const answer = yield* by === "PATCH" && before !== undefined
          ? project.must(200, "PATCH", `/contacts/${before.id}`, body)
          : project.must(before === undefined ? 201 : 200, "POST", "/contacts", { email, ...body })
        const one = person(expected, email, answer.id, false)
        const missing = expected.missing(one, { subscribe: true, topics })
        const { from: at } = yield* now
        const mail = missing === undefined ? undefined : expected.mailNow(one, at)
        if (answer.optIn?.mail !== mail) yield* fail([`The mail to ${email} is ${answer.optIn?.mail}, not ${mail}`])
        if (missing !== undefined) yield* noteAsked(expected, project, one, missing, before === undefined)
      }),
    (expected) => given.by === "POST" || known(expected, given.name) !== undefined
  )

/** By the address of opt-ins, which refuses what is in vain. */
export const ask = (given: {
  readonly name: string
  readonly subscribe: boolean
  readonly topics: ReadonlyArray<Topic>
}) =>
  about("Ask", given, (one, expected, project) =>
    Effect.gen(function* () {
      const { subscribe, topics } = given
      const missing = expected.missing(one, { subscribe, topics })
      const { from: at } = yield* now
      const isRefused = expected.suppressed.has(one.email) || missing === undefined
      const status = isRefused ? 409 : expected.mailNow(one, at) === "limited" ? 429 : 202
      yield* project.must(status, "POST", `/contacts/${one.id}/opt-in`, { subscribe, topics })
      if (status === 202 && missing !== undefined) yield* noteAsked(expected, project, one, missing, false)
    })
  )

/** Runs the job that ends opt-ins whose time is over. */
const expire = (expected: Expected) =>
  Effect.gen(function* () {
    yield* Effect.flatMap(OptIns.make, (optIns) => optIns.advance)
    expected.expire((yield* now).from)
  })

/** Opens a link in a mail, and perhaps presses a button; `late` waits until the opt-in is over. */
export const answer = (given: { readonly which: number; readonly by: "confirm" | "decline" | "late" | "look" }) =>
  command(
    "Answer",
    given,
    (expected, { project }) =>
      Effect.gen(function* () {
        const { by, which } = given
        // The newest are answered most often.
        const one = expected.optIns.at(-1 - (which % Math.max(1, expected.optIns.length)))
        if (one === undefined) return
        const { from: before } = yield* now
        if (by === "late" && one.status === "PENDING") {
          yield* TestClock.adjust(Duration.millis(one.expiresAt - before + 1_000))
        }
        const link = yield* RequestLinks.use((links) =>
          links.url("confirm", { project: ProjectId.make(project.id), id: one.id })
        )
        const { pathname } = new URL(link)
        yield* project.page(pathname)
        if (by !== "look") yield* project.page(pathname, { [by === "decline" ? "decline" : "confirm"]: "1" })
        if (by === "decline") expected.decline(one)
        else if (by !== "look") expected.confirm(one, (yield* now).from)
        yield* expire(expected)
      }),
    ({ optIns }) => optIns.length > 0
  )

const erase = (given: { readonly name: string }) =>
  about("Delete", given, (one, expected, project) =>
    Effect.gen(function* () {
      yield* project.must(204, "DELETE", `/contacts/${one.id}`)
      expected.erase(one)
    })
  )

const track = (given: { readonly name: string }) =>
  command("Track", given, (expected, real) =>
    Effect.gen(function* () {
      const email = addressOf(given.name, real)
      const id = yield* real.project.track(email)
      expected.ordered(person(expected, email, id, true).id)
    })
  )

/**
 * Workers read the file. With two files, they would be read concurrently. An email in transmission to a deleted contact
 * could bounce before or after the contact exists again.
 */
const importFile = (given: { readonly names: ReadonlyArray<string>; readonly city: string }) =>
  command(
    "Import",
    given,
    (expected, real) =>
      Effect.gen(function* () {
        const rows = given.names.map((name) => ({ email: addressOf(name, real), city: given.city }))
        yield* real.project.import(rows)
        expected.imports.push(...rows)
      }),
    ({ imports, mails }) => imports.length === 0 && mails.every((mail) => isOver(mail) || mail.contact !== null)
  )

export const suppress = (given: { readonly name: string }) =>
  command("Suppress", given, (expected, real) =>
    Effect.gen(function* () {
      const email = addressOf(given.name, real)
      yield* real.project.must(expected.suppressed.has(email) ? 200 : 201, "POST", "/suppressions", { email })
      if (!expected.suppressed.has(email)) expected.suppressed.set(email, "MANUAL")
    })
  )

const lift = (given: { readonly name: string }) =>
  command("Lift", given, (expected, real) =>
    Effect.gen(function* () {
      const email = addressOf(given.name, real)
      yield* real.project.must(expected.suppressed.has(email) ? 204 : 404, "DELETE", `/suppressions/${email}`)
      expected.suppressed.delete(email)
    })
  )

/** With a key, so that the same request can be repeated. */
export const send = (given: { readonly names: ReadonlyArray<string>; readonly key: number }) =>
  command("Send", given, (expected, real) =>
    Effect.gen(function* () {
      const { ask, from } = real.project
      const to = given.names.map((name) => addressOf(name, real))
      const key = `${given.key} ${given.names}`
      const { status, body } = yield* ask(
        "POST",
        "/v1/send",
        { from, to, subject: "Hello", body: "<p>Hello</p>" },
        { "idempotency-key": key }
      )
      const at = yield* now
      const used = expected.keys.get(key)
      if (used !== undefined && at.from < used + Duration.toMillis("1 day"))
        return yield* status === 409 ? Effect.void : fail([`A used key was answered ${status}`])
      if (status !== 200) return yield* fail([`A mail was answered ${status} ${JSON.stringify(body)}`])
      expected.keys.set(key, at.from)
      for (const [place, made] of body.data.emails.entries()) {
        const one = person(expected, to[place] ?? "", made.contact.id, false)
        expected.accept({ source: "TRANSACTIONAL", id: made.email }, one, at)
      }
    })
  )

/** One mail that asks consent, without a campaign. */
export const offer = (given: { readonly name: string; readonly topic: Topic | undefined }) =>
  about("Offer", given, (one, expected, project) =>
    Effect.gen(function* () {
      const at = yield* now
      const { topic } = given
      const isTaken = expected.takes(one, topic, at).always
      const body = { to: one.email, template: project.offer, ...(topic !== undefined && { topic }) }
      const answer = yield* project.must(isTaken ? 200 : 422, "POST", "/v1/send", body)
      if (!isTaken) return
      const id = answer.data.emails[0].email
      expected.accept({ source: "TRANSACTIONAL", asks: true, id, topic }, one, at)
    })
  )

const campaign = (given: { readonly topic: Topic | undefined }) =>
  command(
    "Campaign",
    given,
    (expected, { project }) =>
      Effect.gen(function* () {
        const at = yield* now
        const audience = [...expected.people.values()].filter((one) => expected.takes(one, given.topic, at).always)
        if (audience.length === 0) return
        const draft = {
          name: "News",
          subject: "News",
          body: "<p>Hi {{city}}</p>",
          from: project.from,
          audienceType: "ALL",
          ...(given.topic !== undefined && { topicId: given.topic })
        }
        const { id } = (yield* project.must(201, "POST", "/campaigns", draft)).data
        yield* project.must(200, "POST", `/campaigns/${id}/send`, {})
        const made = { id, status: "SENDING" as const, paused: false }
        expected.campaigns.push(made)
        for (const one of audience)
          expected.accept({ source: "CAMPAIGN", asks: true, campaign: made, topic: given.topic }, one, at)
      }),
    ({ people }) => [...people.values()].some(({ subscribed }) => subscribed)
  )

const changes = {
  unset: ({ name, topic = "tips" }: Regretting) => choose({ name, topic, state: "unset" }),
  leave: ({ name, topic = "news" }: Regretting) => choose({ name, topic, state: "unsubscribed" }),
  snooze: ({ name }: Regretting) => snooze({ name, hours: 30 }),
  unsubscribe: ({ name }: Regretting) => subscribe({ name, subscribed: false })
}

interface Regretting {
  readonly name: string
  readonly topic: Topic | undefined
}

/** A contact takes the mail, and no longer wants it when a worker claims it. */
const regret = (
  given: Regretting & { readonly by: "campaign" | "offer"; readonly change: keyof typeof changes }
): Command => {
  const { by, change, name, topic } = given
  const parts = [
    ...(topic === undefined ? [] : [choose({ name, topic, state: "subscribed" })]),
    by === "campaign" ? campaign({ topic }) : offer({ name, topic }),
    changes[change](given)
  ]
  return {
    check: (expected: Expected) => known(expected, name) !== undefined && parts.every((part) => part.check(expected)),
    run: async (expected, real) => {
      for (const part of parts) await part.run(expected, real)
    },
    toString: () => say("Regret", given)
  }
}

const steer = (given: { readonly what: "cancel" | "pause" | "resume"; readonly which: number }) => {
  const chosen = ({ campaigns }: Expected) => {
    const running = campaigns.filter(({ status }) => status === "SENDING")
    return running[given.which % Math.max(1, running.length)]
  }
  return command(
    "Steer",
    given,
    (expected, { project }) =>
      Effect.gen(function* () {
        const { which: _, what } = given
        const one = chosen(expected)
        if (one === undefined) return
        yield* project.must(200, "POST", `/campaigns/${one.id}/${what}`, {})
        if (what === "cancel") one.status = "CANCELLED"
        one.paused = what === "pause"
      }),
    (expected) => {
      const one = chosen(expected)
      return one !== undefined && (given.what === "cancel" || one.paused === (given.what === "resume"))
    }
  )
}

const notice = (given: { readonly kind: NoticeKind; readonly which: number }) => {
  const chosen = ({ mails }: Expected) => {
    const gone = mails.filter(({ status }) =>
      ["SENT", "DELIVERED", "BOUNCED", "COMPLAINED", "AMBIGUOUS"].includes(status)
    )
    return gone[given.which % Math.max(1, gone.length)]
  }
  let notices = 0
  return command(
    "Notice",
    given,
    (expected, { project }) =>
      Effect.gen(function* () {
        const mail = chosen(expected)
        if (mail?.id === undefined) return
        yield* project.notice(mail.id, given.kind, `${mail.id}-${given.kind}-${++notices}`)
        expected.notice(mail, given.kind)
      }),
    (expected) => chosen(expected) !== undefined
  )
}

const treat = (given: { readonly name: string; readonly treatment: Treatment }) =>
  command("Treat", given, (expected, real) =>
    Effect.sync(() => void expected.treatments.set(addressOf(given.name, real), given.treatment))
  )

const wait = (given: { readonly minutes: number }) =>
  command("Wait", given, (expected) =>
    Effect.andThen(TestClock.adjust(Duration.minutes(given.minutes)), expire(expected))
  )

const restart: Command = {
  check: () => true,
  run: (_, { installation, promise }) => promise(installation.restart),
  toString: () => "Restart{}"
}

const look = (expected: Expected, { installation, project, promise }: Real, death?: Death) =>
  promise(
    Effect.gen(function* () {
      const worked = yield* installation.work(death)
      yield* installation.run(expire(expected))
      yield* fail(yield* installation.run(Comparison.differences(expected, project, worked, installation.copies)))
    })
  )

export const work = (death?: Death): Command => ({
  check: () => true,
  run: (expected, real) => look(expected, real, death),
  toString: () => (death === undefined ? "Work{}" : say("Kill", death))
})

/** Three people are there, so that most commands have somebody to act on. */
export const begin = async (expected: Expected, real: Real): Promise<void> => {
  for (const each of addresses.slice(0, 3)) {
    await upsert({ name: each, subscribed: true, city: "Bonn" }).run(expected, real)
  }
}

/** All addresses accept email again, and time passes until nothing is in progress. */
export const end = async (expected: Expected, real: Real): Promise<void> => {
  const { installation, project, promise } = real
  for (const address of expected.treatments.keys()) expected.treatments.set(address, "takes")
  for (const one of expected.campaigns.filter(({ paused }) => paused)) {
    await promise(installation.run(project.must(200, "POST", `/campaigns/${one.id}/resume`, {})))
    one.paused = false
  }
  for (const hours of [0, 2, 80]) {
    await promise(installation.run(Effect.andThen(TestClock.adjust(Duration.hours(hours)), expire(expected))))
    await look(expected, real)
  }
  await promise(fail(Comparison.unfinished(expected)))
}

const name = fc.constantFrom(...addresses)
const window = fc.constantFrom<Death["window"]>(
  ...["after_claim" as const, "after_begin" as const, "after_reply" as const, "after_settle" as const],
  ...["before_step_commit" as const, "after_step_commit" as const, "after_reactions" as const]
)

/** `replayPath`: from the output of a failure. */
export const commands = (most: number, replayPath?: string) => {
  const sending = fc.record({ names: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }), key: fc.nat(2) }).map(send)
  const working = fc.constant(undefined).map(work)
  const topic = fc.constantFrom<Topic | undefined>(undefined, "news", "tips")
  const running = fc.record({ topic }).map(campaign)
  const offering = fc.record({ name, topic }).map(offer)
  const choosing = fc
    .record({
      name,
      topic: fc.constantFrom<Topic>("news", "tips"),
      state: fc.constantFrom("subscribed" as const, "unsubscribed" as const, "unset" as const)
    })
    .map(choose)
  const saving = fc.record({ name, topic: fc.constantFrom<Topic>("news", "tips"), ticked: fc.boolean() }).map(save)
  const clicking = fc.record({ name, topic }).map(click)
  const snoozing = fc.record({ name, hours: fc.constantFrom(0, 1, 3, 30, 60) }).map(snooze)
  const regretting = fc
    .record({
      ...{ name, topic, by: fc.constantFrom("campaign" as const, "offer" as const) },
      change: fc.constantFrom(...(Object.keys(changes) as ReadonlyArray<keyof typeof changes>))
    })
    .map(regret)
  const asked = fc.uniqueArray(fc.constantFrom<Topic>("news", "tips"), { maxLength: 2 })
  const signing = fc
    .record({ name, topics: asked, by: fc.constantFrom("PATCH" as const, "POST" as const, "POST" as const) })
    .map(signUp)
  // Addresses that are not there at the beginning, so that the request often makes the contact.
  const joining = fc
    .record({ name: fc.constantFrom(...addresses.slice(3)), topics: asked, by: fc.constant("POST" as const) })
    .map(signUp)
  const asking = fc
    .record({ name, subscribe: fc.boolean(), topics: asked })
    .map(({ subscribe, ...rest }) => ask({ ...rest, subscribe: subscribe || rest.topics.length === 0 }))
  const answering = fc
    .record({
      which: fc.constantFrom(0, 0, 0, 1, 2),
      by: fc.constantFrom("confirm" as const, "confirm" as const, "decline" as const, "late" as const, "look" as const)
    })
    .map(answer)
  const drawn = fc.commands(
    [
      fc
        .record({ name, subscribed: fc.constantFrom(true, false, undefined), city: fc.constantFrom("Bonn", "Oslo") })
        .map(upsert),
      fc.record({ name, subscribed: fc.boolean() }).map(subscribe),
      ...[choosing, saving, clicking, snoozing, regretting, regretting],
      ...[signing, joining, asking, answering, answering, answering],
      fc.record({ name }).map(erase),
      fc.record({ name }).map(track),
      fc
        .record({ names: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }), city: fc.constantFrom("Rome", "Kyiv") })
        .map(importFile),
      fc.record({ name }).map(suppress),
      fc.record({ name }).map(lift),
      ...[sending, sending, working, working],
      ...[running, running],
      ...[offering, offering],
      fc
        .record({ what: fc.constantFrom("cancel" as const, "pause" as const, "resume" as const), which: fc.nat(3) })
        .map(steer),
      fc
        .record({
          kind: fc.constantFrom("delivery" as const, "bounce" as const, "complaint" as const),
          which: fc.nat(9)
        })
        .map(notice),
      fc.record({ name, treatment: fc.constantFrom<Treatment>("takes", "later", "unknown", "silent") }).map(treat),
      fc.record({ minutes: fc.constantFrom(2, 10, 70, 300, 1_500) }).map(wait),
      fc.constant(restart),
      fc.record({ window, visit: fc.integer({ min: 1, max: 3 }) }).map(work)
    ],
    { maxCommands: most, size: "max", ...(replayPath !== undefined && { replayPath }) }
  )
  // Small runs find little here.
  return fc.noBias(drawn)
}
