/**
 * Callers inside the process, which need no key: the host knows the project that a request object acts for.
 *
 * A caller is trusted by the identity of its request object, which nothing outside the process can forge.
 * Requests of trusted callers do not count against the rate limit.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context } from "effect"

export const TrustedCaller = Context.Reference<(request: object) => ProjectId | undefined>(
  "@posthorn/core/accounts/projects/TrustedCaller",
  { defaultValue: () => () => undefined }
)
