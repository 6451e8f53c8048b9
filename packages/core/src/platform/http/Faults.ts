/** Turns the issue of a schema into the entries of `errors[]`. Needs `reportInput` to show what was received. */

import { Fault } from "@posthorn/contract/platform/Errors"
import { Option, Schema, SchemaAST, SchemaIssue } from "effect"

const maxFaults = 50
const describe = SchemaIssue.makeFormatterDefault()

/** A fault, and the allowed values for a value outside a closed set. The response does not contain `allowed`. */
export interface FaultWithAllowed extends Fault {
  readonly allowed?: ReadonlyArray<string>
}

/** All faults of a request, at most 50. */
export const faultsOf = (issue: SchemaIssue.Issue): ReadonlyArray<FaultWithAllowed> =>
  [...faults(issue, [])].slice(0, maxFaults)

function* faults(
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey>,
  check?: SchemaIssue.Filter
): Generator<FaultWithAllowed> {
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
        // For the whole body the schema has only a name, which does not help a caller.
        message: path.length === 0 ? "Expected an object." : expected(issue.ast),
        received: jsonType(issue.input)
      }
    case "AnyOf": {
      // HttpApi wraps every payload in a union of one member.
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

/** The annotation of our checks has the code. Checks of the library are recognised by what they compare. */
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

/** Never echoed to the caller: bodies, attachments and secrets. */
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

/** Scalars only. Whole objects are never echoed. */
const receivedText = ({ input }: SchemaIssue.Issue): { readonly received?: string } =>
  input === undefined || typeof input === "object"
    ? {}
    : { received: [...String(input).slice(0, 200)].slice(0, 100).join("") }
