/** Counts the statements that reach the database, by their spans. */
import { Tracer } from "effect"

export const counter = () => {
  let statements = 0
  const tracer = Tracer.make({
    span: (options) => {
      if (options.kind === "client") statements++
      return new Tracer.NativeSpan(options)
    }
  })
  return { tracer, count: () => statements }
}
