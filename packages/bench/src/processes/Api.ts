/** Single requests to a server of a row, to create what the measurement needs. */
import { Effect, Schema } from "effect"
import { BenchFailure } from "../BenchFailure.ts"

/** Any status but the expected one is a failure. */
export const ask = Effect.fnUntraced(function* <A>(
  server: { readonly url: string },
  key: string,
  request: { readonly method: string; readonly path: string; readonly body?: unknown; readonly status: number },
  answer: Schema.ConstraintDecoder<A>
) {
  const { body, method, path, status } = request
  const response = yield* Effect.tryPromise({
    try: async () => {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: response.status, body: (await response.json()) as unknown }
    },
    catch: (cause) => new BenchFailure({ message: `${method} ${path}: ${String(cause)}` })
  })
  if (response.status !== status) {
    return yield* new BenchFailure({
      message: `${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`
    })
  }
  return yield* Effect.orDie(Schema.decodeUnknownEffect(answer)(response.body))
})
