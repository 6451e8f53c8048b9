/**
 * Display names of addresses.
 *
 * Characters that set the direction of writing (Unicode UAX 9) make a name read as another one: `moc.knab` behind
 * U+202E reads `bank.com`. Control characters end lines. A name contains neither.
 */
import { Schema } from "effect"
import { isLength } from "./Primitives.ts"

const unwanted = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const allUnwanted = new RegExp(unwanted, "gu")

/** At most `max` characters. Empty is allowed. */
export const DisplayName = (max: number) =>
  Schema.String.check(
    isLength(0, max),
    Schema.makeFilter((name: string) => !unwanted.test(name), {
      message: "Must not contain a line break, a control character or a character that sets the direction of writing."
    })
  )

/** Removes the characters that names may not contain. */
export const plainName = (name: string): string => name.replace(allUnwanted, "").trim()
