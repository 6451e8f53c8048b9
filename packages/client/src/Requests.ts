/** The function behind every method: it adds who calls and the Idempotency-Key, sends the request and retries it. */
import { type Answer, type Call, callOf, type Failure, failed } from "./Answer.ts"
import { attempt, type Prepared } from "./Attempt.ts"
import type { KeyedCallOptions, RequestOptions } from "./Options.ts"
import { delayOf, isPassing, pause } from "./Retry.ts"

export interface Input {
  readonly query?: object | undefined
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string } | undefined
  readonly options?: KeyedCallOptions | undefined
  /** Uses the public key instead of the secret one. */
  readonly publicKey?: true
  /** Sends an Idempotency-Key. */
  readonly keyed?: true
  /** Sends the body as a form, because it contains a file. */
  readonly form?: true
  /** Returns bytes if the answer is not JSON. */
  readonly bytes?: true
  /** Returns a stream of bytes. */
  readonly stream?: true
}

export type Caller = <A>(method: string, route: string, input: Input) => Call<A>

/** A path with encoded parameters; empty if one of them would change the path. */
export const path = (fixed: TemplateStringsArray, ...parameters: ReadonlyArray<string>): string =>
  parameters.some((parameter) => /^\.{0,2}$/.test(parameter))
    ? ""
    : String.raw(fixed, ...parameters.map((parameter) => encodeURIComponent(String(parameter).toWellFormed())))

const queryOf = (query: object): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

const formOf = (body: object): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) form.append(name, value instanceof Blob ? value : String(value))
  }
  return form
}

/** 128 random bits; `crypto.randomUUID` is missing on pages without https. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

interface Identity {
  /** The headers that say who calls. */
  readonly headers: { readonly [name: string]: string }
}

/** Who makes a call, or why nobody can. */
export type Identify = (call: string, input: Input) => Identity | Failure

export const callerOf = (settings: RequestOptions, identify: Identify): Caller => {
  const { baseUrl = "http://127.0.0.1:3000", fetch = globalThis.fetch } = settings

  const requestOf = (
    method: string,
    route: string,
    identity: Identity,
    { query, body, headers: more, options, bytes, stream, form }: Input
  ): Prepared => {
    const headers = new Headers({ ...more, ...identity.headers })
    if (body !== undefined && !form) {
      headers.set("content-type", "application/json")
      if (settings.strict !== false) headers.set("prefer", "handling=strict")
    }
    return {
      url: baseUrl.replace(/\/+$/, "") + route + queryOf(query ?? {}),
      init: { method, headers, body: form ? formOf(Object(body)) : body === undefined ? null : JSON.stringify(body) },
      timeoutMs: options?.timeoutMs ?? settings.timeoutMs ?? 30_000,
      signal: options?.signal,
      reads: stream ? "stream" : bytes ? "bytes" : "json"
    }
  }

  /** Retries until the answer is final. A retry with a key asks for the stored answer of the first attempt. */
  const settle = async <A>(request: Prepared, repeatable: boolean, retries: number): Promise<Answer<A>> => {
    const { headers } = request.init
    for (let tries = 1; ; tries++) {
      const { answer, retryAfter } = await attempt<A>(fetch, request)
      if (answer.error === null || !repeatable || tries > retries || !isPassing(answer.error, tries > 1)) return answer
      const delay = delayOf(tries, retryAfter, Math.random())
      if (delay === undefined) return answer
      await pause(delay, request.signal)
      if (headers.has("idempotency-key")) headers.set("idempotency-mode", "replay")
    }
  }

  const answerTo = async <A>(method: string, route: string, input: Input): Promise<Answer<A>> => {
    if (route === "") return failed({ code: "INVALID_ARGUMENT", message: "A parameter of the path is empty." })
    const identity = identify(`${method} ${route}`, input)
    if ("code" in identity) return failed(identity)
    const { options = {}, keyed } = input
    try {
      const request = requestOf(method, route, identity, input)
      if (keyed) request.init.headers.set("idempotency-key", options.idempotencyKey ?? newKey())
      if (keyed && options.idempotencyMode) request.init.headers.set("idempotency-mode", options.idempotencyMode)
      const repeatable = keyed === true || !/^(?:POST|PATCH)$/.test(method)
      return await settle(request, repeatable, options.retries ?? settings.retries ?? 2)
    } catch (error) {
      return failed({ code: "INVALID_ARGUMENT", message: String(error) })
    }
  }

  return (method, route, input) => callOf(answerTo(method, route, input))
}
