/** What a form says, in its own language and in others. */
import type { ReactNode } from "react"
import { Button } from "../../kit/Button.tsx"
import { Checkbox, TextField } from "../../kit/Field.tsx"
import kit from "../../kit/kit.module.css"
import { Card, Pair, Row, Stack } from "../../kit/Layout.tsx"
import { useNewLanguage } from "../../kit/useNewLanguage.ts"
import { type Draft, noTexts, type Texts } from "./draft.ts"
import { formWords } from "./words.ts"

interface TextsProps {
  /** Before the names of the fields, as the API names them. */
  readonly name: string
  readonly texts: Texts
  readonly onChange: (texts: Texts) => void
  readonly isOwn?: boolean
}

const TextFields = ({ name, texts, onChange, isOwn = false }: TextsProps) => {
  const words = formWords()
  const field = (text: keyof Texts) => ({
    name: `${name}.${text}`,
    value: texts[text],
    onChange: (value: string) => onChange({ ...texts, [text]: value })
  })
  const help = (sentence: string) => (isOwn ? { help: sentence } : {})
  return (
    <Stack>
      <Pair>
        <TextField label={words.formTitle} {...help(words.formTitleHelp)} {...field("title")} />
        <TextField label={words.button} {...help(words.serviceText)} {...field("button")} />
      </Pair>
      <TextField label={words.description} rows={2} {...field("description")} />
      <TextField label={words.success} {...help(words.serviceText)} {...field("success")} />
      <TextField label={words.consentText} rows={2} {...field("consentText")} />
    </Stack>
  )
}

interface FormTextsProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
}

export const FormTexts = ({ draft, set }: FormTextsProps): ReactNode => {
  const words = formWords()
  return (
    <Card title={words.texts}>
      <Stack>
        <TextField
          label={words.name}
          help={words.nameHelp}
          name="name"
          value={draft.name}
          onChange={(name) => set({ name })}
          maxLength={100}
          isRequired
        />
        <TextFields name="texts" texts={draft.texts} onChange={(texts) => set({ texts })} isOwn />
        <Checkbox isSelected={draft.consentRequired} onChange={(consentRequired) => set({ consentRequired })}>
          {words.consentRequired}
        </Checkbox>
      </Stack>
    </Card>
  )
}

export const FormLanguages = ({ draft, set }: FormTextsProps): ReactNode => {
  const words = formWords()
  const { languages } = draft
  const { add, field, isWrong } = useNewLanguage(
    languages.map(({ language }) => language),
    (language) => set({ languages: [...languages, { language, texts: noTexts }] })
  )
  return (
    <Card title={words.languages}>
      <Stack>
        <p className={kit.help}>{words.languagesAbout}</p>
        {languages.map((each) => (
          <fieldset key={each.language} className={kit.group}>
            <legend className={kit.label}>{each.language}</legend>
            <TextFields
              name={`translations.${each.language}`}
              texts={each.texts}
              onChange={(texts) => set({ languages: languages.map((one) => (one === each ? { ...one, texts } : one)) })}
            />
            <Row>
              <Button kind="quiet" onPress={() => set({ languages: languages.filter((one) => one !== each) })}>
                {words.removeLanguage(each.language)}
              </Button>
            </Row>
          </fieldset>
        ))}
        <TextField label={words.language} help={isWrong ? words.noLanguage : words.languageHelp} {...field} />
        <Row>
          <Button onPress={add}>{words.addLanguage}</Button>
        </Row>
      </Stack>
    </Card>
  )
}
