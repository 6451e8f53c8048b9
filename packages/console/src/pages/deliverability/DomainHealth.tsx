import type { Domain, DomainHealth, DomainRecord } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button, CopyText } from "../../kit/Button.tsx"
import { Answer, Card, Facts, Lines, Problem } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { deliverabilityWords } from "./words.ts"

type Check = DomainHealth["checks"][number]

const looks = {
  PASS: ["dot", "good"],
  WARN: ["square", "warning"],
  FAIL: ["triangle", "bad"],
  UNKNOWN: ["ring", "neutral"],
  NONE: ["bar", "neutral"]
} as const

/** The record whose publication makes a check pass. */
const purposes: { readonly [id in Check["id"]]?: DomainRecord["purpose"] } = {
  dkim: "DKIM",
  alignment: "RETURN_PATH",
  spf: "SPF",
  dmarc_record: "DMARC",
  dmarc_reports: "DMARC"
}

const CheckFact = ({ check, records }: { readonly check: Check; readonly records: Domain["records"] }) => {
  const words = deliverabilityWords()
  const [shape, tone] = looks[check.status]
  const isOpen = check.status === "FAIL" || check.status === "WARN"
  const record = isOpen ? records.find(({ purpose }) => purpose === purposes[check.id]) : undefined
  const name = words.checks[check.id]
  return (
    <Lines>
      <State shape={shape} tone={tone}>
        {words.checkStates[check.status]}
      </State>
      {check.found.length > 0 && <Foreign>{check.found.join(", ")}</Foreign>}
      {check.advice !== "" && record === undefined && <Foreign>{check.advice}</Foreign>}
      {record !== undefined && (
        <>
          <CopyText text={record.name} name={`${name}: ${words.name}`} />
          <CopyText text={record.value} name={`${name}: ${words.value}`} />
        </>
      )}
    </Lines>
  )
}

/** What mailbox providers require of the domain, with the records that are still to be published. */
export const HealthCard = ({ domain }: { readonly domain: Domain }): ReactNode => {
  const words = deliverabilityWords()
  const health = useRead(["domains", domain.id, "health"], (api, options) => api.domains.health(domain.id, {}, options))
  const ask = useWrite((api) => api.domains.health(domain.id, { refresh: true }), { changes: ["domains"] })
  return (
    <Card
      title={words.health}
      actions={
        <Button isPending={ask.isPending} onPress={() => ask.mutate()}>
          {words.askDns}
        </Button>
      }
    >
      <p>{words.healthAbout}</p>
      {ask.error !== null && <Problem error={ask.error} />}
      <Answer of={health} height={480}>
        {({ checkedAt, checks, ready }) => (
          <Facts
            facts={[
              [
                words.ready,
                <State key="ready" shape={ready ? "dot" : "triangle"} tone={ready ? "good" : "bad"}>
                  {ready ? words.isReady : words.notReady}
                </State>
              ],
              [words.asked, <Time key="asked" at={checkedAt} />],
              ...checks.map(
                (check) =>
                  [words.checks[check.id], <CheckFact key={check.id} check={check} records={domain.records} />] as const
              )
            ]}
          />
        )}
      </Answer>
    </Card>
  )
}
