/** Makes untrusted text safe for a terminal: it must not move the cursor, change colours or break the line. */

/** Every control character, C0 and C1, becomes a blank. */
export const printable = (text: string): string => text.replace(/\p{Cc}+/gu, " ")

/** The same for several lines: line breaks and tabs are kept. */
export const printableLines = (text: string): string => text.replace(/(?:(?![\n\t])\p{Cc})+/gu, " ")
