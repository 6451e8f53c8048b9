/** Exports and erases all data about one person, across all areas. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { PersonalData } from "@posthorn/contract/audience/contacts/ContactExport"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Option } from "effect"
import type { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { SystemMail } from "../accounts/systemmail/SystemMail.ts"
import * as Consents from "../audience/consents/Consents.ts"
import * as AbsorbSql from "../audience/contacts/AbsorbSql.ts"
import * as ContactAliases from "../audience/contacts/ContactAliases.ts"
import * as ContactBulk from "../audience/contacts/ContactBulk.ts"
import { Contacts } from "../audience/contacts/Contacts.ts"
import { DataSubjectRequests } from "../audience/contacts/DataSubjectRequests.ts"
import * as HeldMessages from "../audience/ingest/HeldMessages.ts"
import * as OptIns from "../audience/optins/OptIns.ts"
import * as PrivacyRequestStore from "../audience/privacy/PrivacyRequestStore.ts"
import * as Memberships from "../audience/segments/Memberships.ts"
import { Segments } from "../audience/segments/Segments.ts"
import type { SuppressedAddress } from "../audience/suppression/SuppressedAddress.ts"
import { Suppressions } from "../audience/suppression/Suppressions.ts"
import * as Assignments from "../automation/Assignments.ts"
import { ExecutionStore } from "../automation/workflows/executions/ExecutionStore.ts"
import { EventLog } from "../events/EventLog.ts"
import * as Views from "../insight/views/Views.ts"
import * as Emails from "../mail/ledger/Emails.ts"
import { Ledger } from "../mail/ledger/Ledger.ts"
import * as Frequency from "../mail/policy/Frequency.ts"
import { recorded } from "../platform/audit/Audited.ts"
import { IdempotencyKeys } from "../platform/http/IdempotencyKeys.ts"
import { Transaction } from "../platform/Transaction.ts"
import { DeliveryStore } from "../webhooks/DeliveryStore.ts"

export const layer: Layer.Layer<
  DataSubjectRequests,
  never,
  | ContactBulk.Needs
  | Consents.Needs
  | Contacts
  | DeliveryStore
  | Emails.Needs
  | EventLog
  | ExecutionStore
  | IdempotencyKeys
  | Ledger
  | OptIns.Needs
  | SecureRandom.SecureRandom
  | Segments
  | SqlClient.SqlClient
  | SuppressedAddress
  | Suppressions
  | SystemMail
  | Transaction
  | Views.Needs
> = Layer.effect(
  DataSubjectRequests,
  Effect.gen(function* () {
    const consents = yield* Consents.make
    const contacts = yield* Contacts
    const deliveries = yield* DeliveryStore
    const emails = yield* Emails.make
    const events = yield* EventLog
    const executions = yield* ExecutionStore
    const { imports } = yield* ContactBulk.make
    const held = yield* HeldMessages.make
    const aliases = yield* ContactAliases.make
    const merges = yield* AbsorbSql.make
    const keys = yield* IdempotencyKeys
    const ledger = yield* Ledger
    const memberships = yield* Memberships.make
    const mail = yield* SystemMail
    const optIns = yield* OptIns.make
    const privacy = yield* PrivacyRequestStore.make
    const segments = yield* Segments
    const suppressions = yield* Suppressions
    const transaction = yield* Transaction
    const views = yield* Views.make
    const frequency = yield* Frequency.make
    const assignments = yield* Assignments.make
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
        conversions: yield* executions.conversionsOf(project, id),
        assignments: yield* assignments.of(project, id),
        frequency: (yield* frequency.of(project, id)).map(({ at, ...counted }) => ({
          ...counted,
          at: DateTime.makeUnsafe(at)
        })),
        optIns: yield* optIns.ofContact(project, id),
        suppression: Option.getOrNull(yield* suppressions.find(project, contact.email)),
        consents: yield* consents.of(project, id),
        aliases: yield* aliases.of(project, id),
        heldMessages: yield* held.of(project, id),
        mergedIds: yield* merges.mergedIds(project, id),
        privacyRequests: (yield* privacy.ofContact(project, id)).map(PrivacyRequestStore.recordOf)
      } satisfies PersonalData
    })

    /** Requests for the erasure end with it. */
    const endRequests = Effect.fnUntraced(function* (
      project: ProjectId,
      id: ContactId,
      email: string,
      now: DateTime.Utc
    ) {
      const ended = yield* privacy.erase(project, id, email, now)
      for (const { id: requestId, isClosed } of ended) {
        if (!isClosed) continue
        const type = "ERASURE"
        const data = { requestId, type, status: "DONE" }
        yield* events.record(
          project,
          [{ contact: null, name: "contact.privacy_requested", source: "system", data }],
          now
        )
        yield* audit({ project, action: "privacy_request.completed", details: { requestId, type } })
      }
      return ended.length
    })

    /** `deleted` deletes the contact, if there is still one. */
    const removeAll = Effect.fnUntraced(function* <E>(
      project: ProjectId,
      id: ContactId,
      email: string,
      deleted: Effect.Effect<void, E>
    ) {
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
      yield* held.forget(project, id)
      yield* mail.forget(project, email)
      yield* deleted
      // Last, because the deletion may write the first record.
      const strippedConsents = yield* consents.erase(project, id, email)
      const strippedRequests = yield* endRequests(project, id, email, erasedAt)
      return {
        contactId: id,
        erasedAt,
        events: deletedEvents,
        emails: erasedEmails,
        executions: deletedExecutions,
        memberships: deletedMemberships,
        consents: strippedConsents + strippedRequests
      }
    })

    const erase = Effect.fn("DataSubjectRequests.erase")(function* (project: ProjectId, id: ContactId) {
      const { email } = yield* contacts.get(project, id)
      return yield* removeAll(project, id, email, contacts.delete(project, id, "contact.erased"))
    }, transaction.run)

    const eraseRemains = Effect.fn("DataSubjectRequests.eraseRemains")(
      (project: ProjectId, id: ContactId, email: string) => removeAll(project, id, email, Effect.void),
      transaction.run
    )

    return DataSubjectRequests.of({ export: exported, erase, eraseRemains })
  })
)
