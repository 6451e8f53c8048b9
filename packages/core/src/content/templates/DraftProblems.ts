/** Checks the content of a draft as that of a template is checked when it is created. */
import { CreateTemplate, type TemplateContent } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { Effect, Schema } from "effect"
import { faultsOf } from "../../platform/http/Faults.ts"
import type { TextWorker } from "../text/TextWork.ts"
import type { SenderDomains } from "./SenderDomains.ts"
import { type Surroundings, syntaxFaults } from "./TextSyntax.ts"

const { name: _name, description: _description, alias: _alias, ...contentFields } = CreateTemplate.fields
const decode = Schema.decodeUnknownEffect(Schema.Struct(contentFields), { errors: "all", reportInput: true })

const maxFaults = 50

/** What prevents the content from being sent, apart from its sender domain; and the content in its stored form. */
export const checkedContent = Effect.fn("Templates.checkedContent")(function* (
  work: TextWorker,
  content: TemplateContent,
  around: Surroundings
) {
  const form = yield* Effect.result(decode(content))
  const formFaults =
    form._tag === "Success" ? [] : faultsOf(form.failure.issue).map(({ allowed: _, ...fault }): Fault => fault)
  const syntax = yield* syntaxFaults(work, content, around).pipe(Effect.catch(({ errors }) => Effect.succeed(errors)))
  const { replyTo, language } = form._tag === "Success" ? form.success : content
  return {
    faults: [...formFaults, ...syntax].slice(0, maxFaults),
    content: { ...content, replyTo: replyTo ?? null, language: language ?? null }
  }
})

/** All that prevents the draft from being published. */
export const draftProblems = Effect.fn("Templates.draftProblems")(function* (
  work: TextWorker,
  senders: SenderDomains["Service"],
  project: ProjectId,
  content: TemplateContent,
  around: Surroundings
) {
  const { faults } = yield* checkedContent(work, content, around)
  if (faults.some(({ field }) => field === "from")) return faults
  const domain = yield* senders.requireVerified(project, mailboxOf(content.from).email).pipe(
    Effect.as([]),
    Effect.catch(({ message }) => Effect.succeed([{ field: "from", code: "custom", message } satisfies Fault]))
  )
  return [...faults, ...domain].slice(0, maxFaults)
})
