/** The HTML of the public pages on which recipients see and change their subscription. Pure. */
import type { Purpose } from "../../platform/links/PublicLinks.ts"
import { type Html, html } from "../../platform/web/Html.ts"
import { confirm, masked, type PageContext, page } from "../../platform/web/PageHtml.ts"
import { type PageWords, pageWords } from "../../platform/web/PageWords.ts"
import type { SubscriptionState } from "./PageStore.ts"

const blocked = ({ isBlocked, isBlockedBySender }: PageWords, { suppression }: SubscriptionState): Html | false =>
  suppression !== null &&
  html`<p class="notice notice-warn">${suppression === "MANUAL" ? isBlockedBySender : isBlocked}</p>`

const stateOf = (words: PageWords, { subscribed, projectName }: SubscriptionState) =>
  subscribed ? words.isSubscribed(projectName) : words.isNotSubscribed(projectName)

const address = ({ email }: SubscriptionState) => html`<p class="address"><bdi>${masked(email)}</bdi></p>`

const choice = (words: PageWords, { subscribed }: SubscriptionState) => {
  const button = (value: boolean, text: string) =>
    html`<button type="submit" name="subscribed" value="${String(value)}"${
      value === subscribed && html` class="second"`
    }>${text}</button>`
  return html`<form method="post">
${button(true, words.subscribe.button)}
${button(false, words.unsubscribe.button)}
</form>`
}

/** The page that shows the current state and the possible changes. */
export const question = (place: PageContext, purpose: Purpose, standing: SubscriptionState): Html => {
  const words = pageWords[place.language]
  const { title, question } = words[purpose]
  return page(place, {
    title,
    project: standing.projectName,
    content: html`<h1>${title}</h1>
${address(standing)}
<p>${stateOf(words, standing)}</p>
${purpose !== "unsubscribe" && blocked(words, standing)}
<p>${question}</p>
${purpose === "manage" ? choice(words, standing) : confirm(words[purpose].button)}`
  })
}

/**
 * The page after a change: what was done, the current state, and a way to undo it. A manage page shows its buttons,
 * other pages a link.
 */
export const result = (place: PageContext, standing: SubscriptionState, undo: string | undefined): Html => {
  const words = pageWords[place.language]
  const done = standing.subscribed ? words.subscribe : words.unsubscribe
  const back = standing.subscribed ? words.unsubscribe : words.subscribe
  return page(place, {
    title: done.done,
    project: standing.projectName,
    content: html`<div class="done" role="status"><h1>${done.done}</h1></div>
${address(standing)}
<p>${stateOf(words, standing)}</p>
${standing.subscribed && blocked(words, standing)}
${undo === undefined ? choice(words, standing) : html`<p class="back"><a href="${undo}">${back.undo}</a></p>`}`
  })
}
