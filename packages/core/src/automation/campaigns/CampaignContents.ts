/** Checks and completes the content of a campaign: template, audience, segments, estimate. */

import type { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { Campaign, WriteCampaign } from "@posthorn/contract/automation/campaigns/Campaign"
import { type Template, TemplateId } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { type DateTime, Effect, Record } from "effect"
import { Audiences, fieldsIn, membersOf, segmentsIn } from "../../audience/segments/Audiences.ts"
import { Segments } from "../../audience/segments/Segments.ts"
import { Partials } from "../../content/partials/Partials.ts"
import { type CompiledBodies, compiledBodies } from "../../content/templates/CompiledBody.ts"
import { requireSize } from "../../content/templates/ContentSize.ts"
import type { Compiler } from "../../content/templates/MjmlCompiler.ts"
import { Templates } from "../../content/templates/Templates.ts"
import { requireSyntax, syntaxFaults } from "../../content/templates/TextSyntax.ts"
import { translationsWithOwn, withOwn } from "../../content/templates/Translations.ts"
import { TextWork } from "../../content/text/TextWork.ts"
import { asksConsent } from "../../mail/Eligibility.ts"
import { type AskedConsent, CampaignStore } from "./CampaignStore.ts"

/** The audience of a campaign. */
export type Targeting = Pick<Campaign, "audienceType" | "segmentId" | "audienceCondition" | "type">

const required = (field: string, message = "Required."): Fault => ({ field, code: "required", message })

const maxFaults = 50

/** Matches every contact. */
const everyone: FilterTree = { groups: [] }

/** The condition on contacts that defines an audience. */
export const treeOf = ({ audienceType, segmentId, audienceCondition }: Targeting): FilterTree => {
  if (audienceType === "SEGMENT" && segmentId !== null) return membersOf(segmentId)
  return audienceType === "FILTERED" && audienceCondition !== null ? audienceCondition : everyone
}

export const consentOf = (type: Campaign["type"]): AskedConsent => ({
  isAsked: asksConsent(type, "CAMPAIGN", null),
  topic: null
})

const targetingOf = ({ audienceType, segmentId, audienceCondition }: WriteCampaign) => ({
  audienceType,
  segmentId: audienceType === "SEGMENT" ? (segmentId ?? null) : null,
  audienceCondition: audienceType === "FILTERED" ? (audienceCondition ?? null) : null
})

const hasBody = ({ body, source }: WriteCampaign): boolean => body != null || source != null

const hasSource = ({ source, translations }: WriteCampaign): boolean =>
  source != null || Object.values(translations ?? {}).some((texts) => texts?.source != null)

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
      ...(yield* syntaxFaults(work, input, yield* partials.around(project, [input], input.layout ?? null)))
    ]
    const known = new Set(errors.map(({ field }) => field))
    const all = [...errors, ...faults.filter(({ field }) => !known.has(field))]
    if (all.length > 0) return yield* new ValidationError({ errors: all.slice(0, maxFaults) })
  })

  /** The number of contacts that would get the campaign now. */
  const estimate = Effect.fnUntraced(function* (project: ProjectId, targeting: Targeting, now: DateTime.Utc) {
    const audience = yield* audiences.of(project, treeOf(targeting), now)
    return yield* store.countAudience(audience, consentOf(targeting.type))
  })

  /**
   * The content of a checked request, with the size of its audience. Locks the segments until the caller's transaction
   * ends.
   */
  const read = Effect.fn("CampaignContents.read")(function* (
    project: ProjectId,
    input: WriteCampaign,
    compiler: Compiler,
    now: DateTime.Utc
  ) {
    const template =
      input.templateId == null ? undefined : yield* templates.hold(project, TemplateId.make(input.templateId))
    const { faults, bodies } = yield* bodiesOf(compiler, input, template)
    if (faults.length > 0) return yield* new ValidationError({ errors: faults.slice(0, maxFaults) })
    const texts = { ...textsOf(input, bodies, template), layout: input.layout ?? template?.layout ?? null }
    yield* requireSize(texts)
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
