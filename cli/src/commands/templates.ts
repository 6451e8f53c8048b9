import type { Template } from "@posthorn/client"
import { Console, Effect, FileSystem, Option, Path, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, layer as apiLayer, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { everyTemplate, findNamed, templateArgument, templateOf } from "../api/Lookups.ts"
import { wrongUsage } from "../Failure.ts"
import { folderOption, writerInto } from "../files/Written.ts"
import { Json } from "../Json.ts"
import { confirm, yes } from "../options/Confirmation.ts"
import { jsonObject, limitOptions, optional, pageLimit, upTo } from "../options/Options.ts"
import { diffText } from "../output/Diff.ts"
import { party } from "../output/EmailText.ts"
import * as Output from "../output/Output.ts"
import { type Block, type Cell, printableLines } from "../output/Table.ts"

/** One line of a list. */
const templateHead = ["updated", "type", "id", "name", "subject"]
const templateRow = ({ updatedAt, type, id, name, subject }: Template): ReadonlyArray<Cell> => [
  updatedAt,
  type,
  id,
  name,
  subject
]

/** All fields except the HTML. */
const templateBlocks = (template: Template): ReadonlyArray<Block> => [
  {
    rows: [
      ["id", template.id],
      ["name", template.name],
      ...(template.description === null ? [] : [["description", template.description]]),
      ["subject", template.subject],
      ["from", party(template.from, template.fromName)],
      ...(template.replyTo === null ? [] : [["reply to", template.replyTo]]),
      ["type", template.type],
      ["created", template.createdAt],
      ["updated", template.updatedAt]
    ]
  }
]

const get = Command.make(
  "get",
  { template: templateArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ template }) {
    const found = yield* templateOf(template)
    yield* Output.one(found, ...templateBlocks(found))
  })
).pipe(
  Command.withDescription("Show a template; its HTML with --json, or by `posthorn templates pull`"),
  Command.withShortDescription("Show a template"),
  Command.withExamples([{ command: "posthorn templates get Welcome" }]),
  withApi
)

const list = Command.make(
  "list",
  {
    type: Flag.Literals("type", ["TRANSACTIONAL", "MARKETING", "HEADLESS"]).pipe(
      Flag.withDescription("Only templates of this type"),
      optional
    ),
    search: Flag.String("search").pipe(
      Flag.withDescription("Only templates with this text in name, description or subject"),
      optional
    ),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ type, search, limit, all }) {
    const { items } = yield* Api
    const query = { type, search, pageSize: pageLimit({ limit, all }) }
    yield* Output.list(upTo({ limit, all })(items(({ templates }) => templates.list(query))), {
      head: templateHead,
      row: templateRow,
      none: "No templates. Make some with `posthorn templates push <folder>`."
    })
  })
).pipe(
  Command.withDescription("List templates, newest first"),
  Command.withExamples([{ command: "posthorn templates list --search welcome" }]),
  withApi
)

const preview = Command.make(
  "preview",
  {
    template: Argument.String("template").pipe(
      Argument.withDescription("File of a template, or name or id of a template of the project")
    ),
    data: jsonObject("data").pipe(Flag.withDescription("Data of the contact for which it is rendered"), optional),
    part: Flag.Literals("part", ["html", "text"]).pipe(
      Flag.withDescription("Print only the HTML or only the plain text"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ template, data = {}, part, ...connection }) {
    const fs = yield* FileSystem.FileSystem
    const { readTemplateFile } = yield* Effect.promise(() => import("../api/TemplateFile.ts"))
    const { rendered } = yield* Effect.promise(() => import("../api/TemplatePreview.ts"))
    const isFile = yield* Effect.orElseSucceed(fs.exists(template), () => false)
    const content = isFile
      ? yield* readTemplateFile(template)
      : yield* Effect.provide(templateOf(template), apiLayer(connection))
    const { subject, html, text } = yield* rendered(content, data)
    const { name, from, fromName, replyTo, type } = content
    if (part !== undefined && !(yield* Json)) return yield* Console.log(part === "html" ? html : printableLines(text))
    yield* Output.one(
      { name, type, from, fromName, replyTo, subject, html, text },
      {
        rows: [
          ["from", party(from, fromName)],
          ...(replyTo === null ? [] : [["reply to", replyTo]]),
          ["subject", subject]
        ]
      }
    )
    if (!(yield* Json)) yield* Console.log(`\n${printableLines(text)}`)
  })
).pipe(
  Command.withDescription(
    "Print the email that a template renders to, with [name] for missing variables. A file needs no server. " +
      "Nothing is sent."
  ),
  Command.withShortDescription("Print the email that a template renders to"),
  Command.withExamples([
    { command: `posthorn templates preview templates/welcome.html --data '{"firstName":"Ada"}'` },
    { command: "posthorn templates preview Welcome --part html > welcome.html" }
  ])
)

