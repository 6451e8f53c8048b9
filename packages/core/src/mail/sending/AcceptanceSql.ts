/**
 * The statements of `/v1/send`: one reads and one writes, for any number of recipients. For a single recipient they need
 * no transaction, and requests share them.
 */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { Template } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, type DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ExpectedUpsert, KnownContact } from "../../audience/contacts/ContactInput.ts"
import { dataVersion } from "../../audience/contacts/ContactUpsertSql.ts"
import { TopicOfMail, topicJson, topicOfRow } from "../../audience/topics/TopicOfMail.ts"
import { usedPartials } from "../../content/partials/ClosureSql.ts"
import type { PartialSources } from "../../content/rendering/Partials.ts"
import { countOf } from "../../platform/Queries.ts"
import { rowCounts } from "../../platform/RowCounts.ts"
import * as SharedStatement from "../../platform/SharedStatement.ts"
import type { NewMail } from "../ledger/Ledger.ts"
import * as AcceptedTogether from "./AcceptedTogether.ts"

const { id, alias, version, subject, body, text, from, fromName, replyTo, type, language, translations } =
  Template.fields
const { layout, strict } = Template.fields
const sentFields = Schema.Struct({
  id,
  alias,
  version,
  subject,
  body,
  text,
  from,
  fromName,
  replyTo,
  type,
  language,
  translations,
  layout,
  strict,
  topic: Schema.NullOr(TopicOfMail),
  /** Whether the project requires a topic for mail that the template has none for. */
  topicRequired: Schema.Boolean
})
/** The fields of a template that a mail is made from. */
export type SentTemplate = typeof sentFields.Type

const partialFields = Schema.Struct({ name: Schema.String, body: Schema.String, text: Schema.NullOr(Schema.String) })

const contactFields = Schema.Struct({
  id: ContactId,
  email: Schema.String,
  subscribed: Schema.Boolean,
  snoozedUntil: Schema.NullOr(Schema.DateTimeUtcFromString),
  topicsOn: Schema.NullOr(Schema.Array(Schema.String)),
  topicsOff: Schema.NullOr(Schema.Array(Schema.String)),
  data: Schema.JsonObject,
  version: Schema.String
})
const foundRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Union([
      Schema.Struct({ n: Schema.Int, kind: Schema.Literal("template"), value: sentFields }),
      Schema.Struct({ n: Schema.Int, kind: Schema.Literal("partial"), value: partialFields }),
      Schema.Struct({ n: Schema.Int, kind: Schema.Literal("domain"), value: Schema.String }),
      Schema.Struct({ n: Schema.Int, kind: Schema.Literal("topic"), value: TopicOfMail }),
      Schema.Struct({ n: Schema.Int, kind: Schema.Literal("contact"), value: contactFields })
    ])
  )
)
type Row = Effect.Success<ReturnType<typeof foundRows>>[number]

/** The template that a request names. */
export interface TemplateName {
  readonly id?: string | undefined
  /** Used without an id. */
  readonly alias?: string | undefined
}

export interface Wanted {
  readonly templates: ReadonlyArray<TemplateName>
  /** The partials that the texts of the requests name. Those of the templates are looked up too. */
  readonly partials?: ReadonlyArray<string>
  /** Ids and keys of topics that the requests name. */
  readonly topics?: ReadonlyArray<string>
  /** The sender domains of the requests. The domains of the templates are looked up too. */
  readonly senderDomains: ReadonlyArray<string>
  readonly addresses: ReadonlyArray<string>
}

export interface Found {
  /** Undefined if there is no such template. */
  readonly template: (name: TemplateName) => SentTemplate | undefined
  /** Those that the requests, the templates and other partials name. */
  readonly partials: PartialSources
  /** By id or key, of those that the requests name. */
  readonly topic: (name: string) => TopicOfMail | undefined
  /** Those of the sender domains that are verified for the project. */
  readonly verifiedDomains: ReadonlySet<string>
  /** By address. */
  readonly contacts: ReadonlyMap<string, KnownContact>
}

interface Asked extends Wanted {
  readonly project: ProjectId
}

/** Requests with more recipients or templates read alone. */
const mayShare = ({ templates, addresses }: Wanted) => templates.length <= 1 && addresses.length <= 10

