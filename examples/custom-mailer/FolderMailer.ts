/** A transport of one's own: mails become files in a folder. An API of a provider is the same shape. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Mailer, MailerError } from "@posthorn/core/sending/Mailer"
import { Effect, Layer } from "effect"

let number = 0

/**
 * `send` gets the finished message, signed, and hands it over once: it says what it knows, and Posthorn decides whether to
 * try again. `broken` is for what has certainly not arrived, `ambiguous` for what nobody knows.
 */
export const layer = (folder: string): Layer.Layer<Mailer> =>
  Layer.succeed(Mailer, {
    send: ({ to }, message) =>
      Effect.tryPromise({
        try: async () => {
          await mkdir(folder, { recursive: true })
          const name = `${String(++number).padStart(6, "0")}-${to}.eml`
          await writeFile(join(folder, name), message)
          return { transport: "folder", remoteHost: folder, code: 250, reply: `Written as ${name}` }
        },
        catch: (error) => new MailerError({ reason: "broken", transport: "folder", reply: String(error) })
      }),
    concurrency: 10,
    state: Effect.succeed("ok" as const)
  })
