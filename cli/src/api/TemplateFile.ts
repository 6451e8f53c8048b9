/**
 * A template as files. `name.html` has YAML front matter between two lines of `---`, then the HTML. `name.txt` is the
 * text part. `name.de.html`, with the subject in its front matter, and `name.de.txt` are a translation. A template in
 * MJML has `.mjml` in place of `.html`. Ids, times and versions are not in the files, so that they can be pushed into
 * another project.
 */
import type { Partial, Template } from "@posthorn/client"
import { CreateTemplate } from "@posthorn/contract/content/templates/Template"
import { canonicalTag, isLanguageTag } from "@posthorn/contract/platform/LanguageTag"
import { type PartialSources, partialNames } from "@posthorn/core/content/rendering/Partials"
import { Effect, FileSystem, Path, Schema, Stream } from "effect"
import * as Yaml from "yaml"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { diffText } from "../output/Diff.ts"
import { Api } from "./Api.ts"

/**
 * The complete content. A value that the files do not have is empty; the default type is MARKETING. An MJML template
 * has an empty body.
 */
export type FileContent = Omit<
  Template,
  "createdAt" | "draft" | "id" | "projectId" | "topicId" | "updatedAt" | "version"
> & {
  /** As written: the id or, for files of several projects, the key of a topic. Absent: the template keeps its own. */
  readonly topicId?: string
}

/** Without the id of its topic, which another project does not have. */
export const fileContent = ({ topicId: _, ...template }: Template): FileContent => template

/** Editors end a file with a line break that is not part of the text. */
const lineBreakAtEnd = /\r?\n$/
const matter = /^\uFEFF?---[ \t]*\r?\n(?<head>(?:[\s\S]*?\n)?)---[ \t]*(?:\r?\n(?<body>[\s\S]*))?$/

const decode = Schema.decodeUnknownEffect(CreateTemplate, { errors: "all", onExcessProperty: "error" })

type GivenTranslation = NonNullable<NonNullable<CreateTemplate["translations"]>[string]>

const translation = ({ subject, body, source, text }: GivenTranslation) => ({
  subject,
  body: body ?? "",
  ...(source != null && { source }),
  text: text ?? null
})

/** By tag, in a fixed order. */
const translated = (given: CreateTemplate["translations"]): FileContent["translations"] =>
  Object.fromEntries(
    Object.entries(given ?? {})
      .flatMap(([tag, texts]) => (texts === null ? [] : [[canonicalTag(tag), translation(texts)] as const]))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
  )

const completed = (given: CreateTemplate): FileContent => ({
  name: given.name,
  description: given.description ?? null,
  alias: given.alias ?? null,
  ...(given.topicId != null && { topicId: given.topicId }),
  subject: given.subject,
  from: given.from,
  fromName: given.fromName ?? null,
  replyTo: given.replyTo ?? null,
  type: given.type ?? "MARKETING",
  language: given.language ?? null,
  layout: given.layout ?? null,
  strict: given.strict ?? false,
  format: given.format ?? "HTML",
  body: given.body ?? "",
  source: given.source ?? null,
  text: given.text ?? null,
  translations: translated(given.translations)
})

/** The fields of a request. A body that was compiled from a source is omitted. */
export const templateInput = ({ body, source, translations, ...fields }: FileContent) => ({
  ...fields,
  ...(source === null ? { body } : { source }),
  translations: Object.fromEntries(
    Object.entries(translations).map(([tag, { body, source, ...texts }]) => [
      tag,
      { ...texts, ...(source === undefined ? { body } : { source }) }
    ])
  )
})

const contentFile = (head: object, content: string) => `---\n${Yaml.stringify(head, { lineWidth: 0 })}---\n${content}\n`

const endings = { HTML: "html", MJML: "mjml" }

