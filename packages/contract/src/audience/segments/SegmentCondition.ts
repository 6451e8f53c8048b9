/** Reads the `condition` in the body of a segment. Which conditions are allowed depends on the type of the segment. */
import { Effect, Option, Predicate, Schema, SchemaIssue } from "effect"

const isRecord = (body: unknown): body is { readonly [key: string]: unknown } =>
  Predicate.isObject(body) && !Array.isArray(body)

const without = ({ condition: _, ...body }: { readonly [key: string]: unknown }) => body

const required = new SchemaIssue.Pointer(
  ["condition"],
  new SchemaIssue.InvalidValue({ code: "required", message: "A dynamic segment needs a condition." })
)

type Body = Schema.Top & { readonly DecodingServices: never }

/** A static segment ignores its condition. A dynamic segment without a condition gets this one fault and no other. */
export const conditionByType = <S extends Body>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", reportInput: true })
  return schema.pipe(
    Schema.catchDecoding((issue) => {
      // A missing body counts as an empty one.
      const body = issue.input ?? {}
      if (!isRecord(body)) return Effect.fail(issue)
      const { condition, type = null } = body
      if (type === "STATIC" && condition !== undefined) {
        return Effect.mapBoth(decode(without(body)), { onFailure: (error) => error.issue, onSuccess: Option.some })
      }
      const isMissing = (type === "DYNAMIC" || type === null) && !isRecord(condition)
      return Effect.fail(isMissing ? required : issue)
    })
  )
}

/**
 * For a body without the type. A condition that does not parse passes unchanged, and is parsed again when the type is
 * known. When the body has other faults, the faults of the condition are reported with them.
 */
export const conditionForLater = <S extends Body & { readonly Type: object }>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", reportInput: true })
  return schema.pipe(
    Schema.catchDecoding((issue) => {
      const body = issue.input
      if (!isRecord(body) || body["condition"] === undefined) return Effect.fail(issue)
      return Effect.mapBoth(decode(without(body)), {
        onFailure: () => issue,
        onSuccess: (decoded) => Option.some({ ...decoded, condition: body["condition"] })
      })
    })
  )
}
