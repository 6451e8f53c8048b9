/** The value of a filter: one, a list, two ends, an amount of time, or a number of times. */
import { type ReactNode, useId, useState } from "react"
import { useRead } from "../../app/Queries.ts"
import { Select } from "../Field.tsx"
import styles from "./conditions.module.css"
import {
  canShow,
  kindOf,
  nameOf,
  shapeOf,
  type TreeFilter,
  treeUnits,
  typeOfValue,
  usualType,
  type ValueType,
  valueTypesFor
} from "./grammar.ts"
import { LinesInput, NumberInput, ValueInput } from "./ValueInput.tsx"
import { useVocabulary } from "./Vocabulary.tsx"
import { conditionWords } from "./words.ts"

interface FilterValueProps {
  readonly filter: TreeFilter
  readonly onChange: (filter: TreeFilter) => void
}

/** The value whose type counts. Entries of several types are only shown together, as JSON. */
const sampleOf = ({ operator, value }: TreeFilter): unknown => {
  if (shapeOf(operator) === "one" || !Array.isArray(value)) return value
  return shapeOf(operator) === "list" && new Set(value.map((each) => typeof each)).size > 1 ? value : value[0]
}

const Typed = ({ filter, onChange }: FilterValueProps) => {
  const words = conditionWords()
  const { fields } = useVocabulary()
  const [chosen, setChosen] = useState<ValueType>()
  const [isWanted, setWanted] = useState(false)
  const list = useId()
  const name = nameOf(filter)
  const known = fields.get(name)
  const proposed = useRead(
    ["contacts", "values", name],
    (api, options) => api.contacts.fieldValues(name, { limit: 100 }, options),
    { enabled: isWanted && known !== undefined && kindOf(filter) === "json", staleTime: 60_000 }
  )
  const possible = valueTypesFor(filter)
  const shape = shapeOf(filter.operator)
  const sample = sampleOf(filter)
  const usual = typeOfValue(sample) ?? usualType(filter, known)
  const fitting = chosen !== undefined && possible.includes(chosen) && canShow(chosen, sample) ? chosen : usual
  const type = possible.includes(fitting) ? fitting : (possible[0] ?? "text")
  const set = (value: unknown) => onChange({ field: filter.field, operator: filter.operator, value })
  const choose = (next: ValueType) => {
    setChosen(next)
    const first = next === "nothing" ? null : next === "flag" ? true : undefined
    set(shape === "one" ? first : undefined)
  }
  const input = { type, list, onFocus: () => setWanted(true) }
  const [low, high] = Array.isArray(filter.value) ? filter.value : []
  return (
    <>
      {possible.length > 1 && (
        <Select
          label={words.type}
          isLabelHidden
          value={type}
          choices={possible.map((id) => ({ id, name: words.types[id] }))}
          onChange={choose}
        />
      )}
      {shape === "pair" ? (
        <>
          <ValueInput {...input} label={words.low} value={low} onChange={(value) => set([value, high])} />
          <span>{words.joins.AND}</span>
          <ValueInput {...input} label={words.high} value={high} onChange={(value) => set([low, value])} />
        </>
      ) : shape === "list" && type !== "json" ? (
        <LinesInput value={filter.value} isNumber={type === "number"} onChange={set} />
      ) : (
        <ValueInput {...input} label={words.value} value={filter.value} onChange={set} />
      )}
      <datalist id={list}>
        {proposed.data?.values.map((value) => (
          <option key={String(value)} value={String(value)} />
        ))}
      </datalist>
    </>
  )
}

const recordOf = (value: unknown): { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null ? (value as { readonly [key: string]: unknown }) : {}

const History = ({ filter, onChange }: FilterValueProps) => {
  const words = conditionWords()
  const { value: _, unit: __, ...rest } = filter
  const { operator, value, unit } = filter
  const shape = shapeOf(operator)
  const given = recordOf(value)
  const amount = "amount" in given ? given["amount"] : shape === "count" || "atLeast" in given ? undefined : value
  const atLeast = given["atLeast"]
  const write = (nextAmount: unknown, times: unknown) => {
    const isOften = typeof times === "number" && times > 1
    if (shape === "count") return onChange({ ...rest, ...(isOften && { value: { atLeast: times } }) })
    onChange({ ...rest, value: isOften ? { amount: nextAmount, atLeast: times } : nextAmount, unit })
  }
  return (
    <>
      {shape !== "count" && (
        <>
          <div className={styles.amount}>
            <NumberInput label={words.amount} value={amount} onChange={(next) => write(next, atLeast)} />
          </div>
          <Select
            label={words.unit}
            isLabelHidden
            value={unit ?? "days"}
            choices={treeUnits.map((id) => ({ id, name: words.units[id] }))}
            onChange={(next) => onChange({ ...filter, unit: next })}
          />
        </>
      )}
      {(shape === "count" || shape === "countWithin") && (
        <>
          <span>{words.atLeast}</span>
          <div className={styles.amount}>
            <NumberInput label={words.times} value={atLeast ?? 1} onChange={(times) => write(amount, times)} />
          </div>
          <span>{words.timesUnit(typeof atLeast === "number" ? atLeast : 1)}</span>
        </>
      )}
    </>
  )
}

export const FilterValue = (props: FilterValueProps): ReactNode => {
  switch (shapeOf(props.filter.operator)) {
    case "none":
      return null
    case "span":
    case "count":
    case "countWithin":
      return <History {...props} />
    default:
      return <Typed {...props} />
  }
}
