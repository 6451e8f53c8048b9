/** The page at `/dev` in dev mode, with links to everything and the keys of the first project. */
import { Settings } from "@posthorn/core/platform/Settings"
import { type Html, html } from "@posthorn/core/platform/web/Html"
import { type DevPages, devOnly } from "@posthorn/platform-node/mailbox/DevOnly"
import { devPage, respondHtml } from "@posthorn/platform-node/mailbox/DevPage"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { DevProject } from "./DevProject.ts"
import { firstMail } from "./Welcome.ts"

const places: ReadonlyArray<readonly [path: string, name: string, about: string]> = [
  ["/console", "Console", "Mails, contacts, campaigns and everything else of the project."],
  ["/dev/mailbox", "Mailbox", "Every email that the service sends."],
  ["/docs", "API reference", "Each endpoint, with samples for curl, TypeScript and the command line."],
  ["/docs/webhooks", "Webhook events", "The requests that webhooks receive."],
  ["/openapi.json", "OpenAPI document", "The API for code generators."],
  ["/llms.txt", "Reference as text", "The API for language models."],
  ["/ready", "Health", "Whether the service is ready; if not, why."],
  ["/metrics", "Metrics", "For Prometheus."]
]

const startPage = (url: string, project: typeof DevProject.Service, hasConsole: boolean): Html =>
  devPage({
    title: "Posthorn in dev mode",
    home: { href: "/dev", name: "Posthorn dev mode" },
    style: "dev/mailbox.css",
    content: html`<h1>Posthorn runs</h1>
<ul>${places.filter(([path]) => hasConsole || path !== "/console").map(([path, name, about]) => html`<li><a href="${path}">${name}</a>: ${about}</li>`)}</ul>
<section><h2>Keys</h2>
<dl class="envelope">
  <div><dt>Secret key</dt><dd><code>${project.secretKey}</code></dd></div>
  <div><dt>Public key</dt><dd><code>${project.publicKey}</code></dd></div>
  <div><dt>Account</dt><dd>${project.email}, password <code>${project.password}</code></dd></div>
  <div><dt>Domain</dt><dd>${project.domain} (verified)</dd></div>
</dl></section>
<section><h2>Send a first mail</h2>
<div class="scrolling" tabindex="0" role="region" aria-label="Command"><pre>${firstMail({ ...project, url })}</pre></div></section>`
  })

const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

const routes = Effect.gen(function* () {
  const project = yield* DevProject
  const { hasConsole } = yield* Settings
  const shown = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers: { host = "localhost" } }) =>
    respondHtml(startPage(`http://${host}`, project, hasConsole), { policy, referrer: "no-referrer" }).pipe(
      HttpServerResponse.setHeader("cache-control", "no-store")
    )
  )
  return [HttpRouter.route("GET", "/dev", shown)]
})

/** It shows the secret key, so other machines cannot open it, not even with --open. */
export const layer = ({ publicUrl }: DevPages): Layer.Layer<never, never, HttpRouter.HttpRouter | DevProject> =>
  HttpRouter.addAll(routes).pipe(Layer.provide(devOnly({ publicUrl, open: false })))
