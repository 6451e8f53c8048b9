/** Exports and erases all data about one person, across all areas. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { PersonalData } from "@posthorn/contract/audience/contacts/ContactExport"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ContactBulk } from "../audience/contacts/ContactBulk.ts"
import { Contacts } from "../audience/contacts/Contacts.ts"
import { DataSubjectRequests } from "../audience/contacts/DataSubjectRequests.ts"
import * as Memberships from "../audience/segments/Memberships.ts"
import { Segments } from "../audience/segments/Segments.ts"
import { Suppressions } from "../audience/suppression/Suppressions.ts"
import { ExecutionStore } from "../automation/workflows/executions/ExecutionStore.ts"
import { EventLog } from "../events/EventLog.ts"
import { Views } from "../insight/views/Views.ts"
import { Emails } from "../mail/ledger/Emails.ts"
import { Ledger } from "../mail/ledger/Ledger.ts"
import { recorded } from "../platform/audit/Audited.ts"
import { IdempotencyKeys } from "../platform/http/IdempotencyKeys.ts"
import { Transaction } from "../platform/Transaction.ts"
import { DeliveryStore } from "../webhooks/DeliveryStore.ts"

export const layer: Layer.Layer<
  DataSubjectRequests,
  never,
  | ContactBulk
  | Contacts
  | DeliveryStore
  | Emails
  | EventLog
  | ExecutionStore
  | IdempotencyKeys
  | Ledger
  | Segments
  | SqlClient.SqlClient
  | Suppressions
  | Transaction
  | Views
> = Layer.effect(
  DataSubjectRequests,
  Effect.gen(function* () {
    const contacts = yield* Contacts
    const deliveries = yield* DeliveryStore
    const emails = yield* Emails
    const events = yield* EventLog
    const executions = yield* ExecutionStore
    const { imports } = yield* ContactBulk
    const keys = yield* IdempotencyKeys
    const ledger = yield* Ledger
    const memberships = yield* Memberships.make
    const segments = yield* Segments
    const suppressions = yield* Suppressions
    const transaction = yield* Transaction
    const views = yield* Views
    const audit = recorded(yield* SqlClient.SqlClient)

    const exported = Effect.fn("DataSubjectRequests.export")(function* (project: ProjectId, id: ContactId) {
      const contact = yield* contacts.get(project, id)
      yield* audit({ project, action: "contacts.exported", details: { contactId: id } })
      return {
        exportedAt: yield* DateTime.now,
        contact,
        events: yield* events.of(project, id),
        emails: yield* emails.toPerson(project, id, contact.email),
        segments: (yield* segments.ofContact(project, id)).map(({ id, name }) => ({ id, name })),
        executions: yield* executions.ofContact(project, id),
        suppression: Option.getOrNull(yield* suppressions.find(project, contact.email))
      } satisfies PersonalData
    })

    const erase = Effect.fn("DataSubjectRequests.erase")(function* (project: ProjectId, id: ContactId) {
      const { email } = yield* contacts.get(project, id)
      const erasedAt = yield* DateTime.now
      // First, because it waits for workers that hold one of the events. So the next steps find what those workers
      // write.
      const deletedEvents = yield* events.forget(project, id)
      yield* deliveries.deleteOf(project, id, email)
      const deletedExecutions = yield* executions.deleteOf(project, id)
      const deletedMemberships = yield* memberships.forget(project, [id])
      const erasedEmails = yield* ledger.erase(project, id, email, erasedAt)
      yield* suppressions.erase(project, email)
      yield* imports.forget(project, email)
      yield* keys.forget(project, email)
      yield* views.forget(project, email)
      yield* contacts.delete(project, id, "contact.erased")
      return {
        contactId: id,
        erasedAt,
        events: deletedEvents,
        emails: erasedEmails,
        executions: deletedExecutions,
        memberships: deletedMemberships
      }
    }, transaction.run)

    return DataSubjectRequests.of({ export: exported, erase })
  })
)
