/** Test helpers: separate projects, many contacts at once, and their entries and exits. */

import type { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { hashKey } from "../../accounts/projects/ApiKeyCache.ts"
import { ProjectStore } from "../../accounts/projects/ProjectStore.ts"
import { send } from "../../testing/TestClient.ts"

let projects = 0

/** A new, empty project, and requests with its key. */
export const freshProject = Effect.gen(function* () {
  const store = yield* ProjectStore
  const n = String(++projects).padStart(12, "0")
  const project = ProjectId.make(`019b0000-0000-7000-8000-${n}`)
  const key = `sk_${n.padStart(43, "k")}`
  const publicKey = `pk_${n.padStart(43, "k")}`
  const secretHash = yield* hashKey(key)
  yield* store.insert({ id: project, name: n, publicKey, secretHash, secretHint: "kkkk" }, yield* DateTime.now)
  /** The secret key of the project. */
  const credential = { authorization: `Bearer ${key}` }
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    send(method, path, body, { ...credential, ...headers })
  return {
    project,
    credential,
    ask,
    /** The status and error code, or else the body, as one line. */
    outcome: (method: string, path: string, body?: unknown) =>
      Effect.map(
        ask(method, path, body),
        ({ status, body }) => `${status} ${body?.error?.details?.reason ?? body?.error?.code ?? body?.error ?? "ok"}`
      ),
    track: (body: unknown) => send("POST", "/v1/track", body, { authorization: `Bearer ${publicKey}` })
  }
})
export type TestProject = Effect.Success<typeof freshProject>

export const filter = (field: string, operator: string, value?: unknown, unit?: string) => ({
  groups: [{ filters: [{ field, operator, ...(value !== undefined && { value }), ...(unit && { unit }) }] }]
})

/** A condition that holds for contacts with this plan. */
export const plan = (value: string) => filter("data.plan", "equals", value) as FilterTree

export const isIn = (segment: string) => filter(`segment.${segment}`, "memberOfSegment")

/** Inserts contacts `<name>-1@example.com` and so on, in one statement. */
export const seed = (project: ProjectId, name: string, count: number, data: object = {}) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.flatMap(
      DateTime.now,
      (now) => sql`
        insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
        select gen_random_uuid(), ${project}::uuid, ${name}::text || '-' || n || '@example.com', true,
               ${JSON.stringify(data)}::text::jsonb, ${DateTime.toDate(now)}::timestamptz,
               ${DateTime.toDate(now)}::timestamptz
        from generate_series(1, ${count}::int) as n`
    )
  )

const eventRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ name: Schema.String, email: Schema.String, data: Schema.Unknown, source: Schema.String })
  )
)

/** Entries and exits of the project, oldest first. */
export const moves = (project: ProjectId) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.flatMap(
      sql`
        select name, email, events.data, source from events join contacts
          on contacts.project_id = events.project_id and contacts.id = contact_id
        where events.project_id = ${project} and name ~ '^segment[.].*[.](entry|exit)$'
        order by events.created_at, events.id`,
      eventRows
    )
  )

/** How often each contact entered and left, one line each: `3 entry` for three. */
export const tally = (project: ProjectId) =>
  Effect.map(moves(project), (found) => {
    const entries = found.filter(({ name }) => name.endsWith(".entry"))
    const pairs = new Set(found.map(({ name, email }) => `${name} ${email}`))
    return { entries: entries.length, exits: found.length - entries.length, isOnceEach: pairs.size === found.length }
  })
