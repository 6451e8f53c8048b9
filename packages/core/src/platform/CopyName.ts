/** The name of a duplicate. Pure. */

const suffix = " (Copy)"

/** The name with ` (Copy)` appended. A name that would exceed `most` code points loses its end, not the suffix. */
export const copyName = (name: string, most: number): string =>
  [...name].slice(0, most - suffix.length).join("") + suffix
