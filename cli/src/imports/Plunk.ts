/** Plunk, whose API has the shapes of this one. */
import type { FilterTree } from "@posthorn/client"
import { Effect, Schema } from "effect"
import {
  getFrom,
  type ImportSource,
  noPages,
  orNone,
  type SourceSegment,
  type SourceServer,
  type SourceTemplate,
  sentCampaigns
} from "./Source.ts"

export const defaultUrl = "https://next-api.useplunk.com"

export const serverOf = (url: string, key: string): SourceServer => ({
  title: "Plunk",
  url,
  headers: { authorization: `Bearer ${key}` }
})

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))

const Contact = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  subscribed: Schema.Boolean,
  data: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Json))),
  createdAt: Text
})

const Contacts = Schema.Struct({
  data: Schema.Array(Contact),
  cursor: Text,
  hasMore: Schema.Boolean,
  total: Schema.optionalKey(Schema.Number)
})

const Segment = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  description: Text,
  type: Schema.optionalKey(Schema.String),
  condition: Schema.optionalKey(Schema.Json),
  projectId: Text
})

const Members = Schema.Struct({
  data: Schema.Array(Schema.Struct({ email: Schema.String })),
  page: Schema.Int,
  pageSize: Schema.Int,
  total: Schema.Int
})

const Template = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  subject: Schema.String,
  body: Schema.String,
  from: Text,
  fromName: Text,
  replyTo: Text,
  type: Schema.optionalKey(Schema.Literals(["HEADLESS", "MARKETING", "TRANSACTIONAL"])),
  projectId: Text
})

const Offset = { page: Schema.Int, totalPages: Schema.Int, total: Schema.Int }
const Templates = Schema.Struct({ data: Schema.Array(Template), ...Offset })
const Counted = Schema.Struct({ total: Schema.Int })

const Domains = Schema.Array(Schema.Struct({ domain: Schema.String }))

const pageSize = 100

/** An empty text is none. */
const given = (text: string | null | undefined): string | undefined => (text === null || text === "" ? undefined : text)

export const plunk = (server: SourceServer): Effect.Effect<ImportSource> =>
  Effect.gen(function* () {
    const get = getFrom(server)
    const segments = yield* Effect.cached(get("/segments", Schema.Array(Segment)))
    const templates = yield* Effect.cached(
      Effect.gen(function* () {
        const all: Array<typeof Template.Type> = []
        for (let page = 1; ; page++) {
          const { data, totalPages } = yield* get("/templates", Templates, { page, pageSize })
          all.push(...data)
          if (page >= totalPages || data.length === 0) return all
        }
      })
    )

    /** The path of the domains names the project, which other records name. */
    const domains = Effect.gen(function* () {
      const found = [...(yield* segments), ...(yield* templates)].find(
        ({ projectId }) => given(projectId) !== undefined
      )
      if (found === undefined) return []
      const listed = yield* orNone(get(`/domains/project/${found.projectId}`, Domains), [])
      return listed.map(({ domain }) => domain)
    })

    const counted = (path: string) =>
      Effect.map(orNone(get(path, Counted, { page: 1, pageSize: 1 }), { total: 0 }), ({ total }) => total)

    return {
      name: "plunk",
      domains,
      suppressions: noPages,
      segments: Effect.map(segments, (all) =>
        all.map(
          ({ id, name, description, type, condition }): SourceSegment => ({
            id,
            name,
            description: given(description),
            condition: type === "STATIC" ? undefined : ((condition ?? undefined) as FilterTree | undefined)
          })
        )
      ),
      contacts: (cursor) =>
        Effect.map(
          get("/contacts", Contacts, { limit: 100, cursor: cursor ?? undefined, sort: "createdAt", dir: "asc" }),
          ({ data, cursor: next, hasMore, total }) => ({
            items: data.map(({ email, subscribed, data, createdAt }) => ({
              email,
              subscribed,
              data: data ?? {},
              agreedAt: given(createdAt)
            })),
            next: hasMore ? (given(next) ?? null) : null,
            total: total === 0 ? undefined : total
          })
        ),
      members: (segment) => (cursor) =>
        Effect.map(
          get(`/segments/${segment}/contacts`, Members, { page: cursor ?? 1, pageSize }),
          ({ data, page, pageSize, total }) => ({
            items: data.map(({ email }) => email),
            next: page * pageSize < total && data.length > 0 ? String(page + 1) : null,
            total
          })
        ),
      templates: Effect.map(templates, (all) =>
        all.map(
          ({ id, name, subject, body, from, fromName, replyTo, type = "MARKETING" }): SourceTemplate => ({
            id,
            name,
            subject,
            body,
            from: given(from),
            fromName: given(fromName),
            replyTo: given(replyTo),
            type
          })
        )
      ),
      gaps: Effect.gen(function* () {
        return [
          sentCampaigns(yield* counted("/campaigns"), "at Plunk"),
          {
            what: "workflows",
            count: yield* counted("/workflows"),
            advice:
              "Make new ones, or write them as files for `posthorn workflows push`: waiting contacts would start again."
          },
          {
            what: "events and mails",
            count: null,
            advice: "The history stays at Plunk. Segments that filter by events fill again as events come."
          },
          {
            what: "bounces",
            count: null,
            advice: "Plunk unsubscribes an address that bounced or complained; so it comes as unsubscribed."
          }
        ]
      })
    }
  })
