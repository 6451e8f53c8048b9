/** The variants of a campaign: what each of them says, and what is wrong with it. */
import type { Campaign } from "@posthorn/contract/automation/campaigns/Campaign"
import type {
  CampaignExperiment,
  CampaignVariant,
  VariantKey,
  WriteExperiment
} from "@posthorn/contract/automation/campaigns/CampaignExperiment"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { canonicalTag } from "@posthorn/contract/platform/LanguageTag"
import { mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { Effect, Record } from "effect"
import { type Surroundings, syntaxFaults, type Texts } from "../../../content/templates/TextSyntax.ts"
import { withOwn } from "../../../content/templates/Translations.ts"
import type { TextWorker } from "../../../content/text/TextWork.ts"

/** What a mail takes from its campaign or from its variant. */
export type VariantContent = Pick<
  Campaign,
  "subject" | "preheader" | "body" | "text" | "translations" | "from" | "fromName" | "replyTo"
>

const defaults = {
  metric: "HUMAN_CLICK",
  waitHours: 4,
  winner: "AUTOMATIC",
  confidence: 0.95,
  fallback: "BEST"
} as const

type WrittenVariant = WriteExperiment["variants"][number]

const storedTranslations = (translations: NonNullable<WrittenVariant["translations"]>) =>
  Record.mapEntries(translations, ({ subject, body, text }, tag) => [
    canonicalTag(tag),
    { subject, body, text: text ?? null }
  ])

const storedVariant = ({ key, translations, from, fromName, ...texts }: WrittenVariant): CampaignVariant => {
  const sender = from == null ? undefined : mailboxOf(from)
  const name = sender?.name ?? fromName
  return {
    key,
    ...Record.filter(texts as { readonly [field: string]: string | null }, (value) => value !== null),
    ...(translations != null && { translations: storedTranslations(translations) }),
    ...(sender !== undefined && { from: sender.email }),
    ...(name != null && { fromName: name })
  }
}

/** An experiment of a request, with its defaults. */
export const storedExperiment = (given: WriteExperiment | null | undefined): CampaignExperiment | null =>
  given == null
    ? null
    : {
        variants: given.variants.map(storedVariant),
        testShare: Math.round(given.testShare * 100) / 100,
        metric: given.metric ?? defaults.metric,
        waitHours: given.waitHours ?? defaults.waitHours,
        winner: given.winner ?? defaults.winner,
        confidence: given.confidence ?? defaults.confidence,
        fallback: given.fallback ?? defaults.fallback
      }

/** A variant with everything that it takes from its campaign. */
export const contentOf = (campaign: VariantContent, variant: CampaignVariant): VariantContent => {
  const { subject, body, text } = variant
  const hasOwnTexts = subject !== undefined || body !== undefined
  return {
    ...withOwn(campaign, { subject, body, text }),
    preheader: variant.preheader ?? campaign.preheader,
    translations: variant.translations ?? (hasOwnTexts ? {} : campaign.translations),
    from: variant.from ?? campaign.from,
    fromName: variant.fromName ?? campaign.fromName,
    replyTo: variant.replyTo ?? campaign.replyTo
  }
}

/** The variants beside A, which is the campaign itself. */
export const otherVariants = (experiment: CampaignExperiment | null): ReadonlyArray<CampaignVariant> =>
  experiment?.variants.slice(1) ?? []

const unknown = ValidationError.one("variant", "custom", "The campaign has no such variant.")

/** The campaign as a mail of the variant has it. */
export const asVariant = <C extends VariantContent & Pick<Campaign, "experiment">>(
  campaign: C,
  key: string | null | undefined
): Effect.Effect<C, ValidationError> => {
  if (key == null) return Effect.succeed(campaign)
  const variant = campaign.experiment?.variants.find((each) => each.key === key)
  return variant === undefined
    ? Effect.fail(unknown)
    : Effect.succeed({ ...campaign, ...(variant.key === "A" ? {} : contentOf(campaign, variant)) })
}

/** All texts that mail of the campaign may be made from, to find their partials and links. */
export const allTexts = ({
  body,
  text,
  translations,
  experiment
}: Pick<Campaign, "body" | "text" | "translations" | "experiment">): ReadonlyArray<
  Pick<VariantContent, "body" | "text" | "translations">
> => [
  { body, text, translations },
  ...otherVariants(experiment).map((variant) => ({
    body: variant.body ?? body,
    text: variant.text ?? null,
    translations: variant.translations ?? {}
  }))
]

/** The texts of the mail of one variant, or of all. A campaign without an experiment is `A`. */
export const textsOfVariant = (
  campaign: VariantContent & Pick<Campaign, "experiment">,
  key: VariantKey | undefined
): ReadonlyArray<Pick<VariantContent, "body" | "text" | "translations">> => {
  if (key === undefined) return allTexts(campaign)
  if (key === "A") return [campaign]
  const variant = campaign.experiment?.variants.find((each) => each.key === key)
  return variant === undefined ? [] : [contentOf(campaign, variant)]
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase()

/** Variants whose sender has another domain than that of the campaign. */
export const variantSenderFaults = (experiment: CampaignExperiment | null, from: string): ReadonlyArray<Fault> =>
  otherVariants(experiment).flatMap((variant, at) =>
    variant.from === undefined || domainOf(variant.from) === domainOf(from)
      ? []
      : [
          {
            field: `experiment.variants.${at + 1}.from`,
            code: "custom",
            message: "The sender has another domain than that of the campaign."
          }
        ]
  )

/** Faults in the texts of the variants. A fault of the layout is one of the campaign. */
export const variantSyntaxFaults = Effect.fnUntraced(function* (
  work: TextWorker,
  variants: ReadonlyArray<Texts>,
  around: Surroundings
) {
  const faults: Array<Fault> = []
  for (const [at, variant] of variants.entries()) {
    for (const fault of yield* syntaxFaults(work, variant, around)) {
      if (fault.field !== "layout") faults.push({ ...fault, field: `experiment.variants.${at}.${fault.field}` })
    }
  }
  return faults
})
