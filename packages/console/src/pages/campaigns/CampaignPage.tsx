/** A campaign: the summary of a draft, then the progress of its sending and the report. */
import type { CampaignDetail } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useEffect, useRef } from "react"
import { Page } from "../../app/Page.tsx"
import { useProjectId } from "../../app/Project.tsx"
import { useForget, useRead } from "../../app/Queries.ts"
import { CopyText } from "../../kit/Button.tsx"
import { Bar, Card, Facts, Notice, Problem } from "../../kit/Layout.tsx"
import { PreviewFrame } from "../../kit/PreviewFrame.tsx"
import { Progress } from "../../kit/Progress.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { Actions } from "./Actions.tsx"
import { CampaignState } from "./CampaignState.tsx"
import { deliveryWords } from "./deliveryWords.ts"
import { useHeld } from "./held.ts"
import { Report } from "./Report.tsx"
import { campaignRoute } from "./routes.ts"
import { SendingProgress } from "./SendingProgress.tsx"
import { campaignWords } from "./words.ts"

const Approval = lazy(async () => ({ default: (await import("./Approval.tsx")).Approval }))
const UpliftResult = lazy(async () => ({ default: (await import("./UpliftResult.tsx")).UpliftResult }))
const ExperimentResult = lazy(async () => ({ default: (await import("./ExperimentResult.tsx")).ExperimentResult }))
const Recipients = lazy(async () => ({ default: (await import("./Recipients.tsx")).Recipients }))
const Recurrence = lazy(async () => ({ default: (await import("./Recurrence.tsx")).Recurrence }))

/** The campaign whose recipients get this one. It may be gone. */
const Earlier = ({ of: { campaignId, who } }: { readonly of: NonNullable<CampaignDetail["recipientsOf"]> }) => {
  const words = campaignWords()
  const { data } = useRead(["campaigns", campaignId], (api, options) => api.campaigns.get(campaignId, options))
  return (
    <>
      <Foreign>{data?.name ?? campaignId}</Foreign>: {words.whoReacted[who]}
    </>
  )
}

/** When its mails leave, as far as that is not all from the start. */
const useDeliveryFacts = ({ delivery, priority, startsAt, scheduledFor }: CampaignDetail) => {
  const more = deliveryWords()
  const { localTime = null, spreadHours = null, ratePerMinute = null, expiresAt = null } = delivery ?? {}
  return [
    localTime !== null && ([more.pace, more.paces[localTime.passed]] as const),
    spreadHours !== null && ([more.pace, more.inHours(spreadHours)] as const),
    ratePerMinute !== null && ([more.rate, more.inMinute(ratePerMinute)] as const),
    expiresAt !== null && ([more.expires, <Time key="expires" at={expiresAt} exact />] as const),
    priority !== 3 && ([more.priority, String(priority)] as const),
    startsAt !== scheduledFor &&
      startsAt !== null &&
      ([more.starts, <Time key="starts" at={startsAt} exact />] as const)
  ]
}

const Parent = ({ id }: { readonly id: string }) => {
  const projectId = useProjectId()
  const { data } = useRead(["campaigns", "list", "parent", id], (api, options) => api.campaigns.get(id, options))
  return (
    <Link to="/p/$projectId/campaigns/$campaignId" params={{ projectId, campaignId: id }}>
      <Foreign>{data?.name ?? id}</Foreign>
    </Link>
  )
}

const CampaignFacts = ({ campaign }: { readonly campaign: CampaignDetail }) => {
  const words = campaignWords()
  const { madeBy } = deliveryWords()
  const delivery = useDeliveryFacts(campaign)
  const { audienceType, segment, fromName, from } = campaign
  return (
    <Card title={words.facts}>
      <Facts
        facts={[
          [words.state, <CampaignState key="state" campaign={campaign} />],
          [words.subject, <Foreign key="subject">{campaign.subject}</Foreign>],
          [words.from, <Foreign key="from">{fromName === null ? from : `${fromName} <${from}>`}</Foreign>],
          campaign.replyTo !== null && [words.replyTo, <Foreign key="reply">{campaign.replyTo}</Foreign>],
          [words.type, words.types[campaign.type]],
          [
            words.audience,
            <Foreign key="audience">
              {audienceType === "SEGMENT" && segment !== null ? segment.name : words.audiences[audienceType]}
            </Foreign>
          ],
          campaign.recipientsOf !== null && [words.recipientsOf, <Earlier key="earlier" of={campaign.recipientsOf} />],
          ...delivery,
          campaign.parentId !== null && [madeBy, <Parent key="parent" id={campaign.parentId} />],
          campaign.scheduledFor !== null && [words.scheduledFor, <Time key="due" at={campaign.scheduledFor} exact />],
          campaign.sentAt !== null && [words.started, <Time key="started" at={campaign.sentAt} exact />],
          campaign.completedAt !== null && [words.ended, <Time key="ended" at={campaign.completedAt} exact />],
          campaign.archiveUrl !== null &&
            campaign.status === "SENT" && [
              words.inArchive,
              <a key="archive" href={campaign.archiveUrl} target="_blank" rel="noopener noreferrer">
                {campaign.archiveUrl}
              </a>
            ],
          [words.id, <CopyText key="id" text={campaign.id} name={words.id} />]
        ]}
      />
    </Card>
  )
}

