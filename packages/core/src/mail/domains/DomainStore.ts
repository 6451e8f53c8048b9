/** The storage port of sender domains. */

import type { Domain, DomainId } from "@posthorn/contract/mail/domains/Domain"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, Data, type DateTime, type Effect, type Option } from "effect"
import type { DkimKeyPairs } from "./DkimKeys.ts"
import type { DomainState, NextState } from "./DomainCheck.ts"

/** A stored domain without its private keys. The records are those of its last check. */
export type StoredDomain = Omit<Domain, "status" | "dmarcReportAddress"> &
  Pick<DkimKeyPairs, "rsaPublicKey" | "ed25519PublicKey">

/** `verified` is true if no check is needed. */
export type NewDomain = Pick<StoredDomain, "id" | "domain" | "verified" | "records"> & DkimKeyPairs

/** The sealed keys of a domain, with its ids and name. */
export type DomainKeys = DkimKeyPairs & Pick<StoredDomain, "id" | "projectId" | "domain">

/** A domain after its check, and the change of `verified`. */
export interface Checked {
  readonly domain: StoredDomain
  readonly flip: NextState["flip"]
}

/** Which projects have a domain name. This decides whether a project can add it. */
export interface NameTaken {
  /** How many domains the project has, of any name. */
  readonly count: number
  /** The project's own domain of this name. */
  readonly existing: DomainId | null
  /** Another project has it verified. */
  readonly heldElsewhere: boolean
}

/** Everything that sends from addresses of a domain; of templates, campaigns and steps the newest 100. */
export interface DomainUsage {
  readonly templates: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly workflowSteps: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly campaigns: ReadonlyArray<{ readonly id: string; readonly name: string }>
  /** Queued mail, and ambiguous mail that may be sent again. */
  readonly pendingEmails: number
}

/** The position of a domain in the order of all domains. */
export type DomainPosition = Pick<StoredDomain, "projectId" | "id">

/** Nothing was written: another project has the domain verified. */
export class DomainHeld extends Data.TaggedError("DomainHeld") {}

/**
 * Storage port of domains: a host may store them elsewhere. Methods take the project first, except those for the operator
 * and the background jobs, which read all projects. `now` is the caller's clock. It becomes `updatedAt` if more than the
 * time of a check changes. At most one project has a name verified, whatever the order of writes.
 */
export class DomainStore extends Context.Service<
  DomainStore,
  {
    /** Locks the project: until the transaction ends, no other domain is added to it. */
    readonly holdProject: (project: ProjectId) => Effect.Effect<void>
    readonly taken: (project: ProjectId, domain: string) => Effect.Effect<NameTaken>
    /** The caller holds the project, which does not have the name yet. */
    readonly insert: (
      project: ProjectId,
      domain: NewDomain,
      now: DateTime.Utc
    ) => Effect.Effect<StoredDomain, DomainHeld>
    /** Newest first. */
    readonly list: (project: ProjectId) => Effect.Effect<ReadonlyArray<StoredDomain>>
    readonly find: (project: ProjectId, id: DomainId) => Effect.Effect<Option.Option<StoredDomain>>
    /**
     * Stores the result of a check. `decide` gets the current domain. `before` is the domain that was checked. If another
     * check was stored since, nothing is written. None if the domain was deleted.
     */
    readonly saveCheck: (
      before: StoredDomain,
      decide: (state: DomainState) => NextState,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Checked>>
    /** Trust also verifies the domain. When trust ends, the domain stays verified until its checks fail. */
    readonly setTrust: (
      project: ProjectId,
      id: DomainId,
      trusted: boolean,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Checked>, DomainHeld>
    readonly usage: (project: ProjectId, domain: string) => Effect.Effect<DomainUsage>
    /** True if the domain existed. Its keys are deleted. */
    readonly delete: (project: ProjectId, id: DomainId) => Effect.Effect<boolean>
    readonly keys: (project: ProjectId, id: DomainId) => Effect.Effect<Option.Option<DomainKeys>>
    /** The domain in every project that has it, oldest first. */
    readonly named: (domain: string) => Effect.Effect<ReadonlyArray<StoredDomain>>
    /** A page of the domains of all projects whose last check is not after `checkedUntil`, starting after `after`. */
    readonly toCheck: (
      checkedUntil: DateTime.Utc,
      limit: number,
      after?: DomainPosition
    ) => Effect.Effect<ReadonlyArray<StoredDomain>>
  }
>()("@posthorn/core/mail/domains/DomainStore") {}
