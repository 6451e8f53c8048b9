/**
 * Renders subject, HTML and plain text of a mail for one recipient, from templates and variables. Pure except for the
 * clock.
 */
import { Result, type Schema } from "effect"
import { type Linked, link, noPartials, type PartialSources, type TextSurroundings } from "./Partials.ts"
import { plainTextOf } from "./PlainText.ts"
import { type Budget, type Mode, renderAt } from "./Render.ts"
import { Skeleton } from "./Skeleton.ts"
import { compiled } from "./Template.ts"
import type { TemplateFault } from "./TemplateFault.ts"
import { usedPaths } from "./UsedPaths.ts"
import { variablesUsed } from "./VariablesUsed.ts"

export interface MessageSource {
  readonly subject: string
  /** What inboxes show beside the subject. Absent or null: none. */
  readonly preheader?: string | null
  /** HTML. Null for a mail of plain text only. */
  readonly body: string | null
  /** Plain text. Absent or null: made from the HTML. */
  readonly text?: string | null
  readonly values: Schema.JsonObject
  /** The partials that body and text name, with those that these name. */
  readonly partials?: PartialSources
  /** The name of the partial around body and text. */
  readonly layout?: string | null
  /** If set, plain variables that are missing print as `[name]`. */
  readonly nameMissing: boolean
  /** False: the sources are used as written. Defaults to true. */
  readonly interpolate?: boolean
  /** Whether the result lists the variables without a value. */
  readonly listMissing?: boolean
  /** Whether the result lists the variables that the texts read. */
  readonly listUsed?: boolean
}

export interface MessageText {
  readonly subject: string
  /** One line of plain text. */
  readonly preheader?: string | null
  readonly html: string | null
  readonly text: string
  /** Paths that the mail prints, with the first text that contains them. Empty unless requested. */
  readonly missing: ReadonlyArray<MissingVariable>
  /** What the texts read, with partials and layout. Empty unless asked for. */
  readonly used: UsedVariables
}

export interface UsedVariables {
  readonly paths: ReadonlyArray<string>
  /** Top-level names. Null if any variable may be read. */
  readonly names: ReadonlyArray<string> | null
}

export interface MissingVariable {
  readonly field: "subject" | "preheader" | "body" | "text"
  readonly path: string
}

/** A message about the field that cannot be rendered. */
export interface MessageFault {
  readonly field: "subject" | "preheader" | "body" | "text" | "layout"
  readonly message: string
  /** Whether the budget was used up. */
  readonly isOver: boolean
  /** Whether the sources do not parse, or do not fit their partials or layout. */
  readonly isSyntax: boolean
}

/** `now` is a monotonic clock in milliseconds. */
export const messageText = (
  {
    subject,
    preheader,
    body,
    text,
    values,
    partials,
    layout,
    nameMissing,
    interpolate,
    listMissing,
    listUsed
  }: MessageSource,
  now: () => number,
  budget?: Budget
): Result.Result<MessageText, MessageFault> => {
  const skeleton = new Skeleton()
  const missing = new Map<string, MissingVariable>()
  const used: Array<Linked> = []
  const options = { nameMissing, ...(budget && { budget }) }
  const joined = { partials: partials ?? noPartials, layout: layout ?? null }

  const print = (field: MissingVariable["field"], source: string, mode: Mode, marks?: Skeleton) =>
    Result.gen(function* () {
      const template = yield* Result.mapError(compiled(source, interpolate), invalid(field))
      const linked = yield* Result.mapError(
        link(template, field === "subject" || field === "preheader" ? alone : { ...joined, part: field }),
        ({ at, fault }) => invalid(at === "layout" ? "layout" : field)(fault)
      )
      if (listUsed) used.push(linked)
      const paths = new Set<string>()
      const made = yield* Result.mapError(
        renderAt(linked.root, values, mode, now, {
          ...options,
          linked,
          ...(listMissing && { missing: paths }),
          ...(marks && { skeleton: marks })
        }),
        ({ message }): MessageFault => ({ field, message, isOver: true, isSyntax: false })
      )
      for (const path of paths) if (!missing.has(path)) missing.set(path, { field, path })
      return made
    })

  return Result.gen(function* () {
    const line = yield* print("subject", subject, "subject")
    const beside = preheader ? yield* print("preheader", preheader, "subject") : null
    const html = body === null ? null : yield* print("body", body, "html", skeleton)
    const own = text == null ? undefined : yield* print("text", text, "plain")
    const plain = own ?? (html === null ? "" : plainTextOf(html, skeleton))
    return { subject: line, preheader: beside, html, text: plain, missing: [...missing.values()], used: usedIn(used) }
  })
}

const usedIn = (texts: ReadonlyArray<Linked>): UsedVariables => {
  const names = texts
    .flatMap(({ root, content, partials }) => [root, ...(content ? [content] : []), ...partials.values()])
    .map(variablesUsed)
  return {
    paths: [...new Set(texts.flatMap(usedPaths))],
    names: names.every((each) => each !== undefined) ? [...new Set(names.flatMap((each) => [...each]))] : null
  }
}

/** A subject and a preheader have no partials. */
const alone: TextSurroundings = { part: "text", partials: noPartials, layout: null }

const invalid =
  (field: MessageFault["field"]) =>
  ({ message }: TemplateFault): MessageFault => ({ field, message, isOver: false, isSyntax: true })
