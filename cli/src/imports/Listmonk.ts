/** listmonk: lists of subscribers with attributes. */
import { Effect, Schema } from "effect"
import {
  getFrom,
  type ImportSource,
  type SourceContact,
  type SourceServer,
  type SourceTemplate,
  sentCampaigns
} from "./Source.ts"
import { fromGoTemplate } from "./TemplateTexts.ts"

/** `key` is `user:token` of an API user. */
export const serverOf = (url: string, key: string): SourceServer => ({
  title: "listmonk",
  url,
  headers: { authorization: `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(key)))}` }
})

const paged = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    data: Schema.Struct({ results: Schema.Array(item), total: Schema.Int, per_page: Schema.Int, page: Schema.Int })
  })

const List = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  description: Schema.optionalKey(Schema.NullOr(Schema.String)),
  optin: Schema.optionalKey(Schema.String)
})

const Subscriber = Schema.Struct({
  email: Schema.String,
  name: Schema.String,
  status: Schema.String,
  created_at: Schema.optionalKey(Schema.String),
  attribs: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)),
  lists: Schema.NullOr(Schema.Array(Schema.Struct({ id: Schema.Int, subscription_status: Schema.String })))
})

const Bounce = Schema.Struct({ email: Schema.String, type: Schema.String })

const Template = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  type: Schema.String,
  subject: Schema.optionalKey(Schema.NullOr(Schema.String)),
  body: Schema.String
})

const Templates = Schema.Struct({ data: Schema.Array(Template) })
const Counted = Schema.Struct({ data: Schema.Struct({ total: Schema.Int }) })

const perPage = 500

/** The words of a name, as templates of listmonk have them. */
const names = (name: string) => {
  const [firstName = "", ...others] = name.trim().split(/\s+/)
  return {
    ...(name.trim() !== "" && { name: name.trim() }),
    ...(firstName !== "" && { firstName }),
    ...(others.length > 0 && { lastName: others.join(" ") })
  }
}

export const listmonk = (server: SourceServer): Effect.Effect<ImportSource> =>
  Effect.gen(function* () {
    const get = getFrom(server)
    const lists = yield* Effect.cached(
      Effect.gen(function* () {
        const all: Array<typeof List.Type> = []
        for (let page = 1; ; page++) {
          const { data } = yield* get("/api/lists", paged(List), {
            page,
            per_page: perPage,
            order_by: "created_at",
            order: "ASC"
          })
          all.push(...data.results)
          if (all.length >= data.total || data.results.length === 0) return all
        }
      })
    )
    const templates = yield* Effect.cached(Effect.map(get("/api/templates", Templates), ({ data }) => data))

    /** A subscriber gets the campaigns of a list if it confirmed, or if the list asks for no confirmation. */
    const contactOf =
      (single: ReadonlySet<number>) =>
      (found: typeof Subscriber.Type): SourceContact => {
        const { email, name, status, created_at, attribs, lists } = found
        const active = (lists ?? []).filter(
          ({ id, subscription_status }) =>
            subscription_status === "confirmed" || (subscription_status === "unconfirmed" && single.has(id))
        )
        return {
          email,
          subscribed: status === "enabled" && active.length > 0,
          isSuppressed: status === "blocklisted",
          data: { ...names(name), ...attribs },
          agreedAt: created_at,
          segments: active.map(({ id }) => String(id))
        }
      }

    return {
      name: "listmonk",
      domains: Effect.succeed([]),
      suppressions: (cursor) =>
        Effect.map(
          get("/api/bounces", paged(Bounce), {
            page: cursor ?? 1,
            per_page: perPage,
            order_by: "created_at",
            order: "asc"
          }),
          ({ data: { results, total, page, per_page } }) => ({
            items: [...new Set(results.flatMap(({ email, type }) => (type === "soft" ? [] : [email])))],
            next: page * per_page < total && results.length > 0 ? String(page + 1) : null,
            total
          })
        ),
      segments: Effect.map(lists, (all) =>
        all.map(({ id, name, description }) => ({
          id: String(id),
          name,
          description: description?.slice(0, 500) || undefined
        }))
      ),
      contacts: Effect.fnUntraced(function* (cursor) {
        const single = new Set((yield* lists).flatMap(({ id, optin }) => (optin === "double" ? [] : [id])))
        const { data } = yield* get("/api/subscribers", paged(Subscriber), {
          page: cursor ?? 1,
          per_page: perPage,
          order_by: "created_at",
          order: "ASC"
        })
        const { results, total, page, per_page } = data
        return {
          items: results.map(contactOf(single)),
          next: page * per_page < total && results.length > 0 ? String(page + 1) : null,
          total
        }
      }),
      templates: Effect.map(templates, (all) =>
        all.map(({ id, name, type, subject, body }): SourceTemplate => {
          const texts = [fromGoTemplate(body), fromGoTemplate(subject ?? "")] as const
          return {
            id: String(id),
            name,
            isLayout: type !== "tx",
            subject: texts[1].text || name,
            body: texts[0].text,
            type: "TRANSACTIONAL",
            unknown: [...texts[0].unknown, ...texts[1].unknown]
          }
        })
      ),
      gaps: Effect.gen(function* () {
        const { data } = yield* get("/api/campaigns", Counted, { page: 1, per_page: 1 })
        return [
          sentCampaigns(data.total, "in listmonk"),
          { what: "sender domains", count: null, advice: "listmonk knows none. Add them with `posthorn domains add`." },
          {
            what: "subscriptions to single lists",
            count: null,
            advice:
              "A list is a segment here. A subscriber who left a list is not in its segment; one who left all is unsubscribed."
          },
          {
            what: "media",
            count: null,
            advice:
              "Images stay at their addresses. Upload those that mail needs with `posthorn api POST /uploads/image`."
          }
        ]
      })
    }
  })
