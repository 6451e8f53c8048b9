import type { Webhook } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { now } from "../../app/Clock.ts"
import { NeedsRole } from "../../app/NeedsRole.tsx"
import { Page } from "../../app/Page.tsx"
import { useMissing, useMissingRole } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ConfirmDialog, Dialog, DialogButtons } from "../../kit/Dialog.tsx"
import { Select } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Bar, Card, Facts, Problem } from "../../kit/Layout.tsx"
import { Menu } from "../../kit/Menu.tsx"
import { holdBack, notify } from "../../kit/notices.ts"
import { SecretOnce } from "../../kit/SecretOnce.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { webhookRoute } from "./routes.ts"
import { WebhookForm } from "./WebhookForm.tsx"
import { WebhookState } from "./WebhookState.tsx"
import { developerWords } from "./words.ts"

const verification = `import { verifyWebhook } from "@posthorn/client"

const event = await verifyWebhook(await request.text(), request.headers, process.env.POSTHORN_WEBHOOK_SECRET)`

type ReplayKind = "failed" | "missed" | "all"

const ReplayMany = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const words = developerWords()
  const [status, setStatus] = useState<ReplayKind>("failed")
  const replay = useWrite(
    (api) => api.webhooks.replay(id, { startDate: new Date(now() - 86_400_000).toISOString(), status }),
    {
      changes: ["webhooks"],
      onDone: ({ queued }) => {
        onClose()
        notify(words.queued(queued))
      }
    }
  )
  return (
    <Dialog title={words.replayMany} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <p>{words.replayAbout}</p>
      <Select
        label={words.replayWhat}
        value={status}
        choices={(["failed", "missed", "all"] as const).map((kind) => ({ id: kind, name: words.replayKinds[kind] }))}
        onChange={setStatus}
      />
      {replay.error !== null && <Problem error={replay.error} />}
      <DialogButtons>
        <Button kind="primary" isPending={replay.isPending} onPress={() => replay.mutate()}>
          {words.replay}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

const Loaded = ({ webhook }: { readonly webhook: Webhook }) => {
  const words = developerWords()
  const projectId = useProjectId()
  const navigate = useNavigate()
  const missing = useMissing("webhooks.update")
  const [opened, setOpened] = useState<"edit" | "rotate" | "replay">()
  const [secret, setSecret] = useState<string>()
  const changes = ["webhooks"]
  const { id, enabled } = webhook
  const toggle = useWrite((api, isEnabled: boolean) => api.webhooks.update(id, { enabled: isEnabled }), {
    changes,
    onDone: (_, isEnabled) => notify(isEnabled ? words.enabled : words.disabled, () => toggle.mutate(!isEnabled))
  })
  const test = useWrite((api) => api.webhooks.test(id), { changes, onDone: () => notify(words.testSent) })
  const rotate = useWrite((api) => api.webhooks.rotateSecret(id), { changes, onDone: (made) => setSecret(made.secret) })
  const remove = useWrite((api) => api.webhooks.remove(id), { changes })
  const back = { to: "/p/$projectId/webhooks", params: { projectId } } as const
  const error = toggle.error ?? test.error ?? rotate.error ?? remove.error
  return (
    <Page
      title={webhook.url}
      heading={<Foreign>{webhook.url}</Foreign>}
      back={{ name: words.webhooks, link: back }}
      actions={
        <>
          <Button kind="primary" missing={missing} isPending={test.isPending} onPress={() => test.mutate()}>
            {words.sendTest}
          </Button>
          <Button missing={missing} onPress={() => setOpened("edit")}>
            {words.edit}
          </Button>
          <Menu
            actions={[
              { id: "toggle", name: enabled ? words.disabled : words.enabled, onAction: () => toggle.mutate(!enabled) },
              { id: "replay", name: words.replayMany, onAction: () => setOpened("replay") },
              { id: "rotate", name: words.rotateSecret, onAction: () => setOpened("rotate") },
              {
                id: "remove",
                name: words.remove,
                isLast: true,
                onAction: () => {
                  holdBack(words.removed, () => remove.mutate())
                  void navigate(back)
                }
              }
            ]}
          />
        </>
      }
    >
      {secret !== undefined && (
        <SecretOnce key={secret} name={words.secret} secret={secret} file="posthorn-webhook-secret.txt" />
      )}
      {error !== null && <Problem error={error} />}
      <Card>
        <Facts
          facts={[
            [words.state, <WebhookState key="state" webhook={webhook} />],
            webhook.disabledReason !== null && ["", words.reasons[webhook.disabledReason]],
            [words.description, webhook.description && <Foreign key="about">{webhook.description}</Foreign>],
            [words.events, <Foreign key="events">{webhook.events.join(", ")}</Foreign>],
            [words.secret, `… ${webhook.secretHint}`],
            [words.lastSuccess, <Time key="success" at={webhook.lastSuccessAt} />]
          ]}
        />
      </Card>
      <Deliveries webhookId={id} />
      <Card title={words.verify}>
        <pre className={styles.code} tabIndex={0}>
          {verification}
        </pre>
      </Card>
      <Dialog title={words.edit} isWide isOpen={opened === "edit"} onOpenChange={() => setOpened(undefined)}>
        <WebhookForm
          webhook={webhook}
          onSaved={() => {
            setOpened(undefined)
            notify(words.saved)
          }}
        />
      </Dialog>
      {opened === "replay" && <ReplayMany id={id} onClose={() => setOpened(undefined)} />}
      <ConfirmDialog
        title={words.rotateSecret}
        action={words.rotateSecret}
        isOpen={opened === "rotate"}
        onOpenChange={() => setOpened(undefined)}
        onConfirm={() => rotate.mutate()}
      >
        <p>{words.rotateSecretAbout}</p>
      </ConfirmDialog>
    </Page>
  )
}

export const WebhookPage = (): ReactNode => {
  const words = developerWords()
  const projectId = useProjectId()
  const { webhookId } = webhookRoute.useParams()
  const mayNotRead = useMissingRole("webhooks.get")
  const webhook = useRead(["webhooks", webhookId], (api, options) => api.webhooks.get(webhookId, options), {
    enabled: mayNotRead === null,
    every: 15_000
  })
  if (webhook.data !== undefined) return <Loaded key={webhookId} webhook={webhook.data} />
  return (
    <Page
      title={words.webhooks}
      back={{ name: words.webhooks, link: { to: "/p/$projectId/webhooks", params: { projectId } } }}
    >
      {mayNotRead !== null ? (
        <NeedsRole role={mayNotRead} about={words.noWebhooks} />
      ) : webhook.error === null ? (
        <Bar height={240} />
      ) : (
        <Problem error={webhook.error} onRetry={() => void webhook.refetch()} />
      )}
    </Page>
  )
}
