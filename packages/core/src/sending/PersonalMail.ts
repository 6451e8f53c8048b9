/** A draft for one recipient: subject, body, text part and footer, rendered from the contact as it is now. */
import type { Contact } from "@posthorn/contract/contacts/Contact"
import { type Fault, ValidationError } from "@posthorn/contract/Errors"
import type { EmailId } from "@posthorn/contract/emails/Email"
import { Context, Effect, Layer } from "effect"
import { type Bearer, PublicLinks, type Purpose } from "../links/PublicLinks.ts"
import { withFooter } from "../rendering/Footer.ts"
import { languageOf } from "../rendering/Languages.ts"
import { plainText } from "../rendering/PlainText.ts"
import { render } from "../rendering/Render.ts"
import { compile } from "../rendering/Template.ts"
import { oneShots, variables } from "../rendering/Variables.ts"
import type { Draft } from "./Draft.ts"

export interface Rendered {
  readonly subject: string
  readonly html: string
  readonly text: string
}

export class PersonalMail extends Context.Service<
  PersonalMail,
  { readonly render: (draft: Draft, contact: Contact, email: EmailId) => Effect.Effect<Rendered, ValidationError> }
>()("@posthorn/core/sending/PersonalMail") {}

const fault = (field: Fault["field"]) => (error: { readonly message: string }) =>
  ValidationError.one(field, "custom", error.message)

export const layer: Layer.Layer<PersonalMail, never, PublicLinks> = Layer.effect(
  PersonalMail,
  Effect.gen(function* () {
    const links = yield* PublicLinks

    /** A signature costs more than a small mail: only links that may be printed are signed. */
    const linkFor = (draft: Draft, bearer: Bearer, purpose: Purpose) =>
      draft.type === "MARKETING" || draft.body.includes(`${purpose}Url`) || draft.subject.includes(`${purpose}Url`)
        ? links.url(purpose, bearer)
        : Effect.succeed("")

    const rendered = Effect.fn("PersonalMail.render")(function* (draft: Draft, contact: Contact, email: EmailId) {
      const bearer = { project: contact.projectId, contact: contact.id, email }
      const unsubscribeUrl = yield* linkFor(draft, bearer, "unsubscribe")
      const values = variables({
        contact,
        oneShots: oneShots(draft.data),
        urls: {
          unsubscribeUrl,
          subscribeUrl: yield* linkFor(draft, bearer, "subscribe"),
          manageUrl: yield* linkFor(draft, bearer, "manage")
        },
        project: draft.project
      })
      const print = (field: "subject" | "body", mode: "subject" | "html") =>
        compile(draft[field]).pipe(
          Effect.flatMap((template) => render(template, values, mode)),
          Effect.mapError(fault(field))
        )
      const subject = yield* print("subject", "subject")
      const body = yield* print("body", "html")
      const plain = { html: body, text: plainText(body) }
      const locale = contact.data["locale"]
      const { html, text } =
        draft.type === "MARKETING"
          ? withFooter(plain, {
              language: languageOf(locale, draft.project.language),
              unsubscribeUrl,
              projectName: draft.project.name
            })
          : plain
      return { subject, html, text }
    })

    return PersonalMail.of({ render: rendered })
  })
)
