import { Effect, Layer } from "effect"
import * as NodemailerPool from "../baselines/NodemailerPool.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { drained, handedOver, ofDisabled } from "./Draining.ts"

const projects = 4

export const row: Row = {
  id: "F4",
  title: "delivery of accepted mail by one worker",
  needsPostgres: true,
  conditions: [
    `${projects} projects; a pool of 20 connections on both sides; a sink on the same machine`,
    "from the first to the last 250, by the clock of the sink; each mail arrived once and has the status SENT",
    "signed with RSA-2048 and Ed25519, an HTML part of 3 kB and its text; tracked: link rewritten, pixel added",
    "baseline: nodemailer's pool, the same parts, signed with RSA-2048 alone, nothing stored"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const services = yield* Layer.build(Seed.core(Postgres.layer(database)))
    const senders = yield* Effect.provideContext(Seed.senders(projects), services)
    const sink = yield* Sink.start
    const worker = yield* Server.start({ name: "F4 worker", role: "worker", database, smtp: sink.url })
    const pool = yield* NodemailerPool.start

    return [
      {
        name: "drained",
        unit: "mails/s",
        target: ">= 1.0",
        posthorn: ({ mails }) => Effect.provideContext(drained(worker, sink, ofDisabled(senders), mails), services),
        baselines: {
          "nodemailer, RSA key as KeyObject": handedOver(pool, sink, "KeyObject"),
          "nodemailer, RSA key as PEM": handedOver(pool, sink, "PEM")
        }
      }
    ]
  })
}
