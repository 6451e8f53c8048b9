/** What can be done with the selected contacts. */
import type { BulkJob, Contact, PosthornError } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import type { Api } from "../../app/Api.ts"
import { useMissing } from "../../app/Permission.ts"
import { useApi, useForget, useRead } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { SelectionBar } from "../../kit/DataTable.tsx"
import { ConfirmDialog, Dialog, DialogButtons } from "../../kit/Dialog.tsx"
import { Select } from "../../kit/Field.tsx"
import { Problem, Progress, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { contactWords } from "./words.ts"

/** The most contacts that one request takes. */
const most = 1_000

const partsOf = <A,>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, part) => all.slice(part * most, (part + 1) * most))

const isOver = ({ state }: BulkJob) => state === "completed" || state === "failed" || state === "cancelled"

const finished = async (api: Api, jobId: string): Promise<BulkJob> => {
  for (let pause = 250; ; pause = Math.min(2_000, pause * 2)) {
    const job = await api.contacts.bulkJob(jobId).orThrow()
    if (isOver(job)) return job
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

type Bulk = "bulkSubscribe" | "bulkUnsubscribe" | "bulkDelete"

const useBulk = (onDone: () => void) => {
  const words = contactWords()
  const api = useApi()
  const forget = useForget()
  const [done, setDone] = useState(0)
  const run = useMutation<void, PosthornError, { readonly action: Bulk; readonly ids: ReadonlyArray<string> }>({
    mutationFn: async ({ action, ids }) => {
      setDone(0)
      let changed = 0
      let failed = 0
      for (const contactIds of partsOf(ids)) {
        const { jobId } = await api.contacts[action]({ contactIds }).orThrow()
        const { state, result } = await finished(api, jobId)
        changed += result?.successCount ?? 0
        failed += state === "completed" ? (result?.failureCount ?? 0) : contactIds.length - (result?.successCount ?? 0)
        setDone((count) => count + contactIds.length)
      }
      notify(words.changed(changed))
      if (failed > 0) notify(words.failed(failed))
    },
    onSettled: () => {
      onDone()
      return forget("contacts")
    }
  })
  return { run, done }
}

const Join = ({ emails, onDone }: { readonly emails: ReadonlyArray<string>; readonly onDone: () => void }) => {
  const words = contactWords()
  const api = useApi()
  const forget = useForget()
  const [segmentId, setSegmentId] = useState<string | null>(null)
  const [isMissing, setMissing] = useState(false)
  const segments = useRead(["segments", "choices"], (each, options) => each.segments.list(options))
  const choices = segments.data?.filter(({ type }) => type === "STATIC").map(({ id, name }) => ({ id, name }))
  const join = useMutation<number, PosthornError, string>({
    mutationFn: async (id) => {
      let added = 0
      for (const part of partsOf(emails)) added += (await api.segments.addMembers(id, { emails: part }).orThrow()).added
      return added
    },
    onSuccess: async (added) => {
      notify(words.joined(added))
      onDone()
      await forget("segments", "contacts")
    }
  })
  const error = segments.error ?? join.error
  if (choices?.length === 0) return <p>{words.noSegments}</p>
  return (
    <Stack>
      {error !== null && <Problem error={error} />}
      <Select
        label={words.segment}
        placeholder={words.chooseSegment}
        choices={choices ?? []}
        value={segmentId}
        fault={isMissing ? words.chooseSegment : undefined}
        onChange={(id: string) => {
          setSegmentId(id === "" ? null : id)
          setMissing(false)
        }}
      />
      <DialogButtons>
        <Button
          kind="primary"
          isPending={join.isPending}
          onPress={() => (segmentId === null ? setMissing(true) : join.mutate(segmentId))}
        >
          {words.addToSegment}
        </Button>
      </DialogButtons>
    </Stack>
  )
}

export const Selected = ({
  contacts,
  onClear
}: {
  readonly contacts: ReadonlyArray<Contact>
  readonly onClear: () => void
}): ReactNode => {
  const words = contactWords()
  const missing = useMissing("contacts.bulkDelete")
  const { run, done } = useBulk(onClear)
  const [open, setOpen] = useState<"delete" | "segment">()
  const ids = contacts.map(({ id }) => id)
  const close = () => setOpen(undefined)
  return (
    <>
      <SelectionBar count={ids.length} onClear={onClear}>
        <Button isPending={run.isPending} onPress={() => run.mutate({ action: "bulkSubscribe", ids })}>
          {words.subscribe}
        </Button>
        <Button isPending={run.isPending} onPress={() => run.mutate({ action: "bulkUnsubscribe", ids })}>
          {words.unsubscribe}
        </Button>
        <Button onPress={() => setOpen("segment")}>{words.addToSegment}</Button>
        <Button missing={missing} isPending={run.isPending} onPress={() => setOpen("delete")}>
          {words.delete}
        </Button>
      </SelectionBar>
      {run.isPending && (
        <Progress label={words.title} value={done / Math.max(1, ids.length)} text={words.working(done, ids.length)} />
      )}
      {run.error !== null && <Problem error={run.error} />}
      <Dialog title={words.addToSegment} isOpen={open === "segment"} onOpenChange={close}>
        <Join
          emails={contacts.map(({ email }) => email)}
          onDone={() => {
            close()
            onClear()
          }}
        />
      </Dialog>
      <ConfirmDialog
        title={words.deleteMany(ids.length)}
        action={words.delete}
        isDanger
        isOpen={open === "delete"}
        onOpenChange={close}
        onConfirm={() => run.mutate({ action: "bulkDelete", ids })}
      >
        <p>{words.deleteManyAbout}</p>
      </ConfirmDialog>
    </>
  )
}
