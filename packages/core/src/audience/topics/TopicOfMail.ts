/** The topic of a mail: whether contacts take it, and the words that headers and footer print. */
import type { EmailType } from "@posthorn/contract/content/templates/Template"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { MailTopic } from "../contacts/MailConsent.ts"

const Words = Schema.Struct({ name: Schema.String })

/** As `topicJson` reads it. */
export const TopicOfMail = Schema.Struct({
  id: Schema.String,
  key: Schema.String,
  name: Schema.String,
  /** By language: `de`, `pt-BR`. */
  translations: Schema.Record(Schema.String, Words),
  defaultOn: Schema.Boolean,
  archived: Schema.Boolean,
  /** Whether the project has a topic on its preference page, so that the page is worth a link. */
  hasPublic: Schema.Boolean
})
export type TopicOfMail = typeof TopicOfMail.Type & MailTopic

/** A row of `topics`, whose name or alias is `topic`. */
export const topicJson = (sql: SqlClient.SqlClient, topic = "topic"): Statement.Fragment => {
  const column = (name: string) => sql.literal(`${topic}.${name}`)
  return sql`jsonb_build_object(
    'id', ${column("id")}, 'key', ${column("key")}, 'name', ${column("name")},
    'translations', ${column("translations")}, 'defaultOn', ${column("default_on")}, 'archived', ${column("archived")},
    'hasPublic', exists (select from topics as other where other.project_id = ${column("project_id")}
                         and other.is_public and not other.archived))`
}

/** The topic of a row that has `project_id` and `topic_id`. Costs nothing for a row without one. */
export const topicOfRow = (sql: SqlClient.SqlClient, row: string): Statement.Fragment => sql`
  case when ${sql.literal(`${row}.topic_id`)} is not null then (
    select ${topicJson(sql)} from topics as topic
    where topic.project_id = ${sql.literal(`${row}.project_id`)} and topic.id = ${sql.literal(`${row}.topic_id`)}) end`

/** The words of a topic in the language, else in its first part, else those of the topic itself. */
export const wordsIn = <W>(
  topic: W & { readonly translations: { readonly [language: string]: W } },
  language: string
): W => topic.translations[language] ?? topic.translations[language.split("-", 1)[0] ?? ""] ?? topic

/** What is wrong with mail of this type and topic. `isRequired` is the setting `topicRequired` of the project. */
export const topicFault = (
  type: EmailType,
  topic: unknown,
  isRequired: boolean,
  field: "topic" | "topicId"
): Fault | undefined => {
  const isNamed = topic != null
  if (type === "TRANSACTIONAL") {
    return isNamed
      ? { field, code: "custom", message: "Mail of the type TRANSACTIONAL has no topic: every contact gets it." }
      : undefined
  }
  return isRequired && !isNamed
    ? { field, code: "required", message: `The project requires a topic for mail of the type ${type}.` }
    : undefined
}
