/** Finds the contact fields that a text can print, so that only these must be stored to print it again. Pure. */
import type { ParsedTemplate } from "./Template.ts"
import type { Expression, Node } from "./TemplateTree.ts"

/**
 * Names of top-level fields, possibly including names that are not fields. Undefined means that any field may be
 * printed.
 */
export const variablesUsed = ({ nodes }: Pick<ParsedTemplate, "nodes">): ReadonlySet<string> | undefined => {
  const names = new Set<string>()
  for (const { path, depth } of pathsIn(nodes, 0)) {
    if (path.origin !== "context" && path.origin !== "root") continue
    const [first, second] = path.keys
    // The whole context of a block is a value of its subject.
    if (first === undefined && path.origin === "context" && path.up < depth) continue
    // `data` is the object of all fields, and another path without keys can be any value in scope.
    const name = first === "data" ? second : first
    if (name === undefined) return undefined
    names.add(name)
    if (first !== undefined) names.add(first)
  }
  return names
}

interface UsedPath {
  readonly path: Extract<Expression, { readonly _tag: "Path" }>
  /** The number of blocks around it that open a context. */
  readonly depth: number
}

function* pathsIn(nodes: ReadonlyArray<Node>, depth: number): Generator<UsedPath> {
  for (const node of nodes) {
    if (node._tag === "Value") yield* pathsOf(node.expression, depth)
    if (node._tag === "Partial") for (const [, value] of node.parameters) yield* pathsOf(value, depth)
    if (node._tag !== "Block") continue
    yield* pathsOf(node.subject, depth)
    if (node.includeZero !== undefined) yield* pathsOf(node.includeZero, depth)
    yield* pathsIn(node.body, node.block === "each" || node.block === "with" ? depth + 1 : depth)
    yield* pathsIn(node.otherwise, depth)
  }
}

function* pathsOf(expression: Expression, depth: number): Generator<UsedPath> {
  if (expression._tag === "Path") yield { path: expression, depth }
  if (expression._tag !== "Call") return
  for (const value of [...expression.values, ...Object.values(expression.options)]) yield* pathsOf(value, depth)
}
