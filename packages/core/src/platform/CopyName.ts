/** The name of a record that is made from another. Pure. */

/** The name with the suffix appended. A name that would exceed `most` code points loses its end, not the suffix. */
export const copyName = (name: string, most: number, suffix = " (Copy)"): string =>
  [...name].slice(0, most - suffix.length).join("") + suffix
