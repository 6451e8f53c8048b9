/** Locale and time zone of a contact. They are stored in its data, so that there is one truth. Pure. */
import { Timezone } from "@posthorn/contract/accounts/projects/Project"
import type { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { canonicalTag, isLanguageTag, notATag } from "@posthorn/contract/platform/LanguageTag"
import { Effect, Schema } from "effect"

const isTimezone = Schema.is(Timezone)

/** By the key in the data: the value in its canonical spelling, or undefined if it is not valid. */
export const namedValues: ReadonlyMap<string, (text: string) => string | undefined> = new Map([
  ["locale", (text) => (isLanguageTag(text) ? canonicalTag(text) : undefined)],
  ["timezone", (text) => (isTimezone(text) ? text : undefined)]
])

/** What a text is that `namedValues` refuses. */
export const notNamed = (key: string): string => (key === "locale" ? notATag : "Not an IANA time zone.")

const textIn = (data: Schema.JsonObject, key: string): string | null => {
  const value = Object.hasOwn(data, key) ? data[key] : undefined
  return typeof value === "string" ? value : null
}

const valueIn = (data: Schema.JsonObject, key: string): string | null => {
  const found = textIn(data, key)
  return found === null ? null : (namedValues.get(key)?.(found) ?? null)
}

/** The language tag in the data, in its canonical spelling. */
export const localeIn = (data: Schema.JsonObject): string | null => valueIn(data, "locale")

export const timezoneIn = (data: Schema.JsonObject): string | null => valueIn(data, "timezone")

/** The fields of a request that are stored in the data. Null removes the value. */
export interface NamedData {
  readonly locale?: string | null | undefined
  readonly timezone?: string | null | undefined
}

const names = ["locale", "timezone"] as const

/** The data with the named fields. Fails if a field and its key in the data differ. */
export const withNamed = (
  { data, ...named }: NamedData & { readonly data: ContactData },
  prefix = ""
): Effect.Effect<ContactData, ValidationError> => {
  const given = names.filter((name) => named[name] !== undefined)
  if (given.length === 0) return Effect.succeed(data)
  const read = { locale: localeIn(data), timezone: timezoneIn(data) }
  const isSame = (name: (typeof names)[number]) =>
    data[name] === named[name] || (named[name] !== null && read[name] === named[name])
  const faults = given.flatMap(
    (name): ReadonlyArray<Fault> =>
      Object.hasOwn(data, name) && !isSame(name)
        ? [{ field: prefix + name, code: "custom", message: `\`${name}\` and \`data.${name}\` differ.` }]
        : []
  )
  return faults.length > 0
    ? Effect.fail(new ValidationError({ errors: faults }))
    : Effect.succeed({ ...data, ...Object.fromEntries(given.map((name) => [name, named[name] ?? null])) })
}
