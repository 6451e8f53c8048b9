/**
 * Renders mail of a campaign, when it is sent and when it is read.
 *
 * The database stores the text of the campaign once and, for each mail, the contact fields that the text prints, as they
 * were at the first try. That takes about a hundredth of the space of the rendered texts. Rendering is pure, so every try
 * and every reader get the same text.
 */

import { EmailType, Translations } from "@posthorn/contract/content/templates/Template"
import { type MailPolicy, mailPolicy, WriteMailPolicy } from "@posthorn/contract/mail/sending/MailPolicy"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, Data, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TopicOfMail } from "../../audience/topics/TopicOfMail.ts"
import { compile } from "../../content/rendering/Template.ts"
import type { TemplateInvalid } from "../../content/rendering/TemplateFault.ts"
import { variablesUsed } from "../../content/rendering/VariablesUsed.ts"
import type { Surroundings } from "../../content/templates/TextSyntax.ts"
import { type Multilingual, textsFor } from "../../content/templates/Translations.ts"
import { longestInLine, type TextTooSlow, TextWork } from "../../content/text/TextWork.ts"
import type { AttemptMark, ClaimedEmail, Frozen } from "./DeliveryQueue.ts"
import { MailRenderer } from "./MailRenderer.ts"

/** The text of a campaign, fixed when sending starts. */
export interface Mailing extends Multilingual {
  readonly body: string
  readonly type: EmailType
  /** The partials and the layout, as they were then. */
  readonly around: Surroundings
  readonly project: { readonly name: string; readonly language: string }
  readonly topic: TopicOfMail | null
  readonly preferencesUrl: string | null
  readonly policy: MailPolicy
}

/** The text cannot be rendered. Another try has the same result. */
export class CannotRender extends Data.TaggedError("CannotRender")<{ readonly message: string }> {}

/** A mail with its text, and the fields that the first try stores. */
export interface Written {
  readonly mail: ClaimedEmail
  readonly frozen: AttemptMark["frozen"]
}

export interface CampaignTexts {
  /** Renders mail of a campaign: from its stored fields or, before the first try, from its contact. Returns other mail unchanged. */
  readonly write: (mail: ClaimedEmail) => Effect.Effect<Written, CannotRender>
  /** How the campaign of a mail follows the sending policy of its project. */
  readonly policyOf: (project: ProjectId, campaign: string) => Effect.Effect<MailPolicy>
}

const Row = Schema.Struct({
  subject: Schema.String,
  preheader: Schema.NullOr(Schema.String),
  body: Schema.String,
  text: Schema.NullOr(Schema.String),
  language: Schema.NullOr(Schema.String),
  translations: Translations,
  type: EmailType,
  layout: Schema.NullOr(Schema.String),
  partials: Schema.Record(Schema.String, Schema.Struct({ body: Schema.String, text: Schema.NullOr(Schema.String) })),
  projectName: Schema.String,
  projectLanguage: Schema.String,
  topic: Schema.NullOr(TopicOfMail),
  preferencesUrl: Schema.NullOr(Schema.String),
  policy: Schema.NullOr(WriteMailPolicy)
})
const rows = Schema.decodeUnknownEffect(Schema.Array(Row))

/** Maximum number of cached campaign texts. They never change. */
const maxCached = 50

export type Needs = MailRenderer | SqlClient.SqlClient

