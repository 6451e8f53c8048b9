/** What a template becomes, by the renderer of the service itself; nothing is stored and nobody is written to. */

import { ProjectId } from "@posthorn/contract/Auth"
import { EmailId } from "@posthorn/contract/emails/Email"
import { dataChange } from "@posthorn/core/contacts/DataChange"
import { PublicLinks } from "@posthorn/core/links/PublicLinks"
import * as PersonalMail from "@posthorn/core/sending/PersonalMail"
import { Effect, Layer, type Schema } from "effect"
import { CommandFailure } from "../Failure.ts"
import type { TemplateContent } from "./TemplateFile.ts"

const nil = "00000000-0000-0000-0000-000000000000"

/** Links are made when a mail is sent; here their names stand for them, as for every variable that is missing. */
const unsigned = Layer.succeed(PublicLinks, {
  url: (purpose) => Effect.succeed(`[${purpose}Url]`),
  token: (purpose) => Effect.succeed(`[${purpose}]`),
  read: () => Effect.succeedNone,
  isOwn: () => false
})

/** For a contact with this data, in English. Missing variables print as `[name]`. */
export const rendered = Effect.fnUntraced(
  function* ({ subject, body, type }: TemplateContent, data: Schema.JsonObject) {
    const mail = yield* PersonalMail.PersonalMail
    const project = { name: "[project.name]", language: "en" }
    const contact = { id: null, projectId: ProjectId.make(nil), email: "[email]", subscribed: true }
    return yield* mail.render(
      { subject, body, type, data, project },
      { ...contact, data: dataChange(data).set },
      EmailId.make(nil),
      { nameMissing: true }
    )
  },
  Effect.provide(PersonalMail.layer.pipe(Layer.provide(unsigned))),
  Effect.catchTag("VALIDATION_ERROR", ({ errors }) =>
    Effect.fail(
      new CommandFailure({
        exit: "failed",
        code: "VALIDATION_ERROR",
        message: "The template cannot be rendered.",
        errors
      })
    )
  )
)
