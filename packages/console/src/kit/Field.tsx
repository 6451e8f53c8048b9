/** Form fields: the label above, help below it, the fault below that. */
import type { ReactNode } from "react"
import { FieldError } from "react-aria-components/FieldError"
import { Input } from "react-aria-components/Input"
import { Label } from "react-aria-components/Label"
import { RadioGroup as AriaRadioGroup, Radio } from "react-aria-components/RadioGroup"
import { Switch as AriaSwitch } from "react-aria-components/Switch"
import { Text } from "react-aria-components/Text"
import { TextArea as AriaTextArea } from "react-aria-components/TextArea"
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from "react-aria-components/TextField"
import type { Choice, Labelled } from "./Choices.tsx"
import { classes } from "./classes.ts"
import styles from "./kit.module.css"

export { Checkbox, Select } from "./Choices.tsx"

const Help = ({ children }: { readonly children?: ReactNode }) =>
  children === undefined ? null : (
    <Text slot="description" className={styles.help ?? ""}>
      {children}
    </Text>
  )

const Fault = () => <FieldError className={styles.fault ?? ""} />

export interface TextFieldProps extends Labelled, Omit<AriaTextFieldProps, "className" | "style" | "children"> {
  readonly placeholder?: string | undefined
  /** A text of several lines. */
  readonly rows?: number | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  /** Names that the browser proposes. */
  readonly list?: string | undefined
  /** Hides the label from sight, where the place says what the field is. */
  readonly isLabelHidden?: boolean | undefined
}

export const TextField = (given: TextFieldProps): ReactNode => {
  const { label, help, placeholder, rows, min, max, list, isLabelHidden = false, ...props } = given
  return (
    <AriaTextField {...props} className={styles.field ?? ""}>
      <Label className={classes(styles.label, isLabelHidden && "visually-hidden")}>{label}</Label>
      {rows === undefined ? (
        <Input
          className={styles.input ?? ""}
          {...(placeholder !== undefined && { placeholder })}
          {...(min !== undefined && { min })}
          {...(max !== undefined && { max })}
          {...(list !== undefined && { list })}
        />
      ) : (
        <AriaTextArea className={styles.input ?? ""} rows={rows} {...(placeholder !== undefined && { placeholder })} />
      )}
      <Help>{help}</Help>
      <Fault />
    </AriaTextField>
  )
}

interface SwitchProps {
  readonly children: ReactNode
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
}

export const Switch = ({ children, ...props }: SwitchProps): ReactNode => (
  <AriaSwitch {...props} className={styles.choice ?? ""}>
    <span className={styles.track} />
    {children}
  </AriaSwitch>
)

interface RadioGroupProps<K extends string> extends Labelled {
  readonly choices: ReadonlyArray<Choice<K>>
  readonly value: K
  readonly onChange: (value: K) => void
}

export const RadioGroup = <K extends string>({
  label,
  help,
  choices,
  value,
  onChange
}: RadioGroupProps<K>): ReactNode => (
  <AriaRadioGroup className={styles.group ?? ""} value={value} onChange={(key) => onChange(key as K)}>
    <Label className={styles.label ?? ""}>{label}</Label>
    {choices.map((choice) => (
      <Radio key={choice.id} value={choice.id} className={styles.choice ?? ""}>
        <span className={classes(styles.box, styles.round)}>
          <svg width="6" height="6" aria-hidden>
            <circle cx="3" cy="3" r="3" fill="currentColor" />
          </svg>
        </span>
        <span>
          {choice.name}
          {choice.help !== undefined && <span className={styles.help}> {choice.help}</span>}
        </span>
      </Radio>
    ))}
    <Help>{help}</Help>
    <Fault />
  </AriaRadioGroup>
)
