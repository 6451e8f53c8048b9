/**
 * Tasks on large texts from untrusted sources, and the one text of our own that takes as long. They are pure functions
 * with cloneable arguments and results, so that a thread can run them. A thread loads its own copy of the imports.
 */

import type { RenderWarning } from "@posthorn/contract/content/templates/RenderedMail"
import { Option, Result, type Schema } from "effect"
import { type SourceLink, type SourceTexts, sourceLinks } from "../links/SourceLinks.ts"
import { type CheckedText, textFaults } from "../rendering/MailSyntax.ts"
import { type CheckedMail, mailWarnings } from "../rendering/MailWarnings.ts"
import { type MessageFault, type MessageSource, type MessageText, messageText } from "../rendering/MessageText.ts"
import type { LinkFault } from "../rendering/Partials.ts"
import { type Mode, renderAt } from "../rendering/Render.ts"
import { compiled } from "../rendering/Template.ts"
import { variablesUsed } from "../rendering/VariablesUsed.ts"
import { type Destinations, destinations } from "./Destinations.ts"
import { type IncomingMail, readIncomingMail } from "./IncomingMail.ts"
import { type ReadSubmission, readSubmission } from "./SubmittedMail.ts"

/** The result of a task that may fail, as a plain object. */
type Outcome<A, E> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly fault: E }

const outcome = <A, E>(result: Result.Result<A, E>): Outcome<A, E> =>
  Result.match(result, {
    onSuccess: (value) => ({ ok: true, value }),
    onFailure: (fault) => ({ ok: false, fault })
  })

export interface TextSource {
  readonly source: string
  readonly values: Schema.JsonObject
  readonly mode: Mode
}

/** Returns the milliseconds of a monotonic clock. */
export type Now = () => number

export const textTasks = {
  /** The faults of a text of a mail. */
  syntax: (text: CheckedText): ReadonlyArray<LinkFault> => textFaults(text),
  /** Renders a mail for one recipient. */
  message: (source: MessageSource, now: Now): Outcome<MessageText, MessageFault> => outcome(messageText(source, now)),
  /** Renders one text. The fault is a message. */
  text: ({ source, values, mode }: TextSource, now: Now): Outcome<string, string> =>
    outcome(
      Result.flatMap(
        Result.mapError(compiled(source), ({ message }) => message),
        (template) => Result.mapError(renderAt(template, values, mode, now), ({ message }) => message)
      )
    ),
  /** The names of the fields that a template can print. Undefined means any field. */
  variables: (source: string): ReadonlySet<string> | undefined =>
    Option.getOrUndefined(Option.map(Result.getSuccess(compiled(source)), variablesUsed)),
  /** What mail clients do not like about a mail. */
  warnings: (mail: CheckedMail): ReadonlyArray<RenderWarning> => mailWarnings(mail),
  /** The link destinations of a document. */
  links: (html: string): Destinations => destinations(html),
  /** The links of texts as they are written. */
  sourceLinks: (source: SourceTexts): ReadonlyArray<SourceLink> => sourceLinks(source),
  /** Reads an incoming mail. Undefined if it cannot be parsed. */
  incoming: (bytes: Uint8Array): Promise<IncomingMail | undefined> => readIncomingMail(bytes),
  /** Takes a message apart that is to be sent. */
  submission: (bytes: Uint8Array): Promise<ReadSubmission> => readSubmission(bytes),
  /** The OpenAPI document as JSON. */
  apiDocument: async (_: undefined): Promise<string> => {
    const [{ Api }, { OpenApi }] = await Promise.all([import("@posthorn/contract/Api"), import("effect/http-api")])
    return JSON.stringify(OpenApi.fromApi(Api))
  }
}

export type TextTasks = typeof textTasks
export type TextTask = keyof TextTasks
export type TextInput<Task extends TextTask> = Parameters<TextTasks[Task]>[0]
export type TextOutput<Task extends TextTask> = Awaited<ReturnType<TextTasks[Task]>>

export const runTextTask = (task: TextTask, input: unknown, now: Now): unknown =>
  (textTasks[task] as (input: unknown, now: Now) => unknown)(input, now)
