import type { Template, TemplateSummary } from "@posthorn/client"
import { Console, Effect, FileSystem, Option, Path, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, layer as apiLayer, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { everyTemplate, findNamed, templateAmong, templateArgument, templateOf } from "../api/Lookups.ts"
import { wrongUsage } from "../Failure.ts"
import { folderOption, writerInto } from "../files/Export.ts"
import { Json } from "../Json.ts"
import { confirm, jsonObject, limitOptions, optional, pageLimit, upTo, yes } from "../options/Options.ts"
import { linkBlocks, resultsBlocks } from "../output/CampaignText.ts"
import { party } from "../output/EmailText.ts"
import * as Output from "../output/Output.ts"
import { type Block, type Cell, printableLines } from "../output/Table.ts"
import { versionRows, versionVerbs } from "./versions.ts"

/** One line of a list. */
const templateHead = ["updated", "type", "id", "name", "subject"]
const templateRow = ({ updatedAt, type, id, name, subject }: TemplateSummary): ReadonlyArray<Cell> => [
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
      ...(template.alias === null ? [] : [["alias", template.alias]]),
      ...(template.topicId === null ? [] : [["topic", template.topicId]]),
      ["subject", template.subject],
      ["from", party(template.from, template.fromName)],
      ...(template.replyTo === null ? [] : [["reply to", template.replyTo]]),
      ["type", template.type],
      ...(template.language === null ? [] : [["language", template.language]]),
      ...(Object.keys(template.translations).length === 0
        ? []
        : [["translations", Object.keys(template.translations).toSorted().join(", ")]]),
      ...(template.layout === null ? [] : [["layout", template.layout]]),
      ...(template.strict ? [["strict", "yes"]] : []),
      ...versionRows(template),
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
  Command.withDescription("Show a template; its HTML is in --json and in `posthorn templates pull`"),
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
      none: "No templates. Create some with `posthorn templates push <folder>`."
    })
  })
).pipe(
  Command.withDescription("List templates, newest first"),
  Command.withExamples([{ command: "posthorn templates list --search welcome" }]),
  withApi
)

const links = Command.make(
  "links",
  { template: templateArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ template }) {
    const { call } = yield* Api
    const { id } = yield* templateOf(template)
    const found = yield* call(({ templates }) => templates.links(id))
    yield* Output.one(found, ...linkBlocks(found))
  })
).pipe(
  Command.withDescription("Show the current clicks on each link in mail from a template"),
  Command.withExamples([{ command: "posthorn templates links Welcome" }]),
  withApi
)

const stats = Command.make(
  "stats",
  { template: templateArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ template }) {
    const { call } = yield* Api
    const { id } = yield* templateOf(template)
    const found = yield* call(({ templates }) => templates.stats(id))
    yield* Output.one(found, ...resultsBlocks(found))
  })
).pipe(
  Command.withDescription("Show the current results of mail from a template"),
  Command.withExamples([{ command: "posthorn templates stats Welcome" }]),
  withApi
)

