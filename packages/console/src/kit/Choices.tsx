/**
 * Choices by the browser's own controls, which work with every keyboard, phone and screen reader. They stand apart from
 * the fields, because the first page needs them and not the fields.
 */
import { type ReactNode, useId } from "react"
import { classes } from "./classes.ts"
import styles from "./kit.module.css"
import { CheckMark } from "./Marks.tsx"

export interface Labelled {
  readonly label: ReactNode
  readonly help?: ReactNode
}

export interface Choice<K extends string> {
  readonly id: K
  readonly name: string
  readonly help?: string | undefined
}

interface SelectProps<K extends string> extends Labelled {
  readonly choices: ReadonlyArray<Choice<K>>
  readonly value: K | null
  readonly onChange: (value: K) => void
  readonly name?: string
  readonly placeholder?: string
  /** Hides the label from sight, where the place says what the choice is. */
  readonly isLabelHidden?: boolean
  readonly isRequired?: boolean
  readonly fault?: string | undefined
}

/** A choice of a few. */
export const Select = <K extends string>(props: SelectProps<K>): ReactNode => {
  const {
    label,
    help,
    fault,
    choices,
    value,
    onChange,
    name,
    placeholder,
    isLabelHidden = false,
    isRequired = false
  } = props
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={classes(styles.label, isLabelHidden && "visually-hidden")}>
        {label}
      </label>
      <select
        id={id}
        name={name}
        className={classes(styles.input, styles.select)}
        value={value ?? ""}
        required={isRequired}
        aria-describedby={help === undefined && fault === undefined ? undefined : `${id} about`}
        aria-invalid={fault !== undefined}
        onChange={(event) => onChange(event.target.value as K)}
      >
        {placeholder !== undefined && !choices.some((choice) => choice.id === "") && (
          <option value="">{placeholder}</option>
        )}
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.name}
          </option>
        ))}
      </select>
      {(help !== undefined || fault !== undefined) && (
        <span id={`${id} about`} className={fault === undefined ? styles.help : styles.fault}>
          {fault ?? help}
        </span>
      )}
    </div>
  )
}

interface CheckboxProps {
  readonly children: ReactNode
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
}

export const Checkbox = ({ children, isSelected, onChange }: CheckboxProps): ReactNode => (
  <label className={styles.choice}>
    <input type="checkbox" checked={isSelected} onChange={(event) => onChange(event.target.checked)} />
    <span className={styles.box}>
      <CheckMark />
    </span>
    {children}
  </label>
)
