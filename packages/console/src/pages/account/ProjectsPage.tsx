import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { deployment } from "../../app/Deployment.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { DataTable } from "../../kit/DataTable.tsx"
import { Card, Empty } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { Foreign } from "../../kit/Text.tsx"
import { CreateProject } from "./CreateProject.tsx"
import { Invitations } from "./Invitations.tsx"
import { Outside } from "./Outside.tsx"
import { projectsRoute } from "./routes.ts"
import { accountWords } from "./words.ts"

const isServer = deployment.mode === "server"

export const ProjectsPage = (): ReactNode => {
  const words = accountWords()
  const { projects } = projectsRoute.useLoaderData()
  return (
    <Outside title={words.projects} isWide>
      {projects.length === 0 ? (
        <Empty about={isServer ? words.noProject : words.noProjectHere} />
      ) : (
        <DataTable
          label={words.projects}
          rows={projects}
          href={({ id }) => hrefOf(pathOf(id))}
          rowName={({ name }) => name}
          columns={[
            {
              id: "name",
              name: words.name,
              cell: ({ id, name }) => (
                <Link to="/p/$projectId" params={{ projectId: id }}>
                  <Foreign>{name}</Foreign>
                </Link>
              )
            },
            { id: "role", name: words.role, cell: ({ role }) => words.roles[role] },
            {
              id: "state",
              name: words.state,
              cell: ({ disabled }) => (
                <State shape={disabled ? "triangle" : "dot"} tone={disabled ? "bad" : "good"}>
                  {disabled ? words.disabled : words.active}
                </State>
              )
            }
          ]}
        />
      )}
      {isServer && (
        <>
          <Invitations />
          <Card title={words.createProject}>
            <CreateProject />
          </Card>
        </>
      )}
    </Outside>
  )
}
