/** The faults of a template source, in the terms of `errors[]`. */
import { Data } from "effect"

/** The source does not parse. Line and column are 1-based. Columns count code points. */
export interface SyntaxFault {
  readonly message: string
  readonly line: number
  readonly column: number
}

/** The source exceeds a limit, so the fault has no position. */
export interface SizeFault {
  readonly code: "too_big"
  readonly message: string
}

export type TemplateFault = SyntaxFault | SizeFault

/** The source cannot be compiled. This is rare for stored texts, because they are checked when they are saved. */
export class TemplateInvalid extends Data.TaggedError("TemplateInvalid")<{ readonly fault: TemplateFault }> {
  override get message() {
    return this.fault.message
  }
}

/** A fault with an offset in the source instead of line and column. */
export interface Flaw {
  readonly message: string
  readonly at: number
}

/** Lines end with LF, CRLF or CR. */
export const faultAt = (source: string, { message, at }: Flaw): SyntaxFault => {
  const lines = source.slice(0, at).split(/\r\n|\n|\r/)
  return { message, line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 }
}
