/**
 * The services that the steps of a test run see in place of those that store, send, call, charge or track. Everything
 * else is the service of the process, which only reads.
 */
import type { Contact } from "@posthorn/contract/audience/contacts/Contact"
import { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import { SuppressionReason } from "@posthorn/contract/audience/suppressions/Suppression"
import type { StartTestRun } from "@posthorn/contract/automation/workflows/TestRun"
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Clock, Context, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Billing } from "../../../accounts/billing/Billing.ts"
import { Projects } from "../../../accounts/projects/Projects.ts"
import { DataTooLarge } from "../../../audience/contacts/ContactConstraints.ts"
import { Contacts } from "../../../audience/contacts/Contacts.ts"
import { dataAfter, dataChange } from "../../../audience/contacts/DataChange.ts"
import { localeIn, timezoneIn } from "../../../audience/contacts/NamedData.ts"
import type { TopicsChange } from "../../../audience/contacts/TopicsChange.ts"
import { admission } from "../../../audience/optins/Admission.ts"
import { OptInRequests } from "../../../audience/optins/OptInRequests.ts"
import { AudienceRules } from "../../../audience/settings/AudienceRules.ts"
import { SuppressedAddress } from "../../../audience/suppression/SuppressedAddress.ts"
import { Topics } from "../../../audience/topics/Topics.ts"
import { EventLog } from "../../../events/EventLog.ts"
import { Ledger, type NewEmail } from "../../../mail/ledger/Ledger.ts"
import { type FrequencyEntry, placeAt } from "../../../mail/policy/FrequencyCaps.ts"
import { SendingPolicy } from "../../../mail/policy/SendingPolicy.ts"
import { deliveryEvent, type EventMail, sentEvent } from "../../../mail/sending/MailEvents.ts"
import { OutboundError, SafeFetch } from "../../../platform/outbound/SafeFetch.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { Wakeups } from "../../../platform/Wakeups.ts"
import { dataOf } from "../goals/EventTests.ts"
import { RunStore } from "../run/RunStore.ts"
import { SigningSecrets } from "../SigningSecrets.ts"
import { Allowances } from "../steps/AllowanceSql.ts"
import { ConditionQueries } from "../steps/ConditionQueries.ts"
import { Experiments } from "../steps/ExperimentSql.ts"
import { personOf, type TestMemory } from "./TestMemory.ts"

const reasons = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ reason: Schema.NullOr(SuppressionReason) })))
const isData = Schema.is(ContactData)
const utf8 = new TextEncoder()

/** The fields of the mail in events about it. */
export const eventMailOf = (email: NewEmail): EventMail => ({
  id: email.id,
  contactId: email.contactId,
  to: email.to,
  from: email.from,
  fromName: email.fromName,
  subject: email.subject,
  sourceType: email.sourceType,
  templateId: email.templateId,
  templateVersion: email.templateVersion ?? null,
  campaignId: null,
  workflowId: email.workflow?.id ?? null,
  workflowExecutionId: email.workflow?.executionId ?? null,
  recipientType: "TO",
  groupId: null,
  messageId: null,
  tags: {},
  provider: null
})

/** The clock of the process with the time of the run. */
export const clockOf = (real: Clock.Clock, memory: TestMemory): Clock.Clock => {
  const millis = () => memory.now.epochMilliseconds
  const nanos = () => BigInt(millis()) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration) => real.sleep(duration)
  }
}

/** The states of topics after a change, by their keys. `asked`: those that the contact would be asked to confirm. */
const topicsAfter = (
  before: Contact["topics"],
  { on, off, unset }: TopicsChange,
  asked: ReadonlyArray<string>,
  keys: ReadonlyMap<string, string>
): Contact["topics"] => {
  const keyed = (ids: ReadonlyArray<string>) => ids.flatMap((id) => keys.get(id) ?? [])
  const gone = new Set(keyed(unset))
  return {
    ...Object.fromEntries(Object.entries(before).filter(([key]) => !gone.has(key))),
    ...Object.fromEntries(keyed(asked).map((key) => [key, "pending" as const])),
    ...Object.fromEntries(keyed(on).map((key) => [key, "subscribed" as const])),
    ...Object.fromEntries(keyed(off).map((key) => [key, "unsubscribed" as const]))
  }
}

const listAfter = (
  list: ReadonlyArray<string> | null,
  added: ReadonlyArray<string>,
  removed: ReadonlyArray<string>
): ReadonlyArray<string> => [...new Set([...(list ?? []).filter((id) => !removed.includes(id)), ...added])]

