import type { PosthornError } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Form } from "react-aria-components/Form"
import { accountApi } from "../../app/Api.ts"
import { Button } from "../../kit/Button.tsx"
import { TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Notice, Problem } from "../../kit/Layout.tsx"
import { Outside } from "./Outside.tsx"
import { accountWords } from "./words.ts"

/** The link in the mail leads to a page of the server, which takes the new password. */
export const ForgotPage = (): ReactNode => {
  const words = accountWords()
  const ask = useMutation<unknown, PosthornError, string>({
    mutationFn: (email) => accountApi.auth.requestPasswordReset({ email }).orThrow()
  })
  return (
    <Outside title={words.forgotTitle}>
      {ask.isSuccess ? (
        <Notice tone="good">{words.linkSent}</Notice>
      ) : (
        <Form
          className={styles.form ?? ""}
          onSubmit={(event) => {
            event.preventDefault()
            ask.mutate(String(new FormData(event.currentTarget).get("email")).trim())
          }}
        >
          <p>{words.forgotAbout}</p>
          <TextField label={words.email} name="email" type="email" autoComplete="username" isRequired autoFocus />
          {ask.error !== null && <Problem error={ask.error} />}
          <Button kind="primary" type="submit" isPending={ask.isPending}>
            {words.sendLink}
          </Button>
        </Form>
      )}
      <Link to="/sign-in">{words.backToSignIn}</Link>
    </Outside>
  )
}
