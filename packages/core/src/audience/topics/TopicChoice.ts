/** The topic that a template or a campaign names. */
import type { EmailType } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, ValidationError } from "@posthorn/contract/platform/Errors"
import { Array, Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { AudienceRules } from "../settings/AudienceRules.ts"
import { TopicOfMail, topicFault, topicJson } from "./TopicOfMail.ts"

const rows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ topic: TopicOfMail })))

/** What a record names now. */
export interface Chosen {
  readonly type: EmailType
  /** Absent: the stored one. */
  readonly topicId?: string | null | undefined
}

export const unknownTopic = (field: string, name: string): ValidationError =>
  ValidationError.one(field, "custom", `No topic ${name} in this project.`)

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rules = yield* AudienceRules

  const named = (project: ProjectId, name: string, lock: Statement.Fragment) =>
    sql`
      select ${topicJson(sql)} as topic from topics as topic
      where project_id = ${project} and (key = ${name} or id::text = lower(${name}))
      order by id::text = lower(${name}) desc limit 1 ${lock}`.pipe(
      Effect.flatMap(rows),
      Effect.map(Array.head),
      Effect.map(Option.map(({ topic }) => topic)),
      Effect.orDie
    )

  /** By id or key. */
  const find = Effect.fn("TopicChoice.find")((project: ProjectId, name: string) => named(project, name, sql``))

  /** By id or key. It cannot be deleted until the caller's transaction ends. */
  const hold = Effect.fn("TopicChoice.hold")((project: ProjectId, name: string) =>
    named(project, name, sql`for key share of topic`)
  )

  const requireFit = Effect.fnUntraced(function* (project: ProjectId, type: EmailType, topicId: string | null) {
    const isAsked = type !== "TRANSACTIONAL" && topicId === null
    const isRequired = isAsked && (yield* rules.get(project)).topicRequired
    const fault = topicFault(type, topicId, isRequired, "topicId")
    if (fault !== undefined) return yield* new ValidationError({ errors: [fault] })
  })

  /**
   * The id of the topic to store. A topic that is archived cannot be chosen; one that is stored already may stay. Joins
   * the caller's transaction.
   */
  const choose = Effect.fn("TopicChoice.choose")(function* (
    project: ProjectId,
    { type, topicId }: Chosen,
    stored: string | null = null
  ): Effect.fn.Return<string | null, Conflict | ValidationError> {
    const name = topicId === undefined ? stored : topicId
    if (name === null || name === stored) {
      yield* requireFit(project, type, name)
      return name
    }
    const topic = Option.getOrUndefined(yield* hold(project, name))
    if (topic === undefined) return yield* unknownTopic("topicId", name)
    yield* requireFit(project, type, topic.id)
    if (topic.archived && topic.id !== stored) return yield* new Conflict({ reason: "topic_archived" })
    return topic.id
  })

  return { choose, find, hold, requireFit }
})
