/** How the body of a segment is read where it depends on the type what its condition may be (contract 15.1, 5.2). */
import { Effect, Option, Predicate, Schema, SchemaIssue } from "effect"

const isRecord = (body: unknown): body is { readonly [key: string]: unknown } =>
  Predicate.isObject(body) && !Array.isArray(body)

const without = ({ condition: _, ...body }: { readonly [key: string]: unknown }) => body

const required = new SchemaIssue.Pointer(
  ["condition"],
  new SchemaIssue.InvalidValue({ code: "required", message: "A dynamic segment needs a condition." })
)

type Body = Schema.Top & { readonly DecodingServices: never }

/** What a static segment is given for a condition counts for nothing; a dynamic one that has none has no other fault. */
export const conditionByType = <S extends Body>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", reportInput: true })
  return schema.pipe(
    Schema.catchDecoding((issue) => {
      // No body counts as an empty one.
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
 * Where the type is not known yet: a condition that nothing is right with passes as it is, to be read again when it is.
 * With other faults its own are told too.
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
