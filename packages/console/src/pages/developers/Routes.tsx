/** Which mails take which transport: ordered rules, replaced as a whole. */
import type { Transport, TransportRoute } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { Checkbox, Select } from "../../kit/Field.tsx"
import { Bar, Card, Pair, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { developerWords } from "./words.ts"

interface RouteRowProps {
  readonly route: TransportRoute
  readonly transports: ReadonlyArray<Transport>
  readonly domains: ReadonlyArray<string>
  readonly onChange: (route: TransportRoute) => void
  readonly children: ReactNode
}

const RouteRow = ({ route, transports, domains, onChange, children }: RouteRowProps) => {
  const words = developerWords()
  const set = (change: Partial<TransportRoute>) => onChange({ ...route, ...change })
  return (
    <Card>
      <Stack>
        <Pair>
          <Select
            label={words.senderDomain}
            value={route.senderDomain ?? ""}
            choices={[{ id: "", name: words.anyDomain }, ...domains.map((id) => ({ id, name: id }))]}
            onChange={(id) => set({ senderDomain: id || null })}
          />
          <Select
            label={words.type}
            value={route.type ?? ""}
            choices={[
              { id: "" as const, name: words.anyType },
              ...(["TRANSACTIONAL", "MARKETING", "HEADLESS"] as const).map((id) => ({ id, name: words.types[id] }))
            ]}
            onChange={(id) => set({ type: id === "" ? null : id })}
          />
          <Select
            label={words.source}
            value={route.sourceType ?? ""}
            choices={[
              { id: "" as const, name: words.anySource },
              ...(["TRANSACTIONAL", "CAMPAIGN", "WORKFLOW"] as const).map((id) => ({ id, name: words.sources[id] }))
            ]}
            onChange={(id) => set({ sourceType: id === "" ? null : id })}
          />
          <Select
            label={words.by}
            value={route.transportIds[0] ?? null}
            choices={transports.map(({ id, name }) => ({ id, name }))}
            onChange={(id) => set({ transportIds: [id, ...route.transportIds.slice(1).filter((each) => each !== id)] })}
          />
        </Pair>
        <Row>
          <Checkbox isSelected={route.fallbackToServer} onChange={(fallbackToServer) => set({ fallbackToServer })}>
            {words.fallback}
          </Checkbox>
          {children}
        </Row>
      </Stack>
    </Card>
  )
}

const Editor = ({
  saved,
  transports
}: {
  readonly saved: ReadonlyArray<TransportRoute>
  readonly transports: ReadonlyArray<Transport>
}) => {
  const words = developerWords()
  const projectId = useProjectId()
  const missing = useMissing("transports.setRoutes")
  const [routes, setRoutes] = useState(saved)
  const domains = useRead(["domains"], (api, options) => api.domains.list(projectId, options))
  const save = useWrite((api) => api.transports.setRoutes({ routes }), {
    changes: ["transports"],
    onDone: () => notify(words.saved)
  })
  const first = transports[0]
  const replace = (at: number, route: TransportRoute) =>
    setRoutes(routes.map((each, index) => (index === at ? route : each)))
  const up = (at: number) => setRoutes(routes.toSpliced(at, 1).toSpliced(at - 1, 0, ...routes.slice(at, at + 1)))
  return (
    <Stack>
      <p>{words.routesAbout}</p>
      {routes.map((route, index) => (
        <RouteRow
          key={index}
          route={route}
          transports={transports}
          domains={domains.data?.map(({ domain }) => domain) ?? []}
          onChange={(changed) => replace(index, changed)}
        >
          {index > 0 && (
            <Button kind="quiet" onPress={() => up(index)}>
              {words.up}
            </Button>
          )}
          <Button kind="quiet" onPress={() => setRoutes(routes.toSpliced(index, 1))}>
            {words.removeRoute}
          </Button>
        </RouteRow>
      ))}
      {save.error !== null && <Problem error={save.error} />}
      <Row>
        {first !== undefined && (
          <Button
            onPress={() =>
              setRoutes([
                ...routes,
                { senderDomain: null, type: null, sourceType: null, transportIds: [first.id], fallbackToServer: true }
              ])
            }
          >
            {words.addRoute}
          </Button>
        )}
        <Button missing={missing} isPending={save.isPending} onPress={() => save.mutate()}>
          {words.saveRoutes}
        </Button>
      </Row>
    </Stack>
  )
}

export const Routes = ({ transports }: { readonly transports: ReadonlyArray<Transport> }): ReactNode => {
  const words = developerWords()
  const routes = useRead(["transports", "routes"], (api, options) => api.transports.routes(options))
  return (
    <Card title={words.routes}>
      {routes.error !== null ? (
        <Problem error={routes.error} onRetry={() => void routes.refetch()} />
      ) : routes.data === undefined ? (
        <Bar height={120} />
      ) : (
        <Editor key={JSON.stringify(routes.data)} saved={routes.data.routes} transports={transports} />
      )}
    </Card>
  )
}
