/** Parses the expression in a tag with the Handlebars parser and checks it against the supported syntax. */
import { Result } from "effect"
import Handlebars from "handlebars"
import { closing } from "./TemplateTag.ts"
import {
  type Block,
  blocks,
  type Call,
  type Expression,
  type Helper,
  helpers,
  type Literal,
  loopVariables,
  type Path,
  type Taken
} from "./TemplateTree.ts"

/** The subject of a block and its options. */
export interface BlockExpression {
  readonly block: Block
  readonly subject: Expression
  readonly options: Readonly<Record<string, Expression>>
}

/** Fails with a message for the author. */
export type Reading<A> = Result.Result<A, string>

type Parameter =
  | hbs.AST.PathExpression
  | hbs.AST.StringLiteral
  | hbs.AST.NumberLiteral
  | hbs.AST.BooleanLiteral
  | hbs.AST.NullLiteral
  | hbs.AST.UndefinedLiteral

/** A path of names, the most common expression, needs no parser. */
const plainPath = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/
const reserved = new Set(["this", "true", "false", "null", "undefined"])

export const plainVariable = (inner: string): Path | undefined => {
  if (!plainPath.test(inner)) return undefined
  const keys = inner.split(".")
  return keys.length > maxSegments || keys.some((key) => reserved.has(key))
    ? undefined
    : { _tag: "Path", origin: "context", up: 0, keys }
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

interface Parsed {
  readonly path: Parameter
  readonly params: ReadonlyArray<Parameter>
  readonly hash: hbs.AST.Hash | undefined
}

/** The blanks keep the parser from reading a sigil. Anything other than one plain mustache is rejected. */
const parse = (inner: string): Reading<Parsed> => {
  if (inner === "") return Result.fail("The placeholder is empty.")
  const excess = excessOf(inner)
  if (excess !== undefined) return Result.fail(excess)
  const parsed = Result.try({
    try: () => Handlebars.parseWithoutProcessing(`{{ ${inner} }}`).body,
    catch: () => unreadable(inner)
  })
  return Result.flatMap(parsed, ([statement, ...more]) =>
    statement?.type === "MustacheStatement" && more.length === 0
      ? Result.succeed(statement as hbs.AST.MustacheStatement as Parsed)
      : Result.fail(`'${excerpt(inner)}' is not one placeholder.`)
  )
}

const maxSegments = 32
const maxUps = 16
const maxPairs = 64
const maxWords = 128

/** The Handlebars parser takes quadratic time in the number of path steps, so they are counted before it runs. */
const excessOf = (inner: string): string | undefined => {
  let [segments, ups, pairs, words] = [1, 0, 0, 1]
  for (let at = 0; at < inner.length; at++) {
    const character = inner[at] ?? ""
    if (character === '"' || character === "'") at = Math.max(at, closing(inner, at, character))
    else if (character === "[") at = Math.max(at, closing(inner, at, "]"))
    else if (inner.startsWith("..", at)) {
      ups++
      at += inner[at + 2] === "/" ? 2 : 1
    } else if (character === "." || character === "/") segments++
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

const written = (node: Parameter): string =>
  excerpt("original" in node ? String(node.original) : node.type === "NullLiteral" ? "null" : "undefined")

const isPath = (node: Parameter): node is hbs.AST.PathExpression => node.type === "PathExpression"

/** The name of a helper: one plain word, not `this.upper` or `../upper`. */
const nameOf = (node: Parameter): string =>
  isPath(node) && !node.data && node.depth === 0 && node.parts.length === 1 && node.original === node.parts[0]
    ? node.original
    : ""

const isHelper = (name: string): name is Helper => Object.hasOwn(helpers, name)
const isBlock = (name: string): name is Block => Object.hasOwn(blocks, name)

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

const readCall = (parsed: Parsed, helper: Helper): Reading<Call> =>
  Result.map(readTaken(parsed, helper, helpers[helper]), (read) => ({ _tag: "Call", helper, ...read }))

const readTaken = ({ params, hash }: Parsed, name: string, taken: Taken): Reading<Pick<Call, "values" | "options">> => {
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
  isPath(node) ? readPath(node) : Result.succeed({ _tag: "Literal", value: "value" in node ? node.value : null })

const readPath = ({ data, depth, parts, original }: hbs.AST.PathExpression): Reading<Path> => {
  if (!data) return Result.succeed({ _tag: "Path", origin: "context", up: depth, keys: parts })
  const [name, ...keys] = parts
  if (name === "root") return Result.succeed({ _tag: "Path", origin: "root", up: 0, keys })
  const origin = loopVariables.find((variable) => variable === name)
  return origin === undefined
    ? Result.fail(`There is no '${excerpt(original)}'; there are @root, @index, @key, @first and @last.`)
    : Result.succeed({ _tag: "Path", origin, up: depth, keys })
}
