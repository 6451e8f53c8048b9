/**
 * The statements of `/v1/send`: one reads and one writes, for any number of recipients. For a single recipient they need
 * no transaction.
 */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { Template } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { refuseConstraint, refuseId } from "../../audience/contacts/ContactConstraints.ts"
import type { ExpectedUpsert, KnownContact } from "../../audience/contacts/ContactInput.ts"
import { contactsAt, dataVersion, expectedUpsertParts } from "../../audience/contacts/ContactUpsertSql.ts"
import { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import { TopicOfMail, topicJson, topicOfRow } from "../../audience/topics/TopicOfMail.ts"
import { usedPartials } from "../../content/partials/ClosureSql.ts"
import type { PartialSources } from "../../content/rendering/Partials.ts"
import { countOf } from "../../platform/Queries.ts"
import { rowCounts } from "../../platform/RowCounts.ts"
import { acceptedMails, acceptParts } from "../ledger/AcceptSql.ts"
import type { NewMail } from "../ledger/Ledger.ts"

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
      Schema.Struct({ kind: Schema.Literal("template"), value: sentFields }),
      Schema.Struct({ kind: Schema.Literal("partial"), value: partialFields }),
      Schema.Struct({ kind: Schema.Literal("domain"), value: Schema.String }),
      Schema.Struct({ kind: Schema.Literal("topic"), value: TopicOfMail }),
      Schema.Struct({ kind: Schema.Literal("contact"), value: contactFields })
    ])
  )
)

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

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const suppressed = yield* SuppressedAddress

  const namedTopics = (project: ProjectId, names: ReadonlyArray<string>) => sql`
    union all
    select 'topic', ${topicJson(sql)} from topics as topic
    where project_id = ${project}
      and (key = any(${names}::text[]) or id::text = any(${names.map((name) => name.toLowerCase())}::text[]))`

  return {
    look: Effect.fn("Sending.look")(function* (
      project: ProjectId,
      { templates, partials = [], topics = [], senderDomains, addresses }: Wanted
    ): Effect.fn.Return<Found, unknown> {
      const ids = templates.flatMap(({ id }) => id ?? [])
      const aliases = templates.flatMap(({ id, alias }) => (id === undefined ? (alias ?? []) : []))
      const byId = sql`id = any(${[...new Set(ids)]}::uuid[])`
      const named = aliases.length === 0 ? byId : sql`(${byId} or alias = any(${[...new Set(aliases)]}::text[]))`
      // Only a template or a request can name partials.
      const mayName = ids.length > 0 || aliases.length > 0 || partials.length > 0
      const names = sql`select unnest(${partials}::text[]) union all select unnest(partials) from template`
      const rows = yield* foundRows(
        yield* sql`
          with ${mayName ? sql`recursive` : sql``} template as materialized (
            select id, alias, version, subject, body, text, from_email as "from", from_name as "fromName",
                   reply_to as "replyTo", type, language, translations, layout, strict, partials,
                   ${topicOfRow(sql, "templates")} as topic,
                   case when type <> 'TRANSACTIONAL' and topic_id is null then coalesce((
                     select (settings ->> 'topicRequired')::boolean from audience_settings
                     where audience_settings.project_id = templates.project_id), false)
                   else false end as "topicRequired"
            from templates where project_id = ${project} and ${named}
          )${mayName ? sql`, ${usedPartials(sql, project, names)}` : sql``}
          select 'template' as kind, to_jsonb(template) as value from template
          ${mayName ? sql`union all select 'partial', to_jsonb(used_partials) from used_partials` : sql``}
          ${topics.length === 0 ? sql`` : namedTopics(project, topics)}
          union all
          select 'domain', to_jsonb(domain) from domains
          where project_id = ${project} and verified
            and domain = any(${[...new Set(senderDomains)]}::text[]
                             || array(select split_part("from", '@', 2) from template))
          union all
          select 'contact', jsonb_build_object('id', id, 'email', email, 'subscribed', subscribed, 'data', data,
                                               'snoozedUntil', snoozed_until, 'topicsOn', topics_on,
                                               'topicsOff', topics_off, 'version', ${sql.literal(dataVersion)})
          from ${contactsAt(sql, project, addresses)}`
      )
      const found = rows.flatMap((row) => (row.kind === "template" ? [row.value] : []))
      const byIdOf = new Map(found.map((each) => [String(each.id), each]))
      const foundTopics = rows.flatMap((row) => (row.kind === "topic" ? [row.value] : []))
      // An id wins over a key.
      const byTopicName = new Map([
        ...foundTopics.map((topic) => [topic.key, topic] as const),
        ...foundTopics.map((topic) => [topic.id, topic] as const)
      ])
      const byAlias = new Map(found.map((each) => [each.alias, each]))
      return {
        template: ({ id, alias }) =>
          id === undefined ? (alias === undefined ? undefined : byAlias.get(alias)) : byIdOf.get(id),
        topic: (name) => byTopicName.get(name) ?? byTopicName.get(name.toLowerCase()),
        partials: new Map(
          rows.flatMap((row) => (row.kind === "partial" ? [[row.value.name, row.value] as const] : []))
        ),
        verifiedDomains: new Set(rows.flatMap((row) => (row.kind === "domain" ? [row.value] : []))),
        contacts: new Map(
          rows.flatMap((row) => (row.kind === "contact" ? [[row.value.email, row.value] as const] : []))
        )
      }
    }, Effect.orDie),
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
    accept: (project: ProjectId, recipients: ReadonlyArray<ExpectedUpsert>, mail: NewMail, now: DateTime.Utc) => {
      const at = DateTime.toDate(now)
      const complete = sql`(select written = ${recipients.length} from complete)`
      const contacts = Array.isReadonlyArrayNonEmpty(recipients)
        ? sql`${expectedUpsertParts(sql, project, recipients, at)},
        complete as materialized (select count(*) as written from touched),`
        : sql`complete as materialized (select 0 as written),`
      return sql`
        with ${contacts}
        ${acceptParts(sql, suppressed, project, mail, at, complete)}
        select id, reason from accepted`.pipe(
        Effect.flatMap(acceptedMails),
        Effect.map(Option.liftPredicate(({ size }) => size > 0)),
        Effect.catchTag("SchemaError", Effect.die),
        Effect.catchReasons("SqlError", { UniqueViolation: refuseId, ConstraintError: refuseConstraint }, (_, error) =>
          Effect.die(error)
        )
      )
    }
  }
})