const preview = Command.make(
  "preview",
  {
    template: Argument.String("template").pipe(
      Argument.withDescription("File of a template, or the name or id of a template")
    ),
    data: jsonObject("data").pipe(Flag.withDescription("Data of the contact to render for"), optional),
    part: Flag.Literals("part", ["html", "text"]).pipe(
      Flag.withDescription("Print only the HTML or only the plain text"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ template, data = {}, part, ...connection }) {
    const fs = yield* FileSystem.FileSystem
    const { fileContent, readTemplateFile } = yield* Effect.promise(() => import("../api/TemplateFile.ts"))
    const { compiled, rendered } = yield* Effect.promise(() => import("../api/TemplatePreview.ts"))
    const isFile = yield* Effect.orElseSucceed(fs.exists(template), () => false)
    const content = isFile
      ? yield* compiled(yield* readTemplateFile(template))
      : fileContent(yield* Effect.provide(templateOf(template), apiLayer(connection)))
    const { everyPartial, readPartialFiles, sourcesOf } = yield* Effect.promise(() => import("../api/TemplateFile.ts"))
    const path = yield* Path.Path
    const partials = isFile
      ? yield* readPartialFiles(path.dirname(template))
      : yield* Effect.provide(everyPartial, apiLayer(connection))
    const { subject, html, text } = yield* rendered(content, data, sourcesOf(partials))
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
    "Render a template and print the mail, with [name] for missing variables. A file needs no server. " +
      "Nothing is sent."
  ),
  Command.withShortDescription("Render a template and print the mail"),
  Command.withExamples([
    { command: `posthorn templates preview templates/welcome.html --data '{"firstName":"Ada"}'` },
    { command: "posthorn templates preview Welcome --part html > welcome.html" }
  ])
)

const versionOption = Flag.String("version").pipe(
  Flag.withDescription("A version number, or draft; default: the live version"),
  optional
)

const localeOption = Flag.String("locale").pipe(
  Flag.withDescription("Language of the translation, such as de or pt-BR"),
  optional
)

const wantedVersion = Effect.fnUntraced(function* (version: string | undefined) {
  if (version === undefined || version === "draft") return version
  if (!/^[1-9]\d{0,8}$/.test(version)) return yield* wrongUsage("--version must be a number or draft.")
  return Number(version)
})

const render = Command.make(
  "render",
  {
    template: templateArgument,
    version: versionOption,
    contact: Flag.String("contact").pipe(Flag.withDescription("Address or id of the contact to render for"), optional),
    data: jsonObject("data").pipe(Flag.withDescription("Variables of the mail, as for `posthorn send`"), optional),
    locale: localeOption,
    part: Flag.Literals("part", ["html", "text"]).pipe(
      Flag.withDescription("Print only the HTML or only the plain text"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ template, version, contact, data, locale, part }) {
    const { call } = yield* Api
    const { id } = yield* templateAmong(yield* everyTemplate, template)
    const wanted = yield* wantedVersion(version)
    const mail = yield* call(({ templates }) =>
      templates.render(id, {
        ...(wanted !== undefined && { version: wanted }),
        ...(contact !== undefined && (contact.includes("@") ? { email: contact } : { contactId: contact })),
        ...(data !== undefined && { data }),
        ...(locale !== undefined && { locale })
      })
    )
    const { subject, html, text, size, variables, warnings } = mail
    if (part !== undefined && !(yield* Json)) {
      return yield* Console.log(part === "html" ? (html ?? "") : printableLines(text))
    }
    yield* Output.one(mail, {
      rows: [
        ["subject", subject],
        ...(mail.locale === null ? [] : [["language", mail.locale]]),
        ["size", `${size.html} bytes of HTML, ${size.message} in all`],
        ["variables", variables.used.join(", ")],
        ...(variables.missing.length === 0 ? [] : [["missing", variables.missing.join(", ")]]),
        ...(variables.unused.length === 0 ? [] : [["unused", variables.unused.join(", ")]]),
        ...warnings.map(({ message }) => ["warning", message])
      ]
    })
    if (!(yield* Json)) yield* Console.log(`\n${printableLines(text)}`)
  })
).pipe(
  Command.withDescription(
    "Print the mail that the service would send, with its size, its variables and warnings about deliverability. " +
      "Nothing is sent."
  ),
  Command.withShortDescription("Print the mail that the service would send"),
  Command.withExamples([
    { command: "posthorn templates render Welcome --contact ada@example.com" },
    { command: `posthorn templates render Welcome --version draft --data '{"plan":"pro"}'` }
  ]),
  withApi
)

const test = Command.make(
  "test",
  {
    template: templateArgument,
    email: Flag.String("email").pipe(
      Flag.withMetavar("<address>"),
      Flag.withDescription("A contact, or a member of the project")
    ),
    version: versionOption,
    data: jsonObject("data").pipe(Flag.withDescription("Variables for this mail only"), optional),
    locale: localeOption,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ template, email, version, data, locale }) {
    const { call } = yield* Api
    const { id } = yield* templateAmong(yield* everyTemplate, template)
    const wanted = yield* wantedVersion(version)
    const sent = yield* call(({ templates }) => templates.test(id, { email, version: wanted, data, locale }))
    yield* Output.one(sent, { rows: [["mail", sent.email]] })
  })
).pipe(
  Command.withDescription("Send a template to one address as a test"),
  Command.withExamples([
    { command: "posthorn templates test Welcome --email ada@example.com" },
    { command: "posthorn templates test Welcome --version draft --email ada@example.com" }
  ]),
  withApi
)

