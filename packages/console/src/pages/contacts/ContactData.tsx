/** The data of a contact: each field is edited in place and keeps its type. */
import type { Contact } from "@posthorn/client/session"
import { Trash2 } from "lucide-react"
import { type ReactNode, useId, useState } from "react"
import { Form } from "react-aria-components/Form"
import { useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { Select, TextField } from "../../kit/Field.tsx"
import { Card, Problem, Row } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign } from "../../kit/Text.tsx"
import styles from "./contacts.module.css"
import { parseValue, textOf, typeOf, type ValueType } from "./Values.ts"
import { contactWords } from "./words.ts"

const useSave = (id: string) => {
  const words = contactWords()
  return useWrite(
    (api, { key, value }: { readonly key: string; readonly value: unknown }) =>
      api.contacts.update(id, { data: { [key]: value } }),
    {
      changes: ["contacts"],
      onDone: (_, { key, value }) => notify(value === null ? words.removed(key) : words.saved(key))
    }
  )
}

interface FieldProps {
  readonly contactId: string
  readonly name: string
  readonly value: unknown
}

const DataField = ({ contactId, name, value }: FieldProps) => {
  const words = contactWords()
  const stored = textOf(value)
  const [text, setText] = useState(stored)
  const [given, setGiven] = useState(stored)
  const [fault, setFault] = useState<string>()
  const save = useSave(contactId)
  const labelId = useId()
  if (stored !== given) {
    setGiven(stored)
    setText(stored)
  }
  const submit = () => {
    if (text === stored) return
    const parsed = parseValue(text, typeOf(value))
    if ("fault" in parsed) setFault(words.faults[parsed.fault])
    else save.mutate({ key: name, value: parsed.value })
  }
  return (
    <form
      className={styles.field}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        label={
          <span id={labelId}>
            <Foreign>{name}</Foreign>
          </span>
        }
        help={fault ?? save.error?.errors[0]?.message ?? save.error?.message ?? words.types[typeOf(value)]}
        isInvalid={fault !== undefined || save.error !== null}
        value={text}
        onChange={(next) => {
          setText(next)
          setFault(undefined)
        }}
      />
      <Button
        kind="quiet"
        isIcon
        aria-label={words.removeField}
        aria-describedby={labelId}
        onPress={() => save.mutate({ key: name, value: null })}
      >
        <Trash2 size={16} aria-hidden />
      </Button>
    </form>
  )
}

const AddField = ({ contactId }: { readonly contactId: string }) => {
  const words = contactWords()
  const [name, setName] = useState("")
  const [value, setValue] = useState("")
  const [type, setType] = useState<ValueType>("string")
  const [faults, setFaults] = useState<Record<string, string>>({})
  const save = useSave(contactId)
  const submit = () => {
    const key = name.trim()
    const parsed = parseValue(value, type)
    if (key === "") return setFaults({ name: words.faults.name })
    if ("fault" in parsed) return setFaults({ value: words.faults[parsed.fault] })
    setFaults({})
    save.mutate(
      { key, value: parsed.value },
      {
        onSuccess: () => {
          setName("")
          setValue("")
        }
      }
    )
  }
  return (
    <Form
      validationErrors={faults}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className={styles.newField}>
        <TextField label={words.fieldName} name="name" value={name} onChange={setName} />
        <Select
          label={words.type}
          value={type}
          choices={(["string", "number", "boolean", "json"] as const).map((id) => ({ id, name: words.types[id] }))}
          onChange={setType}
        />
        <TextField label={words.value} name="value" value={value} onChange={setValue} />
        <Row>
          <Button type="submit" isPending={save.isPending}>
            {words.addField}
          </Button>
        </Row>
      </div>
      {save.error !== null && <Problem error={save.error} />}
    </Form>
  )
}

export const ContactData = ({ contact }: { readonly contact: Contact }): ReactNode => {
  const words = contactWords()
  const names = Object.keys(contact.data).sort()
  return (
    <Card title={words.data}>
      <p className={styles.quiet}>{words.dataAbout}</p>
      <div className={styles.fields}>
        {names.map((name) => (
          <DataField key={name} contactId={contact.id} name={name} value={contact.data[name]} />
        ))}
      </div>
      <AddField contactId={contact.id} />
    </Card>
  )
}
