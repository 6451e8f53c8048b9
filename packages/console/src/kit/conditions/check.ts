/** What a condition lacks before the service can read it, and whether a JSON text is a condition. */
import type { FilterTree } from "@posthorn/client/session"
import { allOperators, filterOfTest, shapeOf, type TreeFilter, type TreeGroup, treeUnits } from "./grammar.ts"

/** `field` is a path from the root of the tree, as in the faults of the service: `groups.0.filters.1.value`. */
export interface Gap {
  readonly field: string
  readonly code: "field" | "value" | "amount" | "order" | "empty"
}

const isMissing = (value: unknown) => value === undefined || value === ""

const isAmount = (value: unknown) => {
  const amount = typeof value === "string" ? Number(value) : value
  return typeof amount === "number" && amount > 0 && amount <= 100_000
}

const gapsInValue = ({ operator, value }: TreeFilter, at: string): ReadonlyArray<Gap> => {
  const gap = (code: Gap["code"]): ReadonlyArray<Gap> => [{ field: `${at}.value`, code }]
  switch (shapeOf(operator)) {
    case "one":
      return isMissing(value) ? gap("value") : []
    case "list":
      return Array.isArray(value) && value.length > 0 ? [] : gap("value")
    case "pair": {
      const [low, high] = Array.isArray(value) ? value : []
      if (isMissing(low) || isMissing(high)) return gap("value")
      return typeof low === typeof high && low > high ? gap("order") : []
    }
    case "span":
      return isAmount(value) ? [] : gap("amount")
    case "countWithin":
      return isAmount(isRecord(value) ? value["amount"] : value) ? [] : gap("amount")
    default:
      return []
  }
}

const gapsInFilter = (filter: TreeFilter, at: string): ReadonlyArray<Gap> => [
  ...(/^(?:|data\.|event\.|segment\.|workflow\.)$/.test(filter.field.replace(/^contact\./, ""))
    ? [{ field: `${at}.field`, code: "field" as const }]
    : []),
  ...gapsInValue(filter, at),
  ...(filter.where ?? []).flatMap((test, n) => [
    ...(test.path.trim() === "" ? [{ field: `${at}.where.${n}.path`, code: "field" as const }] : []),
    ...gapsInValue(filterOfTest(test), `${at}.where.${n}`)
  ])
]

const gapsInGroup = ({ filters, conditions }: TreeGroup, at: string): ReadonlyArray<Gap> => {
  if ((filters?.length ?? 0) === 0 && !conditions) return [{ field: at, code: "empty" }]
  return [
    ...(filters ?? []).flatMap((filter, n) => gapsInFilter(filter, `${at}.filters.${n}`)),
    ...(conditions ? gapsIn(conditions, `${at}.conditions.`) : [])
  ]
}

/** In the order in which a person reads them. */
export const gapsIn = (tree: FilterTree, prefix = ""): ReadonlyArray<Gap> =>
  tree.groups.flatMap((group, n) => gapsInGroup(group, `${prefix}groups.${n}`))

export const maxDepth = 10

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isListOf = (value: unknown, check: (entry: unknown) => boolean) =>
  value === undefined || value === null || (Array.isArray(value) && value.every(check))

/** An operator with a unit, of a filter or a test. */
const isComparison = (value: { readonly [key: string]: unknown }) =>
  allOperators.some((each) => each === value["operator"]) &&
  (value["unit"] === undefined || value["unit"] === null || treeUnits.some((each) => each === value["unit"]))

const isTest = (value: unknown) => isRecord(value) && typeof value["path"] === "string" && isComparison(value)

const isFilter = (value: unknown) =>
  isRecord(value) && typeof value["field"] === "string" && isComparison(value) && isListOf(value["where"], isTest)

/** Whether the form can show the value. The service checks the rest. */
export const isTree = (value: unknown, depth = 1): value is FilterTree =>
  isRecord(value) &&
  depth <= maxDepth &&
  [undefined, null, "AND", "OR"].some((each) => each === value["logic"]) &&
  Array.isArray(value["groups"]) &&
  value["groups"].every(
    (group) =>
      isRecord(group) &&
      isListOf(group["filters"], isFilter) &&
      (group["conditions"] === undefined || group["conditions"] === null || isTree(group["conditions"], depth + 1))
  )
