/** Language tags (RFC 5646): `de`, `pt-BR`, `zh-Hans-CN`. */
import { Schema, SchemaTransformation } from "effect"
import { isWithin } from "./Primitives.ts"

const maxTag = 35
const form = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/
export const notATag = "Not a language tag such as `de`, `pt-BR` or `zh-Hans-CN`."

export const isLanguageTag = (text: string): boolean => text.length <= maxTag && form.test(text)

/** The case that RFC 5646 2.1.1 recommends: `zh-Hans-CN`. */
export const canonicalTag = (tag: string): string =>
  tag
    .toLowerCase()
    .split("-")
    .map((part, at) =>
      at === 0
        ? part
        : part.length === 2
          ? part.toUpperCase()
          : part.length === 4 && !/^\d/.test(part)
            ? part.charAt(0).toUpperCase() + part.slice(1)
            : part
    )
    .join("-")

/** Accepts any case and gives the recommended one. */
export const LanguageTag = Schema.String.check(
  isWithin(maxTag, notATag),
  Schema.isPattern(form, { message: notATag })
).pipe(Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: canonicalTag, encode: (tag) => tag })))
