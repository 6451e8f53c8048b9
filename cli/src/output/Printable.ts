/** Text from elsewhere on a terminal: what it says must not move the cursor, change colours or break the line. */

/** Every control character, C0 and C1, becomes a blank. */
export const printable = (text: string): string => text.replace(/\p{Cc}+/gu, " ")

/** The same for many lines: they stay lines, and tabs stay tabs. */
export const printableLines = (text: string): string => text.replace(/(?:(?![\n\t])\p{Cc})+/gu, " ")
