/** The form as people will see it, with what is not saved yet. Nothing in it can be used. */
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import kit from "../../kit/kit.module.css"
import { Card } from "../../kit/Layout.tsx"
import { Foreign } from "../../kit/Text.tsx"
import type { Draft, DraftField } from "./draft.ts"
import styles from "./forms.module.css"
import { formWords } from "./words.ts"

const Box = ({ children }: { readonly children: ReactNode }) => (
  <span className={kit.choice}>
    <span className={kit.box} />
    <span>{children}</span>
  </span>
)

const Shown = ({ field: { label, type, required, options } }: { readonly field: DraftField }) => {
  const { optional } = formWords()
  if (type === "hidden") return null
  const name = (
    <>
      <Foreign>{label}</Foreign>
      {!required && ` (${optional})`}
    </>
  )
  if (type === "checkbox") return <Box>{name}</Box>
  return (
    <span className={kit.field}>
      <span className={kit.label}>{name}</span>
      <span className={`${kit.input} ${styles.input}`}>
        {type === "select" && <Foreign>{options[0] ?? ""}</Foreign>}
      </span>
    </span>
  )
}

export const FormPreview = ({ draft }: { readonly draft: Draft }): ReactNode => {
  const words = formWords()
  const topics = useRead(["topics", "list", false], (api, options) => api.topics.list({}, options))
  const { texts } = draft
  const choices = draft.topics.filter(({ mode }) => mode === "choice")
  return (
    <Card title={words.preview}>
      <div className={styles.preview} aria-label={words.preview} role="img">
        <strong>
          <Foreign>{texts.title || draft.name}</Foreign>
        </strong>
        {texts.description !== "" && (
          <span>
            <Foreign>{texts.description}</Foreign>
          </span>
        )}
        <span className={kit.field}>
          <span className={kit.label}>{words.previewAddress}</span>
          <span className={`${kit.input} ${styles.input}`} />
        </span>
        {draft.fields.map((field) => (
          <Shown key={field.id} field={field} />
        ))}
        {choices.map(({ key }) => (
          <Box key={key}>
            <Foreign>{topics.data?.find((topic) => topic.key === key)?.name ?? key}</Foreign>
          </Box>
        ))}
        {texts.consentText !== "" &&
          (draft.consentRequired ? (
            <Box>
              <Foreign>{texts.consentText}</Foreign>
            </Box>
          ) : (
            <span className={kit.help}>
              <Foreign>{texts.consentText}</Foreign>
            </span>
          ))}
        <span className={styles.button}>
          <Foreign>{texts.button || words.previewButton}</Foreign>
        </span>
      </div>
      <p className={kit.help}>{words.unsaved}</p>
    </Card>
  )
}
