/** The `number` helper. */
import { localeOr, remember } from "./Locales.ts"
import { printed } from "./PrintedValue.ts"

export interface NumberOptions {
  readonly decimals: unknown
  readonly currency: unknown
  readonly locale: unknown
}

/**
 * Formats numbers, and texts that are a plain decimal number, in a locale. An unknown locale means English. All digits
 * are kept unless `decimals` (0 to 20) or a currency is given. A value that is not a number prints unchanged.
 */
export const numberText = (value: unknown, { decimals, currency, locale }: NumberOptions): string => {
  const number = typeof value === "string" && plainNumber.test(value) ? Number(value) : value
  if (typeof number !== "number" || !Number.isFinite(number)) return printed(value)
  const code = typeof currency === "string" && /^[A-Za-z]{3}$/.test(currency) ? currency.toUpperCase() : ""
  return formatter(localeOr(locale, "en"), digitsOf(decimals), code).format(number)
}

/** A plain decimal number with at most as many digits as a double holds exactly. */
const plainNumber = /^-?(?=[\d.]{1,16}$)\d+(?:\.\d+)?$/

const digitsOf = (decimals: unknown): number | undefined => {
  const digits = typeof decimals === "string" && /^\d{1,2}$/.test(decimals) ? Number(decimals) : decimals
  return typeof digits === "number" && Number.isInteger(digits) && digits >= 0 && digits <= 20 ? digits : undefined
}

const formatter = remember(
  (locale: string, digits: number | undefined, currency: string) =>
    new Intl.NumberFormat(locale, {
      ...(currency && { style: "currency", currency }),
      ...(digits !== undefined && { minimumFractionDigits: digits, maximumFractionDigits: digits }),
      ...(digits === undefined && !currency && { maximumFractionDigits: 20 })
    }),
  (locale, digits, currency) => `${locale} ${digits} ${currency}`
)
