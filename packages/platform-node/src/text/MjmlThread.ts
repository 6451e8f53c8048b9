/** Runs in a worker thread and compiles one MJML source after another. An exception ends the thread. */
import { parentPort } from "node:worker_threads"
import { compileMjml } from "@posthorn/core/content/rendering/Mjml"
import * as Mrml from "./Mrml.ts"

const engine = Mrml.make()

parentPort?.on("message", (source: string) => parentPort?.postMessage(compileMjml(source, engine)))
parentPort?.postMessage("ready")
