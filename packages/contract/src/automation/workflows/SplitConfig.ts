/** The config of a SPLIT step: branches with shares of the contacts. */
import { Schema, SchemaIssue } from "effect"
import { described, isLength, isOneLine, Name, optional, required } from "../../platform/Primitives.ts"
import { branchIdFault } from "./ConditionConfig.ts"
import { ExperimentRules } from "./SplitExperiment.ts"

const fault = (path: ReadonlyArray<string | number>, code: string, message: string): Schema.FilterIssue => ({
  path,
  issue: new SchemaIssue.InvalidValue({ code, message })
})

/** Shares have two decimals, so sums are exact in hundredths. */
const hundredths = (share: number): number => Math.round(share * 100)

const Share = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(0.01, { message: "At least 0.01." }).abort(),
  Schema.isLessThanOrEqualTo(100, { message: "At most 100." }).abort(),
  Schema.makeFilter(
    (share: number) =>
      Math.abs(share * 100 - hundredths(share)) < 1e-6 ||
      new SchemaIssue.InvalidValue({ code: "custom", message: "At most two decimals." })
  )
)

const BranchId = Schema.String.check(
  isLength(1, 50),
  Schema.makeFilter((id: string) => {
    const found = branchIdFault(id)
    return found === undefined || new SchemaIssue.InvalidValue(found)
  })
)

const SplitBranch = Schema.Struct({
  id: required(BranchId).pipe(described("1 to 50 letters, digits, `_` or `-`. Not `default`.")),
  name: optional(Name(100)),
  share: required(Share).pipe(described("Percentage of the contacts, with at most two decimals."))
})

function* branchFaults(branches: ReadonlyArray<typeof SplitBranch.Type>): Generator<Schema.FilterIssue> {
  const ids = new Set<string>()
  for (const [at, { id }] of branches.entries()) {
    if (ids.has(id)) yield fault([at, "id"], "custom", "Another branch has this id.")
    ids.add(id)
  }
  const sum = branches.reduce((total, { share }) => total + hundredths(share), 0)
  if (sum !== 10_000) yield fault([], "custom", `The shares are ${sum / 100} in all, not 100.`)
}

export const SplitConfig = Schema.Struct({
  branches: required(
    Schema.Array(SplitBranch).check(
      Schema.isMinLength(2, { code: "too_small", message: "At least 2 branches." }).abort(),
      Schema.isMaxLength(10, { code: "too_big", message: "At most 10 branches." }).abort(),
      Schema.makeFilter((branches) => [...branchFaults(branches)])
    )
  ).pipe(described("2 to 10 branches, whose shares are 100 in all.")),
  salt: optional(Schema.String.check(isLength(1, 100), isOneLine)).pipe(
    described(
      "Steps with the same salt agree on the share of a contact, also across workflows. Default: the step's own."
    )
  ),
  experiment: optional(ExperimentRules).annotateKey({
    description: "Compares the branches. A better one then takes every contact."
  })
}).annotate({
  identifier: "SplitConfig",
  description:
    "Config of a `SPLIT` step. A contact always takes the same branch. A branch without a transition completes the execution."
})
export type SplitConfig = typeof SplitConfig.Type

/** The branches of a stored config. */
export const splitBranches = ({ branches }: Schema.JsonObject): ReadonlyArray<string> =>
  Array.isArray(branches) ? branches.map((branch) => String((branch as SplitConfig["branches"][number]).id)) : []
