#!/usr/bin/env node
/**
 * The server without the command line: `main.ts [serve|worker|dev] [--json]`, everything else from the environment.
 */
import { enableCompileCache } from "node:module"

// Before anything else is loaded: it halves the time of every start but the first.
enableCompileCache()
const { runMain } = await import("./Process.ts")

const [, , command = "serve", ...flags] = process.argv
const json = flags.includes("--json")

if (command === "dev") {
  const { dev } = await import("./Dev.ts")
  runMain(dev({ json }))
} else {
  const { serve } = await import("./Serve.ts")
  runMain(serve({ json, migrate: !flags.includes("--no-migrate"), ...(command === "worker" && { role: "worker" }) }))
}
