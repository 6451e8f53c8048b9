/** `npm run results`: makes the tables of RESULTS.md and of the README from the figures that were kept. */
import { NodeRuntime } from "@effect/platform-node"
import { write } from "./Documents.ts"

NodeRuntime.runMain(write)