const pull = Command.make(
  "pull",
  {
    template: Argument.String("template").pipe(
      Argument.withDescription("Name or id of one template; default: all templates"),
      Argument.optional
    ),
    folder: folderOption,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ template, folder = "." }) {
    const { call } = yield* Api
    const { fileContent, templateFiles } = yield* Effect.promise(() => import("../api/TemplateFile.ts"))
    const all = yield* everyTemplate
    const wanted = template._tag === "Some" ? [yield* templateAmong(all, template.value)] : all
    const write = yield* writerInto(folder, "template", "html")
    const pulled = Effect.fnUntraced(function* ({ id, name }: (typeof wanted)[number]) {
      const { main, ending, others } = templateFiles(fileContent(yield* call(({ templates }) => templates.get(id))))
      return { id, name, file: yield* write(name, main, others, ending) }
    })
    const { everyPartial, writePartialFiles } = yield* Effect.promise(() => import("../api/TemplateFile.ts"))
    const partials = template._tag === "Some" ? [] : yield* writePartialFiles(folder, yield* everyPartial)
    const files = Stream.concat(Stream.mapEffect(Stream.fromIterable(wanted), pulled), Stream.fromIterable(partials))
    yield* Output.list(files, {
      head: ["file", "id", "name"],
      row: ({ file, id, name }) => [file, id, name],
      none: "The project has no templates."
    })
  })
).pipe(
  Command.withDescription(
    "Write templates to files of HTML or MJML with front matter; existing files are replaced. A text part is in " +
      "name.txt, a translation in name.de.html and name.de.txt; partials are in _partials"
  ),
  Command.withShortDescription("Write templates to files"),
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
  const { isContentFile, languageOfFile } = yield* Effect.promise(() => import("../api/TemplateFile.ts"))
  const files = names.filter((name) => isContentFile(name) && languageOfFile(name, names) === undefined).toSorted()
  if (files.length === 0) return yield* wrongUsage(`The folder ${given} has no file with the extension .html or .mjml.`)
  return files.map((name) => path.join(given, name))
})

/** The languages that `before` has and `after` does not, each with null. */
const removed = (before: object, after: object) =>
  Object.fromEntries(
    Object.keys(before)
      .filter((tag) => !Object.hasOwn(after, tag))
      .map((tag) => [tag, null])
  )

const some = (count: number, noun: string) => (count === 0 ? [] : [count === 1 ? `1 ${noun}` : `${count} ${noun}s`])

/** What a push creates or changes, in words. Empty if it changes nothing. */
const counted = (verb: string, templates: number, partials: number): ReadonlyArray<string> => {
  const things = [...some(templates, "template"), ...some(partials, "partial")]
  return things.length === 0 ? [] : [`${verb} ${things.join(" and ")}`]
}

