/** Which events of a name count: what their data must be, and whether people or machines opened and clicked. */
import type { ReactNode } from "react"
import { Button } from "../../kit/Button.tsx"
import { allOperators, type TreeOperator } from "../../kit/conditions/grammar.ts"
import { conditionWords } from "../../kit/conditions/words.ts"
import { Select, TextField } from "../../kit/Field.tsx"
import { Pair, Row } from "../../kit/Layout.tsx"
import { workflowWords } from "./words.ts"

interface Entry {
  readonly path: string
  readonly operator: TreeOperator
  readonly value?: unknown
  readonly valueFrom?: string
  readonly unit?: string | null
}

export interface EventMatch {
  readonly where?: unknown
  readonly verdict?: unknown
}

const needless: ReadonlySet<TreeOperator> = new Set(["exists", "notExists"])

/** Operators whose value is one text, number or flag. Others are shown, and changed as JSON or by the API. */
const simple = new Set<TreeOperator>([
  "equals",
  "notEquals",
  "contains",
  "notContains",
  "startsWith",
  "endsWith",
  "greaterThan",
  "greaterThanOrEqual",
  "lessThan",
  "lessThanOrEqual",
  ...needless
])
const operators = allOperators.filter((operator) => simple.has(operator))

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? ""))

/** Numbers and flags as they are typed; anything in quotes, and the rest, is text. */
const valueOf = (text: string): unknown => {
  if (!/^(?:true|false|-?\d+(?:\.\d+)?|".*"|\[.*\])$/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const isJudged = (eventName: unknown) => eventName === "email.open" || eventName === "email.click"

interface EventMatchProps {
  readonly eventName: unknown
  readonly value: EventMatch
  /** Fields with the value undefined are left out. */
  readonly onChange: (change: EventMatch) => void
  /** The execution has variables to compare with. */
  readonly hasVariables?: boolean
}

export const EventMatchFields = ({ eventName, value, onChange, hasVariables = false }: EventMatchProps): ReactNode => {
  const { fields } = workflowWords()
  const words = conditionWords()
  const entries = (value.where ?? []) as ReadonlyArray<Entry>
  const put = (next: ReadonlyArray<Entry>) => onChange({ where: next.length === 0 ? undefined : next })
  const change = (at: number, next: Entry) => put(entries.map((entry, n) => (n === at ? next : entry)))
  return (
    <>
      {isJudged(eventName) && (
        <Select<"human" | "machine" | "any">
          label={fields.verdict}
          value={(value.verdict as "any" | undefined) ?? "human"}
          choices={(["human", "machine", "any"] as const).map((id) => ({ id, name: fields.verdicts[id] }))}
          onChange={(verdict) => onChange({ verdict: verdict === "human" ? undefined : verdict })}
        />
      )}
      {entries.map((entry, at) => {
        const { path, operator, value: given, valueFrom, unit } = entry
        const kept = { path, operator, ...(unit != null && { unit }) }
        const isFrom = valueFrom !== undefined
        return (
          <fieldset key={`${at}-${entries.length}`}>
            <legend className="visually-hidden">{fields.test(at + 1)}</legend>
            <Pair>
              <TextField
                label={fields.path}
                value={path}
                maxLength={1000}
                onChange={(next) => change(at, { ...entry, path: next })}
              />
              <Select<TreeOperator>
                label={words.operator}
                value={operator}
                choices={(simple.has(operator) ? operators : [operator, ...operators]).map((id) => ({
                  id,
                  name: words.operators[id]
                }))}
                onChange={(next) =>
                  change(at, needless.has(next) ? { path, operator: next } : { value: "", ...entry, operator: next })
                }
              />
            </Pair>
            {!needless.has(operator) && (
              <Pair>
                {hasVariables && (
                  <Select<"value" | "variable">
                    label={fields.comparedWith}
                    value={isFrom ? "variable" : "value"}
                    choices={(["value", "variable"] as const).map((id) => ({ id, name: fields.comparisons[id] }))}
                    onChange={(next) =>
                      change(at, { ...kept, ...(next === "variable" ? { valueFrom: `event.${path}` } : { value: "" }) })
                    }
                  />
                )}
                <TextField
                  label={isFrom ? words.variableName : words.value}
                  value={isFrom ? valueFrom : textOf(given)}
                  onChange={(next) =>
                    change(at, { ...kept, ...(isFrom ? { valueFrom: next } : { value: valueOf(next) }) })
                  }
                />
              </Pair>
            )}
            <Row>
              <Button kind="quiet" onPress={() => put(entries.filter((_, n) => n !== at))}>
                {fields.removeTest(at + 1)}
              </Button>
            </Row>
          </fieldset>
        )
      })}
      {entries.length < 10 && (
        <Row>
          <Button kind="quiet" onPress={() => put([...entries, { path: "", operator: "equals", value: "" }])}>
            {fields.addTest}
          </Button>
        </Row>
      )}
    </>
  )
}
