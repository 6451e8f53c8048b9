/** Resend: contacts with properties in segments, what they said about topics, templates and domains. */
import { Effect, Schema } from "effect"
import type { CommandFailure } from "../Failure.ts"
import {
  getFrom,
  type ImportSource,
  orNone,
  type SourceContact,
  type SourcePage,
  type SourceServer,
  type SourceTemplate,
  type SourceTopic,
  sentCampaigns
} from "./Source.ts"
import { fromResend } from "./TemplateTexts.ts"

export const defaultUrl = "https://api.resend.com"

export const serverOf = (url: string, key: string): SourceServer => ({
  title: "Resend",
  url,
  headers: { authorization: `Bearer ${key}` }
})

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))

const Named = Schema.Struct({ id: Schema.String, name: Schema.String })

const Contact = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  first_name: Text,
  last_name: Text,
  unsubscribed: Schema.Boolean,
  created_at: Text
})

const Value = Schema.Union([
  Schema.Struct({ value: Schema.Union([Schema.String, Schema.Number, Schema.Null]) }),
  Schema.String,
  Schema.Number,
  Schema.Null
])

const Properties = Schema.Struct({ properties: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Value))) })
const Subscription = Schema.Literals(["opt_in", "opt_out"])

const Topic = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  description: Text,
  default_subscription: Subscription,
  visibility: Schema.optionalKey(Schema.NullOr(Schema.Literals(["public", "private"])))
})

/** What the contact has of a topic: what it said, or the default. */
const Choice = Schema.Struct({ id: Schema.String, subscription: Subscription })

const said = { opt_in: "subscribed", opt_out: "unsubscribed" } as const

const Suppression = Schema.Struct({ id: Schema.String, email: Schema.String })
const Identified = Schema.Struct({ id: Schema.String })

const Template = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  subject: Text,
  html: Schema.String,
  text: Text,
  from: Text,
  reply_to: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Schema.String)]))),
  variables: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(
        Schema.Struct({
          key: Schema.String,
          fallback_value: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Number])))
        })
      )
    )
  )
})

const given = (text: string | null | undefined): string | undefined => (text === null || text === "" ? undefined : text)

