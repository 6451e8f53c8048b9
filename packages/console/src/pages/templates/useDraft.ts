/** The draft of a template. */
import type { Template, TemplateDraft, WriteDraft } from "@posthorn/client/session"
import { useQueryClient } from "@tanstack/react-query"
import { useCallback } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { useApi, useForget } from "../../app/Queries.ts"
import { fieldsOf, type MailTexts } from "../../editor/texts.ts"
import { type Saved, useSavedSoon } from "./useSavedSoon.ts"

/** The texts in another language. */
export interface Translation {
  readonly subject: string
  /** MJML. Null unless it is the format of the template. */
  readonly source: string | null
  readonly body: string
  readonly text: string | null
}

export interface DraftFields extends MailTexts {
  readonly subject: string
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  readonly type: Template["type"]
  /** The language of the texts themselves. Null: that of the project. */
  readonly language: string | null
  readonly translations: { readonly [tag: string]: Translation }
}

/** Translations as a request has them: with a source or a body, as the format says. */
export const translationsOf = ({ format, translations }: Pick<DraftFields, "format" | "translations">) =>
  Object.fromEntries(
    Object.entries(translations).map(([tag, { subject, body, text, source }]) => [
      tag,
      format === "MJML" && source !== null ? { subject, source, text } : { subject, body, text }
    ])
  )

/** What the page does not edit stays as it is in the draft. */
const requestOf = (stored: Template | TemplateDraft, fields: DraftFields): WriteDraft => {
  const { subject, from, fromName, replyTo, type, language } = fields
  const { layout, strict } = stored
  return {
    ...fieldsOf(fields),
    subject,
    from,
    fromName: fromName || null,
    replyTo: replyTo || null,
    type,
    language,
    layout,
    strict,
    translations: translationsOf(fields)
  }
}

export const fieldsFrom = (stored: Template | TemplateDraft): DraftFields => {
  const { subject, from, fromName, replyTo, type, format, source, body, text, language } = stored
  const translations = Object.fromEntries(
    Object.entries(stored.translations).map(([tag, { subject, body, text, source }]) => [
      tag,
      { subject, body, text, source: source ?? null }
    ])
  )
  return { subject, from, fromName, replyTo, type, format, source, body, text, language, translations }
}

/** What is stored is in the cache too, so that the page opens with it. */
const useRemember = (id: string) => {
  const client = useQueryClient()
  const project = useProjectId()
  const forget = useForget()
  return useCallback(
    (draft: TemplateDraft) => {
      const { basedOn, updatedAt } = draft
      client.setQueryData([project, "template-draft", id], draft)
      client.setQueryData<Template>([project, "template", id], (known) =>
        known === undefined ? undefined : { ...known, draft: { basedOn, updatedAt } }
      )
      void forget("templates")
    },
    [client, project, forget, id]
  )
}

export type Draft = Saved<DraftFields>

export const useDraft = (template: Template, draft: TemplateDraft | null): Draft => {
  const api = useApi()
  const onStored = useRemember(template.id)
  const stored = draft ?? template
  return useSavedSoon<DraftFields, TemplateDraft>({
    first: fieldsFrom(stored),
    draft,
    save: (fields) => api.templates.saveDraft(template.id, requestOf(stored, fields)),
    onStored
  })
}
