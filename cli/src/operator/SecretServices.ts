/** Re-encrypts what the secrets of the installation encrypted, directly in the database. */

import * as ErasureKeys from "@posthorn/core/audience/suppression/ErasureKeys"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import * as SecretBox from "@posthorn/core/platform/SecretBox"
import * as SecretRotation from "@posthorn/core/service/secrets/SecretRotation"
import { platform } from "@posthorn/node/Host"
import * as SecretFile from "@posthorn/node/SecretFile"
import { Effect, Layer } from "effect"
import * as OperatorDatabase from "./OperatorDatabase.ts"

/** The database must have the schema of this version. Nothing is migrated implicitly. */
export const layer = (dataDir: string | undefined) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const config = yield* OperatorDatabase.config(dataDir)
      yield* OperatorDatabase.existing(config)
      return SecretRotation.layer.pipe(
        Layer.provide([ErasureKeys.layerSql, SecretBox.layer]),
        Layer.provide(SecretFile.layer(config)),
        Layer.provide(platform),
        Layer.merge(OperatorDatabase.logs(config)),
        Layer.provide(Layer.provideMerge(Migrations.layerCheck, OperatorDatabase.layer(config)))
      )
    })
  )
