/**
 * The config of a CONDITION step, in three forms: one filter, a filter tree, or several branches, of
 * which the first that matches is taken. It is stored as the caller sent it. `parseCondition` turns it into conditions.
 */
import { Array, Effect, Predicate, Result, Schema, SchemaIssue, SchemaTransformation } from "effect"
import type { Condition } from "../../audience/filters/Condition.ts"
import { FaultReport, type FilterFault } from "../../audience/filters/FilterFaults.ts"
import {
  type Filter,
  type FilterTree,
  knownFilter,
  knownTree,
  knownTreeFields
} from "../../audience/filters/FilterTree.ts"
import { filterShape } from "../../audience/filters/FilterTreeShape.ts"
import { parseFilter } from "../../audience/filters/ParseFilter.ts"
import { parseTree } from "../../audience/filters/ParseTree.ts"
import type { Fault } from "../../platform/Errors.ts"
import { type Known, knownFields, type Open } from "../../platform/KnownFields.ts"

/** One filter, or a filter tree. */
export type SimpleCondition = Filter | { readonly condition: FilterTree }

export type ConditionBranch = { readonly id: string; readonly name?: string } & (
  | Omit<Filter, "field">
  | { readonly condition: FilterTree }
)

export type MultiCondition = {
  readonly mode: "multi"
  /** The field that branches without their own tree compare. */
  readonly field?: string
  readonly branches: ReadonlyArray<ConditionBranch>
}

export type ConditionConfig = SimpleCondition | MultiCondition

/** A valid CONDITION. `Multi` takes the first branch that matches, else `default`. */
export type StepCondition =
  | { readonly _tag: "Binary"; readonly condition: Condition }
  | { readonly _tag: "Multi"; readonly branches: Array.NonEmptyReadonlyArray<BranchCondition> }

export interface BranchCondition {
  readonly id: string
  readonly condition: Condition
}

const maxBranches = 20
const branchId = /^[A-Za-z0-9_-]{1,50}$/
const maxName = 100

/** Why a text cannot be the id of a branch. */
export const branchIdFault = (id: string): { readonly code: Fault["code"]; readonly message: string } | undefined => {
  if (!branchId.test(id)) return { code: "invalid_string", message: "1 to 50 letters, digits, _ or -." }
  if (id === "default") return { code: "custom", message: "`default` is reserved for contacts that match no branch." }
  return undefined
}

type Fields = { readonly [key: string]: unknown }

const isRecord = (value: unknown): value is Fields => Predicate.isObject(value) && !Array.isArray(value)

/** The condition, or all faults of its config. Paths start at the config. */
export const parseCondition = (
  config: unknown
): Result.Result<StepCondition, Array.NonEmptyReadonlyArray<FilterFault>> => {
  const report = new FaultReport()
  const read = readConfig(config, report)
  if (Array.isReadonlyArrayNonEmpty(report.faults)) return Result.fail(report.faults)
  return Result.fromNullishOr(read, () => [{ path: [], code: "invalid_type", message: "Expected an object." }] as const)
}

/** The branches of a stored config: the ids of its branches and `default`, or `yes` and `no`. */
export const conditionBranches = ({ mode, branches }: Schema.JsonObject): ReadonlyArray<string> =>
  mode === "multi" && Array.isArray(branches)
    ? [...branches.map((branch) => String((branch as ConditionBranch).id)), "default"]
    : ["yes", "no"]

const readConfig = (config: unknown, report: FaultReport): StepCondition | undefined => {
  if (!isRecord(config)) return report.add("invalid_type", "Expected an object.", config)
  const { mode = null } = config
  if (mode === "multi") return readMulti(config, report)
  if (mode !== null && mode !== "binary") {
    return report.at("mode").add("invalid_enum", "Expected one of binary, multi.", mode)
  }
  const condition = readSimple(config, report)
  return condition && { _tag: "Binary", condition }
}

const readSimple = (given: Fields, report: FaultReport): Condition | undefined => {
  const { condition = null } = given
  if (condition === null) return parseFilter(given, "step", report)
  return Result.match(parseTree(condition, "step"), {
    onSuccess: (read) => read,
    onFailure: (faults) => {
      for (const { path, code, message, received } of faults)
        report.at("condition", ...path).add(code, message, received)
      return undefined
    }
  })
}

const readMulti = ({ branches, field }: Fields, report: FaultReport): StepCondition | undefined => {
  const at = report.at("branches")
  if (branches === undefined || branches === null) return at.add("required", "Required.")
  if (!Array.isArray(branches)) return at.add("invalid_type", "Expected a list.", branches)
  if (branches.length === 0) return at.add("too_small", "At least one branch.")
  if (branches.length > maxBranches) return at.add("too_big", `At most ${maxBranches} branches.`)
  const ids = new Set<string>()
  const read = branches.flatMap((branch: unknown, n) => readBranch(branch, field, ids, report, n) ?? [])
  return Array.isArrayNonEmpty(read) ? { _tag: "Multi", branches: read } : undefined
}

