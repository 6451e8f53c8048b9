/**
 * `/forms.js`: shows a sign-up form where the script stands (`data-form`), or helps a form whose `action` is one of
 * ours. It solves the challenge in the background, so that the visitor needs no second step. It sets no cookie, has no
 * style and asks no other host.
 */
import { type Challenge, solve } from "./Search.ts"

interface Field {
  readonly key: string
  readonly label: string
  readonly type: "checkbox" | "date" | "hidden" | "number" | "select" | "text"
  readonly required: boolean
  readonly maxLength: number | null
  readonly options: ReadonlyArray<string>
}

interface Definition {
  readonly language: string
  readonly texts: {
    readonly title: string
    readonly description: string | null
    readonly button: string
    readonly consentText: string | null
  }
  readonly consentRequired: boolean
  readonly fields: ReadonlyArray<Field>
  readonly topics: ReadonlyArray<{ key: string; name: string; description: string | null; mode: "always" | "choice" }>
  readonly redirectUrl: string | null
  readonly honeypot: string
  readonly challenge: Challenge
  readonly words: {
    readonly email: string
    readonly optional: string
    readonly topics: string
    readonly leaveEmpty: string
    readonly busy: string
    readonly faults: Readonly<Record<"box" | "email" | "invalid" | "required" | "title" | "tooLong", string>>
  }
}

interface Fault {
  readonly field: string
  readonly code: string
}

const script = document.currentScript as HTMLScriptElement | null
const base = (script?.src ?? "").replace(/\/forms\.js(?:\?.*)?$/, "")

/** Milliseconds: a ticket must be older than two seconds, and expires after thirty minutes. */
const age = { least: 2_200, most: 25 * 60_000 }

const load = async (id: string, language: string) => {
  const response = await fetch(`${base}/f/${id}/definition?lang=${encodeURIComponent(language)}`)
  if (!response.ok) throw new Error(`${response.status}`)
  const definition = (await response.json()) as Definition
  let solution: Promise<string | undefined> | undefined
  return { definition, since: performance.now(), start: () => (solution ??= solve(definition.challenge)) }
}

/** The definition and the solution of its challenge, which begins when the visitor does. */
const prepare = (id: string, language: string) => {
  let loaded = load(id, language)
  // The code that waits for it sees the failure.
  loaded.catch(() => {})
  return {
    definition: () => loaded.then(({ definition }) => definition),
    begin: () => loaded.then(({ start }) => start()).catch(() => {}),
    ticket: async () => {
      if (performance.now() - (await loaded).since > age.most) loaded = load(id, language)
      const { since, start } = await loaded
      const solution = await start()
      const left = age.least - (performance.now() - since)
      if (left > 0) await new Promise((resume) => setTimeout(resume, left))
      return solution ?? ""
    }
  }
}

type Prepared = ReturnType<typeof prepare>

type Attributes = Readonly<Record<string, string | number | boolean | null>>

const make = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes,
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : `${value}`)
  }
  element.append(...children)
  return element
}

const line = (label: string, control: HTMLElement) =>
  make("p", { class: "posthorn-field" }, make("label", {}, `${label} `, control))

const tick = (name: string, value: string, label: string, required = false) =>
  make(
    "p",
    { class: "posthorn-field" },
    make("label", {}, make("input", { type: "checkbox", name, value, required }), ` ${label}`)
  )

const fieldOf = ({ key: name, label, type, required, maxLength, options }: Field, optional: string): HTMLElement => {
  const text = required ? label : `${label} (${optional})`
  switch (type) {
    case "hidden":
      return make("input", { type, name })
    case "checkbox":
      return tick(name, "true", label, required)
    case "select":
      return line(
        text,
        make("select", { name, required }, ...["", ...options].map((option) => make("option", {}, option)))
      )
    default:
      return line(
        text,
        make("input", { type, name, required, maxlength: maxLength, step: type === "number" ? "any" : null })
      )
  }
}

const formOf = (id: string, definition: Definition): HTMLFormElement => {
  const { words, texts, consentRequired, fields, topics, honeypot, language } = definition
  const { title, description, button, consentText } = texts
  const choices = topics.filter(({ mode }) => mode === "choice")
  const email = make("input", { type: "email", name: "email", autocomplete: "email", required: true })
  return make(
    "form",
    { action: `${base}/f/${id}`, method: "post", class: "posthorn-form", lang: language },
    make("h2", {}, title),
    ...(description === null ? [] : [make("p", {}, description)]),
    line(words.email, email),
    ...fields.map((field) => fieldOf(field, words.optional)),
    ...(choices.length === 0
      ? []
      : [
          make(
            "fieldset",
            {},
            make("legend", {}, words.topics),
            ...choices.map(({ key, name }) => tick("topic", key, name))
          )
        ]),
    ...(consentText === null
      ? []
      : [consentRequired ? tick("consent", "true", consentText, true) : make("p", {}, consentText)]),
    make(
      "p",
      { hidden: true },
      make("label", {}, `${words.leaveEmpty} `, make("input", { name: honeypot, tabindex: -1, autocomplete: "off" }))
    ),
    make("p", {}, make("button", { type: "submit" }, button))
  )
}

