/** Where the suppression list lives. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { EmailId } from "@posthorn/contract/emails/Email"
import type { Suppression, SuppressionCause } from "@posthorn/contract/suppressions/Suppression"
import { type Array, Context, type DateTime, type Effect, type Option } from "effect"
import type { Position } from "../Cursors.ts"
import type { DateRange } from "../DateRange.ts"

export interface SuppressionFilter extends DateRange {
  readonly reason?: SuppressionCause | undefined
  readonly search?: string | undefined
}

/** An address to put on the list; `id` is used when it is new there. */
export interface NewSuppression {
  readonly id: string
  readonly email: string
}

/** Storage port; every method takes the project first. An address is found also where only its hash is kept. */
export class SuppressionStore extends Context.Service<
  SuppressionStore,
  {
    /** Puts one address on the list. Where it stands there, only a complaint replaces another reason. */
    readonly put: (
      project: ProjectId,
      suppression: NewSuppression & { readonly reason: SuppressionCause; readonly emailId: EmailId | null },
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Puts distinct addresses on the list by hand, in one statement, and gives those that are new there. */
    readonly addAll: (
      project: ProjectId,
      suppressions: Array.NonEmptyReadonlyArray<NewSuppression>,
      note: string | null,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Suppression>>
    readonly find: (project: ProjectId, email: string) => Effect.Effect<Option.Option<Suppression>>
    /** True when there was something to lift. */
    readonly remove: (project: ProjectId, email: string) => Effect.Effect<boolean>
    /** Those of the addresses whose owners complained. */
    readonly complained: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
    /** Keeps a hash in place of the address, if it is on the list. */
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
     * Notes that a mail met a full mailbox or the like, once for each mail, and gives how many mails to the address did
     * since `from`.
     */
    readonly softBounce: (
      project: ProjectId,
      email: string,
      mail: EmailId,
      at: DateTime.Utc,
      from: DateTime.Utc
    ) => Effect.Effect<number>
    /** Forgets soft bounces before `before`. */
    readonly sweepSoftBounces: (before: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/suppression/SuppressionStore") {}
