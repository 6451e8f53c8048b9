/** The guides, and the first page. */
import { type Html, html } from "@posthorn/core/platform/web/Html"
import { addressOfOperation, type Group } from "../document/Groups.ts"
import type { OpenApiDocument } from "../document/OpenApiDocument.ts"
import { type Guide, guides } from "../guides.generated.ts"
import { type Context, described, headingsOf, markdown } from "../markdown/Markdown.ts"
import { operationLink } from "./OperationView.ts"
import { addressOf, type Page } from "./Page.ts"

export const nameOfGuide = (guide: Guide): string => `guides/${guide.name}`

/** The path of a link in the repository, from the path of the page that has it. */
const pathFrom = (file: string, target: string): string => new URL(target, `file:///${file}`).pathname.slice(1)

/** Links to other guides lead to their pages. Other files of the repository are not served: they stand without a link. */
const linkOf =
  (guide: Guide) =>
  (target: string): string | undefined => {
    if (/^(?:https?:|#|\/)/.test(target)) return target
    const [path = "", anchor] = target.split("#")
    const file = pathFrom(guide.file, path)
    const found = guides.find((each) => each.file === file)
    return found && `/docs/${nameOfGuide(found)}${anchor === undefined ? "" : `#${anchor}`}`
  }

/** `contacts.upsert` in a text leads to the description of the operation. */
const codeLinks = (groups: ReadonlyArray<Group>): ((code: string) => string | undefined) => {
  const addresses = new Map(
    groups.flatMap(({ members }) =>
      members.map((member) => [member.operation.operationId, addressOfOperation(member)] as const)
    )
  )
  return (code) => (code.includes(".") ? addresses.get(code) : undefined)
}

export const guidePages = (groups: ReadonlyArray<Group>): ReadonlyArray<Page> => {
  const codeLink = codeLinks(groups)
  return guides.map((guide) => {
    const context: Context = { link: linkOf(guide), codeLink }
    return {
      name: nameOfGuide(guide),
      title: guide.title,
      about: guide.about,
      content: () => [html`<div class="guide">${markdown(guide.text, context)}</div>`],
      markdown: () => guide.text,
      headings: () => headingsOf(guide.text)
    }
  })
}

export const firstPage = (
  document: OpenApiDocument,
  groups: ReadonlyArray<Group>,
  guides: ReadonlyArray<Page>
): Page => {
  const { info } = document
  return {
    name: "",
    title: "Documentation",
    about: "Guides and the reference of the API.",
    content: () => [overview(document, groups, guides)],
    markdown: () =>
      `${[
        `# ${info.title}`,
        info.description ?? "",
        "## Guides",
        guides.map(({ name, title, about }) => `- [${title}](/docs/${name}.md): ${about}`).join("\n"),
        "## API",
        groups.map(({ name, title, description }) => `- [${title}](/docs/${name}.md): ${description}`).join("\n"),
        "- [Errors](/docs/errors.md)\n- [Schemas](/docs/schemas.md)"
      ].join("\n\n")}\n`,
    headings: () => [
      { id: "guides", text: "Guides" },
      { id: "samples", text: "Run the samples" },
      { id: "rules", text: "Rules of the API" },
      { id: "operations", text: "All operations" }
    ]
  }
}

const overview = ({ info }: OpenApiDocument, groups: ReadonlyArray<Group>, guides: ReadonlyArray<Page>): Html => html`
<div class="guide">
  <h1>${info.title} documentation</h1>
  <p class="lead">${(info.description ?? "").split("\n\n")[0]}</p>
  <h2 id="guides"><a href="#guides">Guides</a></h2>
  <ul class="cards">${guides.map(
    (guide) => html`<li><a href="${addressOf(guide)}">${guide.title}</a><p>${guide.about}</p></li>`
  )}</ul>
  <h2 id="samples"><a href="#samples">Run the samples</a></h2>
  <p>The samples read the address of the service and the keys of a project from the environment. Where an operation takes only a
  session, the command line sends that of <code>posthorn login</code>.</p>
  <figure class="code"><figcaption>Shell</figcaption><pre tabindex="0"><code>export POSTHORN_URL=https://mail.example.com
export POSTHORN_KEY=sk_...            # the secret key
export POSTHORN_PUBLIC_KEY=pk_...     # the public key, for track
export POSTHORN_SESSION='__Host-posthorn_session=...'   # the cookie of a login
export POSTHORN_PROJECT=...           # the id of a project, for a session</code></pre></figure>
  <p>For programs: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1, with an example of every request, answer and error;
  <a href="/llms.txt">llms.txt</a> for language models. Every page is Markdown as well: add <code>.md</code> to its address.</p>
  <h2 id="rules"><a href="#rules">Rules of the API</a></h2>
  ${described((info.description ?? "").split("\n\n").slice(1).join("\n\n"))}
  <h2 id="operations"><a href="#operations">All operations</a></h2>
  ${groups.map(
    (group) => html`
  <h3><a href="/docs/${group.name}">${group.title}</a></h3>
  <p class="quiet">${group.description}</p>
  <ul class="calls">${group.members.map((member) => operationLink(member, true))}</ul>`
  )}
</div>`
