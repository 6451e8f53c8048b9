/** The other side of `Child.ask`: a process that answers one question after another until its input ends. */
import { Schema } from "effect"

export const answer = <Question>(
  question: Schema.ConstraintDecoder<Question>,
  work: (question: Question) => Promise<object>
): void => {
  const decode = Schema.decodeUnknownPromise(question)
  process.on("message", (given) => {
    decode(given)
      .then(work)
      .then(
        (answer) => process.send?.(answer),
        (error) => {
          console.error(error)
          process.exit(1)
        }
      )
  })
  process.once("disconnect", () => process.exit())
  process.once("SIGTERM", () => process.exit())
}
