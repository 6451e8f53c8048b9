import { Data } from "effect"

/**
 * The process cannot accept the request at the moment. Answered with 503; the caller may try again. A defect, not a
 * failure.
 */
export class Overloaded extends Data.TaggedError("Overloaded")<{
  readonly what: "large bodies" | "MJML sources" | "requests" | "requests with a password" | "unfinished requests"
}> {
  override get message() {
    return `Too many ${this.what} at once.`
  }
}

/** The body of a request did not arrive in time. Answered with 408. A defect, not a failure. */
export class TooSlow extends Data.TaggedError("TooSlow") {
  override readonly message = "The body of the request did not arrive in time."
}
