/** Templates of other services in the language of this one. Placeholders without an equal are listed. */

export interface Converted {
  readonly text: string
  /** Placeholders that were left as they are, each once. */
  readonly unknown: ReadonlyArray<string>
}

const key = "[A-Za-z_][\\w-]{0,99}"
const path = `${key}(?:\\.${key}){0,9}`

const converted = (text: string, placeholder: RegExp, equal: (inner: string) => string | undefined): Converted => {
  const unknown = new Set<string>()
  const replaced = text.replace(placeholder, (whole, inner: string) => {
    const found = equal(inner.trim())
    if (found === undefined) unknown.add(whole.length <= 100 ? whole : `${whole.slice(0, 97)}...`)
    return found ?? whole
  })
  return { text: replaced, unknown: [...unknown] }
}

const goNames: { readonly [expression: string]: string } = {
  ".Subscriber.Email": "{{email}}",
  ".Subscriber.Name": "{{name}}",
  ".Subscriber.FirstName": "{{firstName}}",
  ".Subscriber.LastName": "{{lastName}}",
  "UnsubscribeURL .": "{{unsubscribeUrl}}",
  UnsubscribeURL: "{{unsubscribeUrl}}",
  "ManageURL .": "{{manageUrl}}",
  ManageURL: "{{manageUrl}}",
  // Opens and clicks are counted without a mark in the text.
  "TrackView .": "",
  TrackView: "",
  'template "content" .': "{{> content}}"
}

const goField = new RegExp(`^\\.(?:Subscriber\\.Attribs|Tx\\.Data)\\.(${path})$`)
const goLink = /^TrackLink "(https?:\/\/[^"\s]{1,2000})" \.$/

/** The templates of listmonk: those of Go, with its functions. */
export const fromGoTemplate = (text: string): Converted =>
  converted(text.replaceAll("@TrackLink", ""), /\{\{-?([^{}]{0,2000}?)-?\}\}/g, (inner) => {
    if (/^\/\*[\s\S]*\*\/$/.test(inner)) return ""
    const field = goField.exec(inner)?.[1]
    return Object.hasOwn(goNames, inner)
      ? goNames[inner]
      : field === undefined
        ? goLink.exec(inner)?.[1]
        : `{{${field}}}`
  })

const resendNames: { readonly [name: string]: string } = {
  EMAIL: "email",
  FIRST_NAME: "firstName",
  LAST_NAME: "lastName",
  "contact.email": "email",
  "contact.first_name": "firstName",
  "contact.last_name": "lastName",
  RESEND_UNSUBSCRIBE_URL: "unsubscribeUrl",
  UNSUBSCRIBE_URL: "unsubscribeUrl"
}

const resendPlaceholder = new RegExp(`^(${path})(?:\\|([^{}|]{1,200}))?$`)

/** A default is a text without the signs of the language. */
const withDefault = (name: string, fallback: string | undefined): string =>
  fallback === undefined || fallback.trim() === "" || /[{}"\\]/.test(fallback)
    ? `{{${name}}}`
    : `{{${name} ?? ${fallback.trim()}}}`

/** The templates of Resend, with the defaults of their variables. */
export const fromResend = (text: string, defaults: { readonly [name: string]: number | string | null }): Converted =>
  converted(text, /\{\{\{?([^{}]{0,400})\}?\}\}/g, (inner) => {
    const [, name, fallback] = resendPlaceholder.exec(inner) ?? []
    if (name === undefined) return undefined
    const known = defaults[name]
    return withDefault(
      (Object.hasOwn(resendNames, name) ? resendNames[name] : undefined) ??
        name.replace(/^contact\.(?:properties\.)?/, ""),
      fallback ?? (known === null || known === undefined ? undefined : String(known))
    )
  })
