import type { Domain, DomainRecord } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { Form } from "react-aria-components/Form"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button, CopyText } from "../../kit/Button.tsx"
import { ConfirmDialog } from "../../kit/Dialog.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Bar, Card, Facts, Notice, Problem, Stack } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { DmarcSources } from "./DmarcSources.tsx"
import { HealthCard } from "./DomainHealth.tsx"
import { DomainState, RecordState } from "./DomainState.tsx"
import { domainRoute } from "./routes.ts"
import { WarmupCard } from "./WarmupCard.tsx"
import { deliverabilityWords } from "./words.ts"

const RecordCard = ({ record }: { readonly record: DomainRecord }) => {
  const words = deliverabilityWords()
  const { type, name, value, purpose, required, status, found } = record
  return (
    <Card
      title={`${purpose} ${type} ${name}`}
      actions={
        <>
          {!required && <span className={styles.help}>{words.optional}</span>}
          <RecordState status={status} />
        </>
      }
    >
      <Facts
        facts={[
          ["", words.purposes[purpose]],
          [words.name, <CopyText key="name" text={name} name={`${words.name} ${name}`} />],
          [words.value, <CopyText key="value" text={value} name={`${words.value} ${name}`} />],
          status === "MISMATCH" && found.length > 0 && [words.found, <Foreign key="found">{found.join(", ")}</Foreign>]
        ]}
      />
    </Card>
  )
}

const linkLooks = { PENDING: ["ring", "warning"], ACTIVE: ["dot", "good"], FAILING: ["triangle", "bad"] } as const

const LinkHostForm = ({ domain }: { readonly domain: Domain }) => {
  const words = deliverabilityWords()
  const missing = useMissing("domains.update")
  const [host, setHost] = useState(domain.linkHost?.host ?? "")
  const save = useWrite((api) => api.domains.update(domain.id, { linkHost: host.trim() || null }), {
    changes: ["domains"],
    onDone: () => notify(words.saved)
  })
  const faults = faultsOf(save.error, ["linkHost"])
  const [shape, tone] = linkLooks[domain.linkHost?.status ?? "PENDING"]
  return (
    <Card
      title={words.linkHost}
      actions={
        domain.linkHost !== null && (
          <State shape={shape} tone={tone} title={domain.linkHost.lastError ?? undefined}>
            {words.linkStates[domain.linkHost.status]}
          </State>
        )
      }
    >
      <Form
        className={styles.form ?? ""}
        validationErrors={faults.fields}
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <TextField
          label={words.linkHost}
          name="linkHost"
          help={words.linkAbout}
          placeholder={`links.${domain.domain}`}
          value={host}
          onChange={setHost}
        />
        {domain.linkHost?.lastError && <Notice tone="warning">{domain.linkHost.lastError}</Notice>}
        {faults.rest !== null && <Problem error={faults.rest} />}
        {missing === null ? (
          <Button type="submit" isPending={save.isPending}>
            {words.save}
          </Button>
        ) : (
          <Button missing={missing}>{words.save}</Button>
        )}
      </Form>
    </Card>
  )
}

const Loaded = ({ domain }: { readonly domain: Domain }) => {
  const words = deliverabilityWords()
  const projectId = useProjectId()
  const navigate = useNavigate()
  const missing = useMissing("domains.remove")
  const [isRemoving, setRemoving] = useState(false)
  const changes = ["domains", "overview"]
  const back = { to: "/p/$projectId/domains", params: { projectId } } as const
  const check = useWrite((api) => api.domains.verify(domain.id), { changes })
  const remove = useWrite((api) => api.domains.remove(domain.id), {
    changes,
    onDone: () => {
      notify(words.removed)
      return navigate(back)
    }
  })
  const error = check.error ?? remove.error
  return (
    <Page
      title={domain.domain}
      heading={<Foreign>{domain.domain}</Foreign>}
      back={{ name: words.domains, link: back }}
      actions={
        <>
          <Button kind="primary" isPending={check.isPending} onPress={() => check.mutate()}>
            {words.checkNow}
          </Button>
          <Button missing={missing} onPress={() => setRemoving(true)}>
            {words.remove}
          </Button>
        </>
      }
    >
      {error !== null && <Problem error={error} />}
      <Card>
        <Facts
          facts={[
            [words.state, <DomainState key="state" status={domain.status} />],
            domain.verifiedElsewhere && ["", words.elsewhere],
            domain.failedChecks > 0 && ["", words.failed(domain.failedChecks)],
            [words.checked, <Time key="checked" at={domain.lastCheckedAt} />],
            domain.verifiedAt !== null && [words.verifiedAt, <Time key="verified" at={domain.verifiedAt} exact />]
          ]}
        />
      </Card>
      <h2>{words.records}</h2>
      <p>{words.recordsAbout}</p>
      <Stack>
        {domain.records.map((record) => (
          <RecordCard key={`${record.purpose} ${record.name} ${record.value}`} record={record} />
        ))}
      </Stack>
      <HealthCard domain={domain} />
      <WarmupCard domain={domain} />
      <DmarcSources domain={domain} />
      <LinkHostForm key={domain.linkHost?.host} domain={domain} />
      <ConfirmDialog
        title={words.remove}
        action={words.remove}
        typed={domain.domain}
        isDanger
        isOpen={isRemoving}
        onOpenChange={setRemoving}
        onConfirm={() => remove.mutate()}
      >
        <p>
          <Foreign>{words.removeAbout(domain.domain)}</Foreign>
        </p>
      </ConfirmDialog>
    </Page>
  )
}

export const DomainPage = (): ReactNode => {
  const words = deliverabilityWords()
  const projectId = useProjectId()
  const { domainId } = domainRoute.useParams()
  const domain = useRead(["domains", domainId], (api, options) => api.domains.get(domainId, options), { every: 10_000 })
  if (domain.data !== undefined) return <Loaded key={domainId} domain={domain.data} />
  return (
    <Page
      title={words.domains}
      back={{ name: words.domains, link: { to: "/p/$projectId/domains", params: { projectId } } }}
    >
      {domain.error === null ? (
        <Bar height={320} />
      ) : (
        <Problem error={domain.error} onRetry={() => void domain.refetch()} />
      )}
    </Page>
  )
}
