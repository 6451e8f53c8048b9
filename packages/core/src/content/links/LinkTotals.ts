/**
 * Clicks by link, and results of mail, of templates, steps of workflows and campaigns.
 *
 * Hits and transitions of mail append what they change, and a job adds it up. Totals and what is not added up yet
 * together are exact. They stay when mail is deleted.
 */
import type { LinkClicks, OwnerResults } from "@posthorn/contract/content/links/Links"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { nilId } from "@posthorn/contract/platform/Primitives"
import { Clock, Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { percentage } from "../../platform/Rates.ts"
import * as RollUp from "../../platform/RollUp.ts"
import { usedPartials } from "../partials/ClosureSql.ts"
import { longestInLine, type TextTooSlow, TextWork } from "../text/TextWork.ts"
import { matcher, type SourceTexts, sourceLinks } from "./SourceLinks.ts"

/** The texts that mail is made from, and their links. */
export interface LinkSource {
  /** The id of the template or campaign. */
  readonly id: string
  readonly content: SourceContent
}

/** HTML as written. */
export interface SourceContent extends Omit<SourceTexts, "partials"> {
  /** Absent: the partials of the project, as they are now. */
  readonly partials?: SourceTexts["partials"] | undefined
}

/** A source that is read when it is needed. */
export interface StoredSource {
  readonly id: string
  /** Each version of a template has its own texts. Null: the source has one. */
  readonly version: number | null
  readonly content: Effect.Effect<SourceContent, unknown>
}

/** The id of a link. */
export type LinkId = string

/** Stands for all addresses that no link became. */
export const others: LinkId = nilId

export interface OwnerLinks {
  readonly links: ReadonlyArray<LinkClicks & { readonly live: boolean }>
  readonly others: Pick<LinkClicks, "clicks" | "uniqueClicks" | "machineClicks" | "humanClicked">
}

/** A service, because handlers and the recording of hits call it, and a process reads each source once. */
export class LinkTotals extends Context.Service<
  LinkTotals,
  {
    /**
     * Which link of a source an address belongs to. Reads the source again after a minute, and sooner for an address that
     * fits no link. In the caller's transaction.
     */
    readonly linkOf: (project: ProjectId, source: StoredSource, url: string) => Effect.Effect<LinkId>
    /**
     * The links of the source in the order of its texts, then others of the owner that were clicked. With a variant of a
     * campaign, clicks in its mail alone count; mail without variants is that of `A`.
     */
    readonly links: (
      project: ProjectId,
      owner: string,
      source: LinkSource | undefined,
      variant?: string
    ) => Effect.Effect<OwnerLinks>
    /** Results of the mail of a template or step that exists since then. */
    readonly results: (project: ProjectId, owner: string, createdAt: DateTime.Utc) => Effect.Effect<OwnerResults>
    /** Adds the pending deltas to the totals, in batches. */
    readonly rollUp: Effect.Effect<void>
  }
>()("@posthorn/core/content/links/LinkTotals") {}

const knownRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ link: Schema.String, url: Schema.String, text: Schema.String, position: Schema.NullOr(Schema.Int) })
  )
)
const partialRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ name: Schema.String, body: Schema.String }))
)
const clickRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      link: Schema.String,
      url: Schema.NullOr(Schema.String),
      text: Schema.NullOr(Schema.String),
      clicks: Schema.Int,
      uniqueClicks: Schema.Int,
      machineClicks: Schema.Int,
      humanClicked: Schema.Int
    })
  )
)
const resultRows = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      sent: Schema.Int,
      delivered: Schema.Int,
      opened: Schema.Int,
      clicked: Schema.Int,
      bounced: Schema.Int,
      complained: Schema.Int,
      failed: Schema.Int,
      machineOpened: Schema.Int,
      machineClicked: Schema.Int,
      since: Schema.NullOr(Schema.DateTimeUtcFromDate)
    })
  ])
)

const resultColumns = {
  sent: "sent",
  delivered: "delivered",
  opened: "opened",
  clicked: "clicked",
  bounced: "bounced",
  complained: "complained",
  failed: "failed",
  machineOpened: "machine_opened",
  machineClicked: "machine_clicked"
}

/** The counters of a step, which have a report by day too. */
const stepColumns = [...Object.values(resultColumns), "unsubscribed", "converted"]

