/** Signs in by password, by passkey or by a provider, and by a second factor where the account has one. */
import type { PosthornError } from "@posthorn/client/session"
import { useMutation, useQuery } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Form } from "react-aria-components/Form"
import { accountApi, apiUrl } from "../../app/Api.ts"
import { deployment } from "../../app/Deployment.ts"
import { offerQuery } from "../../app/Start.ts"
import { Button } from "../../kit/Button.tsx"
import { buttonClass } from "../../kit/buttonClass.ts"
import { TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Problem, Stack } from "../../kit/Layout.tsx"
import { answerWithPasskey, hasPasskeys } from "./Webauthn.ts"
import { accountWords } from "./words.ts"

interface SignInProps {
  readonly onDone: (userId: string) => void
  /** The path of the console to which a provider leads back. */
  readonly to?: string | undefined
}

const DevButton = ({ onDone }: SignInProps) => {
  const { continueAsDev, devAbout, devFailed } = accountWords()
  const start = useMutation<string, Error>({
    mutationFn: async () => {
      const answer = await fetch(apiUrl("/dev/session"), { method: "POST", credentials: "same-origin" })
      if (!answer.ok) throw new Error(answer.statusText)
      const { data } = await answer.json()
      return data.id
    },
    onSuccess: onDone
  })
  return (
    <Stack>
      <p>{devAbout}</p>
      {start.isError && <p role="alert">{devFailed}</p>}
      <Button kind="primary" isPending={start.isPending} onPress={() => start.mutate()} autoFocus>
        {continueAsDev("dev@posthorn.test")}
      </Button>
    </Stack>
  )
}

/** The application signs people in, in another tab where a page is open here. */
const ApplicationSignIn = ({ onDone }: SignInProps) => {
  const { ofApplication, toApplication, signedIn, notSignedIn } = accountWords()
  // Without the client, which waits for this very answer when nobody is signed in.
  const look = useMutation({
    mutationFn: async (): Promise<string | undefined> => {
      const answer = await fetch(apiUrl("/users/@me"), { credentials: "same-origin" })
      return answer.ok ? (await answer.json()).id : undefined
    },
    onSuccess: (id) => id !== undefined && onDone(id)
  })
  const { signInUrl } = deployment
  return (
    <Stack>
      <p>{ofApplication}</p>
      {signInUrl !== undefined && (
        <a className={buttonClass()} href={signInUrl} target="_blank" rel="noopener noreferrer">
          {toApplication}
        </a>
      )}
      <Button kind="primary" isPending={look.isPending} onPress={() => look.mutate()} autoFocus>
        {signedIn}
      </Button>
      {look.isSuccess && look.data === undefined && <p role="alert">{notSignedIn}</p>}
    </Stack>
  )
}

/** Signs in by a passkey alone, or with the token of a login as its second factor. */
const PasskeyButton = ({ token, onDone }: SignInProps & { readonly token?: string | undefined }) => {
  const { usePasskey } = accountWords()
  const given = token === undefined ? {} : { token }
  const sign = useMutation<{ readonly id: string } | undefined, PosthornError>({
    mutationFn: async () => {
      const response = await answerWithPasskey(await accountApi.auth.passkeyOptions(given).orThrow()).catch(
        () => undefined
      )
      return response === undefined ? undefined : await accountApi.auth.passkey({ response, ...given }).orThrow()
    },
    onSuccess: (signed) => signed !== undefined && onDone(signed.id)
  })
  if (!hasPasskeys()) return null
  return (
    <>
      <Button isPending={sign.isPending} onPress={() => sign.mutate()}>
        {usePasskey}
      </Button>
      {sign.error !== null && <Problem error={sign.error} />}
    </>
  )
}

/** Links to the providers that the server is set up for. */
const Providers = ({ to = "/" }: Pick<SignInProps, "to">) => {
  const { withProvider, provider } = accountWords()
  const offer = useQuery(offerQuery)
  const names = { github: "GitHub", google: "Google", oidc: provider }
  const providers = offer.data?.features.authProviders
  const back = encodeURIComponent(deployment.basePath + to)
  return (["github", "google", "oidc"] as const)
    .filter((each) => providers?.[each] === true)
    .map((each) => (
      <a key={each} className={buttonClass()} href={apiUrl(`/oauth/${each}/outbound?returnTo=${back}`)}>
        {withProvider(names[each])}
      </a>
    ))
}

const PasswordForm = ({ onDone, to }: SignInProps) => {
  const { signIn, email, password, code, confirm } = accountWords()
  const [factor, setFactor] = useState<{ readonly token: string; readonly methods: ReadonlyArray<string> }>()
  const login = useMutation<{ readonly id: string }, PosthornError, FormData>({
    mutationFn: (form) => {
      const given = (name: string) => String(form.get(name) ?? "").trim()
      if (factor === undefined) {
        return accountApi.auth.login({ email: given("email"), password: String(form.get("password")) }).orThrow()
      }
      const text = given("code")
      const second = /^\d{6}$/.test(text) ? { code: text } : { recoveryCode: text }
      return accountApi.auth.twoFactor({ token: factor.token, ...second }).orThrow()
    },
    onSuccess: ({ id }) => onDone(id),
    onError: ({ code: failure, details: { token, methods } }) => {
      if (failure === "TWO_FACTOR_REQUIRED") {
        setFactor({ token: String(token), methods: Array.isArray(methods) ? methods : [] })
      }
    }
  })
  return (
    <Stack>
      <Form
        className={styles.form ?? ""}
        onSubmit={(event) => {
          event.preventDefault()
          login.mutate(new FormData(event.currentTarget))
        }}
      >
        {factor === undefined ? (
          <>
            <TextField label={email} name="email" type="email" autoComplete="username" isRequired autoFocus />
            <TextField label={password} name="password" type="password" autoComplete="current-password" isRequired />
          </>
        ) : (
          <TextField key="code" label={code} name="code" autoComplete="one-time-code" isRequired autoFocus />
        )}
        {login.error !== null && login.error.code !== "TWO_FACTOR_REQUIRED" && <Problem error={login.error} />}
        <Button kind="primary" type="submit" isPending={login.isPending}>
          {factor === undefined ? signIn : confirm}
        </Button>
      </Form>
      {(factor === undefined || factor.methods.includes("passkey")) && (
        <PasskeyButton token={factor?.token} onDone={onDone} />
      )}
      {factor === undefined && <Providers to={to} />}
    </Stack>
  )
}

export const SignInForm = (props: SignInProps): ReactNode => {
  if (deployment.mode === "embedded") return <ApplicationSignIn {...props} />
  return deployment.dev ? <DevButton {...props} /> : <PasswordForm {...props} />
}
