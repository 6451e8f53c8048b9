/** The name of a duplicate (contract 13, 14; contract-2 2.2). Pure. */

const suffix = " (Copy)"

/** The name with ` (Copy)` behind it; one that grows longer than `most` code points loses its end, not the suffix. */
export const copyName = (name: string, most: number): string =>
  [...name].slice(0, most - suffix.length).join("") + suffix
