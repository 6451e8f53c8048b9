/** The syntax check of texts that are about to be saved or sent (contract 7.5). */
import { type Fault, ValidationError } from "@posthorn/contract/Errors"
import { Effect } from "effect"
import { checkTemplate } from "../rendering/TemplateSyntax.ts"

/** The texts of a mail that are rendered. */
export interface Texts {
  readonly subject?: string | null | undefined
  readonly body?: string | null | undefined
}

const faultsIn = (field: keyof Texts, source: string): ReadonlyArray<Fault> =>
  checkTemplate(source).map((fault) => ({ field, code: "template_syntax", ...fault }))

/** The faults of both texts, as far as they are there. */
export const syntaxFaults = ({ subject, body }: Texts): ReadonlyArray<Fault> => [
  ...faultsIn("subject", subject ?? ""),
  ...faultsIn("body", body ?? "")
]

/** Passes when all texts that are there parse; else one error names the faults of both. */
export const requireSyntax = (texts: Texts): Effect.Effect<void, ValidationError> =>
  Effect.suspend(() => {
    const errors = syntaxFaults(texts)
    return errors.length === 0 ? Effect.void : Effect.fail(new ValidationError({ errors }))
  })
