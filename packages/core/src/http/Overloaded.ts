import { Data } from "effect"

/** More than there is room for at the moment; answered with 503, and the caller may come back. A defect, not a failure. */
export class Overloaded extends Data.TaggedError("Overloaded")<{ readonly what: string }> {
  override get message() {
    return `Too many ${this.what} at once.`
  }
}
