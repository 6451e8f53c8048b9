/** Sizes in bytes of UTF-8, without encoding what is clearly small. */

export const megabyte = 1024 * 1024

/** A UTF-16 code unit takes one to three bytes of UTF-8. */
export const exceedsBytes = (text: string, limit: number): boolean =>
  text.length > limit || (text.length * 3 > limit && new TextEncoder().encode(text).length > limit)
