/** Loaded before a program, it makes it the later version. */
import { migrations } from "@posthorn/core/platform/migrations/index"
import { migration, name } from "./LaterVersion.ts"

Object.assign(migrations, { [name]: migration })
