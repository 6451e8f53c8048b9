/** Limits a list to its newest days. */
import type { ReactNode } from "react"
import { Select } from "../kit/Field.tsx"
import { words } from "../kit/words.ts"
import { useProject } from "./Project.tsx"
import { daysBefore } from "./Range.ts"

export type RangeDays = "7" | "30" | "90"

/** The part of a query that limits a list to these days of the project. */
export const useRangeQuery = (days: RangeDays | undefined): { readonly startDate?: string } => {
  const { timezone } = useProject()
  return days === undefined ? {} : { startDate: daysBefore(Number(days) - 1, timezone) }
}

interface RangeFilterProps {
  readonly days: RangeDays | undefined
  readonly onChange: (days: RangeDays | undefined) => void
}

export const RangeFilter = ({ days, onChange }: RangeFilterProps): ReactNode => {
  const { range, anyTime, days: text } = words()
  return (
    <Select
      label={range}
      isLabelHidden
      value={days ?? ""}
      choices={[
        { id: "", name: anyTime },
        ...(["7", "30", "90"] as const).map((id) => ({ id, name: text(Number(id)) }))
      ]}
      onChange={(id: RangeDays | "") => onChange(id === "" ? undefined : id)}
    />
  )
}
