/** Sends a template to one address as a test. */
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
export class TemplateTests extends Context.Service<
  TemplateTests,
  {
    /** Queues the live version, another version or the draft for a contact or a member. The id of the mail. */
    readonly send: (
      project: ProjectId,
      id: TemplateId,
      input: TestTemplate
    ) => Effect.Effect<
      string,
      Conflict | Forbidden | ResourceNotFound | SenderDomainUnverified | TemplateNotFound | ValidationError
    >
  }
>()("@posthorn/core/content/templates/TemplateTests") {}