/** The main file, its extension, and the text of each other file by its extension. Equal contents give equal texts. */
export const templateFiles = (template: FileContent) => {
  const { name, description, alias, topicId, subject, from, fromName, replyTo, type, language, layout, strict, text } =
    template
  const ending = endings[template.format]
  const head = {
    name,
    ...(description !== null && { description }),
    ...(alias !== null && { alias }),
    ...(topicId !== undefined && { topicId }),
    subject,
    from,
    ...(fromName !== null && { fromName }),
    ...(replyTo !== null && { replyTo }),
    type,
    ...(language !== null && { language }),
    ...(layout !== null && { layout }),
    ...(strict && { strict })
  }
  const others = new Map<string, string>()
  if (text !== null) others.set("txt", `${text}\n`)
  const byTag = Object.entries(template.translations).toSorted(([one], [other]) => (one < other ? -1 : 1))
  for (const [tag, local] of byTag) {
    others.set(`${tag}.${ending}`, contentFile({ subject: local.subject }, local.source ?? local.body))
    if (local.text !== null) others.set(`${tag}.txt`, `${local.text}\n`)
  }
  return { main: contentFile(head, template.source ?? template.body), ending, others }
}

const shape =
  "`posthorn templates pull` writes a valid file to compare with. A value that contains {{ or # needs quotes."

/** The front matter and the text after it, whose field depends on the extension. Errors name `file`. */
const parseMatter = Effect.fnUntraced(function* (
  text: string,
  file: string
): Effect.fn.Return<{ readonly [field: string]: unknown }, CommandFailure> {
  const found = matter.exec(text)
  if (found === null)
    return yield* wrongUsage(`${file} does not begin with front matter between two lines of ---.`, shape)
  const { head = "", body = "" } = found.groups ?? {}
  const parsed: unknown = yield* Effect.try({
    try: () => Yaml.parse(head, { maxAliasCount: 0 }),
    catch: (error) => wrongUsage(`${file}: the front matter is not valid YAML: ${String(error)}`, shape)
  })
  if (typeof parsed !== "object") return yield* wrongUsage(`${file}: the front matter has no fields.`, shape)
  return { ...parsed, [isMjml(file) ? "source" : "body"]: body.replace(lineBreakAtEnd, "") }
})

const read = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.mapError(fs.readFileString(file), ({ reason }) =>
    wrongUsage(`The file ${file} cannot be read (${reason._tag}).`)
  )
})

const isMjml = (file: string): boolean => file.endsWith(".mjml")

/** Whether a file is a template, or a translation of one. */
export const isContentFile = (file: string): boolean => /\.(?:html|mjml)$/.test(file)

/** The language of a file such as `name.de.html`. All files are in one folder. Undefined for a main file. */
export const languageOfFile = (file: string, all: ReadonlyArray<string>): string | undefined => {
  const [, base, tag = "", ending] = /^(.+)\.([^./\\]+)(\.(?:html|mjml))$/.exec(file) ?? []
  return base !== undefined && isLanguageTag(tag) && all.includes(`${base}${ending}`) ? tag : undefined
}

/** Reads the main file, and the files of its text part and its translations in the same folder. */
export const readTemplateFile = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const main = yield* parseMatter(yield* read(file), file)
  const folder = path.dirname(file)
  const siblings = yield* Effect.orElseSucceed(fs.readDirectory(folder), (): Array<string> => [])
  const ending = path.extname(file)
  const base = path.basename(file, ending)
  const textOf = (name: string) =>
    siblings.includes(`${name}.txt`)
      ? Effect.map(read(path.join(folder, `${name}.txt`)), (text) => ({ text: text.replace(lineBreakAtEnd, "") }))
      : Effect.succeed({})
  const translations: Record<string, unknown> = {}
  for (const sibling of siblings.toSorted()) {
    const tag = sibling.startsWith(`${base}.`) ? languageOfFile(sibling, siblings) : undefined
    if (tag === undefined || sibling !== `${base}.${tag}${ending}`) continue
    const place = path.join(folder, sibling)
    translations[tag] = { ...(yield* parseMatter(yield* read(place), place)), ...(yield* textOf(`${base}.${tag}`)) }
  }
  const fields = {
    ...main,
    ...(isMjml(file) && { format: "MJML" }),
    ...(yield* textOf(base)),
    ...(Object.keys(translations).length > 0 && { translations })
  }
  const decoded = yield* Effect.mapError(decode(fields), ({ message }) =>
    wrongUsage(`${file} is not a valid template: ${message}`, shape)
  )
  return completed(decoded)
})

