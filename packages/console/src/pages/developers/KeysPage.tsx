import type { ApiKey, ApiKeyWithKey, PosthornError, ProjectWithSecret } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { useNavigate, useRouter } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { accountApi } from "../../app/Api.ts"
import { NeedsRole } from "../../app/NeedsRole.tsx"
import { Page } from "../../app/Page.tsx"
import { useMissing, useMissingRole } from "../../app/Permission.ts"
import { useProject } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { readSigned } from "../../app/Start.ts"
import { Button, CopyText } from "../../kit/Button.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { ConfirmDialog, Dialog } from "../../kit/Dialog.tsx"
import { Card, Empty, Facts, Lines, Problem, Stack } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { Menu } from "../../kit/Menu.tsx"
import { notify } from "../../kit/notices.ts"
import { SecretOnce } from "../../kit/SecretOnce.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { KeyForm } from "./KeyForm.tsx"
import { keysRoute } from "./routes.ts"
import { presetOf } from "./scopes.ts"
import { developerWords } from "./words.ts"

const ProjectKeys = () => {
  const words = developerWords()
  const project = useProject()
  const router = useRouter()
  const missing = useMissing("ownProjects.regenerateKeys")
  const [isAsking, setAsking] = useState(false)
  const regenerate = useMutation<ProjectWithSecret, PosthornError>({
    mutationFn: () => accountApi.ownProjects.regenerateKeys(project.id).orThrow(),
    onSuccess: async () => {
      await readSigned()
      await router.invalidate()
    }
  })
  return (
    <Card
      title={words.projectKeys}
      actions={
        <Button missing={missing} isPending={regenerate.isPending} onPress={() => setAsking(true)}>
          {words.regenerate}
        </Button>
      }
    >
      <Stack>
        {regenerate.data !== undefined && (
          <SecretOnce name={words.newSecret} secret={regenerate.data.secret} file="posthorn-secret-key.txt" />
        )}
        {regenerate.error !== null && <Problem error={regenerate.error} />}
        <Facts
          facts={[
            [
              words.publicKey,
              <Lines key="public">
                <CopyText text={project.public} name={words.publicKey} />
                <span>{words.publicAbout}</span>
              </Lines>
            ],
            [words.secretKey, `${words.ends(project.secretHint)}. ${words.secretAbout}`]
          ]}
        />
      </Stack>
      <ConfirmDialog
        title={words.regenerate}
        action={words.regenerate}
        isDanger
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => regenerate.mutate()}
      >
        <p>{words.regenerateAbout}</p>
      </ConfirmDialog>
    </Card>
  )
}

export const KeysPage = (): ReactNode => {
  const words = developerWords()
  const { key: opened } = keysRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/keys" })
  const missing = useMissing("apiKeys.create")
  const mayNotRead = useMissingRole("apiKeys.list")
  const [shown, setShown] = useState<ApiKeyWithKey>()
  const [asked, setAsked] = useState<{ readonly kind: "rotate" | "revoke"; readonly apiKey: ApiKey }>()
  const keys = useRead(["keys"], (api, options) => api.apiKeys.list(options), {
    enabled: mayNotRead === null,
    every: 60_000
  })
  const rotate = useWrite((api, id: string) => api.apiKeys.rotate(id), { changes: ["keys"], onDone: setShown })
  const revoke = useWrite((api, { id }: ApiKey) => api.apiKeys.remove(id), {
    changes: ["keys"],
    onDone: (_, { name }) => notify(words.revoked(name))
  })
  const open = (key: string | undefined) => void navigate({ search: { key }, replace: true })
  const edited = opened === "new" ? undefined : keys.data?.find(({ id }) => id === opened)
  const isOpen = opened === "new" || edited !== undefined
  const error = keys.error ?? rotate.error ?? revoke.error
  const saved = (key: ApiKey | ApiKeyWithKey) => {
    open(undefined)
    if ("key" in key) setShown(key)
    else notify(words.saved)
  }
  return (
    <Page
      title={words.keys}
      actions={
        <Button kind="primary" missing={missing} onPress={() => open("new")}>
          {words.createKey}
        </Button>
      }
    >
      {shown !== undefined && (
        <SecretOnce key={shown.key} name={words.newKey(shown.name)} secret={shown.key} file="posthorn-api-key.txt" />
      )}
      {error !== null && (
        <Problem error={error} onRetry={error === keys.error ? () => void keys.refetch() : undefined} />
      )}
      <ProjectKeys />
      <h2>{words.apiKeys}</h2>
      {mayNotRead !== null ? (
        <NeedsRole role={mayNotRead} about={words.noKeys} />
      ) : keys.data?.length === 0 ? (
        <Empty about={words.noKeys} />
      ) : keys.data === undefined ? (
        error === null && <TableSkeleton rows={3} />
      ) : (
        <DataTable
          label={words.apiKeys}
          rows={keys.data}
          total={keys.data.length}
          rowName={({ name }) => name}
          columns={[
            { id: "name", name: words.name, cell: ({ name }) => <Foreign>{name}</Foreign> },
            {
              id: "mode",
              name: words.mode,
              isFit: true,
              cell: ({ mode }) => (
                <State shape={mode === "LIVE" ? "dot" : "ring"} tone={mode === "LIVE" ? "good" : "neutral"}>
                  {words.modes[mode]}
                </State>
              )
            },
            {
              id: "scopes",
              name: words.scopes,
              cell: ({ scopes }) => {
                const preset = presetOf(scopes)
                return preset === "own" ? scopes.join(", ") : words.presets[preset]
              }
            },
            { id: "hint", name: words.key, isFit: true, cell: ({ hint }) => <code>…{hint}</code> },
            {
              id: "used",
              name: words.lastUse,
              isFit: true,
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.unused : <Time at={lastUsedAt} />)
            },
            {
              id: "expires",
              name: words.expires,
              isFit: true,
              cell: ({ expiresAt }) => (expiresAt === null ? words.never : <Time at={expiresAt} />)
            },
            {
              id: "actions",
              name: words.edit,
              isNameHidden: true,
              isFit: true,
              cell: (apiKey) => (
                <Menu
                  actions={[
                    { id: "edit", name: words.editKey, onAction: () => open(apiKey.id) },
                    { id: "rotate", name: words.rotate, onAction: () => setAsked({ kind: "rotate", apiKey }) },
                    {
                      id: "revoke",
                      name: words.revoke,
                      isLast: true,
                      onAction: () => setAsked({ kind: "revoke", apiKey })
                    }
                  ]}
                />
              )
            }
          ]}
        />
      )}
      <Dialog
        title={edited === undefined ? words.createKey : words.editKey}
        isWide
        isOpen={isOpen}
        onOpenChange={(isStillOpen) => !isStillOpen && open(undefined)}
      >
        <KeyForm key={opened} apiKey={edited} onSaved={saved} />
      </Dialog>
      {asked !== undefined && (
        <ConfirmDialog
          title={asked.kind === "rotate" ? words.rotate : words.revoke}
          action={asked.kind === "rotate" ? words.rotate : words.revoke}
          isDanger={asked.kind === "revoke"}
          isOpen
          onOpenChange={() => setAsked(undefined)}
          onConfirm={() => (asked.kind === "rotate" ? rotate.mutate(asked.apiKey.id) : revoke.mutate(asked.apiKey))}
        >
          <p>
            <Foreign>
              {asked.kind === "rotate" ? words.rotateAbout(asked.apiKey.name) : words.revokeAbout(asked.apiKey.name)}
            </Foreign>
          </p>
        </ConfirmDialog>
      )}
    </Page>
  )
}
