/** A list of short texts, one a line. */
import type { ReactNode } from "react"
import { TextField } from "./Field.tsx"

interface ListFieldProps {
  readonly label: string
  readonly help?: ReactNode
  readonly name: string
  readonly value: ReadonlyArray<string>
  readonly onChange: (value: ReadonlyArray<string>) => void
}

export const ListField = ({ value, onChange, ...props }: ListFieldProps): ReactNode => (
  <TextField {...props} rows={3} value={value.join("\n")} onChange={(text) => onChange(text.split("\n"))} />
)

/** The lines that say something. */
export const linesOf = (value: ReadonlyArray<string>): ReadonlyArray<string> =>
  value.map((line) => line.trim()).filter((line) => line !== "")
