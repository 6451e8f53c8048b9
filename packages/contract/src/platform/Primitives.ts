/**
 * Schemas that all endpoints share: ids, dates, addresses, pages, empty bodies.
 *
 * They are `Schema.Struct` with an `identifier`. A `Schema.Class` would appear in OpenAPI as `ContactEncoded`.
 */
import { Context, DateTime, Effect, Option, Schema, type SchemaAST, SchemaIssue, SchemaTransformation } from "effect"
import { asciiDomain } from "./DomainName.ts"

/** The `X-Request-Id` of the current request. The HTTP middleware of the host provides it. */
export const RequestId = Context.Reference<string>("@posthorn/contract/RequestId", { defaultValue: () => "none" })

/**
 * Adds a description, and optionally the default, to the OpenAPI document and changes nothing else. Do not use it on a
 * schema with an identifier: it makes another schema of it. Use `annotateKey` there.
 */
export const described =
  (description: string, fallback?: string) =>
  <S extends Schema.Top>(schema: S): S["Rebuild"] =>
    schema.pipe(Schema.annotateEncoded({ description, ...(fallback !== undefined && { default: fallback }) }))

const codePoints = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

/** Whether a text has more than `max` code points. Counts them only where the UTF-16 length does not decide. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || codePoints(text) > max)

const faultOfLength = (text: string, min: number, max: number) => {
  if (isLongerThan(text, max))
    return new SchemaIssue.InvalidValue({ code: "too_big", message: `At most ${max} characters.` })
  if (min === 0 || text.length >= 2 * min || codePoints(text) >= min) return true
  const code = min === 1 ? "required" : "too_small"
  return new SchemaIssue.InvalidValue({ code, message: min === 1 ? "Required." : `At least ${min} characters.` })
}

const bounds = (min: number, max: number) => ({
  toJsonSchema: () => ({ ...(min > 0 && { minLength: min }), maxLength: max })
})

/**
 * Length between `min` and `max`, in Unicode code points, as the API counts characters. This check comes before all
 * other checks of a text and stops them when it fails: a pattern over megabytes overflows the stack of its engine.
 */
export const isLength = (min: number, max: number) =>
  Schema.makeFilter<string>((text) => faultOfLength(text, min, max), bounds(min, max)).abort()

/** As `isLength`, without the blanks around the text. */
const isTrimmedLength = (min: number, max: number) =>
  Schema.makeFilter<string>((text) => faultOfLength(text.trim(), min, max), bounds(min, max)).abort()

/** Bounds a text before its form is checked. A longer text cannot have that form. */
export const isWithin = (max: number, message: string) =>
  Schema.makeFilter<string>(
    (text) => !isLongerThan(text, max) || new SchemaIssue.InvalidValue({ code: "invalid_string", message }),
    bounds(0, max)
  ).abort()

/** UUID v7. Accepts either case and gives lower case. */
export const Id = Schema.String.check(isWithin(36, "Not a valid id.")).pipe(
  Schema.decodeTo(
    Schema.String.check(Schema.isUUID(undefined, { message: "Not a valid id." })),
    SchemaTransformation.toLowerCase()
  ),
  Schema.annotateEncoded({ format: "uuid" })
)

/** The nil UUID (RFC 9562 5.9), which no record has. */
export const nilId = "00000000-0000-0000-0000-000000000000"

/** ISO 8601 in UTC with milliseconds: `2026-11-20T15:04:05.123Z`. */
export const Timestamp = Schema.DateTimeUtcFromString.pipe(Schema.annotateEncoded({ format: "date-time" }))

/**
 * Whether a text is `YYYY-MM-DD` and a day of the calendar. `DateTime.make` also takes other texts, and moves 30 February
 * into March.
 */
export const isCalendarDay = (text: string): boolean =>
  Option.exists(DateTime.make(`${text}T00:00:00Z`), (start) => DateTime.formatIsoDate(start) === text)

const notADateTime = "Not an ISO 8601 date-time."

const beginsWithDay = Schema.makeFilter<string>(
  (text) =>
    isCalendarDay(text.slice(0, 10)) || new SchemaIssue.InvalidValue({ code: "invalid_string", message: notADateTime })
).abort()

/** A time as `Timestamp` prints it, or any other ISO 8601 date-time. Bounded, because callers send it. */
export const TimestampInput = Schema.String.check(beginsWithDay, isWithin(64, notADateTime)).pipe(
  Schema.decodeTo(Timestamp, SchemaTransformation.passthrough()),
  Schema.annotateEncoded({ format: "date-time" })
)

