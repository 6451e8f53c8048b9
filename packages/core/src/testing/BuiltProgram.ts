/**
 * The program `posthorn` as published: a bundle of the sources. It starts in less than half the time that the sources
 * take. Beside it is the server without the command line, `adapters/node/src/main.ts`.
 */
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { mkdir, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

/** The bundle writes this file last. */
const isBuilt = (folder: string): boolean => existsSync(join(folder, "NOTICES"))

/** The folder that the processes of a test run share. It does not exist until one of them builds the program. */
const shared = "BUILT_PROGRAM_FOLDER"

/** For the start of a test run: the processes that it starts inherit the folder. */
export const shareProgramIn = (folder: string): void => {
  process.env[shared] = folder
}

const build = async (folder: string): Promise<string> => {
  try {
    // Libraries installed beside the program are found from there.
    await symlink(join(root, "node_modules"), join(folder, "node_modules"))
    await promisify(execFile)(process.execPath, [join(root, ".ci/bundle.mjs"), folder, "--with-server"])
    return folder
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

const buildOrWait = async (folder: string): Promise<string> => {
  while (!isBuilt(folder)) {
    if ((await mkdir(folder, { recursive: true })) !== undefined) return await build(folder)
    await setTimeout(100)
  }
  return folder
}

/** For a program that is no test run. */
const ownFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-program-"))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  return join(folder, "program")
}

let built: Promise<string> | undefined

const builtIn = async (): Promise<string> => {
  built ??= buildOrWait(process.env[shared] ?? ownFolder())
  return join(await built, "dist")
}

/** The path of the program, built on first use. */
export const builtProgram = async (): Promise<string> => join(await builtIn(), "main.js")

/** The path of the server without the command line, built on first use. */
export const builtServer = async (): Promise<string> => join(await builtIn(), "server.js")
