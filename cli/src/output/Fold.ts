/** Long sentences on short lines. */

/** Broken between words after at most 96 characters, each further line indented like the first of a help text. */
export const folded = (text: string): string => text.replace(/(.{1,96})(?:\s+|$)/g, "$1\n  ").trimEnd()
