import { Console, Effect, FileSystem } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { layer } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { templateOf } from "../../api/TemplateOf.ts"
import { Json } from "../../Json.ts"
import { jsonObject } from "../../options/JsonObject.ts"
import { optional } from "../../options/Optional.ts"
import { party } from "../../output/EmailText.ts"
import * as Output from "../../output/Output.ts"
import { printableLines } from "../../output/Printable.ts"

export const preview = Command.make(
  "preview",
  {
    template: Argument.String("template").pipe(
      Argument.withDescription("File of a template, else name or id of one that the project has")
    ),
    data: jsonObject("data").pipe(Flag.withDescription("Data of the contact that it is rendered for"), optional),
    part: Flag.Literals("part", ["html", "text"]).pipe(
      Flag.withDescription("The HTML or its plain text, and nothing else"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ template, data = {}, part, ...connection }) {
    const fs = yield* FileSystem.FileSystem
    const { readTemplateFile } = yield* Effect.promise(() => import("../../api/TemplateFile.ts"))
    const { rendered } = yield* Effect.promise(() => import("../../api/TemplatePreview.ts"))
    const isFile = yield* Effect.orElseSucceed(fs.exists(template), () => false)
    const content = isFile
      ? yield* readTemplateFile(template)
      : yield* Effect.provide(templateOf(template), layer(connection))
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
    "Print the mail that a template becomes, with [name] for what is missing. A file needs no server. Nobody is written to."
  ),
  Command.withShortDescription("Print the mail that a template becomes"),
  Command.withExamples([
    { command: `posthorn templates preview templates/welcome.html --data '{"firstName":"Ada"}'` },
    { command: "posthorn templates preview Welcome --part html > welcome.html" }
  ])
)
