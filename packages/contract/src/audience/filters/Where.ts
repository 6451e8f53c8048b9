/** Parses the tests of the data of an event: `where` of a filter on events, and of what a workflow waits for. */
import { Predicate } from "effect"
import type { JsonPath, ValueTest } from "./Condition.ts"
import type { FaultReport } from "./FilterFaults.ts"
import { jsonPath } from "./FilterFields.ts"
import { isSoundValue } from "./FilterValues.ts"
import { readJsonTest } from "./JsonOperators.ts"
import { allows, type OperatorOf, operatorNames, type Unit } from "./Operators.ts"
import { readName, readOperator, readUnit } from "./ReadFilter.ts"

const maxTests = 10

/** A test that compares with a variable of an execution. */
export interface VariableTest {
  readonly path: JsonPath
  readonly operator: OperatorOf<"json">
  readonly unit: Unit | undefined
  readonly from: JsonPath
}

export type EventTest = ValueTest | VariableTest

/** No tests if `where` is absent or null. */
export const readWhere = (given: unknown, report: FaultReport): ReadonlyArray<ValueTest> | undefined =>
  readEntries(given, report, readEntry)

/** The same with entries that have `valueFrom` in place of `value`, if `variables` allows them. */
export const readEventTests = (
  given: unknown,
  variables: boolean,
  report: FaultReport
): ReadonlyArray<EventTest> | undefined =>
  readEntries<EventTest>(given, report, (entry, at) => {
    const { valueFrom = null } = Predicate.isObject(entry) ? (entry as { readonly [key: string]: unknown }) : {}
    if (valueFrom === null) return readEntry(entry, at)
    return variables
      ? readVariableEntry(entry as object, valueFrom, at)
      : at.at("valueFrom").add("custom", "Only waits, goals and exit rules compare with variables of an execution.")
  })

const readEntries = <Test>(
  given: unknown,
  report: FaultReport,
  readOne: (entry: unknown, report: FaultReport) => Test | undefined
): ReadonlyArray<Test> | undefined => {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) return report.add("invalid_type", "Expected a list.", given)
  if (given.length === 0) return report.add("too_small", "At least one entry.")
  if (given.length > maxTests) return report.add("too_big", `At most ${maxTests} entries.`)
  const tests = given.map((entry: unknown, n) => readOne(entry, report.at(n)))
  return tests.every((test) => test !== undefined) ? tests : undefined
}

const readEntry = (given: unknown, report: FaultReport): ValueTest | undefined => {
  if (!Predicate.isObject(given) || Array.isArray(given)) {
    return report.add("invalid_type", "Expected an object.", given)
  }
  const { path, operator, value, unit } = given as { readonly [key: string]: unknown }
  const name = readName(path, report.at("path"))
  const asked = readOperator(operator, report.at("operator"))
  const inUnit = readUnit(unit, report.at("unit"))
  const isSound = isSoundValue(value, report.at("value"))
  if (name === undefined || asked === undefined || inUnit === undefined || !isSound) return undefined
  if (!allows("json", asked)) {
    const possible = operatorNames.filter((each) => allows("json", each)).join(", ")
    return report.at("operator").add("custom", `Not possible for the data of an event, which take ${possible}.`, asked)
  }
  return readJsonTest(jsonPath(name), asked, { value, unit: inUnit ?? undefined }, report)
}

/** A variable of an execution can have any value. Stands for it when an entry is checked. */
const standIns: { readonly [Operator in OperatorOf<"json">]?: unknown } = {
  in: ["x"],
  notIn: ["x"],
  between: [1, 1],
  within: 1,
  olderThan: 1
}

const variable = /^event\.(.+)$/s

const readVariableEntry = (given: object, valueFrom: unknown, report: FaultReport): VariableTest | undefined => {
  const { value, ...entry } = given as { readonly [key: string]: unknown }
  const from = readName(valueFrom, report.at("valueFrom"))
  const named = from === undefined ? undefined : variable.exec(from)?.[1]
  if (from !== undefined && named === undefined) {
    report.at("valueFrom").add("custom", "Names a variable of the execution: `event.<path>`.", valueFrom)
  }
  if (value !== undefined && value !== null) {
    report.at("valueFrom").add("custom", "Either `value` or `valueFrom`, not both.")
  }
  const operator = readOperator(entry["operator"], report.at("operator"))
  if (operator === undefined || !allows("json", operator)) {
    readEntry(entry, report)
    return undefined
  }
  if (operator === "exists" || operator === "notExists") {
    return report.at("valueFrom").add("custom", "The operator takes no value.")
  }
  const test = readEntry({ ...entry, value: standIns[operator] ?? "x" }, report)
  if (test === undefined || named === undefined) return undefined
  const unit = readUnit(entry["unit"], report.at("unit")) ?? undefined
  return { path: test.path, operator, unit, from: jsonPath(named) }
}
