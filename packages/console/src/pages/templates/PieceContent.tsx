/** The texts of a piece, whose changes go to the draft, with how it looks. */
import { lazy, type ReactNode, Suspense, useCallback, useMemo } from "react"
import { useApi } from "../../app/Queries.ts"
import own from "../../editor/editor.module.css"
import { FaultList } from "../../editor/FaultList.tsx"
import { fieldsOf, type MailTexts, type RenderTexts } from "../../editor/texts.ts"
import { usePreview } from "../../editor/usePreview.ts"
import { TextField } from "../../kit/Field.tsx"
import { Bar, Problem, Stack } from "../../kit/Layout.tsx"
import { PreviewFrame } from "../../kit/PreviewFrame.tsx"
import type { PieceDraft } from "./usePieceDraft.ts"
import { templateWords } from "./words.ts"

const CodeEditor = lazy(async () => ({ default: (await import("../../editor/CodeEditor.tsx")).CodeEditor }))

const nobody = {}

export const PieceContent = ({ draft }: { readonly draft: PieceDraft }): ReactNode => {
  const words = templateWords()
  const api = useApi()
  const { fields, change, problems } = draft
  // A layout is shown around a sentence.
  const shown = useMemo<MailTexts>(
    () => ({
      format: "HTML",
      source: null,
      body: fields.body.replace(/\{\{>\s{0,20}content\s{0,20}\}\}/g, () => `<p>${words.layoutContent}</p>`),
      text: null
    }),
    [fields.body, words]
  )
  const render: RenderTexts = useCallback(
    (texts, reader) => api.templates.renderTexts({ ...fieldsOf(texts), ...reader, subject: words.pieces }),
    [api, words]
  )
  const { mail, error } = usePreview(shown, nobody, render)
  return (
    <Stack>
      <FaultList faults={problems} />
      <div className={own.beside}>
        <div className={own.codeFrame}>
          <Suspense fallback={<Bar height={320} />}>
            <CodeEditor
              label={words.pieceHtml}
              value={fields.body}
              onChange={(body) => change({ body })}
              faults={problems.filter(({ field }) => field === "body")}
            />
          </Suspense>
        </div>
        <Stack>
          {error !== null && <Problem error={error} />}
          {mail?.html && <PreviewFrame title={words.pieceFrame} html={mail.html} />}
        </Stack>
      </div>
      <TextField
        label={words.pieceText}
        help={words.pieceTextHelp}
        rows={4}
        value={fields.text}
        onChange={(text) => change({ text })}
      />
    </Stack>
  )
}
