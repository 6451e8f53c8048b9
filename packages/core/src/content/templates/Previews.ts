/** Renders templates and texts without sending them. */
import type { ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import type { RenderedMail, RenderTemplate, RenderTexts } from "@posthorn/contract/content/templates/RenderedMail"
import type { TemplateId, TemplateNotFound } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { Context, type Effect } from "effect"

/** A service, because the mail area implements it and HTTP handlers call it. Nothing is stored. */
export class Previews extends Context.Service<
  Previews,
  {
    /** A template, or one of its versions, with the given fields in place of its own. */
    readonly template: (
      project: ProjectId,
      id: TemplateId,
      input: RenderTemplate
    ) => Effect.Effect<RenderedMail, ContactNotFound | ResourceNotFound | TemplateNotFound | ValidationError>
    readonly texts: (
      project: ProjectId,
      input: RenderTexts
    ) => Effect.Effect<RenderedMail, ContactNotFound | ValidationError>
  }
>()("@posthorn/core/content/templates/Previews") {}
