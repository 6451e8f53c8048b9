/** The paths that a sign-in may return to. */

export const longestLocalPath = 2_000

/**
 * Whether the text is a path of this origin. Browsers take `//host` and `/\host` for other origins, and drop tabs and
 * line breaks.
 */
export const isLocalPath = (text: string): boolean =>
  text.length <= longestLocalPath && /^\/(?![/\\])[\x21-\x7e]*$/.test(text)
