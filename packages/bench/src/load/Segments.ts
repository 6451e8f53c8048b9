/** Creates the segments of the rows through the API. */
import { Effect, Schema } from "effect"
import * as Api from "../processes/Api.ts"

const Segment = Schema.Struct({ id: Schema.String, slug: Schema.String })

/** A segment of the contacts with this value. One in eight seeded contacts with data is on plan `team`. */
export const create = (
  server: { readonly url: string },
  key: string,
  segment: { readonly name: string; readonly field: string; readonly value: string; readonly tracked: boolean }
) =>
  Api.ask(
    server,
    key,
    {
      method: "POST",
      path: "/segments",
      status: 201,
      body: {
        name: segment.name,
        trackMembership: segment.tracked,
        condition: {
          logic: "AND",
          groups: [{ filters: [{ field: segment.field, operator: "equals", value: segment.value }] }]
        }
      }
    },
    Segment
  )

export const onTeamPlan = { field: "data.plan", value: "team" } as const

/** Joins and leaves, as the answer counts them. */
export const compute = Effect.fnUntraced(function* (server: { readonly url: string }, key: string, id: string) {
  return yield* Api.ask(
    server,
    key,
    { method: "POST", path: `/segments/${id}/compute`, status: 200 },
    Schema.Struct({ added: Schema.Int, removed: Schema.Int, total: Schema.Int })
  )
})
