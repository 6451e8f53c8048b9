/** One environment variable: its name, what it may be, and how its text becomes a value. */
import { Config, Data, Effect, Option, Result } from "effect"

export interface Variable<A> {
  readonly name: string
  /** What it may be, to follow "it may be". */
  readonly mayBe: string
  /** A failure says what the text has, to follow the name: `has "abc"`. It holds no part of a secret. */
  readonly parse: (text: string) => Result.Result<A, string>
}

/** A variable that cannot be used as it is: one sentence with what it has and what it may be. */
export class InvalidSetting extends Data.TaggedError("InvalidSetting")<{
  readonly variable: string
  readonly message: string
}> {}

const longestQuote = 60

const quoted = (text: string): string =>
  `has "${text.length > longestQuote ? `${text.slice(0, longestQuote)}...` : text}"`

/** A variable whose text may be shown. */
export const variable = <A>(name: string, mayBe: string, parse: (text: string) => A | undefined): Variable<A> => ({
  name,
  mayBe,
  parse: (text) => Result.fromNullishOr(parse(text), () => quoted(text))
})

/** A variable whose text is never shown; `parse` gives a value, or what is wrong in words of its own. */
export const secretVariable = <A>(
  name: string,
  mayBe: string,
  parse: (text: string) => Result.Result<A, string>
): Variable<A> => ({ name, mayBe, parse })

/** Blank is the same as unset: `POSTHORN_PORT=` in a compose file means the default. */
export const read = Effect.fnUntraced(function* <A>({
  name,
  mayBe,
  parse
}: Variable<A>): Effect.fn.Return<Option.Option<A>, InvalidSetting> {
  const text = yield* Effect.orDie(Config.option(Config.String(name)))
  if (Option.isNone(text) || text.value.trim() === "") return Option.none()
  const parsed = parse(text.value.trim())
  if (Result.isSuccess(parsed)) return Option.some(parsed.success)
  return yield* new InvalidSetting({ variable: name, message: `${name} ${parsed.failure}; it may be ${mayBe}.` })
})

export const wholeNumber = (name: string, min: number, max: number, meaning = ""): Variable<number> =>
  variable(name, `a whole number from ${min} to ${max}${meaning}`, (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return number >= min && number <= max ? number : undefined
  })

export const oneOf = <const A extends string>(name: string, ...choices: ReadonlyArray<A>): Variable<A> =>
  variable(name, `one of ${choices.join(", ")}`, (text) => choices.find((choice) => choice === text.toLowerCase()))

export const matching = (name: string, mayBe: string, form: RegExp): Variable<string> =>
  variable(name, mayBe, (text) => (form.test(text) ? text : undefined))

/** Comma separated; every item must parse. */
export const listOf = <A>(
  name: string,
  mayBe: string,
  item: (text: string) => A | undefined
): Variable<ReadonlyArray<A>> =>
  variable(name, mayBe, (text) => {
    const items = text.split(",").map((part) => item(part.trim()))
    return items.every((value) => value !== undefined) ? items : undefined
  })
