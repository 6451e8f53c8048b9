/** The experiment of a campaign: which of several variants is the best. */
import { Schema, SchemaIssue } from "effect"
import { Body, byTag, maxTranslations, SenderName, Translations } from "../../content/templates/Template.ts"
import { Mailbox } from "../../platform/Mailbox.ts"
import { described, IntBetween, isLength, optional, required, Subject, Timestamp } from "../../platform/Primitives.ts"
import { DecidedBy, ExperimentVariant, Metric } from "../workflows/SplitExperiment.ts"
import { Preheader } from "./Preheader.ts"

const fault = (path: ReadonlyArray<string | number>, code: string, message: string): Schema.FilterIssue => ({
  path,
  issue: new SchemaIssue.InvalidValue({ code, message })
})

export const variantKeys = ["A", "B", "C", "D", "E", "F", "G", "H"] as const

export const VariantKey = Schema.Literals(variantKeys)
export type VariantKey = typeof VariantKey.Type

const VariantTranslations = Schema.Record(
  Schema.String,
  Schema.Struct({ subject: required(Subject), body: required(Body), text: optional(Body) })
).check(byTag(maxTranslations))

/** What a variant changes. What is absent is the campaign's own. */
const own = {
  subject: optional(Subject),
  preheader: optional(Preheader),
  body: optional(Body).pipe(
    described("HTML with `{{variable}}` placeholders, also if the campaign is written in MJML.")
  ),
  text: optional(Body).pipe(described("The plain text part. Beside a `body` of its own, absent: derived from it.")),
  translations: optional(VariantTranslations).pipe(
    described(
      "Subject, body and text in other languages. A variant with `subject` or `body`, but without these, has one language."
    )
  ),
  from: optional(Mailbox).pipe(described("Of the domain of the campaign's sender.")),
  fromName: optional(SenderName),
  replyTo: optional(Mailbox)
}
const ownFields = Object.keys(own)

const WriteVariant = Schema.Struct({ key: required(VariantKey), ...own }).annotate({
  identifier: "WriteCampaignVariant"
})
export type WriteVariant = typeof WriteVariant.Type

function* variantFaults(
  variants: ReadonlyArray<{ readonly key: string; readonly [field: string]: unknown }>
): Generator<Schema.FilterIssue> {
  for (const [at, variant] of variants.entries()) {
    const expected = variantKeys[at]
    if (variant.key !== expected)
      yield fault([at, "key"], "custom", `Expected ${expected}: the keys are A to H in order.`)
    if (at > 0) continue
    for (const field of ownFields) {
      if (variant[field] != null) yield fault([at, field], "custom", "Variant A is the campaign's own content.")
    }
  }
}

const isHundredth = Schema.makeFilter(
  (share: number) =>
    Math.abs(share * 100 - Math.round(share * 100)) < 1e-6 ||
    new SchemaIssue.InvalidValue({ code: "custom", message: "At most two decimals." })
)

/** A share of an audience with two decimals. */
export const AudienceShare = (low: number, high: number) =>
  Schema.Finite.check(
    Schema.isGreaterThanOrEqualTo(low, { message: `At least ${low}.` }).abort(),
    Schema.isLessThanOrEqualTo(high, { message: `At most ${high}.` }).abort(),
    isHundredth
  )

const Confidence = Schema.Literals([0.9, 0.95, 0.99])
const Winner = Schema.Literals(["AUTOMATIC", "MANUAL"])
const Fallback = Schema.Literals(["BEST", "CONTROL", "NONE"])

const shareText =
  "Share of the audience that the variants are tried on, 0.05 to 1, with two decimals; the rest gets the winner. With 1, there is no rest."
const metricText =
  "What counts as a success: a mail with a click or an open by a person, or with the goal of the campaign."
const winnerText =
  "`AUTOMATIC`: the figures decide. `MANUAL`: a person chooses; the administrators get a mail when it is time."
const fallbackText =
  "What the rest gets when no variant is significantly better: `BEST`: the one with the highest rate. `CONTROL`: A. `NONE`: a person chooses."

