import { keyOf } from "./Keys.ts"
import { listerOf } from "./List.ts"
import type { PosthornOptions } from "./Options.ts"
import { callerOf } from "./Requests.ts"
import { Resources } from "./resources.generated.ts"

/**
 * A client for one project of a Posthorn service, for servers and browsers.
 *
 * Every method returns `{ data, error, meta }`, where exactly one of data and error is null, and never throws. With
 * `.orThrow()`, a call returns only the data and throws the error. Lists can be iterated, or read with `.page()`.
 */
export class Posthorn extends Resources {
  constructor(options: PosthornOptions = {}) {
    const call = callerOf(options, keyOf(options))
    super(call, listerOf(call))
  }
}
