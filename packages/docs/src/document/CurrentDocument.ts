/** The OpenAPI document of this version. */
import { Api } from "@posthorn/contract/Api"
import { Effect, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { OpenApiDocument } from "./OpenApiDocument.ts"

/** Takes a while, so callers keep the result. */
export const currentDocument: Effect.Effect<OpenApiDocument> = Effect.sync(() => OpenApi.fromApi(Api)).pipe(
  Effect.flatMap(Schema.decodeUnknownEffect(OpenApiDocument)),
  Effect.orDie
)
