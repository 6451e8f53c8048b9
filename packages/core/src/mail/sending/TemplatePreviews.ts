/** Renders templates and texts as they would be sent, and says what would be wrong with the mail. */

import { ContactId, ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import type { RenderedMail, RenderTemplate, RenderTexts } from "@posthorn/contract/content/templates/RenderedMail"
import type { EmailType, TemplateId } from "@posthorn/contract/content/templates/Template"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { StoredProject } from "../../accounts/projects/Project.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { dataAfter, dataChange } from "../../audience/contacts/DataChange.ts"
import type { AudienceRules } from "../../audience/settings/AudienceRules.ts"
import * as TopicChoice from "../../audience/topics/TopicChoice.ts"
import { Partials } from "../../content/partials/Partials.ts"
import { bytesOf } from "../../content/rendering/ByteLimit.ts"
import { clipAt, mailWarnings, oneWarning } from "../../content/rendering/MailWarnings.ts"
import type { MessageText } from "../../content/rendering/MessageText.ts"
import { compiledBody, requireBodies } from "../../content/templates/CompiledBody.ts"
import { MjmlCompiler } from "../../content/templates/MjmlCompiler.ts"
import type { TemplateMail } from "../../content/templates/TemplateMail.ts"
import { Templates } from "../../content/templates/Templates.ts"
import { requireSyntax } from "../../content/templates/TextSyntax.ts"
import { type Multilingual, textsFor } from "../../content/templates/Translations.ts"
import { longestInLine, TextWork } from "../../content/text/TextWork.ts"
import { PublicLinks } from "../../platform/links/PublicLinks.ts"
import { Composer } from "../../platform/Mailer.ts"
import * as TrackedHtml from "../tracking/TrackedHtml.ts"
import { tracks } from "../tracking/TrackingMode.ts"
import { MailRenderer, noContact, type Reader } from "./MailRenderer.ts"
import { messageHeaders } from "./MessageHeaders.ts"

/** The texts to render. */
interface Source extends Multilingual {
  /** The MJML of the body. */
  readonly source: string | null
  readonly layout: string | null
  readonly type: EmailType
  readonly topicId: string | null
  readonly from: string
  readonly version: number | null
}

type Asked = Pick<RenderTexts, "contactId" | "email" | "data" | "locale">

const contactRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ id: ContactId, email: Schema.String, subscribed: Schema.Boolean, data: Schema.JsonObject })
  )
)

/** The sender and the recipient of a mail that has none. */
const nobody = "nobody@example.com"

/** Whether a problem of a draft is that of a body without HTML, which the request does not replace. */
const isUncompiled = (field: string, { source, translations }: RenderTemplate): boolean => {
  if (field === "source") return source === undefined
  const tag = /^translations\.(.*)\.source$/.exec(field)?.[1]
  return tag !== undefined && translations?.[tag] === undefined
}

const tooSlow = ({ message }: { readonly message: string }) => ValidationError.one("body", "custom", message)

/** The live template, and the version of it that a request asks for: a number, the draft, or by default the live one. */
export const choose = Effect.fnUntraced(function* (
  templates: Templates["Service"],
  project: ProjectId,
  id: TemplateId,
  version: RenderTemplate["version"]
) {
  const live = yield* templates.get(project, id)
  const chosen =
    version === "draft"
      ? yield* templates.draft(project, id)
      : version == null
        ? live
        : yield* templates.version(project, id, String(version))
  return { live, chosen }
})

export type Needs =
  | AudienceRules
  | Composer
  | MailRenderer
  | Partials
  | Projects
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | Templates
  | TrackedHtml.Needs

