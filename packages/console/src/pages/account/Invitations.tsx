/** Invitations to projects of others. */
import type { PosthornError, ReceivedInvitation } from "@posthorn/client/session"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { accountApi } from "../../app/Api.ts"
import { readSigned } from "../../app/Start.ts"
import { Button } from "../../kit/Button.tsx"
import { Card, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { Foreign } from "../../kit/Text.tsx"
import { accountWords } from "./words.ts"

export const Invitations = (): ReactNode => {
  const words = accountWords()
  const router = useRouter()
  const list = useQuery<ReadonlyArray<ReceivedInvitation>, PosthornError>({
    queryKey: ["own-invitations"],
    queryFn: ({ signal }) => accountApi.ownInvitations.list({ signal }).orThrow()
  })
  const answer = useMutation<unknown, PosthornError, { readonly id: string; readonly accepts: boolean }>({
    mutationFn: ({ id, accepts }) => accountApi.ownInvitations[accepts ? "accept" : "decline"](id).orThrow(),
    onSuccess: async () => {
      await readSigned()
      await list.refetch()
      await router.invalidate()
    }
  })
  if (list.data === undefined || list.data.length === 0) return null
  return (
    <Card title={words.invitations}>
      <Stack>
        {list.data.map(({ id, kind, projectName, role }) => (
          <Row key={id}>
            <Foreign>{kind === "OWNERSHIP" ? words.offered(projectName) : words.invited(projectName, role)}</Foreign>
            <Button isPending={answer.isPending} onPress={() => answer.mutate({ id, accepts: true })}>
              {words.accept}
            </Button>
            <Button kind="quiet" isPending={answer.isPending} onPress={() => answer.mutate({ id, accepts: false })}>
              {words.decline}
            </Button>
          </Row>
        ))}
        {answer.error !== null && <Problem error={answer.error} />}
      </Stack>
    </Card>
  )
}
