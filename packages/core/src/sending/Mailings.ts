/**
 * The text of a campaign's mail, made at the moment of sending (contract 14.3) and again whenever it is asked for.
 *
 * What is kept of it is the text of the campaign, once, and for each mail the few fields of its contact that the text
 * prints, as they were when the first try began. That is a hundredth of the rendered texts: a million mails of 30 kB
 * would be 30 GB a campaign. Rendering is pure, so a second try, and a reader a month later, get the same letters.
 */
import type { ProjectId } from "@posthorn/contract/Auth"
import { EmailType } from "@posthorn/contract/templates/Template"
import { Array, Context, Data, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { compile } from "../rendering/Template.ts"
import { variablesUsed } from "../rendering/VariablesUsed.ts"
import type { AttemptMark, ClaimedEmail, Frozen } from "./DeliveryQueue.ts"
import { PersonalMail } from "./PersonalMail.ts"

/** The text of a campaign, frozen when its sending began. */
export interface Mailing {
  readonly subject: string
  readonly body: string
  readonly type: EmailType
  readonly project: { readonly name: string; readonly language: string }
}

/** The text cannot be made; trying again gives the same. */
export class CannotRender extends Data.TaggedError("CannotRender")<{ readonly message: string }> {}

/** A mail with its text, and what of it the first try puts on record. */
export interface Written {
  readonly mail: ClaimedEmail
  readonly frozen: AttemptMark["frozen"]
}

export class Mailings extends Context.Service<
  Mailings,
  {
    /** Gives mail of a campaign its text: from what was frozen, else from its contact as it is now. Other mail has one. */
    readonly write: (mail: ClaimedEmail) => Effect.Effect<Written, CannotRender>
  }
>()("@posthorn/core/sending/Mailings") {}

const Row = Schema.Struct({
  subject: Schema.String,
  body: Schema.String,
  type: EmailType,
  projectName: Schema.String,
  language: Schema.String
})
const rows = Schema.decodeUnknownEffect(Schema.Array(Row))

/** Mailings a process keeps in mind: they never change. */
const maxKnown = 50

export const layerSql: Layer.Layer<Mailings, never, PersonalMail | SqlClient.SqlClient> = Layer.effect(
  Mailings,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const personal = yield* PersonalMail
    const known = new Map<string, Mailing>()

    const look = (project: ProjectId, campaign: string) =>
      sql`
        select subject, body, type, project_name as "projectName", language
        from mailings where project_id = ${project} and campaign_id = ${campaign}`.pipe(
        Effect.flatMap(rows),
        Effect.map(Array.head),
        Effect.orDie
      )

    const find = Effect.fnUntraced(function* (project: ProjectId, campaign: string) {
      const name = `${project}:${campaign}`
      const remembered = known.get(name)
      if (remembered !== undefined) return remembered
      const found = yield* look(project, campaign)
      if (Option.isNone(found))
        return yield* new CannotRender({ message: "The text of the campaign is no longer kept." })
      const { projectName, language, ...texts } = found.value
      const mailing = { ...texts, project: { name: projectName, language } }
      if (known.size >= maxKnown) known.clear()
      known.set(name, mailing)
      return mailing
    })

    /** The fields that the texts print; `locale` chooses words beyond them. */
    const freeze = Effect.fnUntraced(function* ({ subject, body }: Mailing, data: Frozen["data"], subscribed: boolean) {
      const used = yield* Effect.forEach([subject, body], (text) => Effect.map(compile(text), variablesUsed))
      const keeps = (name: string) => name === "locale" || used.some((names) => names === undefined || names.has(name))
      return { data: Object.fromEntries(Object.entries(data).filter(([name]) => keeps(name))), subscribed }
    })

    const write = Effect.fn("Mailings.write")(
      function* (mail: ClaimedEmail) {
        if (mail.personal === null || mail.campaignId === null) return { mail, frozen: null }
        const { recipient, data, frozen } = mail.personal
        const mailing = yield* find(mail.projectId, mail.campaignId)
        const known = frozen ?? (yield* freeze(mailing, data ?? {}, mail.subscribed ?? false))
        const contact = { id: recipient, projectId: mail.projectId, email: mail.to, ...known }
        const text = yield* personal.render({ ...mailing, data: {} }, contact, mail.id)
        const written = { ...mail, ...text }
        return { mail: written, frozen: frozen ? null : { to: mail.to, subject: text.subject, data: known } }
      },
      Effect.catchTag("VALIDATION_ERROR", ({ errors: [fault] }) =>
        Effect.fail(new CannotRender({ message: fault?.message ?? "The text cannot be made." }))
      ),
      Effect.catchTag("TemplateInvalid", ({ message }) => Effect.fail(new CannotRender({ message })))
    )

    return Mailings.of({ write })
  })
)
