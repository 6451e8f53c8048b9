#!/usr/bin/env node
import { runMain } from "./Process.ts"

runMain(process.argv.slice(2))