const foundOf = (rows: ReadonlyArray<Row>): Found => {
  const found = rows.flatMap((row) => (row.kind === "template" ? [row.value] : []))
  const byId = new Map(found.map((each) => [String(each.id), each]))
  const byAlias = new Map(found.map((each) => [each.alias, each]))
  const topics = rows.flatMap((row) => (row.kind === "topic" ? [row.value] : []))
  // An id wins over a key.
  const byTopicName = new Map([
    ...topics.map((topic) => [topic.key, topic] as const),
    ...topics.map((topic) => [topic.id, topic] as const)
  ])
  return {
    template: ({ id, alias }) =>
      id === undefined ? (alias === undefined ? undefined : byAlias.get(alias)) : byId.get(id),
    topic: (name) => byTopicName.get(name) ?? byTopicName.get(name.toLowerCase()),
    partials: new Map(rows.flatMap((row) => (row.kind === "partial" ? [[row.value.name, row.value] as const] : []))),
    verifiedDomains: new Set(rows.flatMap((row) => (row.kind === "domain" ? [row.value] : []))),
    contacts: new Map(rows.flatMap((row) => (row.kind === "contact" ? [[row.value.email, row.value] as const] : [])))
  }
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const write = yield* AcceptedTogether.make

  /** The contacts are looked up one by one, since the planner would scan those of a project without statistics. */
  const read = Effect.fnUntraced(function* (requests: ReadonlyArray<Asked>) {
    const asked = requests.map(({ project, templates, partials = [], topics = [], senderDomains, addresses }, n) => ({
      ...{ n, project, partials, topics, addresses: [...new Set(addresses)], domains: [...new Set(senderDomains)] },
      ids: templates.flatMap(({ id }) => id ?? []),
      aliases: templates.flatMap(({ id, alias }) => (id === undefined ? (alias ?? []) : [])),
      topicIds: topics.map((name) => name.toLowerCase())
    }))
    const project = sql`asked.project`
    const rows = yield* sql`
      select asked.n, found.kind, found.value
      from jsonb_to_recordset(${JSON.stringify(asked)}::text::jsonb) as asked(
        n int, project uuid, ids uuid[], aliases text[], partials text[], topics text[], "topicIds" text[],
        domains text[], addresses text[])
      cross join lateral (
        with recursive template as materialized (
          select id, alias, version, subject, body, text, from_email as "from", from_name as "fromName",
                 reply_to as "replyTo", type, language, translations, layout, strict, partials,
                 ${topicOfRow(sql, "templates")} as topic,
                 case when type <> 'TRANSACTIONAL' and topic_id is null then coalesce((
                   select (settings ->> 'topicRequired')::boolean from audience_settings
                   where audience_settings.project_id = templates.project_id), false)
                 else false end as "topicRequired"
          from templates
          where project_id = ${project} and (id = any(asked.ids) or alias = any(asked.aliases))
        ),
        ${usedPartials(sql, project, sql`select unnest(asked.partials) union all select unnest(partials) from template`)}
        select 'template' as kind, to_jsonb(template) as value from template
        union all
        select 'partial', to_jsonb(used_partials) from used_partials
        union all
        select 'topic', ${topicJson(sql)} from topics as topic
        where cardinality(asked.topics) > 0 and project_id = ${project}
          and (key = any(asked.topics) or id::text = any(asked."topicIds"))
        union all
        select 'domain', to_jsonb(domain) from domains
        where project_id = ${project} and verified
          and domain = any(asked.domains || array(select split_part("from", '@', 2) from template))
        union all
        select 'contact', jsonb_build_object('id', id, 'email', email, 'subscribed', subscribed, 'data', data,
                                             'snoozedUntil', snoozed_until, 'topicsOn', topics_on,
                                             'topicsOff', topics_off, 'version', ${sql.literal(dataVersion)})
        from unnest(asked.addresses) as given(address)
        cross join lateral (
          select * from contacts where contacts.project_id = ${project} and contacts.email = given.address limit 1
        ) as contact
      ) as found`
    const found = Array.groupBy(yield* Effect.orDie(foundRows(rows)), ({ n }) => String(n))
    const answers = new Map(requests.map((request, n) => [request, foundOf(found[n] ?? [])]))
    return (request: Asked) => answers.get(request) ?? foundOf([])
  })

  const look = yield* SharedStatement.make({ run: read, mayShare, failed: "What a send needs could not be read" })

  return {
    look: (project: ProjectId, wanted: Wanted): Effect.Effect<Found> =>
      Effect.orDie(look({ project, ...wanted })).pipe(Effect.withSpan("Sending.look")),
    /** The number of mails that wait for their time. */
    scheduled: (project: ProjectId) =>
      countOf(sql`
        select coalesce(sum(count), 0)::int as count from ${rowCounts(sql, project, "emails")} as kept
        where key[1] = 'SCHEDULED'`),
    /**
     * Creates or changes the contacts, as `ContactStore.upsert` does, and writes the mail made from them. None if a
     * contact changed since it was read. Then no mail is written. A single contact is not changed either. Of several
     * contacts, some may be changed; in a transaction all of them are locked, so the next try succeeds.
     */
    accept: (project: ProjectId, recipients: ReadonlyArray<ExpectedUpsert>, mail: NewMail, now: DateTime.Utc) =>
      write({ project, recipients, mail, now })
  }
})
