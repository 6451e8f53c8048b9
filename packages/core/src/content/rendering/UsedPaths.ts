/** Lists the variables that a text reads, with those of its partials and its layout. Pure. */
import type { Scope } from "./Evaluate.ts"
import { contentName, type Linked } from "./Partials.ts"
import { nameOfPath } from "./Render.ts"
import type { Expression, Node, PartialNode } from "./TemplateTree.ts"

/** Of nodes that are visited, of partials that are entered, and of names. */
const maxNodes = 100_000
const maxInsertions = 1_000
const maxNames = 1_000

const top: Scope = { context: undefined, parent: undefined, loop: undefined, name: "" }

/** Paths in the order of the text: `order.total`, and `items[].name` in a loop. At most 1,000. */
export const usedPaths = (linked: Linked): ReadonlyArray<string> => {
  const walk = new Walk(linked)
  walk.nodes(linked.root.nodes, top)
  return [...walk.names]
}

class Walk {
  readonly names = new Set<string>()
  private visited = 0
  private insertions = 0
  private readonly linked: Linked

  constructor(linked: Linked) {
    this.linked = linked
  }

  nodes(nodes: ReadonlyArray<Node>, scope: Scope): void {
    for (const node of nodes) {
      if (++this.visited > maxNodes || this.names.size >= maxNames) return
      if (node._tag === "Value") this.read(node.expression, scope)
      if (node._tag === "Partial") this.partial(node, scope)
      if (node._tag !== "Block") continue
      this.read(node.subject, scope)
      if (node.includeZero !== undefined) this.read(node.includeZero, scope)
      this.nodes(node.body, inside(node, scope))
      this.nodes(node.otherwise, scope)
    }
  }

  private read(expression: Expression, scope: Scope): void {
    if (expression._tag === "Path") {
      const name = nameOfPath(expression, scope)
      if (name !== undefined && name !== "") this.names.add(name)
    } else if (expression._tag === "Call") {
      for (const each of [...expression.values, ...Object.values(expression.options)]) this.read(each, scope)
    }
  }

  private partial({ name, parameters }: PartialNode, scope: Scope): void {
    if (++this.insertions > maxInsertions) return
    if (name === contentName) this.nodes(this.linked.content?.nodes ?? [], top)
    else this.nodes(this.linked.partials.get(name)?.nodes ?? [], this.with(parameters, scope))
  }

  private with(parameters: PartialNode["parameters"], scope: Scope): Scope {
    if (parameters.length === 0) return scope
    const names = new Map(scope.parameterNames)
    for (const [parameter, value] of parameters) {
      names.set(parameter, value._tag === "Path" ? nameOfPath(value, scope) : undefined)
    }
    const values = new Map([...names.keys()].map((parameter) => [parameter, undefined] as const))
    return { ...scope, parameters: values, parameterNames: names }
  }
}

/** The scope in the body of a block. A context that is no path of the variables has no name. */
const inside = ({ block, subject }: Extract<Node, { readonly _tag: "Block" }>, scope: Scope): Scope => {
  if (block !== "each" && block !== "with") return scope
  const name = subject._tag === "Path" ? nameOfPath(subject, scope) : undefined
  return {
    context: undefined,
    parent: scope,
    loop: undefined,
    name: name === undefined || block === "with" ? name : `${name}[]`
  }
}
