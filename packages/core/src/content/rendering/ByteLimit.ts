/** Sizes in bytes of UTF-8, without encoding texts that are clearly small enough. */

export const megabyte = 1024 * 1024

/** The maximum size of a body, both as a template and as rendered text. */
export const maxBody = 2 * megabyte

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** A UTF-16 code unit takes one to three bytes of UTF-8. */
export const exceedsBytes = (text: string, limit: number): boolean =>
  text.length > limit || (text.length * 3 > limit && bytesOf(text) > limit)
