/** Which addresses a project may send from (contract 1.2, check 13; contract-2 6.3). */
import { ProjectId } from "@posthorn/contract/Auth"
import { SenderDomainUnverified } from "@posthorn/contract/domains/Domain"
import { Array, Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** Of a canonical address. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1)

export class SenderDomains extends Context.Service<
  SenderDomains,
  {
    /**
     * Passes when the domain of a canonical address is verified for the project now. A verified domain does not speak
     * for those below it.
     */
    readonly requireVerified: (project: ProjectId, address: string) => Effect.Effect<void, SenderDomainUnverified>
    /** The same, for what is about to be stored with the address: the domain stays until the transaction ends. */
    readonly holdVerified: (project: ProjectId, address: string) => Effect.Effect<void, SenderDomainUnverified>
    /** Which project each of these names, in lower case and ASCII, is verified for; what is nobody's is not there. */
    readonly owners: (domains: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, ProjectId>>
  }
>()("@posthorn/core/domains/SenderDomains") {}

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
