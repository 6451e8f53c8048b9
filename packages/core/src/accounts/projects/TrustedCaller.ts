/**
 * Callers inside the process, which need no key: a host that holds a request object knows the project it acts for.
 *
 * The identity of the request object decides whether a caller is trusted; nothing outside the process can forge it.
 * Requests of trusted callers do not count against the rate limit.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context } from "effect"

export const TrustedCaller = Context.Reference<(request: object) => ProjectId | undefined>(
  "@posthorn/core/accounts/projects/TrustedCaller",
  { defaultValue: () => () => undefined }
)
