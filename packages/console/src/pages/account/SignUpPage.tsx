import type { PosthornError } from "@posthorn/client/session"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useRouter } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Form } from "react-aria-components/Form"
import { accountApi } from "../../app/Api.ts"
import { offerQuery, readSigned } from "../../app/Start.ts"
import { Button } from "../../kit/Button.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Notice, Problem } from "../../kit/Layout.tsx"
import { Outside } from "./Outside.tsx"
import { signUpRoute } from "./routes.ts"
import { accountWords } from "./words.ts"

export const SignUpPage = (): ReactNode => {
  const words = accountWords()
  const { invitation, email } = signUpRoute.useSearch()
  const router = useRouter()
  const offer = useQuery(offerQuery)
  const signUp = useMutation<unknown, PosthornError, FormData>({
    mutationFn: (form) =>
      accountApi.auth
        .signup({
          email: String(form.get("email")).trim(),
          password: String(form.get("password")),
          ...(invitation !== undefined && { invitationToken: invitation })
        })
        .orThrow(),
    onSuccess: async () => {
      await readSigned()
      await router.navigate({ to: "/", replace: true })
    }
  })
  const faults = faultsOf(signUp.error, ["email", "password"])
  const isClosed = offer.data?.features.signups.enabled === false && invitation === undefined
  return (
    <Outside title={words.signUp}>
      {isClosed ? (
        <Notice>{words.closed}</Notice>
      ) : (
        <Form
          className={styles.form ?? ""}
          validationErrors={faults.fields}
          onSubmit={(event) => {
            event.preventDefault()
            signUp.mutate(new FormData(event.currentTarget))
          }}
        >
          <p>{words.signUpAbout}</p>
          <TextField
            label={words.email}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={email ?? ""}
            isRequired
            autoFocus
          />
          <TextField
            label={words.password}
            name="password"
            type="password"
            autoComplete="new-password"
            minLength={8}
            isRequired
          />
          {faults.rest !== null && <Problem error={faults.rest} />}
          <Button kind="primary" type="submit" isPending={signUp.isPending}>
            {words.signUp}
          </Button>
        </Form>
      )}
      <Link to="/sign-in">{words.haveAccount}</Link>
    </Outside>
  )
}