export const make: Effect.Effect<CampaignTexts, never, Needs> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const renderer = yield* MailRenderer
  const work = yield* TextWork
  const cache = new Map<string, Mailing>()
  /** The contact fields that each text and each partial of a campaign prints. Undefined means any field. */
  const printed = new WeakMap<Mailing, ReadonlyArray<ReadonlySet<string> | undefined>>()

  /** The texts of a variant, or those of the campaign for variant A and without an experiment. */
  const look = (project: ProjectId, campaign: string, variant: string | null) =>
    sql`
      select texts.subject, texts.preheader, texts.body, texts.text, text_language as language, texts.translations, type,
             layout, partials, project_name as "projectName", language as "projectLanguage", topic,
             preferences_url as "preferencesUrl", policy
      from mailings cross join lateral (
        select subject, preheader, body, text, translations from mailing_variants as own
        where own.project_id = mailings.project_id and own.campaign_id = mailings.campaign_id and own.variant = ${variant}
        union all
        select mailings.subject, mailings.preheader, mailings.body, mailings.text, mailings.translations
        where ${variant === null || variant === "A"}
      ) as texts
      where project_id = ${project} and campaign_id = ${campaign}`.pipe(
      Effect.flatMap(rows),
      Effect.map(Array.head),
      Effect.orDie
    )

  const find = Effect.fnUntraced(function* (project: ProjectId, campaign: string, variant: string | null) {
    const name = `${project}:${campaign}:${variant ?? "A"}`
    const cached = cache.get(name)
    if (cached !== undefined) return cached
    const found = yield* look(project, campaign, variant)
    if (Option.isNone(found)) return yield* new CannotRender({ message: "The text of the campaign is no longer kept." })
    const { projectName, projectLanguage, layout, partials, policy, ...texts } = found.value
    const around = { partials: new Map(Object.entries(partials)), layout }
    const mailing = {
      ...texts,
      around,
      project: { name: projectName, language: projectLanguage },
      policy: mailPolicy(policy)
    }
    if (cache.size >= maxCached) cache.clear()
    cache.set(name, mailing)
    return mailing
  })

  const variablesOf = (text: string): Effect.Effect<ReadonlySet<string> | undefined, TemplateInvalid | TextTooSlow> =>
    text.length > longestInLine ? work.run("variables", text) : Effect.map(compile(text), variablesUsed)

  const printedBy = Effect.fnUntraced(function* (mailing: Mailing) {
    const texts = [mailing, ...Object.values(mailing.translations)]
    const sources = texts.flatMap(({ subject, body, text }) => [subject, body ?? "", text ?? ""])
    const partials = [...mailing.around.partials.values()].flatMap(({ body, text }) => [body, text ?? ""])
    const used = yield* Effect.forEach([...sources, mailing.preheader ?? "", ...partials], variablesOf)
    printed.set(mailing, used)
    return used
  })

  /** The fields that the texts print, and `locale`, which selects the language of the footer. */
  const freeze = Effect.fnUntraced(function* (mailing: Mailing, data: Frozen["data"], subscribed: boolean) {
    const used = printed.get(mailing) ?? (yield* printedBy(mailing))
    const isStored = (name: string) => name === "locale" || used.some((names) => names === undefined || names.has(name))
    return { data: Object.fromEntries(Object.entries(data).filter(([name]) => isStored(name))), subscribed }
  })

  const write = Effect.fn("CampaignTexts.write")(
    function* (mail: ClaimedEmail) {
      if (mail.personal === null || mail.campaignId === null) return { mail, frozen: null }
      const { recipient, data, frozen } = mail.personal
      const mailing = yield* find(mail.projectId, mail.campaignId, mail.variant)
      const known = frozen ?? (yield* freeze(mailing, data ?? {}, mail.subscribed ?? false))
      const contact = { id: recipient, projectId: mail.projectId, email: mail.to, ...known }
      const { language, ...texts } = textsFor(mailing, [known.data["locale"]], mailing.project.language)
      const {
        missing: _,
        used: _used,
        ...text
      } = yield* renderer.render(
        {
          ...texts,
          around: mailing.around,
          type: mailing.type,
          project: mailing.project,
          topic: mailing.topic,
          preferencesUrl: mailing.preferencesUrl,
          data: {}
        },
        contact,
        mail.id
      )
      const written = { ...mail, ...text }
      const first = { to: mail.to, subject: text.subject, locale: language, data: known }
      return { mail: written, frozen: frozen ? null : first }
    },
    Effect.catchTag("VALIDATION_ERROR", ({ errors: [fault] }) =>
      Effect.fail(new CannotRender({ message: fault?.message ?? "The text cannot be made." }))
    ),
    Effect.catchTag(["TemplateInvalid", "TextTooSlow"], ({ message }) => Effect.fail(new CannotRender({ message })))
  )

  const policyOf = (project: ProjectId, campaign: string) =>
    find(project, campaign, null).pipe(
      Effect.map(({ policy }) => policy),
      // Without its text, the mail is not sent.
      Effect.catch(() => Effect.succeed(mailPolicy(null)))
    )

  return { write, policyOf }
})
