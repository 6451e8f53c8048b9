/** Operators, units and kinds of field of the filter grammar, and which operator goes with which kind. */

export const logics = ["AND", "OR"] as const
export type Logic = (typeof logics)[number]

/** minute = 60 s, hour = 3,600 s, day = 24 h, week = 7 days, month = calendar month in UTC. */
export const units = ["minutes", "hours", "days", "weeks", "months"] as const
export type Unit = (typeof units)[number]

/** The kind of a field: an address, a flag, an instant, any JSON, the events with one name, or a membership. */
export const kinds = ["text", "flag", "time", "json", "history", "membership"] as const
export type FilterFieldKind = (typeof kinds)[number]

const row = <const Kinds extends ReadonlyArray<FilterFieldKind>>(...allowed: Kinds) => allowed

/** Every operator, with the kinds of field that it takes. */
export const operators = {
  equals: row("text", "flag", "time", "json"),
  notEquals: row("text", "flag", "time", "json"),
  contains: row("text", "json"),
  notContains: row("text", "json"),
  startsWith: row("text", "json"),
  endsWith: row("text", "json"),
  in: row("text", "json"),
  notIn: row("text", "json"),
  greaterThan: row("time", "json"),
  greaterThanOrEqual: row("time", "json"),
  lessThan: row("time", "json"),
  lessThanOrEqual: row("time", "json"),
  between: row("time", "json"),
  exists: row("json"),
  notExists: row("json"),
  within: row("time", "json"),
  olderThan: row("time", "json"),
  triggered: row("history"),
  notTriggered: row("history"),
  triggeredWithin: row("history"),
  triggeredOlderThan: row("history"),
  notTriggeredWithin: row("history"),
  memberOfSegment: row("membership"),
  notMemberOfSegment: row("membership")
} as const satisfies { readonly [name: string]: ReadonlyArray<FilterFieldKind> }

export type FilterOperator = keyof typeof operators

/** The operators that a field of this kind takes. */
export type OperatorOf<K extends FilterFieldKind> = {
  [Name in FilterOperator]: K extends (typeof operators)[Name][number] ? Name : never
}[FilterOperator]

export const operatorNames = Object.keys(operators) as ReadonlyArray<FilterOperator>

export const isOperator = (text: string): text is FilterOperator => Object.hasOwn(operators, text)

export const allows = <K extends FilterFieldKind>(kind: K, operator: FilterOperator): operator is OperatorOf<K> =>
  (operators[operator] as ReadonlyArray<FilterFieldKind>).includes(kind)

/** A negation holds if the value is present and the positive operator does not hold. */
export const isNegation = (operator: FilterOperator): boolean =>
  operator === "notEquals" || operator === "notContains" || operator === "notIn"
