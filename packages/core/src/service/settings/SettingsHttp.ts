/** Handlers of SettingsApi. They check what settings name in other areas. */
import { Api } from "@posthorn/contract/Api"
import { type ContactId, ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import type {
  AudienceSettings,
  PreviewPreferences,
  UpdateAudienceSettings
} from "@posthorn/contract/audience/settings/AudienceSettings"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import type { UpdateSendingSettings } from "@posthorn/contract/mail/sending/SendingSettings"
import { CurrentProject, type ProjectAccess, type ProjectId } from "@posthorn/contract/platform/Auth"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { DateTime, Effect, type Layer, Option } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { Projects } from "../../accounts/projects/Projects.ts"
import * as Forms from "../../audience/forms/Forms.ts"
import { pagePreview, stateOfNobody } from "../../audience/pages/PagePreview.ts"
import * as Pages from "../../audience/pages/Pages.ts"
import { AudienceRules, changed } from "../../audience/settings/AudienceRules.ts"
import { Topics } from "../../audience/topics/Topics.ts"
import { confirmationFaults } from "../../content/templates/ConfirmationTemplate.ts"
import { SenderDomains } from "../../content/templates/SenderDomains.ts"
import { Templates } from "../../content/templates/Templates.ts"
import { Images } from "../../content/uploads/Images.ts"
import { SendingPolicy } from "../../mail/policy/SendingPolicy.ts"
import { group } from "../../platform/http/RequestContext.ts"
import { Settings } from "../../platform/Settings.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { languageOf } from "../../platform/web/Languages.ts"

const fault = (field: string, message: string, code: "custom" | "required" = "custom"): Fault => ({
  field,
  code,
  message
})

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "settings">,
  never,
  | AudienceRules
  | Forms.Needs
  | Images
  | JsonBody
  | Pages.Needs
  | ProjectAccess
  | Projects
  | SenderDomains
  | SendingPolicy
  | Templates
  | Topics
  | Transaction
  | Validation
> = group(
  Api,
  "settings",
  Effect.fnUntraced(function* (handlers) {
    const settings = yield* AudienceRules
    const sending = yield* SendingPolicy
    const domains = yield* SenderDomains
    const images = yield* Images
    const templates = yield* Templates
    const forms = yield* Forms.make
    const topics = yield* Topics
    const transaction = yield* Transaction
    const pages = yield* Pages.make
    const projects = yield* Projects
    const { publicUrl } = yield* Settings

    const templateFaults = Effect.fnUntraced(function* (project: ProjectId, id: string | null) {
      if (id === null) return []
      const field = "doubleOptIn.templateId"
      const template = yield* Effect.option(templates.hold(project, TemplateId.make(id)))
      if (Option.isNone(template)) return [fault(field, `No template ${id} in this project.`)]
      return confirmationFaults(template.value).map(({ message }) => fault(field, message))
    })

    const logoFaults = Effect.fnUntraced(function* (project: ProjectId, url: string | null) {
      if (url === null) return []
      const name = url.slice(url.lastIndexOf("/") + 1)
      const isOwn = url === images.url(project, name) && Option.isSome(yield* Effect.orDie(images.look(project, name)))
      return isOwn ? [] : [fault("pages.logoUrl", "Not an image of this project. Upload it first.")]
    })

    /** The rules between settings. */
    const ownFaults = ({ doubleOptIn: { mode, from, reminderAfterHours, expiresInDays } }: AudienceSettings) => [
      ...(mode !== "off" && from === null
        ? [fault("doubleOptIn.from", "Required while `doubleOptIn.mode` is not `off`.", "required")]
        : []),
      ...(reminderAfterHours !== null && reminderAfterHours >= expiresInDays * 24
        ? [fault("doubleOptIn.reminderAfterHours", "Must be before the expiry.")]
        : [])
    ]

    /** Topics and forms may ask for confirmations in any mode. */
    const senderFaults = Effect.fnUntraced(function* (
      project: ProjectId,
      { doubleOptIn: { mode, from } }: AudienceSettings
    ) {
      if (from !== null || mode !== "off") return []
      const asking = (yield* topics.all(project, "included")).find(({ doubleOptIn }) => doubleOptIn === true)
      const asks = (what: string) => [
        fault("doubleOptIn.from", `Required: the ${what} asks for a confirmation.`, "required")
      ]
      if (asking !== undefined) return asks(`topic ${asking.key}`)
      const form = (yield* forms.list(project)).find(({ doubleOptIn }) => doubleOptIn === true)
      return form === undefined ? [] : asks(`form ${form.key}`)
    })

    const update = Effect.fnUntraced(function* (project: ProjectId, change: UpdateAudienceSettings) {
      const after = changed(yield* settings.hold(project), change)
      const { doubleOptIn, pages } = change
      const errors = [
        ...ownFaults(after),
        ...(yield* senderFaults(project, after)),
        ...(yield* templateFaults(project, doubleOptIn?.templateId ?? null)),
        ...(yield* logoFaults(project, pages?.logoUrl ?? null))
      ]
      if (errors.length > 0) return yield* new ValidationError({ errors })
      if (doubleOptIn?.from != null) yield* domains.holdVerified(project, doubleOptIn.from)
      return yield* settings.set(project, after, change)
    }, transaction.run)

    const preview = Effect.fnUntraced(function* (
      project: ProjectId,
      { pages: pagesChange, selfService, language, contactId }: PreviewPreferences
    ) {
      const change = { ...(pagesChange && { pages: pagesChange }), ...(selfService && { selfService }) }
      const after = changed(yield* settings.get(project), change)
      const stateOf = Effect.fnUntraced(function* (id: ContactId) {
        const found = yield* pages.look({ project, contact: id, email: null })
        if (Option.isNone(found) || found.value.holder.contact !== id) return yield* new ContactNotFound({ id })
        return { ...found.value.state, settings: after }
      })
      const state =
        contactId === undefined
          ? stateOfNobody(yield* Effect.orDie(projects.getCached(project)), after, yield* topics.all(project))
          : yield* stateOf(contactId)
      const place = {
        language: languageOf(language, state.locale, state.language),
        base: publicUrl.replace(/\/$/, ""),
        kept: ""
      }
      return { html: pagePreview(place, state, yield* DateTime.now), language: place.language }
    })

    /** The caps with the ids of their topics. */
    const withTopics = Effect.fnUntraced(function* (
      project: ProjectId,
      { frequencyCaps, ...change }: UpdateSendingSettings
    ) {
      if (frequencyCaps == null) return { ...change, ...(frequencyCaps === null && { frequencyCaps }) }
      const faults: Array<Fault> = []
      const caps = yield* Effect.forEach(frequencyCaps, (cap, n) =>
        Effect.gen(function* () {
          if (cap.topicId == null) return cap
          const topic = Option.getOrUndefined(yield* Effect.option(topics.get(project, cap.topicId)))
          if (topic === undefined) {
            faults.push(fault(`frequencyCaps.${n}.topicId`, `No topic ${cap.topicId} in this project.`))
          }
          return { ...cap, topicId: topic?.id ?? null }
        })
      )
      if (faults.length > 0) return yield* new ValidationError({ errors: faults })
      return { ...change, frequencyCaps: caps }
    })

    const updateSending = (project: ProjectId, change: UpdateSendingSettings) =>
      transaction.run(Effect.flatMap(withTopics(project, change), (known) => sending.update(project, known)))

    return handlers.handleAll({
      previewPreferences: ({ payload }) => CurrentProject.use(({ id }) => preview(id, payload)),
      audience: () => CurrentProject.use(({ id }) => settings.get(id)),
      updateAudience: ({ payload }) =>
        CurrentProject.use(({ id }) => Effect.ensuring(update(id, payload), settings.invalidate(id))),
      sending: () => CurrentProject.use(({ id }) => sending.get(id)),
      updateSending: ({ payload }) =>
        CurrentProject.use(({ id }) => Effect.ensuring(updateSending(id, payload), sending.invalidate(id)))
    })
  })
)
