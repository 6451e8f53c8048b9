/** The client of a public page, as a record of consent may name it. The settings of the audience say what is kept. */
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"

export const pageClient: Effect.Effect<
  { readonly ip: string | undefined; readonly userAgent: string | undefined },
  never,
  HttpServerRequest.HttpServerRequest
> = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers, remoteAddress }) => ({
  ip: Option.getOrUndefined(remoteAddress),
  userAgent: headers["user-agent"]
}))
