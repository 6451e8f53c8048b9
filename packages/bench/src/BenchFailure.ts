import { Data } from "effect"

/** A measurement that failed; the message is one sentence. */
export class BenchFailure extends Data.TaggedError("BenchFailure")<{ readonly message: string }> {}
