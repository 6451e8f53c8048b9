/** A condition on contacts, as a form that reads as a sentence, or as JSON. */
import type { FilterTree } from "@posthorn/client/session"
import { type ReactNode, useMemo, useState } from "react"
import { Button } from "../Button.tsx"
import { TextField } from "../Field.tsx"
import kit from "../kit.module.css"
import { Row } from "../Layout.tsx"
import { Foreign } from "../Text.tsx"
import { gapsIn, isTree } from "./check.ts"
import styles from "./conditions.module.css"
import { sentenceOf } from "./sentence.ts"
import { TreeEditor } from "./TreeEditor.tsx"
import { type TreeFault, useSegmentNames, VocabularyProvider } from "./Vocabulary.tsx"
import { conditionWords, sentenceWords } from "./words.ts"

/** A condition in plain words. */
export const ConditionSentence = ({ tree }: { readonly tree: FilterTree }): ReactNode => {
  const words = sentenceWords()
  const segments = useSegmentNames()
  return <Foreign>{sentenceOf(tree, words, segments)}</Foreign>
}

/** What the condition lacks before the service can read it, with its places: to be shown when a form is sent. */
export const useConditionGaps = (): ((tree: FilterTree) => ReadonlyArray<TreeFault>) => {
  const { gaps } = conditionWords()
  return (tree) => gapsIn(tree).map(({ field, code }) => ({ field, message: gaps[code] }))
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface EditorProps {
  readonly value: FilterTree
  readonly onChange: (value: FilterTree) => void
}

const JsonEditor = ({ value, onChange }: EditorProps) => {
  const words = conditionWords()
  const [text, setText] = useState(() => JSON.stringify(value, null, 2))
  const isValid = isTree(parsed(text))
  return (
    <div className={styles.json}>
      <TextField
        label={words.json}
        rows={16}
        value={text}
        help={isValid ? words.jsonHelp : words.notTree}
        onChange={(given) => {
          setText(given)
          const tree = parsed(given)
          if (isTree(tree)) onChange(tree)
        }}
      />
    </div>
  )
}

interface ConditionBuilderProps extends EditorProps {
  /** Faults of the service or of `useConditionGaps`. A path may start with the name of the field and a dot. */
  readonly faults?: ReadonlyArray<TreeFault> | undefined
  /** The name of the field in the faults of the service. */
  readonly name?: string
  /** A step of a workflow also has the variables of its execution. */
  readonly isStep?: boolean
}

const none: ReadonlyArray<TreeFault> = []

/** Whether a group or a row of the form shows the faults of this path. */
const hasPlace = (path: string) => /(?:^|\.)groups\.\d+(?:\.filters\.\d+(?:\..*)?)?$/.test(path)

export const ConditionBuilder = (props: ConditionBuilderProps): ReactNode => {
  const { value, onChange, faults = none, name = "condition", isStep = false } = props
  const words = conditionWords()
  const [isJson, setJson] = useState(false)
  const own = useMemo(
    () =>
      faults.map(({ field, message }) => ({
        message,
        field: field.startsWith(`${name}.`) ? field.slice(name.length + 1) : field
      })),
    [faults, name]
  )
  return (
    <fieldset className={styles.builder}>
      <legend className="visually-hidden">{words.condition}</legend>
      <p className={styles.sentence}>
        <ConditionSentence tree={value} />
      </p>
      <VocabularyProvider faults={own} isStep={isStep}>
        {isJson ? <JsonEditor value={value} onChange={onChange} /> : <TreeEditor tree={value} onChange={onChange} />}
      </VocabularyProvider>
      {own.map(
        ({ field, message }) =>
          (isJson || !hasPlace(field)) && (
            <p key={`${field} ${message}`} className={kit.fault}>
              <code>{field}</code>: <Foreign>{message}</Foreign>
            </p>
          )
      )}
      <Row>
        <Button kind="quiet" onPress={() => setJson(!isJson)}>
          {isJson ? words.editForm : words.editJson}
        </Button>
      </Row>
    </fieldset>
  )
}
