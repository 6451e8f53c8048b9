/** From a schema's issue to the entries of `errors[]` (contract 5.5). Needs `reportInput` to tell what was received. */

import { Fault } from "@posthorn/contract/Errors"
import { Option, Schema, SchemaAST, SchemaIssue } from "effect"

const maxFaults = 50
const describe = SchemaIssue.makeFormatterDefault()

/** A fault, and for a value outside a closed set what would have been in it; that part does not go out with it. */
export interface Finding extends Fault {
  readonly allowed?: ReadonlyArray<string>
}

/** Every fault of a request, at most 50. */
export const faultsOf = (issue: SchemaIssue.Issue): ReadonlyArray<Finding> => [...faults(issue, [])].slice(0, maxFaults)

function* faults(
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey>,
  check?: SchemaIssue.Filter
): Generator<Finding> {
  const field = path.join(".")
  switch (issue._tag) {
    case "Pointer":
      return yield* faults(issue.issue, [...path, ...issue.path], check)
    case "Encoding":
      return yield* faults(issue.issue, path, check)
    case "Filter":
      return yield* faults(issue.issue, path, issue)
    case "Composite":
      for (const each of issue.issues) yield* faults(each, path, check)
      return
    case "MissingKey":
      return yield { field, code: "required", message: "Required." }
    case "InvalidType":
      return yield {
        field,
        code: "invalid_type",
        // Of a whole body its schema has only a name, which says nothing to a caller.
        message: path.length === 0 ? "Expected an object." : expected(issue.ast),
        received: jsonType(issue.input)
      }
    case "AnyOf": {
      // One candidate means the type was clear: HttpApi wraps every payload in a union of one.
      const [only, ...others] = issue.issues
      if (only && others.length === 0) return yield* faults(only, path, check)
      const code = unionCode(issue.ast, issue.input)
      const received = code === "invalid_type" ? { received: jsonType(issue.input) } : receivedText(issue)
      const message = code === "invalid_union" ? "Fits none of the allowed forms." : expected(issue.ast)
      const allowed = code === "invalid_enum" ? { allowed: literals(issue.ast) } : {}
      return yield { field, code, message, ...received, ...allowed }
    }
    case "InvalidValue": {
      const message =
        issue.annotations?.message ?? describe(check ? new SchemaIssue.Filter(check.filter, issue) : issue)
      const code = codeOf(issue.annotations) ?? codeOf(check?.filter.annotations) ?? "invalid_string"
      return yield {
        field,
        code,
        message: sentence(message),
        ...(isWithheld(path) ? {} : received(code, SchemaIssue.hasInput(issue) ? issue : (check ?? issue)))
      }
    }
    default:
      return yield { field, code: "custom", message: sentence(describe(issue)) }
  }
}

/** A check of ours names its code in an annotation; those of the library are known by what they compare. */
const codeOf = (annotations: Schema.Annotations.Annotations | undefined): Fault["code"] | undefined => {
  const named = Schema.decodeUnknownOption(Fault.fields.code)(annotations?.["code"])
  if (Option.isSome(named)) return named.value
  const check = JSON.stringify(annotations?.["representation"]) ?? ""
  return /is(Min|Greater)/.test(check) ? "too_small" : /is(Max|Less)/.test(check) ? "too_big" : undefined
}

const literals = ({ types }: SchemaAST.Union): ReadonlyArray<string> =>
  types.flatMap((type) => (SchemaAST.isLiteral(type) ? [String(type.literal)] : []))

const unionCode = ({ types }: SchemaAST.Union, input: unknown): Fault["code"] =>
  types.every(SchemaAST.isLiteral)
    ? types.some(({ literal }) => typeof literal === typeof input)
      ? "invalid_enum"
      : "invalid_type"
    : types.filter((type) => !SchemaAST.isNull(type)).length === 1
      ? "invalid_type"
      : "invalid_union"

const expected = (ast: SchemaAST.AST): string => sentence(describe(new SchemaIssue.InvalidType(ast)))

const sentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`)

const jsonType = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)

/** Never repeated to the caller: bodies, attachments and secrets (contract 5.5). */
const withheld = new Set<PropertyKey>([
  "body",
  "content",
  "password",
  "currentPassword",
  "newPassword",
  "token",
  "secret"
])
const isWithheld = (path: ReadonlyArray<PropertyKey>) => withheld.has(path.at(-1) ?? "")

const received = (code: Fault["code"], issue: SchemaIssue.Issue): { readonly received?: string } =>
  code === "invalid_type" ? { received: jsonType(issue.input) } : receivedText(issue)

/** Scalars only: whole objects are never echoed. */
const receivedText = ({ input }: SchemaIssue.Issue): { readonly received?: string } =>
  input === undefined || typeof input === "object" ? {} : { received: [...String(input)].slice(0, 100).join("") }
