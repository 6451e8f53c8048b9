/** The HTML of the hosted pages of sign-up forms. Pure. */
import type { FormField } from "@posthorn/contract/audience/forms/Form"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { type Html, html } from "../../platform/web/Html.ts"
import { message, type PageContext, page } from "../../platform/web/PageHtml.ts"
import { pageWords } from "../../platform/web/PageWords.ts"
import type { PublicForm } from "./FormStore.ts"
import type { SpokenForm } from "./FormTexts.ts"
import { type GivenFields, honeypotOf, isTicked } from "./FormValues.ts"
import { type FormWords, formWords } from "./FormWords.ts"

export interface FormPage {
  readonly form: PublicForm
  readonly spoken: SpokenForm
  /** What the visitor has sent, to be shown again. */
  readonly given?: GivenFields
  readonly faults?: ReadonlyArray<Fault>
}

const longestShown = 5_000

const lastOf = (given: GivenFields | undefined, name: string): unknown => given?.all(name).at(-1)

const textOf = (given: GivenFields | undefined, name: string): string => {
  const value = lastOf(given, name)
  return typeof value === "string" ? value.slice(0, longestShown).toWellFormed() : ""
}

const sentence = ({ faults }: FormWords, { field, code }: Fault, isBox: boolean): string => {
  if (code === "required") return isBox ? faults.box : faults.required
  if (code === "too_big") return faults.tooLong
  return field === "email" ? faults.email : faults.invalid
}

/** Ids of the page. Keys of fields can have any characters, so fields are numbered. */
interface Control {
  readonly id: string
  readonly name: string
  readonly fault: string | undefined
}

const described = ({ id, fault }: Control) =>
  fault !== undefined && html` aria-invalid="true" aria-describedby="${id}-fault"`

const note = ({ id, fault }: Control) => fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`

const line = (control: Control, label: Html, element: Html) => html`<div class="field">
<label for="${control.id}">${label}</label>
${element}
${note(control)}
</div>
`

const tick = (
  control: Control,
  label: Html,
  value: string,
  isOn: boolean,
  required: boolean
) => html`<div class="field">
<label class="tick"><input type="checkbox" id="${control.id}" name="${control.name}" value="${value}"${
  isOn && html` checked`
}${required && html` required`}${described(control)}><span>${label}</span></label>
${note(control)}
</div>
`

const fieldOf = (words: FormWords, given: GivenFields | undefined, field: FormField, control: Control): Html => {
  const { key, label, type, required, maxLength, options } = field
  const value = textOf(given, key)
  const text = html`${label}${!required && html` <span class="optional">(${words.optional})</span>`}`
  const common = html`id="${control.id}" name="${key}"${required && html` required`}${described(control)}`
  switch (type) {
    case "hidden":
      return html`<input type="hidden" name="${key}" value="${value}">\n`
    case "checkbox":
      return tick(control, html`${label}`, "true", isTicked(lastOf(given, key)), required)
    case "select":
      return line(
        control,
        text,
        html`<select ${common}>
<option value=""></option>${options.map(
          (option) => html`\n<option value="${option}"${option === value && html` selected`}>${option}</option>`
        )}
</select>`
      )
    default:
      return line(
        control,
        text,
        html`<input type="${type}" ${common} value="${value}"${maxLength !== null && html` maxlength="${maxLength}"`}${
          type === "number" && html` step="any"`
        }>`
      )
  }
}

const topicsOf = (words: FormWords, { topics }: SpokenForm, given: GivenFields | undefined): Html | false => {
  const ticked = new Set(given?.all("topic"))
  const choices = topics.filter(({ mode }) => mode === "choice")
  const boxes = choices.map(
    ({ key, name, description }, n) =>
      html`<label class="tick"><input type="checkbox" id="topic-${n}" name="topic" value="${key}"${
        ticked.has(key) && html` checked`
      }><span>${name}${description !== null && html`<small>${description}</small>`}</span></label>\n`
  )
  return (
    choices.length > 0 &&
    html`<fieldset>
