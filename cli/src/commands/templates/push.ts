import { Console, Effect, FileSystem, Option, Path, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { findNamed } from "../../api/NamedOf.ts"
import { everyTemplate } from "../../api/TemplateOf.ts"
import { wrongUsage } from "../../Failure.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import { diffText } from "../../output/Diff.ts"
import * as Output from "../../output/Output.ts"

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

export const push = Command.make(
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
    const { readTemplateFile, templateText } = yield* Effect.promise(() => import("../../api/TemplateFile.ts"))
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
    "Make or change templates as files say; shows what changes and asks first. A template is told by its name. None is deleted."
  ),
  Command.withShortDescription("Make or change templates as files say"),
  Command.withExamples([
    { command: "posthorn templates push templates" },
    { command: "posthorn templates push templates/welcome.html --yes" }
  ]),
  withApi
)
