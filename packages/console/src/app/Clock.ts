/** The clock of the service, which a developer can move. It is the clock of this browser plus a difference. */

let offset = 0

/** Takes the time of an answer. The header has whole seconds, so smaller differences are ignored. */
export const setClock = (date: string | null): void => {
  const server = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(server)) return
  const difference = server - Date.now()
  offset = Math.abs(difference) < 2_000 ? 0 : difference
}

/** Milliseconds since 1970 by the clock of the service. */
export const now = (): number => Date.now() + offset
