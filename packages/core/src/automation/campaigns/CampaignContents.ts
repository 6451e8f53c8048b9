/** Checks and completes the content of a campaign: template, audience, segments, estimate. */

import type { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { Campaign, WriteCampaign } from "@posthorn/contract/automation/campaigns/Campaign"
import { type Template, TemplateId } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { type DateTime, Effect } from "effect"
import { Audiences, fieldsIn, membersOf, segmentsIn } from "../../audience/segments/Audiences.ts"
import { Segments } from "../../audience/segments/Segments.ts"
import { Partials } from "../../content/partials/Partials.ts"
import { Templates } from "../../content/templates/Templates.ts"
import { requireSyntax, syntaxFaults } from "../../content/templates/TextSyntax.ts"
import { translationsOf, translationsWithOwn, withOwn } from "../../content/templates/Translations.ts"
import { TextWork } from "../../content/text/TextWork.ts"
import { asksConsent } from "../../mail/Eligibility.ts"
import { CampaignStore } from "./CampaignStore.ts"

/** The audience of a campaign. */
export type Targeting = Pick<Campaign, "audienceType" | "segmentId" | "audienceCondition" | "type">

const required = (field: string, message = "Required."): Fault => ({ field, code: "required", message })

/** Matches every contact. */
const all: FilterTree = { groups: [] }

/** The condition on contacts that defines an audience. */
export const treeOf = ({ audienceType, segmentId, audienceCondition }: Targeting): FilterTree => {
  if (audienceType === "SEGMENT" && segmentId !== null) return membersOf(segmentId)
  return audienceType === "FILTERED" && audienceCondition !== null ? audienceCondition : all
}

const targetingOf = ({ audienceType, segmentId, audienceCondition }: WriteCampaign) => ({
  audienceType,
  segmentId: audienceType === "SEGMENT" ? (segmentId ?? null) : null,
  audienceCondition: audienceType === "FILTERED" ? (audienceCondition ?? null) : null
})

/** The texts of the request, and those of the template that it leaves out. */
const textsOf = (input: WriteCampaign, template: Template | undefined) => {
  const { subject, body, text } = withOwn(template ?? { subject: "", body: "", text: null }, input)
  return {
    subject,
    body,
    text,
    language: input.language ?? template?.language ?? null,
    translations:
      input.translations == null
        ? translationsWithOwn(template?.translations ?? {}, input)
        : translationsOf(input.translations)
  }
}

const links = (targeting: Targeting) => {
  const tree = treeOf(targeting)
  return { refersTo: segmentsIn(tree), looksAt: fieldsIn(tree) }
}

export const make = Effect.gen(function* () {
  const store = yield* CampaignStore
  const work = yield* TextWork
  const audiences = yield* Audiences
  const segments = yield* Segments
  const partials = yield* Partials
  const templates = yield* Templates

  /** Refuses faults that are visible in the body alone, before anything is locked. Reads only partials. */
  const check = Effect.fnUntraced(function* (project: ProjectId, input: WriteCampaign) {
    const { audienceType, segmentId, audienceCondition } = targetingOf(input)
    const hasTemplate = input.templateId != null
    const errors = [
      ...(["subject", "body", "from"] as const)
        .filter((field) => !hasTemplate && input[field] == null)
        .map((field) => required(field)),
      ...(audienceType === "SEGMENT" && segmentId === null ? [required("segmentId", "A segment is required.")] : []),
      ...(audienceType === "FILTERED" && audienceCondition === null
        ? [required("audienceCondition", "A condition is required.")]
        : []),
      ...(yield* syntaxFaults(work, input, yield* partials.around(project, [input], input.layout ?? null)))
    ]
    if (errors.length > 0) return yield* new ValidationError({ errors: errors.slice(0, 50) })
  })

  /** The number of contacts that would get the campaign now. */
  const estimate = Effect.fnUntraced(function* (project: ProjectId, targeting: Targeting, now: DateTime.Utc) {
    const audience = yield* audiences.of(project, treeOf(targeting), now)
    return yield* store.countAudience(audience, asksConsent(targeting.type, "CAMPAIGN"))
  })

  /** The checked content, with the size of its audience. Locks the segments until the caller's transaction ends. */
  const read = Effect.fn("CampaignContents.read")(function* (
    project: ProjectId,
    input: WriteCampaign,
    now: DateTime.Utc
  ) {
    yield* check(project, input)
    const template =
      input.templateId == null ? undefined : yield* templates.hold(project, TemplateId.make(input.templateId))
    const texts = { ...textsOf(input, template), layout: input.layout ?? template?.layout ?? null }
    yield* requireSyntax(work, texts, yield* partials.hold(project, [texts], texts.layout))
    const sender = input.from == null ? undefined : mailboxOf(input.from)
    const targeting = { ...targetingOf(input), type: input.type ?? template?.type ?? ("MARKETING" as const) }
    yield* audiences.hold(project)
    if (targeting.segmentId !== null) yield* segments.get(project, SegmentId.make(targeting.segmentId))
    if (targeting.audienceCondition !== null) {
      yield* audiences.requireSound(project, targeting.audienceCondition, "audienceCondition")
    }
    return {
      name: input.name,
      description: input.description ?? null,
      ...texts,
      from: sender?.email ?? template?.from ?? "",
      fromName: sender?.name ?? input.fromName ?? template?.fromName ?? null,
      replyTo: input.replyTo ?? template?.replyTo ?? null,
      templateId: template?.id ?? null,
      templateVersion: template?.version ?? null,
      ...targeting,
      ...links(targeting),
      estimatedRecipients: yield* estimate(project, targeting, now)
    }
  })

  /** The content of another campaign, with a new count of its audience. */
  const copy = Effect.fnUntraced(function* (project: ProjectId, original: Campaign, now: DateTime.Utc) {
    return { ...original, ...links(original), estimatedRecipients: yield* estimate(project, original, now) }
  })

  return { check, read, copy, estimate }
})
