/** All contacts of a kind, one page behind the other. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { Contact, ContactId } from "@posthorn/contract/contacts/Contact"
import { Context, type Effect } from "effect"
import type { Statement } from "effect/sql"
import type { ContactFilter } from "../ContactStore.ts"

export interface ScanFilter extends ContactFilter {
  /** Of `SegmentMembers`. */
  readonly members?: Statement.Fragment | undefined
}

/** Storage port of walks over many contacts, in the order of their ids. Every method takes the project first. */
export class ContactScan extends Context.Service<
  ContactScan,
  {
    readonly page: (
      project: ProjectId,
      filter: ScanFilter,
      after: ContactId | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Contact>>
    /** Up to `most` top-level keys that any of the first `limit` contacts behind `after` has, and the last of these. */
    readonly keys: (
      project: ProjectId,
      filter: ScanFilter,
      after: ContactId | undefined,
      limit: number,
      most: number
    ) => Effect.Effect<{ readonly keys: ReadonlyArray<string>; readonly last: ContactId | undefined }>
  }
>()("@posthorn/core/contacts/files/ContactScan") {}
