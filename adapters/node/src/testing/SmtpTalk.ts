/** A client that writes to an SMTP server only what a test asks for. */
import { connect, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { Effect, type Scope } from "effect"

export interface SmtpTalk {
  /** Writes octets, or nothing, and waits for one whole reply: its last line, or `closed` if the connection ends first. */
  readonly say: (octets: string | Uint8Array | undefined) => Effect.Effect<string>
  /** As `say`, with all lines of the reply. */
  readonly lines: (octets: string | Uint8Array | undefined) => Effect.Effect<ReadonlyArray<string>>
  readonly end: Effect.Effect<void>
}

const lastLine = /^\d{3}(?: [^\r\n]*)?\r\n/m

const over = (socket: Socket): SmtpTalk => {
  let heard = ""
  let isClosed = false
  let wake: () => void = () => undefined
  socket.on("data", (chunk) => {
    heard += chunk.toString("latin1")
    wake()
  })
  socket.on("close", () => {
    isClosed = true
    wake()
  })
  socket.on("error", () => undefined)
  const reply = async (): Promise<ReadonlyArray<string>> => {
    for (;;) {
      const found = lastLine.exec(heard)
      if (found !== null) {
        const end = found.index + found[0].length
        const text = heard.slice(0, end)
        heard = heard.slice(end)
        return text.trimEnd().split("\r\n")
      }
      if (isClosed) return ["closed"]
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const lines: SmtpTalk["lines"] = (octets) =>
    Effect.promise(() => {
      if (octets !== undefined) socket.write(octets)
      return reply()
    })
  return {
    lines,
    say: (octets) => Effect.map(lines(octets), (found) => found.at(-1) ?? ""),
    end: Effect.sync(() => socket.destroy())
  }
}

/** Connects, and ends with the scope. The greeting is the first reply. `ca` trusts that certificate, over TLS. */
export const talk = (port: number, ca?: string): Effect.Effect<SmtpTalk, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<Socket>((resume) => {
        const socket: Socket =
          ca === undefined
            ? connect(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
            : connectTls({ port, host: "127.0.0.1", ca }, () => resume(Effect.succeed(socket)))
        socket.once("error", () => resume(Effect.succeed(socket)))
      }),
      (socket) => Effect.sync(() => socket.destroy())
    ),
    over
  )

/** The initial response of AUTH PLAIN (RFC 4616). */
export const plain = (password: string, user = "any"): string =>
  `AUTH PLAIN ${Buffer.from(`\0${user}\0${password}`).toString("base64")}\r\n`
