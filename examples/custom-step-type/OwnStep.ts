/** A custom step type: the endpoint that a WEBHOOK step calls, as a function of one run of the step for a contact. */
import { verifyWebhook } from "@posthorn/client"

/** The payload of a WEBHOOK step without its own `body`. */
export interface Visit {
  readonly contact: { readonly id: string; readonly email: string; readonly data: Readonly<Record<string, unknown>> }
  /** The data of the event that started the execution, and the variables of the execution. */
  readonly event: Readonly<Record<string, unknown>>
}

/**
 * Runs `work` once for each run of the step and responds with its result, which becomes the output of the step. If the
 * work fails, Posthorn retries five times within 40 minutes, with the same id of the run.
 *
 * The results are kept in this process. If the work must not run again after a restart, store the visit in the
 * transaction of the work.
 */
export const ownStep = (secret: string, work: (visit: Visit) => Promise<unknown>) => {
  const done = new Map<string, Promise<unknown>>()
  return async (request: Request): Promise<Response> => {
    const id = request.headers.get("webhook-id") ?? ""
    const visit = await verifyWebhook<Visit>(await request.text(), request.headers, secret).catch(() => undefined)
    if (visit === undefined) return new Response("Not signed by Posthorn.", { status: 401 })
    const result = done.get(id) ?? work(visit)
    done.set(id, result)
    try {
      return Response.json(await result)
    } catch (error) {
      done.delete(id)
      return new Response(String(error), { status: 500 })
    }
  }
}
