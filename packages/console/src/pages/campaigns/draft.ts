/** The fields of a campaign that the editor changes, and the body of the request that stores them. */
import type { Campaign, FilterTree, ReplaceCampaign } from "@posthorn/client/session"
import { fieldsOf, type MailTexts, mjmlOf, writtenOf } from "../../editor/texts.ts"

export interface Draft extends MailTexts {
  readonly name: string
  readonly subject: string
  readonly preheader: string
  readonly from: string
  readonly fromName: string
  readonly replyTo: string
  readonly type: Campaign["type"]
  readonly audienceType: Campaign["audienceType"]
  readonly segmentId: string | null
  readonly condition: FilterTree | null
  readonly topicId: string | null
  readonly archive: boolean
}

export const draftOf = (campaign: Campaign): Draft => ({
  name: campaign.name,
  subject: campaign.subject,
  preheader: campaign.preheader ?? "",
  from: campaign.from,
  fromName: campaign.fromName ?? "",
  replyTo: campaign.replyTo ?? "",
  type: campaign.type,
  format: campaign.format,
  source: campaign.source,
  body: campaign.body,
  text: campaign.text,
  audienceType: campaign.audienceType,
  segmentId: campaign.segmentId,
  condition: campaign.audienceCondition,
  topicId: campaign.topicId,
  archive: campaign.archive
})

const isBlank = (text: string) => text.trim() === ""

type Required = "name" | "subject" | "from" | "body" | "segment" | "audience"

/** The required fields that are empty: the service refuses a campaign without them. */
export const missingIn = (draft: Draft): ReadonlyArray<Required> => [
  ...(isBlank(draft.name) ? (["name"] as const) : []),
  ...(isBlank(draft.from) ? (["from"] as const) : []),
  ...(isBlank(draft.subject) ? (["subject"] as const) : []),
  ...(isBlank(writtenOf(draft)) ? (["body"] as const) : []),
  ...(draft.audienceType === "SEGMENT" && draft.segmentId === null ? (["segment"] as const) : []),
  ...(draft.audienceType === "FILTERED" && draft.condition === null ? (["audience"] as const) : [])
]

const translationsOf = ({ translations }: Campaign, format: Draft["format"]): ReplaceCampaign["translations"] =>
  Object.fromEntries(
    Object.entries(translations).map(([tag, { subject, body, source, text }]) => [
      tag,
      { subject, text, ...(format === "MJML" ? { source: source ?? null } : { body }) }
    ])
  )

/** What the editor does not show is stored as it was. */
export const bodyOf = (draft: Draft, campaign: Campaign): Omit<ReplaceCampaign, "ifUpdatedAt"> => ({
  name: draft.name,
  subject: draft.subject,
  preheader: draft.preheader || null,
  from: draft.from,
  fromName: draft.fromName || null,
  replyTo: draft.replyTo || null,
  type: draft.type,
  ...fieldsOf(draft),
  audienceType: draft.audienceType,
  ...(draft.audienceType === "SEGMENT" && { segmentId: draft.segmentId }),
  ...(draft.audienceType === "FILTERED" && { audienceCondition: draft.condition }),
  topicId: draft.type === "TRANSACTIONAL" ? null : draft.topicId,
  archive: draft.archive,
  recipientsOf: campaign.recipientsOf,
  policy: campaign.policy,
  description: campaign.description,
  language: campaign.language,
  translations: translationsOf(campaign, draft.format),
  layout: campaign.layout
})

/** The address alone, of an address with or without a display name. */
export const addressOf = (from: string): string => /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from.trim()

export const domainOf = (from: string): string => addressOf(from).split("@").at(-1)?.toLowerCase() ?? ""

/** HTML becomes MJML that holds it as it is. MJML becomes the HTML that it was compiled to. */
export const withFormat = (draft: Draft, format: Draft["format"]): Partial<Draft> =>
  format === "HTML" ? { format, source: null } : { format, source: mjmlOf(draft.body) }
