import { Data } from "effect"

/** A measurement that did not come about, in one sentence. */
export class BenchFailure extends Data.TaggedError("BenchFailure")<{ readonly message: string }> {}
