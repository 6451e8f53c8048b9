/** Variables that must be set together. */
import { InvalidSetting, type Variable } from "./Variable.ts"

/** The variable of each value. */
export type Missing<A> = { readonly [Name in keyof A]: Pick<Variable<A[Name]>, "mayBe" | "name"> }

type Perhaps<A> = { readonly [Name in keyof A]: A[Name] | undefined }

const isWhole = <A extends object>(values: Perhaps<A>): values is A =>
  Object.values(values).every((value) => value !== undefined)

/** All values, or none. If only some are set, one sentence for each missing variable. */
export const together = <A extends object>(
  values: Perhaps<A>,
  variables: Missing<A>
): { readonly value: A | undefined; readonly missing: ReadonlyArray<InvalidSetting> } => {
  if (isWhole(values)) return { value: values, missing: [] }
  const entries = Object.entries<unknown>(values)
  if (entries.every(([, value]) => value === undefined)) return { value: undefined, missing: [] }
  const given = new Map(entries)
  const described = Object.entries<Pick<Variable<unknown>, "mayBe" | "name">>(variables)
  const set = described.find(([name]) => given.get(name) !== undefined)?.[1].name ?? ""
  const missing = described.flatMap(([key, { name, mayBe }]) =>
    given.get(key) === undefined
      ? [new InvalidSetting({ variable: name, message: `${name} is not set, and ${set} is; it must be ${mayBe}.` })]
      : []
  )
  return { value: undefined, missing }
}
