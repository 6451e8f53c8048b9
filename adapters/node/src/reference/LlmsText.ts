/** `/llms.txt` (llmstxt.org): the API reference in a few kilobytes, for language models. */
import { type Endpoint, endpoints, type OpenApiDocument } from "./OpenApiDocument.ts"

const entry = ({ method, path, operation: { operationId, summary = operationId } }: Endpoint): string =>
  `- [${operationId}](/docs#${operationId}): \`${method} ${path}\`, ${summary}`

export const llmsText = (document: OpenApiDocument): string => {
  const { info, tags = [] } = document
  const all = endpoints(document)
  const groups = tags.map(({ name, description = "" }) => {
    const members = all.filter(({ operation }) => operation.tags?.includes(name))
    return `## ${name}\n\n${description}\n\n${members.map(entry).join("\n")}`
  })
  const [summary = "", ...more] = (info.description ?? "").split("\n\n")
  const start = `- [Reference](/docs): every endpoint, field and answer, for reading
- [OpenAPI 3.1](/openapi.json): the same for programs
- Ids of endpoints are the methods of \`@posthorn/client\``
  return [`# ${info.title}`, `> ${summary}`, ...more, `## Documentation\n\n${start}`, ...groups]
    .join("\n\n")
    .concat("\n")
}
