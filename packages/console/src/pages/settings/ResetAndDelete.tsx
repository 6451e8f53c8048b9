/** What only the owner may do, and what cannot be undone. */
import type { PosthornError } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { useNavigate, useRouter } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { accountApi } from "../../app/Api.ts"
import { useMissing } from "../../app/Permission.ts"
import { useProject } from "../../app/Project.tsx"
import { queryClient } from "../../app/Queries.ts"
import { readSigned } from "../../app/Start.ts"
import { Button } from "../../kit/Button.tsx"
import { ConfirmDialog } from "../../kit/Dialog.tsx"
import { Card, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { settingsWords } from "./words.ts"

export const ResetAndDelete = (): ReactNode => {
  const words = settingsWords()
  const { id, name } = useProject()
  const navigate = useNavigate()
  const router = useRouter()
  const mayNotReset = useMissing("ownProjects.reset")
  const mayNotRemove = useMissing("ownProjects.remove")
  const [asked, setAsked] = useState<"reset" | "remove">()
  const reset = useMutation({
    mutationFn: () => accountApi.ownProjects.reset(id).orThrow(),
    onSuccess: async ({ state }) => {
      await readSigned()
      await router.invalidate()
      await queryClient.invalidateQueries({ queryKey: [id] })
      notify(state === "completed" ? words.resetDone : words.resetRunning)
    }
  })
  const remove = useMutation<true, PosthornError>({
    mutationFn: () => accountApi.ownProjects.remove(id).orThrow(),
    onSuccess: async () => {
      localStorage.removeItem("posthorn.project")
      await navigate({ to: "/projects" })
      queryClient.removeQueries({ queryKey: [id] })
      await readSigned()
      await router.invalidate()
    }
  })
  const error = reset.error ?? remove.error
  return (
    <Card title={words.danger}>
      <Stack>
        {error !== null && <Problem error={error} />}
        <p>{words.resetAbout}</p>
        <Row>
          <Button missing={mayNotReset} isPending={reset.isPending} onPress={() => setAsked("reset")}>
            {words.reset}
          </Button>
        </Row>
        <p>{words.removeAbout}</p>
        <Row>
          <Button missing={mayNotRemove} isPending={remove.isPending} onPress={() => setAsked("remove")}>
            {words.remove}
          </Button>
        </Row>
      </Stack>
      {asked !== undefined && (
        <ConfirmDialog
          title={words[asked]}
          action={words[asked]}
          typed={name}
          isDanger
          isOpen
          onOpenChange={() => setAsked(undefined)}
          onConfirm={() => (asked === "reset" ? reset.mutate() : remove.mutate())}
        >
          <p>{asked === "reset" ? words.resetAbout : words.removeAbout}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
