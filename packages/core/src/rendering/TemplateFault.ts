/** What is wrong with a template's source, in the words of `errors[]` (contract 5.5, 7.5). */
import { Data } from "effect"

/** The source does not parse. Line and column are 1-based; columns count characters (code points). */
export interface SyntaxFault {
  readonly message: string
  readonly line: number
  readonly column: number
}

/** The source is beyond a limit; no place in it is to blame. */
export interface SizeFault {
  readonly code: "too_big"
  readonly message: string
}

export type TemplateFault = SyntaxFault | SizeFault

/** The source cannot be compiled. Stored texts were checked when they were saved, so this is rare after that. */
export class TemplateInvalid extends Data.TaggedError("TemplateInvalid")<{ readonly fault: TemplateFault }> {
  override get message() {
    return this.fault.message
  }
}

/** A fault while it still knows its offset in the source instead of line and column. */
export interface Flaw {
  readonly message: string
  readonly at: number
}

/** Lines end with LF, CRLF or CR. */
export const faultAt = (source: string, { message, at }: Flaw): SyntaxFault => {
  const lines = source.slice(0, at).split(/\r\n|\n|\r/)
  return { message, line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 }
}
