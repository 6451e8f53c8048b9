/** The HTML of the page on which a recipient confirms a request about their data. Pure. */
import type { PrivacyRequestType } from "@posthorn/contract/audience/privacy/PrivacyRequest"
import type { AudienceSettings } from "@posthorn/contract/audience/settings/AudienceSettings"
import { DateTime } from "effect"
import { type Html, html } from "../../platform/web/Html.ts"
import { confirm, masked, nothing, type PageContext, page } from "../../platform/web/PageHtml.ts"
import { offered, offers, type RequestStanding } from "./PrivacyRequests.ts"
import { privacyWords } from "./PrivacyWords.ts"

/** The buttons with which recipients ask about their data, as far as the project offers them. */
export const dataButtons = (
  { language }: PageContext,
  settings: Pick<AudienceSettings, "selfService">
): Html | false => {
  const { buttons } = privacyWords[language]
  const button = (type: PrivacyRequestType) =>
    offers(settings, type) &&
    html`
<button type="submit" name="request" value="${type}" class="second">${buttons[type]}</button>`
  return (
    offered(settings) &&
    html`<form method="post">
<fieldset class="apart"><legend>${buttons.legend}</legend>${button("EXPORT")}${button("ERASURE")}
</fieldset>
</form>`
  )
}

/** The page in the state that the request has. */
export const privacyPage = (place: PageContext, { state, projectName, email, dueAt }: RequestStanding): Html => {
  const words = privacyWords[place.language]
  const question = ({ title, button }: { readonly title: string; readonly button: string }, text: string) =>
    page(place, {
      title,
      project: projectName,
      content: html`<h1>${title}</h1>
${email !== null && html`<p class="address"><bdi>${masked(email)}</bdi></p>`}
<p>${text}</p>
${confirm(button)}`
    })
  const message = ({ title, text }: { readonly title: string; readonly text: string }) =>
    page(place, {
      title,
      project: projectName,
      content: html`<div class="done" role="status"><h1>${title}</h1></div>\n<p>${text}</p>`
    })
  switch (state) {
    case "gone":
      return nothing(place)
    case "download":
      return question(words.download, words.download.text(projectName))
    case "later":
      return question(words.erase, words.erase.later(projectName))
    case "atOnce":
      return question(words.erase, words.erase.atOnce(projectName))
    case "received": {
      const day = dueAt === null ? "" : DateTime.formatUtc(dueAt, { locale: place.language, dateStyle: "long" })
      return message({ title: words.received.title, text: words.received.text(projectName, day) })
    }
    case "erased":
      return message(words.erased)
    case "refused":
      return message(words.refused)
    case "ended":
      return message(words.ended)
  }
}
