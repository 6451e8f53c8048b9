/** A form as a person edits it, and as the API takes it. */
import type { Form, FormField, UpdateForm } from "@posthorn/client/session"
import { linesOf } from "../../kit/ListField.tsx"

export const textNames = ["title", "description", "button", "success", "consentText"] as const
export type TextName = (typeof textNames)[number]
export type Texts = { readonly [N in TextName]: string }

export interface DraftField extends Omit<FormField, "maxLength"> {
  /** Of the row on the page. */
  readonly id: number
  readonly maxLength: string
}

export interface Draft extends Pick<Form, "name" | "subscribe" | "topics" | "segmentIds" | "doubleOptIn"> {
  readonly texts: Texts
  readonly languages: ReadonlyArray<{ readonly language: string; readonly texts: Texts }>
  readonly fields: ReadonlyArray<DraftField>
  readonly consentRequired: boolean
  readonly redirectUrl: string
  readonly confirmedRedirectUrl: string
  readonly allowedOrigins: ReadonlyArray<string>
  readonly requireTicket: boolean
}

export const noTexts: Texts = { title: "", description: "", button: "", success: "", consentText: "" }

const textsOf = (texts: Form["texts"]): Texts => ({
  title: texts.title ?? "",
  description: texts.description ?? "",
  button: texts.button ?? "",
  success: texts.success ?? "",
  consentText: texts.consentText ?? ""
})

const inputOf = (texts: Texts) => Object.fromEntries(textNames.map((name) => [name, texts[name].trim() || null]))

export const draftOf = (form: Form): Draft => ({
  name: form.name,
  subscribe: form.subscribe,
  topics: form.topics,
  segmentIds: form.segmentIds,
  doubleOptIn: form.doubleOptIn,
  texts: textsOf(form.texts),
  languages: Object.entries(form.translations).map(([language, texts]) => ({ language, texts: textsOf(texts) })),
  fields: form.fields.map((field, id) => ({
    ...field,
    id,
    maxLength: field.maxLength === null ? "" : String(field.maxLength)
  })),
  consentRequired: form.consentRequired,
  redirectUrl: form.redirectUrl ?? "",
  confirmedRedirectUrl: form.confirmedRedirectUrl ?? "",
  allowedOrigins: form.allowedOrigins,
  requireTicket: form.requireTicket
})

export const bodyOf = (draft: Draft): UpdateForm => ({
  name: draft.name.trim(),
  subscribe: draft.subscribe,
  topics: draft.topics,
  segmentIds: draft.segmentIds,
  doubleOptIn: draft.doubleOptIn,
  texts: inputOf(draft.texts),
  translations: Object.fromEntries(draft.languages.map(({ language, texts }) => [language, inputOf(texts)])),
  fields: draft.fields.map(({ key, label, type, required, maxLength, options }) => ({
    key: key.trim(),
    label: label.trim(),
    type,
    required,
    ...((type === "text" || type === "hidden") && maxLength !== "" && { maxLength: Number(maxLength) }),
    ...(type === "select" && { options: linesOf(options) })
  })),
  consentRequired: draft.consentRequired,
  redirectUrl: draft.redirectUrl.trim() || null,
  confirmedRedirectUrl: draft.confirmedRedirectUrl.trim() || null,
  allowedOrigins: linesOf(draft.allowedOrigins),
  requireTicket: draft.requireTicket
})

/** As the API names them in its faults. */
export const namesOf = (draft: Draft): ReadonlyArray<string> => [
  "name",
  ...textNames.map((name) => `texts.${name}`),
  ...draft.languages.flatMap(({ language }) => textNames.map((name) => `translations.${language}.${name}`)),
  ...draft.fields.flatMap((_, place) =>
    ["key", "label", "maxLength", "options"].map((name) => `fields.${place}.${name}`)
  ),
  "redirectUrl",
  "confirmedRedirectUrl",
  "allowedOrigins"
]
