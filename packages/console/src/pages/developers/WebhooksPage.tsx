import type { CreatedWebhook, Webhook } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { hrefOf, pathOf } from "../../app/links.ts"
import { NeedsRole } from "../../app/NeedsRole.tsx"
import { Page } from "../../app/Page.tsx"
import { useMissing, useMissingRole } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { Empty, Problem } from "../../kit/Layout.tsx"
import { SecretOnce } from "../../kit/SecretOnce.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { WebhookForm } from "./WebhookForm.tsx"
import { WebhookState } from "./WebhookState.tsx"
import { developerWords } from "./words.ts"

export const WebhooksPage = (): ReactNode => {
  const words = developerWords()
  const projectId = useProjectId()
  const missing = useMissing("webhooks.create")
  const mayNotRead = useMissingRole("webhooks.list")
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const webhooks = useRead(["webhooks"], (api, options) => api.webhooks.list(options), {
    enabled: mayNotRead === null,
    every: 30_000
  })
  const saved = (webhook: Webhook | CreatedWebhook) => {
    setAdding(false)
    if ("secret" in webhook) setSecret(webhook.secret)
  }
  const add = (
    <Button kind="primary" missing={missing} onPress={() => setAdding(true)}>
      {words.addWebhook}
    </Button>
  )
  return (
    <Page title={words.webhooks} actions={webhooks.data?.length === 0 ? undefined : add}>
      {secret !== undefined && <SecretOnce name={words.secret} secret={secret} file="posthorn-webhook-secret.txt" />}
      {mayNotRead !== null ? (
        <NeedsRole role={mayNotRead} about={words.noWebhooks} />
      ) : webhooks.error !== null ? (
        <Problem error={webhooks.error} onRetry={() => void webhooks.refetch()} />
      ) : webhooks.data === undefined ? (
        <TableSkeleton rows={3} />
      ) : webhooks.data.length === 0 ? (
        <Empty about={words.noWebhooks} action={add} />
      ) : (
        <DataTable
          label={words.webhooks}
          rows={webhooks.data}
          total={webhooks.data.length}
          href={({ id }) => hrefOf(pathOf(projectId, "webhooks", id))}
          rowName={({ url }) => url}
          columns={[
            {
              id: "url",
              name: words.url,
              cell: ({ id, url }) => (
                <Link to="/p/$projectId/webhooks/$webhookId" params={{ projectId, webhookId: id }}>
                  <Foreign>{url}</Foreign>
                </Link>
              )
            },
            { id: "state", name: words.state, isFit: true, cell: (webhook) => <WebhookState webhook={webhook} /> },
            { id: "events", name: words.events, cell: ({ events }) => <Foreign>{events.join(", ")}</Foreign> },
            {
              id: "success",
              name: words.lastSuccess,
              isFit: true,
              cell: ({ lastSuccessAt }) => <Time at={lastSuccessAt} />
            }
          ]}
        />
      )}
      <Dialog title={words.addWebhook} isWide isOpen={isAdding} onOpenChange={setAdding}>
        <WebhookForm onSaved={saved} />
      </Dialog>
    </Page>
  )
}
