/** Request bodies that contain a filter tree. For tests. */
import { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { Schema } from "effect"

export const Segmented = Schema.Struct({ condition: FilterTree })

export const treeOfDepth = (depth: number): unknown => {
  let tree: unknown = { groups: [] }
  for (let n = 1; n < depth; n++) tree = { groups: [{ conditions: tree }] }
  return tree
}
