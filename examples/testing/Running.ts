/** Runs programs of the repository as their READMEs say, and ends them with the test. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { text } from "node:stream/consumers"
import { root } from "./GuideBlocks.ts"

/** Shared with the servers of other tests: it halves the time of a start. */
const compileCache = join(tmpdir(), "node-compile-cache")

type Variables = Readonly<Record<string, string>>

/** Where `npx` finds the commands of the repository. */
const PATH = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter)

const started = (command: string, args: ReadonlyArray<string>, env: Variables, cwd: string = root) =>
  spawn(command, args, {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })

const ended = async (child: ReturnType<typeof started>) => {
  const exited = once(child, "exit")
  const [written, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await exited
  return { code, written, errors }
}

/** Runs a module in a folder. It must succeed and write nothing to standard error. */
export const quietly = async (module: string, env: Variables, cwd: string): Promise<void> => {
  const { code, errors } = await ended(started(process.execPath, [module], env, cwd))
  if (code !== 0 || errors !== "") throw new Error(`${module} ended with ${code}: ${errors}`)
}

/** A line of a guide with its placeholders for keys replaced. */
const filledIn = (line: string, env: Variables): string =>
  line
    .replaceAll("npx ", "")
    .replaceAll("sk_...", env["POSTHORN_KEY"] ?? "")
    .replaceAll("pk_...", env["POSTHORN_PUBLIC_KEY"] ?? "")

/** The output of a line of a guide, or its errors if it fails. */
export const shell = async (line: string, env: Variables): Promise<string> => {
  const { code, written, errors } = await ended(started("sh", ["-ec", filledIn(line, env)], env))
  if (code !== 0) throw new Error(`${line} ended with ${code}: ${errors}`)
  return written
}

/** A program that runs until it is stopped. */
export interface Running {
  /** The line of JSON that reports that it is ready. */
  readonly line: Readonly<Record<string, string>>
  /** Sends SIGTERM and returns the exit code. */
  readonly end: () => Promise<number | null>
}

/** Starts the program of a guide's line, in place of its shell. */
export const running = async (line: string, env: Variables): Promise<Running> => {
  const child = started("sh", ["-ec", `exec env ${filledIn(line, env)}`], env)
  const exited: Promise<number | null> = once(child, "exit").then(([code]) => code)
  let errors = ""
  child.stderr.setEncoding("utf8").on("data", (more: string) => {
    errors += more
  })
  let written = ""
  const first = new Promise<string>((ready) => {
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      written += more
      if (written.includes("\n")) ready(written.slice(0, written.indexOf("\n")))
    })
  })
  const ready = await Promise.race([
    first,
    exited.then((code) => Promise.reject(new Error(`${line} ended with ${code}: ${errors}`)))
  ])
  return {
    line: JSON.parse(ready),
    end: () => {
      child.kill("SIGTERM")
      return exited
    }
  }
}
