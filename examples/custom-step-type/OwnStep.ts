/** A kind of step of one's own: what a WEBHOOK step calls, as a function of who stands at it. */
import { verifyWebhook } from "@posthorn/client"

/** What a WEBHOOK step without a `body` of its own tells. */
export interface Visit {
  readonly contact: { readonly id: string; readonly email: string; readonly data: Readonly<Record<string, unknown>> }
  /** Data of the event that started the execution, and its own variables. */
  readonly event: Readonly<Record<string, unknown>>
}

/**
 * Runs `work` once for each visit and answers with what it gives, which becomes the step's output. Work that fails is
 * tried again by Posthorn: five times within 40 minutes, as the same visit.
 *
 * What was done is kept in this process. Where it must be done once for good, store the visit in the transaction of the
 * work.
 */
export const ownStep = (secret: string, work: (visit: Visit) => Promise<unknown>) => {
  const done = new Map<string, Promise<unknown>>()
  return async (request: Request): Promise<Response> => {
    const id = request.headers.get("webhook-id") ?? ""
    const visit = await verifyWebhook(await request.text(), request.headers, secret).catch(() => undefined)
    if (visit === undefined) return new Response("Not signed by Posthorn.", { status: 401 })
    const result = done.get(id) ?? work(visit as Visit)
    done.set(id, result)
    try {
      return Response.json(await result)
    } catch (error) {
      done.delete(id)
      return new Response(String(error), { status: 500 })
    }
  }
}
