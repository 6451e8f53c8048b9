/** Keys with a value that a caller puts on emails. They are in no header, and not rendered. */
import { Schema, SchemaIssue, SchemaTransformation } from "effect"
import { isLength, isOneLine } from "../../platform/Primitives.ts"

const maxTags = 10
const tagKey = /^[A-Za-z0-9_.-]{1,64}$/

const fault = (key: string, code: string, message: string): Schema.FilterIssue => ({
  path: [key],
  issue: new SchemaIssue.InvalidValue({ code, message })
})

const TagValue = Schema.Union([Schema.String.check(isLength(1, 256), isOneLine), Schema.Finite, Schema.Boolean]).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, boolean | number | string>({
      decode: (value) => `${value}`,
      encode: (text) => text
    })
  )
)

export const Tags = Schema.Record(Schema.String, TagValue).check(
  Schema.makeFilter(
    (tags) => {
      const keys = Object.keys(tags)
      if (keys.length > maxTags) {
        return new SchemaIssue.InvalidValue({ code: "too_big", message: `At most ${maxTags} tags.` })
      }
      return keys.flatMap((key) =>
        tagKey.test(key)
          ? []
          : [fault(key, "invalid_string", "A key has 1 to 64 letters, digits, dots, hyphens or underscores.")]
      )
    },
    { toJsonSchema: () => ({ maxProperties: maxTags }) }
  )
)

/** The tags of an email as stored. */
export const StoredTags = Schema.Record(Schema.String, Schema.String)

/** `order:4711` for an exact value, `order` for any value of the key. */
export interface TagFilter {
  readonly key: string
  readonly value?: string
}

const maxFilters = 5

const TagText = Schema.String.check(
  isLength(1, 321),
  Schema.makeFilter((text) => tagKey.test(text.split(":", 1)[0] ?? ""), {
    message: "A tag is `key` or `key:value`."
  })
)

/** The query parameter `tag`, given up to 5 times. All of them must hold. */
export const TagQuery = Schema.Union([
  TagText,
  Schema.Array(TagText).check(Schema.isMaxLength(maxFilters, { message: `At most ${maxFilters} tags.` }))
])

export const tagFilters = (query: typeof TagQuery.Type | undefined): ReadonlyArray<TagFilter> =>
  (query === undefined ? [] : typeof query === "string" ? [query] : query).map((text) => {
    const end = text.indexOf(":")
    return end === -1 ? { key: text } : { key: text.slice(0, end), value: text.slice(end + 1) }
  })
