/** The public pages (contract-2 15.3, 15.4). Pure. */
import type { Purpose } from "../links/PublicLinks.ts"
import { type Language, languages } from "../rendering/Languages.ts"
import { type Html, html } from "./Html.ts"
import type { Standing } from "./PageStore.ts"
import { type PageWords, pageWords } from "./PageWords.ts"

/** What is the same on every page. */
export interface Place {
  readonly language: Language
  /** Path of the installation: empty, or without a slash at its end. */
  readonly base: string
  /** What the links to the other languages keep of the query: empty, or percent-encoded with a `&` at its end. */
  readonly kept: string
}

export const page = (
  { language, base, kept }: Place,
  { title, project, content }: { readonly title: string; readonly project?: string | undefined; readonly content: Html }
): Html => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${project === undefined ? title : `${title} – ${project}`}</title>
<link rel="stylesheet" href="${base}/pages.css">
</head>
<body>
<header>${project !== undefined && html`<p class="project"><bdi>${project}</bdi></p>`}</header>
<main><div class="card">
${content}
</div></main>
<footer>${languageList(language, kept)}</footer>
</body>
</html>
`

const languageList = (present: Language, kept: string) => html`<nav class="languages" aria-labelledby="languages">
<h2 id="languages">${pageWords[present].language}</h2>
<ul>${languages.map(
  (language) => html`
<li><a href="?${kept}lang=${language}" lang="${language}" hreflang="${language}"${
    language === present && html` aria-current="true"`
  }>${pageWords[language].name}</a></li>`
)}
</ul>
</nav>`

/** The first character and the domain: enough for the owner to know it, too little for anybody else. */
export const masked = (email: string): string => {
  const at = email.lastIndexOf("@")
  return `${[...email.slice(0, at)][0] ?? ""}***${email.slice(at)}`
}

const blocked = ({ isBlocked, isBlockedBySender }: PageWords, { suppression }: Standing): Html | false =>
  suppression !== null &&
  html`<p class="notice notice-warn">${suppression === "MANUAL" ? isBlockedBySender : isBlocked}</p>`

const stateOf = (words: PageWords, { subscribed, projectName }: Standing) =>
  subscribed ? words.isSubscribed(projectName) : words.isNotSubscribed(projectName)

const address = ({ email }: Standing) => html`<p class="address"><bdi>${masked(email)}</bdi></p>`

export const confirm = (button: string): Html => html`<form method="post">
<input type="hidden" name="confirm" value="1">
<button type="submit">${button}</button>
</form>`

const choice = (words: PageWords, { subscribed }: Standing) => {
  const button = (value: boolean, text: string) =>
    html`<button type="submit" name="subscribed" value="${String(value)}"${
      value === subscribed && html` class="second"`
    }>${text}</button>`
  return html`<form method="post">
${button(true, words.subscribe.button)}
${button(false, words.unsubscribe.button)}
</form>`
}

/** How things stand, and what may be done about it. */
export const question = (place: Place, purpose: Purpose, standing: Standing): Html => {
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

/** What was done, how things stand now, and a way back: on a manage page its buttons, else a link. */
export const result = (place: Place, standing: Standing, wayBack: string | undefined): Html => {
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
${wayBack === undefined ? choice(words, standing) : html`<p class="back"><a href="${wayBack}">${back.wayBack}</a></p>`}`
  })
}

export const message = (place: Place, { title, text }: { readonly title: string; readonly text: string }): Html =>
  page(place, { title, content: html`<h1>${title}</h1>\n<p>${text}</p>` })

/** The contact or the project is gone. */
export const nothing = (place: Place): Html => message(place, pageWords[place.language].nothing)
export const notFound = (place: Place): Html => message(place, pageWords[place.language].notFound)
export const busy = (place: Place): Html => message(place, pageWords[place.language].busy)
