import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Peer from "./Peer.ts"
import * as SmtpPool from "./SmtpPool.ts"
import * as SmtpSession from "./SmtpSession.ts"
import { envelope, makeSink, small, until } from "./testing/SinkFixture.ts"

const peerOf = ({ port }: { readonly port: number }) =>
  Peer.make("smtp1", { host: "127.0.0.1", port, pool: 5, tls: "none", verify: true })

describe("SmtpPool", () => {
  it.effect("ends an idle session with QUIT after a while, and opens another for the next mail", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink()
      const pool = yield* SmtpPool.make(SmtpSession.open(peerOf(sink)), 20)
      yield* pool.send(envelope, small)
      yield* until(() => sink.openConnections() === 0)
      assert.strictEqual(sink.commands.at(-1), "QUIT")
      yield* pool.send(envelope, small)
      assert.deepStrictEqual([sink.accepted(), sink.connections()], [2, 2])
    })
  )

  it.effect("removes an idle session that the peer ends", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ misbehave: ({ stage }) => (stage === "accepted" ? { drop: true } : undefined) })
      const pool = yield* SmtpPool.make(SmtpSession.open(peerOf(sink)))
      for (const connections of [1, 2, 3]) {
        yield* pool.send(envelope, small)
        yield* until(() => sink.openConnections() === 0)
        assert.strictEqual(sink.connections(), connections)
      }
    })
  )
})
