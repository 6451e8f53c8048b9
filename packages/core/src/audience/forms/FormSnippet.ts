/** The HTML of a form for a page of its owner. Pure. */
import type { FormField, FormSnippet } from "@posthorn/contract/audience/forms/Form"
import { type Html, html } from "../../platform/web/Html.ts"
import { languageOf } from "../../platform/web/Languages.ts"
import { pageWords } from "../../platform/web/PageWords.ts"
import type { StoredForm } from "./FormStore.ts"
import type { SpokenForm } from "./FormTexts.ts"
import { honeypotOf } from "./FormValues.ts"
import { formWords } from "./FormWords.ts"

const isNeeded = (required: boolean) => required && html` required`

const input = ({ key, label, type, required, maxLength, options }: FormField): Html => {
  switch (type) {
    case "hidden":
      return html`  <input type="hidden" name="${key}" value="">\n`
    case "checkbox":
      return html`  <p><label><input type="checkbox" name="${key}" value="true"${isNeeded(required)}> ${label}</label></p>\n`
    case "select":
      return html`  <p><label>${label}
    <select name="${key}"${isNeeded(required)}>
      <option value=""></option>${options.map((option) => html`\n      <option>${option}</option>`)}
    </select>
  </label></p>\n`
    default:
      return html`  <p><label>${label} <input type="${type}" name="${key}"${
        maxLength !== null && html` maxlength="${maxLength}"`
      }${type === "number" && html` step="any"`}${isNeeded(required)}></label></p>\n`
  }
}

export const snippetOf = (
  publicUrl: string,
  { publicId, settings: { fields, consentRequired } }: Pick<StoredForm, "publicId" | "settings">,
  { title, description, button, consentText, topics }: SpokenForm,
  projectLanguage: string
): FormSnippet => {
  const language = languageOf(projectLanguage)
  const words = formWords[language]
  const choices = topics.filter(({ mode }) => mode === "choice")
  const markup = html`<form action="${publicUrl}/f/${publicId}" method="post" accept-charset="utf-8">
  <h2>${title}</h2>
${description !== null && html`  <p>${description}</p>\n`}  <p><label>${words.email} <input type="email" name="email" autocomplete="email" required></label></p>
${fields.map(input)}${
  choices.length > 0 &&
  html`  <fieldset>
    <legend>${words.topics}</legend>
${choices.map(({ key, name }) => html`    <p><label><input type="checkbox" name="topic" value="${key}"> ${name}</label></p>\n`)}  </fieldset>\n`
}${
  consentText !== null &&
  (consentRequired
    ? html`  <p><label><input type="checkbox" name="consent" value="true" required> ${consentText}</label></p>\n`
    : html`  <p>${consentText}</p>\n`)
}  <p hidden><label>${words.leaveEmpty} <input name="${honeypotOf(fields)}" tabindex="-1" autocomplete="off"></label></p>
  <p><button type="submit">${button ?? pageWords[language].subscribe.button}</button></p>
</form>`
  return {
    html: markup.toString(),
    script: html`<script src="${publicUrl}/forms.js" data-form="${publicId}" async></script>`.toString()
  }
}
