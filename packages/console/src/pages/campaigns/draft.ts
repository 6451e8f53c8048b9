/** The fields of a campaign that the editor changes, and the body of the request that stores them. */
import type { Campaign, FilterTree, ReplaceCampaign } from "@posthorn/client/session"
import { fieldsOf, type MailTexts, mjmlOf, writtenOf } from "../../editor/texts.ts"
import { localTime } from "../mails/MoveMail.tsx"

/** How the mails leave once sending has started: two of them at the local time of each contact. */
export type Pace = "ONCE" | "SEND_NOW" | "NEXT_DAY" | "SPREAD"

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
  readonly pace: Pace
  /** As typed. Empty: none. */
  readonly spreadHours: string
  readonly ratePerMinute: string
  /** As the field of a browser has it. Empty: never. */
  readonly expiresAt: string
  readonly priority: number
  readonly experiment: Campaign["experiment"]
  readonly goal: Campaign["goal"]
  readonly holdout: Campaign["holdout"]
}

const paceOf = ({ delivery }: Campaign): Pace =>
  delivery?.localTime?.passed ?? (delivery?.spreadHours == null ? "ONCE" : "SPREAD")

const expiryOf = ({ delivery }: Campaign): string => (delivery?.expiresAt == null ? "" : localTime(delivery.expiresAt))

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
  archive: campaign.archive,
  experiment: campaign.experiment,
  goal: campaign.goal,
  holdout: campaign.holdout,
  pace: paceOf(campaign),
  spreadHours: String(campaign.delivery?.spreadHours ?? 24),
  ratePerMinute: String(campaign.delivery?.ratePerMinute ?? ""),
  expiresAt: expiryOf(campaign),
  priority: campaign.priority
})

const numberIn = (text: string): number | null => (text.trim() === "" ? null : Number(text))

/** The field shows no seconds: a time that was not changed stays as it is. */
const expiresAtOf = ({ expiresAt }: Draft, campaign: Campaign): string | null => {
  if (expiresAt === expiryOf(campaign)) return campaign.delivery?.expiresAt ?? null
  return expiresAt === "" ? null : new Date(expiresAt).toISOString()
}

const deliveryOf = (draft: Draft, campaign: Campaign): NonNullable<ReplaceCampaign["delivery"]> => ({
  localTime: draft.pace === "SEND_NOW" || draft.pace === "NEXT_DAY" ? { passed: draft.pace } : null,
  spreadHours: draft.pace === "SPREAD" ? numberIn(draft.spreadHours) : null,
  ratePerMinute: numberIn(draft.ratePerMinute),
  expiresAt: expiresAtOf(draft, campaign)
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
  delivery: deliveryOf(draft, campaign),
  priority: draft.priority,
  experiment: draft.experiment,
  goal: draft.goal,
  holdout: draft.holdout,
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
