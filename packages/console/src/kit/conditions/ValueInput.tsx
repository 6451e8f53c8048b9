/** One value of a filter, in the control that fits its type. */
import { type ReactNode, useState } from "react"
import { Select, TextField } from "../Field.tsx"
import type { ValueType } from "./grammar.ts"
import { conditionWords } from "./words.ts"

interface InputProps<V> {
  readonly label: string
  readonly value: V
  readonly onChange: (value: V | undefined) => void
  readonly list?: string | undefined
  readonly onFocus?: () => void
}

/** A text that stands for a value: what cannot be read yet stays in the field, and the value is absent. */
const useDraft = (value: unknown, write: (value: unknown) => string, read: (text: string) => unknown) => {
  const [text, setText] = useState(() => write(value))
  const shown = write(read(text)) === write(value) ? text : write(value)
  return [shown, setText] as const
}

const numberOf = (text: string): number | undefined => {
  const number = Number(text)
  return text.trim() !== "" && Number.isFinite(number) ? number : undefined
}

export const NumberInput = ({ value, onChange, ...props }: InputProps<unknown>): ReactNode => {
  const [text, setText] = useDraft(
    value,
    (given) => (typeof given === "number" || typeof given === "string" ? String(given) : ""),
    numberOf
  )
  return (
    <TextField
      {...props}
      isLabelHidden
      inputMode="decimal"
      value={text}
      onChange={(given) => {
        setText(given)
        onChange(numberOf(given))
      }}
    />
  )
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const JsonInput = ({ value, onChange, label }: InputProps<unknown>): ReactNode => {
  const { notJson } = conditionWords()
  const [text, setText] = useDraft(value, (given) => JSON.stringify(given) ?? "", readJson)
  return (
    <TextField
      label={label}
      isLabelHidden
      value={text}
      help={text !== "" && readJson(text) === undefined ? notJson : undefined}
      onChange={(given) => {
        setText(given)
        onChange(readJson(given))
      }}
    />
  )
}

/** The browser's control for a time knows minutes and no zone, which the service reads as UTC. */
const isMinute = (value: unknown) => value === undefined || value === "" || /T\d\d:\d\d$/.test(String(value))

const textTypeOf = (type: ValueType, value: unknown) => {
  if (type === "day") return "date"
  return type === "moment" && isMinute(value) ? "datetime-local" : "text"
}

export const ValueInput = ({ type, ...props }: InputProps<unknown> & { readonly type: ValueType }): ReactNode => {
  const words = conditionWords()
  const { label, value, onChange } = props
  switch (type) {
    case "number":
      return <NumberInput {...props} />
    case "json":
      return <JsonInput {...props} />
    case "nothing":
      return null
    case "flag":
      return (
        <Select
          label={label}
          isLabelHidden
          value={value === false || value === "false" ? "false" : "true"}
          choices={(["true", "false"] as const).map((id) => ({ id, name: words.flags[id] }))}
          onChange={(given) => onChange(given === "true")}
        />
      )
    default:
      return (
        <TextField
          {...props}
          isLabelHidden
          type={textTypeOf(type, value)}
          value={typeof value === "string" ? value : ""}
          onChange={onChange}
        />
      )
  }
}

interface LinesProps {
  readonly value: unknown
  readonly isNumber: boolean
  readonly onChange: (value: ReadonlyArray<unknown>) => void
}

/** A list of values, one a line. */
export const LinesInput = ({ value, isNumber, onChange }: LinesProps): ReactNode => {
  const { values } = conditionWords()
  const read = (text: string) =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .flatMap<unknown>((line) => (isNumber ? (numberOf(line) ?? []) : line))
  const [text, setText] = useDraft(
    value,
    (given) =>
      Array.isArray(given)
        ? given.map((each) => (typeof each === "string" ? each : JSON.stringify(each))).join("\n")
        : "",
    read
  )
  return (
    <TextField
      label={values}
      isLabelHidden
      rows={2}
      placeholder={values}
      value={text}
      onChange={(given) => {
        setText(given)
        onChange(read(given))
      }}
    />
  )
}
