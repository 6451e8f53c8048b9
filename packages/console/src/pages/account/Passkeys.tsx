import type { Passkey, PosthornError } from "@posthorn/client/session"
import { useMutation, useQuery } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Form } from "react-aria-components/Form"
import { accountApi } from "../../app/Api.ts"
import { Button } from "../../kit/Button.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Card, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { createPasskey, hasPasskeys } from "./Webauthn.ts"
import { accountWords } from "./words.ts"

export const Passkeys = (): ReactNode => {
  const words = accountWords()
  const [name, setName] = useState("")
  const list = useQuery<ReadonlyArray<Passkey>, PosthornError>({
    queryKey: ["passkeys"],
    queryFn: ({ signal }) => accountApi.passkeys.list({ signal }).orThrow()
  })
  const add = useMutation<Passkey | undefined, PosthornError, string>({
    mutationFn: async (given) => {
      const response = await createPasskey(await accountApi.passkeys.options().orThrow()).catch(() => undefined)
      return response === undefined ? undefined : await accountApi.passkeys.add({ name: given, response }).orThrow()
    },
    onSuccess: async (added) => {
      if (added === undefined) return
      setName("")
      notify(words.passkeyAdded)
      await list.refetch()
    }
  })
  const remove = useMutation<unknown, PosthornError, string>({
    mutationFn: (id) => accountApi.passkeys.remove(id).orThrow(),
    onSuccess: async () => {
      notify(words.removed)
      await list.refetch()
    }
  })
  const faults = faultsOf(add.error, ["name"])
  const error = list.error ?? remove.error ?? faults.rest
  if (!hasPasskeys()) return null
  return (
    <Card title={words.passkeys}>
      <Stack>
        <p>{words.passkeysAbout}</p>
        {list.data?.map(({ id, name: given, lastUsedAt }) => (
          <Row key={id}>
            <strong>
              <Foreign>{given}</Foreign>
            </strong>
            <span>
              {words.lastUsed}: {lastUsedAt === null ? words.never : <Time at={lastUsedAt} />}
            </span>
            <Button kind="quiet" onPress={() => remove.mutate(id)}>
              {words.remove}
            </Button>
          </Row>
        ))}
        {error !== null && <Problem error={error} />}
        <Form
          className={styles.form ?? ""}
          validationErrors={faults.fields}
          onSubmit={(event) => {
            event.preventDefault()
            add.mutate(name)
          }}
        >
          <TextField label={words.passkeyName} name="name" value={name} onChange={setName} isRequired maxLength={100} />
          <Button type="submit" isPending={add.isPending}>
            {words.addPasskey}
          </Button>
        </Form>
      </Stack>
    </Card>
  )
}
