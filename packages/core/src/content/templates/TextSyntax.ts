/** Checks the syntax of texts before they are saved or sent. */
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect } from "effect"
import { checkTemplate } from "../rendering/TemplateSyntax.ts"
import { longestInLine, type TextWorker } from "../text/TextWork.ts"

/** The texts of a mail that are rendered. */
export interface Texts {
  readonly subject?: string | null | undefined
  readonly body?: string | null | undefined
  readonly text?: string | null | undefined
}

/** Large texts are checked outside of the event loop. */
const faultsIn = (
  work: TextWorker,
  field: keyof Texts,
  source: string
): Effect.Effect<ReadonlyArray<Fault>, ValidationError> =>
  Effect.map(
    source.length > longestInLine
      ? Effect.mapError(work.run("syntax", source), ({ message }) => ValidationError.one(field, "custom", message))
      : Effect.sync(() => checkTemplate(source)),
    (faults) => faults.map((fault) => ({ field, code: "template_syntax", ...fault }))
  )

/** The faults of the given texts. Fails if checking a text takes too long. */
export const syntaxFaults = (
  work: TextWorker,
  { subject, body, text }: Texts
): Effect.Effect<ReadonlyArray<Fault>, ValidationError> =>
  Effect.map(
    Effect.all([
      faultsIn(work, "subject", subject ?? ""),
      faultsIn(work, "body", body ?? ""),
      faultsIn(work, "text", text ?? "")
    ]),
    (faults) => faults.flat()
  )

/** Passes if all given texts parse. Otherwise one error lists the faults of all. */
export const requireSyntax = (work: TextWorker, texts: Texts): Effect.Effect<void, ValidationError> =>
  Effect.flatMap(syntaxFaults(work, texts), (errors) =>
    errors.length === 0 ? Effect.void : Effect.fail(new ValidationError({ errors }))
  )
