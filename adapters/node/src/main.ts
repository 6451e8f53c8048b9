#!/usr/bin/env node
/**
 * The server without the command line: `main.ts [serve|worker|dev] [--json]`, and `dev --database URL`. Everything else
 * comes from the environment.
 */
import * as nodeModule from "node:module"

// An older Node.js can read this file but not the others, so they are loaded after the check.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`posthorn: Node.js 22.19 or newer is required; this is ${process.version}.`)
  process.exit(1)
}

// Runs before anything else is loaded. It halves the time of every start after the first.
nodeModule.enableCompileCache?.()
const { runMain } = await import("./Process.ts")

const [, , command = "serve", ...flags] = process.argv
const json = flags.includes("--json")

if (command === "dev") {
  const { dev } = await import("./Dev.ts")
  const at = flags.indexOf("--database")
  runMain(dev({ json, open: flags.includes("--open"), database: at < 0 ? undefined : (flags[at + 1] ?? "") }))
} else {
  const { serve } = await import("./Serve.ts")
  runMain(serve({ json, migrate: !flags.includes("--no-migrate"), ...(command === "worker" && { role: "worker" }) }))
}
