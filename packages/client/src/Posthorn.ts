/** The client. */
import { listerOf } from "./List.ts"
import type { PosthornOptions } from "./Options.ts"
import { callerOf } from "./Requests.ts"
import { Resources } from "./resources.generated.ts"

/**
 * Speaks to one project of a Posthorn service, from a server or a browser.
 *
 * Every method answers `{ data, error, meta }`, exactly one of data and error null, and never throws; `.orThrow()` on
 * what it returns gives the data alone and throws the error. Lists are iterated, or read by `.page()`.
 */
export class Posthorn extends Resources {
  constructor(options: PosthornOptions = {}) {
    const call = callerOf(options)
    super(call, listerOf(call))
  }
}
