import type { PosthornError, ProjectWithSecret } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { Link, useRouter } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Form } from "react-aria-components/Form"
import { accountApi } from "../../app/Api.ts"
import { readSigned } from "../../app/Start.ts"
import { Button } from "../../kit/Button.tsx"
import { buttonClass } from "../../kit/buttonClass.ts"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Problem, Stack } from "../../kit/Layout.tsx"
import { SecretOnce } from "../../kit/SecretOnce.tsx"
import { Foreign } from "../../kit/Text.tsx"
import { accountWords } from "./words.ts"

export const CreateProject = (): ReactNode => {
  const words = accountWords()
  const router = useRouter()
  const create = useMutation<ProjectWithSecret, PosthornError, string>({
    mutationFn: (name) => accountApi.users.createProject({ name }).orThrow(),
    onSuccess: async () => {
      await readSigned()
      await router.invalidate()
    }
  })
  const faults = faultsOf(create.error, ["name"])
  if (create.data !== undefined) {
    const { id, name, secret } = create.data
    return (
      <Stack>
        <p>
          <Foreign>{words.created(name)}</Foreign>
        </p>
        <SecretOnce name={words.secretKey} secret={secret} file="posthorn-secret-key.txt" />
        <Link to="/p/$projectId" params={{ projectId: id }} className={buttonClass("primary")}>
          {words.open}
        </Link>
      </Stack>
    )
  }
  return (
    <Form
      className={styles.form ?? ""}
      validationErrors={faults.fields}
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate(String(new FormData(event.currentTarget).get("name")))
      }}
    >
      <TextField label={words.projectName} name="name" isRequired maxLength={100} />
      {faults.rest !== null && <Problem error={faults.rest} />}
      <Button kind="primary" type="submit" isPending={create.isPending}>
        {words.createProject}
      </Button>
    </Form>
  )
}
