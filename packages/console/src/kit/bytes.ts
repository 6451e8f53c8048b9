/** Sizes of files in words. */
import { language } from "../app/Words.ts"

const sizes = ["byte", "kilobyte", "megabyte", "gigabyte"] as const

export const bytesText = (bytes: number): string => {
  const power = Math.min(sizes.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const unit = sizes[power] ?? "byte"
  return new Intl.NumberFormat(language(), { style: "unit", unit, maximumFractionDigits: 1 }).format(
    bytes / 1000 ** power
  )
}
