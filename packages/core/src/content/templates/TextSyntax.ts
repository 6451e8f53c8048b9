/** Checks the syntax of texts before they are saved or sent. */
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect } from "effect"
import { checkTemplate } from "../rendering/TemplateSyntax.ts"
import { longestInLine, type TextWorker } from "../text/TextWork.ts"

interface PlainTexts {
  readonly subject?: string | null | undefined
  readonly body?: string | null | undefined
  readonly text?: string | null | undefined
}

/** The texts of a mail that are rendered. */
export interface Texts extends PlainTexts {
  readonly translations?: { readonly [tag: string]: PlainTexts | null } | null | undefined
}

/** Large texts are checked outside of the event loop. */
const faultsIn = (
  work: TextWorker,
  field: string,
  source: string
): Effect.Effect<ReadonlyArray<Fault>, ValidationError> =>
  Effect.map(
    source.length > longestInLine
      ? Effect.mapError(work.run("syntax", source), ({ message }) => ValidationError.one(field, "custom", message))
      : Effect.sync(() => checkTemplate(source)),
    (faults) => faults.map((fault) => ({ field, code: "template_syntax", ...fault }))
  )

const sourcesOf = ({ subject, body, text }: PlainTexts, path: string) =>
  Object.entries({ subject, body, text }).map(([field, source]) => [`${path}${field}`, source ?? ""] as const)

/** The faults of the given texts. Fails if checking a text takes too long. */
export const syntaxFaults = (
  work: TextWorker,
  { translations, ...texts }: Texts
): Effect.Effect<ReadonlyArray<Fault>, ValidationError> => {
  const translated = Object.entries(translations ?? {}).flatMap(([tag, local]) =>
    local === null ? [] : sourcesOf(local, `translations.${tag}.`)
  )
  return Effect.map(
    Effect.forEach([...sourcesOf(texts, ""), ...translated], ([field, source]) => faultsIn(work, field, source)),
    (faults) => faults.flat()
  )
}

const maxFaults = 50

/** Passes if all given texts parse. Otherwise one error lists the faults of all. */
export const requireSyntax = (work: TextWorker, texts: Texts): Effect.Effect<void, ValidationError> =>
  Effect.flatMap(syntaxFaults(work, texts), (errors) =>
    errors.length === 0 ? Effect.void : Effect.fail(new ValidationError({ errors: errors.slice(0, maxFaults) }))
  )
