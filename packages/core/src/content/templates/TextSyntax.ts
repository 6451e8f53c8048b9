/** Checks the syntax of texts before they are saved or sent. */
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect } from "effect"
import { type CheckedText, textFaults } from "../rendering/MailSyntax.ts"
import { type LinkFault, noPartials, type PartialSources } from "../rendering/Partials.ts"
import { longestInLine, type TextWorker } from "../text/TextWork.ts"

interface PlainTexts {
  readonly subject?: string | null | undefined
  readonly preheader?: string | null | undefined
  readonly body?: string | null | undefined
  /** The MJML of the body. It has the placeholders of the body, and is checked in its place. */
  readonly source?: string | null | undefined
  readonly text?: string | null | undefined
}

/** The texts of a mail that are rendered. */
export interface Texts extends PlainTexts {
  readonly translations?: { readonly [tag: string]: PlainTexts | null } | null | undefined
}

/** What is printed in body and text, and around them. */
export interface Surroundings {
  /** The partials that body, text and layout name, with those that these name. */
  readonly partials: PartialSources
  /** The name of a partial. */
  readonly layout: string | null
}

export const bare: Surroundings = { partials: noPartials, layout: null }

/** The characters that are parsed, the partials included. */
const lengthOf = ({ source, joined }: CheckedText): number => {
  let length = source.length
  for (const { body, text } of joined?.partials.values() ?? []) {
    length += (joined?.part === "body" ? body : text)?.length ?? 0
  }
  return length
}

/** Large texts are checked outside of the event loop. */
const faultsIn = (
  work: TextWorker,
  field: string,
  text: CheckedText
): Effect.Effect<ReadonlyArray<Fault>, ValidationError> =>
  Effect.map(
    lengthOf(text) > longestInLine
      ? Effect.mapError(work.run("syntax", text), ({ message }) => ValidationError.one(field, "custom", message))
      : Effect.sync(() => textFaults(text)),
    (faults) => faults.map((fault) => faultOf(field, fault))
  )

const faultOf = (field: string, { at, fault }: LinkFault): Fault =>
  at === "layout"
    ? { field: "layout", code: "custom", message: fault.message }
    : { field, code: "template_syntax", ...fault }

/** The texts by the path of their field. A part that is missing has no layout. */
const checkedTexts = (
  { subject, preheader, body, source, text }: PlainTexts,
  around: Surroundings,
  path: string
): ReadonlyArray<readonly [field: string, text: CheckedText]> => [
  [`${path}subject`, { source: subject ?? "", joined: null }],
  ...(preheader == null ? [] : [[`${path}preheader`, { source: preheader, joined: null }] as const]),
  [
    `${path}${source == null ? "body" : "source"}`,
    { source: source ?? body ?? "", joined: { ...around, part: "body" } }
  ],
  [
    `${path}text`,
    { source: text ?? "", joined: { ...around, part: "text", layout: text == null ? null : around.layout } }
  ]
]

/** The faults of the given texts. Fails if checking a text takes too long. */
export const syntaxFaults = (
  work: TextWorker,
  { translations, ...texts }: Texts,
  around: Surroundings = bare
): Effect.Effect<ReadonlyArray<Fault>, ValidationError> => {
  const translated = Object.entries(translations ?? {}).flatMap(([tag, local]) =>
    local === null ? [] : checkedTexts(local, around, `translations.${tag}.`)
  )
  return Effect.map(
    Effect.forEach([...checkedTexts(texts, around, ""), ...translated], ([field, text]) => faultsIn(work, field, text)),
    (found) => {
      const faults = found.flat()
      const first = faults.find(({ field }) => field === "layout")
      return faults.filter((fault) => fault.field !== "layout" || fault === first)
    }
  )
}

const maxFaults = 50

/** Passes if all given texts parse. Otherwise one error lists the faults of all. */
export const requireSyntax = (
  work: TextWorker,
  texts: Texts,
  around: Surroundings = bare
): Effect.Effect<void, ValidationError> =>
  Effect.flatMap(syntaxFaults(work, texts, around), (errors) =>
    errors.length === 0 ? Effect.void : Effect.fail(new ValidationError({ errors: errors.slice(0, maxFaults) }))
  )

/** The faults of the texts of a partial, with the partials that it names. */
export const partialFaults = (
  work: TextWorker,
  partial: string,
  { body, text }: Texts,
  partials: PartialSources
): Effect.Effect<ReadonlyArray<Fault>, ValidationError> => {
  const check = (field: "body" | "text", source: string | null | undefined) =>
    faultsIn(work, field, { source: source ?? "", partial, joined: { part: field, partials, layout: null } })
  return Effect.map(Effect.all([check("body", body), check("text", text)]), (faults) => faults.flat())
}
