/** A JSON value as text. What is not JSON yet stays in the field and changes nothing. */
import { type ReactNode, useState } from "react"
import { TextField } from "../../kit/Field.tsx"
import { workflowWords } from "./words.ts"

interface JsonFieldProps {
  readonly label: string
  readonly name: string
  readonly help?: string | undefined
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly isObject?: boolean
}

const textOf = (value: unknown) => (value === undefined ? "" : JSON.stringify(value, null, 2))

export const JsonField = ({ value, onChange, isObject = false, help, ...props }: JsonFieldProps): ReactNode => {
  const { notJson, notObject } = workflowWords().fields
  const [text, setText] = useState(() => textOf(value))
  const [problem, setProblem] = useState<string>()
  const read = (given: string) => {
    setText(given)
    if (given.trim() === "") {
      setProblem(undefined)
      return onChange(undefined)
    }
    try {
      const parsed: unknown = JSON.parse(given)
      if (isObject && (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))) {
        return setProblem(notObject)
      }
      setProblem(undefined)
      onChange(parsed)
    } catch {
      setProblem(notJson)
    }
  }
  return <TextField {...props} rows={6} value={text} onChange={read} help={problem ?? help} spellCheck="false" />
}