const atom = "[a-z0-9!#$%&'*+/=?^_{|}~`-]+"
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
/** RFC 5321 4.1.2 dot-string at a domain of two labels or more, the last not all digits. This is the stored form. */
const addressForm = new RegExp(
  `^(?=.{1,254}$)(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+(?!\\d+$)${label}$`,
  "u"
)

/**
 * Trimmed and lower-cased, with the domain in its ASCII (IDNA) form. An address that cannot be converted stays as it is
 * and fails the check of its form. Letters beyond ASCII keep their case: some lower-case to ASCII (the Kelvin sign to
 * k), which would turn two addresses into one.
 */
export const canonicalAddress = (given: string): string => {
  const text = given.trim()
  const at = text.lastIndexOf("@") + 1
  return text.slice(0, at).replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) + asciiDomain(text.slice(at))
}

/** Whether a text is an address in its stored form. */
export const isAddress = (text: string): boolean => text.length <= 254 && addressForm.test(text)

/** The stored form has at most 254 characters. Spellings of a domain in other scripts may be longer. */
const isAddressLength = Schema.makeFilter<string>(
  (text) =>
    !isLongerThan(text.trim(), 320) ||
    new SchemaIssue.InvalidValue({ code: "invalid_string", message: "Not a valid email address." }),
  bounds(0, 320)
).abort()

export const EmailAddress = Schema.String.check(isAddressLength).pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.isMinLength(1, { code: "required", message: "An address is required." }).abort(),
      Schema.makeFilter(isAddress, { message: "Not a valid email address." })
    ),
    SchemaTransformation.transform({ decode: canonicalAddress, encode: (stored) => stored })
  ),
  Schema.annotateEncoded({ format: "email" })
)

/** No C0 or C1 control characters, so no line break either. */
export const isOneLine = Schema.isPattern(/^[^\p{Cc}]*$/u, {
  message: "Must not contain a line break or control character."
})

const notHttps = "An https URL, at most 2,048 characters."
export const HttpsUrl = Schema.String.check(
  isWithin(2_048, notHttps),
  Schema.makeFilter((url: string) => url.startsWith("https://") && URL.canParse(url), { message: notHttps })
)

const notAnOrigin = "An origin, such as https://shop.example."
/** The origin of pages, as browsers send it. */
export const PageOrigin = Schema.String.check(
  isWithin(300, notAnOrigin),
  Schema.makeFilter((text: string) => /^https?:/.test(text) && URL.parse(text)?.origin === text, {
    message: notAnOrigin
  })
)

/** Trimmed, then `min` to `max` characters. */
export const Trimmed = (min: number, max: number) =>
  Schema.String.check(isTrimmedLength(min, max)).pipe(Schema.decodeTo(Schema.Trimmed, SchemaTransformation.trim()))

/** A name or title: trimmed, then 1 to `max` characters on one line. */
export const Name = (max: number) => Trimmed(1, max).check(isOneLine)

/** No control characters but tabs and line breaks. */
export const noControls = Schema.isPattern(/^[\P{Cc}\t\n\r]*$/u, { message: "Must not contain control characters." })

/** A text that may have several lines, at most `max` characters. */
export const Note = (max: number) => Schema.String.check(isLength(0, max), noControls)

/** The subject of an email as stored, or a template for it (RFC 5322 2.1.1). */
export const Subject = Schema.String.check(
  isLength(1, 998),
  Schema.isPattern(/^[^\r\n]*$/, { message: "Must not contain a line break." })
)

/** An optional field of a create or an action. `null` counts as absent. */
export const optional = <S extends Schema.Top>(field: S) => Schema.optionalKey(Schema.NullOr(field))

/** A field of a change: the `updatedAt` of the record that the caller has read. */
export const IfUpdatedAt = optional(TimestampInput).pipe(
  described(
    "The `updatedAt` of the record that the change is based on. If it was changed since, nothing is stored: 409 with reason `changed_meanwhile`."
  )
)

/** Bytes that multipart adds to the file: boundaries, headers of the parts, small fields. */
export const maxFramingBytes = 64 * 1024

/** One page of a cursor list. `total` counts on the first page only. The last page has no `cursor`. */
export const Page = <S extends Schema.Top>(name: string, item: S) =>
  Schema.Struct({
    data: Schema.Array(item),
    cursor: Schema.optionalKey(Schema.String).pipe(
      described("Send it unchanged, with the same filters and sort, to get the next page.")
    ),
    hasMore: Schema.Boolean.pipe(described("False on the last page, which has no cursor.")),
    total: Schema.Int.pipe(described("Exact on the first page, 0 on later ones."))
  }).annotate({ identifier: name, description: "One page of a cursor list." })

