/** The storage port of the suppression list. */

import type { Suppression, SuppressionCause } from "@posthorn/contract/audience/suppressions/Suppression"
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Array, Context, type DateTime, type Effect, type Option } from "effect"
import type { Position } from "../../platform/Cursors.ts"
import type { DateRange } from "../../platform/DateRange.ts"

export interface SuppressionFilter extends DateRange {
  readonly reason?: SuppressionCause | undefined
  readonly search?: string | undefined
}

/** An address to add to the list. `id` is used if the address is new there. */
export interface NewSuppression {
  readonly id: string
  readonly email: string
}

/** Storage port. Every method takes the project id first. An address is found even if only its hash is stored. */
export class SuppressionStore extends Context.Service<
  SuppressionStore,
  {
    /** Adds one address to the list. If it is already there, only a complaint replaces another reason. */
    readonly put: (
      project: ProjectId,
      suppression: NewSuppression & { readonly reason: SuppressionCause; readonly emailId: EmailId | null },
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Adds distinct addresses to the list by hand, in one statement. Returns those that are new there. */
    readonly addAll: (
      project: ProjectId,
      suppressions: Array.NonEmptyReadonlyArray<NewSuppression>,
      note: string | null,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Suppression>>
    readonly find: (project: ProjectId, email: string) => Effect.Effect<Option.Option<Suppression>>
    /** Returns true if an address was removed. */
    readonly remove: (project: ProjectId, email: string) => Effect.Effect<boolean>
    /** The given addresses whose owners complained. */
    readonly complained: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
    /** Replaces the address with its hash if it is on the list. */
    readonly erase: (project: ProjectId, email: string) => Effect.Effect<void>
    /** Newest first. */
    readonly list: (
      project: ProjectId,
      filter: SuppressionFilter,
      limit: number,
      after?: Position
    ) => Effect.Effect<ReadonlyArray<Suppression>>
    readonly count: (project: ProjectId, filter: SuppressionFilter) => Effect.Effect<number>
    /**
     * Records a soft bounce, such as a full mailbox, once for each mail. Returns how many mails to the address had soft
     * bounces since `from`.
     */
    readonly softBounce: (
      project: ProjectId,
      email: string,
      mail: EmailId,
      at: DateTime.Utc,
      from: DateTime.Utc
    ) => Effect.Effect<number>
    /** Deletes soft bounces before `before`. */
    readonly sweepSoftBounces: (before: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/audience/suppression/SuppressionStore") {}
