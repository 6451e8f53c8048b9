/** Parses one filter, `{field, operator, value?, unit?, where?}`, into a test. */
import { readChoices } from "./ChoiceOperators.ts"
import type { Test } from "./Condition.ts"
import type { FaultReport } from "./FilterFaults.ts"
import { type FilterField, type FilterPlace, filterField } from "./FilterFields.ts"
import { type Given, isSoundValue, readFlag } from "./FilterValues.ts"
import { historyOperators } from "./HistoryOperators.ts"
import { idOperators } from "./IdOperators.ts"
import { readJsonTest } from "./JsonOperators.ts"
import { momentOperators } from "./MomentOperators.ts"
import { allows, type FilterOperator, isNegation, operatorNames } from "./Operators.ts"
import { readName, readOperator, readUnit } from "./ReadFilter.ts"
import { textOperators } from "./TextOperators.ts"
import { timeOperators } from "./TimeOperators.ts"
import { readWhere } from "./Where.ts"

export const parseFilter = (filter: object, place: FilterPlace, report: FaultReport): Test | undefined => {
  const { field, operator, value, unit, where } = filter as { readonly [key: string]: unknown }
  const name = readName(field, report.at("field"))
  const asked = readOperator(operator, report.at("operator"))
  const inUnit = readUnit(unit, report.at("unit"))
  const isSound = isSoundValue(value, report.at("value"))
  if (name === undefined || asked === undefined || inUnit === undefined || !isSound) return undefined
  const found = filterField(name, asked, place, report.at("field"))
  if (found === undefined) return undefined
  const given = { value, unit: inUnit ?? undefined }
  if (found.kind === "history" && allows(found.kind, asked)) {
    const tests = readWhere(where, report.at("where"))
    const match = historyOperators[asked](given, report)
    return match && tests && { _tag: "History", event: found.event, where: tests, match }
  }
  if (where !== undefined && where !== null) {
    return report.at("where").add("custom", "Only a filter on events takes `where`.")
  }
  return readTest(found, asked, given, report)
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
      if (is === undefined) return undefined
      const { topic } = field
      return topic === undefined
        ? { _tag: "Subscribed", is: is !== negated }
        : { _tag: "TakesTopic", topic, is: is !== negated }
    }
    case "id": {
      if (!allows(field.kind, operator)) break
      const match = idOperators[operator](given, report)
      return match && { _tag: "ExternalId", negated, match }
    }
    case "moment": {
      if (!allows(field.kind, operator)) break
      const match = momentOperators[operator](given, report)
      return match && { _tag: "SnoozedUntil", negated, match }
    }
    case "choice": {
      if (!allows(field.kind, operator)) break
      const oneOf = readChoices(field.of, operator, given, report)
      return oneOf && { _tag: "Choice", of: field.of, oneOf, negated }
    }
    case "time": {
      if (!allows(field.kind, operator)) break
      const match = timeOperators[operator](given, report)
      return match && { _tag: "Time", field: field.name, negated, match }
    }
    case "json": {
      if (!allows(field.kind, operator)) break
      const test = readJsonTest(field.path, operator, given, report)
      return test && { _tag: "Json", of: field.of, ...test }
    }
    case "history":
      break
    case "membership": {
      if (!allows(field.kind, operator)) break
      return { _tag: "Membership", segment: field.segment, member: operator === "memberOfSegment" }
    }
  }
  const possible = operatorNames.filter((each) => allows(field.kind, each)).join(", ")
  return report.at("operator").add("custom", `Not possible for this field, which takes ${possible}.`, operator)
}