const pull = Command.make(
  "pull",
  {
    template: Argument.String("template").pipe(
      Argument.withDescription("Name or id of one template; without it all of them"),
      Argument.optional
    ),
    folder: folderOption,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ template, folder = "." }) {
    const { templateText } = yield* Effect.promise(() => import("../api/TemplateFile.ts"))
    const wanted = template._tag === "Some" ? [yield* templateOf(template.value)] : yield* everyTemplate
    const write = yield* writerInto(folder, "template", "html")
    const pulled = Effect.fnUntraced(function* (each: (typeof wanted)[number]) {
      const { id, name } = each
      return { id, name, file: yield* write(name, templateText(each)) }
    })
    yield* Output.list(Stream.mapEffect(Stream.fromIterable(wanted), pulled), {
      head: ["file", "id", "name"],
      row: ({ file, id, name }) => [file, id, name],
      none: "The project has no templates."
    })
  })
).pipe(
  Command.withDescription(
    "Write templates into files of HTML with front matter, to keep or to change them; files that are there are replaced"
  ),
  Command.withShortDescription("Write templates into files"),
  Command.withExamples([
    { command: "posthorn templates pull --folder templates" },
    { command: "posthorn templates pull Welcome" }
  ]),
  withApi
)

/** The file itself, or the templates of a folder by name. */
const filesAt = Effect.fnUntraced(function* (given: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const listed = fs.stat(given).pipe(
    Effect.flatMap(({ type }) => (type === "Directory" ? fs.readDirectory(given) : Effect.succeed(undefined))),
    Effect.mapError(({ reason }) => wrongUsage(`${given} cannot be read (${reason._tag}).`))
  )
  const names = yield* listed
  if (names === undefined) return [given]
  const files = names.filter((name) => name.endsWith(".html")).toSorted()
  if (files.length === 0) return yield* wrongUsage(`The folder ${given} has no file that ends with .html.`)
  return files.map((name) => path.join(given, name))
})

const counted = (count: number): string => (count === 1 ? "1 template" : `${count} templates`)

const push = Command.make(
  "push",
  {
    path: Argument.String("path").pipe(
      Argument.withDescription("File of a template, or a folder: all of its files that end with .html")
    ),
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ path, yes }) {
    const { call } = yield* Api
    const { readTemplateFile, templateText } = yield* Effect.promise(() => import("../api/TemplateFile.ts"))
    const files = yield* filesAt(path)
    const all = yield* everyTemplate
    const readings = new Map<string, string>()
    const planned = yield* Effect.forEach(
      files,
      Effect.fnUntraced(function* (file) {
        const wanted = yield* readTemplateFile(file)
        const other = readings.get(wanted.name)
        if (other !== undefined) return yield* wrongUsage(`${other} and ${file} are both called ${wanted.name}.`)
        readings.set(wanted.name, file)
        const current = Option.getOrUndefined(yield* findNamed(all, wanted.name, "templates"))
        const [before, after] = [current === undefined ? "" : templateText(current), templateText(wanted)]
        const status = current === undefined ? "created" : before === after ? "unchanged" : "updated"
        return { file, wanted, current, before, after, status } as const
      })
    )
    const changes = planned.filter(({ status }) => status !== "unchanged")
    if (changes.length === 0) yield* Console.error("Nothing to change.")
    else {
      for (const { file, before, after } of changes) yield* Console.error(`${file}\n${diffText(before, after)}\n`)
      const made = changes.filter(({ status }) => status === "created").length
      const parts = [
        made && `make ${counted(made)}`,
        changes.length - made && `change ${counted(changes.length - made)}`
      ]
      const question = parts.filter((part) => part !== 0).join(" and ")
      yield* confirm(`${question.charAt(0).toUpperCase()}${question.slice(1)}?`, yes)
    }
    const pushed = Effect.fnUntraced(function* ({ file, wanted, current, status }: (typeof planned)[number]) {
      const kept =
        current === undefined
          ? yield* call(({ templates }) => templates.create(wanted))
          : status === "unchanged"
            ? current
            : yield* call(({ templates }) => templates.update(current.id, wanted))
      return { status, file, id: kept.id, name: kept.name }
    })
    yield* Output.list(Stream.mapEffect(Stream.fromIterable(planned), pushed), {
      head: ["status", "file", "id", "name"],
      row: ({ status, file, id, name }) => [status, file, id, name],
      none: ""
    })
  })
).pipe(
  Command.withDescription(
    "Create or change templates from files; shows the changes and asks first. Templates are matched by name. None " +
      "is deleted."
  ),
  Command.withShortDescription("Create or change templates from files"),
  Command.withExamples([
    { command: "posthorn templates push templates" },
    { command: "posthorn templates push templates/welcome.html --yes" }
  ]),
  withApi
)

export const templates = Command.make("templates").pipe(
  Command.withDescription("Reusable emails; can be kept as HTML files"),
  Command.withExamples([
    { command: "posthorn templates pull --folder templates" },
    { command: `posthorn templates preview templates/welcome.html --data '{"firstName":"Ada"}'` },
    { command: "posthorn templates push templates" }
  ]),
  Command.withSubcommands([list, get, push, pull, preview])
)
