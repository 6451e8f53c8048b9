/**
 * Names of events that callers may track too, but of which only the events of the service start workflows, end waits and
 * match filters: those of contacts, and those of topics and forms while one has the key in the name. Otherwise anybody
 * with the public key could feign them. The rule once in memory and once as SQL.
 */
import { formOfEvent, isServiceOnlyEvent, serviceOnlyEvents, topicOfEvent } from "@posthorn/contract/events/EventName"
import type { SqlClient, Statement } from "effect/sql"
import type { Definitions } from "./SegmentDefinitions.ts"

export const isOfService = (name: string, { topics, forms }: Pick<Definitions, "forms" | "topics">): boolean => {
  if (isServiceOnlyEvent(name)) return true
  const topic = topicOfEvent(name)
  const form = formOfEvent(name)
  return (topic !== undefined && topics.has(topic)) || (form !== undefined && forms?.has(form) === true)
}

/** Whether a row of `events`, under this alias, is an event of the service or may have its name. */
export const isNotFeigned = (sql: SqlClient.SqlClient, events: string): Statement.Fragment => {
  const of = (column: string) => sql.literal(`${events}.${column}`)
  return sql`
    (${of("source")} = 'system' or case
      when ${of("name")} like 'form.%' then not exists (
        select from forms
        where forms.project_id = ${of("project_id")} and 'form.' || forms.key || '.submitted' = ${of("name")})
      when ${of("name")} like 'topic.%' then not exists (
        select from topics
        where topics.project_id = ${of("project_id")}
          and ${of("name")} in ('topic.' || topics.key || '.subscribed', 'topic.' || topics.key || '.unsubscribed'))
      else ${of("name")} not in ${sql.in(serviceOnlyEvents)} end)`
}
