/** Which SMTP clients can run here. As a global setup, it prints a note at the end of the run for those that cannot. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"

const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/bin"]

export const clients = ["curl", "msmtp", "python3", "swaks"] as const
export type Client = (typeof clients)[number]

/** swaks encrypts with a module of Perl that Debian only recommends. */
const isUsable = (client: Client) =>
  client !== "swaks" || spawnSync("perl", ["-MNet::SSLeay", "-e", "1"], { stdio: "ignore" }).status === 0

/** The path of a client. Undefined if it is not installed. */
export const clientPath = (client: Client): string | undefined =>
  isUsable(client) ? folders.map((folder) => join(folder, client)).find((file) => existsSync(file)) : undefined

/** Runs at the end of the whole run. */
export default () => () => {
  const absent = clients.filter((client) => clientPath(client) === undefined)
  if (absent.length > 0) console.warn(`\nSKIPPED: submissions of ${absent.join(", ")}, which are not installed.\n`)
}
