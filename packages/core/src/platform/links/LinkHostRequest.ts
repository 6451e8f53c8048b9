/** A request to the link host of a customer. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context } from "effect"

/** The projects whose tokens the host of this request takes. Undefined for requests to the public URL. */
export const LinkHostRequest = Context.Reference<{ readonly projects: ReadonlySet<ProjectId> } | undefined>(
  "@posthorn/core/platform/links/LinkHostRequest",
  { defaultValue: () => undefined }
)