/** The `experiment` of a request. */
export const WriteExperiment = Schema.Struct({
  variants: required(
    Schema.Array(WriteVariant).check(
      Schema.isMinLength(2, { code: "too_small", message: "At least 2 variants." }).abort(),
      Schema.isMaxLength(8, { code: "too_big", message: "At most 8 variants." }).abort(),
      Schema.makeFilter((variants) => [...variantFaults(variants)])
    )
  ).pipe(described("2 to 8 variants, with the keys `A` to `H` in order. `A` has no other field.")),
  testShare: required(AudienceShare(0.05, 1)).pipe(described(shareText)),
  metric: optional(Metric).pipe(described(metricText, "HUMAN_CLICK")),
  waitHours: optional(IntBetween(1, 168)).pipe(
    described("Hours from the start of sending to the decision, 1 to 168.", "4")
  ),
  winner: optional(Winner).pipe(described(winnerText, "AUTOMATIC")),
  confidence: optional(Confidence).pipe(described("0.9, 0.95 or 0.99.", "0.95")),
  fallback: optional(Fallback).pipe(described(fallbackText, "BEST"))
}).annotate({
  identifier: "WriteCampaignExperiment",
  description: "Tries variants on a share of the audience. The rest gets the one that does best."
})
export type WriteExperiment = typeof WriteExperiment.Type

const textOrAbsent = Schema.optionalKey(Schema.String)

/** A variant as stored: only what it changes. */
export const CampaignVariant = Schema.Struct({
  key: VariantKey,
  subject: textOrAbsent,
  preheader: textOrAbsent,
  body: textOrAbsent,
  text: textOrAbsent,
  translations: Schema.optionalKey(Translations),
  from: textOrAbsent,
  fromName: textOrAbsent,
  replyTo: textOrAbsent
}).annotate({ identifier: "CampaignVariant", description: "What a variant changes of the campaign." })
export type CampaignVariant = typeof CampaignVariant.Type

export const CampaignExperiment = Schema.Struct({
  variants: Schema.Array(CampaignVariant),
  testShare: Schema.Finite.pipe(described(shareText)),
  metric: Metric.pipe(described(metricText)),
  waitHours: Schema.Int.pipe(described("Hours from the start of sending to the decision.")),
  winner: Winner.pipe(described(winnerText)),
  confidence: Confidence,
  fallback: Fallback.pipe(described(fallbackText))
}).annotate({
  identifier: "CampaignExperiment",
  description: "Tries variants on a share of the audience. The rest gets the one that does best."
})
export type CampaignExperiment = typeof CampaignExperiment.Type

export const CampaignExperimentState = Schema.Literals([
  "TESTING",
  "WAITING",
  "DECIDED",
  "ABANDONED",
  "CANCELLED"
]).annotate({
  description:
    "`TESTING`: the variants are tried. `WAITING`: a person chooses, within 7 days. `DECIDED`: the rest gets the winner. `ABANDONED`: nobody chose, the mail of the rest is cancelled. `CANCELLED`: with the campaign."
})
export type CampaignExperimentState = typeof CampaignExperimentState.Type

/** The figures of the experiment of a campaign. */
export const ExperimentFigures = Schema.Struct({
  state: Schema.NullOr(CampaignExperimentState).annotateKey({ description: "Null before sending starts." }),
  metric: Metric,
  decideAt: Schema.NullOr(Timestamp).pipe(described("When it is decided at the earliest. Null before sending starts.")),
  final: Schema.Boolean.pipe(
    described("Whether it is decided; the figures are then those of the decision. Early figures decide nothing.")
  ),
  winner: Schema.NullOr(VariantKey),
  decidedBy: Schema.NullOr(DecidedBy),
  significant: Schema.Boolean.pipe(described("Whether the best variant is better by more than chance.")),
  variants: Schema.Array(ExperimentVariant).pipe(described("In the order of their keys.")),
  detectable: Schema.NullOr(Schema.Finite).pipe(
    described("The difference in percentage points that this much mail would show. `null` with none.")
  )
}).annotate({
  identifier: "CampaignExperimentFigures",
  description: "The figures of the experiment of a campaign, from the mail of its test."
})
export type ExperimentFigures = typeof ExperimentFigures.Type

/** Body of `POST /campaigns/{id}/experiment/winner`. */
export const ChooseVariant = Schema.Struct({
  variant: required(Schema.String.check(isLength(1, 10))).pipe(described("The key of a variant of the campaign."))
}).annotate({ identifier: "ChooseVariant" })
export type ChooseVariant = typeof ChooseVariant.Type
