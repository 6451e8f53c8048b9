/** What recipients read about a topic, who sees it, and whether they confirm. */
import type { Topic } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { Button } from "../../kit/Button.tsx"
import { RadioGroup, TextField } from "../../kit/Field.tsx"
import kit from "../../kit/kit.module.css"
import { Pair, Row, Stack } from "../../kit/Layout.tsx"
import { useNewLanguage } from "../../kit/useNewLanguage.ts"
import { YesNoSelect } from "../../kit/YesNoSelect.tsx"
import type { TopicFields } from "./fields.ts"
import { topicWords } from "./words.ts"

interface FieldsProps {
  readonly fields: TopicFields
  readonly onChange: (fields: TopicFields) => void
}

export const TopicTexts = ({ fields, onChange }: FieldsProps): ReactNode => {
  const words = topicWords()
  const { name, description, visibility, doubleOptIn } = fields
  const set = (change: Partial<TopicFields>) => onChange({ ...fields, ...change })
  return (
    <Stack>
      <TextField
        label={words.name}
        help={words.nameHelp}
        name="name"
        value={name}
        onChange={(text) => set({ name: text })}
        maxLength={100}
        isRequired
        autoFocus={name === ""}
      />
      <TextField
        label={words.description}
        help={words.descriptionHelp}
        name="description"
        rows={2}
        value={description}
        onChange={(text) => set({ description: text })}
        maxLength={500}
      />
      <RadioGroup<Topic["visibility"]>
        label={words.visibility}
        value={visibility}
        choices={(["public", "private"] as const).map((id) => ({
          id,
          name: words.visibilities[id],
          help: words.visibilityHelp[id]
        }))}
        onChange={(id) => set({ visibility: id })}
      />
      <YesNoSelect
        label={words.doubleOptIn}
        words={words.doubleOptIns}
        value={doubleOptIn}
        onChange={(value) => set({ doubleOptIn: value })}
      />
    </Stack>
  )
}

/** Name and description in other languages. */
export const TopicLanguages = ({ fields, onChange }: FieldsProps): ReactNode => {
  const words = topicWords()
  const { translations } = fields
  const set = (next: TopicFields["translations"]) => onChange({ ...fields, translations: next })
  const change = (code: string, text: Partial<TopicFields["translations"][number]>) =>
    set(translations.map((each) => (each.language === code ? { ...each, ...text } : each)))
  const { add, field, isWrong } = useNewLanguage(
    translations.map(({ language }) => language),
    (language) => set([...translations, { language, name: "", description: "" }])
  )
  return (
    <Stack>
      <p className={kit.help}>{words.translationsAbout}</p>
      {translations.map((text) => (
        <fieldset key={text.language} className={kit.group}>
          <legend className={kit.label}>{text.language}</legend>
          <Pair>
            <TextField
              label={words.name}
              name={`translations.${text.language}.name`}
              value={text.name}
              onChange={(name) => change(text.language, { name })}
              maxLength={100}
              isRequired
            />
            <TextField
              label={words.description}
              name={`translations.${text.language}.description`}
              value={text.description}
              onChange={(description) => change(text.language, { description })}
              maxLength={500}
            />
          </Pair>
          <Row>
            <Button kind="quiet" onPress={() => set(translations.filter((each) => each.language !== text.language))}>
              {words.removeLanguage(text.language)}
            </Button>
          </Row>
        </fieldset>
      ))}
      <Pair>
        <TextField label={words.languageCode} help={isWrong ? words.noLanguage : words.languageHelp} {...field} />
        <div className={kit.field}>
          <span className={kit.label} aria-hidden>
            &nbsp;
          </span>
          <Row>
            <Button onPress={add}>{words.addLanguage}</Button>
          </Row>
        </div>
      </Pair>
    </Stack>
  )
}
