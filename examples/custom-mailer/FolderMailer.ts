/** A custom transport that writes emails as files into a folder. A transport for a provider's API has the same form. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Mailer, MailerError } from "@posthorn/core/platform/Mailer"
import { Effect, Layer } from "effect"

let number = 0

/**
 * `send` gets the complete, signed message and hands it over once. It reports the result, and Posthorn decides whether
 * to retry. Use `broken` if the message has certainly not arrived, and `ambiguous` if it is not known.
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
