import type { ActiveMember, PendingMember, PosthornError } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { accountApi } from "../../app/Api.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useOpened } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { readSigned } from "../../app/Start.ts"
import { Button } from "../../kit/Button.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { ConfirmDialog, Dialog } from "../../kit/Dialog.tsx"
import { Card, Facts, Problem } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { type Action, Menu } from "../../kit/Menu.tsx"
import { notify } from "../../kit/notices.ts"
import { Foreign, Time } from "../../kit/Text.tsx"
import { InviteForm } from "./InviteForm.tsx"
import { SettingsTabs } from "./SettingsTabs.tsx"
import { settingsWords } from "./words.ts"

interface Asked {
  readonly kind: "handOver" | "remove" | "leave"
  readonly member: ActiveMember
}

/** Leaves the project, and the console of the project. */
const useLeave = () => {
  const { project, user } = useOpened()
  const navigate = useNavigate()
  return useMutation<true, PosthornError>({
    mutationFn: () => accountApi.members.remove(project.id, user.id).orThrow(),
    onSuccess: async () => {
      localStorage.removeItem("posthorn.project")
      await navigate({ to: "/projects" })
      await readSigned()
    }
  })
}

const idOf = (member: ActiveMember | PendingMember) =>
  member.status === "ACTIVE" ? member.userId : member.invitationId

export const MembersPage = (): ReactNode => {
  const words = settingsWords()
  const { project, user } = useOpened()
  const mayNotInvite = useMissing("members.invite")
  const mayNotChange = useMissing("members.update")
  const [isInviting, setInviting] = useState(false)
  const [asked, setAsked] = useState<Asked>()
  const list = useRead(["members"], (api, options) => api.members.list(project.id, options))
  const change = useWrite(
    (api, { userId, role }: Pick<ActiveMember, "userId" | "role" | "email">) =>
      api.members.update(project.id, userId, { role }),
    {
      changes: ["members"],
      onDone: (_, { email, role }) =>
        notify(role === "OWNER" ? words.handedOver(email) : words.changed(email, words.roles[role]))
    }
  )
  const remove = useWrite((api, { userId }: ActiveMember) => api.members.remove(project.id, userId), {
    changes: ["members"],
    onDone: (_, { email }) => notify(words.removed(email))
  })
  const withdraw = useWrite(
    (api, { invitationId }: PendingMember) => api.invitations.remove(project.id, invitationId),
    {
      changes: ["members"],
      onDone: (_, { email }) => notify(words.withdrawn(email))
    }
  )
  const leave = useLeave()

  const actionsOf = (member: ActiveMember | PendingMember): ReadonlyArray<Action> => {
    if (member.status === "PENDING") {
      return mayNotInvite === null
        ? [{ id: "withdraw", name: words.withdraw, onAction: () => withdraw.mutate(member) }]
        : []
    }
    if (member.role === "OWNER") return []
    if (member.userId === user.id) {
      return [{ id: "leave", name: words.leave, onAction: () => setAsked({ kind: "leave", member }) }]
    }
    if (mayNotChange !== null) return []
    const { userId, email, role } = member
    const other = role === "ADMIN" ? ("MEMBER" as const) : ("ADMIN" as const)
    const isOwner = project.role === "OWNER"
    const isOffered = member.pendingRole !== undefined
    return [
      {
        id: "role",
        name: other === "ADMIN" ? words.makeAdmin : words.makeMember,
        onAction: () => change.mutate({ userId, email, role: other })
      },
      ...(isOwner && !isOffered
        ? [{ id: "owner", name: words.handOver, onAction: () => setAsked({ kind: "handOver", member }) }]
        : []),
      ...(isOwner && isOffered
        ? [{ id: "back", name: words.takeBack, onAction: () => change.mutate({ userId, email, role }) }]
        : []),
      {
        id: "remove",
        name: words.removeMember,
        isLast: true,
        onAction: () => setAsked({ kind: "remove", member })
      }
    ]
  }
  const error = list.error ?? change.error ?? remove.error ?? withdraw.error ?? leave.error
  const run = ({ kind, member }: Asked) => {
    if (kind === "leave") leave.mutate()
    else if (kind === "remove") remove.mutate(member)
    else change.mutate({ ...member, role: "OWNER" })
  }
  const titles = { handOver: words.handOver, remove: words.removeMember, leave: words.leave }
  const abouts = { handOver: words.handOverAbout, remove: words.removeMemberAbout, leave: () => words.leaveAbout }
  return (
    <Page
      title={words.members}
      actions={
        <Button kind="primary" missing={mayNotInvite} onPress={() => setInviting(true)}>
          {words.invite}
        </Button>
      }
    >
      <SettingsTabs current="members" />
      {error !== null && <Problem error={error} onRetry={() => void list.refetch()} />}
      {list.data === undefined ? (
        list.error === null && <TableSkeleton rows={3} />
      ) : (
        <DataTable
          label={words.members}
          rows={list.data.map((member) => ({ id: idOf(member), member }))}
          total={list.data.length}
          rowName={({ member }) => member.email}
          columns={[
            {
              id: "person",
              name: words.person,
              cell: ({ member }) => (
                <>
                  <Foreign>{member.email}</Foreign>
                  {member.userId === user.id && ` (${words.you})`}
                </>
              )
            },
            { id: "role", name: words.role, isFit: true, cell: ({ member }) => words.roles[member.role] },
            {
              id: "state",
              name: words.state,
              isFit: true,
              cell: ({ member }) =>
                member.status === "PENDING" ? (
                  <State shape="square" tone="warning">
                    {words.invitedUntil} <Time at={member.expiresAt} />
                  </State>
                ) : member.pendingRole !== undefined ? (
                  <State shape="ring" tone="warning">
                    {words.ownerPending}
                  </State>
                ) : (
                  <State shape="dot" tone="good">
                    {words.active}
                  </State>
                )
            },
            {
              id: "since",
              name: words.since,
              isFit: true,
              cell: ({ member }) => <Time at={member.status === "ACTIVE" ? member.createdAt : null} />
            },
            {
              id: "actions",
              name: words.actions,
              isNameHidden: true,
              isFit: true,
              cell: ({ member }) => {
                const actions = actionsOf(member)
                return actions.length > 0 && <Menu actions={actions} />
              }
            }
          ]}
        />
      )}
      <Card title={words.rolesAbout}>
        <Facts
          facts={(["MEMBER", "ADMIN", "OWNER"] as const).map((role) => [words.roles[role], words.rolesMay[role]])}
        />
      </Card>
      <Dialog title={words.invite} isOpen={isInviting} onOpenChange={setInviting}>
        <InviteForm onDone={() => setInviting(false)} />
      </Dialog>
      {asked !== undefined && (
        <ConfirmDialog
          title={titles[asked.kind]}
          action={titles[asked.kind]}
          isDanger={asked.kind !== "handOver"}
          isOpen
          onOpenChange={() => setAsked(undefined)}
          onConfirm={() => run(asked)}
        >
          <p>
            <Foreign>{abouts[asked.kind](asked.member.email)}</Foreign>
          </p>
        </ConfirmDialog>
      )}
    </Page>
  )
}
