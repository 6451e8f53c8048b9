/** Handlers of SettingsApi. They check what settings name in other areas. */
import { Api } from "@posthorn/contract/Api"
import type { AudienceSettings, UpdateAudienceSettings } from "@posthorn/contract/audience/settings/AudienceSettings"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import { CurrentProject, type ProjectAccess, type ProjectId } from "@posthorn/contract/platform/Auth"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer, Option } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { AudienceRules, changed } from "../../audience/settings/AudienceRules.ts"
import { SenderDomains } from "../../content/templates/SenderDomains.ts"
import { Templates } from "../../content/templates/Templates.ts"
import { Images } from "../../content/uploads/Images.ts"
import { group } from "../../platform/http/RequestContext.ts"
import { Transaction } from "../../platform/Transaction.ts"

/** How a template prints the link to confirm. */
const confirmLink = /\{\{\{?\s*confirmUrl\s*\}\}/

const fault = (field: string, message: string, code: "custom" | "required" = "custom"): Fault => ({
  field,
  code,
  message
})

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "settings">,
  never,
  AudienceRules | Images | JsonBody | ProjectAccess | SenderDomains | Templates | Transaction | Validation
> = group(
  Api,
  "settings",
  Effect.fnUntraced(function* (handlers) {
    const settings = yield* AudienceRules
    const domains = yield* SenderDomains
    const images = yield* Images
    const templates = yield* Templates
    const transaction = yield* Transaction

    const templateFaults = Effect.fnUntraced(function* (project: ProjectId, id: string | null) {
      if (id === null) return []
      const field = "doubleOptIn.templateId"
      const template = yield* Effect.option(templates.get(project, TemplateId.make(id)))
      if (Option.isNone(template)) return [fault(field, `No template ${id} in this project.`)]
      if (template.value.type !== "TRANSACTIONAL") return [fault(field, "The template must be TRANSACTIONAL.")]
      return confirmLink.test(template.value.body) ? [] : [fault(field, "Its body must have `{{confirmUrl}}`.")]
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

    const update = Effect.fnUntraced(function* (project: ProjectId, change: UpdateAudienceSettings) {
      const after = changed(yield* settings.hold(project), change)
      const { doubleOptIn, pages } = change
      const errors = [
        ...ownFaults(after),
        ...(yield* templateFaults(project, doubleOptIn?.templateId ?? null)),
        ...(yield* logoFaults(project, pages?.logoUrl ?? null))
      ]
      if (errors.length > 0) return yield* new ValidationError({ errors })
      if (doubleOptIn?.from != null) yield* domains.holdVerified(project, doubleOptIn.from)
      return yield* settings.set(project, after, change)
    }, transaction.run)

    return handlers.handleAll({
      audience: () => CurrentProject.use(({ id }) => settings.get(id)),
      updateAudience: ({ payload }) => CurrentProject.use(({ id }) => update(id, payload))
    })
  })
)
