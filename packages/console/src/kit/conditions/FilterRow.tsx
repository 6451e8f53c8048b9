/** One filter as a row of controls: what it is about, how it compares, and with what. */
import { X } from "lucide-react"
import { type ReactNode, useEffect, useId, useRef, useState } from "react"
import { Button } from "../Button.tsx"
import { Select, TextField } from "../Field.tsx"
import kit from "../kit.module.css"
import styles from "./conditions.module.css"
import { FilterValue } from "./FilterValue.tsx"
import {
  fieldOf,
  firstFilter,
  kindOf,
  mailActivities,
  nameOf,
  operatorsFor,
  type Subject,
  subjectOf,
  type TreeFilter,
  wholeField,
  withField,
  withOperator
} from "./grammar.ts"
import { useVocabulary } from "./Vocabulary.tsx"
import { WhereRows } from "./WhereRows.tsx"
import { conditionWords } from "./words.ts"

interface FilterProps {
  readonly filter: TreeFilter
  readonly onChange: (filter: TreeFilter) => void
}

/** The name counts when the field is left, so that operators do not change while it is typed. */
const ContactFieldName = ({ filter, onChange }: FilterProps) => {
  const { field: label } = conditionWords()
  const { fieldList } = useVocabulary()
  const [draft, setDraft] = useState<string>()
  const settle = () => {
    setDraft(undefined)
    if (draft !== undefined && wholeField(draft) !== nameOf(filter)) onChange(withField(filter, wholeField(draft)))
  }
  return (
    <TextField
      label={label}
      isLabelHidden
      placeholder={label}
      list={fieldList}
      autoComplete="off"
      value={draft ?? nameOf(filter)}
      onChange={setDraft}
      onBlur={settle}
      onKeyDown={({ key }) => key === "Enter" && settle()}
    />
  )
}

const Name = ({ filter, onChange }: FilterProps) => {
  const words = conditionWords()
  const { eventList, segments } = useVocabulary()
  const subject = subjectOf(filter)
  const name = nameOf(filter)
  const rename = (next: string) => onChange({ ...filter, field: fieldOf(subject, next) })
  switch (subject) {
    case "contact":
      return <ContactFieldName filter={filter} onChange={onChange} />
    case "mail":
      return (
        <Select
          label={words.activity}
          isLabelHidden
          value={name}
          choices={mailActivities.map((id) => ({ id: id as string, name: words.activities[id] }))}
          onChange={rename}
        />
      )
    case "segment":
      return (
        <Select
          label={words.segment}
          isLabelHidden
          value={name}
          placeholder={words.chooseSegment}
          choices={[
            ...[...segments].map(([id, title]) => ({ id, name: title })),
            ...(name === "" || segments.has(name) ? [] : [{ id: name, name: words.deletedSegment }])
          ]}
          onChange={rename}
        />
      )
    default: {
      const label = subject === "event" ? words.eventName : words.variableName
      return (
        <TextField
          label={label}
          isLabelHidden
          placeholder={label}
          autoComplete="off"
          value={name}
          onChange={rename}
          {...(subject === "event" && { list: eventList })}
        />
      )
    }
  }
}

interface FilterRowProps extends FilterProps {
  /** The path of the filter in the tree. */
  readonly path: string
  /** Its number among the filters around it, for people. */
  readonly place: string
  /** It was just added, so the focus goes to it. */
  readonly isFresh: boolean
  readonly onRemove: () => void
}

export const FilterRow = ({ filter, onChange, path, place, isFresh, onRemove }: FilterRowProps): ReactNode => {
  const words = conditionWords()
  const { fields, faults, isStep } = useVocabulary()
  const about = useId()
  const ref = useRef<HTMLFieldSetElement>(null)
  const subject = subjectOf(filter)
  const found = faults.filter(({ field }) => field === path || field.startsWith(`${path}.`))
  const subjects: ReadonlyArray<Subject> = [
    "contact",
    "event",
    "mail",
    "segment",
    ...(isStep ? ["variable" as const] : [])
  ]
  const nameOfOperator = (operator: TreeFilter["operator"]) =>
    (kindOf(filter) === "time" && (words.timeOperators as { readonly [name: string]: string })[operator]) ||
    words.operators[operator]
  useEffect(() => {
    if (isFresh) ref.current?.querySelector("select")?.focus()
  }, [isFresh])
  return (
    <fieldset
      ref={ref}
      className={styles.filter}
      data-faulty={found.length > 0 || undefined}
      aria-describedby={found.length > 0 ? about : undefined}
    >
      <legend className="visually-hidden">{words.filter(place)}</legend>
      <Select
        label={words.subject}
        isLabelHidden
        value={subject}
        choices={(subjects.includes(subject) ? subjects : [...subjects, subject]).map((id) => ({
          id,
          name: words.subjects[id]
        }))}
        onChange={(next) => onChange(firstFilter(next))}
      />
      <div className={styles.name}>
        <Name filter={filter} onChange={onChange} />
      </div>
      <Select
        label={words.operator}
        isLabelHidden
        value={filter.operator}
        choices={operatorsFor(filter, fields.get(nameOf(filter))).map((id) => ({ id, name: nameOfOperator(id) }))}
        onChange={(operator) => onChange(withOperator(filter, operator))}
      />
      <div className={styles.value}>
        <FilterValue key={`${subject} ${kindOf(filter)}`} filter={filter} onChange={onChange} />
      </div>
      <Button kind="quiet" isIcon aria-label={words.removeFilter(place)} onPress={onRemove}>
        <X size={14} aria-hidden />
      </Button>
      {kindOf(filter) === "history" && <WhereRows filter={filter} onChange={onChange} place={place} />}
      {found.length > 0 && (
        <p id={about} className={`${kit.fault} ${styles.fault}`}>
          {found.map(({ message }) => message).join(" ")}
        </p>
      )}
    </fieldset>
  )
}
