#!/usr/bin/env node
import { enableCompileCache } from "node:module"

// Before anything else is loaded: it makes every start but the first one faster.
enableCompileCache()
const { runMain } = await import("./Process.ts")

runMain(process.argv.slice(2))
