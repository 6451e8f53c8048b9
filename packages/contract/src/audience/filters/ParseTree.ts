/** Parses a whole filter tree into a condition, or into the list of its faults. */
import { Array, Predicate, Result } from "effect"
import type { Condition } from "./Condition.ts"
import { FaultReport, type FilterFault } from "./FilterFaults.ts"
import type { FilterPlace } from "./FilterFields.ts"
import { logics } from "./Operators.ts"
import { parseFilter } from "./ParseFilter.ts"

const maxDepth = 10
const maxFilters = 100
/** A limit, because even a group without filters takes time. */
const maxGroups = 1000

/** Reports every fault, up to 50. The walk is bounded at each level, for any input. */
export const parseTree = (
  tree: unknown,
  place: FilterPlace
): Result.Result<Condition, Array.NonEmptyReadonlyArray<FilterFault>> => {
  const report = new FaultReport()
  const condition = new TreeReader(place).tree(tree, 1, report)
  if (Array.isReadonlyArrayNonEmpty(report.faults)) return Result.fail(report.faults)
  // A reader that returned nothing has reported a fault.
  return Result.succeed(condition ?? everyone)
}

/** Holds for every contact. */
export const everyone: Condition = { _tag: "AllOf", conditions: [] }

class TreeReader {
  private filters = 0
  private groups = 0
  private readonly place: FilterPlace

  constructor(place: FilterPlace) {
    this.place = place
  }

  tree(given: unknown, depth: number, report: FaultReport): Condition | undefined {
    if (!isRecord(given)) return report.add("invalid_type", "Expected an object with groups.", given)
    if (depth > maxDepth) return report.add("too_big", `Must not be nested deeper than ${maxDepth} trees.`)
    const { logic = null, groups = null } = given
    if (logic !== null && !logics.some((each) => each === logic)) {
      const code = Predicate.isString(logic) ? "invalid_enum" : "invalid_type"
      report.at("logic").add(code, `Expected one of ${logics.join(", ")}.`, logic)
    }
    const conditions = this.list(groups, report.at("groups"), (group, at) => this.group(group, depth, at))
    if (conditions === undefined) return groups === null ? report.at("groups").add("required", "Required.") : undefined
    return { _tag: logic === "OR" && conditions.length > 0 ? "AnyOf" : "AllOf", conditions }
  }

  private group(given: unknown, depth: number, report: FaultReport): Condition | undefined {
    if (++this.groups > maxGroups) return report.add("too_big", `At most ${maxGroups} groups in all.`)
    if (!isRecord(given)) return report.add("invalid_type", "Expected an object.", given)
    const { filters = null, conditions = null } = given
    if (conditions === null && (filters === null || (globalThis.Array.isArray(filters) && filters.length === 0))) {
      return report.add("too_small", "A group needs a filter or a nested tree.")
    }
    const tests = this.list(filters ?? [], report.at("filters"), (filter, at) => this.filter(filter, at))
    if (tests === undefined || conditions === null) return tests && { _tag: "AllOf", conditions: tests }
    const nested = this.tree(conditions, depth + 1, report.at("conditions"))
    return nested && { _tag: "AllOf", conditions: [...tests, nested] }
  }

  private filter(given: unknown, report: FaultReport): Condition | undefined {
    if (++this.filters > maxFilters) return report.add("too_big", `At most ${maxFilters} filters in all.`)
    if (!isRecord(given)) return report.add("invalid_type", "Expected an object.", given)
    return parseFilter(given, this.place, report)
  }

  /** Stops when further entries could only repeat the same fault. */
  private list(
    given: unknown,
    report: FaultReport,
    entry: (given: unknown, report: FaultReport) => Condition | undefined
  ): ReadonlyArray<Condition> | undefined {
    if (given === null) return undefined
    if (!Array.isArray(given)) return report.add("invalid_type", "Expected a list.", given)
    const conditions: Array<Condition> = []
    for (const [n, each] of given.entries()) {
      const condition = entry(each, report.at(n))
      if (condition !== undefined) conditions.push(condition)
      if (report.isFull || this.filters > maxFilters || this.groups > maxGroups) break
    }
    return conditions
  }
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  Predicate.isObject(value) && !Array.isArray(value)
