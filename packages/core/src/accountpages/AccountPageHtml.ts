/** The account pages (contract-2 15.5), in the look of the public ones. Pure. */
import { passwordLength } from "@posthorn/contract/accounts/Account"
import type { ProviderName } from "../accounts/IdentityProvider.ts"
import type { OauthFailure } from "../accounts/Oauth.ts"
import type { HeldInvitation } from "../members/Members.ts"
import { type Html, html } from "../pages/Html.ts"
import { confirm, masked, message, type Place, page } from "../pages/PageHtml.ts"
import { type AccountPageWords, accountPageWords } from "./AccountPageWords.ts"

/** Why a form is shown again. */
export type FormFault = "password_rule" | "wrong_password"

const done = (place: Place, title: string, more?: string): Html =>
  page(place, {
    title,
    content: html`<div class="done" role="status"><h1>${title}</h1></div>${more !== undefined && html`\n<p>${more}</p>`}`
  })

const faultText = ({ passwordRule, wrongPassword }: AccountPageWords, fault: FormFault) =>
  fault === "password_rule" ? passwordRule : wrongPassword

/** A password to be set (`newPassword`) or to be compared (`password`). */
const passwordForm = (
  words: AccountPageWords,
  name: "newPassword" | "password",
  button: string,
  fault: FormFault | undefined
): Html => {
  const isNew = name === "newPassword"
  const { min, max } = passwordLength
  const described = [...(isNew ? ["rule"] : []), ...(fault === undefined ? [] : ["fault"])].join(" ")
  return html`${
    fault !== undefined &&
    html`<p class="notice notice-warn" id="fault" role="alert">${faultText(words, fault)}</p>
`
  }<form method="post">
<div class="field">
<label for="password">${isNew ? words.newPassword : words.password}</label>
<input id="password" type="password" name="${name}" required autocomplete="${isNew ? "new-password" : "current-password"}"${
    isNew && html` minlength="${min}" maxlength="${max}"`
  }${described !== "" && html` aria-describedby="${described}"`}${fault !== undefined && html` aria-invalid="true"`}>
${isNew && html`<p class="hint" id="rule">${words.passwordRule}</p>`}
</div>
<button type="submit">${button}</button>
</form>`
}

export const verification = (place: Place): Html => {
  const { title, question, button } = accountPageWords[place.language].verification
  return page(place, { title, content: html`<h1>${title}</h1>\n<p>${question}</p>\n${confirm(button)}` })
}

export const verified = (place: Place): Html => done(place, accountPageWords[place.language].verification.done)

export const reset = (place: Place, fault?: FormFault): Html => {
  const words = accountPageWords[place.language]
  const { title, button } = words.reset
  return page(place, { title, content: html`<h1>${title}</h1>\n${passwordForm(words, "newPassword", button, fault)}` })
}

export const passwordSet = (place: Place): Html => {
  const { done: title, after } = accountPageWords[place.language].reset
  return done(place, title, after)
}

/** Who stands before an invitation: a session of its address, its account, or nobody that is known. */
export type Guest = "session" | "account" | "nobody"

export interface InvitationPage {
  readonly invitation: HeldInvitation
  readonly guest: Guest
  /** Ways in besides the password, with what each is reached by. */
  readonly providers: ReadonlyArray<{ readonly name: ProviderName; readonly href: string }>
  readonly fault?: FormFault | undefined
}

const providerNames = { github: "GitHub", google: "Google" } as const

const answer = (words: AccountPageWords, guest: Guest, fault: FormFault | undefined) => {
  const { button, withAccount, withoutAccount, withSession } = words.invitation
  switch (guest) {
    case "session":
      return html`<p>${withSession}</p>\n${confirm(button)}`
    case "account":
      return html`<p>${withAccount}</p>\n${passwordForm(words, "password", button, fault)}`
    case "nobody":
      return html`<p>${withoutAccount}</p>\n${passwordForm(words, "newPassword", button, fault)}`
  }
}

export const invitation = (place: Place, { invitation, guest, providers, fault }: InvitationPage): Html => {
  const words = accountPageWords[place.language]
  const { title, text, role, roles, continueWith } = words.invitation
  return page(place, {
    title,
    project: invitation.projectName,
    content: html`<h1>${title}</h1>
<p class="address"><bdi>${masked(invitation.email)}</bdi></p>
<p>${text(invitation.projectName)}</p>
<p class="facts">${role}: ${roles[invitation.role]}</p>
${answer(words, guest, fault)}
${
  guest !== "session" &&
  providers.map(
    ({ name, href }) => html`<p class="back"><a href="${href}">${continueWith(providerNames[name])}</a></p>`
  )
}`
  })
}

export const joined = (place: Place, { projectName }: HeldInvitation): Html =>
  done(place, accountPageWords[place.language].invitation.done(projectName))

/** Unknown, used, expired: which of them, nobody is told. */
export const invalid = (place: Place): Html => message(place, accountPageWords[place.language].invalid)

export const failed = (place: Place, reason: OauthFailure): Html => {
  const { title, reasons } = accountPageWords[place.language].failed
  return message(place, { title, text: reasons[reason] })
}
