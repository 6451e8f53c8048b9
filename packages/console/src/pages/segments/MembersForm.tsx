/** Adds or removes members of a static segment by their addresses: typed, pasted or from a file. */
import { PosthornError, type Segment } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useId, useState } from "react"
import { Form } from "react-aria-components/Form"
import type { Api } from "../../app/Api.ts"
import { useApi, useForget } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { DialogButtons } from "../../kit/Dialog.tsx"
import { Checkbox, TextField } from "../../kit/Field.tsx"
import kit from "../../kit/kit.module.css"
import { Notice, Problem } from "../../kit/Layout.tsx"
import { Progress } from "../../kit/Progress.tsx"
import { Foreign, numberText } from "../../kit/Text.tsx"
import { addressesIn, portionsOf } from "./addresses.ts"
import { segmentWords } from "./words.ts"

interface Result {
  readonly added: number
  readonly created: number
  readonly alreadyMembers: number
  readonly removed: number
  readonly notFound: ReadonlyArray<string>
}

const nothing: Result = { added: 0, created: 0, alreadyMembers: 0, removed: 0, notFound: [] }

const sum = (one: Result, other: Partial<Result>): Result => ({
  added: one.added + (other.added ?? 0),
  created: one.created + (other.created ?? 0),
  alreadyMembers: one.alreadyMembers + (other.alreadyMembers ?? 0),
  removed: one.removed + (other.removed ?? 0),
  notFound: [...one.notFound, ...(other.notFound ?? [])]
})

type Send = (api: Api, emails: ReadonlyArray<string>) => Promise<Partial<Result>>

/** Sends the addresses a thousand at a time. A fault stops it and names the address. */
const sendAll = async (api: Api, addresses: ReadonlyArray<string>, send: Send, onDone: (done: number) => void) => {
  let result = nothing
  for (const emails of portionsOf(addresses, 1_000)) {
    result = sum(result, await send(api, emails).catch((error) => Promise.reject(withAddresses(error, emails))))
    onDone(result.added + result.alreadyMembers + result.removed + result.notFound.length)
  }
  return result
}

const withAddresses = (error: unknown, emails: ReadonlyArray<string>) => {
  if (!(error instanceof PosthornError)) return error
  const { code, message, details, suggestion, statusCode, requestId } = error
  const errors = error.errors.map((fault) => ({
    ...fault,
    field: emails[Number(/^emails\.(\d+)/.exec(fault.field)?.[1] ?? -1)] ?? fault.field
  }))
  const meta = { status: statusCode, requestId, rateLimit: null, idempotencyReplayed: false, warnings: [] }
  return new PosthornError({ code, message, errors, details, suggestion }, meta)
}

const shownMissing = 20

interface MembersFormProps {
  readonly segment: Segment
  readonly mode: "add" | "remove"
}

export const MembersForm = ({ segment, mode }: MembersFormProps): ReactNode => {
  const words = segmentWords()
  const api = useApi()
  const forget = useForget()
  const fileId = useId()
  const [text, setText] = useState("")
  const [fromFile, setFromFile] = useState<ReadonlyArray<string>>([])
  const [createMissing, setCreateMissing] = useState(false)
  const [subscribed, setSubscribed] = useState(true)
  const [isEmpty, setEmpty] = useState(false)
  const [done, setDone] = useState(0)
  const addresses = [...new Set([...addressesIn(text), ...fromFile])]
  const run = useMutation<Result, PosthornError>({
    mutationFn: () =>
      sendAll(
        api,
        addresses,
        (client, emails) =>
          mode === "add"
            ? client.segments
                .addMembers(segment.id, { emails, createMissing, ...(createMissing && { subscribed }) })
                .orThrow()
            : client.segments.removeMembers(segment.id, { emails }).orThrow(),
        setDone
      ),
    onSettled: () => forget("segments", "contacts")
  })
  const result = run.data
  const submit = () => {
    setEmpty(addresses.length === 0)
    setDone(0)
    if (addresses.length > 0) run.mutate()
  }
  const verb = mode === "add" ? words.addMembers : words.removeMembers
  return (
    <Form
      className={kit.stack ?? ""}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        label={words.addresses}
        help={words.addressesHelp}
        rows={6}
        value={text}
        onChange={setText}
        autoFocus
      />
      <div className={kit.field}>
        <label htmlFor={fileId} className={kit.label}>
          {words.file}
        </label>
        <input
          id={fileId}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChange={({ target }) => void target.files?.[0]?.text().then((content) => setFromFile(addressesIn(content)))}
        />
      </div>
      {mode === "add" && (
        <>
          <Checkbox isSelected={createMissing} onChange={setCreateMissing}>
            {words.createMissing}
          </Checkbox>
          {createMissing && (
            <Checkbox isSelected={subscribed} onChange={setSubscribed}>
              {words.createSubscribed}
            </Checkbox>
          )}
        </>
      )}
      <strong role="status">
        {isEmpty && addresses.length === 0 ? words.noAddress : words.found(addresses.length)}
      </strong>
      {run.isPending && addresses.length > 1_000 && (
        <Progress label={words.progress} value={done / addresses.length} text={words.done(done, addresses.length)} />
      )}
      {run.error !== null && <Problem error={run.error}>{done > 0 && <span>{words.stopped(done)}</span>}</Problem>}
      {result !== undefined && (
        <Notice tone={result.notFound.length === 0 ? "good" : "warning"}>
          <p role="status">
            {mode === "add"
              ? words.added(result.added, result.created, result.alreadyMembers)
              : words.removed(result.removed)}
          </p>
          {result.notFound.length > 0 && (
            <p>
              {words.notFound(result.notFound.length)}{" "}
              <Foreign>{result.notFound.slice(0, shownMissing).join(", ")}</Foreign>{" "}
              {result.notFound.length > shownMissing && words.andMore(result.notFound.length - shownMissing)}
            </p>
          )}
        </Notice>
      )}
      <DialogButtons>
        <Button kind="primary" type="submit" isPending={run.isPending}>
          {verb}
          {addresses.length > 0 && ` (${numberText(addresses.length)})`}
        </Button>
      </DialogButtons>
    </Form>
  )
}
