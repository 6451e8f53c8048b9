/** For tests: the domains of an installation whose DNS is a map, over a database in memory. */

import type { Domain } from "@posthorn/contract/mail/domains/Domain"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Layer } from "effect"
import { defaults, Settings } from "../../platform/Settings.ts"
import * as Transaction from "../../platform/Transaction.ts"
import { pglite } from "../../testing/Databases.ts"
import * as SafeFetchMemory from "../../testing/SafeFetchMemory.ts"
import { boxUnder, secret } from "../../testing/Services.ts"
import * as ReturnPath from "../sending/ReturnPath.ts"
import { layerMemory, publish, type Zone } from "./DnsResolverMemory.ts"
import * as DomainStoreSql from "./DomainStoreSql.ts"
import * as LinkHosts from "./LinkHosts.ts"

export const mine = ProjectId.make("019a0000-0000-7000-8000-000000000001")
export const theirs = ProjectId.make("019a0000-0000-7000-8000-000000000002")

/** What the services of domains need. */
export const foundation = (zone: Zone, settings: Partial<Settings> = {}) =>
  Layer.mergeAll(
    DomainStoreSql.layer,
    Transaction.layerSql,
    boxUnder(secret),
    layerMemory(zone),
    SafeFetchMemory.layer,
    Layer.succeed(Settings, { ...defaults, ...settings })
  )
    .pipe((base) => Layer.provideMerge(ReturnPath.layer, base))
    .pipe((base) => Layer.provideMerge(LinkHosts.layer, base), Layer.provideMerge(pglite))

/** What its owner does, and undoes. */
export const publishAll = (zone: Zone, { records }: Domain) => Effect.sync(() => publish(zone, records))
export const unpublishAll = (zone: Zone, { records }: Domain) =>
  Effect.sync(() => {
    for (const { name } of records) zone.delete(name)
  })
