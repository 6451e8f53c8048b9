/** The storage port of campaigns, with their audiences and counters. */

import type {
  Campaign,
  CampaignApproval,
  CampaignId,
  CampaignQuery,
  CampaignRecipient,
  CampaignStats,
  CampaignSummary,
  RecipientQuery
} from "@posthorn/contract/automation/campaigns/Campaign"
import type { CampaignRecurrence } from "@posthorn/contract/automation/campaigns/CampaignRecurrence"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Audience } from "../../audience/segments/Audiences.ts"
import type { TopicOfMail } from "../../audience/topics/TopicOfMail.ts"
import type { Position } from "../../platform/Cursors.ts"
import type { Slice } from "../../platform/OffsetPages.ts"
import type { ProviderRow } from "./CampaignRow.ts"
import type { MailTiming } from "./CampaignTiming.ts"

/** The fields that callers write. The service sets the others. */
export type CampaignContent = Pick<
  Campaign,
  | "name"
  | "description"
  | "subject"
  | "preheader"
  | "format"
  | "body"
  | "source"
  | "text"
  | "language"
  | "translations"
  | "from"
  | "fromName"
  | "replyTo"
  | "type"
  | "layout"
  | "audienceType"
  | "segmentId"
  | "audienceCondition"
  | "recipientsOf"
  | "templateId"
  | "templateVersion"
  | "topicId"
  | "archive"
  | "policy"
  | "delivery"
  | "priority"
  | "experiment"
  | "goal"
  | "holdout"
  | "estimatedRecipients"
> & {
  /** Segments that the audience refers to. */
  readonly refersTo: ReadonlyArray<string>
  /** Fields that the condition of the audience uses. */
  readonly looksAt: ReadonlyArray<string>
}

export type CampaignState = Partial<
  Pick<
    Campaign,
    | "status"
    | "paused"
    | "statusReason"
    | "scheduledFor"
    | "startsAt"
    | "sentAt"
    | "completedAt"
    | "estimatedRecipients"
  >
>

export type ApprovalEvent = "campaign.approval_requested" | "campaign.approved" | "campaign.rejected"

/** Whom a campaign reaches: everyone of its audience, or those who take mail of the topic. */
export interface AskedConsent {
  readonly isAsked: boolean
  readonly topic: TopicOfMail | null
}

/** The text of the mails of a campaign, fixed when sending starts. */
export interface MailingTerms {
  readonly tracking: boolean
  readonly projectName: string
  readonly language: string
  /** The preference page of the project's own. */
  readonly preferencesUrl: string | null
  /** When each mail is due. Null: at once. */
  readonly timing: MailTiming | null
}

/** What the goal of a campaign has brought. */
export type CampaignConversions = Pick<CampaignStats, "convertedCount" | "conversionEvents" | "revenue">

/** How many contacts of both groups did what the goal asks, from the start of sending on. */
export interface ReachedCounts {
  readonly treated: number
  readonly heldOut: number
}

/** The sizes of the groups of a fixed audience. */
export interface FrozenAudience {
  readonly recipients: number
  readonly heldOut: number
}

export type Counters = Omit<
  CampaignStats,
  | "humanOpenedCount"
  | "humanClickedCount"
  | "humanOpenRate"
  | "humanClickRate"
  | "openRate"
  | "clickRate"
  | "bounceRate"
  | "deliveryRate"
  | "complaintRate"
  | "unsubscribeRate"
  | "conversionRate"
  | "uplift"
  | keyof CampaignConversions
>

/** A contact of a fixed audience, with the sort key of the list. */
export interface ListedRecipient {
  readonly recipient: CampaignRecipient
  readonly key: string
}

export type ProviderCounts = typeof ProviderRow.Type

export type CampaignFilter = Pick<CampaignQuery, "status" | "search" | "parentId">

/** Order of a list: by the key, then by id, both in the same direction. */
export type CampaignOrder = Required<Pick<CampaignQuery, "sort" | "dir">>

export type RecipientFilter = Pick<RecipientQuery, "status" | "variant" | "search">

/**
 * A port: a host may store campaigns elsewhere. Every method takes the project first, and every query filters by it.
 * `now` is the caller's clock and becomes `createdAt` and, where a stored value changes, `updatedAt`.
 */
