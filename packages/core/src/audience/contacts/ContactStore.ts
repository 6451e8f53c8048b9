/** The storage port of contacts. */

import type {
  Contact,
  ContactId,
  ContactSource,
  EmailAlreadyExists
} from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Array, Context, type DateTime, type Effect, type Option, type Schema } from "effect"
import type { Position } from "../../platform/Cursors.ts"
import type { ConsentCause } from "../consents/ConsentProof.ts"
import type { ConsentGiven } from "../consents/ConsentSql.ts"
import type { DataTooLarge, ExternalIdTaken } from "./ContactConstraints.ts"
import type { DataChange } from "./DataChange.ts"
import type { ContactNames } from "./Identity.ts"
import type { TopicsChange } from "./TopicsChange.ts"

/** Why a subscription changed. It is the payload of the event, apart from the job. */
export type SubscriptionCause = ConsentCause

/** An event that is recorded together with its contact. */
export interface ContactEvent {
  readonly id: string
  readonly name: string
  readonly data: Schema.JsonObject | null
  /** When it happened. If absent, now. */
  readonly occurredAt?: DateTime.Utc | undefined
  /** If set, nothing reacts to it: no workflow, wait or webhook. */
  readonly isHistory?: boolean | undefined
}

/** One address to create or change. `id` is used if the contact is new. */
export interface ContactUpsert {
  readonly id: ContactId
  readonly email: string
  /** The caller's own id. If absent, an existing contact keeps its id. */
  readonly externalId?: string | undefined
  /** How a new contact is made. Null if absent. */
  readonly origin?: ContactSource | undefined
  /** The job or form that makes it. */
  readonly originId?: string | undefined
  /** Applied to new and existing contacts. If absent, an existing contact keeps its state. */
  readonly subscribed?: boolean | undefined
  /** The state of a new contact if `subscribed` is absent. Defaults to true. */
  readonly subscribedWhenNew?: boolean | undefined
  readonly topics?: TopicsChange | undefined
  /** What may change about consent, and what proves it. Recorded if it does. */
  readonly consent?: ConsentGiven | undefined
  readonly data: DataChange
  /** If set, an existing contact keeps its state and its data. */
  readonly keepKnown?: boolean | undefined
  /** Always recorded. */
  readonly event?: ContactEvent | undefined
  /** Recorded under its event name if the subscription of an existing contact changes. */
  readonly flip?: { readonly id: string; readonly cause: SubscriptionCause } | undefined
}

/** Fields to change. Absent fields keep their values. `data: "clear"` removes all custom data. */
export interface ContactChange {
  readonly email?: string | undefined
  /** Null removes it. */
  readonly externalId?: string | null | undefined
  /** Null ends the snooze. */
  readonly snoozedUntil?: DateTime.Utc | null | undefined
  readonly subscribed?: boolean | undefined
  readonly topics?: TopicsChange | undefined
  /**
   * If the contact becomes subscribed, it leaves all topics that are taken by default and that it said nothing about:
   * who signed up for some topics did not sign up for the rest.
   */
  readonly narrow?: boolean | undefined
  /** What may change about consent, and what proves it. Recorded if it does. */
  readonly consent?: ConsentGiven | undefined
  readonly data?: DataChange | "clear" | undefined
}

export interface ContactFilter {
  readonly search?: string | undefined
  readonly subscribed?: boolean | undefined
}

/** The order of a list: by the key, then by id, both in the same direction. */
export interface ContactOrder {
  readonly sort: "createdAt" | "email"
  readonly dir: "asc" | "desc"
}

export interface Upserted {
  readonly contact: Contact
  readonly isNew: boolean
  /** Whether the call changed the subscription of an existing contact. */
  readonly flipped: boolean
}

/** Whether the contact is asked to confirm something. */
export const isPending = ({ subscription, topics }: Pick<Contact, "subscription" | "topics">): boolean =>
  subscription === "pending" || Object.values(topics).includes("pending")

export interface Changed {
  readonly contact: Contact
  readonly flipped: boolean
  /** Whether the state of a topic changed. */
  readonly isTopicChanged: boolean
  /** Ids of the events about topics. */
  readonly events: ReadonlyArray<string>
}

/**
 * Storage port of contacts. Every method takes the project id first, so every query is limited to one project. `now` is
 * the caller's clock. It becomes `createdAt` and, if a stored value changes, `updatedAt`.
 */
export class ContactStore extends Context.Service<
  ContactStore,
  {
    /**
     * Creates or changes many contacts and records their events, in one statement. The addresses must be distinct.
     * Concurrent calls for one address run one after the other: exactly one sees `isNew`, and the data of all is
     * merged. The order of the result is undefined.
     */
    readonly upsert: (
      project: ProjectId,
      contacts: Array.NonEmptyReadonlyArray<ContactUpsert>,
      now: DateTime.Utc
    ) => Effect.Effect<Array.NonEmptyReadonlyArray<Upserted>, DataTooLarge | ExternalIdTaken>
    /** The same for a large number of contacts. Returns how many were new. */
    readonly upsertMany: (
      project: ProjectId,
      contacts: Array.NonEmptyReadonlyArray<ContactUpsert>,
      now: DateTime.Utc
    ) => Effect.Effect<number, DataTooLarge | ExternalIdTaken>
    readonly find: (project: ProjectId, id: ContactId) => Effect.Effect<Option.Option<Contact>>
    /** These contacts, and those that have one of the addresses or one of the ids, in the order of their addresses. */
    readonly named: (
      project: ProjectId,
      names: ReadonlyArray<ContactNames>,
      also?: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<Contact>>
    /** As `named`. Locks them against changes until the caller's transaction ends. */
    readonly holdNamed: (
      project: ProjectId,
      names: ReadonlyArray<ContactNames>,
      also?: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<Contact>>
    /** As `find`. Locks the contact against changes until the caller's transaction ends. */
    readonly hold: (project: ProjectId, id: ContactId) => Effect.Effect<Option.Option<Contact>>
    /** Changes a contact in one statement. Returns none if the contact does not exist. */
    readonly update: (
      project: ProjectId,
      id: ContactId,
      change: ContactChange,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Changed>, EmailAlreadyExists | DataTooLarge | ExternalIdTaken>
    /** Unsubscribes the contact with this address if it is subscribed. */
    readonly unsubscribe: (
      project: ProjectId,
      email: string,
      consent: ConsentGiven,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Changed>>
    /** Returns true if a contact was deleted. The first record of a contact that has none is written. */
    readonly delete: (project: ProjectId, id: ContactId, now: DateTime.Utc) => Effect.Effect<boolean>
    /**
     * Returns up to `limit` contacts after `after`, or from the start. `total` is the result of `count`, if it was
     * requested.
     */
    readonly list: (
      project: ProjectId,
      filter: ContactFilter,
      order: ContactOrder,
      limit: number,
      after?: Position,
      total?: number
    ) => Effect.Effect<ReadonlyArray<Contact>>
    readonly count: (project: ProjectId, filter: ContactFilter) => Effect.Effect<number>
    /** Contacts whose address contains the text: any of them, in any order. */
    readonly containing: (project: ProjectId, text: string, limit: number) => Effect.Effect<ReadonlyArray<Contact>>
    /** Contacts whose address begins with the text, ordered by address. */
    readonly startingWith: (project: ProjectId, text: string, limit: number) => Effect.Effect<ReadonlyArray<Contact>>
  }
>()("@posthorn/core/audience/contacts/ContactStore") {}
