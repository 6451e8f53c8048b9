/** Who is in a segment: by its condition now, and on record. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { Contact, ContactId } from "@posthorn/contract/contacts/Contact"
import type { Condition } from "@posthorn/contract/filters/Condition"
import type { SegmentId } from "@posthorn/contract/segments/Segment"
import { Context, type DateTime, type Effect } from "effect"
import type { FilterScope } from "../filters/FilterScope.ts"
import type { Slice } from "../OffsetPages.ts"

/** The contacts of a project that a condition holds for, at one time. */
export interface Audience {
  readonly condition: Condition
  readonly scope: FilterScope
}

/** Which contacts are looked at: these; or, in the order of ids, those behind `after` until at most `limit` have moved. */
export type Scope =
  | { readonly contacts: ReadonlyArray<ContactId> }
  | { readonly limit: number; readonly after: ContactId | undefined }

/** Who joined or left in one step. */
export interface Moved {
  /** In the order of ids. */
  readonly contacts: ReadonlyArray<ContactId>
  /** Behind whom to look on; nothing when all have been looked at. */
  readonly next: ContactId | undefined
}

/** An address that was given, with its contact. */
export interface Addressed {
  readonly email: string
  readonly contact: ContactId
}

/**
 * Storage port of members. Every method takes the project first, but where the audience has it: no query without it.
 * What changes the members of a segment is called under the lock of the segment, and joins the caller's transaction.
 */
export class SegmentMemberStore extends Context.Service<
  SegmentMemberStore,
  {
    /** Contacts that match. */
    readonly count: (audience: Audience) => Effect.Effect<number>
    /** Contacts that match, newest first. */
    readonly list: (audience: Audience, slice: Slice) => Effect.Effect<ReadonlyArray<Contact>>
    /** Whether this contact does. */
    readonly matches: (audience: Audience, contact: ContactId) => Effect.Effect<boolean>
    /** Members on record. */
    readonly countStored: (project: ProjectId, segment: SegmentId) => Effect.Effect<number>
    /** Members that were added by hand, newest first. */
    readonly listAdded: (project: ProjectId, segment: SegmentId, slice: Slice) => Effect.Effect<ReadonlyArray<Contact>>
    /** Of the addresses those that have no contact. */
    readonly unknown: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
    /** Makes the contacts with these addresses members; tells all that there are, and which of them are new members. */
    readonly add: (
      project: ProjectId,
      segment: SegmentId,
      emails: ReadonlyArray<string>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Addressed & { readonly isNew: boolean }>>
    /** Tells who was a member. */
    readonly remove: (
      project: ProjectId,
      segment: SegmentId,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Addressed>>
    /** Puts those on record who match and are not. */
    readonly join: (segment: SegmentId, audience: Audience, scope: Scope) => Effect.Effect<Moved>
    /** Strikes those off who are on record and do not match. */
    readonly leave: (segment: SegmentId, audience: Audience, scope: Scope) => Effect.Effect<Moved>
    /** Puts all who match on record, of a segment without any; tells how many. */
    readonly fill: (segment: SegmentId, audience: Audience) => Effect.Effect<number>
    /** Strikes all off. */
    readonly clear: (project: ProjectId, segment: SegmentId) => Effect.Effect<void>
  }
>()("@posthorn/core/segments/SegmentMemberStore") {}
