/** What an editor of mail edits, and how it asks for a rendering. */
import type { Call, Fault, RenderedMail } from "@posthorn/client/session"

export interface MailTexts {
  readonly format: "HTML" | "MJML"
  /** MJML. Null unless it is the format. */
  readonly source: string | null
  /** HTML. With MJML it is what the source was compiled to. */
  readonly body: string
  /** Null: derived from the HTML. */
  readonly text: string | null
}

/** A place of the source that is to be shown. A new object shows it again. */
export interface Goal {
  readonly offset: number
}

/** Whose mail the preview shows. */
export interface Reader {
  readonly email?: string | undefined
  readonly data?: { readonly [key: string]: unknown } | undefined
}

export type RenderTexts = (texts: MailTexts, reader: Reader) => Call<RenderedMail>

export type { Fault, RenderedMail }

/** The height that the editor will have, for the bar in its place. */
export const editorHeight = (format: MailTexts["format"]): string | number =>
  format === "MJML" ? 477 : "calc(max(320px, 60vh) + 69px)"

/** MJML that holds HTML as it is. */
export const mjmlOf = (html: string): string =>
  `<mjml>\n  <mj-body>\n    <mj-raw>\n${html}\n    </mj-raw>\n  </mj-body>\n</mjml>\n`

/** The text that is written by hand: MJML, or HTML. */
export const writtenOf = ({ format, source, body }: MailTexts): string => (format === "MJML" ? (source ?? "") : body)

export const withWritten = (texts: MailTexts, written: string): MailTexts =>
  texts.format === "MJML" ? { ...texts, source: written } : { ...texts, body: written }

/** The fields of a request that renders or stores the texts: an MJML body is compiled by the service. */
export const fieldsOf = ({ format, source, body, text }: MailTexts) => ({
  format,
  text,
  ...(format === "MJML" ? { source: source ?? "" } : { body })
})
