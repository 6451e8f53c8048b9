import { Link } from "@tanstack/react-router"
import { type ReactNode, useEffect } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { useForget, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { buttonClass } from "../../kit/buttonClass.ts"
import { Bar, Empty, Notice, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { Progress } from "../../kit/Progress.tsx"
import { isOver, useImport } from "./ImportRun.ts"
import { Faulty } from "./ImportSteps.tsx"
import { importWords } from "./importWords.ts"

/** The progress and result of an import, which can be left and found again by its URL. */
export const ImportResult = ({ groupId }: { readonly groupId: string }): ReactNode => {
  const words = importWords()
  const projectId = useProjectId()
  const forget = useForget()
  const run = useImport(groupId)
  const { parts, counts, isFinished, isSending, error } = run
  const cancel = useWrite((api, jobId: string) => api.contacts.cancelImport(jobId), { changes: ["imports"] })
  useEffect(() => {
    if (isFinished) void forget("contacts", "segments")
  }, [isFinished, forget])
  const failed = parts.find(({ state }) => state === "failed")
  if (run.isLoading && error === null) return <Bar height={96} />
  return (
    <Stack>
      {error !== null && <Problem error={error} onRetry={run.retry} />}
      {cancel.error !== null && <Problem error={cancel.error} />}
      {isFinished && parts.length === 0 && error === null && <Empty about={words.none} />}
      {!isFinished && (
        <>
          <Progress label={words.importing} value={run.progress} text={words.rows(counts.rows, run.perSecond)} />
          {isSending && <p>{words.keepOpen}</p>}
          <Row>
            <Button
              isPending={cancel.isPending}
              onPress={() => {
                for (const part of parts) if (!isOver(part)) cancel.mutate(part.id)
              }}
            >
              {words.cancel}
            </Button>
          </Row>
        </>
      )}
      {failed !== undefined && (
        <Notice tone="warning">
          {words.failed} {failed.failedReason}
        </Notice>
      )}
      {isFinished && parts.length > 0 && (
        <>
          {parts.some(({ state }) => state === "cancelled") && <Notice tone="warning">{words.cancelled}</Notice>}
          <p role="status">
            {words.done(counts.created, counts.changed, counts.faulty)}
            {counts.asked > 0 && words.asked(counts.asked)}
          </p>
          <Faulty rows={run.faulty} count={counts.faulty} parts={parts} linesBefore={run.linesBefore} />
        </>
      )}
      {isFinished && (
        <Row>
          <Link to="/p/$projectId/contacts" params={{ projectId }} className={buttonClass("plain")}>
            {words.toContacts}
          </Link>
          <Link to="/p/$projectId/contacts/import" params={{ projectId }} className={buttonClass("plain")}>
            {words.another}
          </Link>
        </Row>
      )}
    </Stack>
  )
}
