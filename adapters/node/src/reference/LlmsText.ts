/** `/llms.txt` (llmstxt.org): the API reference in a few kilobytes, for language models. */
import { addressOf, type Group, groupsOf } from "./Groups.ts"
import type { Endpoint, OpenApiDocument } from "./OpenApiDocument.ts"

const entry = (group: Group, endpoint: Endpoint): string => {
  const { method, path, operation } = endpoint
  const { operationId, summary = operationId } = operation
  return `- [${operationId}](${addressOf(group, endpoint)}): \`${method} ${path}\`, ${summary}`
}

export const llmsText = (document: OpenApiDocument): string => {
  const { info } = document
  const groups = groupsOf(document).map(
    (group) =>
      `## ${group.name}\n\n${group.description}\n\n${group.members.map((member) => entry(group, member)).join("\n")}`
  )
  const [summary = "", ...more] = (info.description ?? "").split("\n\n")
  const start = `- [Reference](/docs): every endpoint, field and answer with samples, for reading
- [OpenAPI 3.1](/openapi.json): the same for programs
- Ids of endpoints are the methods of \`@posthorn/client\``
  return [`# ${info.title}`, `> ${summary}`, ...more, `## Documentation\n\n${start}`, ...groups]
    .join("\n\n")
    .concat("\n")
}
