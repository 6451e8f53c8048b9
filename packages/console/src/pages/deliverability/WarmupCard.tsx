/** The warm-up of a domain: the plan, its curve, and what can be done with it. */
import type { Domain, SetWarmup, Warmup } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useMissing } from "../../app/Permission.ts"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { TimeChart } from "../../kit/Chart.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { DataTable } from "../../kit/DataTable.tsx"
import { ConfirmDialog, Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Select, TextField } from "../../kit/Field.tsx"
import { Answer, Card, Facts, Notice, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { notify } from "../../kit/notices.ts"
import { Count, dayText, numberText } from "../../kit/Text.tsx"
import { capsToCome } from "./warmupCaps.ts"
import { warmupWords } from "./warmupWords.ts"

const changes = ["domains"]

const presets = ["STANDARD", "FAST", "CUSTOM"] as const

const looks = { ACTIVE: ["ring", "good"], PAUSED: ["square", "warning"], COMPLETED: ["dot", "good"] } as const

const queryOf = (plan: Warmup | undefined) => (plan?.transport == null ? {} : { transport: plan.transport })

interface DialogProps {
  readonly domain: Domain
  readonly plan: Warmup | undefined
  readonly onClose: () => void
}

const WarmupDialog = ({ domain, plan, onClose }: DialogProps) => {
  const words = warmupWords()
  const [preset, setPreset] = useState<SetWarmup["preset"]>(plan?.preset ?? "STANDARD")
  const [caps, setCaps] = useState((plan?.caps ?? [50, 100, 200]).join(", "))
  const [startsOn, setStartsOn] = useState(plan?.startsOn ?? "")
  const body: SetWarmup = {
    preset,
    ...(preset === "CUSTOM" && { caps: caps.split(",").map((cap) => Number(cap.trim())) }),
    ...(startsOn !== "" && { startsOn }),
    ...(plan !== undefined && {
      timezone: plan.timezone,
      hours: plan.hours,
      transactional: plan.transactional,
      holdAt: plan.holdAt,
      pauseAt: plan.pauseAt
    })
  }
  const set = useWrite((api) => api.domains.setWarmup(domain.id, body, queryOf(plan)), {
    changes,
    onDone: () => {
      onClose()
      notify(words.saved)
    }
  })
  return (
    <Dialog title={words.title} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogForm
        faults={faultsOf(set.error, ["preset", "caps", "startsOn"])}
        submit={words.save}
        isPending={set.isPending}
        code={<ShowCode call={{ operation: "domains.setWarmup", path: [domain.id], body }} />}
        onSubmit={() => set.mutate()}
      >
        <p>{words.about}</p>
        <Select
          label={words.preset}
          value={preset}
          choices={presets.map((id) => ({ id, name: words.presets[id] }))}
          onChange={setPreset}
        />
        {preset === "CUSTOM" && (
          <TextField label={words.caps} help={words.capsHelp} name="caps" value={caps} onChange={setCaps} isRequired />
        )}
        <TextField
          label={words.startsOn}
          help={words.today}
          name="startsOn"
          type="date"
          value={startsOn}
          onChange={setStartsOn}
        />
      </DialogForm>
    </Dialog>
  )
}

const Curve = ({ plan }: { readonly plan: Warmup }) => {
  const words = warmupWords()
  const { cap, days, sentToday, status } = plan
  const points = [
    ...days.map((day) => ({ label: dayText(day.date), cap: day.cap, sent: day.sent })),
    ...(status === "COMPLETED" || cap === null ? [] : [{ label: words.sentToday, cap, sent: sentToday }])
  ]
  const coming = capsToCome(plan)
  return (
    <TimeChart
      title={words.curve}
      labels={[...points.map(({ label }) => label), ...coming.map(({ date }) => dayText(date))]}
      series={[
        { name: words.cap, values: [...points, ...coming].map((point) => point.cap) },
        { name: words.sent, values: points.map((point) => point.sent) }
      ]}
    />
  )
}

const Days = ({ days }: Pick<Warmup, "days">) => {
  const words = warmupWords()
  if (days.length === 0) return null
  return (
    <DataTable
      label={words.days}
      rows={days.map((day) => ({ ...day, id: day.date })).toReversed()}
      total={days.length}
      rowName={({ date }) => dayText(date)}
      columns={[
        { id: "date", name: words.day, cell: ({ date }) => dayText(date) },
        { id: "step", name: words.step, isNumber: true, cell: ({ step }) => <Count value={step} /> },
        { id: "cap", name: words.cap, isNumber: true, cell: ({ cap }) => <Count value={cap} /> },
        { id: "sent", name: words.sent, isNumber: true, cell: ({ sent }) => <Count value={sent} /> },
        { id: "bounced", name: words.bounced, isNumber: true, cell: ({ bounced }) => <Count value={bounced} /> },
        {
          id: "complained",
          name: words.complained,
          isNumber: true,
          cell: ({ complained }) => <Count value={complained} />
        },
        { id: "deferred", name: words.deferred, isNumber: true, cell: ({ deferred }) => <Count value={deferred} /> },
        { id: "result", name: words.result, cell: ({ result }) => words.results[result] }
      ]}
    />
  )
}

const Plan = ({ domain, plan }: { readonly domain: Domain; readonly plan: Warmup }) => {
  const words = warmupWords()
  const missing = useMissing("domains.setWarmup")
  const [asked, setAsked] = useState<"change" | "end">()
  const query = queryOf(plan)
  const close = () => setAsked(undefined)
  const pause = useWrite((api) => api.domains.pauseWarmup(domain.id, query), {
    changes,
    onDone: () => notify(words.paused)
  })
  const resume = useWrite((api) => api.domains.resumeWarmup(domain.id, query), {
    changes,
    onDone: () => notify(words.resumed)
  })
  const end = useWrite((api) => api.domains.removeWarmup(domain.id, query), {
    changes,
    onDone: () => notify(words.ended)
  })
  const error = pause.error ?? resume.error ?? end.error
  const { cap, completesOn, freeNow, sentToday, status, step, transport, waiting } = plan
  const [shape, tone] = looks[status]
  return (
    <Stack>
      {status === "PAUSED" && <Notice tone="warning">{words.pausedAbout}</Notice>}
      {error !== null && <Problem error={error} />}
      <Facts
        facts={[
          [
            words.state,
            <State key="state" shape={shape} tone={tone}>
              {words.states[status]}
            </State>
          ],
          transport !== null && [words.transport, transport],
          [words.step, numberText(step)],
          [words.sentToday, words.ofCap(sentToday, cap)],
          freeNow !== null && [words.freeNow, numberText(freeNow)],
          [words.waiting, numberText(waiting)],
          completesOn !== null && [words.completesOn, dayText(completesOn)]
        ]}
      />
      <Curve plan={plan} />
      <Days days={plan.days} />
      <Row>
        <Button missing={missing} onPress={() => setAsked("change")}>
          {words.change}
        </Button>
        {status === "ACTIVE" && (
          <Button missing={missing} isPending={pause.isPending} onPress={() => pause.mutate()}>
            {words.pause}
          </Button>
        )}
        {status === "PAUSED" && (
          <Button missing={missing} isPending={resume.isPending} onPress={() => resume.mutate()}>
            {words.resume}
          </Button>
        )}
        <Button missing={missing} isPending={end.isPending} onPress={() => setAsked("end")}>
          {words.end}
        </Button>
      </Row>
      {asked === "change" && <WarmupDialog domain={domain} plan={plan} onClose={close} />}
      <ConfirmDialog
        title={words.end}
        action={words.end}
        isDanger
        isOpen={asked === "end"}
        onOpenChange={close}
        onConfirm={() => end.mutate()}
      >
        <p>{words.endAbout}</p>
      </ConfirmDialog>
    </Stack>
  )
}

export const WarmupCard = ({ domain }: { readonly domain: Domain }): ReactNode => {
  const words = warmupWords()
  const missing = useMissing("domains.setWarmup")
  const [isBeginning, setBeginning] = useState(false)
  const plans = useRead(["domains", domain.id, "warmups"], (api, options) => api.domains.warmups(domain.id, options))
  return (
    <Card title={words.warmup}>
      <Answer of={plans} height={120}>
        {(found) => (
          <Stack>
            {found.length === 0 && (
              <>
                <p>{words.about}</p>
                <Row>
                  <Button missing={missing} onPress={() => setBeginning(true)}>
                    {words.begin}
                  </Button>
                </Row>
              </>
            )}
            {found.map((plan) => (
              <Plan key={plan.transport ?? ""} domain={domain} plan={plan} />
            ))}
          </Stack>
        )}
      </Answer>
      {isBeginning && <WarmupDialog domain={domain} plan={undefined} onClose={() => setBeginning(false)} />}
    </Card>
  )
}
