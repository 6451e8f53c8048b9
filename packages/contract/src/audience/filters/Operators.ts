/** Operators, units and kinds of field of the filter grammar, and which operator goes with which kind. */

export const logics = ["AND", "OR"] as const
export type Logic = (typeof logics)[number]

/** minute = 60 s, hour = 3,600 s, day = 24 h, week = 7 days, month = calendar month in UTC. */
export const units = ["minutes", "hours", "days", "weeks", "months"] as const
export type Unit = (typeof units)[number]

/**
 * The kind of a field: an address, an id that may be missing, a flag, an instant, an instant that may be missing, one of
 * some words, any JSON, the events with one name, or a membership.
 */
export const kinds = ["text", "id", "flag", "time", "moment", "choice", "json", "history", "membership"] as const
export type FilterFieldKind = (typeof kinds)[number]

const row = <const Kinds extends ReadonlyArray<FilterFieldKind>>(...allowed: Kinds) => allowed

/** Every operator, with the kinds of field that it takes. */
export const operators = {
  equals: row("text", "id", "flag", "time", "moment", "choice", "json"),
  notEquals: row("text", "id", "flag", "time", "moment", "choice", "json"),
  contains: row("text", "id", "json"),
  notContains: row("text", "id", "json"),
  startsWith: row("text", "id", "json"),
  endsWith: row("text", "id", "json"),
  in: row("text", "id", "choice", "json"),
  notIn: row("text", "id", "choice", "json"),
  greaterThan: row("time", "moment", "json"),
  greaterThanOrEqual: row("time", "moment", "json"),
  lessThan: row("time", "moment", "json"),
  lessThanOrEqual: row("time", "moment", "json"),
  between: row("time", "moment", "json"),
  exists: row("id", "moment", "json"),
  notExists: row("id", "moment", "json"),
  within: row("time", "moment", "json"),
  olderThan: row("time", "moment", "json"),
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
