/** A mailbox for tests, in its own folder and filled by a real SMTP client. */
import * as NodeCrypto from "@effect/platform-node-shared/NodeCrypto"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import { Effect, FileSystem, Layer } from "effect"
import nodemailer, { type SendMailOptions } from "nodemailer"
import * as MailboxStore from "./MailboxStore.ts"

export const platform = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeCrypto.layer)

/** Deleted with the scope. */
export const folder = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  fs.makeTempDirectoryScoped({ prefix: "posthorn-mailbox-" })
)

export const store = Layer.unwrap(Effect.map(folder, (folder) => MailboxStore.layer({ folder }))).pipe(
  Layer.provide(platform)
)

/** The final reply of the server, whether positive or negative. */
export const sendTo = (url: string, mail: SendMailOptions): Effect.Effect<string> =>
  Effect.promise(async () => {
    const transport = nodemailer.createTransport(url)
    const sent = await transport.sendMail({ from: "news@posthorn.test", subject: "Hello", text: "Hi", ...mail }).then(
      ({ response }) => response,
      (refused: Error & { readonly response?: string }) => refused.response ?? refused.message
    )
    transport.close()
    return sent
  })

export const mailOf = (text: string): Uint8Array => new TextEncoder().encode(text.replaceAll("\n", "\r\n"))
