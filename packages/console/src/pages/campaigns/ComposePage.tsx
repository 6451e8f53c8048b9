/** Three steps on one page: content, audience, delivery; with the checks beside them. */
import type { CampaignDetail } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Bar, Notice, Problem, Stack } from "../../kit/Layout.tsx"
import { Foreign } from "../../kit/Text.tsx"
import { localTime } from "../mails/MoveMail.tsx"
import { Audience } from "./Audience.tsx"
import { Checks, useChecks } from "./Checks.tsx"
import { Content } from "./Content.tsx"
import styles from "./campaigns.module.css"
import { Delivery, deliveryNames } from "./Delivery.tsx"
import { composeRoute } from "./routes.ts"
import { SaveBar } from "./SaveBar.tsx"
import { useDraft } from "./useDraft.ts"
import { useReach, useRendered } from "./useRendered.ts"
import { campaignWords } from "./words.ts"

const SendDialog = lazy(async () => ({ default: (await import("./SendDialog.tsx")).SendDialog }))
const Experiment = lazy(async () => ({ default: (await import("./Experiment.tsx")).Experiment }))
const Goal = lazy(async () => ({ default: (await import("./Goal.tsx")).Goal }))
const TestDialog = lazy(async () => ({ default: (await import("./TestDialog.tsx")).TestDialog }))

const names = [
  "name",
  "subject",
  "from",
  "fromName",
  "replyTo",
  "body",
  "source",
  "text",
  "audienceCondition",
  ...deliveryNames
]

const Compose = ({ campaign }: { readonly campaign: CampaignDetail }) => {
  const words = campaignWords()
  const projectId = useProjectId()
  const state = useDraft(campaign)
  const { draft, missing, error } = state
  const [at, setAt] = useState(campaign.scheduledFor === null ? null : localTime(campaign.scheduledFor))
  const [opened, setOpened] = useState<"test" | "send">()
  const rendered = useRendered(draft, campaign.layout)
  const reach = useReach(draft, !missing.includes("segment") && !missing.includes("audience"))
  const checks = useChecks(state, rendered, reach, at)
  const mayNotSend = useMissing("campaigns.send")
  const faults = faultsOf(error, names)
  const open = (dialog: "test" | "send") => {
    setOpened(dialog)
    void state.save()
  }
  return (
    <Page
      title={draft.name || campaign.name}
      heading={<Foreign>{draft.name || campaign.name}</Foreign>}
      back={{ name: words.title, link: { to: "/p/$projectId/campaigns", params: { projectId } } }}
      actions={
        <>
          <Button onPress={() => open("test")}>{words.sendTest}</Button>
          <Button missing={mayNotSend} kind="primary" onPress={() => open("send")}>
            {words.checkAndSend}
          </Button>
        </>
      }
    >
      <SaveBar state={state} rest={faults.rest} />
      <div className={styles.compose}>
        <Stack>
          <Content state={state} faults={faults.fields} layout={campaign.layout} />
          <Audience state={state} reach={reach} faults={error?.errors ?? []} />
          <Suspense fallback={<Bar height={204} />}>
            <Goal state={state} />
            <Experiment state={state} />
          </Suspense>
          <Delivery at={at} state={state} faults={faults.fields} onChange={setAt} />
        </Stack>
        <div className={styles.aside}>
          <Checks checks={checks} />
        </div>
      </div>
      <Suspense>
        {opened === "test" && <TestDialog id={campaign.id} state={state} onClose={() => setOpened(undefined)} />}
        {opened === "send" && (
          <SendDialog
            id={campaign.id}
            state={state}
            checks={checks}
            reach={reach}
            at={at}
            onClose={() => setOpened(undefined)}
          />
        )}
      </Suspense>
    </Page>
  )
}

export const ComposePage = (): ReactNode => {
  const words = campaignWords()
  const projectId = useProjectId()
  const { campaignId } = composeRoute.useParams()
  const campaign = useRead(["campaigns", campaignId], (api, options) => api.campaigns.get(campaignId, options), {
    staleTime: 0
  })
  const { data } = campaign
  const isOpen = data !== undefined && (data.status === "DRAFT" || data.status === "SCHEDULED")
  if (isOpen && campaign.isFetchedAfterMount) return <Compose key={campaignId} campaign={data} />
  return (
    <Page
      title={data?.name ?? words.title}
      back={{ name: words.title, link: { to: "/p/$projectId/campaigns", params: { projectId } } }}
    >
      {campaign.error !== null ? (
        <Problem error={campaign.error} onRetry={() => void campaign.refetch()} />
      ) : data === undefined || isOpen ? (
        <Bar height={480} />
      ) : (
        <Notice>
          {words.locked}{" "}
          <Link to="/p/$projectId/campaigns/$campaignId" params={{ projectId, campaignId }}>
            {words.openCampaign}
          </Link>
        </Notice>
      )}
    </Page>
  )
}