/** `2023-10-06 22:59:55.977+00` is a time too. */
const timeOf = (text: string | null | undefined): string | undefined => {
  const time = Date.parse((given(text) ?? "").replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"))
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

const listOf = <A>(item: Schema.Codec<A, unknown>) =>
  Schema.Struct({ data: Schema.Array(item), has_more: Schema.optionalKey(Schema.Boolean) })

export const resend = (server: SourceServer): Effect.Effect<ImportSource> =>
  Effect.gen(function* () {
    const get = getFrom(server)

    /** A page is after the last id of the page before it. */
    const pageOf = <A extends { readonly id: string }>(
      path: string,
      item: Schema.Codec<A, unknown>,
      after: string | null
    ) =>
      Effect.map(
        get(path, listOf(item), { limit: 100, after: after ?? undefined }),
        ({ data, has_more = false }): SourcePage<A> => ({
          items: data,
          next: has_more ? (data.at(-1)?.id ?? null) : null
        })
      )

    const allOf = <A extends { readonly id: string }>(path: string, item: Schema.Codec<A, unknown>) =>
      Effect.gen(function* () {
        const all: Array<A> = []
        let after: string | null = null
        do {
          const page: SourcePage<A> = yield* pageOf(path, item, after)
          all.push(...page.items)
          after = page.next
        } while (after !== null)
        return all
      })

    /** Lists leave properties out, so each contact is read alone where the account has any. */
    const hasProperties = yield* Effect.cached(
      Effect.map(
        orNone(pageOf("/contact-properties", Identified, null), { items: [], next: null }),
        ({ items }) => items.length > 0
      )
    )

    const topics = yield* Effect.cached(orNone(allOf("/topics", Topic), []))

    /** A choice that is the default of its topic may be none, so it is left out. */
    const choicesOf = Effect.fnUntraced(function* (id: string) {
      const all = yield* topics
      if (all.length === 0) return undefined
      const choices = yield* orNone(allOf(`/contacts/${id}/topics`, Choice), [])
      return Object.fromEntries(
        choices.flatMap(({ id, subscription }) => {
          const topic = all.find((each) => each.id === id)
          return topic === undefined || topic.default_subscription === subscription ? [] : [[id, said[subscription]]]
        })
      )
    })

    const contactOf = Effect.fnUntraced(function* (found: typeof Contact.Type) {
      const { id, email, first_name, last_name, unsubscribed, created_at } = found
      const { properties } = (yield* hasProperties) ? yield* orNone(get(`/contacts/${id}`, Properties), {}) : {}
      const values = Object.entries(properties ?? {}).map(
        ([name, property]) =>
          [name, typeof property === "object" && property !== null ? property.value : property] as const
      )
      const contact: SourceContact = {
        email,
        subscribed: !unsubscribed,
        data: {
          ...(given(first_name) !== undefined && { firstName: first_name ?? "" }),
          ...(given(last_name) !== undefined && { lastName: last_name ?? "" }),
          ...Object.fromEntries(values.filter(([, value]) => value !== null))
        },
        agreedAt: timeOf(created_at),
        topics: yield* choicesOf(id)
      }
      return contact
    })

    const templateOf = ({
      id,
      name,
      subject,
      html,
      text,
      from,
      reply_to,
      variables
    }: typeof Template.Type): SourceTemplate => {
      const defaults = Object.fromEntries(
        (variables ?? []).map(({ key, fallback_value }) => [key, fallback_value ?? null])
      )
      const [title, body, plain] = [subject ?? "", html, text ?? ""].map((each) => fromResend(each, defaults))
      return {
        id,
        name,
        subject: title?.text || name,
        body: body?.text ?? "",
        text: plain?.text || undefined,
        from: given(from),
        replyTo: given(typeof reply_to === "string" ? reply_to : reply_to?.[0]),
        type: "TRANSACTIONAL",
        unknown: [title, body, plain].flatMap((each) => each?.unknown ?? [])
      }
    }

    const counted = (path: string): Effect.Effect<number, CommandFailure> =>
      Effect.map(orNone(allOf(path, Identified), []), (all) => all.length)

    return {
      name: "resend",
      domains: Effect.map(allOf("/domains", Named), (all) => all.map(({ name }) => name)),
      suppressions: (cursor) =>
        Effect.map(
          orNone(pageOf("/suppressions", Suppression, cursor), { items: [], next: null }),
          ({ items, next }) => ({
            items: items.map(({ email }) => email),
            next
          })
        ),
      segments: allOf("/segments", Named),
      topics: Effect.map(topics, (all) =>
        all.map(
          ({ id, name, description, default_subscription, visibility }): SourceTopic => ({
            id,
            name,
            description: given(description),
            defaultSubscription: said[default_subscription],
            // Resend's own default.
            visibility: visibility ?? "private"
          })
        )
      ),
      contacts: Effect.fnUntraced(function* (cursor) {
        const { items, next } = yield* pageOf("/contacts", Contact, cursor)
        return { items: yield* Effect.forEach(items, contactOf), next }
      }),
      members: (segment) => (cursor) =>
        Effect.map(pageOf(`/segments/${segment}/contacts`, Contact, cursor), ({ items, next }) => ({
          items: items.map(({ email }) => email),
          next
        })),
      templates: Effect.gen(function* () {
        const all = yield* orNone(allOf("/templates", Named), [])
        return yield* Effect.forEach(all, ({ id }) => Effect.map(get(`/templates/${id}`, Template), templateOf))
      }),
      gaps: Effect.gen(function* () {
        return [
          sentCampaigns(yield* counted("/broadcasts"), "at Resend", "broadcasts"),
          {
            what: "webhooks and API keys",
            count: null,
            advice: "Add webhooks with `posthorn webhooks add`, and keys with `posthorn keys create`."
          },
          { what: "mails", count: null, advice: "The history stays at Resend." }
        ]
      })
    }
  })
