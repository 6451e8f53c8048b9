/** Parses the expression in a tag with the Handlebars parser and checks it against the supported syntax. */
import { parseWithoutProcessing } from "@handlebars/parser"
import { Result } from "effect"
import { reservedKeys } from "../../audience/contacts/DataChange.ts"
import { closing } from "./TemplateTag.ts"
import {
  type BlockHelper,
  blocks,
  type Expression,
  type Helper,
  type HelperCall,
  helpers,
  type Literal,
  loopVariables,
  type Parameters,
  type Path,
  type Taken
} from "./TemplateTree.ts"

/** The subject of a block and its options. */
export interface BlockExpression {
  readonly block: BlockHelper
  readonly subject: Expression
  readonly options: Readonly<Record<string, Expression>>
}

/** The name of a partial and its parameters. */
export interface PartialExpression {
  readonly name: string
  readonly parameters: Parameters
}

/** Fails with a message for the author. */
export type Reading<A> = Result.Result<A, string>

/** What the parser makes of `../a.b`: `head` is missing from a path without a name, as `this`. */
interface PathExpression {
  readonly type: "PathExpression"
  readonly data: boolean
  readonly depth: number
  readonly head: string | undefined
  readonly tail: ReadonlyArray<string>
  readonly original: string
}

interface ParsedLiteral {
  readonly type: "StringLiteral" | "NumberLiteral" | "BooleanLiteral" | "NullLiteral" | "UndefinedLiteral"
  readonly value: Literal["value"] | undefined
  readonly original: Literal["value"] | undefined
}

type Parameter = PathExpression | ParsedLiteral

/** Paths of names, the most common expressions, need no parser. */
const plainPath = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/
const reserved = new Set(["this", "true", "false", "null", "undefined"])

export const plainVariable = (inner: string): Path | undefined => {
  const path = plainPathOf(inner)
  return path && { _tag: "Path", origin: "context", up: 0, keys: [path.head, ...path.tail] }
}

const plainPathOf = (text: string): (PathExpression & { readonly head: string }) | undefined => {
  if (!plainPath.test(text)) return undefined
  const [head = "", ...tail] = text.split(".")
  if (tail.length >= maxSegments || reserved.has(head) || tail.some((key) => reserved.has(key))) return undefined
  return { type: "PathExpression", data: false, depth: 0, head, tail, original: text }
}

/** A block or helper and its values, all of them paths of names. The parser reads a leading `else` as a tag of its own. */
const plainWords = (inner: string): Parsed | undefined => {
  const [path, ...params] = inner.split(/\s+/).map(plainPathOf)
  return path === undefined || path.head === "else" || !params.every((param) => param !== undefined)
    ? undefined
    : { path, params, hash: undefined }
}

export const readValue = (inner: string): Reading<Expression> =>
  Result.flatMap(parse(inner), (parsed): Reading<Expression> => {
    const { path, params, hash } = parsed
    if (!isPath(path)) {
      return Result.fail(`'${written(path)}' is no variable; a name like that is written {{[${written(path)}]}}.`)
    }
    if (params.length === 0 && hash === undefined) return readPath(path)
    const helper = nameOf(path)
    return isHelper(helper) ? readCall(parsed, helper) : Result.fail(notHelper(parsed))
  })

export const readBlock = (inner: string): Reading<BlockExpression> =>
  Result.flatMap(parse(inner), (parsed) => {
    const block = nameOf(parsed.path)
    if (!isBlock(block)) {
      return Result.fail(`There is no block '${written(parsed.path)}'; there are if, unless, each and with.`)
    }
    return Result.flatMap(readTaken(parsed, block, blocks[block]), ({ values: [subject], options }) =>
      subject === undefined ? Result.fail(takes(block, blocks[block])) : Result.succeed({ block, subject, options })
    )
  })

const partialName = /^([a-z0-9][a-z0-9-]{0,63})(?:\s+(.*))?$/s
const maxParameters = 20

/** What stands after `{{>`: a name, and `key=value` with a literal or a path. */
export const readPartial = (inner: string): Reading<PartialExpression> => {
  const [, name, rest = ""] = partialName.exec(inner) ?? []
  if (name === undefined) {
    return Result.fail(
      inner === ""
        ? "A partial is named: {{> name}}."
        : `'${excerpt(inner)}' is no name of a partial: 1 to 64 characters of a-z, 0-9 and -, then key=value.`
    )
  }
  if (rest === "") return Result.succeed({ name, parameters: [] })
  return Result.flatMap(parse(`partial ${rest}`), ({ params, hash }) => {
    const pairs = hash?.pairs ?? []
    if (params.length > 0) return Result.fail(`The parameters of a partial are written key=value.`)
    if (pairs.length > maxParameters) return Result.fail(`A partial takes at most ${maxParameters} parameters.`)
    const reserved = pairs.find(({ key }) => reservedKeys.has(key))
    if (reserved !== undefined) return Result.fail(`'${reserved.key}' is reserved, so it is no parameter of a partial.`)
    return Result.map(
      Result.all(
        pairs.map(({ key, value }) => Result.map(readParameter(value as Parameter), (read) => [key, read] as const))
      ),
      (parameters) => ({ name, parameters })
    )
  })
}

interface Parsed {
  readonly path: Parameter
  readonly params: ReadonlyArray<Parameter>
  readonly hash: { readonly pairs: ReadonlyArray<{ readonly key: string; readonly value: Parameter }> } | undefined
}

