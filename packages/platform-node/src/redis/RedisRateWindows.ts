/** The windows of rate limits on Redis, so that busy servers do not write them to the database. */
import { RateWindows, type Reservation } from "@posthorn/core/platform/http/RateWindows"
import { createClient, defineScript } from "@redis/client"
import { Data, Duration, Effect, Layer, Redacted } from "effect"
import { withoutLogin } from "../postgres/Postgres.ts"
import { inRealTime } from "../RealTime.ts"

/** Redis does not answer at the start. */
export class RedisRefused extends Data.TaggedError("RedisRefused")<{ readonly message: string }> {}

/** How long a start waits for Redis. */
const patience = Duration.seconds(5)
/** How long a reservation waits. Requests pass if there is no answer. */
const reservationPatience = Duration.millis(500)
/** The longest pause before a lost connection is opened again. */
const longestPause = Duration.seconds(2)

/**
 * A window is a hash: `newest` is its latest second, `s` and a second the slots of all keys in that second, `p` and a
 * second those of the public key. Redis deletes it two minutes after its last use.
 */
const source = `
local length, expiry = 61, 120
local second, wanted, ceiling = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local back_second, back = tonumber(ARGV[4]), tonumber(ARGV[5])
local is_public, public_ceiling = ARGV[6] == "1", tonumber(ARGV[7])
local public_back = is_public and back or 0
local newest, slots, public = second, {}, {}
local fields = redis.call("HGETALL", KEYS[1])
for n = 1, #fields, 2 do
  local name, value = fields[n], tonumber(fields[n + 1])
  if name == "newest" then newest = value
  elseif string.sub(name, 1, 1) == "s" then slots[tonumber(string.sub(name, 2))] = value
  else public[tonumber(string.sub(name, 2))] = value end
end
local function sum(cells)
  local total = 0
  for _, count in pairs(cells) do total = total + count end
  return total
end
if second < newest - length then
  slots = { [second] = math.max(sum(slots) - back, 0) }
  public = { [second] = math.max(sum(public) - public_back, 0) }
  newest = second
end
local now = math.max(second, newest)
for _, cells in ipairs({ slots, public }) do
  for at in pairs(cells) do
    if at <= now - length then cells[at] = nil end
  end
end
if back > 0 and back_second > now - length and back_second <= now then
  slots[back_second] = math.max((slots[back_second] or 0) - back, 0)
  public[back_second] = math.max((public[back_second] or 0) - public_back, 0)
end
local taken, taken_public = sum(slots), sum(public)
local free = ceiling - taken
if is_public then free = math.min(free, public_ceiling - taken_public) end
local granted = math.max(math.min(wanted, free), 0)
slots[now] = (slots[now] or 0) + granted
taken, free = taken + granted, free - granted
if is_public then
  public[now] = (public[now] or 0) + granted
  taken_public = taken_public + granted
end
local function next_free(cells)
  local oldest = now
  for at, count in pairs(cells) do
    if count > 0 and at < oldest then oldest = at end
  end
  return oldest + length
end
local free_at = now
if taken >= ceiling then free_at = next_free(slots) end
if is_public and taken_public >= public_ceiling then free_at = math.max(free_at, next_free(public)) end
local stored = { "newest", now }
for at, count in pairs(slots) do
  if count > 0 then stored[#stored + 1] = "s" .. at; stored[#stored + 1] = count end
end
for at, count in pairs(public) do
  if count > 0 then stored[#stored + 1] = "p" .. at; stored[#stored + 1] = count end
end
redis.call("DEL", KEYS[1])
redis.call("HSET", KEYS[1], unpack(stored))
redis.call("EXPIRE", KEYS[1], expiry)
return { granted, (is_public and public_ceiling or ceiling) - free, free_at }
`

const reserve = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: source,
  parseCommand: (parser, window: string, numbers: ReadonlyArray<number>) => {
    parser.pushKey(window)
    parser.push(...numbers.map(String))
  },
  transformReply: ([granted, used, nextFree]: [number, number, number]): Reservation => ({ granted, used, nextFree })
})

/** `redis://[[user][:password]@]host[:port][/database]`, or `rediss://` with TLS. `name` is the setting, for messages. */
export interface Options {
  readonly url: Redacted.Redacted<string>
  readonly name: string
}

const connect = ({ name, url }: Options) =>
  Effect.gen(function* () {
    let isReady = false
    const client = createClient({
      url: Redacted.value(url),
      // A reservation does not wait for a connection that is lost.
      disableOfflineQueue: true,
      scripts: { reserve },
      socket: {
        connectTimeout: Duration.toMillis(patience),
        // The first connection is tried once.
        reconnectStrategy: (attempt, cause) =>
          isReady ? Math.min(50 * 2 ** attempt, Duration.toMillis(longestPause)) : cause
      }
    })
    // Without a listener, the loss of a connection would end the process. Reservations report it.
    client.on("error", () => {})
    yield* Effect.addFinalizer(() => Effect.sync(() => client.destroy()))
    yield* Effect.tryPromise({
      try: () => client.connect(),
      catch: (error) =>
        new RedisRefused({
          message: `${name}: Redis at ${withoutLogin(Redacted.value(url))} does not answer: ${error instanceof Error ? error.message || error.name : String(error)}`
        })
    })
    isReady = true
    return client
  })

/** Fails if Redis does not answer when the layer is built. Later it connects again by itself. */
export const layer = (options: Options): Layer.Layer<RateWindows, RedisRefused> =>
  Layer.effect(
    RateWindows,
    Effect.map(connect(options), (client) =>
      RateWindows.of({
        reserve: (of, holder, second, wanted, { all, ofPublicKey }, back) => {
          const isPublic = ofPublicKey !== undefined
          const numbers = [second, wanted, all, back.second, back.slots, isPublic ? 1 : 0, ofPublicKey ?? all]
          return Effect.promise(() => client.reserve(`posthorn:rate:${of}:${holder}`, numbers)).pipe(
            Effect.timeout(reservationPatience),
            Effect.orDie,
            inRealTime
          )
        }
      })
    )
  )
