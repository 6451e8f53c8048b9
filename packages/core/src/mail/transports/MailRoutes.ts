/** The routes of projects, as a worker knows them: at most a second old. */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { cachedFor } from "../../platform/Elapsed.ts"
import * as ShortCache from "../../platform/ShortCache.ts"
import { type Routable, type Routing, StoredRoutes, type TransportChoice, wayFor } from "./MailRoute.ts"
import { transportColumns, transportRows } from "./TransportRow.ts"

export interface MailRoutes {
  /** The projects that have routes. */
  readonly projects: Effect.Effect<ReadonlySet<ProjectId>>
  readonly routing: (project: ProjectId) => Effect.Effect<Routing>
  /** The transports that the mail may take now. Undefined: only those of the installation. */
  readonly way: (mail: Routable & { readonly projectId: ProjectId }) => Effect.Effect<TransportChoice | undefined>
}

const idRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ProjectId })))
const routesRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ routes: Schema.NullOr(StoredRoutes) })))

/** The routes of a project as they are now. */
export const routingOf = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  project: ProjectId
): Effect.fn.Return<Routing> {
  const [row] = yield* Effect.orDie(
    Effect.flatMap(sql`select mail_routes as routes from projects where id = ${project}`, routesRows)
  )
  const transports = yield* Effect.orDie(
    Effect.flatMap(
      sql`select ${sql.literal(transportColumns)} from transports where project_id = ${project}`,
      transportRows
    )
  )
  return { routes: row?.routes ?? [], transports: new Map(transports.map((each) => [each.id, each])) }
})

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const cache = ShortCache.make((project: ProjectId) => routingOf(sql, project))

  const projects = yield* cachedFor(Duration.seconds(1))(
    sql`select id from projects where mail_routes is not null`.pipe(
      Effect.flatMap(idRows),
      Effect.map((rows): ReadonlySet<ProjectId> => new Set(rows.map(({ id }) => id))),
      Effect.orDie
    )
  )

  const way: MailRoutes["way"] = Effect.fnUntraced(function* (mail) {
    if (!(yield* projects).has(mail.projectId)) return undefined
    const found = wayFor(yield* cache.get(mail.projectId), mail)
    return found.transports.length === 0 && found.fallback ? undefined : found
  })

  return { projects, routing: cache.get, way } satisfies MailRoutes
})
