/**
 * Renders subject, HTML and plain text of a mail for one recipient, from templates and variables. Pure except for the
 * clock.
 */
import { Result, type Schema } from "effect"
import { plainTextOf } from "./PlainText.ts"
import { type Budget, type Mode, type RenderBudget, renderAt } from "./Render.ts"
import { Skeleton } from "./Skeleton.ts"
import { compiled } from "./Template.ts"
import { TemplateInvalid } from "./TemplateFault.ts"

export interface MessageSource {
  readonly subject: string
  /** HTML. Null makes a mail of plain text alone. */
  readonly body: string | null
  /** Plain text. Absent or null: made from the HTML. */
  readonly text?: string | null
  readonly values: Schema.JsonObject
  /** If set, plain variables that are missing print as `[name]`. */
  readonly nameMissing: boolean
  /** False: the sources are used as written. Defaults to true. */
  readonly interpolate?: boolean
}

export interface MessageText {
  readonly subject: string
  readonly html: string | null
  readonly text: string
}

/** A message about the field that cannot be rendered. */
export interface MessageFault {
  readonly field: "subject" | "body" | "text"
  readonly message: string
  /** Whether the budget was used up. */
  readonly isOver: boolean
}

/** `now` is a monotonic clock in milliseconds. */
export const messageText = (
  { subject, body, text, values, nameMissing, interpolate }: MessageSource,
  now: () => number,
  budget?: Budget
): Result.Result<MessageText, MessageFault> => {
  const skeleton = new Skeleton()
  const options = { nameMissing, ...(budget && { budget }) }
  const print = (field: MessageFault["field"], source: string, mode: Mode, marks?: Skeleton) =>
    compiled(source, interpolate).pipe(
      Result.mapError((fault): RenderBudget | TemplateInvalid => new TemplateInvalid({ fault })),
      Result.flatMap((template) =>
        renderAt(template, values, mode, now, { ...options, ...(marks && { skeleton: marks }) })
      ),
      Result.mapError(
        (error): MessageFault => ({ field, message: error.message, isOver: error._tag === "RenderBudget" })
      )
    )
  return Result.gen(function* () {
    const line = yield* print("subject", subject, "subject")
    const html = body === null ? null : yield* print("body", body, "html", skeleton)
    if (text != null) return { subject: line, html, text: yield* print("text", text, "plain") }
    return { subject: line, html, text: html === null ? "" : plainTextOf(html, skeleton) }
  })
}
