/**
 * An OAuth 2.0 provider on a loopback port, as strict as the real ones: it accepts a code once, from the client that it
 * was issued to, with the same redirect URI and the verifier of its challenge (RFC 6749 4.1, RFC 7636 4.6).
 */
import { createHash, randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, type Scope } from "effect"
import { localServer } from "./LocalServer.ts"

/** A person at the provider: the answers of its resources, by path. */
export interface Person {
  readonly [path: string]: unknown
}

export interface ProviderStub {
  readonly url: string
  /** The URL that the browser is redirected to, with a code if the person agreed, or with an error. */
  readonly visit: (authorizationUrl: string, person: Person | "access_denied") => string
  /** Answers the next requests with this status, until it is set to 200. */
  readonly fail: (status: number) => void
}

interface Code {
  readonly person: Person
  readonly challenge: string
  readonly clientId: string
  readonly redirectUri: string
  readonly nonce: string | null
}

/**
 * An ID token with a dummy signature. A client that gets it over TLS need not verify it (OpenID Connect Core 1.0,
 * 3.1.3.7).
 */
const idToken = (claims: object): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  return `${part({ alg: "RS256" })}.${part(claims)}.${Buffer.from("signature").toString("base64url")}`
}

const bodyOf = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

export const providerStub = (client: {
  readonly id: string
  readonly secret: string
}): Effect.Effect<ProviderStub, never, Scope.Scope> =>
  Effect.gen(function* () {
    const codes = new Map<string, Code>()
    const tokens = new Map<string, Person>()
    let failing = 200

    const exchange = (form: URLSearchParams, authorization = ""): object => {
      const basic = Buffer.from(authorization.replace(/^Basic /i, ""), "base64")
        .toString()
        .split(":")
      const [id, secret] =
        authorization === ""
          ? [form.get("client_id"), form.get("client_secret")]
          : basic.map((text) => decodeURIComponent(text.replaceAll("+", " ")))
      const found = codes.get(form.get("code") ?? "")
      codes.delete(form.get("code") ?? "")
      const isRight =
        found !== undefined &&
        form.get("grant_type") === "authorization_code" &&
        id === found.clientId &&
        secret === client.secret &&
        form.get("redirect_uri") === found.redirectUri &&
        createHash("sha256")
          .update(form.get("code_verifier") ?? "")
          .digest("base64url") === found.challenge
      if (!isRight) return { error: "bad_verification_code" }
      const token = randomUUID()
      tokens.set(token, found.person)
      const about = found.person["id_token"]
      const seconds = Math.floor(Date.now() / 1_000)
      const claims = {
        iss: url(),
        aud: client.id,
        sub: "one",
        iat: seconds,
        exp: seconds + 60,
        nonce: found.nonce,
        ...(typeof about === "object" && about)
      }
      return {
        access_token: token,
        token_type: "bearer",
        ...(about !== undefined && { id_token: idToken(claims) })
      }
    }

    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const json = (status: number, body: unknown) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      if (failing !== 200) return json(failing, { message: "Not now" })
      if (request.method === "POST") {
        return json(200, exchange(await bodyOf(request), request.headers.authorization))
      }
      if (request.url === "/.well-known/openid-configuration") {
        return json(200, {
          issuer: url(),
          authorization_endpoint: "https://provider.example/authorize",
          token_endpoint: `${url()}/token`,
          userinfo_endpoint: `${url()}/userinfo`,
          jwks_uri: `${url()}/keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"]
        })
      }
      const person = tokens.get(/^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "")
      return person === undefined ? json(401, {}) : json(200, person[request.url ?? ""])
    }

    const port: number = yield* localServer((request, response) => void answer(request, response))

    const url = () => `http://127.0.0.1:${port}`

    const visit = (authorizationUrl: string, person: Person | "access_denied") => {
      const { searchParams: query } = new URL(authorizationUrl)
      const back = new URL(query.get("redirect_uri") ?? "")
      back.searchParams.set("state", query.get("state") ?? "")
      if (person === "access_denied") {
        back.searchParams.set("error", person)
      } else {
        const code = randomUUID()
        const challenge = query.get("code_challenge_method") === "S256" ? (query.get("code_challenge") ?? "") : ""
        codes.set(code, {
          person,
          challenge,
          clientId: query.get("client_id") ?? "",
          redirectUri: query.get("redirect_uri") ?? "",
          nonce: query.get("nonce")
        })
        back.searchParams.set("code", code)
      }
      return `${back.pathname}${back.search}`
    }

    return {
      url: url(),
      visit,
      fail: (status) => {
        failing = status
      }
    }
  })
