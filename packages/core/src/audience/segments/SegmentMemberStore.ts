/** The storage port of segment members, both current matches and stored members. */

import type { Contact, ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import type { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"
import type { Slice } from "../../platform/OffsetPages.ts"
import type { FilterScope } from "../filters/FilterScope.ts"

/** The contacts of a project for which a condition holds at one time. */
export interface Audience {
  readonly condition: Condition
  readonly scope: FilterScope
}

/**
 * Which contacts to evaluate: the given ones, or, in the order of ids, those after `after` until at most `limit` have
 * moved.
 */
export type Scope =
  | { readonly contacts: ReadonlyArray<ContactId> }
  | { readonly limit: number; readonly after: ContactId | undefined }

/** The contacts that joined or left in one step. */
export interface Moved {
  /** In the order of ids. */
  readonly contacts: ReadonlyArray<ContactId>
  /** Where the next step continues. Absent when all contacts were evaluated. */
  readonly next: ContactId | undefined
}

/** A given address with its contact. */
export interface Addressed {
  readonly email: string
  readonly contact: ContactId
}

/**
 * Storage port of members. Every method takes the project id first, unless the audience contains it, so every query is
 * limited to one project. Methods that change the members of a segment require the lock of the segment and join the
 * caller's transaction.
 */
export class SegmentMemberStore extends Context.Service<
  SegmentMemberStore,
  {
    /** The number of matching contacts. */
    readonly count: (audience: Audience) => Effect.Effect<number>
    /** Matching contacts, newest first. */
    readonly list: (audience: Audience, slice: Slice) => Effect.Effect<ReadonlyArray<Contact>>
    readonly matches: (audience: Audience, contact: ContactId) => Effect.Effect<boolean>
    /** The number of stored members. */
    readonly countStored: (project: ProjectId, segment: SegmentId) => Effect.Effect<number>
    /** Members that were added by hand, newest first. */
    readonly listAdded: (project: ProjectId, segment: SegmentId, slice: Slice) => Effect.Effect<ReadonlyArray<Contact>>
    /** The given addresses that have no contact. */
    readonly unknown: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
    /**
     * Adds the contacts with these addresses as members. Returns all contacts found, and which of them are new members.
     */
    readonly add: (
      project: ProjectId,
      segment: SegmentId,
      emails: ReadonlyArray<string>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Addressed & { readonly isNew: boolean }>>
    /** Returns the contacts that were members. */
    readonly remove: (
      project: ProjectId,
      segment: SegmentId,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Addressed>>
    /** Stores matching contacts that are not members yet. */
    readonly join: (segment: SegmentId, audience: Audience, scope: Scope) => Effect.Effect<Moved>
    /** Removes stored members that do not match. */
    readonly leave: (segment: SegmentId, audience: Audience, scope: Scope) => Effect.Effect<Moved>
    /** Stores all matching contacts of a segment that has no members. Returns how many. */
    readonly fill: (segment: SegmentId, audience: Audience) => Effect.Effect<number>
    /** Removes all stored members. */
    readonly clear: (project: ProjectId, segment: SegmentId) => Effect.Effect<void>
  }
>()("@posthorn/core/audience/segments/SegmentMemberStore") {}