const lifetimeMillis = 60_000
/** How often an address that fits no link may cause its source to be read again. */
const retryMillis = 1_000
const maxSources = 2_000

const noClicks = { clicks: 0, uniqueClicks: 0, machineClicks: 0, humanClicked: 0 }

interface Known {
  readonly find: (url: string) => { readonly link: LinkId } | undefined
  readonly readAt: number
}

export const layer: Layer.Layer<LinkTotals, never, SqlClient.SqlClient> = Layer.effect(
  LinkTotals,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const work = yield* TextWork
    const memory = new Map<string, Known>()

    /** The partials of the project that the texts name. */
    const partialsOf = Effect.fnUntraced(function* (project: ProjectId, { layout, texts }: SourceContent) {
      if (layout === null && !texts.some((text) => /\{\{~?>/.test(text))) return {}
      const found = yield* Effect.flatMap(
        sql`
          with recursive ${usedPartials(
            sql,
            project,
            sql`select unnest(array_remove(partials_in(${texts.join(" ")}::text) || ${layout}::text, null))`
          )}
          select name, body from used_partials`,
        partialRows
      )
      return Object.fromEntries(found.map(({ name, body }) => [name, body]))
    })

    const extracted = (source: SourceTexts) =>
      ([...source.texts, ...Object.values(source.partials)].reduce((sum, text) => sum + text.length, 0) > longestInLine
        ? work.run("sourceLinks", source)
        : Effect.sync(() => sourceLinks(source))
      ).pipe(
        Effect.catchTag("TextTooSlow", (error: TextTooSlow) =>
          Effect.as(Effect.logWarning("The links of a text were not found in time", error), [])
        )
      )

    /** All links that the source has or had. New ones are stored. */
    const register = Effect.fnUntraced(function* (project: ProjectId, { id, content }: LinkSource) {
      const partials = content.partials ?? (yield* partialsOf(project, content))
      const found = (yield* extracted({ ...content, partials })).map((link, n) => ({ ...link, position: n + 1 }))
      const given = sql`
        jsonb_to_recordset(${JSON.stringify(found)}::text::jsonb) as given(url text, text text, position int)`
      return yield* Effect.flatMap(
        sql`
          with live as materialized (select md5(url)::uuid as link, url, text, position from ${given}),
          known as materialized (
            select link, url, text from source_links where project_id = ${project} and source_id = ${id}::uuid
          ),
          added as (
            insert into source_links (project_id, source_id, link, url, text)
            select ${project}::uuid, ${id}::uuid, link, url, text from live
            where link not in (select link from known) order by link
            on conflict do nothing
          )
          select link::text, url, text, position from live
          union all
          select link::text, url, text, null from known where link not in (select link from live)
          order by position`,
        knownRows
      )
    })

    const keyOf = (project: ProjectId, { id, version }: StoredSource) => `${project} ${id} ${version}`

    const read = Effect.fnUntraced(function* (project: ProjectId, source: StoredSource) {
      const known = yield* register(project, { id: source.id, content: yield* source.content })
      if (memory.size >= maxSources) memory.clear()
      const read = { find: matcher(known), readAt: yield* Clock.currentTimeMillis }
      memory.set(keyOf(project, source), read)
      return read
    })

    const linkOf = Effect.fnUntraced(function* (project: ProjectId, source: StoredSource, url: string) {
      const now = yield* Clock.currentTimeMillis
      const remembered = memory.get(keyOf(project, source))
      const isFresh = remembered !== undefined && now - remembered.readAt < lifetimeMillis
      const known = isFresh ? remembered : yield* read(project, source)
      const found = known.find(url)
      if (found !== undefined || now - known.readAt < retryMillis) return found?.link ?? others
      return (yield* read(project, source)).find(url)?.link ?? others
    }, Effect.orDie)

    const clicksOf = (project: ProjectId, owner: string, variant: string | undefined) => {
      const range = sql`
        project_id = ${project} and owner_id = ${owner}::uuid
        and ${variant === undefined ? sql`true` : sql`coalesce(nullif(variant, ''), 'A') = ${variant}`}`
      return Effect.flatMap(
        sql`
          with counted as materialized (
            select link, sum(clicks)::int as clicks, sum(unique_clicks)::int as unique_clicks,
                   sum(machine_clicks)::int as machine_clicks, sum(human_clicks)::int as human_clicks
            from (
              select link, clicks, unique_clicks, machine_clicks, human_clicks from link_totals where ${range}
              union all
              select link, clicks, unique_clicks, machine_clicks, human_clicks from link_deltas where ${range}
            ) as parts
            group by link
          )
          select counted.link::text, clicks, unique_clicks as "uniqueClicks", machine_clicks as "machineClicks",
                 human_clicks as "humanClicked", url, text
          from counted left join lateral (
            select url, text from source_links where project_id = ${project} and source_links.link = counted.link limit 1
          ) as known on true
          order by clicks desc, url`,
        clickRows
      )
    }

    const links = Effect.fn("LinkTotals.links")(function* (
      project: ProjectId,
      owner: string,
      source: LinkSource | undefined,
      variant?: string
    ) {
      const known = source === undefined ? [] : yield* register(project, source)
      const counted = yield* clicksOf(project, owner, variant)
      const byLink = new Map(
        counted.map(({ link, clicks, uniqueClicks, machineClicks, humanClicked }) => [
          link,
          { clicks, uniqueClicks, machineClicks, humanClicked }
        ])
      )
      const live = known.flatMap(({ link, url, text, position }) =>
        position === null ? [] : [{ link, url, text, position, ...(byLink.get(link) ?? noClicks), live: true }]
      )
      const isLive = new Set(live.map(({ link }) => link))
      const earlier = counted.flatMap(({ link, url, text, clicks, ...rest }) =>
        url === null || clicks === 0 || isLive.has(link)
          ? []
          : [{ url, text: text ?? "", clicks, ...rest, live: false }]
      )
      const first = live.length + 1
      return {
        links: [
          ...live.map(({ link: _, ...link }) => link),
          ...earlier.map((link, n) => ({ ...link, position: first + n }))
        ],
        others: byLink.get(others) ?? noClicks
      }
    }, Effect.orDie)

    const results = Effect.fn("LinkTotals.results")(function* (
      project: ProjectId,
      owner: string,
      createdAt: DateTime.Utc
    ) {
      const columns = sql.literal(Object.values(resultColumns).join(", "))
      const sums = Object.entries(resultColumns).map(
        ([name, column]) => `coalesce(sum(${column}), 0)::int as "${name}"`
      )
      const range = sql`project_id = ${project} and owner_id = ${owner}::uuid`
      const [{ since, ...counts }] = yield* Effect.flatMap(
        sql`
          select ${sql.literal(sums.join(", "))},
                 (select case when at > '-infinity' then at end from results_since) as since
          from (
            select ${columns} from result_totals where ${range} union all
            select ${columns} from result_deltas where ${range}
          ) as parts`,
        resultRows
      )
      return {
        ...counts,
        openRate: percentage(counts.opened, counts.sent),
        clickRate: percentage(counts.clicked, counts.sent),
        bounceRate: percentage(counts.bounced, counts.sent),
        since: since === null ? createdAt : DateTime.max(since, createdAt)
      }
    }, Effect.orDie)

    /** What a deleted owner leaves is dropped. */
    const exists = ["templates", "campaigns", "workflow_steps", "workflow_former_steps"]
      .map((table) => `exists (select from ${table} where project_id = taken.project_id and id = taken.owner_id)`)
      .join(" or ")

    const rollUp = Effect.forEach(
      [
        {
          deltas: "link_deltas",
          totals: "link_totals",
          deltaKey: ["project_id", "owner_id", "link"],
          key: ["project_id", "owner_id", "link", "variant"],
          sums: ["clicks", "unique_clicks", "machine_clicks", "human_clicks"]
        },
        {
          deltas: "result_deltas",
          totals: "result_totals",
          key: ["project_id", "owner_id"],
          sums: stepColumns,
          also: [
            {
              totals: "result_days",
              key: { project_id: "project_id", owner_id: "owner_id", version: "version", day: "day" },
              sums: stepColumns,
              where: `version > 0 and (${exists})`
            }
          ]
        }
      ] satisfies ReadonlyArray<RollUp.Options>,
      (table) => Effect.repeat(RollUp.rollUp(sql, { ...table, where: exists }), { while: (isFull) => isFull }),
      { discard: true }
    ).pipe(Effect.orDie, Effect.withSpan("LinkTotals.rollUp"))

    return LinkTotals.of({ linkOf, links, results, rollUp })
  })
)
