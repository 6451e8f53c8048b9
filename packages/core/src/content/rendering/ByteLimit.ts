/** Sizes in bytes of UTF-8, without encoding texts that are clearly small enough. */

export const megabyte = 1024 * 1024

/**
 * The maximum size of a text: with placeholders, compiled from MJML, with its partials, and rendered. A body that is
 * written as HTML has at most 2 MB.
 */
export const maxText = 5 * megabyte

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** A UTF-16 code unit takes one to three bytes of UTF-8. */
export const exceedsBytes = (text: string, limit: number): boolean =>
  text.length > limit || (text.length * 3 > limit && bytesOf(text) > limit)
