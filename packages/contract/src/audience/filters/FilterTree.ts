/** The grammar of all conditions on contacts: of segments, campaign audiences and workflow steps. */
import { Effect, Result, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { type Known, knownFields, type Open } from "../../platform/KnownFields.ts"
import type { FilterFault } from "./FilterFaults.ts"
import type { FilterPlace } from "./FilterFields.ts"
import { filterTreeShape } from "./FilterTreeShape.ts"
import type { FilterOperator, Logic, Unit } from "./Operators.ts"
import { parseTree } from "./ParseTree.ts"

/** `logic` combines the groups and defaults to AND. A tree without groups holds for every contact. */
export type FilterTree = {
  readonly logic?: Logic | null
  readonly groups: ReadonlyArray<FilterGroup>
}

/** All filters and the nested tree must hold. */
export type FilterGroup = {
  readonly filters?: ReadonlyArray<Filter> | null
  readonly conditions?: FilterTree | null
}

export type Filter = {
  readonly field: string
  readonly operator: FilterOperator
  readonly value?: Schema.Json
  readonly unit?: Unit | null
  /** On events only: tests that must all hold for the data of the same event. */
  readonly where?: ReadonlyArray<EventDataFilter> | null
}

/** `path` leads into the data of an event, as `data.<path>` leads into the data of a contact. */
export type EventDataFilter = {
  readonly path: string
  readonly operator: FilterOperator
  readonly value?: Schema.Json
  readonly unit?: Unit | null
}

/** The tree as the caller sent it, without unknown keys. */
export const knownTree = ({ logic, groups }: FilterTree): FilterTree => ({
  ...(logic !== undefined && { logic }),
  groups: groups.map(({ filters, conditions }) => ({
    ...(filters !== undefined && { filters: filters?.map(knownFilter) ?? null }),
    ...(conditions !== undefined && { conditions: conditions && knownTree(conditions) })
  }))
})

export const knownFilter = ({ field, where, ...comparison }: Filter): Filter => ({
  field,
  ...knownComparison(comparison),
  ...(where !== undefined && {
    where: where?.map(({ path, ...each }) => ({ path, ...knownComparison(each) })) ?? null
  })
})

const knownComparison = ({ operator, value, unit }: Omit<EventDataFilter, "path">): Omit<EventDataFilter, "path"> => ({
  operator,
  ...(value !== undefined && { value }),
  ...(unit !== undefined && { unit })
})

const issue = ({ path, code, message, received }: FilterFault): SchemaIssue.Issue =>
  new SchemaIssue.Pointer(
    path,
    new SchemaIssue.InvalidValue({ code, message }, received, { reportInput: received !== undefined })
  )

/** The fields of a filter tree, at any depth. */
export const knownTreeFields: Known = (() => {
  const tree = new Map<string, Known | Open>()
  const open = (...names: ReadonlyArray<string>) => names.map((name) => [name, "open"] as const)
  const where = { items: { fields: new Map(open("path", "operator", "value", "unit")) } }
  const fields = new Map<string, Known | Open>([...open("field", "operator", "value", "unit"), ["where", where]])
  const group = new Map<string, Known | Open>([
    ["filters", { items: { fields } }],
    ["conditions", { fields: tree }]
  ])
  tree.set("logic", "open").set("groups", { items: { fields: group } })
  return { fields: tree }
})()

/**
 * Parsed by hand, not by a recursive schema: the limits apply before the walk goes deeper, and each fault has its code.
 */
const treeIn = (place: FilterPlace, name: string, description: string) =>
  Schema.Json.check(Schema.makeFilter(() => true, { toJsonSchema: () => filterTreeShape(name) }))
    .annotate({ identifier: name, description, [knownFields]: knownTreeFields })
    .pipe(
      Schema.decodeTo(
        Schema.declare((_tree): _tree is FilterTree => true),
        SchemaTransformation.transformEffect<FilterTree, Schema.Json>({
          decode: (given) =>
            Result.match(parseTree(given, place), {
              onSuccess: () => Effect.succeed(knownTree(given as FilterTree)),
              onFailure: ([first, ...more]) =>
                Effect.fail(new SchemaIssue.Composite(Schema.Unknown.ast, [issue(first), ...more.map(issue)]))
            }),
          encode: Effect.succeed
        })
      )
    )

/** The condition of a segment, or of a campaign's audience. */
export const FilterTree = treeIn(
  "audience",
  "FilterTree",
  "A condition on contacts. At most 10 trees deep and 100 filters in all; lists have at most 1,000 entries, texts 1,000 characters."
)

/** A condition in a workflow. */
export const StepFilterTree = treeIn(
  "step",
  "StepFilterTree",
  "A condition as in a segment; `event.<key>` and `workflow.<key>` with a value operator are the variables of the execution."
)
