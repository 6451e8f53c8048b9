/** The emails of a project, as its callers read, cancel and retry them. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type {
  Email,
  EmailContent,
  EmailDetail,
  EmailId,
  EmailPage,
  EmailQuery,
  UpdateEmail
} from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SenderDomainUnverified, ValidationError } from "@posthorn/contract/platform/Errors"
import { type BadRequest, Conflict, type InvalidCursor, ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { Projects } from "../../accounts/projects/Projects.ts"
import { SenderDomains } from "../../content/templates/SenderDomains.ts"
import { byCreation, cursorPage } from "../../platform/CursorPages.ts"
import { Cursors, type Position } from "../../platform/Cursors.ts"
import { dateRange } from "../../platform/DateRange.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import { asksConsent } from "../Eligibility.ts"
import { DeliveryQueue } from "../sending/DeliveryQueue.ts"
import { MessageBuilder } from "../sending/MessageBuilder.ts"
import { sendTime } from "../sending/SendTime.ts"
import { isByTime } from "./EmailListSql.ts"
import * as EmailSql from "./EmailSql.ts"
import { timeline } from "./Timeline.ts"

/** Reads, cancels and retries emails. */
export interface Emails {
  readonly list: (project: ProjectId, query: EmailQuery) => Effect.Effect<EmailPage, BadRequest | InvalidCursor>
  readonly get: (project: ProjectId, id: EmailId) => Effect.Effect<EmailDetail, ResourceNotFound>
  /** Fails unless the mail is of test mode. */
  readonly requireTest: (project: ProjectId, id: EmailId) => Effect.Effect<void, ResourceNotFound>
  /** As rendered. Reading it does not count as an open. */
  readonly content: (project: ProjectId, id: EmailId) => Effect.Effect<EmailContent, ResourceNotFound>
  /** The whole signed message, without tracked links and pixel. Not found once its content was deleted. */
  readonly raw: (project: ProjectId, id: EmailId) => Effect.Effect<Uint8Array, ResourceNotFound>
  /** Sets another time for a scheduled mail. A compare-and-set: mail that is already queued keeps its state. */
  readonly update: (
    project: ProjectId,
    id: EmailId,
    input: UpdateEmail
  ) => Effect.Effect<Email, Conflict | ResourceNotFound | ValidationError>
  /** Cancels a scheduled or queued mail. A mail that a worker has claimed cannot be cancelled. */
  readonly cancel: (project: ProjectId, id: EmailId) => Effect.Effect<Email, Conflict | ResourceNotFound>
  /** Queues a failed or ambiguous mail again, with the same Message-ID, if it may still be sent. */
  readonly retry: (
    project: ProjectId,
    id: EmailId
  ) => Effect.Effect<Email, Conflict | ResourceNotFound | SenderDomainUnverified>
  /** Mail to this contact, and mail without a contact to its address; oldest first. */
  readonly toPerson: (project: ProjectId, contact: ContactId, address: string) => Effect.Effect<ReadonlyArray<Email>>
}

const byTime = ({ scheduledFor, createdAt, id }: Email): Position => ({
  key: DateTime.formatIso(scheduledFor ?? createdAt),
  id
})

const notFound = (id: string) => new ResourceNotFound({ resource: "email", id })

export type Needs =
  | MessageBuilder
  | Cursors
  | DeliveryQueue
  | SqlClient.SqlClient
  | Wakeups
  | Projects
  | SenderDomains
  | Transaction

