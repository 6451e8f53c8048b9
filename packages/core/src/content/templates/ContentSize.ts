/** The limit of all texts of a template or campaign together. */
import { maxTranslations, type TemplateContent } from "@posthorn/contract/content/templates/Template"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect } from "effect"

/** Characters of all texts of a template or campaign together. A request may have as many bytes. */
const maxTexts = 10 * 1024 * 1024

interface Texts extends Pick<TemplateContent, "subject" | "body" | "text"> {
  readonly source?: string | null
}

const lengthOf = ({ subject, body, source, text }: Texts) =>
  subject.length + body.length + (source?.length ?? 0) + (text?.length ?? 0)

/** Limits the texts together: those that several requests have stored, and HTML, which is larger than its MJML. */
export const requireSize = (
  content: Texts & Pick<TemplateContent, "translations">
): Effect.Effect<void, ValidationError> => {
  const translations = Object.values(content.translations)
  if (translations.length > maxTranslations) {
    return Effect.fail(ValidationError.one("translations", "too_big", `At most ${maxTranslations} translations.`))
  }
  const total = translations.reduce((sum, texts) => sum + lengthOf(texts), lengthOf(content))
  return total > maxTexts
    ? Effect.fail(ValidationError.one("translations", "too_big", "All texts together have at most 10 MB."))
    : Effect.void
}
