/** Readers of the parts that all filters have. A reader returns undefined when it has reported a fault. */
import type { FaultReport } from "./FilterFaults.ts"
import { isSoundText, isText } from "./FilterValues.ts"
import { type FilterOperator, isOperator, operatorNames, type Unit, units } from "./Operators.ts"

export const readName = (field: unknown, report: FaultReport): string | undefined => {
  if (field === undefined || field === null || field === "") return report.add("required", "Required.")
  if (!isText(field)) return report.add("invalid_type", "Expected text.", field)
  return isSoundText(field, report) ? field : undefined
}

export const readOperator = (operator: unknown, report: FaultReport): FilterOperator | undefined => {
  if (operator === undefined || operator === null || operator === "") return report.add("required", "Required.")
  if (!isText(operator)) return report.add("invalid_type", "Expected text.", operator)
  return isOperator(operator)
    ? operator
    : report.add("invalid_enum", `Expected one of ${operatorNames.join(", ")}.`, operator)
}

/** Null when the filter has no unit. */
export const readUnit = (unit: unknown, report: FaultReport): Unit | null | undefined => {
  if (unit === undefined || unit === null) return null
  if (!isText(unit)) return report.add("invalid_type", "Expected text.", unit)
  return units.find((each) => each === unit) ?? report.add("invalid_enum", `Expected one of ${units.join(", ")}.`, unit)
}
