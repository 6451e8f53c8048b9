/** The faults of one text of a mail: its syntax, the partials that it names, and its layout. Pure. */
import { Result } from "effect"
import { type LinkFault, link, partialFault, type TextSurroundings } from "./Partials.ts"
import { compiled } from "./Template.ts"
import { faultAt, type TemplateFault } from "./TemplateFault.ts"

export interface CheckedText {
  readonly source: string
  /** Null: the text takes no partials. */
  readonly joined: TextSurroundings | null
  /** The name of the partial that the text is of. It may hold `{{> content}}`. */
  readonly partial?: string
}

/** A text has at most one fault. It takes time in proportion to the source and its partials. */
export const textFaults = (text: CheckedText): ReadonlyArray<LinkFault> =>
  Result.match(faultless(text), { onSuccess: () => [], onFailure: (fault) => [fault] })

const faultless = ({ source, joined, partial }: CheckedText): Result.Result<void, LinkFault> =>
  Result.flatMap(
    Result.mapError(compiled(source), (fault): LinkFault => ({ at: "text", fault })),
    (template) => {
      if (joined !== null && partial !== undefined) {
        const fault = partialFault(partial, template, joined.part, joined.partials)
        return fault === undefined ? Result.void : Result.fail<LinkFault>({ at: "text", fault })
      }
      if (joined !== null) return Result.map(link(template, joined), () => undefined)
      const [first] = template.partials
      return first === undefined
        ? Result.void
        : Result.fail<LinkFault>({ at: "text", fault: faultAt(source, { message: noPartialsHere, at: first.at }) })
    }
  )

const noPartialsHere = "Partials are only allowed in the body and the text of a mail."

/** The faults of a text that takes no partials. */
export const plainTextFaults = (source: string): ReadonlyArray<TemplateFault> =>
  textFaults({ source, joined: null }).map(({ fault }) => fault)
