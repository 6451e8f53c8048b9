/** Checks the content of a draft as that of a template is checked when it is created. */
import { CreateTemplate, type TemplateContent } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { Effect, Record, Schema } from "effect"
import { faultsOf } from "../../platform/http/Faults.ts"
import type { TextWorker } from "../text/TextWork.ts"
import { compiledBodies } from "./CompiledBody.ts"
import type { Compiler } from "./MjmlCompiler.ts"
import type { SenderDomains } from "./SenderDomains.ts"
import { type Surroundings, syntaxFaults } from "./TextSyntax.ts"

const {
  name: _name,
  description: _description,
  alias: _alias,
  topicId: _topicId,
  ...contentFields
} = CreateTemplate.fields
const decode = Schema.decodeUnknownEffect(Schema.Struct(contentFields), { errors: "all", reportInput: true })

const maxFaults = 50

/** The content of a draft with compiled bodies, and the faults of compiling it. A faulty body is empty. */
export const compiledDraft = Effect.fn("Templates.compiledDraft")(function* (
  compiler: Compiler,
  content: TemplateContent
) {
  const isMjml = content.format === "MJML"
  // An empty text of an MJML draft was not given.
  const given = (text: string | null | undefined) => (isMjml ? text || undefined : text)
  const { faults, bodies } = yield* compiledBodies(compiler, {
    ...content,
    source: given(content.source),
    body: given(content.body),
    translations: Record.map(content.translations, ({ source, body, ...texts }) => ({
      ...texts,
      source: given(source),
      body: given(body)
    }))
  })
  return { faults, content: { ...content, ...bodies } satisfies TemplateContent }
})

/** The fields whose form is checked. Compiled bodies were checked when they were compiled. */
const writtenIn = ({ source: _source, ...content }: TemplateContent): object => {
  if (content.format === "HTML") return content
  const { body: _body, translations, ...others } = content
  return { ...others, translations: Record.map(translations, ({ source: _s, body: _b, ...texts }) => texts) }
}

/**
 * What prevents the content from being sent, apart from its sender domain; and the content in its stored form. `known`
 * are faults that were found before.
 */
export const checkedContent = Effect.fn("Templates.checkedContent")(function* (
  work: TextWorker,
  content: TemplateContent,
  around: Surroundings,
  known: ReadonlyArray<Fault> = []
) {
  const form = yield* Effect.result(decode(writtenIn(content)))
  const formFaults =
    form._tag === "Success" ? [] : faultsOf(form.failure.issue).map(({ allowed: _, ...fault }): Fault => fault)
  const syntax = yield* syntaxFaults(work, content, around).pipe(Effect.catch(({ errors }) => Effect.succeed(errors)))
  const others = syntax.filter(({ field }) => !known.some((fault) => fault.field === field))
  const { replyTo, language } = form._tag === "Success" ? form.success : content
  return {
    faults: [...known, ...formFaults, ...others].slice(0, maxFaults),
    content: { ...content, replyTo: replyTo ?? null, language: language ?? null }
  }
})

/** All that prevents the draft from being published. */
export const draftProblems = Effect.fn("Templates.draftProblems")(function* (
  work: TextWorker,
  senders: SenderDomains["Service"],
  project: ProjectId,
  content: TemplateContent,
  around: Surroundings,
  known: ReadonlyArray<Fault>
) {
  const { faults } = yield* checkedContent(work, content, around, known)
  if (faults.some(({ field }) => field === "from")) return faults
  const domain = yield* senders.requireVerified(project, mailboxOf(content.from).email).pipe(
    Effect.as([]),
    Effect.catch(({ message }) => Effect.succeed([{ field: "from", code: "custom", message } satisfies Fault]))
  )
  return [...faults, ...domain].slice(0, maxFaults)
})
