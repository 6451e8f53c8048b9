/** Reads and changes the custom data of all contacts, field by field. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"
import type { ValueKind } from "./FieldKind.ts"

/** A range of contacts in the order of ids, which is the order of creation. */
export interface Span {
  /** Exclusive. No bound if absent. */
  readonly before?: ContactId | undefined
  /** Inclusive. No bound if absent. */
  readonly from?: ContactId | undefined
}

/** Storage port of fields. Every method takes the project id first, so every query is limited to one project. */
export class ContactFieldStore extends Context.Service<
  ContactFieldStore,
  {
    readonly countContacts: (project: ProjectId) => Effect.Effect<number>
    /**
     * The id of the contact `size` contacts before the end of the span. Undefined if the span has no more contacts than
     * that.
     */
    readonly boundary: (
      project: ProjectId,
      before: ContactId | undefined,
      size: number
    ) => Effect.Effect<ContactId | undefined>
    /** Counts the contacts of the span that have each top-level key, for the `most` most frequent keys. */
    readonly countKeys: (
      project: ProjectId,
      span: Span,
      most: number
    ) => Effect.Effect<ReadonlyArray<{ readonly key: string; readonly count: number }>>
    /**
     * The kinds of values of each key, from the newest contacts of the span that have it. `needs` says how many to read
     * for each key.
     */
    readonly kinds: (
      project: ProjectId,
      span: Span,
      needs: ReadonlyMap<string, number>
    ) => Effect.Effect<ReadonlyArray<{ readonly key: string; readonly kind: ValueKind }>>
    /** Distinct non-empty texts, numbers and booleans, ordered as text. */
    readonly values: (
      project: ProjectId,
      key: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<string | number | boolean>>
    readonly countHaving: (project: ProjectId, key: string) => Effect.Effect<number>
    /**
     * Removes the key from the first `limit` contacts after `after` that have it, in one statement. Returns how many
     * there were and the last id.
     */
    readonly remove: (
      project: ProjectId,
      key: string,
      after: ContactId | undefined,
      limit: number,
      now: DateTime.Utc
    ) => Effect.Effect<{ readonly count: number; readonly last: ContactId | undefined }>
  }
>()("@posthorn/core/audience/contacts/fields/ContactFieldStore") {}
