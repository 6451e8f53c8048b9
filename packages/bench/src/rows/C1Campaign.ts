import { Effect } from "effect"
import * as NodemailerPool from "../baselines/NodemailerPool.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row } from "../Row.ts"
import * as Campaigning from "./Campaigning.ts"
import { handedOver } from "./Draining.ts"

export const row: Row = {
  id: "C1",
  title: "a campaign, from its send to the last 250",
  needsPostgres: true,
  conditions: [
    "one project, one worker, a pool of 20 connections on both sides; a sink on the same machine",
    "all steps: the audience is fixed, each contact is checked again, each mail is rendered, signed and recorded",
    "baseline: nodemailer's pool from the first to the last 250, the same parts, signed with RSA-2048 alone"
  ],
  cases: Effect.gen(function* () {
    const stage = yield* Campaigning.stage("C1", Sink.start, 20)
    const pool = yield* NodemailerPool.start
    return [
      {
        name: "sent",
        unit: "mails/s",
        target: ">= 1.0; >= 600/s",
        posthorn: Campaigning.sent(stage),
        baselines: { "nodemailer, RSA key as KeyObject": handedOver(pool, stage.sink, "KeyObject") }
      }
    ]
  })
}
