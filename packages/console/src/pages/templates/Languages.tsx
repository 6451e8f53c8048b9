/** The languages of a template: which one is shown, and adding and removing one. */
import { type ReactNode, useState } from "react"
import { Form } from "react-aria-components/Form"
import { language } from "../../app/Words.ts"
import { Button } from "../../kit/Button.tsx"
import { Select, TextField } from "../../kit/Field.tsx"
import { Row } from "../../kit/Layout.tsx"
import { templateWords } from "./words.ts"

/** The tag as it is usually written; null if it is none. */
export const languageTag = (text: string): string | null => {
  try {
    return Intl.getCanonicalLocales(text.trim())[0] ?? null
  } catch {
    return null
  }
}

const nameOf = (tag: string): string => {
  const name = languageTag(tag) === null ? undefined : new Intl.DisplayNames(language(), { type: "language" }).of(tag)
  return name === undefined || name === tag ? tag : `${name} (${tag})`
}

interface LanguagesProps {
  /** The language of the base texts. Null: that of the project. */
  readonly base: string | null
  readonly tags: ReadonlyArray<string>
  /** The one that is shown; undefined: the base texts. */
  readonly chosen: string | undefined
  readonly onChoose: (tag: string | undefined) => void
  readonly onAdd: (tag: string) => void
  readonly onRemove: (tag: string) => void
}

export const Languages = ({ base, tags, chosen, onChoose, onAdd, onRemove }: LanguagesProps): ReactNode => {
  const words = templateWords()
  const [typed, setTyped] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const add = () => {
    const tag = languageTag(typed ?? "")
    if (tag === null || tags.includes(tag)) return setWrong(true)
    setTyped(null)
    onAdd(tag)
  }
  return (
    <Row>
      <Select
        label={words.language}
        choices={[
          { id: "", name: base === null ? words.baseLanguage : words.baseOf(nameOf(base)) },
          ...tags.map((tag) => ({ id: tag, name: nameOf(tag) }))
        ]}
        value={chosen ?? ""}
        onChange={(tag) => onChoose(tag === "" ? undefined : tag)}
      />
      {typed === null ? (
        <>
          <Button onPress={() => setTyped("")}>{words.addLanguage}</Button>
          {chosen !== undefined && <Button onPress={() => onRemove(chosen)}>{words.removeLanguage}</Button>}
        </>
      ) : (
        <Form
          onSubmit={(event) => {
            event.preventDefault()
            add()
          }}
        >
          <Row>
            <TextField
              label={words.languageTag}
              help={isWrong ? words.noLanguage : words.languageHelp}
              isInvalid={isWrong}
              value={typed}
              onChange={(text) => {
                setTyped(text)
                setWrong(false)
              }}
              autoFocus
            />
            <Button type="submit">{words.add}</Button>
            <Button onPress={() => setTyped(null)}>{words.cancel}</Button>
          </Row>
        </Form>
      )}
    </Row>
  )
}