const readBranch = (
  branch: unknown,
  field: unknown,
  ids: Set<string>,
  report: FaultReport,
  n: number
): BranchCondition | undefined => {
  const at = report.at("branches", n)
  if (!isRecord(branch)) return at.add("invalid_type", "Expected an object.", branch)
  const id = readId(branch["id"], ids, at.at("id"))
  readName(branch["name"], at.at("name"))
  // All branches share the field. Its faults are reported with the first branch that needs it.
  const needsField = (branch["condition"] ?? null) === null
  if (needsField && (field === undefined || field === null || field === "")) {
    return report.faults.some(({ path }) => path[0] === "field")
      ? undefined
      : report.at("field").add("required", "Required.")
  }
  const condition = readSimple(needsField ? { ...branch, field } : branch, at)
  return id !== undefined && condition !== undefined ? { id, condition } : undefined
}

const readId = (id: unknown, ids: Set<string>, report: FaultReport): string | undefined => {
  if (id === undefined || id === null || id === "") return report.add("required", "Required.")
  if (!Predicate.isString(id)) return report.add("invalid_type", "Expected text.", id)
  const fault = branchIdFault(id)
  if (fault !== undefined) return report.add(fault.code, fault.message, id)
  if (ids.has(id)) return report.add("custom", "Another branch has this id.", id)
  ids.add(id)
  return id
}

const readName = (name: unknown, report: FaultReport): void => {
  if (name === undefined || name === null) return
  if (!Predicate.isString(name)) report.add("invalid_type", "Expected text.", name)
  else if ([...name].length > maxName) report.add("too_big", `At most ${maxName} characters.`)
  else if (!/^[^\p{Cc}]*$/u.test(name)) report.add("invalid_string", "Must not contain control characters.")
}

const knownSimple = (simple: SimpleCondition): SimpleCondition =>
  "condition" in simple && simple.condition !== null
    ? { condition: knownTree(simple.condition) }
    : knownFilter(simple as Filter)

const withoutUnknownKeys = (config: ConditionConfig): ConditionConfig => {
  if (!("mode" in config) || config.mode !== "multi") return knownSimple(config as SimpleCondition)
  const field = config.field ?? undefined
  return {
    mode: "multi",
    ...(field !== undefined && { field }),
    branches: config.branches.map((branch) => {
      const { id, name } = branch
      const { field: _, ...simple } = knownSimple({ field: "", ...branch } as SimpleCondition) as Filter
      return { id, ...(name != null && { name }), ...simple }
    })
  }
}

const issue = ({ path, code, message, received }: FilterFault): SchemaIssue.Issue =>
  new SchemaIssue.Pointer(
    path,
    new SchemaIssue.InvalidValue({ code, message }, received, { reportInput: received !== undefined })
  )

const branchFields = { id: { type: "string", maxLength: 50 }, name: { type: "string", maxLength: maxName } }
const filterFields = filterShape.properties
const { field: _, ...comparison } = filterFields
const tree = { condition: { $ref: "#/components/schemas/StepFilterTree" } }

/** The config in the OpenAPI document. `parseCondition` decides what is accepted. */
const shape = {
  anyOf: [
    { ...filterShape, title: "One comparison" },
    { type: "object", title: "A condition", properties: tree, required: ["condition"] },
    {
      type: "object",
      title: "Several branches",
      properties: {
        mode: { type: "string", enum: ["multi"] },
        field: { ...filterFields.field, description: "The field that branches without their own condition compare." },
        branches: {
          type: "array",
          description: "The first branch that matches is taken, else `default`.",
          items: { type: "object", properties: { ...branchFields, ...comparison, ...tree }, required: ["id"] }
        }
      },
      required: ["mode", "branches"]
    }
  ]
}

const names = (properties: object, items?: Known) =>
  new Map<string, Known | Open>([
    ...Object.keys(properties).map((name) => [name, "open"] as const),
    ["condition", knownTreeFields],
    ...(items === undefined ? [] : [["branches", { items }] as const])
  ])

const configFields: Known = {
  fields: names({ mode: {}, ...filterFields }, { fields: names({ ...branchFields, ...comparison }) })
}

/** Parsed by hand, like a filter tree: limits apply before nested values are read, and each fault has its own code. */
export const ConditionConfig = Schema.Json.check(Schema.makeFilter(() => true, { toJsonSchema: () => shape }))
  .annotate({
    identifier: "ConditionConfig",
    description:
      "Config of a `CONDITION` step: one comparison or condition with the branches `yes` and `no`, or several branches.",
    [knownFields]: configFields
  })
  .pipe(
    Schema.decodeTo(
      Schema.declare((_config): _config is ConditionConfig => true),
      SchemaTransformation.transformEffect<ConditionConfig, Schema.Json>({
        decode: (given) =>
          Result.match(parseCondition(given), {
            onSuccess: () => Effect.succeed(withoutUnknownKeys(given as ConditionConfig)),
            onFailure: ([first, ...more]) =>
              Effect.fail(new SchemaIssue.Composite(Schema.Unknown.ast, [issue(first), ...more.map(issue)]))
          }),
        encode: (config) => Effect.succeed(config as Schema.Json)
      })
    )
  )