export const make: Effect.Effect<Pick<TemplateMail["Service"], "preview" | "previewTexts">, never, Needs> = Effect.gen(
  function* () {
    const composer = yield* Composer
    const links = yield* PublicLinks
    const mjml = yield* MjmlCompiler
    const partials = yield* Partials
    const projects = yield* Projects
    const random = yield* SecureRandom.SecureRandom
    const renderer = yield* MailRenderer
    const sql = yield* SqlClient.SqlClient
    const templates = yield* Templates
    const topics = yield* TopicChoice.make
    const tracked = yield* TrackedHtml.make
    const work = yield* TextWork

    /** The contact with this data merged, as a mail would see it. Undefined without contact and address. */
    const readerOf = Effect.fnUntraced(function* (project: ProjectId, { contactId, email, data }: Asked) {
      const change = dataChange(data ?? {})
      if (contactId == null && email == null) {
        return { id: null, projectId: project, email: "", subscribed: true, data: dataAfter({}, change) }
      }
      const found = yield* sql`
      select id, email, subscribed, data from contacts
      where project_id = ${project} and ${contactId == null ? sql`email = ${email}` : sql`id = ${contactId}::uuid`}`.pipe(
        Effect.flatMap(contactRows),
        Effect.map(Array.head),
        Effect.orDie
      )
      if (Option.isNone(found)) return yield* new ContactNotFound({ id: contactId ?? email ?? "" })
      return { ...found.value, projectId: project, data: dataAfter(found.value.data, change) }
    })

    /** The HTML and the whole message as they leave. */
    const sizeOf = Effect.fnUntraced(function* (
      { id: projectId, name, tracking }: StoredProject,
      { type, from }: Source,
      email: EmailId,
      { subject, html, text }: MessageText
    ) {
      const mail = { project: projectId, email }
      const sent =
        html !== null && tracks(tracking, type) ? yield* Effect.mapError(tracked.rewrite(mail, html), tooSlow) : html
      const unsubscribeUrl =
        type === "TRANSACTIONAL"
          ? ""
          : yield* links.url("unsubscribe", { project: projectId, contact: noContact, email })
      const headers = messageHeaders(
        {
          id: email,
          from,
          type,
          headers: {},
          projectName: name,
          sourceType: "TRANSACTIONAL",
          mode: "LIVE",
          campaignId: null,
          topic: null,
          workflowId: null,
          test: false
        },
        { unsubscribeUrl }
      )
      const message = yield* composer
        .compose({
          emailId: email,
          from: { address: from, name },
          to: [{ address: nobody }],
          cc: [],
          subject,
          html: sent ?? "",
          text,
          headers,
          attachments: [],
          messageId: `${email}@example.com`,
          date: yield* DateTime.now,
          dkim: []
        })
        .pipe(Effect.mapError(tooSlow))
      const size = bytesOf(sent ?? "")
      return { html: size, text: bytesOf(text), message: message.length, clipAt, clipped: size > clipAt }
    })

    const warningsOf = Effect.fnUntraced(function* (type: EmailType, mail: MessageText, isClipped: boolean) {
      const { subject, html, text, used } = mail
      const found =
        (html?.length ?? 0) + text.length > longestInLine
          ? yield* Effect.mapError(work.run("warnings", { subject, html, text }), tooSlow)
          : mailWarnings({ subject, html, text })
      const links = ["unsubscribeUrl", "manageUrl"]
      const hasLink = used.paths.some((path) => links.includes(path))
      return [
        ...(isClipped ? [oneWarning("clipped")] : []),
        ...found,
        ...(type === "HEADLESS" && !hasLink ? [oneWarning("no_unsubscribe_link")] : [])
      ]
    })

    const render = Effect.fnUntraced(function* (
      projectId: ProjectId,
      source: Source,
      asked: Asked
    ): Effect.fn.Return<RenderedMail, ContactNotFound | ValidationError> {
      const project = yield* Effect.orDie(projects.getCached(projectId))
      const { layout, type } = source
      const around = yield* partials.around(projectId, [source], layout)
      yield* requireSyntax(work, source, around)
      const reader: Reader = yield* readerOf(projectId, asked)
      const data = asked.data ?? {}
      const wanted = [asked.locale, reader.data["locale"]]
      const { language, ...texts } = textsFor(source, wanted, project.language)
      const email = EmailId.make(yield* random.uuidV7())
      const topic = source.topicId === null ? null : Option.getOrNull(yield* topics.find(projectId, source.topicId))
      const mail = yield* renderer.render(
        { ...texts, type, topic, data, project, around, inertLinks: true, locale: asked.locale ?? undefined },
        reader,
        email,
        { listMissing: true, listUsed: true }
      )
      const size = yield* sizeOf(project, source, email, mail)
      const names = mail.used.names === null ? undefined : new Set(mail.used.names)
      return {
        subject: mail.subject,
        html: mail.html,
        text: mail.text,
        locale: language,
        version: source.version,
        size,
        variables: {
          used: mail.used.paths,
          missing: mail.missing.map(({ path }) => path),
          unused: names === undefined ? [] : Object.keys(data).filter((key) => !names.has(key))
        },
        warnings: yield* warningsOf(type, mail, size.clipped)
      }
    })

    return {
      preview: Effect.fn("TemplateMail.preview")(function* (
        project: ProjectId,
        id: TemplateId,
        { version, ...input }: RenderTemplate
      ) {
        const { live, chosen: stored } = yield* choose(templates, project, id, version)
        const faults = "problems" in stored ? stored.problems.filter(({ field }) => isUncompiled(field, input)) : []
        if (faults.length > 0) return yield* new ValidationError({ errors: faults })
        const source = {
          ...stored,
          ...input,
          ...(yield* requireBodies(mjml, input, stored)),
          topicId: live.topicId,
          from: stored.from,
          version: version === "draft" ? null : (version ?? live.version)
        }
        return yield* render(project, source, input)
      }),
      previewTexts: Effect.fn("TemplateMail.previewTexts")(function* (project: ProjectId, input: RenderTexts) {
        const { subject, format, source: mjmlSource = null, text = null, layout = null, type } = input
        const hasBody = input.body != null || mjmlSource !== null || format === "MJML"
        if (!hasBody && text === null) {
          return yield* ValidationError.one("body", "required", "Body, text or both are needed.")
        }
        const source = {
          subject: subject ?? "",
          body: hasBody ? (yield* compiledBody(mjml, input)).body : null,
          source: mjmlSource,
          text,
          layout,
          type: type ?? ("TRANSACTIONAL" as const),
          language: null,
          translations: {},
          topicId: null,
          from: nobody,
          version: null
        }
        return yield* render(project, source, input)
      })
    }
  }
)
