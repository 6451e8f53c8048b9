/** What the template of confirmation mail must keep: without its link contacts cannot confirm. */
import type { TemplateContent } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect } from "effect"
import { AudienceRules } from "../../audience/settings/AudienceRules.ts"

/** How a template prints the link to confirm. */
const confirmLink = /\{\{\{?\s{0,20}confirmUrl\s{0,20}\}\}/

/** What is wrong with a template as that of confirmation mail. */
export const confirmationFaults = ({
  type,
  body,
  translations
}: Pick<TemplateContent, "body" | "translations" | "type">): ReadonlyArray<Fault> => {
  const bodies = [
    ["body", body],
    ...Object.entries(translations).map(([tag, texts]) => [`translations.${tag}.body`, texts.body])
  ]
  return [
    ...(type === "TRANSACTIONAL"
      ? []
      : [
          {
            field: "type",
            code: "custom",
            message: "The template of confirmation mail must be TRANSACTIONAL."
          } as const
        ]),
    ...bodies.flatMap(([field = "", text = ""]) =>
      confirmLink.test(text)
        ? []
        : [
            {
              field,
              code: "custom",
              message: "The template of confirmation mail must print `{{confirmUrl}}`."
            } as const
          ]
    )
  ]
}

export const make = Effect.map(AudienceRules, (rules) => {
  const isUsed = (project: ProjectId, id: string) =>
    Effect.map(rules.get(project), ({ doubleOptIn }) => doubleOptIn.templateId === id)
  return {
    /** Whether the settings of the audience name the template. */
    isUsed,
    /** Refuses content with which that template could not ask any more. */
    requireLink: Effect.fnUntraced(function* (
      project: ProjectId,
      id: string,
      content: Pick<TemplateContent, "body" | "translations" | "type">
    ) {
      if (!(yield* isUsed(project, id))) return
      const errors = confirmationFaults(content)
      if (errors.length > 0) return yield* new ValidationError({ errors })
    })
  }
})
