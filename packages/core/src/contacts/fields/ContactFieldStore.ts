/** The custom data of all contacts, seen field by field. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactId } from "@posthorn/contract/contacts/Contact"
import { Context, type DateTime, type Effect } from "effect"
import type { ValueKind } from "./FieldKind.ts"

/** Some contacts in the order of their ids, which is that of their creation. */
export interface Span {
  /** Exclusive; absent: no bound. */
  readonly before?: ContactId | undefined
  /** Inclusive; absent: no bound. */
  readonly from?: ContactId | undefined
}

/** Storage port of fields. Every method takes the project first: no query without it. */
export class ContactFieldStore extends Context.Service<
  ContactFieldStore,
  {
    readonly countContacts: (project: ProjectId) => Effect.Effect<number>
    /** The id `size` contacts before the end of the span, or undefined when it has no more than these. */
    readonly boundary: (
      project: ProjectId,
      before: ContactId | undefined,
      size: number
    ) => Effect.Effect<ContactId | undefined>
    /** How many contacts of the span have each top-level key; of the `most` that most have. */
    readonly countKeys: (
      project: ProjectId,
      span: Span,
      most: number
    ) => Effect.Effect<ReadonlyArray<{ readonly key: string; readonly count: number }>>
    /** The kinds of a key's values in the newest contacts of the span that have it, as many as `needs` says of it. */
    readonly kinds: (
      project: ProjectId,
      span: Span,
      needs: ReadonlyMap<string, number>
    ) => Effect.Effect<ReadonlyArray<{ readonly key: string; readonly kind: ValueKind }>>
    /** Different texts that are not empty, numbers and booleans, ordered as text. */
    readonly values: (
      project: ProjectId,
      key: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<string | number | boolean>>
    readonly countHaving: (project: ProjectId, key: string) => Effect.Effect<number>
    /**
     * Takes the key from the first `limit` contacts behind `after` that have it: how many they were, and the last of them.
     * In one statement.
     */
    readonly remove: (
      project: ProjectId,
      key: string,
      after: ContactId | undefined,
      limit: number,
      now: DateTime.Utc
    ) => Effect.Effect<{ readonly count: number; readonly last: ContactId | undefined }>
  }
>()("@posthorn/core/contacts/fields/ContactFieldStore") {}
