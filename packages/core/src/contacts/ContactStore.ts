/** Where contacts live. */

import type { ProjectId } from "@posthorn/contract/Auth"
import type { Contact, ContactId, EmailAlreadyExists } from "@posthorn/contract/contacts/Contact"
import { type Array, Context, type DateTime, type Effect, type Option, type Schema } from "effect"
import type { Position } from "../Cursors.ts"
import type { DataChange } from "./DataChange.ts"
import type { DataTooLarge } from "./DataTooLarge.ts"

/** Why a subscription changed: the payload of its event (contract 17). */
export interface SubscriptionCause {
  readonly reason:
    | "api"
    | "send"
    | "track"
    | "import"
    | "bulk"
    | "page"
    | "one_click"
    | "workflow"
    | "bounce"
    | "complaint"
  readonly emailId?: string
  readonly campaignId?: string
}

/** What a contact did, recorded with the contact itself. */
export interface TrackedEvent {
  readonly id: string
  readonly name: string
  readonly data: Schema.JsonObject | null
}

/** One address to create or change; `id` is used when it is new. */
export interface ContactUpsert {
  readonly id: ContactId
  readonly email: string
  /** Applied to new and known contacts; absent: a known one keeps its state. */
  readonly subscribed?: boolean | undefined
  /** The state of a new contact when `subscribed` is absent; true unless said otherwise. */
  readonly subscribedWhenNew?: boolean | undefined
  readonly data: DataChange
  /** Recorded in any case. */
  readonly event?: TrackedEvent | undefined
  /** Recorded as the event of its name if the subscription of a known contact changes. */
  readonly flip?: { readonly id: string; readonly cause: SubscriptionCause } | undefined
}

/** Fields to change; absent ones stay. `data: "clear"` removes all custom data. */
export interface ContactChange {
  readonly email?: string | undefined
  readonly subscribed?: boolean | undefined
  readonly data?: DataChange | "clear" | undefined
}

export interface ContactFilter {
  readonly search?: string | undefined
  readonly subscribed?: boolean | undefined
}

/** Order of a list: by the key, then by id, both in the same direction. */
export interface ContactOrder {
  readonly sort: "createdAt" | "email"
  readonly dir: "asc" | "desc"
}

export interface Upserted {
  readonly contact: Contact
  readonly isNew: boolean
  /** The call changed the subscription of a contact that existed. */
  readonly flipped: boolean
}

export type Changed = Omit<Upserted, "isNew">

/**
 * Storage port of contacts. Every method takes the project first: no query without it.
 * `now` is the caller's clock and becomes `createdAt` and, where a stored value changes, `updatedAt`.
 */
export class ContactStore extends Context.Service<
  ContactStore,
  {
    /**
     * Creates or changes many contacts, and records their events, in one statement; the addresses are distinct.
     * Concurrent calls for one address take turns: exactly one sees `isNew`, the data of all is merged. The result comes
     * in no particular order.
     */
    readonly upsert: (
      project: ProjectId,
      contacts: Array.NonEmptyReadonlyArray<ContactUpsert>,
      now: DateTime.Utc
    ) => Effect.Effect<Array.NonEmptyReadonlyArray<Upserted>, DataTooLarge>
    /** The same for very many; tells how many were new. */
    readonly upsertMany: (
      project: ProjectId,
      contacts: Array.NonEmptyReadonlyArray<ContactUpsert>,
      now: DateTime.Utc
    ) => Effect.Effect<number, DataTooLarge>
    readonly find: (project: ProjectId, id: ContactId) => Effect.Effect<Option.Option<Contact>>
    /** Changes a contact in one statement; none when there is no such contact. */
    readonly update: (
      project: ProjectId,
      id: ContactId,
      change: ContactChange,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Changed>, EmailAlreadyExists | DataTooLarge>
    /** Unsubscribes whoever has this address and is subscribed. */
    readonly unsubscribe: (
      project: ProjectId,
      email: string,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Changed>>
    /** True when there was something to delete. */
    readonly delete: (project: ProjectId, id: ContactId) => Effect.Effect<boolean>
    /** Up to `limit` contacts behind `after` (from the start without it). `total` is what `count` told, where it was asked. */
    readonly list: (
      project: ProjectId,
      filter: ContactFilter,
      order: ContactOrder,
      limit: number,
      after?: Position,
      total?: number
    ) => Effect.Effect<ReadonlyArray<Contact>>
    readonly count: (project: ProjectId, filter: ContactFilter) => Effect.Effect<number>
  }
>()("@posthorn/core/contacts/ContactStore") {}
