/** Days of the week, to choose from. */
import { type ReactNode, use } from "react"
import { inLanguage, LanguageContext } from "../app/Words.ts"
import { Checkbox } from "./Field.tsx"
import kit from "./kit.module.css"
import { Row } from "./Layout.tsx"

export const weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const
export type Weekday = (typeof weekdays)[number]

const names = inLanguage((language) => {
  const format = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" })
  // 1 January 2024 is a Monday.
  return new Map<string, string>(weekdays.map((day, n) => [day, format.format(Date.UTC(2024, 0, 1 + n))]))
})

/** `Mon` for `MON`. Other texts stay as they are. */
export const weekdayText = (day: string): string => names().get(day) ?? day

interface WeekdaysProps {
  readonly label: string
  readonly value: ReadonlyArray<string>
  readonly onChange: (value: ReadonlyArray<Weekday>) => void
}

export const Weekdays = ({ label, value, onChange }: WeekdaysProps): ReactNode => {
  use(LanguageContext)
  return (
    <fieldset className={kit.group}>
      <legend className={kit.label}>{label}</legend>
      <Row>
        {weekdays.map((day) => (
          <Checkbox
            key={day}
            isSelected={value.includes(day)}
            onChange={(isOn) => onChange(weekdays.filter((each) => (each === day ? isOn : value.includes(each))))}
          >
            {weekdayText(day)}
          </Checkbox>
        ))}
      </Row>
    </fieldset>
  )
}
