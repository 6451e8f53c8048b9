/**
 * Callers inside the process, which need no key: the host knows the project that a request object acts for.
 *
 * A caller is trusted by the identity of its request object, which nothing outside the process can forge. Requests of
 * the host itself act as the secret key and do not count against the rate limit. Requests of a user whom the host has
 * signed in count, and may do what the role of the user allows.
 */
import type { MemberRole, ProjectId } from "@posthorn/contract/platform/Auth"
import { Context } from "effect"

/** A user of the host, who has no account here. */
export interface HostCaller {
  readonly project: ProjectId
  /** The role of the user in the project. */
  readonly role: MemberRole
  /** The id that the host has given the user. */
  readonly user: string
}

export const TrustedCaller = Context.Reference<(request: object) => ProjectId | HostCaller | undefined>(
  "@posthorn/core/accounts/projects/TrustedCaller",
  { defaultValue: () => () => undefined }
)

/** The user of the host, if the caller is one. */
export const hostCallerIn = (caller: ProjectId | HostCaller | undefined): HostCaller | undefined =>
  typeof caller === "object" ? caller : undefined
