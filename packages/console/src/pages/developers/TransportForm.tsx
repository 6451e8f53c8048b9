import type { Transport } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { useWrite } from "../../app/Queries.ts"
import { DialogForm } from "../../kit/DialogForm.tsx"
import { faultsOf } from "../../kit/Faults.ts"
import { Checkbox, Select, TextField } from "../../kit/Field.tsx"
import { Pair } from "../../kit/Layout.tsx"
import { developerWords } from "./words.ts"

interface TransportFormProps {
  readonly transport?: Transport | undefined
  readonly onSaved: () => void
}

const ports = [465, 587, 2465, 2525, 2587, 25]

/** Saving opens a session with the server first, so a transport that is stored has worked. */
export const TransportForm = ({ transport, onSaved }: TransportFormProps): ReactNode => {
  const words = developerWords()
  const [fields, setFields] = useState({
    name: transport?.name ?? "",
    host: transport?.host ?? "",
    port: transport?.port ?? 465,
    tls: transport?.tls ?? ("IMPLICIT" as Transport["tls"]),
    user: transport?.user ?? "",
    password: "",
    pool: transport?.pool ?? 5,
    enabled: transport?.enabled ?? true
  })
  const set = (change: Partial<typeof fields>) => setFields({ ...fields, ...change })
  const save = useWrite<Transport>(
    (api) => {
      const { user, password, ...rest } = fields
      const login = { user: user || null, ...((password !== "" || user === "") && { password: password || null }) }
      return transport === undefined
        ? api.transports.create({ ...rest, ...login })
        : api.transports.update(transport.id, { ...rest, ...login })
    },
    { changes: ["transports"], onDone: onSaved }
  )
  const faults = faultsOf(save.error, ["name", "host", "port", "tls", "user", "password", "pool"])
  return (
    <DialogForm
      faults={faults}
      submit={transport === undefined ? words.create : words.save}
      isPending={save.isPending}
      onSubmit={() => save.mutate()}
    >
      <TextField
        label={words.name}
        name="name"
        value={fields.name}
        onChange={(name) => set({ name })}
        isRequired
        autoFocus
      />
      <Pair>
        <TextField label={words.host} name="host" value={fields.host} onChange={(host) => set({ host })} isRequired />
        <Select
          label={words.port}
          value={String(fields.port)}
          choices={ports.map((port) => ({ id: String(port), name: String(port) }))}
          onChange={(id) => set({ port: Number(id), tls: id === "465" || id === "2465" ? "IMPLICIT" : "STARTTLS" })}
          fault={faults.fields["port"]?.[0]}
        />
        <Select
          label={words.tls}
          value={fields.tls}
          choices={(["IMPLICIT", "STARTTLS"] as const).map((id) => ({ id, name: words.tlsKinds[id] }))}
          onChange={(tls) => set({ tls })}
          fault={faults.fields["tls"]?.[0]}
        />
      </Pair>
      <Pair>
        <TextField
          label={words.user}
          name="user"
          value={fields.user}
          onChange={(user) => set({ user })}
          autoComplete="off"
        />
        <TextField
          label={words.password}
          name="password"
          type="password"
          value={fields.password}
          onChange={(password) => set({ password })}
          help={transport?.hasPassword ? words.passwordKept : undefined}
          autoComplete="new-password"
        />
      </Pair>
      <TextField
        label={words.pool}
        name="pool"
        type="number"
        min={1}
        max={50}
        value={String(fields.pool)}
        onChange={(text) => set({ pool: Number(text) })}
      />
      <Checkbox isSelected={fields.enabled} onChange={(enabled) => set({ enabled })}>
        {words.enabled}
      </Checkbox>
    </DialogForm>
  )
}
