/** The fields that a form asks beside the address. */
import { ArrowUp, X } from "lucide-react"
import type { ReactNode } from "react"
import { Button } from "../../kit/Button.tsx"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import kit from "../../kit/kit.module.css"
import { Card, Pair, Row, Stack } from "../../kit/Layout.tsx"
import { ListField } from "../../kit/ListField.tsx"
import type { Draft, DraftField } from "./draft.ts"
import styles from "./forms.module.css"
import { formWords } from "./words.ts"

const types = ["text", "number", "date", "select", "checkbox", "hidden"] as const

/** The most fields of a form. */
const most = 20

interface FieldProps {
  readonly field: DraftField
  readonly place: number
  readonly onChange: (field: DraftField) => void
  readonly onUp: (() => void) | undefined
  readonly onRemove: () => void
}

const Field = ({ field, place, onChange, onUp, onRemove }: FieldProps) => {
  const words = formWords()
  const set = (change: Partial<DraftField>) => onChange({ ...field, ...change })
  const name = (of: string) => `fields.${place}.${of}`
  const hasLength = field.type === "text" || field.type === "hidden"
  return (
    <fieldset className={styles.field}>
      <legend className={kit.label}>{words.field(place + 1)}</legend>
      <Pair>
        <TextField
          label={words.label}
          name={name("label")}
          value={field.label}
          onChange={(label) => set({ label })}
          maxLength={200}
        />
        <TextField
          label={words.fieldKey}
          name={name("key")}
          value={field.key}
          onChange={(key) => set({ key })}
          maxLength={100}
        />
      </Pair>
      <Pair>
        <Select
          label={words.type}
          value={field.type}
          choices={types.map((id) => ({ id, name: words.types[id] }))}
          onChange={(type) => set({ type })}
        />
        {hasLength && (
          <TextField
            label={words.maxLength}
            name={name("maxLength")}
            type="number"
            min={1}
            max={5_000}
            value={field.maxLength}
            onChange={(maxLength) => set({ maxLength })}
          />
        )}
      </Pair>
      {field.type === "select" && (
        <ListField
          label={words.options}
          help={words.optionsHelp}
          name={name("options")}
          value={field.options}
          onChange={(options) => set({ options })}
        />
      )}
      <Row>
        {field.type !== "hidden" && (
          <Checkbox isSelected={field.required} onChange={(required) => set({ required })}>
            {words.required}
          </Checkbox>
        )}
        {onUp !== undefined && (
          <Button kind="quiet" isIcon aria-label={words.up(place + 1)} onPress={onUp}>
            <ArrowUp size={16} aria-hidden />
          </Button>
        )}
        <Button kind="quiet" isIcon aria-label={words.removeField(place + 1)} onPress={onRemove}>
          <X size={16} aria-hidden />
        </Button>
      </Row>
    </fieldset>
  )
}

interface FormFieldsProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
}

export const FormFields = ({ draft: { fields }, set }: FormFieldsProps): ReactNode => {
  const words = formWords()
  const put = (next: ReadonlyArray<DraftField>) => set({ fields: next })
  const add = () =>
    put([
      ...fields,
      {
        id: Math.max(-1, ...fields.map(({ id }) => id)) + 1,
        key: "",
        label: "",
        type: "text",
        required: false,
        maxLength: "",
        options: []
      }
    ])
  const up = (place: number) =>
    put(fields.flatMap((each, n) => (n === place - 1 ? [fields[place] ?? each, each] : n === place ? [] : [each])))
  return (
    <Card title={words.fields}>
      <Stack>
        <p className={kit.help}>{words.fieldsAbout}</p>
        {fields.map((field, place) => (
          <Field
            key={field.id}
            field={field}
            place={place}
            onChange={(next) => put(fields.map((each) => (each === field ? next : each)))}
            onUp={place === 0 ? undefined : () => up(place)}
            onRemove={() => put(fields.filter((each) => each !== field))}
          />
        ))}
        {fields.length < most && (
          <Row>
            <Button onPress={add}>{words.addField}</Button>
          </Row>
        )}
      </Stack>
    </Card>
  )
}
