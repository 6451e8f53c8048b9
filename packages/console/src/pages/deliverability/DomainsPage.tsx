import { Link, useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { TextField } from "../../kit/Field.tsx"
import { Empty, Problem } from "../../kit/Layout.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { DomainState } from "./DomainState.tsx"
import { deliverabilityWords } from "./words.ts"

const AddDomain = ({ onAdded }: { readonly onAdded: (id: string) => void }) => {
  const words = deliverabilityWords()
  const add = useWrite((api, domain: string) => api.domains.add({ domain }), {
    changes: ["domains", "overview"],
    onDone: ({ id }) => onAdded(id)
  })
  const faults = faultsOf(add.error, ["domain"])
  return (
    <DialogForm
      faults={faults}
      submit={words.add}
      isPending={add.isPending}
      onSubmit={(form) => add.mutate(String(new FormData(form).get("domain")).trim())}
    >
      <TextField label={words.domain} name="domain" help={words.domainHelp} isRequired autoFocus />
    </DialogForm>
  )
}

export const DomainsPage = (): ReactNode => {
  const words = deliverabilityWords()
  const projectId = useProjectId()
  const navigate = useNavigate()
  const missing = useMissing("domains.add")
  const [isAdding, setAdding] = useState(false)
  const domains = useRead(["domains"], (api, options) => api.domains.list(projectId, options), { every: 15_000 })
  const add = (
    <Button kind="primary" missing={missing} onPress={() => setAdding(true)}>
      {words.addDomain}
    </Button>
  )
  return (
    <Page title={words.domains} actions={domains.data?.length === 0 ? undefined : add}>
      {domains.error !== null ? (
        <Problem error={domains.error} onRetry={() => void domains.refetch()} />
      ) : domains.data === undefined ? (
        <TableSkeleton rows={3} />
      ) : domains.data.length === 0 ? (
        <Empty about={words.noDomains} action={add} />
      ) : (
        <DataTable
          label={words.domains}
          rows={domains.data}
          total={domains.data.length}
          href={({ id }) => hrefOf(pathOf(projectId, "domains", id))}
          rowName={({ domain }) => domain}
          columns={[
            {
              id: "domain",
              name: words.domain,
              cell: ({ id, domain }) => (
                <Link to="/p/$projectId/domains/$domainId" params={{ projectId, domainId: id }}>
                  <Foreign>{domain}</Foreign>
                </Link>
              )
            },
            { id: "state", name: words.state, isFit: true, cell: ({ status }) => <DomainState status={status} /> },
            { id: "links", name: words.linkHost, cell: ({ linkHost }) => <Foreign>{linkHost?.host}</Foreign> },
            {
              id: "checked",
              name: words.checked,
              isFit: true,
              cell: ({ lastCheckedAt }) => <Time at={lastCheckedAt} />
            }
          ]}
        />
      )}
      <Dialog title={words.addDomain} isOpen={isAdding} onOpenChange={setAdding}>
        <AddDomain
          onAdded={(domainId) => {
            setAdding(false)
            void navigate({ to: "/p/$projectId/domains/$domainId", params: { projectId, domainId } })
          }}
        />
      </Dialog>
    </Page>
  )
}
