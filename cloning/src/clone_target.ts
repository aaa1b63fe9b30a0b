import { AsyncLocalStorage } from 'node:async_hooks'
import { hash } from 'node:crypto'
import { newestRelease, operations, type OperationId } from '../../generated/operations.ts'
import { withOverrides } from '@workspace-service/server/config/environment.ts'
import { parseConfig, type Environment, type Files } from '@workspace-service/server/config.ts'
import { TimeSlice } from '@workspace-service/server/kernel/yield_to_event_loop.ts'
import { JSON_BODY_BYTES_MAX } from '@workspace-service/server/kernel/json_body_limit.ts'
import type { Interceptor } from '@workspace-service/server/http/interceptor.ts'
import { systemClock } from '@workspace-service/server/kernel/clock.ts'
import { withChosenIds, type ChosenIds } from '@workspace-service/server/kernel/ids.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import { composeService, type Service } from '@workspace-service/server/service.ts'
import type { Database } from '@workspace-service/server/store/database.ts'
import { releasePendingKeys } from '@workspace-service/server/store/idempotency_keys.ts'
import { memoryFetch, type Fetch } from '@workspace-service/server/http/memory_fetch.ts'
import type { CloneHead } from './progress_file.ts'
import type { WriteSlot } from './write_order.ts'

type ResponseBody = Readonly<Record<string, unknown>>

/** A request that the local service has refused. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A request to the local service. */
export interface Sending {
  /** The parameters of the path. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The same for each attempt of a step, so that no step takes effect twice. */
  readonly key?: string
  readonly ids?: ChosenIds
  /** The slot in which the request may write, if the order of its new records matters. */
  readonly slot?: WriteSlot
}

/** Settings of a service that only a clone uses. */
const SETTINGS: Environment = {
  PORT: '0',
  HOST: '127.0.0.1',
  WORKERS: '1',
  BOOTSTRAP_SAMPLE: 'false',
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'silent',
  METRICS: 'off',
  // The command records itself.
  AUDIT_LOG: 'acts',
}

/** Internal data about a request that callers do not set. */
type RequestExtras = Pick<Sending, 'ids' | 'slot'>

/** Identifies the requests in flight. */
const NUMBER_HEADER = 'request-number'

/** The local workspace: a service in this process, without a port, through whose API the clone is written. */
export class CloneTarget {
  readonly service: Service
  /** The files that the service accepts. */
  readonly files: Files
  readonly #fetch: Fetch
  /** By the numbers of the requests in flight. */
  readonly #extras: Map<string, RequestExtras>
  #count = 0
  #token = ''
  readonly #slice = new TimeSlice()

  private constructor(service: Service, files: Files, fetch: Fetch, extras: Map<string, RequestExtras>) {
    this.service = service
    this.files = files
    this.#fetch = fetch
    this.#extras = extras
  }

  /** Opens the service's own data. @throws ConfigError, and any error of opening them */
  static async open(environment: Environment): Promise<CloneTarget> {
    const extras = new Map<string, RequestExtras>()
    const slots = new AsyncLocalStorage<WriteSlot | undefined>()
    const interceptor: Interceptor = {
      takesPrefer: false,
      receive: (request, _response, proceed) => {
        const { ids = {}, slot } = extras.get(String(request.headers[NUMBER_HEADER])) ?? {}
        slots.run(slot, () => withChosenIds(ids, proceed))
      },
      onRoute: () => Promise.resolve(),
      onAdmission: () => Promise.resolve(),
    }
    const config = parseConfig(withOverrides(environment, SETTINGS))
    const service = await composeService(config, systemClock, {}, undefined, {
      hasPort: false,
      interceptor,
      wrapDatabase: (database) => inWriteOrder(database, slots),
    })
    const fetch = memoryFetch((line) => service.connect(line), new URL(service.url).origin)
    return new CloneTarget(service, config.files, fetch, extras)
  }

  /** Starts to write a workspace, or continues an interrupted clone or import. */
  async enter({ workspaceId, token }: CloneHead): Promise<void> {
    this.#token = token
    await this.service.database.write((db) => releasePendingKeys(db, workspaceId))
  }

  /** Calls an operation. @throws RefusedRequest */
  async send(id: OperationId, { path = {}, query = {}, body, key, ...extra }: Sending = {}): Promise<ResponseBody> {
    // Without this, in-memory requests would follow each other without a turn of the event loop between them.
    if (this.#slice.isOver) await this.#slice.next()
    const operation = operations[id]
    const number = String((this.#count += 1))
    const address = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(path[name] ?? ''))
    const words = new URLSearchParams(query).toString()
    const isForm = body instanceof FormData
    const sent = body === undefined || isForm ? body : jsonOf(body)
    this.#extras.set(number, extra)
    const response = await this.#fetch(words === '' ? address : `${address}?${words}`, {
      method: operation.method.toUpperCase(),
      headers: {
        [NUMBER_HEADER]: number,
        Authorization: `Bearer ${this.#token}`,
        'Service-Version': newestRelease,
        ...(typeof sent === 'string' && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': hash('sha256', key) }),
      },
      ...(sent !== undefined && { body: sent }),
    }).finally(() => this.#extras.delete(number))
    const result: unknown = await response.json()
    if (!isObject(result)) throw new RefusedRequest(response.status, 'the response is not an object')
    // A killed process sent the step with other uploads in its body. It took effect before it could be noted: only successful requests keep
    // their keys.
    if (key !== undefined && result['code'] === 'idempotency_key_reused') return result
    if (!response.ok) throw new RefusedRequest(response.status, String(result['message']))
    return result
  }

  close(): Promise<void> {
    return this.service.stop()
  }
}

/** @throws RefusedRequest for a body that the service would refuse: sending many large ones would need much memory in vain. */
function jsonOf(body: unknown): string {
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  if (length <= JSON_BODY_BYTES_MAX) return text
  throw new RefusedRequest(
    400,
    `body failed validation: body should be ≤ \`${JSON_BODY_BYTES_MAX}\` bytes, instead was \`${length}\`.`,
  )
}

/** A database whose transactions wait for the write order of their requests. */
function inWriteOrder(database: Database, slots: AsyncLocalStorage<WriteSlot | undefined>): Database {
  return {
    ...database,
    write: async (work, workspaceId) => {
      const slot = slots.getStore()
      if (slot === undefined) return database.write(work, workspaceId)
      await slot.before
      return database.write(async (db) => {
        const result = await work(db)
        slot.pass()
        return result
      }, workspaceId)
    },
  }
}
