/** Signs in by password, and by a second factor where the account has one. In dev mode, one button does. */
import type { PosthornError } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Form } from "react-aria-components/Form"
import { accountApi, apiUrl } from "../../app/Api.ts"
import { deployment } from "../../app/Deployment.ts"
import { Button } from "../../kit/Button.tsx"
import { TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Problem } from "../../kit/Layout.tsx"
import { accountWords } from "./words.ts"

interface SignInProps {
  readonly onDone: (userId: string) => void
}

const DevButton = ({ onDone }: SignInProps) => {
  const { continueAsDev, devAbout } = accountWords()
  const start = useMutation<string, PosthornError>({
    mutationFn: async () => {
      const answer = await fetch(apiUrl("/dev/session"), { method: "POST", credentials: "same-origin" })
      const { data } = await answer.json()
      return data.id
    },
    onSuccess: onDone
  })
  return (
    <div className={styles.stack}>
      <p>{devAbout}</p>
      <Button kind="primary" isPending={start.isPending} onPress={() => start.mutate()}>
        {continueAsDev("dev@posthorn.test")}
      </Button>
    </div>
  )
}

const PasswordForm = ({ onDone }: SignInProps) => {
  const { signIn, email, password, code, confirm } = accountWords()
  const [token, setToken] = useState<string>()
  const login = useMutation<{ readonly id: string }, PosthornError, FormData>({
    mutationFn: (form) => {
      const given = (name: string) => String(form.get(name) ?? "").trim()
      if (token === undefined)
        return accountApi.auth.login({ email: given("email"), password: String(form.get("password")) }).orThrow()
      const text = given("code")
      return accountApi.auth
        .twoFactor({ token, ...(/^\d{6}$/.test(text) ? { code: text } : { recoveryCode: text }) })
        .orThrow()
    },
    onSuccess: ({ id }) => onDone(id),
    onError: ({ code: failure, details }) => {
      if (failure === "TWO_FACTOR_REQUIRED") setToken(String(details["token"]))
    }
  })
  return (
    <Form
      className={styles.form ?? ""}
      onSubmit={(event) => {
        event.preventDefault()
        login.mutate(new FormData(event.currentTarget))
      }}
    >
      {token === undefined ? (
        <>
          <TextField label={email} name="email" type="email" autoComplete="username" isRequired autoFocus />
          <TextField label={password} name="password" type="password" autoComplete="current-password" isRequired />
        </>
      ) : (
        <TextField key="code" label={code} name="code" autoComplete="one-time-code" isRequired autoFocus />
      )}
      {login.error !== null && login.error.code !== "TWO_FACTOR_REQUIRED" && <Problem error={login.error} />}
      <Button kind="primary" type="submit" isPending={login.isPending}>
        {token === undefined ? signIn : confirm}
      </Button>
    </Form>
  )
}

export const SignInForm = ({ onDone }: SignInProps): ReactNode =>
  deployment.dev ? <DevButton onDone={onDone} /> : <PasswordForm onDone={onDone} />
