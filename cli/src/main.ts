#!/usr/bin/env node
import * as nodeModule from "node:module"

// An older Node.js can read this file but not the others, so they are loaded after the check.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`posthorn: Node.js 22.19 or newer is required; this is ${process.version}.`)
  process.exit(1)
}

// Runs before anything else is loaded. It makes every start after the first faster.
nodeModule.enableCompileCache?.()
const { runMain } = await import("./Process.ts")

runMain(process.argv.slice(2))
