/**
 * Renders subject, HTML and plain text of a mail for one recipient, from templates and variables. Pure except for the
 * clock.
 */
import { Result, type Schema } from "effect"
import { plainTextOf } from "./PlainText.ts"
import { type Budget, type RenderBudget, renderAt } from "./Render.ts"
import { Skeleton } from "./Skeleton.ts"
import { compiled } from "./Template.ts"
import { TemplateInvalid } from "./TemplateFault.ts"

export interface MessageSource {
  readonly subject: string
  readonly body: string
  readonly values: Schema.JsonObject
  /** If set, plain variables that are missing print as `[name]`. */
  readonly nameMissing: boolean
}

export interface MessageText {
  readonly subject: string
  readonly html: string
  readonly text: string
}

/** A message about the field that cannot be rendered. */
export interface MessageFault {
  readonly field: "subject" | "body"
  readonly message: string
  /** Whether the budget was used up. */
  readonly isOver: boolean
}

/** `now` is a monotonic clock in milliseconds. */
export const messageText = (
  { subject, body, values, nameMissing }: MessageSource,
  now: () => number,
  budget?: Budget
): Result.Result<MessageText, MessageFault> => {
  const skeleton = new Skeleton()
  const options = { nameMissing, ...(budget && { budget }) }
  const print = (field: "subject" | "body") =>
    Result.mapError(
      Result.flatMap(
        Result.mapError(
          compiled(field === "subject" ? subject : body),
          (fault): RenderBudget | TemplateInvalid => new TemplateInvalid({ fault })
        ),
        (template) =>
          field === "subject"
            ? renderAt(template, values, "subject", now, options)
            : renderAt(template, values, "html", now, { ...options, skeleton })
      ),
      (error): MessageFault => ({ field, message: error.message, isOver: error._tag === "RenderBudget" })
    )
  return Result.flatMap(print("subject"), (subject) =>
    Result.map(print("body"), (html) => ({ subject, html, text: plainTextOf(html, skeleton) }))
  )
}
