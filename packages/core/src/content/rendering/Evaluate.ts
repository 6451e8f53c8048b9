/** The value of an expression: a literal, a variable, or a helper over them. */
import type { Schema } from "effect"
import { dateText } from "./DateText.ts"
import { numberText } from "./NumberText.ts"
import { encodeUrl, isEmpty, printed } from "./PrintedValue.ts"
import type { Expression, HelperCall, LoopVariable, Path } from "./TemplateTree.ts"

/** The scope of a block. `{{#each}}` and `{{#with}}` open a context. `{{#each}}` also opens a loop. */
export interface Scope {
  readonly context: Value
  readonly parent: Scope | undefined
  readonly loop: Loop | undefined
  /** The parameters of the partials around it that open no context of their own. They win over the context. */
  readonly parameters?: ReadonlyMap<string, Value> | undefined
  /** The paths that the parameters stand for, and the path of the context: only where missing variables are collected. */
  readonly parameterNames?: ReadonlyMap<string, string | undefined> | undefined
  readonly name?: string | undefined
}

export type Loop = { readonly parent: Loop | undefined } & { readonly [variable in LoopVariable]: Value }

/** A JSON value, or undefined if it is missing. */
export type Value = Schema.Json | undefined

export const evaluate = (expression: Expression, scope: Scope, root: Schema.JsonObject): Value => {
  switch (expression._tag) {
    case "Literal":
      return expression.value
    case "Path":
      return follow(expression, scope, root)
    case "Call":
      return call(expression, scope, root)
  }
}

const follow = (path: Path, scope: Scope, root: Schema.JsonObject): Value => {
  const [name] = path.keys
  if (path.origin === "context" && name !== undefined) {
    const parameters = above(scope, path.up)?.parameters
    if (parameters?.has(name)) return path.keys.slice(1).reduce(own, parameters.get(name))
  }
  let value = origin(path, scope, root)
  for (const key of path.keys) value = own(value, key)
  return value
}

const origin = ({ origin, up }: Path, scope: Scope, root: Schema.JsonObject): Value => {
  switch (origin) {
    case "root":
      return root
    case "context":
      return above(scope, up)?.context
    default:
      return above(scope.loop, up)?.[origin]
  }
}

export const above = <A extends { readonly parent: A | undefined }>(
  start: A | undefined,
  up: number
): A | undefined => {
  let place = start
  for (let i = 0; i < up && place !== undefined; i++) place = place.parent
  return place
}

/** Reads own properties of JSON values only, so that templates cannot reach prototypes or methods. */
const own = (value: Value, key: string): Value => {
  if (typeof value === "string") return key === "length" ? value.length : undefined
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Schema.JsonObject)[key]
}

const call = ({ helper, values, options }: HelperCall, scope: Scope, root: Schema.JsonObject): Value => {
  const [first, second] = values.map((value) => evaluate(value, scope, root))
  const option = (name: string) => {
    const given = options[name]
    return given && evaluate(given, scope, root)
  }
  const locale = () => option("locale") ?? own(root, "locale")
  switch (helper) {
    case "default":
      return isEmpty(first) ? second : first
    case "upper":
      return printed(first).toUpperCase()
    case "lower":
      return printed(first).toLowerCase()
    case "urlencode":
      return encodeUrl(printed(first))
    case "date":
      return dateText(first, second, { tz: option("tz"), locale: locale() })
    case "number":
      return numberText(first, { decimals: option("decimals"), currency: option("currency"), locale: locale() })
  }
}
