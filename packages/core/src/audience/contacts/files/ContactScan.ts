/** Reads all matching contacts, page by page. */

import type { Contact, ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type Effect } from "effect"
import type { Statement } from "effect/sql"
import type { ContactFilter } from "../ContactStore.ts"

export interface ScanFilter extends ContactFilter {
  /** From `SegmentMembers`. */
  readonly members?: Statement.Fragment | undefined
}

/** Storage port for walks over many contacts in the order of ids. Every method takes the project id first. */
export class ContactScan extends Context.Service<
  ContactScan,
  {
    readonly page: (
      project: ProjectId,
      filter: ScanFilter,
      after: ContactId | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Contact>>
    /**
     * Returns up to `most` top-level keys of the first `limit` contacts after `after`, and the id of the last of these
     * contacts.
     */
    readonly keys: (
      project: ProjectId,
      filter: ScanFilter,
      after: ContactId | undefined,
      limit: number,
      most: number
    ) => Effect.Effect<{ readonly keys: ReadonlyArray<string>; readonly last: ContactId | undefined }>
  }
>()("@posthorn/core/audience/contacts/files/ContactScan") {}
