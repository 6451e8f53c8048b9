/** What people call a mailbox provider: `YAHOO_JAPAN` is Yahoo Japan. */
import { words } from "./words.ts"

const initials = ["GMX", "IONOS", "QQ"]

export const providerText = (id: string): string => {
  if (id === "OTHER") return words().otherProviders
  if (initials.includes(id)) return id
  return id
    .split("_")
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join(" ")
}
