/**
 * Shapes every capability shares on the wire: ids, dates, addresses, cursor pages, empty bodies.
 *
 * Schemas are `Schema.Struct` with an `identifier`: a `Schema.Class` would appear in OpenAPI as `ContactEncoded`.
 */
import { Context, Effect, Option, Schema, type SchemaAST, SchemaIssue, SchemaTransformation } from "effect"
import { asciiDomain } from "./domains/DomainName.ts"

/** The `X-Request-Id` of the request in hand (contract 1.4); the host's edge provides it. */
export const RequestId = Context.Reference<string>("@posthorn/contract/RequestId", { defaultValue: () => "none" })

/**
 * Says what a value means, and what its absence counts as, in the OpenAPI document; changes nothing else. Not for a
 * schema with an identifier, of which it makes another one: `annotateKey` there.
 */
export const described =
  (description: string, fallback?: string) =>
  <S extends Schema.Top>(schema: S): S["Rebuild"] =>
    schema.pipe(Schema.annotateEncoded({ description, ...(fallback !== undefined && { default: fallback }) }))

/** UUID v7, lower case out, either case in (1.3). */
export const Id = Schema.String.pipe(
  Schema.decodeTo(
    Schema.String.check(Schema.isUUID(undefined, { message: "Not a valid id." })),
    SchemaTransformation.toLowerCase()
  ),
  Schema.annotateEncoded({ format: "uuid" })
)

/** ISO 8601, UTC, milliseconds: `2026-11-20T15:04:05.123Z` (1.3). */
export const Timestamp = Schema.DateTimeUtcFromString.pipe(Schema.annotateEncoded({ format: "date-time" }))

const atom = "[a-z0-9!#$%&'*+/=?^_{|}~`-]+"
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
/** RFC 5321 4.1.2 dot-string at a domain of two labels or more, the last not all digits; the stored form (1.3). */
const addressForm = new RegExp(
  `^(?=.{1,254}$)(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+(?!\\d+$)${label}$`,
  "u"
)

/**
 * Trimmed, lower-cased, domain in its ASCII (IDNA) form; what cannot be converted stays and fails the form. Letters
 * beyond ASCII keep their case: some would become ASCII by it (the Kelvin sign a k) and make one address of two.
 */
export const canonicalAddress = (given: string): string => {
  const text = given.trim()
  const at = text.lastIndexOf("@") + 1
  return text.slice(0, at).replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) + asciiDomain(text.slice(at))
}

export const Email = Schema.String.pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.isMinLength(1, { code: "required", message: "An address is required." }).abort(),
      Schema.isPattern(addressForm, { message: "Not a valid email address." })
    ),
    SchemaTransformation.transform({ decode: canonicalAddress, encode: (stored) => stored })
  ),
  Schema.annotateEncoded({ format: "email" })
)

/** Length in Unicode code points, as the contract counts characters; between `min` and `max`. */
export const isLength = (min: number, max: number) =>
  Schema.makeFilter<string>(
    (text) => {
      const length = [...text].length
      if (length < min) {
        const code = min === 1 ? "required" : "too_small"
        return new SchemaIssue.InvalidValue({ code, message: min === 1 ? "Required." : `At least ${min} characters.` })
      }
      return length > max
        ? new SchemaIssue.InvalidValue({ code: "too_big", message: `At most ${max} characters.` })
        : true
    },
    {
      toJsonSchema: () => ({
        ...(min > 0 && { minLength: min }),
        ...(max < Number.MAX_SAFE_INTEGER && { maxLength: max })
      })
    }
  )

/** No C0 or C1 control characters, so also no line break. */
export const isOneLine = Schema.isPattern(/^[^\p{Cc}]*$/u, {
  message: "Must not contain a line break or control character."
})

/** A name or title: trimmed, then 1 to `max` characters on one line. */
export const Name = (max: number) => Schema.Trim.check(isLength(1, max), isOneLine)

/** A text that may run over lines, at most `max` characters. */
export const Note = (max: number) =>
  Schema.String.check(
    isLength(0, max),
    Schema.isPattern(/^(?:[^\p{Cc}]|[\t\n\r])*$/u, { message: "Must not contain control characters." })
  )

/** A mail's subject line as stored, or as a template for it (RFC 5322 2.1.1). */
export const Subject = Schema.String.check(
  isLength(1, 998),
  Schema.isPattern(/^[^\r\n]*$/, { message: "Must not contain a line break." })
)

