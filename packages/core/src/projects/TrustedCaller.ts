/**
 * Callers inside the process, who need no key: a host that holds a request object knows whom it acts for.
 *
 * Whether a request is one of them is decided by the identity of the object it came in, which nobody outside the process
 * can forge. Their requests are not counted.
 */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Context } from "effect"

export const TrustedCaller = Context.Reference<(request: object) => ProjectId | undefined>(
  "@posthorn/core/projects/TrustedCaller",
  { defaultValue: () => () => undefined }
)
