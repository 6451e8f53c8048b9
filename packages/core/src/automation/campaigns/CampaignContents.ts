/** Checks and completes the content of a campaign: template, audience, segments, estimate. */

import type { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import {
  type Campaign,
  type CampaignId,
  CampaignNotFound,
  type FollowUpCampaign,
  type RecipientsOf,
  type WriteCampaign
} from "@posthorn/contract/automation/campaigns/Campaign"
import { campaignDelivery } from "@posthorn/contract/automation/campaigns/CampaignDelivery"
import { type Template, TemplateId } from "@posthorn/contract/content/templates/Template"
import { mailPolicy } from "@posthorn/contract/mail/sending/MailPolicy"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { DateTime, Effect, Option, Record } from "effect"
import * as Audiences from "../../audience/segments/Audiences.ts"
import { Segments } from "../../audience/segments/Segments.ts"
import * as TopicChoice from "../../audience/topics/TopicChoice.ts"
import { Partials } from "../../content/partials/Partials.ts"
import { type CompiledBodies, compiledBodies } from "../../content/templates/CompiledBody.ts"
import { requireSize } from "../../content/templates/ContentSize.ts"
import type { Compiler } from "../../content/templates/MjmlCompiler.ts"
import { Templates } from "../../content/templates/Templates.ts"
import { requireSyntax, type Surroundings, syntaxFaults, type Texts } from "../../content/templates/TextSyntax.ts"
import { translationsWithOwn, withOwn } from "../../content/templates/Translations.ts"
import { TextWork } from "../../content/text/TextWork.ts"
import { asksConsent } from "../../mail/Eligibility.ts"
import { copyName } from "../../platform/CopyName.ts"
import { deliveryFaults } from "./CampaignDeliveries.ts"
import { type AskedConsent, CampaignStore } from "./CampaignStore.ts"
import { storedExperiment, variantSenderFaults, variantSyntaxFaults } from "./experiment/Variants.ts"
import { storedGoal } from "./goals/GoalSql.ts"

/** The audience of a campaign. */
export type Targeting = Pick<
  Campaign,
  "id" | "audienceType" | "segmentId" | "audienceCondition" | "recipientsOf" | "holdout" | "topicId" | "type"
>

const required = (field: string, message = "Required."): Fault => ({ field, code: "required", message })

const maxFaults = 50

/** Of a name, in code points. */
export const maxCampaignName = 200

/** Matches every contact. */
const everyone: FilterTree = { groups: [] }

/** The condition on contacts that defines an audience. */
export const treeOf = ({
  audienceType,
  segmentId,
  audienceCondition
}: Pick<Targeting, "audienceType" | "segmentId" | "audienceCondition">): FilterTree => {
  if (audienceType === "SEGMENT" && segmentId !== null) return Audiences.membersOf(segmentId)
  return audienceType === "FILTERED" && audienceCondition !== null ? audienceCondition : everyone
}

export const consentOf = (type: Campaign["type"], topic: AskedConsent["topic"]): AskedConsent => ({
  isAsked: asksConsent(type, "CAMPAIGN", topic?.id ?? null),
  topic
})

const targetingOf = ({ audienceType, segmentId, audienceCondition }: WriteCampaign) => ({
  audienceType,
  segmentId: audienceType === "SEGMENT" ? (segmentId ?? null) : null,
  audienceCondition: audienceType === "FILTERED" ? (audienceCondition ?? null) : null
})

const hasBody = ({ body, source }: WriteCampaign): boolean => body != null || source != null

const hasSource = ({ source, translations }: WriteCampaign): boolean =>
  source != null || Object.values(translations ?? {}).some((texts) => texts?.source != null)

/** The texts of the variants of a request. */
const variantTexts = ({ experiment }: WriteCampaign) => experiment?.variants ?? []

/** The bodies of the request, compiled, or those of the template; and their faults. */
const bodiesOf = (compiler: Compiler, input: WriteCampaign, template: Template | undefined) => {
  const { format, source, body, translations } = input
  const given = { format: format ?? (body == null ? template?.format : "HTML"), source, body, translations }
  return compiledBodies(compiler, given, template && { ...template, translations: {} })
}

/** The texts of the request, and those of the template that it leaves out. */
const textsOf = (input: WriteCampaign, bodies: CompiledBodies, template: Template | undefined) => {
  const { format, source, body } = bodies
  const own = { subject: input.subject, body: hasBody(input) ? body : null, text: input.text }
  const inherited = template?.translations ?? {}
  const sourceOf = (tag: string) => (hasBody(input) ? source : inherited[tag]?.source)
  return {
    ...withOwn(template ?? { subject: "", body, text: null }, own),
    format,
    body,
    source,
    language: input.language ?? template?.language ?? null,
    translations:
      input.translations == null
        ? Record.map(translationsWithOwn(inherited, own), ({ subject, body, text }, tag) => {
            const source = format === "MJML" ? sourceOf(tag) : null
            return { subject, body, text, ...(source != null && { source }) }
          })
        : bodies.translations
  }
}

/** The metric of an experiment and a holdout are about the goal. */
const goalFaults = ({ experiment, goal, holdout }: WriteCampaign): ReadonlyArray<Fault> => {
  if (goal != null) return []
  if (holdout != null) return [required("goal", "A holdout needs a goal.")]
  return experiment?.metric === "GOAL" ? [required("goal", "The metric `GOAL` needs a goal.")] : []
}

const links = (targeting: Parameters<typeof treeOf>[0]) => {
  const tree = treeOf(targeting)
  return { refersTo: Audiences.segmentsIn(tree), looksAt: Audiences.fieldsIn(tree) }
}

export const make = Effect.gen(function* () {
  const store = yield* CampaignStore
  const work = yield* TextWork
  const audiences = yield* Audiences.make
  const segments = yield* Segments
  const partials = yield* Partials
  const templates = yield* Templates
  const topics = yield* TopicChoice.make

  /**
   * Refuses faults that are visible in the body alone, and compiles its sources, before anything is locked. Reads
   * partials, and the template that says whether a source is allowed.
   */
  const check = Effect.fn("CampaignContents.check")(function* (
    project: ProjectId,
    input: WriteCampaign,
    compiler: Compiler
  ) {
    const { audienceType, segmentId, audienceCondition } = targetingOf(input)
    const { templateId } = input
    const template =
      templateId != null && hasSource(input) ? yield* templates.get(project, TemplateId.make(templateId)) : undefined
    const isMjml = input.format === "MJML" || input.source != null
    const { faults } =
      template === undefined && templateId != null ? { faults: [] } : yield* bodiesOf(compiler, input, template)
    const errors = [
      ...(["subject", "body", "from"] as const)
        .filter((field) => templateId == null && input[field] == null && !(field === "body" && isMjml))
        .map((field) => required(field)),
      ...(audienceType === "SEGMENT" && segmentId === null ? [required("segmentId", "A segment is required.")] : []),
      ...(audienceType === "FILTERED" && audienceCondition === null
        ? [required("audienceCondition", "A condition is required.")]
        : []),
      ...deliveryFaults(campaignDelivery(input.delivery), yield* DateTime.now),
      ...(input.experiment != null && input.experiment.testShare < 1 && input.delivery?.localTime != null
        ? [
            {
              field: "delivery.localTime",
              code: "custom",
              message: "Local times fit only an experiment that all of the audience tries."
            } as const
          ]
        : []),
      ...goalFaults(input),
      ...(yield* textFaults(
        input,
        input,
        yield* partials.around(project, [input, ...variantTexts(input)], input.layout ?? null)
      ))
    ]
    const known = new Set(errors.map(({ field }) => field))
    const all = [...errors, ...faults.filter(({ field }) => !known.has(field))]
    if (all.length > 0) return yield* new ValidationError({ errors: all.slice(0, maxFaults) })
  })

  /** Faults in the texts of a request and in those of its variants. */
  const textFaults = Effect.fnUntraced(function* (texts: Texts, input: WriteCampaign, around: Surroundings) {
    return [
      ...(yield* syntaxFaults(work, texts, around)),
      ...(yield* variantSyntaxFaults(work, variantTexts(input), around))
    ]
  })

  /** The number of contacts that would get the campaign now. */
  const estimate = Effect.fnUntraced(function* (project: ProjectId, targeting: Targeting, now: DateTime.Utc) {
    const audience = yield* audiences.of(project, treeOf(targeting), now)
    const topic = yield* store.topic(project, targeting.topicId)
    return yield* store.countAudience(audience, consentOf(targeting.type, topic), targeting)
  })

  /**
   * The content of a checked request, with the size of its audience. Locks the segments until the caller's transaction
   * ends.
   */
  const read = Effect.fn("CampaignContents.read")(function* (
    project: ProjectId,
    id: CampaignId,
    input: WriteCampaign,
    compiler: Compiler,
    now: DateTime.Utc,
    stored: Campaign | null = null
  ) {
    const template =
      input.templateId == null ? undefined : yield* templates.hold(project, TemplateId.make(input.templateId))
    const { faults, bodies } = yield* bodiesOf(compiler, input, template)
    if (faults.length > 0) return yield* new ValidationError({ errors: faults.slice(0, maxFaults) })
    const texts = { ...textsOf(input, bodies, template), layout: input.layout ?? template?.layout ?? null }
    yield* requireSize(texts)
    const wrong = yield* textFaults(
      { ...texts, preheader: input.preheader },
      input,
      yield* partials.hold(project, [texts, ...variantTexts(input)], texts.layout)
    )
    const sender = input.from == null ? undefined : mailboxOf(input.from)
    const from = sender?.email ?? template?.from ?? ""
    const experiment = storedExperiment(input.experiment)
    wrong.push(...variantSenderFaults(experiment, from))
    if (wrong.length > 0) return yield* new ValidationError({ errors: wrong.slice(0, maxFaults) })
    const type = input.type ?? template?.type ?? ("MARKETING" as const)
    // The topic of a template that was made for another type is not copied.
    const inherited = type === "TRANSACTIONAL" ? null : (template?.topicId ?? null)
    const topicId = yield* topics.choose(project, { type, topicId: input.topicId ?? inherited }, stored?.topicId)
    const recipientsOf = yield* followed(project, input.recipientsOf ?? null, stored)
    const holdout = input.holdout == null ? null : { share: input.holdout.share }
    const targeting = { ...targetingOf(input), recipientsOf, holdout, type, topicId }
    yield* audiences.hold(project)
    if (targeting.segmentId !== null) yield* segments.get(project, SegmentId.make(targeting.segmentId))
    if (targeting.audienceCondition !== null) {
      yield* audiences.requireSound(project, targeting.audienceCondition, "audienceCondition")
    }
    return {
      name: input.name,
      description: input.description ?? null,
      preheader: input.preheader ?? null,
      ...texts,
      from,
      fromName: sender?.name ?? input.fromName ?? template?.fromName ?? null,
      replyTo: input.replyTo ?? template?.replyTo ?? null,
      templateId: template?.id ?? null,
      templateVersion: template?.version ?? null,
      archive: input.archive ?? false,
      policy: mailPolicy(input.policy),
      delivery: campaignDelivery(input.delivery),
      priority: input.priority ?? 3,
      experiment,
      goal: storedGoal(input.goal),
      ...targeting,
      ...links(targeting),
      estimatedRecipients: yield* estimate(project, { ...targeting, id }, now)
    }
  })

  /** The campaign must exist when it is named first. It may be deleted after that. */
  const followed = Effect.fnUntraced(function* (
    project: ProjectId,
    recipientsOf: RecipientsOf | null,
    stored: Campaign | null
  ) {
    if (recipientsOf === null || recipientsOf.campaignId === stored?.recipientsOf?.campaignId) return recipientsOf
    const { campaignId } = recipientsOf
    if (Option.isNone(yield* store.find(project, campaignId))) return yield* new CampaignNotFound({ id: campaignId })
    return recipientsOf
  })

  /** The content of a draft to recipients of a campaign. */
  const followUp = Effect.fnUntraced(function* (
    project: ProjectId,
    id: CampaignId,
    original: Campaign,
    { who, subject, name }: FollowUpCampaign,
    now: DateTime.Utc
  ) {
    const own = { subject }
    const translations = Record.map(original.translations, (texts) => ({ ...texts, ...withOwn(texts, own) }))
    const content = {
      ...original,
      name: name ?? copyName(original.name, maxCampaignName, " (Follow-up)"),
      subject: subject ?? original.subject,
      translations,
      ...targetingOf({ name: "", audienceType: "ALL" }),
      recipientsOf: { campaignId: original.id, who },
      // Its times were those of the campaign, such as an end that has passed.
      delivery: null,
      experiment: null,
      holdout: null
    }
    yield* requireSyntax(work, { subject })
    return yield* copy(project, id, content, now)
  })

  /** The content of another campaign, with a new count of its audience, for the campaign with this id. */
  const copy = Effect.fnUntraced(function* (project: ProjectId, id: CampaignId, original: Campaign, now: DateTime.Utc) {
    const estimatedRecipients = yield* estimate(project, { ...original, id }, now)
    return { ...original, ...links(original), estimatedRecipients }
  })

  /** Refuses a campaign whose topic does not fit it any more, before its sending is started or planned. */
  const requireTopic = Effect.fnUntraced(function* (project: ProjectId, { type, topicId, status }: Campaign) {
    yield* topics.requireFit(project, type, topicId)
    const topic = yield* store.topic(project, topicId)
    if (status === "DRAFT" && topic?.archived) return yield* new Conflict({ reason: "topic_archived" })
  })

  return { check, read, copy, followUp, estimate, requireTopic }
})
