/** Exports or erases all data about one person. */
import type { ContactId, ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import type { Erasure, PersonalData } from "@posthorn/contract/audience/contacts/ContactExport"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type Effect } from "effect"

/** A service, because HTTP handlers call it and an area above this one implements it. */
export class DataSubjectRequests extends Context.Service<
  DataSubjectRequests,
  {
    /** The contact with its events, mails, segments, executions and suppression. */
    readonly export: (project: ProjectId, id: ContactId) => Effect.Effect<PersonalData, ContactNotFound>
    /**
     * Deletes the contact, removes address, names and content from the records of its mail, and removes its address
     * from stored responses and webhook deliveries. A suppression of the address stays in force, but only a keyed hash
     * of the address is kept. Requests of the person about their data end, and those for an erasure are done. Takes
     * effect as a whole or not at all. Records no event but those of such requests, which name no contact.
     */
    readonly erase: (project: ProjectId, id: ContactId) => Effect.Effect<Erasure, ContactNotFound>
    /** The same for a person whose contact is deleted already. */
    readonly eraseRemains: (project: ProjectId, id: ContactId, email: string) => Effect.Effect<Erasure>
  }
>()("@posthorn/core/service/DataSubjectRequests") {}
