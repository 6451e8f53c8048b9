import type { PosthornError } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { Form } from "react-aria-components/Form"
import { accountApi } from "../../app/Api.ts"
import { deployment } from "../../app/Deployment.ts"
import { prefer, usePreferences } from "../../app/Preferences.ts"
import { signOut } from "../../app/Start.ts"
import { languages } from "../../app/Words.ts"
import { Button } from "../../kit/Button.tsx"
import { ConfirmDialog } from "../../kit/Dialog.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Card, Facts, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { Invitations } from "./Invitations.tsx"
import { Outside } from "./Outside.tsx"
import { Passkeys } from "./Passkeys.tsx"
import { accountRoute } from "./routes.ts"
import { SecondFactor } from "./SecondFactor.tsx"
import { Sessions } from "./Sessions.tsx"
import { accountWords } from "./words.ts"

const Password = () => {
  const words = accountWords()
  const [round, setRound] = useState(0)
  const change = useMutation<unknown, PosthornError, FormData>({
    mutationFn: (form) =>
      accountApi.users
        .changePassword({
          currentPassword: String(form.get("currentPassword")),
          newPassword: String(form.get("newPassword"))
        })
        .orThrow(),
    onSuccess: () => {
      setRound(round + 1)
      notify(words.passwordChanged)
    }
  })
  const faults = faultsOf(change.error, ["currentPassword", "newPassword"])
  return (
    <Card title={words.changePassword}>
      <Form
        key={round}
        className={styles.form ?? ""}
        validationErrors={faults.fields}
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(new FormData(event.currentTarget))
        }}
      >
        <TextField
          label={words.currentPassword}
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          isRequired
        />
        <TextField
          label={words.newPassword}
          name="newPassword"
          type="password"
          autoComplete="new-password"
          minLength={8}
          help={words.passwordHelp}
          isRequired
        />
        {faults.rest !== null && <Problem error={faults.rest} />}
        <Button type="submit" isPending={change.isPending}>
          {words.changePassword}
        </Button>
      </Form>
    </Card>
  )
}

const Appearance = () => {
  const words = accountWords()
  const { language, scheme, zone, letters } = usePreferences()
  return (
    <Card title={words.appearance}>
      <div className={styles.form}>
        <Select
          label={words.language}
          value={language}
          choices={[
            { id: "browser" as const, name: words.asBrowser },
            ...(["en", "de"] as const).map((id) => ({ id, name: languages[id] }))
          ]}
          onChange={(chosen) => prefer({ language: chosen })}
        />
        <Select
          label={words.scheme}
          value={scheme}
          choices={(["system", "light", "dark"] as const).map((id) => ({ id, name: words.schemes[id] }))}
          onChange={(chosen) => prefer({ scheme: chosen })}
        />
        <Select
          label={words.zone}
          value={zone}
          choices={(["browser", "project", "utc"] as const).map((id) => ({ id, name: words.zones[id] }))}
          onChange={(chosen) => prefer({ zone: chosen })}
        />
        <Checkbox isSelected={letters} onChange={(chosen) => prefer({ letters: chosen })}>
          {words.letters}
        </Checkbox>
      </div>
    </Card>
  )
}

const Leave = ({ email }: { readonly email: string }) => {
  const words = accountWords()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation<unknown, PosthornError>({
    mutationFn: () => accountApi.users.remove().orThrow(),
    onSuccess: () => location.assign(`${deployment.basePath}/sign-in`)
  })
  return (
    <Card title={words.deleteAccount}>
      <Stack>
        <p>{words.deleteAbout}</p>
        {remove.error !== null && (
          <Problem error={remove.error}>
            {remove.error.details["reason"] === "owns_projects" && words.ownsProjects}
          </Problem>
        )}
        <Row>
          <Button onPress={() => void signOut(true)}>{words.signOutEverywhere}</Button>
          <Button onPress={() => setAsking(true)}>{words.deleteAccount}</Button>
        </Row>
      </Stack>
      <ConfirmDialog
        title={words.deleteAccount}
        action={words.deleteAccount}
        typed={email}
        isDanger
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => remove.mutate()}
      >
        <p>{words.deleteAbout}</p>
      </ConfirmDialog>
    </Card>
  )
}

export const AccountPage = (): ReactNode => {
  const words = accountWords()
  const { user } = accountRoute.useLoaderData()
  return (
    <Outside title={words.account} isWide>
      <Link to="/projects">{words.toProjects}</Link>
      <Card>
        <Facts
          facts={[
            [words.address, <Foreign key="email">{user.email}</Foreign>],
            [words.state, user.emailVerified ? words.verified : words.unverified],
            [words.since, <Time key="since" at={user.createdAt} exact />]
          ]}
        />
      </Card>
      <Invitations />
      <Appearance />
      <Password />
      <SecondFactor />
      <Passkeys />
      <Sessions />
      <Leave email={user.email} />
    </Outside>
  )
}
