/** Runs a change of many contacts, and follows its job. */
import type { BulkJob, ChangeContacts, PosthornError } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { useApi, useForget } from "../../app/Queries.ts"
import { notify } from "../../kit/notices.ts"
import { bulkWords } from "./bulkWords.ts"

export type Operation = ChangeContacts["operation"]

const isOver = ({ state }: BulkJob) => state === "completed" || state === "failed" || state === "cancelled"

export const useBulk = (onDone: () => void) => {
  const words = bulkWords()
  const api = useApi()
  const forget = useForget()
  const [progress, setProgress] = useState(0)
  const finished = async (jobId: string): Promise<BulkJob> => {
    for (let pause = 250; ; pause = Math.min(2_000, pause * 2)) {
      const job = await api.contacts.bulkJob(jobId).orThrow()
      setProgress(job.progress)
      if (isOver(job)) return job
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  const run = useMutation<void, PosthornError, ChangeContacts>({
    mutationFn: async (change) => {
      setProgress(0)
      const queued = await api.contacts.bulk(change).orThrow()
      if (!("jobId" in queued)) return
      const { result } = await finished(queued.jobId)
      notify(words.changed(result?.successCount ?? 0))
      if ((result?.failureCount ?? 0) > 0) notify(words.failed(result?.failureCount ?? 0))
    },
    onSettled: () => {
      onDone()
      return forget("contacts", "segments", "topics")
    }
  })
  return { run, progress }
}
