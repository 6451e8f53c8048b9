/** What an import does with the contacts that it subscribes, and what proves that they agreed. */
import type { ReactNode } from "react"
import { Select, TextField } from "../../kit/Field.tsx"
import { Card, Pair } from "../../kit/Layout.tsx"
import { importWords } from "./importWords.ts"
import type { ProjectConsent, Target } from "./Targets.ts"

export interface ImportConsent {
  /** Null: not said. */
  readonly doubleOptIn: "send" | "skip" | null
  readonly basis: string
  readonly wording: string
  /** A day, or empty. */
  readonly day: string
}

export const noConsent: ImportConsent = { doubleOptIn: null, basis: "", wording: "", day: "" }

/** The evidence as the service takes it. Undefined if none is given. */
export const evidenceOf = ({ basis, wording, day }: ImportConsent): string | undefined => {
  const given = {
    ...(basis.trim() !== "" && { basis: basis.trim() }),
    ...(wording.trim() !== "" && { wording }),
    ...(day !== "" && { at: new Date(`${day}T00:00`).toISOString() })
  }
  return Object.keys(given).length === 0 ? undefined : JSON.stringify(given)
}

export interface OptInRule {
  /** Whether the file says who is subscribed, or who takes a topic. */
  readonly isAsked: boolean
  /** Whether the project wants an answer. */
  readonly isNeeded: boolean
}

export const optInRule = (targets: ReadonlyArray<Target>, { mode, topics }: ProjectConsent): OptInRule => {
  const isAsked = targets.some(({ to }) => to === "subscribed" || to === "topic")
  const named = topics.filter(({ key }) => targets.some((target) => target.to === "topic" && target.key === key))
  return { isAsked, isNeeded: (isAsked && mode === "all") || named.some(({ doubleOptIn }) => doubleOptIn === true) }
}

interface ImportConsentProps {
  readonly value: ImportConsent
  readonly onChange: (value: ImportConsent) => void
  readonly rule: OptInRule
  readonly fault: string | undefined
}

export const ImportConsentFields = ({ value, onChange, rule, fault }: ImportConsentProps): ReactNode => {
  const { consent: words } = importWords()
  return (
    <>
      {rule.isAsked && (
        <Select<"send" | "skip">
          label={words.optIn}
          help={words.optInHelp}
          fault={fault}
          value={value.doubleOptIn ?? (rule.isNeeded ? null : "skip")}
          {...(rule.isNeeded && { placeholder: words.choose })}
          choices={(["skip", "send"] as const).map((id) => ({ id, name: words.optIns[id] }))}
          onChange={(doubleOptIn) => onChange({ ...value, doubleOptIn: doubleOptIn || null })}
        />
      )}
      <Card title={words.title}>
        <p>{words.about}</p>
        <Pair>
          <TextField
            label={words.basis}
            help={words.basisHelp}
            maxLength={50}
            value={value.basis}
            onChange={(basis) => onChange({ ...value, basis })}
          />
          <TextField label={words.day} type="date" value={value.day} onChange={(day) => onChange({ ...value, day })} />
        </Pair>
        <TextField
          label={words.wording}
          help={words.wordingHelp}
          rows={3}
          maxLength={4000}
          value={value.wording}
          onChange={(wording) => onChange({ ...value, wording })}
        />
      </Card>
    </>
  )
}
