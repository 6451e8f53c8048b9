/** Which events of a name count: those with certain data, and opens and clicks of people or machines. */
import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import type { JsonPath, ValueTest } from "../../audience/filters/Condition.ts"
import { FaultReport, type FilterFault } from "../../audience/filters/FilterFaults.ts"
import { eventTestShape } from "../../audience/filters/FilterTreeShape.ts"
import { readJsonTest } from "../../audience/filters/JsonOperators.ts"
import type { FilterOperator, Unit } from "../../audience/filters/Operators.ts"
import { type EventTest, readEventTests } from "../../audience/filters/Where.ts"
import { type Known, knownFields } from "../../platform/KnownFields.ts"
import { optional } from "../../platform/Primitives.ts"

/** One entry of `where`, as it is stored. */
export type WhereEntry = {
  readonly path: string
  readonly operator: FilterOperator
  readonly value?: Schema.Json
  readonly valueFrom?: string
  readonly unit?: Unit
}

/** Events of one name that count. */
export interface EventMatch {
  readonly eventName: string
  readonly where?: ReadonlyArray<WhereEntry> | null
  readonly verdict?: EventVerdict | null
}

export const EventVerdict = Schema.Literals(["human", "machine", "any"])
export type EventVerdict = typeof EventVerdict.Type

const judged: ReadonlySet<string> = new Set(["email.open", "email.click"])

/** Whether the service judges if a person or a machine caused events of this name. */
export const isJudged = (eventName: string): boolean => judged.has(eventName)

/** The tests of `where`. Empty if it is not a valid one. */
const testsIn = (where: unknown): ReadonlyArray<EventTest> => readEventTests(where, true, new FaultReport()) ?? []

const allTests = ({ eventName, where, verdict }: EventMatch): ReadonlyArray<EventTest> => {
  const tests = testsIn(where)
  const isOpen = verdict === "any" || !isJudged(eventName) || tests.some(({ path }) => path.key === "verdict")
  if (isOpen) return tests
  return [...tests, ...testsIn([{ path: "verdict", operator: "equals", value: verdict ?? "human" }])]
}

/**
 * The tests that the data of an event must pass, with the values of variables. Undefined if no event can pass them: a
 * variable is missing, or its value cannot be compared.
 */
export const testsOf = (
  match: EventMatch,
  variable: (path: JsonPath) => Schema.Json | undefined
): ReadonlyArray<ValueTest> | undefined => {
  const tests = allTests(match).map((test) => {
    if (!("from" in test)) return test
    const value = variable(test.from) ?? null
    return value === null
      ? undefined
      : readJsonTest(test.path, test.operator, { value, unit: test.unit }, new FaultReport())
  })
  return tests.every((test) => test !== undefined) ? tests : undefined
}

const issue = ({ path, code, message, received }: FilterFault): SchemaIssue.Issue =>
  new SchemaIssue.Pointer(
    path,
    new SchemaIssue.InvalidValue({ code, message }, received, { reportInput: received !== undefined })
  )

const known: Known = {
  items: {
    fields: new Map(["path", "operator", "value", "valueFrom", "unit"].map((name) => [name, "open" as const]))
  }
}

const stored = ({ path, operator, value, valueFrom, unit }: { readonly [key: string]: unknown }): WhereEntry =>
  ({
    path,
    operator,
    ...(valueFrom == null ? value !== undefined && { value } : { valueFrom }),
    ...(unit != null && { unit })
  }) as WhereEntry

/** Parsed by hand, as in filters: each fault has its own code and place. */
const whereOf = (variables: boolean) =>
  // Null means absent, and `optional` decodes it.
  Schema.Json.check(Schema.makeFilter((given) => given !== null, { toJsonSchema: () => eventTestShape(variables) }))
    .annotate({ [knownFields]: known })
    .pipe(
      Schema.decodeTo(
        Schema.declare((_where): _where is ReadonlyArray<WhereEntry> => true),
        SchemaTransformation.transformEffect<ReadonlyArray<WhereEntry>, Schema.Json>({
          decode: (given) => {
            const report = new FaultReport()
            readEventTests(given, variables, report)
            const [first, ...more] = report.faults
            return first === undefined
              ? Effect.succeed((given as ReadonlyArray<{ readonly [key: string]: unknown }>).map(stored))
              : Effect.fail(new SchemaIssue.Composite(Schema.Unknown.ast, [issue(first), ...more.map(issue)]))
          },
          encode: (where) => Effect.succeed<Schema.Json>(where)
        })
      )
    )

const verdictText =
  "Only for `email.open` and `email.click`: whether those of people count (`human`, the default), of machines (`machine`), or all (`any`)."

const verdict = optional(EventVerdict.annotate({ description: verdictText }))

/** Fields beside the name of the event, where no execution has started yet. */
export const startFields = { where: optional(whereOf(false)), verdict }

/** Fields beside the name of the event, of an execution: entries may compare with its variables. */
export const executionFields = { where: optional(whereOf(true)), verdict }

/** A verdict is for opens and clicks only. */
export const verdictFaults = ({
  eventName,
  verdict
}: {
  readonly eventName?: string | null
  readonly verdict?: EventVerdict | null
}): ReadonlyArray<Schema.FilterIssue> =>
  verdict == null || eventName == null || isJudged(eventName)
    ? []
    : [
        {
          path: ["verdict"],
          issue: new SchemaIssue.InvalidValue({
            code: "custom",
            message: "Only `email.open` and `email.click` have a verdict."
          })
        }
      ]
