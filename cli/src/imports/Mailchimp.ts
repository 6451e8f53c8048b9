/** Mailchimp: audiences of members with merge fields and tags. */
import { Effect, Schema } from "effect"
import { wrongUsage } from "../Failure.ts"
import {
  getFrom,
  type ImportSource,
  type SourceContact,
  type SourceSegment,
  type SourceServer,
  sentCampaigns
} from "./Source.ts"

/** A key ends with the data centre of its account, such as `us6`. */
export const urlOf = (key: string) => {
  const centre = /-([a-z]{2,4}\d{1,4})$/.exec(key.trim())?.[1]
  return centre === undefined
    ? wrongUsage(
        "The key of Mailchimp does not end with a data centre, such as -us6.",
        "Pass the whole key, or --source-url."
      )
    : Effect.succeed(`https://${centre}.api.mailchimp.com/3.0`)
}

export const serverOf = (url: string, key: string): SourceServer => ({
  title: "Mailchimp",
  url,
  headers: { authorization: `Basic ${btoa(`posthorn:${key}`)}` }
})

const List = Schema.Struct({ id: Schema.String, name: Schema.String })
const Lists = Schema.Struct({ lists: Schema.Array(List), total_items: Schema.Int })

const Tag = Schema.Struct({ id: Schema.Int, name: Schema.String })
const Segments = Schema.Struct({
  segments: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String, type: Schema.String })),
  total_items: Schema.Int
})

const Member = Schema.Struct({
  email_address: Schema.String,
  status: Schema.String,
  merge_fields: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Json))),
  tags: Schema.optionalKey(Schema.NullOr(Schema.Array(Tag))),
  language: Schema.optionalKey(Schema.NullOr(Schema.String)),
  location: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ timezone: Schema.optionalKey(Schema.NullOr(Schema.String)) }))
  ),
  timestamp_opt: Schema.optionalKey(Schema.NullOr(Schema.String)),
  timestamp_signup: Schema.optionalKey(Schema.NullOr(Schema.String))
})
const Members = Schema.Struct({ members: Schema.Array(Member), total_items: Schema.Int })

const Domains = Schema.Struct({ domains: Schema.Array(Schema.Struct({ domain: Schema.String })) })
const Counted = Schema.Struct({ total_items: Schema.Int })

const count = 1_000

/** The two fields that every audience has, by the names that they have here. Others keep the names of their tags. */
const fieldNames: { readonly [tag: string]: string } = { FNAME: "firstName", LNAME: "lastName" }

const isEmpty = (value: unknown): boolean => value === "" || value === null

const dataOf = (fields: typeof Member.Type.merge_fields): SourceContact["data"] =>
  Object.fromEntries(
    Object.entries(fields ?? {}).flatMap(([tag, value]) => (isEmpty(value) ? [] : [[fieldNames[tag] ?? tag, value]]))
  )

/** `en_US` and `pt` are language tags; other codes of Mailchimp are not. */
const localeOf = (language: string | null | undefined): string | undefined =>
  /^[a-z]{2}(?:[_-][A-Z]{2})?$/.test(language ?? "") ? language?.replace("_", "-") : undefined

const zoneOf = (zone: string | null | undefined): string | undefined =>
  zone !== null && zone !== undefined && Intl.supportedValuesOf("timeZone").includes(zone) ? zone : undefined

const timeOf = (text: string | null | undefined): string | undefined =>
  text !== null && text !== undefined && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : undefined

const contactOf =
  (list: string) =>
  ({
    email_address,
    status,
    merge_fields,
    tags,
    language,
    location,
    ...member
  }: typeof Member.Type): SourceContact => ({
    email: email_address,
    subscribed: status === "subscribed",
    // Mailchimp cleans an address that bounced for good.
    isSuppressed: status === "cleaned",
    data: dataOf(merge_fields),
    locale: localeOf(language),
    timezone: zoneOf(location?.timezone),
    agreedAt: timeOf(member.timestamp_opt) ?? timeOf(member.timestamp_signup),
    segments: [`list ${list}`, ...(tags ?? []).map(({ id }) => `tag ${id}`)]
  })

export const mailchimp = (server: SourceServer): Effect.Effect<ImportSource> =>
  Effect.gen(function* () {
    const get = getFrom(server)
    const lists = yield* Effect.cached(Effect.map(get("/lists", Lists, { count, offset: 0 }), ({ lists }) => lists))
    const segmentsOf = (list: string, type: string) =>
      Effect.gen(function* () {
        const all: Array<(typeof Segments.Type)["segments"][number]> = []
        for (;;) {
          const page = yield* get(`/lists/${list}/segments`, Segments, { type, count, offset: all.length })
          all.push(...page.segments)
          if (page.segments.length === 0 || all.length >= page.total_items) return all
        }
      })
    const total = (path: string, query = {}) =>
      Effect.map(get(path, Counted, { ...query, count: 1 }), ({ total_items }) => total_items)

    return {
      name: "mailchimp",
      domains: Effect.map(get("/verified-domains", Domains), ({ domains }) => domains.map(({ domain }) => domain)),
      suppressions: () => Effect.succeed({ items: [], next: null }),
      segments: Effect.gen(function* () {
        const all: Array<SourceSegment> = []
        for (const { id, name } of yield* lists) {
          const tags = yield* segmentsOf(id, "static")
          all.push({ id: `list ${id}`, name }, ...tags.map((tag) => ({ id: `tag ${tag.id}`, name: tag.name })))
        }
        return all
      }),
      // A cursor is the number of an audience, and of a member in it.
      contacts: Effect.fnUntraced(function* (cursor) {
        const [at = 0, offset = 0] = (cursor ?? "").split(" ").filter(Boolean).map(Number)
        const all = yield* lists
        const list = all[at]
        if (list === undefined) return { items: [], next: null }
        const { members, total_items } = yield* get(`/lists/${list.id}/members`, Members, {
          count,
          offset,
          sort_field: "timestamp_signup",
          sort_dir: "ASC"
        })
        const read = offset + members.length
        const isListDone = members.length === 0 || read >= total_items
        return {
          items: members.map(contactOf(list.id)),
          next: !isListDone ? `${at} ${read}` : at + 1 < all.length ? `${at + 1} 0` : null,
          total: all.length === 1 ? total_items : undefined
        }
      }),
      templates: Effect.succeed([]),
      gaps: Effect.gen(function* () {
        let saved = 0
        let groups = 0
        for (const { id } of yield* lists) {
          saved += (yield* segmentsOf(id, "saved")).length
          groups += yield* total(`/lists/${id}/interest-categories`)
        }
        return [
          {
            what: "templates",
            count: yield* total("/templates", { type: "user" }),
            advice:
              "The API of Mailchimp does not give their HTML. Export them there, put the files into a folder with front matter, and run `posthorn templates push`."
          },
          sentCampaigns(yield* total("/campaigns"), "at Mailchimp"),
          {
            what: "segments with conditions",
            count: saved,
            advice:
              "Their conditions use fields of Mailchimp. Make new ones with `posthorn segments create --condition`."
          },
          {
            what: "groups",
            count: groups,
            advice: "Make topics of them with `posthorn topics create`; what members chose does not come along."
          },
          { what: "automations", count: null, advice: "Make workflows of them: `posthorn workflows push`." },
          {
            what: "archived members",
            count: null,
            advice: "Those that the API lists come as unsubscribed contacts."
          }
        ]
      })
    }
  })
