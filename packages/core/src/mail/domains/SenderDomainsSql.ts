/** SenderDomains in PostgreSQL: a project may send from addresses of its verified domains. */

import { ProjectId } from "@posthorn/contract/platform/Auth"
import { SenderDomainUnverified } from "@posthorn/contract/platform/Errors"
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import { Array, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { SenderDomains } from "../../content/templates/SenderDomains.ts"

const ownerRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ domain: Schema.String, project: ProjectId })))

export const layerSql: Layer.Layer<SenderDomains, never, SqlClient.SqlClient> = Layer.effect(
  SenderDomains,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const verified = (project: ProjectId, domain: string) =>
      sql`select 1 from domains where project_id = ${project} and domain = ${domain} and verified`

    const require = Effect.fnUntraced(function* (
      found: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>,
      domain: string
    ) {
      if (Array.isReadonlyArrayEmpty(yield* Effect.orDie(found))) return yield* new SenderDomainUnverified({ domain })
    })

    return SenderDomains.of({
      requireVerified: Effect.fn("SenderDomains.requireVerified")(function* (project: ProjectId, address: string) {
        const domain = domainOf(address)
        yield* require(verified(project, domain), domain)
      }),
      holdVerified: Effect.fn("SenderDomains.holdVerified")(function* (project: ProjectId, address: string) {
        const domain = domainOf(address)
        yield* require(sql`${verified(project, domain)} for key share`, domain)
      }),
      owners: Effect.fn("SenderDomains.owners")(function* (domains: ReadonlyArray<string>) {
        const found = yield* ownerRows(
          yield* sql`
            select domain, project_id as project from domains where verified and domain = any(${[...domains]}::text[])`
        )
        return new Map(found.map(({ domain, project }) => [domain, project]))
      }, Effect.orDie)
    })
  })
)
