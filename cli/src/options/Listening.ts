/** Options of the commands that run a server. */
import { Flag } from "effect/cli"
import { dataDirOption } from "./DataDir.ts"
import { optional } from "./Optional.ts"

export const portOption = (name: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (port) => port >= 0 && port <= 65535,
      () => "a whole number from 0 to 65535"
    ),
    Flag.withMetavar("<port>")
  )

export const listeningOptions = {
  host: Flag.String("host").pipe(
    Flag.withMetavar("<address>"),
    Flag.withDescription("Address to listen on; default: POSTHORN_HOST, then 127.0.0.1"),
    optional
  ),
  port: portOption("port").pipe(
    Flag.withDescription("Port to listen on, 0 for a free one; default: POSTHORN_PORT, then 3000"),
    optional
  ),
  dataDir: dataDirOption
}
