/** The OpenAPI document of this version. */
import { documentText } from "@posthorn/core/service/ApiDocument"
import { Effect, Schema } from "effect"
import { OpenApiDocument } from "./OpenApiDocument.ts"

/** Takes a while, so callers keep the result. */
export const currentDocument: Effect.Effect<OpenApiDocument> = documentText.pipe(
  Effect.flatMap(Schema.decodeUnknownEffect(Schema.fromJsonString(OpenApiDocument))),
  Effect.orDie
)
