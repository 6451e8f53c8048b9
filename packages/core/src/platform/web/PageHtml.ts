/** The layout of the public pages, and pages with a single message. Pure. */
import { type Html, html } from "./Html.ts"
import { type Language, languages } from "./Languages.ts"
import { accentOf, brandLinks, masthead, type PageBrand } from "./PageBrand.ts"
import { pageWords } from "./PageWords.ts"

/** The values that all pages share. */
export interface PageContext {
  readonly language: Language
  /** Path of the installation: empty, or without a trailing slash. */
  readonly base: string
  /** Query parameters that links to the other languages keep: empty, or percent-encoded with a trailing `&`. */
  readonly kept: string
  /** How the project wants its pages. */
  readonly brand?: PageBrand
}

export interface PageContent {
  readonly title: string
  readonly project?: string | undefined
  readonly content: Html
  /** The path of a script, below the path of the installation. */
  readonly script?: string
}

export const page = (
  { language, base, kept, brand }: PageContext,
  { title, project, content, script }: PageContent
): Html => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${project === undefined ? title : `${title} – ${brand?.name ?? project}`}</title>
<link rel="stylesheet" href="${stylesheet(base, brand)}">
${script !== undefined && html`<script src="${base}${script}" async></script>\n`}</head>
<body>
<header>${project !== undefined && masthead(brand, project)}</header>
<main><div class="card">
${content}
</div></main>
<footer>${brandLinks(brand, language)}${languageList(language, kept)}</footer>
</body>
</html>
`

const stylesheet = (base: string, brand: PageBrand | undefined) => {
  const accent = brand && accentOf(brand)
  return `${base}/pages.css${accent === undefined ? "" : `?accent=${accent}`}`
}

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

/** The first character and the domain: enough for the owner to recognise the address, too little for anyone else. */
export const masked = (email: string): string => {
  const at = email.lastIndexOf("@")
  return `${[...email.slice(0, at)][0] ?? ""}***${email.slice(at)}`
}

export const confirm = (button: string): Html => html`<form method="post">
<input type="hidden" name="confirm" value="1">
<button type="submit">${button}</button>
</form>`

export const message = (place: PageContext, { title, text }: { readonly title: string; readonly text: string }): Html =>
  page(place, { title, content: html`<h1>${title}</h1>\n<p>${text}</p>` })

/** The contact or the project was deleted. */
export const nothing = (place: PageContext): Html => message(place, pageWords[place.language].nothing)
export const notFound = (place: PageContext): Html => message(place, pageWords[place.language].notFound)
export const busy = (place: PageContext): Html => message(place, pageWords[place.language].busy)
