/** What a person has left by an act of its own. A form gives it back only after a confirmation by mail. */
import type { Contact } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"

const ownActs: ReadonlyArray<string> = ["page", "one_click", "complaint"]

export interface LeftByPerson {
  readonly everything: boolean
  /** Ids of topics. */
  readonly topics: ReadonlySet<string>
}

const records = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ topic: Schema.NullOr(Schema.String), action: Schema.String, source: Schema.String }))
)
const reasons = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ reason: Schema.NullOr(Schema.String) })))

/** By the last record of consent of each kind. The subscription has none if it changed before there were records. */
export const leftByPerson = (sql: SqlClient.SqlClient) =>
  Effect.fn("OwnActs.leftByPerson")(function* (
    project: ProjectId,
    { id, subscribed }: Pick<Contact, "id" | "subscribed">
  ) {
    const last = yield* records(
      yield* sql`
        select distinct on (topic_id) topic_id as topic, action, source from consents
        where project_id = ${project} and contact_id = ${id} and action in ('granted', 'withdrawn')
        order by topic_id, recorded_at desc, id desc`
    )
    const left = last.filter(({ action, source }) => action === "withdrawn" && ownActs.includes(source))
    const topics = new Set(left.flatMap(({ topic }) => topic ?? []))
    if (subscribed) return { everything: false, topics } satisfies LeftByPerson
    if (last.some(({ topic }) => topic === null))
      return { everything: left.some(({ topic }) => topic === null), topics }
    const [event] = yield* reasons(
      yield* sql`
        select data ->> 'reason' as reason from events
        where project_id = ${project} and contact_id = ${id} and name = 'contact.unsubscribed' and source = 'system'
        order by created_at desc, id desc limit 1`
    )
    return { everything: ownActs.includes(event?.reason ?? ""), topics }
  }, Effect.orDie)
