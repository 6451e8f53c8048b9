/** Everything that is held about one person: to be shown, or erased (contract 12.17). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactId, ContactNotFound } from "@posthorn/contract/contacts/Contact"
import type { Erasure, PersonalData } from "@posthorn/contract/contacts/ContactExport"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Emails } from "../emails/Emails.ts"
import { Ledger } from "../emails/Ledger.ts"
import { EventLog } from "../events/EventLog.ts"
import { IdempotencyKeys } from "../http/IdempotencyKeys.ts"
import { Suppressions } from "../suppression/Suppressions.ts"
import { Transaction } from "../Transaction.ts"
import { Contacts } from "./Contacts.ts"
import { ContactTies } from "./ContactTies.ts"
import { ContactImport } from "./files/ContactImport.ts"

export class Persons extends Context.Service<
  Persons,
  {
    /** The contact with its events, mails, segments, executions and suppression. */
    readonly export: (project: ProjectId, id: ContactId) => Effect.Effect<PersonalData, ContactNotFound>
    /**
     * Deletes the contact, strips the records of its mail, takes its address out of what callers and endpoints of webhooks
     * are told again, and keeps of the suppression of its address a keyed hash alone, so that it still holds. All of it or
     * nothing; emits no event.
     */
    readonly erase: (project: ProjectId, id: ContactId) => Effect.Effect<Erasure, ContactNotFound>
  }
>()("@posthorn/core/contacts/Persons") {}

export const layer: Layer.Layer<
  Persons,
  never,
  ContactImport | Contacts | ContactTies | Emails | EventLog | IdempotencyKeys | Ledger | Suppressions | Transaction
> = Layer.effect(
  Persons,
  Effect.gen(function* () {
    const contacts = yield* Contacts
    const emails = yield* Emails
    const events = yield* EventLog
    const imports = yield* ContactImport
    const keys = yield* IdempotencyKeys
    const ledger = yield* Ledger
    const suppressions = yield* Suppressions
    const ties = yield* ContactTies
    const transaction = yield* Transaction

    const exported = Effect.fn("Persons.export")(function* (project: ProjectId, id: ContactId) {
      const contact = yield* contacts.get(project, id)
      return {
        exportedAt: yield* DateTime.now,
        contact,
        events: yield* events.of(project, id),
        emails: yield* emails.toPerson(project, id, contact.email),
        ...(yield* ties.of(project, id)),
        suppression: Option.getOrNull(yield* suppressions.find(project, contact.email))
      } satisfies PersonalData
    })

    const erase = Effect.fn("Persons.erase")(function* (project: ProjectId, id: ContactId) {
      const { email } = yield* contacts.get(project, id)
      const erasedAt = yield* DateTime.now
      // First: this waits for workers that hold one of the events, so what they make of it is found by what follows.
      const removed = yield* events.forget(project, id)
      const cut = yield* ties.cut(project, id, email)
      const stripped = yield* ledger.erase(project, id, email, erasedAt)
      yield* suppressions.erase(project, email)
      yield* imports.forget(project, email)
      yield* keys.forget(project, email)
      yield* contacts.delete(project, id)
      return { contactId: id, erasedAt, events: removed, emails: stripped, ...cut }
    }, transaction.run)

    return Persons.of({ export: exported, erase })
  })
)
