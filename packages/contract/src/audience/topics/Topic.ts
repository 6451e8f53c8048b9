/** A topic: a kind of mail, such as a newsletter, that contacts take or leave apart from all other mail. */
import { Schema, SchemaIssue } from "effect"
import { ProjectId } from "../../platform/Auth.ts"
import { described, Id, isWithin, Name, Note, optional, required, Timestamp } from "../../platform/Primitives.ts"

export const TopicId = Id.pipe(Schema.brand("TopicId"))
export type TopicId = typeof TopicId.Type

const keyRule = "1 to 64 characters of `a-z`, `0-9`, `_` and `-`, starting with a letter or digit."

/** Names a topic beside its id, also in the names of its events. */
export const TopicKey = Schema.String.check(
  isWithin(64, keyRule),
  Schema.isPattern(/^[a-z0-9][a-z0-9_-]*$/, { message: keyRule })
)

const notAName = "Neither an id nor a key of a topic."

/** The id or the key of a topic. */
export const TopicName = Schema.String.check(
  Schema.isMinLength(1, { code: "required", message: "Required." }),
  isWithin(64, notAName),
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, { message: notAName })
)

export const DefaultSubscription = Schema.Literals(["subscribed", "unsubscribed"])
export type DefaultSubscription = typeof DefaultSubscription.Type

export const TopicVisibility = Schema.Literals(["public", "private"])
export type TopicVisibility = typeof TopicVisibility.Type

export const TopicText = Schema.Struct({
  name: Schema.String,
  description: Schema.NullOr(Schema.String)
}).annotate({ identifier: "TopicText", description: "What recipients read about a topic in one language." })
export type TopicText = typeof TopicText.Type

const maxTranslations = 20

const about = {
  key: "Names the topic beside its id, and in the names of its events. It never changes.",
  name: "What recipients read, 1 to 100 characters.",
  description: "What recipients read below the name, at most 500 characters.",
  translations: "Name and description by language, such as `de` or `pt-BR`; at most 20.",
  defaultSubscription: "What a contact is that said nothing about the topic. It never changes.",
  visibility:
    "`public`: on the preference page and in forms. `private`: on the page of contacts that take it or have a state, and not in forms.",
  doubleOptIn: "Whether contacts must confirm that they want it. Null: as the settings of the audience say.",
  position: "Its place in lists and on pages.",
  archived: "Whether it is gone from pages, forms and new mail. Its states stay."
}

export const Topic = Schema.Struct({
  id: TopicId,
  projectId: ProjectId,
  key: Schema.String.pipe(described(about.key)),
  name: Schema.String.pipe(described(about.name)),
  description: Schema.NullOr(Schema.String).pipe(described(about.description)),
  translations: Schema.Record(Schema.String, TopicText).pipe(described(about.translations)),
  defaultSubscription: DefaultSubscription.pipe(described(about.defaultSubscription)),
  visibility: TopicVisibility.pipe(described(about.visibility)),
  doubleOptIn: Schema.NullOr(Schema.Boolean).pipe(described(about.doubleOptIn)),
  position: Schema.Int.pipe(described(about.position)),
  archived: Schema.Boolean.pipe(described(about.archived)),
  subscribedCount: Schema.Int.pipe(described("Contacts that said yes.")),
  unsubscribedCount: Schema.Int.pipe(described("Contacts that said no.")),
  subscriberCount: Schema.Int.pipe(
    described("Contacts that take it: subscribed, with a yes or, where that is the default, without a no.")
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Topic", description: "A kind of mail that contacts take or leave." })
export type Topic = typeof Topic.Type

const description = optional(Note(500)).pipe(described(about.description))

const WriteTopicText = Schema.Struct({ name: required(Name(100)), description: optional(Note(500)) }).annotate({
  identifier: "WriteTopicText"
})

const isLanguages = Schema.makeFilter<Readonly<Record<string, unknown>>>((texts) => {
  const languages = Object.keys(texts)
  if (languages.length > maxTranslations) {
    return new SchemaIssue.InvalidValue({ code: "too_big", message: `At most ${maxTranslations} languages.` })
  }
  const faulty = languages.find((language) => !/^[a-z]{2}(?:-[A-Z]{2})?$/.test(language))
  return faulty === undefined
    ? true
    : {
        path: [faulty],
        issue: new SchemaIssue.InvalidValue({
          code: "invalid_string",
          message: "A language is two letters, or those and a country: `de`, `pt-BR`."
        })
      }
})

const translations = optional(Schema.Record(Schema.String, WriteTopicText).check(isLanguages)).pipe(
  described(`${about.translations} They replace the stored ones.`)
)

const position = Schema.Int.check(
  Schema.isGreaterThanOrEqualTo(0, { message: "At least 0." }),
  Schema.isLessThanOrEqualTo(1_000_000, { message: "At most 1000000." })
)

/** Body of `POST /topics`. */
export const CreateTopic = Schema.Struct({
  key: optional(TopicKey).pipe(described(`${keyRule} Default: made from the name.`)),
  name: required(Name(100)).pipe(described(about.name)),
  description,
  translations,
  defaultSubscription: required(DefaultSubscription).pipe(described(about.defaultSubscription)),
  visibility: optional(TopicVisibility).pipe(described(`${about.visibility} Default: \`public\`.`)),
  doubleOptIn: optional(Schema.Boolean).pipe(described(about.doubleOptIn)),
  position: optional(position).pipe(described(`${about.position} Default: the last.`)),
  archived: optional(Schema.Boolean)
}).annotate({ identifier: "CreateTopic" })
export type CreateTopic = typeof CreateTopic.Type

/** Body of `PATCH /topics/{topic}`. An absent field stays. */
export const UpdateTopic = Schema.Struct({
  key: Schema.optionalKey(TopicKey).pipe(described("Only the key that the topic has.")),
  name: Schema.optionalKey(Name(100)).pipe(described(about.name)),
  description,
  translations,
  defaultSubscription: Schema.optionalKey(DefaultSubscription).pipe(described("Only what the topic has.")),
  visibility: Schema.optionalKey(TopicVisibility).pipe(described(about.visibility)),
  doubleOptIn: optional(Schema.Boolean).pipe(described(about.doubleOptIn)),
  position: Schema.optionalKey(position).pipe(described(about.position)),
  archived: Schema.optionalKey(Schema.Boolean).pipe(described(about.archived))
}).annotate({ identifier: "UpdateTopic" })
export type UpdateTopic = typeof UpdateTopic.Type

export const TopicQuery = Schema.Struct({
  archived: Schema.optionalKey(Schema.Literals(["false", "true", "all"])).pipe(
    described("`false`: topics in use. `true`: archived ones.", "false")
  )
})
export type TopicQuery = typeof TopicQuery.Type

const named = { id: Schema.String, name: Schema.String }
const Uses = Schema.Array(Schema.Struct(named))

/** What uses a topic. Only a topic that nothing uses can be deleted. */
export const TopicUsage = Schema.Struct({
  campaigns: Schema.Array(Schema.Struct({ ...named, status: Schema.String })).pipe(
    described("Campaigns that are drafts, scheduled or being sent.")
  ),
  templates: Uses,
  workflowSteps: Schema.Array(Schema.Struct({ ...named, workflowId: Schema.String })),
  forms: Uses,
  segments: Uses,
  canDelete: Schema.Boolean.pipe(described("False while something uses it."))
}).annotate({
  identifier: "TopicUsage",
  description: "The campaigns, templates, steps of workflows, forms and segments that use the topic."
})
export type TopicUsage = typeof TopicUsage.Type
