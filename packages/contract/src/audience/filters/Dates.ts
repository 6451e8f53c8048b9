/** The instants that a date in a filter means. */
import type { Instants } from "./Condition.ts"
import type { FaultReport } from "./FilterFaults.ts"
import { lowAboveHigh } from "./FilterValues.ts"
import type { IsoDate } from "./IsoDate.ts"

export type Order = "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual"

/** Within the day, or at the instant. */
export const on = ({ start, end }: IsoDate): Instants => ({ _tag: "Instants", from: start, to: end })

const orders: { readonly [Name in Order]: (date: IsoDate) => Omit<Instants, "_tag"> } = {
  greaterThan: ({ end }) => ({ from: end }),
  greaterThanOrEqual: ({ start }) => ({ from: start }),
  lessThan: ({ start }) => ({ to: start }),
  lessThanOrEqual: ({ end }) => ({ to: end })
}

export const compared = (order: Order, date: IsoDate): Instants => ({ _tag: "Instants", ...orders[order](date) })

/** From the start of the low date to the end of the high one. */
export const spanning = ([low, high]: readonly [IsoDate, IsoDate], report: FaultReport): Instants | undefined =>
  low.start < high.end ? { _tag: "Instants", from: low.start, to: high.end } : report.add("custom", lowAboveHigh)
