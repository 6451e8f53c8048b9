import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { confirm, limitOptions, pageLimit, upTo, yes } from "../options/Options.ts"
import * as Output from "../output/Output.ts"

const list = Command.make(
  "list",
  { ...limitOptions, ...connectionOptions },
  Effect.fnUntraced(function* ({ limit, all }) {
    const { items } = yield* Api
    const found = items(({ uploads }) => uploads.images({ limit: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(found), {
      head: ["uploaded", "type", "bytes", "url"],
      row: ({ createdAt, contentType, size, url }) => [createdAt, contentType, size, url],
      none: "The project has no images."
    })
  })
).pipe(
  Command.withDescription("List the images of the project, newest first"),
  Command.withExamples([{ command: "posthorn images list --all --json" }]),
  withApi
)

/** The last part of a URL or a key. */
const nameIn = (image: string): string => image.split("/").at(-1) ?? image

const remove = Command.make(
  "delete",
  {
    image: Argument.String("image").pipe(Argument.withDescription("URL, key or name of the image")),
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ image, yes }) {
    const { call } = yield* Api
    const name = nameIn(image)
    yield* confirm(`Delete the image ${name}? Mail that was sent with it loses the picture.`, yes)
    yield* call(({ uploads }) => uploads.removeImage(name))
    yield* Output.one({ name, removed: true }, { rows: [["deleted", name]] })
  })
).pipe(
  Command.withDescription("Delete an image; asks first. Mail that was sent with it loses the picture."),
  Command.withExamples([{ command: "posthorn images delete https://mail.example.com/uploads/<project>/<name>.png" }]),
  withApi
)

export const images = Command.make("images").pipe(
  Command.withDescription("Images for the bodies of mails"),
  Command.withExamples([{ command: "posthorn images list" }]),
  Command.withSubcommands([list, remove])
)
