/**
 * The public archive of a project: its sent campaigns of the type MARKETING with `archive`, in PostgreSQL or PGlite. Each
 * is rendered without a contact, with the texts and partials that were fixed when its sending started.
 */
import type { AudienceSettings } from "@posthorn/contract/audience/settings/AudienceSettings"
import { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { nilId } from "@posthorn/contract/platform/Primitives"
import { Array, Cache, Duration, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AudienceRules } from "../../../audience/settings/AudienceRules.ts"
import { MailRenderer } from "../../../mail/sending/MailRenderer.ts"

/** Campaigns on a page of the list, and in the feed. */
export const pageLength = 50

/** How long a rendered text, and an answer in any cache, may be reused. */
export const lifetime = Duration.minutes(5)

/** Rendered mails that stay in memory: each has at most a few megabytes. */
const maxKept = 20

const Partial = Schema.Struct({ body: Schema.String, text: Schema.NullOr(Schema.String) })

const ProjectRow = Schema.Struct({ id: ProjectId, name: Schema.String, language: Schema.String })

const ListedRow = Schema.Struct({ id: CampaignId, subject: Schema.String, sentAt: Schema.DateTimeUtcFromDate })

const SourceRow = Schema.Struct({
  subject: Schema.String,
  body: Schema.String,
  layout: Schema.NullOr(Schema.String),
  partials: Schema.Record(Schema.String, Partial)
})

const projectRows = Schema.decodeUnknownEffect(Schema.Array(ProjectRow))
const listedRows = Schema.decodeUnknownEffect(Schema.Array(ListedRow))
const sourceRows = Schema.decodeUnknownEffect(Schema.Array(SourceRow))

export interface ArchiveProject extends Schema.Schema.Type<typeof ProjectRow> {
  readonly pages: AudienceSettings["pages"]
}

export type ArchivedCampaign = typeof ListedRow.Type

export interface ArchivePage {
  readonly campaigns: ReadonlyArray<ArchivedCampaign>
  readonly hasMore: boolean
}

const isArchived = "campaigns.archive and campaigns.type = 'MARKETING' and campaigns.status = 'SENT'"

/** The text of the winner of an experiment, or that of the campaign. */
const winning = (column: string, own: string) => `
  coalesce((
    select variant.${column} from mailing_variants as variant
    where variant.project_id = campaigns.project_id and variant.campaign_id = campaigns.id
      and variant.variant = campaigns.experiment_result ->> 'winner'), ${own}) as ${column}`

/** No contact and no mail is behind these pages. */
const reader = { id: null, email: "", subscribed: true, data: {} }
const noEmail = EmailId.make(nilId)

export interface Archive {
  /** None if there is no such project, or if it is disabled or being deleted. */
  readonly project: (id: ProjectId) => Effect.Effect<Option.Option<ArchiveProject>>
  /** A page of its campaigns, newest first. The first page is 1. */
  readonly list: (of: ArchiveProject, page: number) => Effect.Effect<ArchivePage>
  /** The HTML of a campaign. None if it is not archived any more, even while its text is kept. */
  readonly html: (of: ArchiveProject, campaign: CampaignId) => Effect.Effect<Option.Option<string>>
}

export type Needs = AudienceRules | MailRenderer | SqlClient.SqlClient

export const make: Effect.Effect<Archive, never, Needs> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rules = yield* AudienceRules
  const renderer = yield* MailRenderer

  const project = Effect.fn("Archive.project")(function* (id: ProjectId) {
    const found = Array.head(
      yield* projectRows(
        yield* sql`
          select id, name, language from projects
          where id = ${id} and disabled_reason is null and deleted_at is null and resetting_since is null`
      )
    )
    if (Option.isNone(found)) return Option.none<ArchiveProject>()
    return Option.some<ArchiveProject>({ ...found.value, pages: (yield* rules.getCached(id)).pages })
  }, Effect.orDie)

  const texts = (of: ArchiveProject, { subject, body, layout, partials }: typeof SourceRow.Type) =>
    renderer.render(
      {
        subject,
        body,
        // A type without footer.
        type: "HEADLESS",
        data: {},
        project: of,
        preferencesUrl: null,
        withoutLinks: true,
        around: { partials: new Map(Object.entries(partials)), layout }
      },
      { ...reader, projectId: of.id },
      noEmail
    )

  /** A subject that cannot be rendered without a contact is empty. */
  const subjectOf = (of: ArchiveProject, campaign: ArchivedCampaign) =>
    campaign.subject.includes("{{")
      ? texts(of, { subject: campaign.subject, body: "", layout: null, partials: {} }).pipe(
          Effect.map(({ subject }) => subject),
          Effect.orElseSucceed(() => "")
        )
      : Effect.succeed(campaign.subject)

  const list = Effect.fn("Archive.list")(function* (of: ArchiveProject, page: number) {
    const rows = yield* Effect.orDie(
      Effect.flatMap(
        sql`
          select id, ${sql.literal(winning("subject", "campaigns.subject"))}, sent_at as "sentAt" from campaigns
          where project_id = ${of.id} and ${sql.literal(isArchived)}
          order by sent_at desc, id desc limit ${pageLength + 1} offset ${(page - 1) * pageLength}`,
        listedRows
      )
    )
    const campaigns = yield* Effect.forEach(rows.slice(0, pageLength), (row) =>
      Effect.map(subjectOf(of, row), (subject) => ({ ...row, subject }))
    )
    return { campaigns, hasMore: rows.length > pageLength } satisfies ArchivePage
  })

  const rendered = yield* Cache.make({
    capacity: maxKept,
    timeToLive: lifetime,
    lookup: Effect.fnUntraced(function* ({
      of,
      campaign
    }: {
      readonly of: ArchiveProject
      readonly campaign: CampaignId
    }) {
      const [source] = yield* Effect.orDie(
        Effect.flatMap(
          sql`
            select ${sql.literal(winning("subject", "mailings.subject"))}, ${sql.literal(winning("body", "mailings.body"))},
                   mailings.layout, mailings.partials
            from mailings join campaigns on campaigns.project_id = mailings.project_id and campaigns.id = campaign_id
            where mailings.project_id = ${of.id} and campaign_id = ${campaign}`,
          sourceRows
        )
      )
      if (source === undefined) return Option.none<string>()
      return yield* texts(of, source).pipe(
        Effect.map(({ html }) => Option.fromNullishOr(html)),
        Effect.tapError((error) => Effect.logWarning("An archived campaign cannot be rendered", { campaign, error })),
        Effect.orElseSucceed(() => Option.none<string>())
      )
    })
  })

  const html = Effect.fn("Archive.html")(function* (of: ArchiveProject, campaign: CampaignId) {
    const [row] = yield* Effect.orDie(
      sql`select from campaigns where project_id = ${of.id} and id = ${campaign} and ${sql.literal(isArchived)}`
    )
    return row === undefined ? Option.none<string>() : yield* Cache.get(rendered, { of, campaign })
  })

  return { project, list, html } satisfies Archive
})
