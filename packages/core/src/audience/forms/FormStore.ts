/** Sign-up forms in PostgreSQL or PGlite. */
import { Form, FormField, FormId, FormTexts } from "@posthorn/contract/audience/forms/Form"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, type Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { changedAt } from "../../platform/Queries.ts"

const TopicOffer = Schema.Struct({ id: Schema.String, mode: Schema.Literals(["always", "choice"]) })

/** What the owner of a form has set. Topics are named by their ids, because they outlive no key. */
export const FormSettings = Schema.Struct({
  enabled: Schema.Boolean,
  fields: Schema.Array(FormField),
  subscribe: Schema.Boolean,
  topics: Schema.Array(TopicOffer),
  segmentIds: Schema.Array(Schema.String),
  doubleOptIn: Schema.NullOr(Schema.Boolean),
  texts: FormTexts,
  translations: Schema.Record(Schema.String, FormTexts),
  consentRequired: Schema.Boolean,
  redirectUrl: Schema.NullOr(Schema.String),
  confirmedRedirectUrl: Schema.NullOr(Schema.String),
  allowedOrigins: Schema.Array(Schema.String),
  requireTicket: Schema.Boolean
})
export type FormSettings = typeof FormSettings.Type

/** What a version of a form says. */
export const ShownForm = Schema.Struct({
  name: Schema.String,
  fields: Schema.Array(FormField),
  topics: Schema.Array(TopicOffer),
  texts: FormTexts,
  translations: Schema.Record(Schema.String, FormTexts),
  consentRequired: Schema.Boolean
})
export type ShownForm = typeof ShownForm.Type

export const shownOf = ({ name, settings }: Pick<StoredForm, "name" | "settings">): ShownForm => ({
  name,
  fields: settings.fields,
  topics: settings.topics,
  texts: settings.texts,
  translations: settings.translations,
  consentRequired: settings.consentRequired
})

export const noTexts: FormTexts = { title: null, description: null, button: null, success: null, consentText: null }

export const defaultSettings: FormSettings = {
  enabled: true,
  fields: [],
  subscribe: true,
  topics: [],
  segmentIds: [],
  doubleOptIn: null,
  texts: noTexts,
  translations: {},
  consentRequired: false,
  redirectUrl: null,
  confirmedRedirectUrl: null,
  allowedOrigins: [],
  requireTicket: true
}

const StoredForm = Schema.Struct({
  id: FormId,
  projectId: ProjectId,
  publicId: Schema.String,
  key: Schema.String,
  name: Schema.String,
  version: Schema.Int,
  settings: FormSettings,
  submissionCount: Form.fields.submissionCount,
  confirmedCount: Form.fields.confirmedCount,
  spamCount: Form.fields.spamCount,
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
})
export type StoredForm = typeof StoredForm.Type

const PublicForm = Schema.Struct({
  ...StoredForm.fields,
  projectName: Schema.String,
  language: Schema.String
})
/** A form with what its page says of the project. */
export type PublicForm = typeof PublicForm.Type

const forms = Schema.decodeUnknownEffect(Schema.Array(StoredForm))
const publicForms = Schema.decodeUnknownEffect(Schema.Array(PublicForm))
const versions = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ shown: ShownForm })))
const languages = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ language: Schema.String })))
const encodeSettings = Schema.encodeEffect(FormSettings)
const encodeShown = Schema.encodeEffect(ShownForm)
/** Tickets that one statement deletes. */
const sweepBatch = 5_000

