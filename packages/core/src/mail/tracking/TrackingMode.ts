/** Which mail of a project is tracked. */
import type { TrackingMode } from "@posthorn/contract/accounts/projects/Project"
import type { EmailType } from "@posthorn/contract/content/templates/Template"

/** Whether opens and clicks of mail of this type are tracked, unless the request says otherwise. */
export const tracks = (mode: typeof TrackingMode.Type, type: EmailType): boolean =>
  mode === "ENABLED" || (mode === "MARKETING_ONLY" && type !== "TRANSACTIONAL")