<legend>${words.topics}</legend>
${boxes}</fieldset>
`
  )
}

const consentOf = ({ consentText }: SpokenForm, isBox: boolean, given: GivenFields | undefined, control: Control) => {
  if (consentText === null) return false
  return isBox
    ? tick(control, html`<span class="lines">${consentText}</span>`, "true", isTicked(lastOf(given, "consent")), true)
    : html`<p class="small lines">${consentText}</p>\n`
}

/** The form. After a submission with faults, with the values and each fault at its field. */
export const formPage = (place: PageContext, { form, spoken, given, faults = [] }: FormPage): Html => {
  const words = formWords[place.language]
  const { fields, consentRequired } = form.settings
  const { title, description, button } = spoken
  const controlOf = (id: string, name: string, isBox = false): Control => {
    const fault = faults.find(({ field }) => field === name)
    return { id, name, fault: fault && sentence(words, fault, isBox) }
  }
  const email = controlOf("email", "email")
  return page(place, {
    title,
    project: form.projectName,
    script: "/forms.js",
    content: html`<h1>${title}</h1>
${description !== null && html`<p class="lines">${description}</p>\n`}${
  faults.length > 0 && html`<p class="notice notice-warn" role="alert">${words.faults.title}</p>\n`
}<form method="post" action="${place.base}/f/${form.publicId}" accept-charset="utf-8" data-hosted novalidate>
<input type="hidden" name="lang" value="${place.language}">
${line(
  email,
  html`${words.email}`,
  html`<input type="email" id="email" name="email" autocomplete="email" required maxlength="320" value="${textOf(
    given,
    "email"
  )}"${described(email)}>`
)}${fields.map((field, n) =>
  fieldOf(words, given, field, controlOf(`field-${n}`, field.key, field.type === "checkbox"))
)}${topicsOf(words, spoken, given)}${consentOf(
  spoken,
  consentRequired,
  given,
  controlOf("consent", "consent", true)
)}<div hidden><label>${words.leaveEmpty} <input name="${honeypotOf(fields)}" tabindex="-1" autocomplete="off"></label></div>
<button type="submit">${button ?? pageWords[place.language].subscribe.button}</button>
</form>`
  })
}

/** The values of a submission without a ticket, and a ticket for them. The button comes when the ticket is valid. */
export const stepPage = (
  place: PageContext,
  { form, spoken, given }: FormPage & { readonly given: GivenFields },
  ticket: string
): Html => {
  const { title, text, button } = formWords[place.language].step
  const names = ["email", "consent", ...form.settings.fields.map(({ key }) => key)]
  const kept = [
    ...names.flatMap((name) => {
      const value = lastOf(given, name)
      return value === undefined ? [] : [[name, textOf(given, name)] as const]
    }),
    ...spoken.topics.flatMap(({ key }) => (given.all("topic").includes(key) ? [["topic", key] as const] : []))
  ]
  return page(place, {
    title,
    project: form.projectName,
    content: html`<h1>${title}</h1>
<p>${text}</p>
<form method="post" action="${place.base}/f/${form.publicId}" accept-charset="utf-8">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}<input type="hidden" name="lang" value="${place.language}">
<input type="hidden" name="ticket" value="${ticket}">
<button type="submit" class="later">${button}</button>
</form>`
  })
}

export const donePage = (place: PageContext, { form, spoken }: FormPage): Html => {
  const { done } = formWords[place.language]
  return page(place, {
    title: done.title,
    project: form.projectName,
    content: html`<div class="done" role="status"><h1>${done.title}</h1></div>
<p class="lines">${spoken.success ?? done.text}</p>`
  })
}

export const gonePage = (place: PageContext): Html => message(place, formWords[place.language].gone)
export const forbiddenPage = (place: PageContext): Html => message(place, formWords[place.language].forbidden)
