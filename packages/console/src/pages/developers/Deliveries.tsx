/** The deliveries of a webhook, and one of them with what was posted and answered. */
import type { WebhookDelivery } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useList } from "../../app/Lists.ts"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Panel } from "../../kit/Dialog.tsx"
import { Select } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Bar, Card, Empty, Facts, NothingFits, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { webhookRoute } from "./routes.ts"
import { developerWords } from "./words.ts"

const isOpen = ({ status }: Pick<WebhookDelivery, "status">) => status === "PENDING"

const looks = {
  PENDING: ["square", "neutral"],
  SUCCEEDED: ["dot", "good"],
  FAILED: ["triangle", "bad"]
} as const

const DeliveryState = ({ status }: Pick<WebhookDelivery, "status">) => {
  const { statuses } = developerWords()
  const [shape, tone] = looks[status]
  return (
    <State shape={shape} tone={tone}>
      {statuses[status]}
    </State>
  )
}

const DeliveryPanel = ({
  webhookId,
  id,
  onClose
}: {
  readonly webhookId: string
  readonly id: string
  readonly onClose: () => void
}) => {
  const words = developerWords()
  const delivery = useRead(
    ["webhooks", webhookId, "delivery", id],
    (api, options) => api.webhooks.delivery(webhookId, id, options),
    {
      every: 5_000,
      // A delivery is no change that the service tells.
      always: (data) => (data !== undefined && isOpen(data) ? 5_000 : false)
    }
  )
  const replay = useWrite((api) => api.webhooks.replayDelivery(webhookId, id), {
    changes: ["webhooks"],
    onDone: () => notify(words.replayed)
  })
  const error = delivery.error ?? replay.error
  return (
    <Panel title={words.delivery} onClose={onClose}>
      {error !== null && <Problem error={error} />}
      {delivery.data === undefined ? (
        error === null && <Bar height={240} />
      ) : (
        <Stack>
          <Facts
            facts={[
              [words.event, <code key="type">{delivery.data.type}</code>],
              [words.state, <DeliveryState key="state" status={delivery.data.status} />],
              [words.time, <Time key="time" at={delivery.data.createdAt} exact />],
              delivery.data.nextAttemptAt !== null && [
                words.next,
                <Time key="next" at={delivery.data.nextAttemptAt} exact />
              ]
            ]}
          />
          <Row>
            <Button isPending={replay.isPending} onPress={() => replay.mutate()}>
              {words.replay}
            </Button>
          </Row>
          {delivery.data.attemptLog.map(({ number, at, statusCode, durationMs, error: failure, response }) => (
            <Card key={number} title={words.attempt(number)}>
              <Facts
                facts={[
                  [words.time, <Time key="at" at={at} exact />],
                  [words.answer, failure === null ? String(statusCode) : words.errors[failure]],
                  ["", words.duration(durationMs)]
                ]}
              />
              {response !== "" && (
                <pre className={styles.code} tabIndex={0}>
                  <Foreign>{response}</Foreign>
                </pre>
              )}
            </Card>
          ))}
          <h3>{words.payload}</h3>
          <pre className={styles.code} tabIndex={0}>
            <bdi>{JSON.stringify(delivery.data.payload, null, 2)}</bdi>
          </pre>
        </Stack>
      )}
    </Panel>
  )
}

export const Deliveries = ({ webhookId }: { readonly webhookId: string }): ReactNode => {
  const words = developerWords()
  const { status, delivery } = webhookRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/webhooks/$webhookId" })
  const query = status === undefined ? {} : { status }
  const list = useList(
    ["webhooks", webhookId, "deliveries", query],
    (api, position, options) => api.webhooks.deliveries(webhookId, { ...query, limit: 50, ...position }, options),
    { every: 10_000, always: (rows) => (rows.some(isOpen) ? 10_000 : false) }
  )
  const open = (id: string | undefined) =>
    void navigate({ search: (last) => ({ ...last, delivery: id }), replace: true, resetScroll: false })
  return (
    <Card title={words.deliveries}>
      <Stack>
        <Row>
          <Select
            label={words.state}
            isLabelHidden
            value={status ?? ""}
            choices={[
              { id: "" as const, name: words.anyState },
              ...(["PENDING", "SUCCEEDED", "FAILED"] as const).map((id) => ({ id, name: words.statuses[id] }))
            ]}
            onChange={(id) =>
              void navigate({ search: (last) => ({ ...last, status: id === "" ? undefined : id }), replace: true })
            }
          />
        </Row>
        {list.error !== null ? (
          <Problem error={list.error} onRetry={list.retry} />
        ) : list.isLoading ? (
          <TableSkeleton rows={4} />
        ) : list.rows.length === 0 ? (
          status === undefined ? (
            <Empty about={words.noDeliveries} />
          ) : (
            <NothingFits onClear={() => void navigate({ search: {}, replace: true })} />
          )
        ) : (
          <DataTable
            label={words.deliveries}
            rows={list.rows}
            total={list.total}
            hasMore={list.hasMore}
            isLoadingMore={list.isLoadingMore}
            onMore={list.more}
            rowName={({ type }) => type}
            columns={[
              {
                id: "event",
                name: words.event,
                cell: ({ id, type }) => (
                  <Button kind="quiet" onPress={() => open(id)}>
                    <code>{type}</code>
                  </Button>
                )
              },
              {
                id: "state",
                name: words.state,
                isFit: true,
                cell: ({ status: each }) => <DeliveryState status={each} />
              },
              { id: "attempts", name: words.attempts, isFit: true, isNumber: true, cell: ({ attempts }) => attempts },
              { id: "time", name: words.time, isFit: true, cell: ({ createdAt }) => <Time at={createdAt} /> }
            ]}
          />
        )}
      </Stack>
      {delivery !== undefined && (
        <DeliveryPanel key={delivery} webhookId={webhookId} id={delivery} onClose={() => open(undefined)} />
      )}
    </Card>
  )
}
