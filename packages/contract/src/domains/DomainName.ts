/** The name of a sender domain: any spelling in, its canonical ASCII form out (contract-2 6.4). */
import { Schema, SchemaTransformation } from "effect"

/** Letters, marks and digits of any script, but nothing invisible; what URLs read as more than a host name is not here. */
const spelling = /^[[\p{L}\p{M}\p{N}.\-]--\p{Default_Ignorable_Code_Point}]+$/v

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
const form = new RegExp(`^(?:${label}\\.)+${label}$`)

/** The URL standard's sign of an IPv4 address: a last label that is a number, decimal or hexadecimal. */
const endsInNumber = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/

/**
 * UTS 46 to ASCII; nothing for what has no such form. The first label is ours: some engines leave a name alone that is
 * ASCII already, and so would let `xn--` labels pass that decode to nothing.
 */
const toAscii = (name: string): string | undefined => URL.parse(`http://é.${name}`)?.hostname.slice("xn--9ca.".length)

/** Lower case and ASCII; what cannot be converted is only lower-cased, and left to fail its form. */
export const asciiDomain = (given: string): string =>
  (given.length <= 253 && spelling.test(given) ? toAscii(given) : undefined) ?? given.toLowerCase()

/** Trimmed, without the final dot, in the form of `asciiDomain`. */
export const canonicalDomain = (given: string): string => asciiDomain(given.trim().replace(/\.$/, ""))

/** At most 253 characters, two labels or more, each 1 to 63 of `[a-z0-9-]` without a hyphen at its ends; no IP address. */
export const DomainName = Schema.String.pipe(
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
