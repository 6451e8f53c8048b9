/** The layout and the response that the HTML pages of dev mode share. Each page has its own content security policy. */
import { type Html, type HtmlValue, html } from "@posthorn/core/platform/web/Html"
import { HttpServerResponse } from "effect/http"

interface PageContent {
  readonly title: string
  /** The link in the header. */
  readonly home: { readonly href: string; readonly name: string }
  /** The URL of the style sheet of the mailbox. */
  readonly style: string
  readonly script?: HtmlValue
  readonly content: Html
}

export const devPage = ({ title, home, style, script, content }: PageContent): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${style}">
${script}
</head>
<body>
<header><a href="${home.href}"><span class="mark" aria-hidden="true"></span>${home.name}</a></header>
<main>
${content}
</main>
</body>
</html>
`

/** Headers of everything under `/dev`. */
export const devHeaders = { "x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin" }

interface ResponseOptions {
  readonly status?: number
  /** Value of `Content-Security-Policy`. */
  readonly policy: string
  /** Value of `Referrer-Policy`. */
  readonly referrer: "no-referrer" | "same-origin"
}

export const respondHtml = (
  markup: Html | string,
  { status = 200, policy, referrer }: ResponseOptions
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(markup.toString(), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { ...devHeaders, "content-security-policy": policy, "referrer-policy": referrer }
  })
