/** Merges two contacts that are one person. */
import type {
  ContactId,
  ContactNotFound,
  EmailAlreadyExists,
  UpsertContact
} from "@posthorn/contract/audience/contacts/Contact"
import type { MergeContact, MergedContact } from "@posthorn/contract/audience/contacts/ContactMerge"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Conflict, ValidationError } from "@posthorn/contract/platform/Errors"
import type { Effect } from "effect"
import type { Upserted } from "./ContactStore.ts"
import type { AddressMissing } from "./Identity.ts"

export interface ContactMerges {
  /** Takes effect as a whole or not at all. With `dryRun` it only counts. */
  readonly merge: (
    project: ProjectId,
    id: ContactId,
    other: MergeContact
  ) => Effect.Effect<MergedContact, ContactNotFound | ValidationError>
  /** As `Contacts.upsert`. If id and address belong to two contacts, first merges the latter into the former. */
  readonly upsert: (
    project: ProjectId,
    input: UpsertContact
  ) => Effect.Effect<Upserted, AddressMissing | Conflict | EmailAlreadyExists | ValidationError>
}
