/** HTML of the account pages, in the style of the public pages. Pure. */
import { passwordLength } from "@posthorn/contract/accounts/people/Account"
import { DateTime } from "effect"
import { type Html, html } from "../../platform/web/Html.ts"
import { confirm, masked, message, type PageContext, page } from "../../platform/web/PageHtml.ts"
import type { HeldInvitation } from "../members/Members.ts"
import type { OauthFailure } from "../people/Oauth.ts"
import type { Unconfirmed } from "../people/SignIn.ts"
import { type AccountPageWords, accountPageWords } from "./AccountPageWords.ts"

/** Why a form is shown again. */
export type FormFault = "password_rule" | "wrong_password"

export interface AccountPageContext extends PageContext {
  /** Path of the console; null if the installation has none. */
  readonly console: string | null
}

const done = (place: PageContext, title: string, more: Html | string = ""): Html =>
  page(place, {
    title,
    content: html`<div class="done" role="status"><h1>${title}</h1></div>${more !== "" && html`\n<p>${more}</p>`}`
  })

/** The end of a way into the account: it leads on to the console. */
const entered = (place: AccountPageContext, title: string, more?: string): Html => {
  const { toConsole } = accountPageWords[place.language]
  const link = place.console !== null && html`<a href="${place.console}">${toConsole}</a>`
  if (!link) return done(place, title, more)
  return done(place, title, more === undefined ? link : html`${more} ${link}`)
}

const faultText = ({ passwordRule, wrongPassword }: AccountPageWords, fault: FormFault) =>
  fault === "password_rule" ? passwordRule : wrongPassword

/** A password to set (`newPassword`) or to compare (`password`). */
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

/** To the minute, the same in every language. */
const timeText = (at: DateTime.Utc) => `${DateTime.formatIso(at).slice(0, 16).replace("T", " ")} UTC`

export const verification = (place: PageContext, account: Unconfirmed, fault?: FormFault): Html => {
  const words = accountPageWords[place.language]
  const { title, created, network, question, button, disown, disowning } = words.verification
  return page(place, {
    title,
    content: html`<h1>${title}</h1>
<p class="address"><bdi>${masked(account.email)}</bdi></p>
<p class="facts">${created}: ${timeText(account.createdAt)}</p>${
      account.network !== null && html`\n<p class="facts">${network}: <bdi>${account.network}</bdi></p>`
    }
<p>${question}</p>
${passwordForm(words, "password", button, fault)}
<p>${disowning}</p>
<form method="post"><button type="submit" class="second" name="disown" value="1">${disown}</button></form>`
  })
}

export const disowned = (place: PageContext): Html =>
  done(place, accountPageWords[place.language].verification.disowned)

export const verified = (place: AccountPageContext): Html =>
  entered(place, accountPageWords[place.language].verification.done)

export const reset = (place: PageContext, fault?: FormFault): Html => {
  const words = accountPageWords[place.language]
  const { title, button } = words.reset
  return page(place, { title, content: html`<h1>${title}</h1>\n${passwordForm(words, "newPassword", button, fault)}` })
}

export const passwordSet = (place: AccountPageContext): Html => {
  const { done: title, after } = accountPageWords[place.language].reset
  return entered(place, title, after)
}

/** The page that asks for the second factor of a login. */
export const twoFactor = (place: PageContext, isWrong: boolean): Html => {
  const { title, label, hint, button, wrong } = accountPageWords[place.language].twoFactor
  return page(place, {
    title,
    content: html`<h1>${title}</h1>
${isWrong && html`<p class="notice notice-warn" id="fault" role="alert">${wrong}</p>\n`}<form method="post">
<div class="field">
<label for="code">${label}</label>
<input id="code" name="code" required maxlength="100" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" aria-describedby="rule${
      isWrong && html` fault`
    }"${isWrong && html` aria-invalid="true"`}>
<p class="hint" id="rule">${hint}</p>
</div>
<button type="submit">${button}</button>
</form>`
  })
}

/** Who opens an invitation: a user signed in with its address, a user whose address has an account, or anyone else. */
export type Guest = "session" | "account" | "none"

export interface InvitationPage {
  readonly invitation: HeldInvitation
  readonly guest: Guest
  /** Identity providers that the user can sign in with, and the link to each. */
  readonly providers: ReadonlyArray<{ readonly label: string; readonly href: string }>
  readonly fault?: FormFault | undefined
}

const answer = (words: AccountPageWords, guest: Guest, fault: FormFault | undefined) => {
  const { button, withAccount, withoutAccount, withSession } = words.invitation
  switch (guest) {
    case "session":
      return html`<p>${withSession}</p>\n${confirm(button)}`
    case "account":
      return html`<p>${withAccount}</p>\n${passwordForm(words, "password", button, fault)}`
    case "none":
      return html`<p>${withoutAccount}</p>\n${passwordForm(words, "newPassword", button, fault)}`
  }
}

export const invitation = (place: PageContext, { invitation, guest, providers, fault }: InvitationPage): Html => {
  const words = accountPageWords[place.language]
  const { title, text, ownership, role, roles, decline, continueWith } = words.invitation
  return page(place, {
    title,
    project: invitation.projectName,
    content: html`<h1>${title}</h1>
<p class="address"><bdi>${masked(invitation.email)}</bdi></p>
<p>${invitation.kind === "OWNERSHIP" ? ownership(invitation.projectName) : text(invitation.projectName)}</p>
<p class="facts">${role}: ${roles[invitation.role]}</p>
${answer(words, guest, fault)}
${
  guest !== "session" &&
  providers.map(({ label, href }) => html`<p class="back"><a href="${href}">${continueWith(label)}</a></p>`)
}
<form method="post"><button type="submit" class="second" name="decline" value="1">${decline}</button></form>`
  })
}

export const joined = (place: AccountPageContext, { kind, projectName }: HeldInvitation): Html => {
  const { done: member, owned } = accountPageWords[place.language].invitation
  return entered(place, kind === "OWNERSHIP" ? owned(projectName) : member(projectName))
}

export const declined = (place: PageContext, { projectName }: HeldInvitation): Html =>
  done(place, accountPageWords[place.language].invitation.declined(projectName))

/** The link is unknown, used or expired. The page does not say which. */
export const invalid = (place: PageContext): Html => message(place, accountPageWords[place.language].invalid)

export const failed = (place: PageContext, reason: OauthFailure): Html => {
  const { title, reasons } = accountPageWords[place.language].failed
  return message(place, { title, text: reasons[reason] })
}