const send = (form: HTMLFormElement) => HTMLFormElement.prototype.submit.call(form)

/** The form with its ticket, sent as a browser does. Without one the service asks for a second step. */
const sendWithTicket = async (form: HTMLFormElement, prepared: Prepared) => {
  const ticket = await prepared.ticket().catch(() => "")
  form.append(make("input", { type: "hidden", name: "ticket", value: ticket }))
  send(form)
}

const controlsOf = (form: HTMLFormElement, name: string) =>
  [...form.querySelectorAll<HTMLInputElement>("input, select")].filter((control) => control.name === name)

let count = 0

const say = (form: HTMLFormElement, text: string) => {
  const said = make("p", { class: "posthorn-fault", role: "alert" }, text)
  form.append(said)
  return said
}

const showFaults = (form: HTMLFormElement, faults: ReadonlyArray<Fault>, { words }: Definition) => {
  say(form, words.faults.title)
  for (const { field, code } of faults) {
    const [control] = controlsOf(form, field)
    if (control === undefined) continue
    const { box, email, invalid, required, tooLong } = words.faults
    const missing = control.type === "checkbox" ? box : required
    const text = code === "required" ? missing : code === "too_big" ? tooLong : field === "email" ? email : invalid
    const id = `posthorn-fault-${++count}`
    control.setAttribute("aria-invalid", "true")
    control.setAttribute("aria-describedby", id)
    ;(control.closest("label") ?? control).after(make("span", { class: "posthorn-fault", id }, ` ${text}`))
  }
  form.querySelector<HTMLElement>("[aria-invalid]")?.focus()
}

const clear = (form: HTMLFormElement) => {
  for (const element of form.querySelectorAll(".posthorn-fault")) element.remove()
  for (const element of form.querySelectorAll("[aria-invalid]")) {
    element.removeAttribute("aria-invalid")
    element.removeAttribute("aria-describedby")
  }
}

const valuesOf = (form: HTMLFormElement): Record<string, unknown> => {
  const data = new FormData(form)
  return { ...Object.fromEntries(data), topics: data.getAll("topic") }
}

/** The form sent in the background; its answer takes the place of the form. */
const sendInPlace = async (form: HTMLFormElement, id: string, prepared: Prepared) => {
  const definition = await prepared.definition()
  clear(form)
  const response = await fetch(`${base}/f/${id}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ lang: definition.language, ...valuesOf(form), ticket: await prepared.ticket() })
  })
  const answer = await response.json()
  if (response.ok && definition.redirectUrl !== null) location.assign(definition.redirectUrl)
  else if (response.ok) {
    const done = make("p", { class: "posthorn-done", role: "status", tabindex: -1 }, answer.data.message)
    form.replaceChildren(done)
    done.focus()
  } else if (response.status === 422) showFaults(form, answer.error.errors, definition)
  else say(form, response.status === 429 ? definition.words.busy : answer.error.message)
}

const helped = new WeakSet<HTMLFormElement>()

const help = (form: HTMLFormElement, id: string, language: string, given?: Prepared) => {
  if (helped.has(form)) return
  helped.add(form)
  const prepared = given ?? prepare(id, language)
  let isBusy = false
  form.addEventListener("focusin", () => void prepared.begin())
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    if (isBusy) return
    isBusy = true
    if ("hosted" in form.dataset) await sendWithTicket(form, prepared)
    else await sendInPlace(form, id, prepared).catch(() => send(form))
    isBusy = false
  })
}

const idIn = (form: HTMLFormElement): string | undefined => {
  const url = new URL(form.getAttribute("action") ?? "", location.href).href
  return url.startsWith(`${base}/f/`) ? /^[\w-]{22}$/.exec(url.slice(base.length + 3))?.[0] : undefined
}

const run = async () => {
  const wanted = script?.dataset["form"]
  const language = script?.dataset["lang"] ?? (document.documentElement.lang || navigator.language)
  let isThere = false
  for (const form of document.querySelectorAll("form")) {
    const id = idIn(form)
    if (id === undefined) continue
    isThere ||= id === wanted
    help(form, id, language)
  }
  if (wanted === undefined || isThere) return
  const prepared = prepare(wanted, language)
  const form = formOf(wanted, await prepared.definition())
  script?.after(form)
  help(form, wanted, language, prepared)
}

const failed = (error: unknown) => console.error("The sign-up form cannot be shown.", error)

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => run().catch(failed))
else run().catch(failed)
