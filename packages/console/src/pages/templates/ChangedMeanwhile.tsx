/** Another version became live after the draft was stored: both texts, and the choice between them. */
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import styles from "../../editor/editor.module.css"
import { writtenOf } from "../../editor/texts.ts"
import { Button } from "../../kit/Button.tsx"
import { Dialog, DialogButtons } from "../../kit/Dialog.tsx"
import { Bar, Pair, Problem } from "../../kit/Layout.tsx"
import type { DraftFields } from "./useDraft.ts"
import { templateWords } from "./words.ts"

type Texts = Pick<DraftFields, "subject" | "format" | "source" | "body" | "text">

const Side = ({ title, texts }: { readonly title: string; readonly texts: Texts }) => (
  <section aria-label={title}>
    <h3>{title}</h3>
    <pre className={styles.plain} tabIndex={0}>
      <bdi>{`${texts.subject}\n\n${writtenOf(texts)}`}</bdi>
    </pre>
  </section>
)

interface ChangedProps {
  readonly id: string
  readonly mine: Texts
  readonly onClose: () => void
  readonly onKeep: () => void
  readonly onTake: () => void
}

export const ChangedMeanwhile = ({ id, mine, onClose, onKeep, onTake }: ChangedProps): ReactNode => {
  const words = templateWords()
  const theirs = useRead(["template", id, "live"], (api, options) => api.templates.get(id, options), { staleTime: 0 })
  return (
    <Dialog title={words.changedMeanwhile} isWide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <p>{words.changedText}</p>
      {theirs.error !== null ? (
        <Problem error={theirs.error} />
      ) : theirs.data === undefined ? (
        <Bar height={240} />
      ) : (
        <Pair>
          <Side title={words.theirs} texts={theirs.data} />
          <Side title={words.mine} texts={mine} />
        </Pair>
      )}
      <DialogButtons>
        <Button onPress={onTake}>{words.takeTheirs}</Button>
        <Button kind="primary" onPress={onKeep}>
          {words.keepMine}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