/** Builds them for one run at a time. */
export const make = Effect.gen(function* () {
  const services = yield* Effect.context<
    | AudienceRules
    | Billing
    | ConditionQueries
    | Contacts
    | EventLog
    | Experiments
    | Ledger
    | OptInRequests
    | Projects
    | SafeFetch
    | SecureRandom.SecureRandom
    | SendingPolicy
    | SigningSecrets
    | SqlClient.SqlClient
    | SuppressedAddress
    | Topics
    | Wakeups
  >()
  const sql = Context.get(services, SqlClient.SqlClient)
  const optIns = Context.get(services, OptInRequests)
  const rules = Context.get(services, AudienceRules)
  const suppressed = Context.get(services, SuppressedAddress)
  const topics = Context.get(services, Topics)
  const projects = Context.get(services, Projects)
  const { uuidV7 } = Context.get(services, SecureRandom.SecureRandom)

  const suppressionOf = Effect.fn("TestServices.suppressionOf")(function* (project: ProjectId, address: string) {
    const [found] = yield* reasons(
      yield* sql`
        select suppression.reason from (values (${address}::text)) as address(email)
        ${suppressed.join(sql`${project}::uuid`, sql`address.email`)}`
    )
    return found?.reason ?? undefined
  }, Effect.orDie)

  const happen = Effect.fnUntraced(function* (memory: TestMemory, name: string, data: Schema.Json) {
    const id = yield* uuidV7()
    memory.happen(id, name, dataOf({ data }))
    return id
  })

  const ledgerOf = (memory: TestMemory): Ledger["Service"] => ({
    ...Context.get(services, Ledger),
    accept: Effect.fnUntraced(function* (project, emails, contents) {
      const held = new Map<EmailId, typeof SuppressionReason.Type>()
      for (const email of emails) {
        const reason = email.failed === undefined ? yield* suppressionOf(project, email.to) : undefined
        if (reason !== undefined) held.set(email.id, reason)
        const isSent = reason === undefined && email.failed === undefined
        memory.accept(
          email,
          contents.find(({ id }) => id === email.contentId),
          isSent
        )
        if (!isSent) continue
        const mail = eventMailOf(email)
        for (const { name, data } of [sentEvent(mail, memory.now), deliveryEvent(mail, memory.now)]) {
          yield* happen(memory, name, data)
        }
      }
      return held
    })
  })

  /** Changes the copy as a stored contact would be changed. What the contact would be asked to confirm is pending. */
  const contactsOf = (memory: TestMemory): Contacts["Service"] => ({
    ...Context.get(services, Contacts),
    alter: Effect.fnUntraced(function* (project, _id, change, cause) {
      const { contact, topicsOn, topicsOff } = memory.copy
      const data = dataAfter(contact.data, dataChange(change.data))
      if (!isData(data)) return yield* new DataTooLarge()
      const { state, asks, due } =
        change.asking === undefined
          ? { state: change, asks: false, due: new Set<string>() }
          : yield* admission(optIns, rules, project, change, change.asking)
      const subscribed = state.subscribed ?? contact.subscribed
      const states = state.topics ?? { on: [], off: [], unset: [] }
      const asked = [...due].filter((id) => !topicsOn?.includes(id))
      const known = yield* topics.resolve(project, [...states.on, ...states.off, ...states.unset, ...asked])
      const keys = new Map([...known.values()].map(({ id, key }) => [String(id), key]))
      const after: Contact = {
        ...contact,
        data,
        locale: localeIn(data),
        timezone: timezoneIn(data),
        subscribed,
        subscription: subscribed
          ? "subscribed"
          : asks || (contact.subscription === "pending" && change.subscribed === undefined)
            ? "pending"
            : "unsubscribed",
        topics: topicsAfter(contact.topics, states, asked, keys),
        updatedAt: memory.now
      }
      memory.copy = {
        contact: after,
        topicsOn: listAfter(topicsOn, states.on, [...states.off, ...states.unset]),
        topicsOff: listAfter(topicsOff, states.off, [...states.on, ...states.unset])
      }
      const events: Array<string> = []
      if (subscribed !== contact.subscribed) {
        const name = subscribed ? "contact.subscribed" : "contact.unsubscribed"
        events.push(yield* happen(memory, name, { reason: cause.reason }))
      }
      for (const [list, state] of [
        [states.on, "subscribed"],
        [states.off, "unsubscribed"]
      ] as const) {
        for (const topicId of list) {
          const key = keys.get(topicId)
          if (key === undefined || contact.topics[key] === state) continue
          events.push(yield* happen(memory, `topic.${key}.${state}`, { topicId, reason: cause.reason }))
        }
      }
      return { contact: after, events, topics: state.topics }
    })
  })

  const silent = { ...Context.get(services, Wakeups).executions, wake: Effect.void, wakeAll: Effect.void }
  const own = <A, E, R>(effect: Effect.Effect<A, E, R>) => effect
  const joined = Transaction.of({
    run: own,
    attempt: own,
    runRepeatable: own,
    orFind: own,
    runOrFind: own,
    afterCommit: () => Effect.void
  })

  /** In the time of the run, which no cache of the process may see. */
  const projectsOf = Effect.fnUntraced(function* (project: ProjectId) {
    const found = yield* Effect.orDie(projects.get(project))
    return Projects.of({ ...projects, getCached: () => Effect.succeed(found) })
  })

  /** Frequency caps count the mail of the run, beside what the stored contact has got. */
  const policyOf = Effect.fnUntraced(function* (memory: TestMemory, project: ProjectId) {
    const policy = Context.get(services, SendingPolicy)
    const entries: Array<FrequencyEntry> = [...(yield* policy.counted(project, memory.copy.contact.id))]
    return SendingPolicy.of({
      ...policy,
      takePlaces: (requests) =>
        Effect.sync(() => {
          const at = memory.now.epochMilliseconds
          return new Map(
            requests.map((request) => {
              const place = placeAt(request, entries, at)
              if (place === null) entries.push({ emailId: request.emailId, topicId: request.topicId, at })
              return [request, place] as const
            })
          )
        })
    })
  })

  const fetchOf = (memory: TestMemory, answers: StartTestRun["webhooks"]): SafeFetch["Service"] => {
    const { allows } = Context.get(services, SafeFetch)
    return {
      allows,
      request: ({ url }) =>
        Effect.suspend(() => {
          if (!allows(url)) return Effect.fail(new OutboundError({ reason: "url_not_allowed" }))
          const { status = 200, body = {} } = answers?.[memory.execution.currentStepId ?? ""] ?? {}
          return Effect.succeed({ status, headers: {}, body: utf8.encode(JSON.stringify(body)) })
        })
    }
  }

  return Effect.fnUntraced(function* (memory: TestMemory, project: ProjectId, answers: StartTestRun["webhooks"]) {
    const limits = new Map<string, { nextAt: number | null; windowAt: number | null; used: number }>()
    const conditions = Context.get(services, ConditionQueries)
    return Context.empty().pipe(
      Context.add(RunStore, memory.store),
      Context.add(Ledger, ledgerOf(memory)),
      Context.add(Contacts, contactsOf(memory)),
      Context.add(Projects, yield* projectsOf(project)),
      Context.add(SafeFetch, fetchOf(memory, answers)),
      Context.add(SendingPolicy, yield* policyOf(memory, project)),
      Context.add(Transaction, joined),
      Context.add(Wakeups, { ...Context.get(services, Wakeups), mail: silent, executions: silent }),
      Context.add(SigningSecrets, { ...Context.get(services, SigningSecrets), current: () => Effect.succeed([]) }),
      Context.add(Billing, {
        ...Context.get(services, Billing),
        isCapped: () => Effect.succeed(false),
        charge: () => Effect.void,
        giveBack: () => Effect.void
      }),
      Context.add(EventLog, {
        ...Context.get(services, EventLog),
        record: (_project, events) => Effect.forEach(events, ({ name, data }) => happen(memory, name, data))
      }),
      Context.add(Experiments, { ...Context.get(services, Experiments), note: () => Effect.void }),
      Context.add(Allowances, {
        lock: (steps) =>
          Effect.sync(() =>
            steps.map((step) => ({
              ...step,
              ...(limits.get(step.stepId) ?? { nextAt: null, windowAt: null, used: 0 })
            }))
          ),
        store: (steps) =>
          Effect.sync(() => {
            for (const { stepId, nextAt, windowAt, used } of steps) limits.set(stepId, { nextAt, windowAt, used })
          })
      }),
      Context.add(ConditionQueries, {
        evaluate: (id, contacts, tested, context, now) =>
          conditions.evaluate(id, contacts, tested, context, now, {
            contact: personOf(memory.copy),
            events: memory.events
          })
      })
    )
  })
})
