/** Clients of the submission service that are logged in and send nothing more. */
import { connect, type Socket } from "node:net"
import { Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"

/** Connections of one address of the loopback network, of which the service allows 50. */
const ofAddress = 40
const addressOf = (number: number) => `127.0.2.${1 + Math.floor(number / ofAddress)}`

/** How many log in at once. */
const atOnce = 20

const logIn = (port: number, key: string, number: number) =>
  Effect.callback<Socket, BenchFailure>((resume) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: addressOf(number) })
    const commands = ["EHLO idle.test", `AUTH PLAIN ${Buffer.from(`\0idle\0${key}`).toString("base64")}`]
    let heard = ""
    const fail = (what: string) => resume(Effect.fail(new BenchFailure({ message: `an idle client: ${what}` })))
    socket.on("data", (chunk) => {
      heard += chunk.toString("latin1")
      const reply = /^\d{3} .*(?=\r\n)/m.exec(heard)?.[0]
      if (reply === undefined) return
      heard = ""
      const next = commands.shift()
      if (!reply.startsWith("2")) fail(reply)
      else if (next === undefined) resume(Effect.succeed(socket))
      else socket.write(`${next}\r\n`)
    })
    socket.on("error", (error) => fail(error.message))
  })

/** Logs in this many clients, which stay until the scope closes. Returns how many are still connected, whenever asked. */
export const hold = Effect.fnUntraced(function* (port: number, key: string, count: number) {
  const clients = yield* Effect.acquireRelease(
    Effect.forEach(
      Array.from({ length: count }, (_, n) => n),
      (number) => logIn(port, key, number),
      { concurrency: atOnce }
    ),
    (clients) => Effect.sync(() => clients.forEach((socket) => void socket.destroy()))
  )
  return Effect.sync(() => clients.filter((socket) => socket.readyState === "open").length)
})
