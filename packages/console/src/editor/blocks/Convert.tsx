/** Blocks need MJML: the HTML becomes one code block of it. The result is shown first. */
import { type ReactNode, useState } from "react"
import { Button } from "../../kit/Button.tsx"
import { ConfirmDialog } from "../../kit/Dialog.tsx"
import { Empty } from "../../kit/Layout.tsx"
import styles from "../editor.module.css"
import { type MailTexts, mjmlOf } from "../texts.ts"
import { editorWords } from "../words.ts"

interface ConvertProps {
  readonly value: MailTexts
  readonly onChange: (value: MailTexts) => void
}

export const Convert = ({ value, onChange }: ConvertProps): ReactNode => {
  const words = editorWords().blocks
  const [isOpen, setOpen] = useState(false)
  const source = mjmlOf(value.body)
  return (
    <>
      <Empty about={words.htmlOnly} action={<Button onPress={() => setOpen(true)}>{words.convert}</Button>} />
      <ConfirmDialog
        title={words.convert}
        action={words.convert}
        isOpen={isOpen}
        onOpenChange={setOpen}
        onConfirm={() => onChange({ ...value, format: "MJML", source })}
      >
        <p>{words.convertHelp}</p>
        <h3>{words.converted}</h3>
        <pre className={styles.plain} tabIndex={0}>
          <bdi>{source}</bdi>
        </pre>
      </ConfirmDialog>
    </>
  )
}
