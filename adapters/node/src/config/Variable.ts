/** One environment variable: its name, its allowed values and its parser. */
import { Config, Data, Effect, Option, Result } from "effect"

export interface Variable<A> {
  readonly name: string
  /** The allowed values, to follow "it may be". */
  readonly mayBe: string
  /** A failure describes the text, to follow the name: `has "abc"`. It contains no part of a secret. */
  readonly parse: (text: string) => Result.Result<A, string>
}

/** A variable with an invalid value: one sentence with the value and the allowed values. */
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

/** A variable whose text is never shown. `parse` returns a value, or a description of the problem. */
export const secretVariable = <A>(
  name: string,
  mayBe: string,
  parse: (text: string) => Result.Result<A, string>
): Variable<A> => ({ name, mayBe, parse })

/** Parses the text of a variable or an option. */
export const parse = <A>({ name, mayBe, parse }: Variable<A>, text: string): Effect.Effect<A, InvalidSetting> =>
  Result.match(parse(text.trim()), {
    onSuccess: Effect.succeed,
    onFailure: (failure) => new InvalidSetting({ variable: name, message: `${name} ${failure}; it may be ${mayBe}.` })
  })

/** A blank value counts as unset: `POSTHORN_PORT=` in a compose file means the default. */
export const readVariable = Effect.fnUntraced(function* <A>(
  variable: Variable<A>
): Effect.fn.Return<Option.Option<A>, InvalidSetting> {
  const text = yield* textOf(variable.name)
  return Option.isNone(text) ? Option.none() : Option.some(yield* parse(variable, text.value))
})

/** The value of a name in the environment, unless it is blank. */
export const textOf = (name: string): Effect.Effect<Option.Option<string>> =>
  Effect.map(
    Effect.orDie(Config.option(Config.String(name))),
    Option.filter((text) => text.trim() !== "")
  )

export const wholeNumber = (name: string, min: number, max: number, meaning = ""): Variable<number> =>
  variable(name, `a whole number from ${min} to ${max}${meaning}`, (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return number >= min && number <= max ? number : undefined
  })

export const oneOf = <const A extends string>(name: string, ...choices: ReadonlyArray<A>): Variable<A> =>
  variable(name, `one of ${choices.join(", ")}`, (text) => choices.find((choice) => choice === text.toLowerCase()))

export const matching = (name: string, mayBe: string, form: RegExp): Variable<string> =>
  variable(name, mayBe, (text) => (form.test(text) ? text : undefined))

/** Comma separated. Every item must parse. */
export const listOf = <A>(
  name: string,
  mayBe: string,
  item: (text: string) => A | undefined
): Variable<ReadonlyArray<A>> =>
  variable(name, mayBe, (text) => {
    const items = text.split(",").map((part) => item(part.trim()))
    return items.every((value) => value !== undefined) ? items : undefined
  })
