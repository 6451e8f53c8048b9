/** Runs in a worker thread for untrusted texts: one task after another. */
import { parentPort } from "node:worker_threads"
import { runTextTask } from "@posthorn/core/content/text/TextTasks"
import type { Question, ThreadResult } from "./TextThreads.ts"

const now = () => performance.now()

const answerTo = async ({ task, input }: Question): Promise<ThreadResult> => {
  try {
    return { value: await runTextTask(task, input, now) }
  } catch (error) {
    return { fault: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }
}

parentPort?.on("message", async (question: Question) => parentPort?.postMessage(await answerTo(question)))
parentPort?.postMessage("ready")
