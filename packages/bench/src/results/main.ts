/** `npm run results` regenerates the tables of RESULTS.md and the five lines of the README from the stored figures. */
import { NodeRuntime } from "@effect/platform-node"
import { write } from "./Documents.ts"

NodeRuntime.runMain(write)
