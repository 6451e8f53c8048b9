/** `/llms.txt` (llmstxt.org): the documentation in a few kilobytes, for language models. */
import { addressOfOperation, groupsOf } from "./document/Groups.ts"
import type { Endpoint, OpenApiDocument } from "./document/OpenApiDocument.ts"
import { markdownAddressOf, type Page, type Site } from "./pages/Page.ts"

const entry = (endpoint: Endpoint): string => {
  const { method, path, operation } = endpoint
  const { operationId, summary = operationId } = operation
  return `- [${operationId}](${addressOfOperation(endpoint)}): \`${method} ${path}\`, ${summary}`
}

const page = (found: Page): string => `- [${found.title}](${markdownAddressOf(found)}): ${found.about}`

export const llmsText = (document: OpenApiDocument, { sections }: Site): string => {
  const { info } = document
  const pagesIn = (name: string) =>
    (sections.find(({ title }) => title === name)?.pages ?? []).filter((each) => each.name !== "").map(page)
  const groups = groupsOf(document).map(
    (group) =>
      `## ${group.name}\n\n[${group.title}](/docs/${group.name}.md): ${group.description}\n\n${group.members.map(entry).join("\n")}`
  )
  const [summary = "", ...more] = (info.description ?? "").split("\n\n")
  const start = `- [Documentation](/docs): guides, every endpoint, field and answer with samples, for reading; every page is Markdown at its address with \`.md\`
- [OpenAPI 3.1](/openapi.json): the same for programs, with an example of every request, answer and error
- Ids of endpoints are the methods of \`@posthorn/client\``
  return [
    `# ${info.title}`,
    `> ${summary}`,
    ...more,
    `## Documentation\n\n${start}`,
    `## Guides\n\n${pagesIn("Guides").join("\n")}`,
    `## Reference\n\n${pagesIn("Reference").join("\n")}`,
    ...groups
  ]
    .join("\n\n")
    .concat("\n")
}