const Started = ({ campaign }: { readonly campaign: CampaignDetail }) => {
  const forget = useForget()
  const isSending = campaign.status === "SENDING"
  const stats = useRead(
    ["campaigns", campaign.id, "stats"],
    (api, options) => api.campaigns.stats(campaign.id, options),
    {
      every: isSending ? 2_000 : 15_000
    }
  )
  const was = useRef(isSending)
  useEffect(() => {
    if (was.current && !isSending) void forget("campaigns")
    was.current = isSending
  }, [isSending, forget])
  if (stats.data === undefined) {
    return stats.error === null ? (
      <Bar height={240} />
    ) : (
      <Problem error={stats.error} onRetry={() => void stats.refetch()} />
    )
  }
  return (
    <>
      <SendingProgress campaign={campaign} stats={stats.data} />
      {campaign.experiment !== null && (
        <Suspense fallback={<Bar height={160} />}>
          <ExperimentResult campaign={campaign} />
        </Suspense>
      )}
      {stats.data.uplift !== null && (
        <Suspense fallback={<Bar height={160} />}>
          <UpliftResult uplift={stats.data.uplift} />
        </Suspense>
      )}
      <Report campaign={campaign} stats={stats.data} />
      <Suspense fallback={<Bar height={480} />}>
        <Recipients campaign={campaign} />
      </Suspense>
    </>
  )
}

const Draft = ({ campaign, isHeld }: { readonly campaign: CampaignDetail; readonly isHeld: boolean }) => {
  const words = campaignWords()
  return (
    <>
      {isHeld && <Progress label={words.progress} value={0} text={words.starting} />}
      <Card title={words.preview}>
        <PreviewFrame title={words.preview} html={campaign.body} />
      </Card>
    </>
  )
}

const Loaded = ({ campaign }: { readonly campaign: CampaignDetail }) => {
  const words = campaignWords()
  const projectId = useProjectId()
  const isHeld = useHeld().get(campaign.id) === "send"
  const isStarted = campaign.status !== "DRAFT" && campaign.status !== "SCHEDULED" && campaign.sentAt !== null
  return (
    <Page
      title={campaign.name}
      heading={<Foreign>{campaign.name}</Foreign>}
      back={{ name: words.title, link: { to: "/p/$projectId/campaigns", params: { projectId } } }}
      actions={<Actions campaign={campaign} isHeld={isHeld} />}
    >
      {campaign.statusReason !== null && <Notice tone="warning">{words.reasons[campaign.statusReason]}</Notice>}
      <CampaignFacts campaign={campaign} />
      {campaign.status === "DRAFT" && (
        <Suspense>
          <Approval campaign={campaign} />
        </Suspense>
      )}
      {campaign.status === "DRAFT" && (
        <Suspense fallback={<Bar height={120} />}>
          <Recurrence campaign={campaign} />
        </Suspense>
      )}
      {isStarted ? <Started campaign={campaign} /> : <Draft campaign={campaign} isHeld={isHeld} />}
    </Page>
  )
}

export const CampaignPage = (): ReactNode => {
  const words = campaignWords()
  const projectId = useProjectId()
  const { campaignId } = campaignRoute.useParams()
  const isHeld = useHeld().get(campaignId) === "send"
  const campaign = useRead(["campaigns", campaignId], (api, options) => api.campaigns.get(campaignId, options), {
    every: (data) => (isHeld || data?.status === "SENDING" ? 2_000 : 15_000)
  })
  if (campaign.data !== undefined) return <Loaded key={campaignId} campaign={campaign.data} />
  return (
    <Page
      title={words.title}
      back={{ name: words.title, link: { to: "/p/$projectId/campaigns", params: { projectId } } }}
    >
      {campaign.error === null ? (
        <Bar height={240} />
      ) : (
        <Problem error={campaign.error} onRetry={() => void campaign.refetch()} />
      )}
    </Page>
  )
}
