/** Merges two contacts that are one person, across all areas. */

import { type ContactId, ContactNotFound, type UpsertContact } from "@posthorn/contract/audience/contacts/Contact"
import { type MergeContact, maxMerged } from "@posthorn/contract/audience/contacts/ContactMerge"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Array, Data, DateTime, Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { dataTooLarge } from "../audience/contacts/ContactConstraints.ts"
import type { ContactMerges } from "../audience/contacts/ContactMerges.ts"
import { Contacts } from "../audience/contacts/Contacts.ts"
import * as Memberships from "../audience/segments/Memberships.ts"
import { Segments } from "../audience/segments/Segments.ts"
import { ExecutionStore } from "../automation/workflows/executions/ExecutionStore.ts"
import { EventLog } from "../events/EventLog.ts"
import { Ledger } from "../mail/ledger/Ledger.ts"
import { failpoint } from "../platform/Failpoint.ts"
import { countOf } from "../platform/Queries.ts"
import { Transaction } from "../platform/Transaction.ts"

/** What a dry run found. Its transaction is rolled back with it. */
class Counted<A> extends Data.TaggedError("Counted")<{ readonly result: A }> {}

export const make: Effect.Effect<
  ContactMerges,
  never,
  Contacts | EventLog | ExecutionStore | Ledger | Segments | SqlClient.SqlClient | Transaction
> = Effect.gen(function* () {
  const contacts = yield* Contacts
  const events = yield* EventLog
  const executions = yield* ExecutionStore
  const ledger = yield* Ledger
  const memberships = yield* Memberships.make
  const segments = yield* Segments
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction

  /** Whether a contact has more records than one transaction may move. */
  const isTooLarge = (project: ProjectId, contact: ContactId) => {
    const some = (table: string) => sql`
      (select 1 from ${sql(table)} where project_id = ${project} and contact_id = ${contact} limit ${maxMerged + 1})`
    return Effect.map(
      countOf(sql`select count(*)::int as count from (${some("events")} union all ${some("emails")}) as records`),
      (count) => count > maxMerged
    )
  }

  const named = Effect.fnUntraced(function* (project: ProjectId, { contactId, externalId, email }: MergeContact) {
    if (contactId != null) return { id: contactId, field: "contactId" }
    const names = { email: email ?? undefined, externalId: externalId ?? undefined }
    const { found } = yield* contacts.identify(project, [names])
    const person = Result.getOrUndefined(Array.getUnsafe(found, 0))
    if (person?.id === undefined) return yield* new ContactNotFound({ id: externalId ?? email ?? "" })
    return { id: person.id, field: externalId != null ? "externalId" : "email" }
  })

  const move = Effect.fnUntraced(function* (project: ProjectId, stays: ContactId, from: ContactId, field: string) {
    const now = yield* DateTime.now
    // Segments are locked before contacts, and contacts before their mails and executions.
    const joined = yield* memberships.joined(project, from, stays)
    yield* failpoint("after_merge_step")
    const held = yield* contacts.holdPair(project, [stays, from])
    const [own, gone] = [stays, from].map((id) => held.find((contact) => contact.id === id))
    // Says which contact has taken its place, if there is one.
    if (own === undefined || gone === undefined) {
      yield* contacts.get(project, own === undefined ? stays : from)
      return yield* new ContactNotFound({ id: own === undefined ? stays : from })
    }
    if (yield* isTooLarge(project, from)) {
      const message = `The contact has more than ${maxMerged} events and mails.`
      return yield* ValidationError.one(field, "too_big", message)
    }
    yield* failpoint("after_merge_step")
    const movedEvents = yield* events.move(project, from, stays)
    yield* failpoint("after_merge_step")
    const movedEmails = yield* ledger.moveContact(project, from, own, now)
    yield* failpoint("after_merge_step")
    const movedExecutions = yield* executions.moveOf(project, from, stays, now)
    yield* failpoint("after_merge_step")
    for (const id of joined) {
      yield* Effect.catchTag(
        segments.addMembers(project, id, { emails: [own.email] }),
        ["SEGMENT_NOT_FOUND", "CONFLICT"],
        Effect.die
      )
      yield* failpoint("after_merge_step")
    }
    yield* memberships.forget(project, [from])
    yield* failpoint("after_merge_step")
    const contact = yield* Effect.catchTag(contacts.absorb(project, stays, gone), "DataTooLarge", dataTooLarge)
    yield* failpoint("after_merge_step")
    return {
      contact,
      merged: {
        events: movedEvents,
        emails: movedEmails,
        executions: movedExecutions,
        memberships: joined.length
      }
    }
  })

  const merge = Effect.fn("ContactMerges.merge")(function* (project: ProjectId, id: ContactId, other: MergeContact) {
    const { id: from, field } = yield* named(project, other)
    if (from === id) return yield* ValidationError.one(field, "custom", "A contact cannot be merged into itself.")
    if (other.dryRun !== true) return yield* move(project, id, from, field)
    const before = yield* contacts.get(project, id)
    // Does everything and takes it back, so that it counts what the merge would do.
    const counted = transaction.attempt(
      Effect.flatMap(move(project, id, from, field), (result) => Effect.fail(new Counted({ result })))
    )
    return yield* Effect.catchTag(counted, "Counted", ({ result: { merged } }) =>
      Effect.succeed({ contact: before, merged })
    )
  }, transaction.run)

  const upsert = Effect.fn("ContactMerges.upsert")(
    (project: ProjectId, input: UpsertContact) =>
      Effect.catchTag(contacts.upsert(project, input), "EMAIL_ALREADY_EXISTS", (refusal) =>
        Effect.gen(function* () {
          const { found } = yield* contacts.identify(project, [{ externalId: input.externalId ?? undefined }])
          const owner = Result.getOrUndefined(Array.getUnsafe(found, 0))
          if (owner?.id === undefined || input.email == null) return yield* refusal
          // A contact that is gone meanwhile leaves its address.
          yield* Effect.catchTag(
            merge(project, owner.id, { email: input.email }),
            "CONTACT_NOT_FOUND",
            () => Effect.void
          )
          return yield* contacts.upsert(project, input)
        })
      ),
    transaction.run
  )

  return { merge, upsert } satisfies ContactMerges
})
