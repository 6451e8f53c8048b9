/** Finds the contact fields that a text can print, so that only these must be stored to print it again. Pure. */
import type { ParsedTemplate } from "./Template.ts"
import type { Expression, Node } from "./TemplateTree.ts"

/**
 * Names of top-level fields, possibly including names that are not fields. Undefined means that any field may be
 * printed.
 */
export const variablesUsed = ({ nodes }: Pick<ParsedTemplate, "nodes">): ReadonlySet<string> | undefined => {
  const names = new Set<string>()
  for (const path of pathsIn(nodes)) {
    if (path.origin !== "context" && path.origin !== "root") continue
    const [first, second] = path.keys
    // `data` is the object of all fields, and a path without keys can be any value in scope.
    const name = first === "data" ? second : first
    if (name === undefined) return undefined
    names.add(name)
    if (first !== undefined) names.add(first)
  }
  return names
}

type Path = Extract<Expression, { readonly _tag: "Path" }>

function* pathsIn(nodes: ReadonlyArray<Node>): Generator<Path> {
  for (const node of nodes) {
    if (node._tag === "Value") yield* pathsOf(node.expression)
    if (node._tag === "Partial") for (const [, value] of node.parameters) yield* pathsOf(value)
    if (node._tag !== "Block") continue
    yield* pathsOf(node.subject)
    if (node.includeZero !== undefined) yield* pathsOf(node.includeZero)
    yield* pathsIn(node.body)
    yield* pathsIn(node.otherwise)
  }
}

function* pathsOf(expression: Expression): Generator<Path> {
  if (expression._tag === "Path") yield expression
  if (expression._tag !== "Call") return
  for (const value of [...expression.values, ...Object.values(expression.options)]) yield* pathsOf(value)
}