export const make = (sql: SqlClient.SqlClient) => {
  const columns = sql`
    forms.id, forms.project_id as "projectId", public_id as "publicId", key, forms.name, version,
    ${JSON.stringify(defaultSettings)}::text::jsonb || settings as settings,
    coalesce(submissions, 0)::int as "submissionCount", coalesce(confirmed, 0)::int as "confirmedCount",
    coalesce(spam, 0)::int as "spamCount", forms.created_at as "createdAt", forms.updated_at as "updatedAt"`
  const counted = sql`
    left join form_counts on form_counts.project_id = forms.project_id and form_counts.form_id = forms.id`

  return {
    /** Until the transaction ends, no other call creates a form of the project. */
    lock: (project: ProjectId): Effect.Effect<void> =>
      sql`select pg_advisory_xact_lock(hashtextextended(${`forms:${project}`}, 0))`.pipe(Effect.asVoid, Effect.orDie),

    list: (project: ProjectId): Effect.Effect<ReadonlyArray<StoredForm>> =>
      sql`
        select ${columns} from forms ${counted} where forms.project_id = ${project}
        order by forms.created_at desc, forms.id desc`.pipe(Effect.flatMap(forms), Effect.orDie),

    find: (project: ProjectId, id: FormId, lock = false): Effect.Effect<Option.Option<StoredForm>> =>
      sql`
        select ${columns} from forms ${counted} where forms.project_id = ${project} and forms.id = ${id}
        ${lock ? sql`for update of forms` : sql``}`.pipe(
        Effect.flatMap(forms),
        Effect.map((found) => Array.head(found)),
        Effect.orDie
      ),

    /** The form of a public id. None while it is not enabled, or its project is disabled, reset or deleted. */
    findPublic: (publicId: string): Effect.Effect<Option.Option<PublicForm>> =>
      sql`
        select ${columns}, projects.name as "projectName", projects.language
        from forms join projects on projects.id = forms.project_id ${counted}
        where public_id = ${publicId} and coalesce((settings ->> 'enabled')::boolean, true)
          and projects.deleted_at is null and projects.disabled_reason is null
          and projects.resetting_since is null`.pipe(
        Effect.flatMap(publicForms),
        Effect.map((found) => Array.head(found)),
        Effect.orDie
      ),

    /** What a version of a form said. */
    version: (project: ProjectId, id: FormId, version: number): Effect.Effect<Option.Option<ShownForm>> =>
      sql`
        select shown from form_versions
        where project_id = ${project} and form_id = ${id} and version = ${version}::int`.pipe(
        Effect.flatMap(versions),
        Effect.map((found) => Array.head(found.map(({ shown }) => shown))),
        Effect.orDie
      ),

    insert: Effect.fn("FormStore.insert")(function* (
      form: Pick<StoredForm, "id" | "key" | "name" | "projectId" | "publicId" | "settings">,
      now: DateTime.Utc
    ) {
      const { id, key, name, projectId: project, publicId, settings } = form
      const at = DateTime.toDate(now)
      yield* sql`
        insert into forms (project_id, id, public_id, key, name, version, settings, created_at, updated_at)
        values (${project}, ${id}, ${publicId}, ${key}, ${name}, 1,
                ${JSON.stringify(yield* encodeSettings(settings))}::text::jsonb, ${at}, ${at})`
      yield* sql`
        insert into form_versions (project_id, form_id, version, shown)
        values (${project}, ${id}, 1, ${JSON.stringify(yield* encodeShown(shownOf(form)))}::text::jsonb)`
    }, Effect.orDie),

    /** Stores the form, which the caller has locked, and its version if that is new. */
    update: Effect.fn("FormStore.update")(function* (
      form: Pick<StoredForm, "id" | "name" | "projectId" | "settings" | "version">,
      now: DateTime.Utc
    ) {
      const { id, name, projectId: project, settings, version } = form
      yield* sql`
        update forms set name = ${name}, version = ${version},
               settings = ${JSON.stringify(yield* encodeSettings(settings))}::text::jsonb,
               updated_at = ${changedAt(sql, "updated_at", now)}
        where project_id = ${project} and id = ${id}`
      yield* sql`
        insert into form_versions (project_id, form_id, version, shown)
        values (${project}, ${id}, ${version}, ${JSON.stringify(yield* encodeShown(shownOf(form)))}::text::jsonb)
        on conflict do nothing`
    }, Effect.orDie),

    remove: Effect.fn("FormStore.remove")(function* (project: ProjectId, id: FormId) {
      yield* sql`delete from form_versions where project_id = ${project} and form_id = ${id}`
      yield* sql`delete from form_counts where project_id = ${project} and form_id = ${id}`
      yield* sql`delete from forms where project_id = ${project} and id = ${id}`
    }, Effect.orDie),

    /** Uses up a ticket. False if it was used before. Another use waits until the caller's transaction ends. */
    useTicket: (project: ProjectId, challenge: string, expiresAt: DateTime.Utc): Effect.Effect<boolean> =>
      sql`
        insert into form_tickets (project_id, challenge, expires_at)
        values (${project}, decode(${challenge}, 'hex'), ${DateTime.toDate(expiresAt)})
        on conflict do nothing returning 1`.pipe(
        Effect.map((used) => used.length > 0),
        Effect.orDie
      ),

    /** Deletes expired tickets, in steps that lock few rows. */
    sweepTickets: Effect.fn("FormStore.sweepTickets")(function* (now: DateTime.Utc) {
      let count = sweepBatch
      while (count === sweepBatch) {
        const gone = yield* sql`
          delete from form_tickets where ctid = any(array(
            select ctid from form_tickets where expires_at <= ${DateTime.toDate(now)} limit ${sweepBatch}))
          returning 1`
        count = gone.length
      }
    }, Effect.orDie),

    /** The language of the project, of a form without one of its own. */
    language: (project: ProjectId): Effect.Effect<string> =>
      sql`select language from projects where id = ${project}`.pipe(
        Effect.flatMap(languages),
        Effect.map(([found]) => found?.language ?? ""),
        Effect.orDie
      )
  }
}
export type FormStore = ReturnType<typeof make>
