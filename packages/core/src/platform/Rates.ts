/** Percentages with one decimal, as the analytics show them. 0 for a whole of 0. Pure. */
export const percentage = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10
