/** Renders templates and texts without sending them, and sends a template to one address as a test. */
import type { ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import type { RenderedMail, RenderTemplate, RenderTexts } from "@posthorn/contract/content/templates/RenderedMail"
import type { TemplateId, TemplateNotFound } from "@posthorn/contract/content/templates/Template"
import type { TestTemplate } from "@posthorn/contract/content/templates/TemplateTest"
import type { Forbidden, ProjectId } from "@posthorn/contract/platform/Auth"
import type {
  Conflict,
  ResourceNotFound,
  SenderDomainUnverified,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { Context, type Effect } from "effect"

/** A service, because the mail area implements it and HTTP handlers call it. */
export class TemplateMail extends Context.Service<
  TemplateMail,
  {
    /** A template, or one of its versions, with the given fields in place of its own. Nothing is stored. */
    readonly preview: (
      project: ProjectId,
      id: TemplateId,
      input: RenderTemplate
    ) => Effect.Effect<RenderedMail, ContactNotFound | ResourceNotFound | TemplateNotFound | ValidationError>
    /** Texts without a template. Nothing is stored. */
    readonly previewTexts: (
      project: ProjectId,
      input: RenderTexts
    ) => Effect.Effect<RenderedMail, ContactNotFound | ValidationError>
    /** Queues the live version, another version or the draft for a contact or a member. The id of the mail. */
    readonly sendTest: (
      project: ProjectId,
      id: TemplateId,
      input: TestTemplate
    ) => Effect.Effect<
      string,
      Conflict | Forbidden | ResourceNotFound | SenderDomainUnverified | TemplateNotFound | ValidationError
    >
  }
>()("@posthorn/core/content/templates/TemplateMail") {}
