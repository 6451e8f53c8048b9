/** The pages of the reference: one for each group of endpoints. */
import { type Endpoint, endpoints, type OpenApiDocument } from "./OpenApiDocument.ts"

export interface Group {
  /** The tag of its operations, and the last part of its address. */
  readonly name: string
  /** Its name in headings. */
  readonly title: string
  readonly description: string
  readonly members: ReadonlyArray<Endpoint>
  /** The document that it is a part of. */
  readonly document: OpenApiDocument
}

const titles: { readonly [tag: string]: string | undefined } = { v1: "Send, track, verify", apiKeys: "API keys" }

/** `ownProjects` is called "Own projects". */
const titleOf = (tag: string): string => {
  const words = tag.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return titles[tag] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** In the order of the document. */
export const groupsOf = (document: OpenApiDocument): ReadonlyArray<Group> => {
  const all = endpoints(document)
  return (document.tags ?? []).map(({ name, description = "" }) => ({
    name,
    title: titleOf(name),
    description,
    members: all.filter(({ operation }) => operation.tags?.includes(name)),
    document
  }))
}

/** The address of the description of an operation. */
export const addressOfOperation = ({ operation }: Endpoint): string =>
  `/docs/${operation.tags?.[0]}#${operation.operationId}`
