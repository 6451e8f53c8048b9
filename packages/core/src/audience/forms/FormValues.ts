/** What a submission says: its values by the fields of the form, checked and typed. Pure. */
import { isoDate } from "@posthorn/contract/audience/filters/IsoDate"
import type { FormField } from "@posthorn/contract/audience/forms/Form"
import { defaultTextLength } from "@posthorn/contract/audience/forms/Form"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { canonicalAddress, isAddress, isLongerThan } from "@posthorn/contract/platform/Primitives"
import { Result } from "effect"
import { namedValues, notNamed } from "../contacts/NamedData.ts"

/** The fields of a submission by their names, as a form or a JSON object has them. */
export interface GivenFields {
  readonly isJson: boolean
  /** The values of a name. A form may have several, of which the last one counts. */
  readonly all: (name: string) => ReadonlyArray<unknown>
}

export type FormValue = string | number | boolean

export interface FormSubmission {
  readonly email: string
  readonly values: Readonly<Record<string, FormValue>>
  /** Keys of the topics that were ticked, of those that the form offers. */
  readonly topics: ReadonlyArray<string>
}

/** The faults name the fields as the submission does. */
type Reading = Result.Result<FormSubmission, ReadonlyArray<Fault>>

const maxAddress = 320
const longestOption = 100
const number = /^[+-]?\d{1,20}(?:\.\d{1,20})?$/
const truths: ReadonlySet<unknown> = new Set([true, "true", "on", "1", "yes"])

const isPlain = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text)

export const isTicked = (value: unknown): boolean => truths.has(value)

/** The hidden field that no person fills in. Its name is not one of a field. */
export const honeypotOf = (fields: ReadonlyArray<Pick<FormField, "key">>): string => {
  const taken = new Set(fields.map(({ key }) => key))
  const candidates = ["website", "homepage", ...fields.map((_, n) => `homepage-${n + 2}`)]
  return candidates.find((name) => !taken.has(name)) ?? "website"
}

type Judged = Result.Result<FormValue | undefined, Omit<Fault, "field">>

const refuse = (code: Fault["code"], message: string): Judged => Result.fail({ code, message })
const invalidType = refuse("invalid_type", "This value has the wrong type.")

const textOf = (value: unknown, max: number): Judged => {
  if (typeof value !== "string") return invalidType
  if (isLongerThan(value, max)) return refuse("too_big", `At most ${max} characters.`)
  const text = value.trim()
  if (!isPlain(text)) return refuse("invalid_string", "Must not contain a line break or control character.")
  return Result.succeed(text === "" ? undefined : text)
}

const numberOf = (value: unknown): Judged => {
  if (typeof value === "number" && Number.isFinite(value)) return Result.succeed(value)
  if (typeof value !== "string") return invalidType
  if (value.length > 50) return refuse("invalid_string", "Not a number.")
  const text = value.trim()
  if (text === "") return Result.succeed(undefined)
  return number.test(text) ? Result.succeed(Number(text)) : refuse("invalid_string", "Not a number.")
}

const dateOf = (value: unknown): Judged => {
  if (typeof value !== "string") return invalidType
  const text = value.length > 50 ? value : value.trim()
  if (text === "") return Result.succeed(undefined)
  return text.length === 10 && isoDate(text) !== undefined
    ? Result.succeed(text)
    : refuse("invalid_string", "Not a date such as 2026-11-20.")
}

const canonicalOf = (key: string, judged: Judged): Judged => {
  const check = namedValues.get(key)
  if (check === undefined) return judged
  return Result.flatMap(judged, (given) => {
    const canonical = given === undefined ? undefined : check(String(given))
    return given === undefined || canonical !== undefined
      ? Result.succeed(canonical)
      : refuse("invalid_string", notNamed(key))
  })
}

const valueOf = ({ key, type, maxLength, options }: FormField, value: unknown): Judged => {
  switch (type) {
    case "number":
      return numberOf(value)
    case "date":
      return dateOf(value)
    case "checkbox":
      // A browser leaves out a box that is not ticked.
      return Result.succeed(value === false ? false : isTicked(value) ? true : undefined)
    case "select":
      return Result.flatMap(textOf(value, longestOption), (text) =>
        text === undefined || options.includes(String(text))
          ? canonicalOf(key, Result.succeed(text))
          : refuse("invalid_enum", "Not one of the options.")
      )
    default:
      return canonicalOf(key, textOf(value, maxLength ?? defaultTextLength))
  }
}

const addressOf = (value: unknown): Judged => {
  if (value === undefined || value === null || value === "") return refuse("required", "Required.")
  if (typeof value !== "string") return invalidType
  const address = isLongerThan(value, maxAddress) ? "" : canonicalAddress(value)
  return isAddress(address) ? Result.succeed(address) : refuse("invalid_string", "Not a valid email address.")
}

const isAbsent = (type: FormField["type"], value: FormValue | undefined) =>
  value === undefined || (type === "checkbox" && value === false)

/** The offers of a form that a submission can choose. */
export interface FormOffer {
  readonly fields: ReadonlyArray<FormField>
  readonly choices: ReadonlyArray<string>
  readonly consentRequired: boolean
}

export const readFormSubmission = (given: GivenFields, { fields, choices, consentRequired }: FormOffer): Reading => {
  const faults: Array<Fault> = []
  const last = (name: string): unknown => given.all(name).at(-1)

  const email = addressOf(last("email"))
  if (Result.isFailure(email)) faults.push({ field: "email", ...email.failure })

  const values: Record<string, FormValue> = {}
  for (const field of fields) {
    const { key, type, required } = field
    const value = last(key)
    const judged = value === undefined || value === null ? Result.succeed(undefined) : valueOf(field, value)
    if (Result.isFailure(judged)) faults.push({ field: key, ...judged.failure })
    else if (required && isAbsent(type, judged.success)) {
      faults.push({ field: key, code: "required", message: "Required." })
    } else if (judged.success !== undefined) values[key] = judged.success
  }

  if (consentRequired && !isTicked(last("consent"))) {
    faults.push({ field: "consent", code: "required", message: "This box must be ticked." })
  }
  const ticked = new Set(given.all(given.isJson ? "topics" : "topic"))
  return faults.length > 0 || Result.isFailure(email)
    ? Result.fail(faults)
    : Result.succeed({ email: String(email.success), values, topics: choices.filter((key) => ticked.has(key)) })
}
