import type { PosthornError, TotpSecret, TwoFactorState } from "@posthorn/client/session"
import { useMutation, useQuery } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Form } from "react-aria-components/Form"
import { accountApi } from "../../app/Api.ts"
import { Button, CopyText } from "../../kit/Button.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Card, Facts, Problem, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { SecretOnce } from "../../kit/SecretOnce.tsx"
import { accountWords } from "./words.ts"

interface StepProps {
  /** The field of the form. */
  readonly name: string
  readonly label: string
  readonly type?: "password" | "text"
  readonly action: string
  readonly error: PosthornError | null
  readonly isPending: boolean
  readonly onSubmit: (form: FormData) => void
  readonly children?: ReactNode
}

const Step = ({ name, label, type = "text", action, error, isPending, onSubmit, children }: StepProps) => {
  const faults = faultsOf(error, [name])
  return (
    <Form
      className={styles.form ?? ""}
      validationErrors={faults.fields}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(new FormData(event.currentTarget))
      }}
    >
      <TextField
        label={label}
        name={name}
        type={type}
        autoComplete={type === "password" ? "current-password" : "one-time-code"}
        isRequired
      />
      {children}
      {faults.rest !== null && <Problem error={faults.rest} />}
      <Button type="submit" isPending={isPending}>
        {action}
      </Button>
    </Form>
  )
}

const TurnOn = ({ onDone }: { readonly onDone: () => void }) => {
  const words = accountWords()
  const [setup, setSetup] = useState<TotpSecret>()
  const begin = useMutation<TotpSecret, PosthornError, FormData>({
    mutationFn: (form) => accountApi.twoFactor.setUp({ password: String(form.get("password")) }).orThrow(),
    onSuccess: setSetup
  })
  const confirm = useMutation<{ readonly recoveryCodes: ReadonlyArray<string> }, PosthornError, FormData>({
    mutationFn: (form) =>
      accountApi.twoFactor.confirm({ code: String(form.get("code")).replaceAll(" ", "") }).orThrow(),
    onSuccess: () => {
      notify(words.turnedOn)
      onDone()
    }
  })
  if (confirm.data !== undefined) {
    return (
      <Stack>
        <p>{words.recoveryAbout}</p>
        <SecretOnce
          name={words.recoveryCodes}
          secret={confirm.data.recoveryCodes.join("\n")}
          file="posthorn-recovery-codes.txt"
        />
      </Stack>
    )
  }
  if (setup === undefined) {
    return (
      <Step
        name="password"
        label={words.password}
        type="password"
        action={words.turnOn}
        error={begin.error}
        isPending={begin.isPending}
        onSubmit={(form) => begin.mutate(form)}
      />
    )
  }
  return (
    <Stack>
      <p>{words.scan}</p>
      <Facts facts={[[words.setupKey, <CopyText key="secret" text={setup.secret} name={words.setupKey} />]]} />
      <a href={setup.uri}>{words.openApp}</a>
      <Step
        name="code"
        label={words.sixDigits}
        action={words.confirm}
        error={confirm.error}
        isPending={confirm.isPending}
        onSubmit={(form) => confirm.mutate(form)}
      />
    </Stack>
  )
}

const TurnOff = ({ onDone }: { readonly onDone: () => void }) => {
  const words = accountWords()
  const remove = useMutation<unknown, PosthornError, FormData>({
    mutationFn: (form) => {
      const text = String(form.get("code")).trim()
      const second = /^\d{6}$/.test(text) ? { code: text } : { recoveryCode: text }
      return accountApi.twoFactor.remove({ password: String(form.get("password")), ...second }).orThrow()
    },
    onSuccess: () => {
      notify(words.turnedOff)
      onDone()
    }
  })
  return (
    <Step
      name="password"
      label={words.password}
      type="password"
      action={words.turnOff}
      error={remove.error}
      isPending={remove.isPending}
      onSubmit={(form) => remove.mutate(form)}
    >
      <TextField label={words.code} name="code" autoComplete="one-time-code" isRequired />
    </Step>
  )
}

export const SecondFactor = (): ReactNode => {
  const words = accountWords()
  const state = useQuery<TwoFactorState, PosthornError>({
    queryKey: ["two-factor"],
    queryFn: ({ signal }) => accountApi.twoFactor.state({ signal }).orThrow()
  })
  const [wasOff, setWasOff] = useState(false)
  const reread = () => void state.refetch()
  return (
    <Card title={words.secondFactor}>
      <Stack>
        <p>{state.data?.totp ? words.factorOn(state.data.recoveryCodes) : words.factorAbout}</p>
        {state.error !== null && <Problem error={state.error} onRetry={reread} />}
        {state.data !== undefined &&
          (state.data.totp && !wasOff ? (
            <TurnOff onDone={reread} />
          ) : (
            <TurnOn
              onDone={() => {
                // The recovery codes stay on the page until it is left.
                setWasOff(true)
                reread()
              }}
            />
          ))}
      </Stack>
    </Card>
  )
}
