/** Programs of the repository, run as their READMEs say, and ended with the test. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { text } from "node:stream/consumers"
import { root } from "./GuideBlocks.ts"

/** Where the servers of other tests have theirs: it halves what a start costs. */
const compileCache = join(tmpdir(), "node-compile-cache")

type Variables = Readonly<Record<string, string>>

/** Where `npx` would find the commands of the repository. */
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

/** Runs a module in a folder; it must end well and have nothing to complain about. */
export const quietly = async (module: string, env: Variables, cwd: string): Promise<void> => {
  const { code, errors } = await ended(started(process.execPath, [module], env, cwd))
  if (code !== 0 || errors !== "") throw new Error(`${module} ended with ${code}: ${errors}`)
}

/** A line of a guide, as a shell understands it; what stands for a key is replaced by the key. */
const filledIn = (line: string, env: Variables): string =>
  line
    .replaceAll("npx ", "")
    .replaceAll("sk_...", env["POSTHORN_KEY"] ?? "")
    .replaceAll("pk_...", env["POSTHORN_PUBLIC_KEY"] ?? "")

/** What a line of a guide has written; its errors where it failed. */
export const shell = async (line: string, env: Variables): Promise<string> => {
  const { code, written, errors } = await ended(started("sh", ["-ec", filledIn(line, env)], env))
  if (code !== 0) throw new Error(`${line} ended with ${code}: ${errors}`)
  return written
}

/** A program that runs until it is told to end. */
export interface Running {
  /** The line of JSON that says that it is ready. */
  readonly line: Readonly<Record<string, string>>
  /** By SIGTERM; its exit code. */
  readonly end: () => Promise<number | null>
}

/** The program that a line of a guide starts, in the place of its shell. */
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
