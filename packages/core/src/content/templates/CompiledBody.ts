/** The bodies of a template or campaign and its translations: as they were written, or compiled from MJML. */
import type {
  TemplateContent,
  TemplateFormat,
  TemplateTranslation
} from "@posthorn/contract/content/templates/Template"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { canonicalTag } from "@posthorn/contract/platform/LanguageTag"
import { Effect } from "effect"
import { Overloaded } from "../../platform/http/Overloaded.ts"
import type { Compiler, MjmlRefused } from "./MjmlCompiler.ts"

/** A body as stored. `source` is null unless the format is MJML. */
export interface CompiledBody {
  readonly format: TemplateFormat
  readonly source: string | null
  readonly body: string
}

/** A body as a request gives it. What is absent stays. */
export interface WrittenBody {
  readonly format?: TemplateFormat | null | undefined
  readonly source?: string | null | undefined
  readonly body?: string | null | undefined
}

const noSource = "Only with format MJML there is a source."
const noBody = "With format MJML the body is compiled from 'source'."

/**
 * The body that results from the given fields. `stored` is the present body, absent for a new one. A stored source that
 * stays is not compiled again. A format that changes to HTML keeps the compiled body. `path` is before the names of the
 * fields in faults: `translations.de.`.
 */
export const compiledBody = Effect.fn("Templates.compiledBody")(function* (
  compiler: Compiler,
  given: WrittenBody,
  stored?: CompiledBody,
  path = ""
): Effect.fn.Return<CompiledBody, ValidationError> {
  const format = given.format ?? stored?.format ?? "HTML"
  const refuse = (field: string, code: "custom" | "required", message: string) =>
    ValidationError.one(`${path}${field}`, code, message)
  if (format === "HTML") {
    if (given.source != null) return yield* refuse("source", "custom", noSource)
    const body = given.body ?? stored?.body
    return body === undefined ? yield* refuse("body", "required", "Required.") : { format, source: null, body }
  }
  if (given.body != null) return yield* refuse("body", "custom", noBody)
  if (given.source === undefined && stored?.source != null) return { ...stored, format }
  if (given.source == null) return yield* refuse("source", "required", "Required, as the format is MJML.")
  const body = yield* compiler.compile(given.source).pipe(
    Effect.catchTags({
      MjmlRefused: ({ fault }) => Effect.fail(new ValidationError({ errors: [faultOf(`${path}source`, fault)] })),
      MjmlBusy: () => Effect.die(new Overloaded({ what: "MJML sources" })),
      NoMjmlCompiler: () => Effect.fail(ValidationError.one("format", "custom", "This host cannot compile MJML."))
    })
  )
  return { format, source: given.source, body }
})

const faultOf = (field: string, fault: MjmlRefused["fault"]): Fault => ({ field, code: "template_syntax", ...fault })

interface WrittenTranslation extends Omit<WrittenBody, "format"> {
  readonly subject?: string | null | undefined
  readonly text?: string | null | undefined
}

/** A body and its translations as a request gives them. */
export interface WrittenBodies extends WrittenBody {
  readonly translations?: { readonly [tag: string]: WrittenTranslation | null } | null | undefined
}

/** The bodies of a template, as stored. */
export type CompiledBodies = Pick<TemplateContent, "body" | "format" | "source" | "translations">

/**
 * The bodies that result from the given fields, and their faults. A given translation replaces the stored one, null
 * removes it, and others stay. A faulty body is as written, or empty.
 */
export const compiledBodies = Effect.fn("Templates.compiledBodies")(function* (
  compiler: Compiler,
  given: WrittenBodies,
  stored?: CompiledBodies
) {
  const faults: Array<Fault> = []
  const compile = (written: WrittenBody, before: CompiledBody | undefined, path: string) =>
    Effect.catch(compiledBody(compiler, written, before, path), ({ errors }) => {
      // Every body has the fault of a missing compiler.
      faults.push(...errors.filter(({ field }) => !faults.some((fault) => fault.field === field)))
      return Effect.succeed({ source: written.source ?? null, body: written.body ?? "" })
    })

  const format = given.format ?? stored?.format ?? "HTML"
  const { source, body } = yield* compile(given, stored, "")
  const replaced = new Set(Object.keys(given.translations ?? {}).map((tag) => tag.toLowerCase()))
  const translations: { [tag: string]: TemplateTranslation } = {}
  for (const [tag, texts] of Object.entries(stored?.translations ?? {})) {
    if (replaced.has(tag.toLowerCase())) continue
    const before = { format: stored?.format ?? "HTML", source: texts.source ?? null, body: texts.body }
    translations[tag] = translationOf(texts, yield* compile({ format }, before, `translations.${tag}.`))
  }
  for (const [tag, texts] of Object.entries(given.translations ?? {})) {
    if (texts === null) continue
    const written = { format, source: texts.source, body: texts.body }
    const compiled = yield* compile(written, undefined, `translations.${tag}.`)
    translations[canonicalTag(tag)] = translationOf(texts, compiled)
  }
  return { faults, bodies: { format, source, body, translations } satisfies CompiledBodies }
})

const translationOf = (
  { subject, text }: WrittenTranslation,
  { source, body }: Omit<CompiledBody, "format">
): TemplateTranslation => ({
  subject: subject ?? "",
  body,
  text: text ?? null,
  ...(source !== null && { source })
})

/** Whether a change concerns what bodies are made from. */
export const changesBodies = ({ format, source, body, translations }: WrittenBodies): boolean =>
  format !== undefined || source !== undefined || body !== undefined || translations !== undefined

/** As `compiledBodies`. Fails if there is a fault. */
export const requireBodies = (compiler: Compiler, given: WrittenBodies, stored?: CompiledBodies) =>
  Effect.flatMap(compiledBodies(compiler, given, stored), ({ faults, bodies }) =>
    faults.length === 0
      ? Effect.succeed(bodies)
      : Effect.fail(new ValidationError({ errors: faults.slice(0, maxFaults) }))
  )

const maxFaults = 50

/**
 * A compiler that compiles each source once. A change is compiled before its transaction begins, so that no connection
 * waits for the compiler, and taken from here within it.
 */
export const compilingOnce = ({ compile }: Compiler): Compiler => {
  const known = new Map<string, string>()
  return {
    compile: (source) =>
      Effect.suspend(() => {
        const html = known.get(source)
        return html === undefined
          ? Effect.tap(compile(source), (compiled) => Effect.sync(() => known.set(source, compiled)))
          : Effect.succeed(html)
      })
  }
}
