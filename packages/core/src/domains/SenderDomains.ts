/** Which addresses a project may send from (contract 1.2, check 13; contract-2 6.3). */
import type { ProjectId } from "@posthorn/contract/Auth"
import { SenderDomainUnverified } from "@posthorn/contract/domains/Domain"
import { Array, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export class SenderDomains extends Context.Service<
  SenderDomains,
  {
    /**
     * Passes when the domain of a canonical address is verified for the project now. A verified domain does not speak
     * for those below it.
     */
    readonly requireVerified: (project: ProjectId, address: string) => Effect.Effect<void, SenderDomainUnverified>
  }
>()("@posthorn/core/domains/SenderDomains") {}

export const layerSql: Layer.Layer<SenderDomains, never, SqlClient.SqlClient> = Layer.effect(
  SenderDomains,
  Effect.map(SqlClient.SqlClient, (sql) =>
    SenderDomains.of({
      requireVerified: Effect.fn("SenderDomains.requireVerified")(function* (project: ProjectId, address: string) {
        const domain = address.slice(address.lastIndexOf("@") + 1)
        const found = yield* Effect.orDie(
          sql`select 1 from domains where project_id = ${project} and domain = ${domain} and verified`
        )
        if (Array.isReadonlyArrayEmpty(found)) return yield* new SenderDomainUnverified({ domain })
      })
    })
  )
)
