/** Parses one filter, `{field, operator, value?, unit?}`, into a test. */
import type { Test } from "./Condition.ts"
import type { FaultReport } from "./FilterFaults.ts"
import { type FilterField, type FilterPlace, filterField } from "./FilterFields.ts"
import { type Given, isSoundText, isSoundValue, isText, readFlag } from "./FilterValues.ts"
import { historyOperators } from "./HistoryOperators.ts"
import { jsonOperators } from "./JsonOperators.ts"
import { allows, type FilterOperator, isNegation, isOperator, operatorNames, type Unit, units } from "./Operators.ts"
import { textOperators } from "./TextOperators.ts"
import { timeOperators } from "./TimeOperators.ts"

export const parseFilter = (filter: object, place: FilterPlace, report: FaultReport): Test | undefined => {
  const { field, operator, value, unit } = filter as { readonly [key: string]: unknown }
  const name = readName(field, report.at("field"))
  const asked = readOperator(operator, report.at("operator"))
  const inUnit = readUnit(unit, report.at("unit"))
  const isSound = isSoundValue(value, report.at("value"))
  if (name === undefined || asked === undefined || inUnit === undefined || !isSound) return undefined
  const found = filterField(name, asked, place, report.at("field"))
  return found && readTest(found, asked, { value, unit: inUnit ?? undefined }, report)
}

const readName = (field: unknown, report: FaultReport): string | undefined => {
  if (field === undefined || field === null || field === "") return report.add("required", "Required.")
  if (!isText(field)) return report.add("invalid_type", "Expected text.", field)
  return isSoundText(field, report) ? field : undefined
}

const readOperator = (operator: unknown, report: FaultReport): FilterOperator | undefined => {
  if (operator === undefined || operator === null || operator === "") return report.add("required", "Required.")
  if (!isText(operator)) return report.add("invalid_type", "Expected text.", operator)
  return isOperator(operator)
    ? operator
    : report.add("invalid_enum", `Expected one of ${operatorNames.join(", ")}.`, operator)
}

/** Null when the filter has no unit. */
const readUnit = (unit: unknown, report: FaultReport): Unit | null | undefined => {
  if (unit === undefined || unit === null) return null
  if (!isText(unit)) return report.add("invalid_type", "Expected text.", unit)
  return units.find((each) => each === unit) ?? report.add("invalid_enum", `Expected one of ${units.join(", ")}.`, unit)
}

const readTest = (
  field: FilterField,
  operator: FilterOperator,
  given: Given,
  report: FaultReport
): Test | undefined => {
  const negated = isNegation(operator)
  switch (field.kind) {
    case "text": {
      if (!allows(field.kind, operator)) break
      const match = textOperators[operator](given, report)
      return match && { _tag: "Email", negated, match }
    }
    case "flag": {
      if (!allows(field.kind, operator)) break
      const is = readFlag(given.value, report.at("value"))
      return is === undefined ? undefined : { _tag: "Subscribed", is: is !== negated }
    }
    case "time": {
      if (!allows(field.kind, operator)) break
      const match = timeOperators[operator](given, report)
      return match && { _tag: "Time", field: field.name, negated, match }
    }
    case "json": {
      if (!allows(field.kind, operator)) break
      const match = jsonOperators[operator](given, report)
      if (match === undefined) return undefined
      const { of, path } = field
      // "Not equal to null" means present, and that test takes no negation.
      return negated && match._tag === "Missing"
        ? { _tag: "Json", of, path, negated: false, match: { _tag: "Present" } }
        : { _tag: "Json", of, path, negated, match }
    }
    case "history": {
      if (!allows(field.kind, operator)) break
      const match = historyOperators[operator](given, report)
      return match && { _tag: "History", event: field.event, match }
    }
    case "membership": {
      if (!allows(field.kind, operator)) break
      return { _tag: "Membership", segment: field.segment, member: operator === "memberOfSegment" }
    }
  }
  const possible = operatorNames.filter((each) => allows(field.kind, each)).join(", ")
  return report.at("operator").add("custom", `Not possible for this field, which takes ${possible}.`, operator)
}