const push = Command.make(
  "push",
  {
    path: Argument.String("path").pipe(
      Argument.withDescription("File of a template, or a folder with files .html or .mjml")
    ),
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ path, yes }) {
    const { call } = yield* Api
    const { fileContent, readTemplateFile, templateFiles, templateInput } = yield* Effect.promise(
      () => import("../api/TemplateFile.ts")
    )
    const { filesDiff } = yield* Effect.promise(() => import("../api/TemplateFile.ts"))
    const { everyPartial, readPartialFiles } = yield* Effect.promise(() => import("../api/TemplateFile.ts"))
    const { diffText } = yield* Effect.promise(() => import("../output/Diff.ts"))
    const files = yield* filesAt(path)
    const fs = yield* FileSystem.FileSystem
    const isFolder = Effect.map(fs.stat(path), ({ type }) => type === "Directory")
    const partials = (yield* Effect.orElseSucceed(isFolder, () => false)) ? yield* readPartialFiles(path) : []
    const stored = partials.length === 0 ? [] : yield* everyPartial
    const plannedPartials = partials.map((wanted) => {
      const current = stored.find(({ name }) => name === wanted.name)
      const diffs = [
        [wanted.file, current?.body ?? "", wanted.body],
        [wanted.file.replace(/html$/, "txt"), current?.text ?? "", wanted.text ?? ""]
      ] as const
      const diff = diffs
        .filter(([, before, after]) => before !== after)
        .map(([file, before, after]) => `${file}\n${diffText(before, after)}\n`)
        .join("")
      const status = current === undefined ? "created" : diff === "" ? "unchanged" : "updated"
      return { wanted, current, diff, status } as const
    })
    const all = yield* everyTemplate
    const readings = new Map<string, string>()
    const planned = yield* Effect.forEach(
      files,
      Effect.fnUntraced(function* (file) {
        const wanted = yield* readTemplateFile(file)
        const other = readings.get(wanted.name)
        if (other !== undefined) return yield* wrongUsage(`${other} and ${file} have the same name, ${wanted.name}.`)
        readings.set(wanted.name, file)
        const known = Option.getOrUndefined(yield* findNamed(all, wanted.name, "templates"))
        const current = known && (yield* call(({ templates }) => templates.get(known.id)))
        const diff = filesDiff(file, current && templateFiles(fileContent(current)), templateFiles(wanted))
        const status = current === undefined ? "created" : diff === "" ? "unchanged" : "updated"
        return { file, wanted, current, diff, status } as const
      })
    )
    const changes = [...plannedPartials, ...planned].filter(({ status }) => status !== "unchanged")
    if (changes.length === 0) yield* Console.error("Nothing to change.")
    else {
      for (const { diff } of changes) yield* Console.error(diff)
      const number = (all: ReadonlyArray<{ readonly status: string }>, wanted: string) =>
        all.filter(({ status }) => status === wanted).length
      const question = [
        ...counted("make", number(planned, "created"), number(plannedPartials, "created")),
        ...counted("change", number(planned, "updated"), number(plannedPartials, "updated"))
      ].join(" and ")
      yield* confirm(`${question.charAt(0).toUpperCase()}${question.slice(1)}?`, yes)
    }
    const pushed = Effect.fnUntraced(function* ({ file, wanted, current, status }: (typeof planned)[number]) {
      const input = templateInput(wanted)
      const kept =
        current === undefined
          ? yield* call(({ templates }) => templates.create(input))
          : status === "unchanged"
            ? current
            : yield* call(({ templates }) =>
                templates.update(current.id, {
                  ...input,
                  translations: { ...removed(current.translations, wanted.translations), ...input.translations }
                })
              )
      return { status, file, id: kept.id, name: kept.name }
    })
    const pushedPartial = Effect.fnUntraced(function* ({
      wanted: { file, ...content },
      current,
      status
    }: (typeof plannedPartials)[number]) {
      const kept =
        current === undefined
          ? yield* call(({ partials }) => partials.create(content))
          : status === "unchanged"
            ? current
            : yield* call(({ partials }) => partials.update(current.id, content))
      return { status, file, id: kept.id, name: kept.name }
    })
    // Partials come first, because templates use them.
    const results = Stream.concat(
      Stream.mapEffect(Stream.fromIterable(plannedPartials), pushedPartial),
      Stream.mapEffect(Stream.fromIterable(planned), pushed)
    )
    yield* Output.list(results, {
      head: ["status", "file", "id", "name"],
      row: ({ status, file, id, name }) => [status, file, id, name],
      none: ""
    })
  })
).pipe(
  Command.withDescription(
    "Create or change templates from files; shows the changes and asks first. Matches templates by name and deletes " +
      "none. name.txt is the text part of name.html, name.de.html and name.de.txt are its translation, the files in " +
      "_partials are partials. Compiles .mjml files"
  ),
  Command.withShortDescription("Create or change templates from files"),
  Command.withExamples([
    { command: "posthorn templates push templates" },
    { command: "posthorn templates push templates/welcome.html --yes" }
  ]),
  withApi
)

const versions = versionVerbs({
  noun: "template",
  example: "Welcome",
  argument: templateArgument,
  find: (given) => Effect.flatMap(everyTemplate, (all) => templateAmong(all, given)),
  of: ({ templates }) => templates,
  blocks: templateBlocks,
  restores: "Make the content of an earlier version the new live version",
  publishes: "Make the draft of a template the new live version"
})

export const templates = Command.make("templates").pipe(
  Command.withDescription("Reusable mails, which can be stored as files of HTML or MJML"),
  Command.withExamples([
    { command: "posthorn templates pull --folder templates" },
    { command: `posthorn templates preview templates/welcome.html --data '{"firstName":"Ada"}'` },
    { command: "posthorn templates push templates" }
  ]),
  Command.withSubcommands([list, get, push, pull, preview, render, test, links, stats, ...versions])
)
