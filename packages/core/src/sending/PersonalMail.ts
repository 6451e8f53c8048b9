/** A draft for one recipient: subject, body, text part and footer, rendered from the contact as it is now. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactData, ContactId } from "@posthorn/contract/contacts/Contact"
import { type Fault, ValidationError } from "@posthorn/contract/Errors"
import type { EmailId } from "@posthorn/contract/emails/Email"
import { Context, Effect, Layer, type Schema } from "effect"
import { PublicLinks, type Purpose } from "../links/PublicLinks.ts"
import { withFooter } from "../rendering/Footer.ts"
import { languageOf } from "../rendering/Languages.ts"
import { plainTextOf } from "../rendering/PlainText.ts"
import { type RenderOptions, render } from "../rendering/Render.ts"
import { Skeleton } from "../rendering/Skeleton.ts"
import { compile } from "../rendering/Template.ts"
import { oneShots, variables } from "../rendering/Variables.ts"
import { nobody } from "./Assembly.ts"
import type { Draft } from "./Draft.ts"

/** What is rendered, and for which project. */
export interface Texts extends Pick<Draft, "subject" | "body" | "type" | "data"> {
  readonly project: Pick<Draft["project"], "name" | "language">
  /** The variables of a workflow execution. */
  readonly event?: Schema.JsonObject
  /** The mail goes to somebody else than its contact, who must not get the contact's links. */
  readonly withoutLinks?: boolean
}

/** For whom; `id` is null where there is no contact, as for a test mail to a member of the project. */
export interface Reader {
  readonly id: ContactId | null
  readonly projectId: ProjectId
  readonly email: string
  readonly subscribed: boolean
  readonly data: ContactData
}

/** `nameMissing`: missing variables print their names. */
export interface Trial {
  readonly nameMissing: boolean
}

export interface Rendered {
  readonly subject: string
  readonly html: string
  readonly text: string
}

export class PersonalMail extends Context.Service<
  PersonalMail,
  {
    readonly render: (
      texts: Texts,
      reader: Reader,
      email: EmailId,
      trial?: Trial
    ) => Effect.Effect<Rendered, ValidationError>
  }
>()("@posthorn/core/sending/PersonalMail") {}

const fault = (field: Fault["field"]) => (error: { readonly message: string }) =>
  ValidationError.one(field, "custom", error.message)

export const layer: Layer.Layer<PersonalMail, never, PublicLinks> = Layer.effect(
  PersonalMail,
  Effect.gen(function* () {
    const links = yield* PublicLinks

    /** A signature costs more than a small mail: only links that may be printed are signed. */
    const isPrinted = ({ type, subject, body }: Texts, purpose: Purpose) =>
      (type === "MARKETING" && purpose === "unsubscribe") ||
      [subject, body].some((text) => text.includes(`${purpose}Url`))

    const rendered = Effect.fn("PersonalMail.render")(function* (
      texts: Texts,
      reader: Reader,
      email: EmailId,
      trial?: Trial
    ) {
      const { id, projectId } = reader
      const link = (purpose: Purpose) =>
        texts.withoutLinks !== true && isPrinted(texts, purpose)
          ? links.url(purpose, { project: projectId, contact: id ?? nobody, email })
          : Effect.succeed("")
      const unsubscribeUrl = yield* link("unsubscribe")
      const values = variables({
        contact: reader,
        oneShots: oneShots(texts.data),
        urls: { unsubscribeUrl, subscribeUrl: yield* link("subscribe"), manageUrl: yield* link("manage") },
        project: texts.project,
        event: texts.event
      })
      const nameMissing = trial?.nameMissing === true
      const print = (field: "subject" | "body", mode: "subject" | "html", options: RenderOptions) =>
        compile(texts[field]).pipe(
          Effect.flatMap((template) => render(template, values, mode, options)),
          Effect.mapError(fault(field))
        )
      const skeleton = new Skeleton()
      const subject = yield* print("subject", "subject", { nameMissing })
      const body = yield* print("body", "html", { nameMissing, skeleton })
      const plain = { html: body, text: plainTextOf(body, skeleton) }
      const locale = reader.data["locale"]
      const { html, text } =
        texts.type === "MARKETING"
          ? withFooter(plain, {
              language: languageOf(locale, texts.project.language),
              unsubscribeUrl,
              projectName: texts.project.name
            })
          : plain
      return { subject, html, text }
    })

    return PersonalMail.of({ render: rendered })
  })
)
