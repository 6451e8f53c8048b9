import type { Transport } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { Empty, Problem } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { Menu } from "../../kit/Menu.tsx"
import { holdBack, notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { Routes } from "./Routes.tsx"
import { TransportForm } from "./TransportForm.tsx"
import { developerWords } from "./words.ts"

const TransportState = ({ transport }: { readonly transport: Transport }) => {
  const words = developerWords()
  if (!transport.enabled) {
    return (
      <State shape="bar" tone="neutral">
        {words.disabled}
      </State>
    )
  }
  return transport.status === "OK" ? (
    <State shape="dot" tone="good">
      {words.ok}
    </State>
  ) : (
    <State shape="triangle" tone="bad" title={transport.lastError ?? undefined}>
      {words.failing}
    </State>
  )
}

export const TransportsPage = (): ReactNode => {
  const words = developerWords()
  const missing = useMissing("transports.create")
  const [edited, setEdited] = useState<Transport | "new">()
  const transports = useRead(["transports"], (api, options) => api.transports.list(options), { every: 30_000 })
  const check = useWrite((api, id: string) => api.transports.verify(id), {
    changes: ["transports"],
    onDone: ({ ok, tls, error }) => notify(ok ? words.works(tls ?? "TLS") : words.fails(error ?? ""))
  })
  const remove = useWrite((api, id: string) => api.transports.remove(id), { changes: ["transports"] })
  const error = transports.error ?? check.error ?? remove.error
  const add = (
    <Button kind="primary" missing={missing} onPress={() => setEdited("new")}>
      {words.addTransport}
    </Button>
  )
  return (
    <Page title={words.transports} actions={transports.data?.length === 0 ? undefined : add}>
      {error !== null && <Problem error={error} onRetry={() => void transports.refetch()} />}
      {transports.data === undefined ? (
        error === null && <TableSkeleton rows={2} />
      ) : transports.data.length === 0 ? (
        <Empty about={words.noTransports} action={add} />
      ) : (
        <>
          <DataTable
            label={words.transports}
            rows={transports.data}
            total={transports.data.length}
            rowName={({ name }) => name}
            columns={[
              { id: "name", name: words.name, cell: ({ name }) => <Foreign>{name}</Foreign> },
              {
                id: "state",
                name: words.state,
                isFit: true,
                cell: (transport) => <TransportState transport={transport} />
              },
              { id: "host", name: words.host, cell: ({ host, port }) => <Foreign>{`${host}:${port}`}</Foreign> },
              { id: "used", name: words.lastSuccess, isFit: true, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
              {
                id: "actions",
                name: words.edit,
                isNameHidden: true,
                isFit: true,
                cell: (transport) => (
                  <Menu
                    actions={[
                      { id: "check", name: words.check, onAction: () => check.mutate(transport.id) },
                      { id: "edit", name: words.edit, onAction: () => setEdited(transport) },
                      {
                        id: "remove",
                        name: words.remove,
                        isLast: true,
                        onAction: () => holdBack(words.removed, () => remove.mutate(transport.id))
                      }
                    ]}
                  />
                )
              }
            ]}
          />
          <Routes transports={transports.data} />
        </>
      )}
      <Dialog
        title={edited === "new" ? words.addTransport : words.edit}
        isWide
        isOpen={edited !== undefined}
        onOpenChange={() => setEdited(undefined)}
      >
        <TransportForm transport={edited === "new" ? undefined : edited} onSaved={() => setEdited(undefined)} />
      </Dialog>
    </Page>
  )
}
