/** Answers which addresses a project may send from. */

import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SenderDomainUnverified } from "@posthorn/contract/platform/Errors"
import { Context, type Effect } from "effect"

/** A service, because the mail area implements it and a host calls it. */
export class SenderDomains extends Context.Service<
  SenderDomains,
  {
    /**
     * Passes if the domain of a canonical address is verified for the project now. A verified domain does not cover its
     * subdomains.
     */
    readonly requireVerified: (project: ProjectId, address: string) => Effect.Effect<void, SenderDomainUnverified>
    /**
     * The same, for data that is about to be stored with the address. The domain cannot be deleted until the
     * transaction ends.
     */
    readonly holdVerified: (project: ProjectId, address: string) => Effect.Effect<void, SenderDomainUnverified>
    /**
     * The project for which each name, in lower case and ASCII, is verified. Names without a project are not in the
     * map.
     */
    readonly owners: (domains: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, ProjectId>>
  }
>()("@posthorn/core/content/templates/SenderDomainsSql") {}
