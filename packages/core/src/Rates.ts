/** Percentages as the analytics tell them: one decimal, 0 of nothing. Pure. */
export const percentage = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10
