/** Starts processes of the command line, as an operator does on one or many machines. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const posthorn = fileURLToPath(new URL("../../cli/src/main.ts", import.meta.url))

type Settings = Readonly<Record<string, string>>

const surroundings = (settings: Settings) => ({ ...process.env, ...settings })

/** Runs a command to its end and returns the object that it prints. */
export const command = (args: ReadonlyArray<string>, settings: Settings, input = ""): Record<string, string> =>
  JSON.parse(
    execFileSync(process.execPath, [posthorn, ...args, "--json"], {
      env: surroundings(settings),
      input,
      encoding: "utf8"
    })
  )

export interface Started {
  /** The URL of a server; a worker does not listen. */
  readonly url: string
  /** Sends SIGTERM, as a supervisor does. */
  readonly end: () => Promise<unknown>
}

/** Starts a server or a worker, and waits until it is ready. */
export const started = async (args: ReadonlyArray<string>, settings: Settings): Promise<Started> => {
  const child = spawn(process.execPath, [posthorn, ...args, "--json"], {
    env: surroundings(settings),
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(child, "exit")
  process.once("exit", () => child.kill())
  const end = () => {
    child.kill("SIGTERM")
    return ended
  }
  for await (const line of createInterface({ input: child.stdout })) return { url: JSON.parse(line).url ?? "", end }
  throw new Error(`posthorn ${args.join(" ")} ended with ${(await ended)[0]}`)
}
