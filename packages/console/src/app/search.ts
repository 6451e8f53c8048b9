/** Search parameters of pages. What a page does not know, or what is malformed, is dropped. */

type Parser<A> = (value: unknown) => A | undefined

export const text: Parser<string> = (value) =>
  typeof value === "string" || typeof value === "number" ? String(value).slice(0, 500) || undefined : undefined

/** A value as JSON, which the page reads. */
export const json: Parser<string> = (value) =>
  typeof value === "string" && value.length <= 4_000 ? value || undefined : undefined

export const flag: Parser<boolean> = (value) => (value === true || value === "true" ? true : undefined)

export const whole: Parser<number> = (value) => {
  const number = Number(value)
  return value !== "" && value !== null && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

export const oneOf =
  <const K extends string>(...allowed: ReadonlyArray<K>): Parser<K> =>
  (value) =>
    allowed.find((each) => each === value)

/** Several of the values, as a comma list. */
export const someOf =
  <const K extends string>(...allowed: ReadonlyArray<K>): Parser<ReadonlyArray<K>> =>
  (value) => {
    const given = new Set(String(value ?? "").split(","))
    const found = allowed.filter((each) => given.has(each))
    return found.length === 0 ? undefined : found
  }

type Parsed<P extends { readonly [name: string]: Parser<unknown> }> = {
  readonly [K in keyof P]?: NonNullable<ReturnType<P[K]>> | undefined
}

/** The search parameters of a route: `validateSearch: searchOf({ q: text, state: oneOf("SENT", "FAILED") })`. */
export const searchOf =
  <P extends { readonly [name: string]: Parser<unknown> }>(parsers: P) =>
  (given: Record<string, unknown>): Parsed<P> =>
    Object.fromEntries(
      Object.entries(parsers).flatMap(([name, parse]) => {
        const value = parse(given[name])
        return value === undefined ? [] : [[name, value]]
      })
    ) as Parsed<P>

/** Plain values stand in the URL as they are, lists with commas. */
export const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== "")
  if (given.length === 0) return ""
  return `?${new URLSearchParams(given.map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : String(value)]))}`
}

export const parseSearch = (query: string): Record<string, unknown> => Object.fromEntries(new URLSearchParams(query))
