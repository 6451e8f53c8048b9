/** The name of a sender domain. Accepts any spelling and returns the canonical ASCII form. */
import { Schema, SchemaTransformation } from "effect"

/**
 * Letters, marks and digits of any script. No invisible characters, and none that URLs read as more than a host name.
 */
const spelling = /^[[\p{L}\p{M}\p{N}.\-]--\p{Default_Ignorable_Code_Point}]+$/v

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
const form = new RegExp(`^(?:${label}\\.)+${label}$`)

/** A last label that is a decimal or hexadecimal number marks an IPv4 address in the URL standard. */
const endsInNumber = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/

/**
 * UTS 46 to ASCII, or undefined when the name has no such form. The first label is added here because some engines do
 * not check a name that is already ASCII, and would accept `xn--` labels that decode to nothing.
 */
const toAscii = (name: string): string | undefined => URL.parse(`http://é.${name}`)?.hostname.slice("xn--9ca.".length)

/** Most names are already ASCII and need no URL parser. */
const isAsciiForm = (name: string): boolean =>
  name.length <= 253 && form.test(name) && !name.includes("--") && !endsInNumber.test(name)

const isConvertible = (name: string): boolean => name.length <= 253 && spelling.test(name)

/** Lower case and ASCII. A name that cannot be converted is only lower-cased; the check of its form then fails. */
export const asciiDomain = (given: string): string => {
  if (isAsciiForm(given)) return given
  return (isConvertible(given) ? toAscii(given) : undefined) ?? given.toLowerCase()
}

/** Trimmed, without the final dot, in the form of `asciiDomain`. */
export const canonicalDomain = (given: string): string => asciiDomain(given.trim().replace(/\.$/, ""))

/** Includes the final dot. A longer name in another script has no ASCII form that is short enough. */
const isDomainLength = Schema.makeFilter((text: string) => text.trim().length <= 254, {
  code: "too_big",
  message: "A domain has at most 253 characters.",
  toJsonSchema: () => ({ maxLength: 254 })
}).abort()

/**
 * At most 253 characters, two labels or more, each 1 to 63 of `[a-z0-9-]` without a hyphen at its ends. Not an IP
 * address.
 */
export const DomainName = Schema.String.check(isDomainLength).pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.isMinLength(1, { code: "required", message: "A domain is required." }).abort(),
      Schema.isMaxLength(253, { message: "A domain has at most 253 characters." }).abort(),
      Schema.makeFilter((name: string) => !endsInNumber.test(name), {
        code: "custom",
        message: "An IP address is not a domain."
      }).abort(),
      Schema.isPattern(form, { message: "Not a valid domain name, such as mail.example.com." }).abort(),
      Schema.makeFilter((name: string) => toAscii(name) === name, {
        code: "invalid_string",
        message: "Not a valid internationalised domain name."
      })
    ),
    SchemaTransformation.transform({ decode: canonicalDomain, encode: (stored) => stored })
  ),
  Schema.annotateEncoded({ format: "hostname" })
)
