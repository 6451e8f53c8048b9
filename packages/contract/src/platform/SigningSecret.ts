/** Secrets that sign requests by the Standard Webhooks convention. */
import { Result, Schema, SchemaIssue } from "effect"
import { Base64 } from "effect/encoding"
import { isWithin } from "./Primitives.ts"

/** Whether a text can be a secret that signs requests: `whsec_` and the base64 of 24 to 64 bytes. */
export const isSecret = (text: string): boolean => {
  const key = text.startsWith("whsec_") ? Base64.decode(text.slice("whsec_".length)) : undefined
  return key !== undefined && Result.isSuccess(key) && key.success.length >= 24 && key.success.length <= 64
}

export const Secret = Schema.String.check(
  isWithin(200, "Must be whsec_ followed by the base64 of 24 to 64 bytes."),
  Schema.makeFilter((text: string) =>
    isSecret(text)
      ? true
      : new SchemaIssue.InvalidValue({
          code: "invalid_string",
          message: "Must be whsec_ followed by the base64 of 24 to 64 bytes."
        })
  )
)
