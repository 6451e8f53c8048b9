/** The texts of a template or a piece as one text, for comparing two of them. */
import { writtenOf } from "../../editor/texts.ts"

interface PieceTexts {
  readonly body: string
  readonly text: string | null
}

interface TemplateTexts extends PieceTexts {
  readonly format: "HTML" | "MJML"
  readonly source: string | null
  readonly subject: string
  readonly from: string
  readonly translations: {
    readonly [tag: string]: PieceTexts & { readonly subject: string; readonly source?: string | null | undefined }
  }
}

const plain = (text: string | null) => (text === null ? [] : ["", text])

export const pieceText = ({ body, text }: PieceTexts): string => [body, ...plain(text)].join("\n")

export const templateText = (texts: TemplateTexts): string =>
  [
    texts.from,
    texts.subject,
    "",
    writtenOf(texts),
    ...plain(texts.text),
    ...Object.entries(texts.translations).flatMap(([tag, { subject, source, body, text }]) => [
      "",
      `${tag}: ${subject}`,
      texts.format === "MJML" ? (source ?? body) : body,
      ...plain(text)
    ])
  ].join("\n")