export const make: Effect.Effect<Emails, never, Needs> = Effect.gen(function* () {
  const store = yield* EmailSql.make
  const cursors = yield* Cursors
  const projects = yield* Projects
  const domains = yield* SenderDomains
  const queue = yield* DeliveryQueue
  const builder = yield* MessageBuilder
  const { mail: wakeup } = yield* Wakeups
  const transaction = yield* Transaction

  const list = Effect.fn("Emails.list")(function* (project: ProjectId, query: EmailQuery) {
    const { cursor, limit: _, startDate, endDate, ...wanted } = query
    const { timezone } = yield* Effect.orDie(projects.getCached(project))
    const filter = { ...wanted, ...(yield* dateRange({ startDate, endDate }, timezone)) }
    const scope = JSON.stringify(["emails", project, wanted, startDate, endDate])
    return yield* cursorPage(
      cursors,
      { scope, cursor, limit: pageSize(query) },
      {
        count: store.count(project, filter),
        list: (limit, after) => store.list(project, filter, limit, after),
        positionOf: isByTime(filter) ? byTime : byCreation
      }
    )
  })

  const find = Effect.fnUntraced(function* (project: ProjectId, id: EmailId) {
    const found = yield* store.find(project, id)
    if (Option.isNone(found)) return yield* notFound(id)
    return found.value
  })

  const get = Effect.fn("Emails.get")(function* (project: ProjectId, id: EmailId) {
    const history = yield* store.history(project, id)
    if (Option.isNone(history)) return yield* notFound(id)
    const { email, attempts } = history.value
    return { ...email, attemptLog: attempts, timeline: timeline(history.value) }
  })

  const requireTest = Effect.fn("Emails.requireTest")(function* (project: ProjectId, id: EmailId) {
    const { mode } = yield* find(project, id)
    if (mode !== "TEST") return yield* notFound(id)
  })

  /** The mail with its text. None for mail of a campaign before its first try. */
  const written = Effect.fnUntraced(function* (project: ProjectId, id: EmailId) {
    const mail = yield* queue.peek(project, id)
    if (Option.isNone(mail) || mail.value.personal === null) return mail
    if (mail.value.personal.frozen === null) return Option.none()
    return yield* Effect.option(Effect.map(builder.write(mail.value), ({ mail }) => mail))
  })

  const content = Effect.fn("Emails.content")(function* (project: ProjectId, id: EmailId) {
    const { subject, headers } = yield* find(project, id)
    const stored = yield* store.content(project, id)
    if (Option.isNone(stored)) return yield* notFound(id)
    if (stored.value.text !== null) return { subject, headers, ...stored.value }
    const mail = Option.getOrUndefined(yield* written(project, id))
    return { subject, headers, ...stored.value, html: mail?.html ?? null, text: mail?.text ?? null }
  })

  const raw = Effect.fn("Emails.raw")(function* (project: ProjectId, id: EmailId) {
    const mail = yield* written(project, id)
    if (Option.isNone(mail) || mail.value.text === null) return yield* notFound(id)
    return yield* Effect.mapError(builder.build({ ...mail.value, tracking: false }), () => notFound(id))
  })

  const update = Effect.fn("Emails.update")(function* (project: ProjectId, id: EmailId, input: UpdateEmail) {
    if (input.scheduledFor === undefined) return yield* find(project, id)
    const now = yield* DateTime.now
    const time = yield* sendTime(input.scheduledFor, now)
    const moved = yield* store.reschedule(project, id, time, now)
    if (Option.isNone(moved)) {
      const { status } = yield* find(project, id)
      return yield* new Conflict({ reason: "not_scheduled", status, allowed: ["SCHEDULED"] })
    }
    if (time === null) yield* transaction.afterCommit(wakeup.wake)
    return moved.value
  })

  const cancel = Effect.fn("Emails.cancel")(function* (project: ProjectId, id: EmailId) {
    const cancelled = yield* store.cancel(project, id, yield* DateTime.now)
    if (Option.isSome(cancelled)) return cancelled.value
    const email = yield* find(project, id)
    if (email.status === "CANCELLED") return email
    return yield* new Conflict({ reason: "not_cancellable", status: email.status, allowed: ["SCHEDULED", "PENDING"] })
  })

  /** Fails if the mail may not be sent any more. */
  const mayBeSent = Effect.fnUntraced(function* (project: ProjectId, id: EmailId) {
    const mail = Option.getOrUndefined(yield* queue.peek(project, id))
    if (mail === undefined) return yield* notFound(id)
    if (mail.text === null && mail.personal === null) return yield* new Conflict({ reason: "content_purged" })
    yield* domains.requireVerified(project, mail.from)
    if (mail.suppression !== null) return yield* new Conflict({ reason: "suppressed" })
    if (mail.refusal !== null && asksConsent(mail.type, mail.sourceType, mail.topicId)) {
      return yield* new Conflict({ reason: "contact_unsubscribed" })
    }
  })

  const retry = Effect.fn("Emails.retry")(function* (project: ProjectId, id: EmailId) {
    const { status } = yield* find(project, id)
    const refused = new Conflict({ reason: "not_retryable", status, allowed: ["FAILED", "AMBIGUOUS"] })
    if (status !== "FAILED" && status !== "AMBIGUOUS") return yield* refused
    yield* mayBeSent(project, id)
    const retried = yield* store.retry(project, id, yield* DateTime.now)
    if (Option.isNone(retried)) return yield* refused
    yield* transaction.afterCommit(wakeup.wake)
    return retried.value
  })

  return { list, get, requireTest, content, raw, update, cancel, retry, toPerson: store.toPerson } satisfies Emails
})