/** The blanks keep the parser from reading a sigil. Anything other than one plain mustache is rejected. */
const parse = (inner: string): Reading<Parsed> => {
  if (inner === "") return Result.fail("The placeholder is empty.")
  const refusal = refusalOf(inner)
  if (refusal !== undefined) return Result.fail(refusal)
  const plain = plainWords(inner)
  if (plain !== undefined) return Result.succeed(plain)
  const parsed = Result.try({
    try: () => parseWithoutProcessing(`{{ ${inner} }}`).body,
    catch: () => unreadable(inner)
  })
  return Result.flatMap(parsed, ([statement, ...more]) => {
    if (statement?.type !== "MustacheStatement" || more.length > 0) {
      return Result.fail(`'${excerpt(inner)}' is not one placeholder.`)
    }
    // Options without a value before them are an object.
    return statement.path.type === "HashLiteral" ? Result.fail(unreadable(inner)) : Result.succeed(statement)
  })
}

const maxSegments = 32
const maxUps = 16
const maxPairs = 64
const maxWords = 128

/**
 * The Handlebars parser takes quadratic time in the number of path steps, so they are counted before it runs. It reads
 * `a.#b` as the private field of a class, which no data has.
 */
const refusalOf = (inner: string): string | undefined => {
  let [segments, ups, pairs, words] = [1, 0, 0, 1]
  for (let at = 0; at < inner.length; at++) {
    const character = inner[at] ?? ""
    if (character === '"' || character === "'") at = Math.max(at, closing(inner, at, character))
    else if (character === "[") at = Math.max(at, closing(inner, at, "]"))
    else if (inner.startsWith("..", at)) {
      ups++
      at += inner[at + 2] === "/" ? 2 : 1
    } else if (inner.startsWith(".#", at)) return unreadable(inner)
    else if (character === "." || character === "/") segments++
    else if (character === "=" || character.trim() === "") {
      if (character === "=") pairs++
      else words++
      segments = 1
      ups = 0
    }
    if (segments > maxSegments) return `A path has more than ${maxSegments} segments.`
    if (ups > maxUps) return `A path has more than ${maxUps} steps of ../.`
    if (pairs > maxPairs) return `A placeholder has more than ${maxPairs} options.`
    if (words > maxWords + pairs) return `A placeholder has more than ${maxWords} values.`
  }
  return undefined
}

const unreadable = (inner: string): string => {
  if (/\sas\s*\|/.test(inner)) return "Block parameters are not part of the template language; use this and ../."
  const sentence = `'${excerpt(inner)}' cannot be read as a variable or a helper with its values.`
  return /\.\d/.test(inner) ? `${sentence} A number in a path is written in brackets: list.[0].` : sentence
}

const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}...` : text)

const written = (node: Parameter): string => excerpt(String(node.original))

const isPath = (node: Parameter): node is PathExpression => node.type === "PathExpression"

/** The name of a helper: one plain word, not `this.upper` or `../upper`. */
const nameOf = (node: Parameter): string =>
  isPath(node) && !node.data && node.depth === 0 && node.tail.length === 0 && node.original === node.head
    ? node.original
    : ""

const isHelper = (name: string): name is Helper => Object.hasOwn(helpers, name)
const isBlock = (name: string): name is BlockHelper => Object.hasOwn(blocks, name)

const notHelper = ({ path, params, hash }: Parsed): string => {
  const words = [path, ...params]
  const name = nameOf(path)
  const isName = hash === undefined && words.every(isPath) && !["lookup", "log"].includes(name)
  return `'${written(path)}' is not a helper of the template language.${
    isName ? ` A variable with a blank in its name is written {{[${words.map(written).join(" ")}]}}.` : ""
  }`
}

const takes = (name: string, { least, most }: Taken): string =>
  `'${name}' takes ${least === most ? least : `${least} or ${most}`} ${most === 1 ? "value" : "values"}.`

const readCall = (parsed: Parsed, helper: Helper): Reading<HelperCall> =>
  Result.map(readTaken(parsed, helper, helpers[helper]), (read) => ({ _tag: "Call", helper, ...read }))

const readTaken = (
  { params, hash }: Parsed,
  name: string,
  taken: Taken
): Reading<Pick<HelperCall, "values" | "options">> => {
  if (params.length < taken.least || params.length > taken.most) return Result.fail(takes(name, taken))
  const pairs = hash?.pairs ?? []
  const unknown = pairs.find(({ key }) => !taken.options.includes(key))
  if (unknown !== undefined) {
    const known = taken.options.length === 0 ? "it has none" : `it has ${taken.options.join(", ")}`
    return Result.fail(`'${name}' has no option '${excerpt(unknown.key)}'; ${known}.`)
  }
  return Result.all({
    values: Result.all(params.map(readParameter)),
    options: Result.all(Object.fromEntries(pairs.map(({ key, value }) => [key, readParameter(value as Parameter)])))
  })
}

const readParameter = (node: Parameter): Reading<Path | Literal> =>
  isPath(node) ? readPath(node) : Result.succeed({ _tag: "Literal", value: node.value ?? null })

const readPath = ({ data, depth, head, tail: keys, original }: PathExpression): Reading<Path> => {
  if (!data) {
    return Result.succeed({
      _tag: "Path",
      origin: "context",
      up: depth,
      keys: head === undefined ? [] : [head, ...keys]
    })
  }
  if (head === "root") return Result.succeed({ _tag: "Path", origin: "root", up: 0, keys })
  const origin = loopVariables.find((variable) => variable === head)
  return origin === undefined
    ? Result.fail(`There is no '${excerpt(original)}'; there are @root, @index, @key, @first and @last.`)
    : Result.succeed({ _tag: "Path", origin, up: depth, keys })
}