export class CampaignStore extends Context.Service<
  CampaignStore,
  {
    readonly insert: (
      project: ProjectId,
      id: CampaignId,
      content: CampaignContent,
      now: DateTime.Utc
    ) => Effect.Effect<Campaign>
    readonly find: (project: ProjectId, id: CampaignId) => Effect.Effect<Option.Option<Campaign>>
    /** Locks the campaign until the transaction ends. Its state changes only under this lock. */
    readonly lock: (project: ProjectId, id: CampaignId) => Effect.Effect<Option.Option<Campaign>>
    readonly list: (
      project: ProjectId,
      filter: CampaignFilter,
      order: CampaignOrder,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<CampaignSummary>>
    readonly count: (project: ProjectId, filter: CampaignFilter) => Effect.Effect<number>
    /** Returns false, and stores nothing, if `updatedAt` is given and differs from the stored one. */
    readonly update: (
      project: ProjectId,
      id: CampaignId,
      content: CampaignContent,
      now: DateTime.Utc,
      updatedAt?: DateTime.Utc | null
    ) => Effect.Effect<boolean>
    readonly setState: (
      project: ProjectId,
      id: CampaignId,
      state: CampaignState,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Stores the approval, for the content and the audience as they are now. */
    readonly setApproval: (
      project: ProjectId,
      id: CampaignId,
      approval: CampaignApproval,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Ends a requested or given approval if content or audience are not those that it holds for. */
    readonly endApproval: (project: ProjectId, id: CampaignId) => Effect.Effect<void>
    /** Records an event about the approval. */
    readonly recordApproval: (
      project: ProjectId,
      id: CampaignId,
      name: ApprovalEvent,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Stores the recurrence, and when its next firing is due. */
    readonly setRecurrence: (
      project: ProjectId,
      id: CampaignId,
      recurrence: CampaignRecurrence | null,
      dueAt: DateTime.Utc | null,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Campaigns of the project with a firing to come. Locks the project, so that no two count at once. */
    readonly countRecurring: (project: ProjectId) => Effect.Effect<number>
    /** Makes a campaign the one that the recurrence of `parent` has made for this time. */
    readonly setOccurrence: (
      project: ProjectId,
      id: CampaignId,
      parent: CampaignId,
      occurrence: DateTime.Utc
    ) => Effect.Effect<void>
    /** Deletes its audience too, as far as it has no mails yet. Sent mails keep their records and their text. */
    readonly delete: (project: ProjectId, id: CampaignId) => Effect.Effect<void>
    /** The topic of a campaign. Null if it has none, or if the topic is gone. */
    readonly topic: (project: ProjectId, topicId: string | null) => Effect.Effect<TopicOfMail | null>
    /** Counts the contacts of an audience that get the campaign, so without those that will be held out. */
    readonly countAudience: (
      audience: Audience,
      consent: AskedConsent,
      campaign: Pick<Campaign, "id" | "holdout" | "recipientsOf">
    ) => Effect.Effect<number>
    /**
     * Fixes the audience and the texts in one snapshot of the database, opens the mailing and begins its experiment. Its
     * mails are created later, part by part.
     */
    readonly freeze: (
      project: ProjectId,
      campaign: Campaign,
      audience: Audience,
      consent: AskedConsent,
      terms: MailingTerms
    ) => Effect.Effect<FrozenAudience>
    /**
     * Opens or closes the mailing. Closing waits for transmissions that are just starting. After it commits, no other
     * one starts.
     */
    readonly setOpen: (project: ProjectId, id: CampaignId, open: boolean) => Effect.Effect<void>
    /** Records that a pause holds the mails of the campaign, or does not any more. */
    readonly recordPause: (
      project: ProjectId,
      id: CampaignId,
      paused: boolean,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Stops the campaign for good. A worker then cancels its queued mails. */
    readonly stop: (project: ProjectId, id: CampaignId) => Effect.Effect<void>
    /** Records `campaign.cancelled` with current counters. */
    readonly recordCancelled: (project: ProjectId, id: CampaignId, now: DateTime.Utc) => Effect.Effect<void>
    /** Queues failed mails, optionally ambiguous ones too, with new retry ladders. Returns their number. */
    readonly retry: (
      project: ProjectId,
      id: CampaignId,
      includeAmbiguous: boolean,
      now: DateTime.Utc
    ) => Effect.Effect<number>
    /** None without such a campaign. */
    readonly counters: (project: ProjectId, id: CampaignId) => Effect.Effect<Option.Option<Counters>>
    /** Exact, as the counters are. */
    readonly conversions: (project: ProjectId, id: CampaignId) => Effect.Effect<CampaignConversions>
    /** Exact, as the counters are. */
    readonly reached: (project: ProjectId, id: CampaignId) => Effect.Effect<ReachedCounts>
    /** By mailbox provider, the most mail first. */
    readonly providers: (project: ProjectId, id: CampaignId) => Effect.Effect<ReadonlyArray<ProviderCounts>>
    /** Ordered by contact id. */
    readonly recipients: (
      project: ProjectId,
      id: CampaignId,
      filter: RecipientFilter,
      limit: number,
      after?: Position
    ) => Effect.Effect<ReadonlyArray<ListedRecipient>>
    readonly countRecipients: (project: ProjectId, id: CampaignId, filter: RecipientFilter) => Effect.Effect<number>
  }
>()("@posthorn/core/automation/campaigns/CampaignStore") {}
