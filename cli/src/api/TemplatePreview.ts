/** Renders a template with the renderer of the service. Nothing is stored or sent. */

import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import type { ValidationError } from "@posthorn/contract/platform/Errors"
import { nilId } from "@posthorn/contract/platform/Primitives"
import { dataChange } from "@posthorn/core/audience/contacts/DataChange"
import { AudienceRules } from "@posthorn/core/audience/settings/AudienceRules"
import type { PartialSources } from "@posthorn/core/content/rendering/Partials"
import { requireBodies } from "@posthorn/core/content/templates/CompiledBody"
import { MjmlCompiler } from "@posthorn/core/content/templates/MjmlCompiler"
import { textsFor } from "@posthorn/core/content/templates/Translations"
import * as MailRenderer from "@posthorn/core/mail/sending/MailRenderer"
import { PublicLinks } from "@posthorn/core/platform/links/PublicLinks"
import * as MjmlThreads from "@posthorn/platform-node/text/MjmlThreads"
import { Effect, Layer, type Schema } from "effect"
import { CommandFailure } from "../Failure.ts"
import { type FileContent, templateInput } from "./TemplateFile.ts"

/** Links are created when an email is sent. A preview shows their names instead, as for every missing variable. */
const unsigned = Layer.succeed(PublicLinks, {
  url: (purpose) => Effect.succeed(`[${purpose}Url]`),
  token: (purpose) => Effect.succeed(`[${purpose}]`),
  atHost: (text) => text,
  read: () => Effect.succeedNone,
  isOwn: () => false
})

const refused = ({ errors }: ValidationError) =>
  Effect.fail(
    new CommandFailure({
      exit: "failed",
      code: "VALIDATION_ERROR",
      message: "The template cannot be rendered.",
      errors
    })
  )

/**
 * Renders for a contact with this data, in its `locale`, otherwise in the language of the template or in English.
 * Missing variables appear as `[name]`.
 */
export const rendered = Effect.fnUntraced(
  function* (template: FileContent, data: Schema.JsonObject, partials: PartialSources) {
    const mail = yield* MailRenderer.MailRenderer
    const project = { name: "[project.name]", language: "en" }
    const contact = { id: null, projectId: ProjectId.make(nilId), email: "[email]", subscribed: true }
    const { language: _, ...texts } = textsFor(template, [data["locale"]], template.language ?? project.language)
    return yield* mail.render(
      {
        ...texts,
        around: { partials, layout: template.layout },
        type: template.type,
        data,
        project,
        preferencesUrl: null
      },
      { ...contact, data: dataChange(data).set },
      EmailId.make(nilId),
      { nameMissing: true }
    )
  },
  Effect.provide(MailRenderer.layer.pipe(Layer.provide([unsigned, Layer.mock(AudienceRules, {})]))),
  Effect.catchTag("VALIDATION_ERROR", refused)
)

/** A template of a file. Compiles MJML. */
export const compiled = Effect.fnUntraced(
  function* (template: FileContent) {
    if (template.format === "HTML") return template
    return { ...template, ...(yield* requireBodies(yield* MjmlCompiler, templateInput(template))) }
  },
  Effect.provide(MjmlThreads.layer),
  Effect.catchTag("VALIDATION_ERROR", refused)
)
