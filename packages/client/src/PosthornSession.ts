import { listerOf } from "./List.ts"
import type { SessionOptions } from "./Options.ts"
import { callerOf } from "./Requests.ts"
import { SessionResources } from "./session.generated.ts"

/**
 * A client for a page of the service's own origin: the browser sends the session cookie, so it needs no key.
 *
 * Answers are those of `Posthorn`. `auth.login` and `auth.signup` start a session. Calls of a project act for
 * `projectId`; for another project, make another client.
 */
export class PosthornSession extends SessionResources {
  constructor(options: SessionOptions = {}) {
    const { baseUrl = "", fetch = globalThis.fetch, projectId, headers } = options
    const call = callerOf(
      { ...options, baseUrl, fetch: (url, init) => fetch(url, { ...init, credentials: "same-origin" }) },
      () => ({ headers: { ...headers, ...(projectId !== undefined && { "x-project-id": projectId }) } })
    )
    super(call, listerOf(call))
  }
}