/** One page of an offset list. `totalPages` is 0 for an empty list. */
export const OffsetPage = <S extends Schema.Top>(name: string, item: S) =>
  Schema.Struct({
    data: Schema.Array(item),
    page: Schema.Int,
    pageSize: Schema.Int,
    total: Schema.Int,
    totalPages: Schema.Int.pipe(described("0 for an empty list."))
  }).annotate({ identifier: name, description: "One page of an offset list." })

/** A whole number within bounds, which are part of it. */
export const IntBetween = (low: number, high: number) =>
  Schema.Int.check(
    Schema.isGreaterThanOrEqualTo(low, { message: `At least ${low}.` }),
    Schema.isLessThanOrEqualTo(high, { message: `At most ${high}.` })
  )

export const AtLeastOne = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { message: "Must be at least 1." }))

/** The query of every offset list. */
export const OffsetQuery = {
  page: Schema.optionalKey(AtLeastOne),
  pageSize: Schema.optionalKey(AtLeastOne)
}

/** No U+0000 and no unpaired surrogate, which the database cannot store. */
export const isStorable = Schema.isPattern(/^[^\0\p{Cs}]*$/u, {
  message: "Must not contain characters that cannot be stored."
})

/** The search term of a list: trimmed, at most 200 characters, taken literally. Empty means no search. */
export const Search = Trimmed(0, 200)
  .check(isStorable)
  .pipe(
    Schema.annotateEncoded({
      description:
        "Text to search for, case-insensitive; trimmed, at most 200 characters, taken literally. Empty: no filter."
    })
  )

/** The query of every cursor list. It has no decoding defaults: they would be mandatory in the typed client. */
export const PageQuery = {
  limit: Schema.optionalKey(AtLeastOne),
  cursor: Schema.optionalKey(Schema.String.check(isLength(0, 8_192))).pipe(
    described("The `cursor` of the previous page. Absent: the first page.")
  )
}

/** Items on a page: 20 by default, at most 100. */
export const pageSize = ({ limit = 20 }: { readonly limit?: number }): number => Math.min(limit, 100)

/**
 * A query value outside the set counts as the first value instead of an error. Used for `sort` and `dir` of every list.
 */
export const lenient = <const A extends string, const B extends string>(fallback: A, ...others: ReadonlyArray<B>) =>
  Schema.optionalKey(
    Schema.Literals([fallback, ...others]).pipe(Schema.catchDecoding(() => Effect.succeed(Option.some(fallback))))
  ).pipe(described(`Any other value counts as \`${fallback}\`.`, fallback))

/** Any value. The OpenAPI document shows the schema, by which the handler decodes the value later. */
export const unjudged = <S extends Schema.Top>(schema: S) =>
  Schema.toEncoded(schema).pipe(
    Schema.decodeTo(Schema.Unknown, SchemaTransformation.passthrough({ strict: false })),
    Schema.catchDecoding((issue) =>
      SchemaIssue.hasInput(issue) ? Effect.succeed(Option.some(issue.input)) : Effect.fail(issue)
    )
  )

/** A list whose length is checked before its items. The items of a list that is too long are not checked. */
export const listOf = <S extends Schema.Top>(
  item: S,
  ...length: readonly [
    SchemaAST.Check<ReadonlyArray<unknown>>,
    ...ReadonlyArray<SchemaAST.Check<ReadonlyArray<unknown>>>
  ]
) =>
  Schema.Array(unjudged(item))
    .check(...length)
    .pipe(Schema.decodeTo(Schema.Array(item), SchemaTransformation.passthrough({ strict: false })))

/** A mandatory field of a create or an action. `null` counts as absent. */
export const required = <S extends Schema.Top>(field: S) =>
  field.pipe(
    Schema.catchDecoding((issue) =>
      Effect.fail(
        issue.input === null ? new SchemaIssue.InvalidValue({ code: "required", message: "Required." }) : issue
      )
    )
  )

/** A JSON body. A missing or empty body counts as `{}`. */
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

/**
 * `2026-03-01` (a whole day in the list's time zone) or a date-time. As the end of a range, a date includes its whole
 * day and a date-time is exclusive.
 */
export const DateQuery = Schema.String.check(
  isWithin(40, "Not an ISO 8601 date or date-time."),
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/, {
    message: "Not an ISO 8601 date or date-time."
  })
)
