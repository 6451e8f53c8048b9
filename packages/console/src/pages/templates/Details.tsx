/** What belongs to the template itself and not to a version of it. */
import type { Template } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { Form } from "react-aria-components/Form"
import { useMissing } from "../../app/Permission.ts"
import { useWrite } from "../../app/Queries.ts"
import { Button, CopyText } from "../../kit/Button.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Facts, Problem, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Time } from "../../kit/Text.tsx"
import { TopicField } from "../../kit/TopicField.tsx"
import { templateWords } from "./words.ts"

export const Details = ({ template }: { readonly template: Template }): ReactNode => {
  const words = templateWords()
  const missing = useMissing("templates.update")
  const [fields, setFields] = useState({
    name: template.name,
    alias: template.alias ?? "",
    description: template.description ?? ""
  })
  const [topicId, setTopic] = useState(template.topicId)
  const save = useWrite(
    (api) =>
      api.templates.update(template.id, {
        name: fields.name,
        alias: fields.alias || null,
        description: fields.description || null,
        ...(topicId !== template.topicId && { topicId })
      }),
    { changes: ["template", "templates"], onDone: () => notify(words.saved) }
  )
  const faults = faultsOf(save.error, [...Object.keys(fields), "topicId"])
  const field = (name: keyof typeof fields) => ({
    name,
    value: fields[name],
    onChange: (value: string) => setFields({ ...fields, [name]: value })
  })
  return (
    <Stack>
      <Form
        className={styles.form ?? ""}
        validationErrors={faults.fields}
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <TextField label={words.name} isRequired {...field("name")} />
        <TextField label={words.alias} help={words.aliasHelp} {...field("alias")} />
        <TextField label={words.description} rows={3} {...field("description")} />
        {template.type !== "TRANSACTIONAL" && (
          <TopicField value={topicId} onChange={setTopic} fault={faults.fields["topicId"]?.[0]} />
        )}
        {faults.rest !== null && <Problem error={faults.rest} />}
        <Button type="submit" missing={missing} isPending={save.isPending}>
          {words.save}
        </Button>
      </Form>
      <Facts
        facts={[
          [words.id, <CopyText key="id" text={template.id} name={words.id} />],
          [words.version, template.version],
          [words.changed, <Time key="at" at={template.updatedAt} />]
        ]}
      />
    </Stack>
  )
}
