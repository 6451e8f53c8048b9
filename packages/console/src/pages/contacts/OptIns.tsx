/** The times that a contact was asked by mail to confirm, and what came of it. */
import type { Contact, OptIn } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { useMissing } from "../../app/Permission.ts"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Card, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { type Shape, State, type Tone } from "../../kit/Marks.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { preferenceWords } from "./preferenceWords.ts"

const looks: { readonly [S in OptIn["status"]]: readonly [Shape, Tone] } = {
  PENDING: ["square", "neutral"],
  CONFIRMED: ["dot", "good"],
  DECLINED: ["triangle", "bad"],
  EXPIRED: ["bar", "neutral"],
  CANCELLED: ["bar", "neutral"]
}

export const OptIns = ({ contact }: { readonly contact: Contact }): ReactNode => {
  const words = preferenceWords()
  const { id } = contact
  const mayNotAsk = useMissing("optIns.request")
  const found = useRead(["optIns", id], (api, options) => api.optIns.ofContact(id, options), { every: 15_000 })
  const changes = ["optIns", "contacts", "events"]
  const body = { subscribe: true }
  const ask = useWrite((api) => api.optIns.request(id, body), { changes, onDone: () => notify(words.asked) })
  const cancel = useWrite((api) => api.optIns.cancel(id), { changes, onDone: () => notify(words.cancelled) })
  const isOpen = found.data?.some(({ status }) => status === "PENDING") ?? false
  const error = found.error ?? ask.error ?? cancel.error
  return (
    <Card title={words.optIns}>
      <Stack>
        {error !== null && (
          <Problem error={error} {...(found.error !== null && { onRetry: () => void found.refetch() })} />
        )}
        <Row>
          {!contact.subscribed && (
            <Button missing={mayNotAsk} isPending={ask.isPending} onPress={() => ask.mutate()}>
              {isOpen ? words.askAgain : words.ask}
            </Button>
          )}
          {isOpen && (
            <Button missing={mayNotAsk} isPending={cancel.isPending} onPress={() => cancel.mutate()}>
              {words.cancel}
            </Button>
          )}
          <ShowCode call={{ operation: "optIns.request", path: [id], body }} />
        </Row>
        {found.data === undefined ? (
          found.error === null && <TableSkeleton rows={2} />
        ) : found.data.length === 0 ? (
          <p>{words.neverAsked}</p>
        ) : (
          <DataTable<OptIn>
            label={words.optIns}
            rows={found.data}
            rowName={({ requestedAt }) => requestedAt}
            columns={[
              { id: "asked", name: words.askedAt, cell: ({ requestedAt }) => <Time at={requestedAt} exact /> },
              {
                id: "state",
                name: words.state,
                isFit: true,
                cell: ({ status }) => (
                  <State shape={looks[status][0]} tone={looks[status][1]}>
                    {words.optInStates[status]}
                  </State>
                )
              },
              {
                id: "what",
                name: words.what,
                cell: ({ subscribe, topics }) => (
                  <Foreign>{[...(subscribe ? [words.marketing] : []), ...topics].join(", ")}</Foreign>
                )
              },
              { id: "mails", name: words.mails, isNumber: true, isFit: true, cell: ({ mailsSent }) => mailsSent },
              {
                id: "end",
                name: words.ends,
                isFit: true,
                cell: ({ settledAt, expiresAt }) => <Time at={settledAt ?? expiresAt} />
              }
            ]}
          />
        )}
      </Stack>
    </Card>
  )
}
