/**
 * A template as a file: YAML front matter between two lines of `---`, then the HTML. Ids and times are not in the file,
 * so that it can be pushed into another project.
 */
import type { Template } from "@posthorn/client"
import { CreateTemplate } from "@posthorn/contract/content/templates/Template"
import { Effect, FileSystem, Schema } from "effect"
import * as Yaml from "yaml"
import { type CommandFailure, wrongUsage } from "../Failure.ts"

/** The complete content. A value missing in the file is empty, and the type is MARKETING. */
export type FileContent = Omit<Template, "createdAt" | "id" | "projectId" | "updatedAt">

/** Editors end a file with a line break that is not part of the text. */
const lineBreakAtEnd = /\r?\n$/
const matter = /^\uFEFF?---[ \t]*\r?\n(?<head>(?:[\s\S]*?\n)?)---[ \t]*(?:\r?\n(?<body>[\s\S]*))?$/

const decode = Schema.decodeUnknownEffect(CreateTemplate, { errors: "all", onExcessProperty: "error" })

const completed = (given: CreateTemplate): FileContent => ({
  name: given.name,
  description: given.description ?? null,
  subject: given.subject,
  from: given.from,
  fromName: given.fromName ?? null,
  replyTo: given.replyTo ?? null,
  type: given.type ?? "MARKETING",
  body: given.body
})

/** The text of the file. Equal content gives equal text. */
export const templateText = ({ name, description, subject, from, fromName, replyTo, type, body }: FileContent) => {
  const head = {
    name,
    ...(description !== null && { description }),
    subject,
    from,
    ...(fromName !== null && { fromName }),
    ...(replyTo !== null && { replyTo }),
    type
  }
  return `---\n${Yaml.stringify(head, { lineWidth: 0 })}---\n${body}\n`
}

const shape = "`posthorn templates pull` shows the form; a value with {{ or # in it stands in quotes."

/** `file` is named in the error. */
const parseTemplateText = Effect.fnUntraced(function* (
  text: string,
  file: string
): Effect.fn.Return<FileContent, CommandFailure> {
  const found = matter.exec(text)
  if (found === null)
    return yield* wrongUsage(`${file} does not begin with front matter between two lines of ---.`, shape)
  const { head = "", body = "" } = found.groups ?? {}
  const parsed: unknown = yield* Effect.try({
    try: () => Yaml.parse(head, { maxAliasCount: 0 }),
    catch: (error) => wrongUsage(`${file}: the front matter is no YAML: ${String(error)}`, shape)
  })
  if (typeof parsed !== "object") return yield* wrongUsage(`${file}: the front matter has no fields.`, shape)
  const fields = { ...parsed, body: body.replace(lineBreakAtEnd, "") }
  const decoded = yield* Effect.mapError(decode(fields), ({ message }) =>
    wrongUsage(`${file} is no template: ${message}`, shape)
  )
  return completed(decoded)
})

export const readTemplateFile = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(fs.readFileString(file), ({ reason }) =>
    wrongUsage(`The file ${file} cannot be read (${reason._tag}).`)
  )
  return yield* parseTemplateText(text, file)
})
