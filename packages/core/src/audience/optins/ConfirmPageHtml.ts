/** The HTML of the page on which a contact confirms what was asked for. Pure. */
import { type Html, html } from "../../platform/web/Html.ts"
import { masked, nothing, type PageContext, page } from "../../platform/web/PageHtml.ts"
import type { Standing } from "./OptIns.ts"
import { optInWords } from "./OptInWords.ts"
import { namesIn } from "./TopicNames.ts"

const address = ({ email }: Standing) => email !== null && html`<p class="address"><bdi>${masked(email)}</bdi></p>`

/** The page in the state that the opt-in has. */
export const confirmPage = (place: PageContext, standing: Standing): Html => {
  const { state, projectName } = standing
  const words = optInWords[place.language]
  const topics = namesIn(standing.topics, place.language)
  const list = topics !== "" && html`<p>${words.topics}: <bdi>${topics}</bdi></p>`
  const message = ({ title, text }: { readonly title: string; readonly text: string }, more: Html | false = false) =>
    page(place, {
      title,
      project: projectName,
      content: html`<div class="done" role="status"><h1>${title}</h1></div>\n<p>${text}</p>\n${more}`
    })
  switch (state) {
    case "gone":
      return nothing(place)
    case "confirmed":
      return message({ title: words.confirmed.title, text: words.confirmed.text(projectName) }, list)
    case "declined":
      return message(words.declined)
    case "ended":
      return message(words.ended)
    case "open":
      return page(place, {
        title: words.page.title,
        project: projectName,
        content: html`<h1>${words.page.title}</h1>
${address(standing)}
<p>${words.page.question(projectName)}</p>
${list}
<form method="post">
<button type="submit" name="confirm" value="1">${words.page.button}</button>
<button type="submit" name="decline" value="1" class="second">${words.page.decline}</button>
</form>`
      })
  }
}
