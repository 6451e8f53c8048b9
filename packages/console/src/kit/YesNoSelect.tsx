/** A choice between yes, no and what other rules say, which is null. */
import type { ReactNode } from "react"
import { Select } from "./Field.tsx"

interface YesNoSelectProps {
  readonly label: string
  readonly words: { readonly [id in "default" | "no" | "yes"]: string }
  readonly value: boolean | null
  readonly onChange: (value: boolean | null) => void
}

export const YesNoSelect = ({ label, words, value, onChange }: YesNoSelectProps): ReactNode => (
  <Select<"default" | "no" | "yes">
    label={label}
    value={value === null ? "default" : value ? "yes" : "no"}
    choices={(["default", "yes", "no"] as const).map((id) => ({ id, name: words[id] }))}
    onChange={(id) => onChange(id === "default" ? null : id === "yes")}
  />
)