type Files = ReturnType<typeof templateFiles>

/** Empty if the push changes nothing. `file` is the main file. */
export const filesDiff = (file: string, before: Files | undefined, after: Files): string => {
  const base = file.replace(/\.(?:html|mjml)$/, "")
  const endings = [...new Set([...(before?.others.keys() ?? []), ...after.others.keys()])].toSorted()
  const pairs = [
    [file, before?.main ?? "", after.main] as const,
    ...endings.map(
      (ending) => [`${base}.${ending}`, before?.others.get(ending) ?? "", after.others.get(ending) ?? ""] as const
    )
  ]
  return pairs
    .filter(([, old, wanted]) => old !== wanted)
    .map(([name, old, wanted]) => `${name}\n${diffText(old, wanted)}\n`)
    .join("\n")
}

export const partialsFolder = "_partials"

export interface PartialFile {
  readonly file: string
  readonly name: string
  readonly body: string
  readonly text: string | null
}

export const everyPartial = Effect.gen(function* () {
  const { items } = yield* Api
  return yield* Stream.runCollect(items(({ partials }) => partials.list({ pageSize: 100 })))
})

/** The partials of a folder of templates. Each one comes after the partials that it uses. */
export const readPartialFiles = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const place = path.join(folder, partialsFolder)
  const names = yield* Effect.orElseSucceed(fs.readDirectory(place), (): Array<string> => [])
  const read = (name: string) =>
    fs.readFileString(path.join(place, name)).pipe(
      Effect.map((text) => text.replace(lineBreakAtEnd, "")),
      Effect.mapError(({ reason }) => wrongUsage(`The file ${path.join(place, name)} cannot be read (${reason._tag}).`))
    )
  const files = yield* Effect.forEach(
    names.filter((name) => name.endsWith(".html")).toSorted(),
    Effect.fnUntraced(function* (file) {
      const name = file.slice(0, -".html".length)
      const text = names.includes(`${name}.txt`) ? yield* read(`${name}.txt`) : null
      return { file: path.join(place, file), name, body: yield* read(file), text } satisfies PartialFile
    })
  )
  return inOrder(files)
})

const inOrder = (files: ReadonlyArray<PartialFile>): ReadonlyArray<PartialFile> => {
  const byName = new Map(files.map((file) => [file.name, file]))
  const ordered = new Set<PartialFile>()
  const seen = new Set<string>()
  const add = (file: PartialFile) => {
    if (seen.has(file.name)) return
    seen.add(file.name)
    for (const name of partialNames(file.body, file.text)) {
      const inner = byName.get(name)
      if (inner !== undefined) add(inner)
    }
    ordered.add(file)
  }
  for (const file of files) add(file)
  return [...ordered]
}

export const sourcesOf = (partials: ReadonlyArray<Pick<Partial, "name" | "body" | "text">>): PartialSources =>
  new Map(partials.map(({ name, body, text }) => [name, { body, text }]))

/** Writes the partials into the folder, and returns their files by name. */
export const writePartialFiles = Effect.fnUntraced(function* (folder: string, partials: ReadonlyArray<Partial>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const place = path.join(folder, partialsFolder)
  const failed = (file: string) => (error: { readonly reason: { readonly _tag: string } }) =>
    new CommandFailure({
      exit: "failed",
      code: "FILE_NOT_WRITTEN",
      message: `The file ${file} cannot be written (${error.reason._tag}).`
    })
  if (partials.length > 0) yield* Effect.mapError(fs.makeDirectory(place, { recursive: true }), failed(place))
  return yield* Effect.forEach(
    partials,
    Effect.fnUntraced(function* ({ id, name, body, text }) {
      const write = (ending: string, content: string) => {
        const file = path.join(place, `${name}.${ending}`)
        return Effect.as(Effect.mapError(fs.writeFileString(file, `${content}\n`), failed(file)), file)
      }
      const file = yield* write("html", body)
      if (text !== null) yield* write("txt", text)
      return { id, name, file }
    })
  )
})
