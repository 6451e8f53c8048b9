/** The text that inboxes show beside the subject: `mj-preview` in the head of MJML. */
import type { ReactNode } from "react"
import { TextField } from "../kit/Field.tsx"
import { preheaderOf, withPreheader } from "./blocks/head.ts"
import type { MailTexts } from "./texts.ts"
import { editorWords } from "./words.ts"

interface PreheaderProps {
  readonly value: MailTexts
  readonly onChange: (source: string) => void
}

export const Preheader = ({ value, onChange }: PreheaderProps): ReactNode => {
  const words = editorWords()
  const source = value.source ?? ""
  if (value.format !== "MJML" || withPreheader(source, "a") === null) return null
  return (
    <TextField
      label={words.preheader}
      help={words.preheaderHelp}
      value={preheaderOf(source)}
      onChange={(text) => {
        const next = withPreheader(source, text)
        if (next !== null) onChange(next)
      }}
    />
  )
}
