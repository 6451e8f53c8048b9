/** Renders texts for one recipient: subject, HTML part, text part and footer. */

import { type ContactData, ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { nilId } from "@posthorn/contract/platform/Primitives"
import { Context, Effect, Layer, Result, type Schema } from "effect"
import { AudienceRules } from "../../audience/settings/AudienceRules.ts"
import { type TopicOfMail, wordsIn } from "../../audience/topics/TopicOfMail.ts"
import { withFooter } from "../../content/rendering/Footer.ts"
import {
  type MessageFault,
  type MessageSource,
  type MessageText,
  type MissingVariable,
  messageText
} from "../../content/rendering/MessageText.ts"
import { withPreheader } from "../../content/rendering/Preheader.ts"
import { oneShots, variables } from "../../content/rendering/Variables.ts"
import type { Surroundings } from "../../content/templates/TextSyntax.ts"
import { inLineBudget, longestInLine, monotonicMillis, TextWork } from "../../content/text/TextWork.ts"
import { PublicLinks, type Purpose, preferencesLink } from "../../platform/links/PublicLinks.ts"
import * as ShortCache from "../../platform/ShortCache.ts"
import { languageOf } from "../../platform/web/Languages.ts"
import type { Draft } from "./Draft.ts"

/** The contact id in the links of mail of test mode, and of a test mail whose recipient is not a contact. */
export const noContact = ContactId.make(nilId)

/** The texts, and their project. */
export interface MailTexts
  extends Pick<Draft, "subject" | "body" | "type" | "data">,
    Partial<Pick<Draft, "text" | "interpolate" | "locale">> {
  /** What inboxes show beside the subject. */
  readonly preheader?: string | null
  readonly project: Pick<Draft["project"], "name" | "language">
  /** The topic of the mail. Its links leave or join the topic, and its footer names it. */
  readonly topic?: TopicOfMail | null
  /** The preference page of the project's own. Absent: as the settings of the audience say. */
  readonly preferencesUrl?: string | null
  /** The variables of a workflow execution. */
  readonly event?: Schema.JsonObject
  /** Variables of this mail alone. They take precedence over all others. */
  readonly own?: Schema.JsonObject
  /** The partials that the texts name, and the layout around them. */
  readonly around?: Surroundings
  /** Set if the recipient is not the contact. The mail then has no links to the pages of the contact. */
  readonly withoutLinks?: boolean
  /** Links to the pages of the contact belong to no contact, so they change nothing. */
  readonly inertLinks?: boolean
}

/** The recipient. `id` is null without a contact, as in a test mail to a member of the project. */
export interface Reader {
  readonly id: ContactId | null
  readonly projectId: ProjectId
  readonly email: string
  readonly subscribed: boolean
  readonly data: ContactData
}

/** Options of a rendering. */
export interface Trial {
  /** Missing variables print their names, as in a test mail. */
  readonly nameMissing?: boolean
  /** The result lists the missing variables. */
  readonly listMissing?: boolean
  /** The result lists the variables that the texts read. */
  readonly listUsed?: boolean
}

/** Renders mail. A service, because the area `automation` calls it too. */
export class MailRenderer extends Context.Service<
  MailRenderer,
  {
    readonly render: (
      texts: MailTexts,
      reader: Reader,
      email: EmailId,
      trial?: Trial
    ) => Effect.Effect<MessageText, ValidationError>
  }
>()("@posthorn/core/mail/sending/MailRenderer") {}

/** The faults of a strict mail: one for each variable without a value. */
export const missingFaults = (missing: ReadonlyArray<MissingVariable>, to: string): ReadonlyArray<Fault> =>
  missing.map(({ field, path }) => ({
    field: `data.${path}`,
    code: "missing_variable",
    message: `The ${field} prints '${path}', which has no value for ${to}.`
  }))

const longestOf = ({ body, text, partials }: MessageSource) => {
  let [inBody, inText] = [body?.length ?? 0, text?.length ?? 0]
  for (const partial of partials?.values() ?? []) {
    inBody += partial.body.length
    inText += partial.text?.length ?? 0
  }
  return Math.max(inBody, inText)
}

const refused = ({ field, message, isSyntax }: Pick<MessageFault, "field" | "message"> & Partial<MessageFault>) =>
  ValidationError.one(field, isSyntax && field !== "layout" ? "template_syntax" : "custom", message)

const sourcesOf = (around: Surroundings | undefined): ReadonlyArray<string | null> =>
  around === undefined ? [] : [...around.partials.values()].flatMap(({ body, text }) => [body, text])

export const layer: Layer.Layer<MailRenderer, never, AudienceRules | PublicLinks> = Layer.effect(
  MailRenderer,
  Effect.gen(function* () {
    const links = yield* PublicLinks
    const rules = yield* AudienceRules
    const work = yield* TextWork

    /** Renders directly. Large or slow texts are rendered in a thread. */
    const textOf = (source: MessageSource): Effect.Effect<MessageText, ValidationError> =>
      Effect.clockWith((clock) => {
        if (longestOf(source) <= longestInLine) {
          const tried = messageText(source, monotonicMillis(clock), inLineBudget)
          if (Result.isSuccess(tried)) return Effect.succeed(tried.success)
          if (!tried.failure.isOver) return Effect.fail(refused(tried.failure))
        }
        return work.run("message", source).pipe(
          Effect.mapError(({ message }) => refused({ field: "body", message })),
          Effect.flatMap((made) => (made.ok ? Effect.succeed(made.value) : Effect.fail(refused(made.fault))))
        )
      })

    /** Whether the text can print the link. A signature costs more than rendering a small mail, so other links are not signed. */
    const isPrinted = ({ type, topic, subject, preheader, body, text, around }: MailTexts, purpose: Purpose) =>
      (type === "MARKETING" && (purpose === "unsubscribe" || (purpose === "manage" && topic?.hasPublic === true))) ||
      [subject, preheader, body, text, ...sourcesOf(around)].some((source) => source?.includes(`${purpose}Url`))

    const settings = ShortCache.make((project: ProjectId) => rules.get(project))

    const preferencesUrl = (texts: MailTexts, project: ProjectId) =>
      texts.preferencesUrl === undefined
        ? Effect.map(settings.get(project), ({ pages }) => pages.preferencesUrl)
        : Effect.succeed(texts.preferencesUrl)

    const rendered = Effect.fn("MailRenderer.render")(function* (
      texts: MailTexts,
      contact: Reader,
      email: EmailId,
      trial?: Trial
    ) {
      const { locale, topic = null } = texts
      const reader = locale === undefined ? contact : { ...contact, data: { ...contact.data, locale } }
      const { id, projectId } = reader
      const link = (purpose: Purpose) =>
        texts.withoutLinks !== true && isPrinted(texts, purpose)
          ? links.url(purpose, {
              project: projectId,
              contact: texts.inertLinks === true ? noContact : (id ?? noContact),
              email,
              ...(topic !== null && purpose !== "manage" && { topic: topic.id })
            })
          : Effect.succeed("")
      const unsubscribeUrl = yield* link("unsubscribe")
      const hosted = yield* link("manage")
      const manageUrl = hosted === "" ? "" : preferencesLink(yield* preferencesUrl(texts, projectId), hosted)
      const values = variables({
        contact: reader,
        oneShots: oneShots(texts.data),
        urls: { unsubscribeUrl, subscribeUrl: yield* link("subscribe"), manageUrl },
        project: texts.project,
        event: texts.event,
        own: texts.own
      })
      const { subject, preheader, missing, used, ...plain } = yield* textOf({
        subject: texts.subject,
        preheader: texts.preheader ?? null,
        body: texts.body,
        text: texts.text ?? null,
        interpolate: texts.interpolate ?? true,
        values,
        ...texts.around,
        nameMissing: trial?.nameMissing === true,
        listMissing: trial?.listMissing === true,
        listUsed: trial?.listUsed === true
      })
      const language = languageOf(reader.data["locale"], texts.project.language)
      const { html, text } =
        texts.type === "MARKETING"
          ? withFooter(plain, {
              language,
              topic: topic && wordsIn(topic, language).name,
              manageUrl: topic?.hasPublic === true ? manageUrl : "",
              unsubscribeUrl,
              projectName: texts.project.name,
              hasOwnText: texts.text != null
            })
          : plain
      const withHidden = html === null || !preheader ? html : withPreheader(html, preheader)
      return { subject, html: withHidden, text, missing, used }
    })

    return MailRenderer.of({ render: rendered })
  })
)
