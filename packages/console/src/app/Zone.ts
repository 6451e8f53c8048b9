/** The time zone in which times are shown. */
import { usePreferences } from "./Preferences.ts"
import { useOpenedOrNull } from "./Project.tsx"

export const browserZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone

export const useZone = (): string => {
  const { zone } = usePreferences()
  const opened = useOpenedOrNull()
  if (zone === "utc") return "UTC"
  return zone === "project" && opened !== null ? opened.project.timezone : browserZone
}
