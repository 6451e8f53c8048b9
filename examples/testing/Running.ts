/** Programs of the repository, run as their READMEs say, and ended with the test. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { text } from "node:stream/consumers"

const root = resolve(import.meta.dirname, "../..")

/** Where the servers of other tests have theirs: it halves what a start costs. */
const compileCache = join(tmpdir(), "node-compile-cache")

type Variables = Readonly<Record<string, string>>

const started = (command: string, args: ReadonlyArray<string>, env: Variables) =>
  spawn(command, args, {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })

/** What a program that ends by itself has written; its errors where it failed. */
export const output = async (command: string, args: ReadonlyArray<string>, env: Variables): Promise<string> => {
  const child = started(command, args, env)
  const ended = once(child, "exit")
  const [written, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}: ${errors}`)
  return written
}

/** A program that runs until it is told to end. */
export interface Running {
  /** The line of JSON that says that it is ready. */
  readonly line: Readonly<Record<string, string>>
  /** By SIGTERM; its exit code. */
  readonly end: () => Promise<number | null>
}

export const running = async (args: ReadonlyArray<string>, env: Variables): Promise<Running> => {
  const child = started(process.execPath, args, env)
  const ended: Promise<number | null> = once(child, "exit").then(([code]) => code)
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
  const line = await Promise.race([
    first,
    ended.then((code) => Promise.reject(new Error(`${args} ended with ${code}: ${errors}`)))
  ])
  return {
    line: JSON.parse(line),
    end: () => {
      child.kill("SIGTERM")
      return ended
    }
  }
}
