/** Folds long sentences. */

/** Breaks lines between words after at most 96 characters, and indents them like the first line of a help text. */
export const folded = (text: string): string => text.replace(/(.{1,96})(?:\s+|$)/g, "$1\n  ").trimEnd()