/** An optional field of a create or an action: `null` counts as absent (1.3). */
export const optional = <S extends Schema.Top>(field: S) => Schema.optionalKey(Schema.NullOr(field))

/** One page of a cursor list (1.8). `total` counts on the first page only; without `cursor` the list has ended. */
export const Page = <S extends Schema.Top>(name: string, item: S) =>
  Schema.Struct({
    data: Schema.Array(item),
    cursor: Schema.optionalKey(Schema.String).pipe(
      described("Give it back unchanged, with the same filters and sort, for the next page.")
    ),
    hasMore: Schema.Boolean.pipe(described("When false the list has ended and there is no cursor.")),
    total: Schema.Int.pipe(described("Exact on the first page, 0 on later ones."))
  }).annotate({ identifier: name, description: "One page of a cursor list." })

/** One page of an offset list (1.9). `totalPages` is 0 when there is nothing. */
export const OffsetPage = <S extends Schema.Top>(name: string, item: S) =>
  Schema.Struct({
    data: Schema.Array(item),
    page: Schema.Int,
    pageSize: Schema.Int,
    total: Schema.Int,
    totalPages: Schema.Int.pipe(described("0 when there is nothing."))
  }).annotate({ identifier: name, description: "One page of an offset list." })

export const AtLeastOne = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { message: "Must be at least 1." }))

/** Query of every offset list (1.9). */
export const OffsetQuery = {
  page: Schema.optionalKey(AtLeastOne),
  pageSize: Schema.optionalKey(AtLeastOne)
}

/** The search term of a list: trimmed, at most 200 characters, taken literally; empty means none. */
export const Search = Schema.Trim.check(
  isLength(0, 200),
  Schema.isPattern(/^[^\0\p{Cs}]*$/u, { message: "Must not contain characters that cannot be stored." })
).pipe(
  Schema.annotateEncoded({
    description:
      "Text to look for, upper and lower case alike; trimmed, at most 200 characters, taken literally. Empty: no filter."
  })
)

/** Query of every cursor list (1.8). No decoding defaults here: they would become mandatory in the typed client. */
export const PageQuery = {
  limit: Schema.optionalKey(AtLeastOne),
  cursor: Schema.optionalKey(Schema.String).pipe(
    described("The `cursor` of the previous page; without it the list begins.")
  )
}

/** Items on a page: 20 by default, never more than 100. */
export const pageSize = ({ limit = 20 }: { readonly limit?: number }): number => Math.min(limit, 100)

/** A query value outside the set counts as its first one instead of an error: `sort` and `dir` of every list. */
export const lenient = <const A extends string, const B extends string>(fallback: A, ...others: ReadonlyArray<B>) =>
  Schema.optionalKey(
    Schema.Literals([fallback, ...others]).pipe(Schema.catchDecoding(() => Effect.succeed(Option.some(fallback))))
  ).pipe(described(`Any other value counts as \`${fallback}\`.`, fallback))

/** A list whose length is judged before its items: those of one that is too long are not worth it. */
export const listOf = <S extends Schema.Top>(
  item: S,
  ...length: readonly [
    SchemaAST.Check<ReadonlyArray<unknown>>,
    ...ReadonlyArray<SchemaAST.Check<ReadonlyArray<unknown>>>
  ]
) => {
  // What the document says of an item, and anything else as well.
  const unjudged = Schema.toEncoded(item).pipe(
    Schema.decodeTo(Schema.Unknown, SchemaTransformation.passthrough({ strict: false })),
    Schema.catchDecoding((issue) =>
      SchemaIssue.hasInput(issue) ? Effect.succeed(Option.some(issue.input)) : Effect.fail(issue)
    )
  )
  return Schema.Array(unjudged)
    .check(...length)
    .pipe(Schema.decodeTo(Schema.Array(item), SchemaTransformation.passthrough({ strict: false })))
}

/** A mandatory field of a create or an action: `null` counts as absent (1.3). */
export const required = <S extends Schema.Top>(field: S) =>
  field.pipe(
    Schema.catchDecoding((issue) =>
      Effect.fail(
        issue.input === null ? new SchemaIssue.InvalidValue({ code: "required", message: "Required." }) : issue
      )
    )
  )

/** A JSON body: none, or an empty one, counts as `{}` (1.1). */
export const body = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", reportInput: true })
  return schema.pipe(
    Schema.catchDecoding((issue) =>
      issue._tag === "InvalidType" && issue.input === undefined
        ? Effect.mapBoth(decode({}), { onFailure: (error) => error.issue, onSuccess: Option.some })
        : Effect.fail(issue)
    )
  )
}
