import { delay, http, HttpResponse, type HttpHandler } from 'msw'
import { exampleResponses, exampleBodies } from '../generated/example_responses.js'
import type { ExampleNames } from '../generated/example_names.ts'
import type { ErrorCodeName, OAuthErrorCodeName } from '../generated/error_codes.ts'
import { newestRelease, operations, type OperationId } from '../generated/operations.ts'

export type { ErrorCodeName, ExampleNames, OAuthErrorCodeName, OperationId }

export interface FakeOptions {
  /** The address that the program under test calls, with or without `/v1`. */
  readonly baseUrl: string
  /** The prefix of the headers of a branded deployment, instead of `Service`. */
  readonly headerBrand?: string
}

/** The response of a fake operation. By default, the first example of the contract. */
export interface FakeResponse<Id extends OperationId> {
  /** An example of the contract, by its name. */
  readonly example?: ExampleNames[Id]
  /** An error of the contract, by its `code`, or by the `error` of an OAuth endpoint. */
  readonly error?: ErrorCodeName | OAuthErrorCodeName
  /** Members that replace those of the example. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly delayMilliseconds?: number
  /** Whether only the next request gets this response. */
  readonly once?: boolean
}

export interface ContractFakes {
  /** A handler for every operation. It responds with an example of the contract, or as a `Prefer` header requests. */
  readonly handlers: readonly HttpHandler[]
  /**
   * A handler for one operation, for `server.use(…)`.
   * @throws TypeError for an unknown example or error, listing those of the operation
   */
  respond<Id extends OperationId>(id: Id, response?: FakeResponse<Id>): HttpHandler
}

type Example = (typeof exampleResponses)[OperationId][number]

/**
 * Makes handlers for Mock Service Worker from the examples of the contract: stateless fakes without a process. For a server with state, use
 * `workspace-service/testing`.
 */
export function contractFakes({ baseUrl, headerBrand = 'Service' }: FakeOptions): ContractFakes {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '')
  const handle = <Id extends OperationId>(id: Id, response: FakeResponse<Id> = {}): HttpHandler => {
    const { method, path } = operations[id]
    const example = exampleFor(id, response)
    const address = base + path.replaceAll(/\{(\w+)\}/g, ':$1')
    return http[method](
      address,
      async ({ request }) => {
        if (response.delayMilliseconds !== undefined) await delay(response.delayMilliseconds)
        const preferred = Object.keys(response).length === 0 ? preferredExample(id, request.headers.get('Prefer')) : undefined
        const isUnspecified =
          preferred === undefined && response.example === undefined && (response.error ?? response.body) === undefined
        const frames = isUnspecified && wantsStream(request) ? framesOf(id) : []
        if (frames.length > 0) return streamOf(frames, versionOf(request, headerBrand), headerBrand)
        return responseOf(preferred ?? example, response.body, versionOf(request, headerBrand), headerBrand)
      },
      { once: response.once ?? false },
    )
  }
  return { handlers: [...ids()].toSorted(literalFirst).map((id) => handle(id)), respond: handle }
}

function* ids(): Generator<OperationId, void, undefined> {
  for (const { id } of Object.values(operations)) yield id
}

/** The first matching handler responds, and `/v1/users/me` also matches `/v1/users/{user_id}`. */
function literalFirst(one: OperationId, other: OperationId): number {
  const weight = (id: OperationId): string => operations[id].path.replaceAll('{', '~')
  return weight(one) < weight(other) ? -1 : 1
}

function exampleFor(id: OperationId, { example, error }: FakeResponse<OperationId>): Example {
  const all = exampleResponses[id]
  const [first] = all
  if (!first) throw new TypeError(`The contract has no example response of ${id}.`)
  if (error !== undefined)
    return found(id, 'error', error, all.filter(isError), (candidate) => codeOf(candidate) === error, codeOf)
  if (example === undefined) return first
  const nameOf = ([, name]: Example): string => name
  return found(
    id,
    'example',
    example,
    all.filter((candidate) => !isError(candidate)),
    (candidate) => nameOf(candidate) === example,
    nameOf,
  )
}

function found(
  id: OperationId,
  what: string,
  wanted: string,
  among: readonly Example[],
  fits: (candidate: Example) => boolean,
  nameOf: (candidate: Example) => string,
): Example {
  const candidate = among.find(fits)
  if (candidate) return candidate
  throw new TypeError(`${id} has no ${what} ${wanted}; it has ${[...new Set(among.map(nameOf))].join(', ')}.`)
}

/** `Prefer: code=404` or `Prefer: example=in_trash`; other preferences, and unknown ones, are ignored as HTTP says. */
function preferredExample(id: OperationId, header: string | null): Example | undefined {
  const preferences = new Map(
    (header ?? '').split(/[,;]/).map((preference): [string, string] => {
      const [name = '', value = ''] = preference.split('=')
      return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')]
    }),
  )
  const [code, example] = [preferences.get('code'), preferences.get('example')]
  if (code === undefined && example === undefined) return undefined
  return exampleResponses[id].find(
    ([status, name]) => (code === undefined || String(status) === code) && (example === undefined || name === example),
  )
}

function isError([status]: Example): boolean {
  return status >= 400
}

function codeOf([, , name]: Example): string {
  const body = exampleBodies[name]
  const { error, code }: { readonly error?: unknown; readonly code?: unknown } = isRecord(body) ? body : {}
  return String(error ?? code)
}

const STREAM_TYPE = 'text/event-stream'

function wantsStream(request: Request): boolean {
  return (request.headers.get('Accept') ?? '').includes(STREAM_TYPE)
}

/** The members of a stream frame that identify its position. */
interface Frame {
  readonly type: string
  readonly session_id?: string
  readonly last_sequence?: number
  readonly session?: { readonly id: string }
  readonly event?: { readonly session_id: string; readonly sequence?: number }
}

/** The frames in the examples of an operation that form one stream from start to regular end; empty if it does not stream. */
function framesOf(id: OperationId): readonly Frame[] {
  const examples = exampleResponses[id].filter(([, , , mediaType]) => mediaType === STREAM_TYPE)
  const frames = examples.map(([, , name]) => exampleBodies[name] as Frame)
  const end = frames.find(({ last_sequence: last }) => last !== undefined)
  if (!end) return []
  const isPart = ({ session, event }: Frame): boolean =>
    (session?.id ?? event?.session_id) === end.session_id && (event?.sequence ?? 0) <= (end.last_sequence ?? 0)
  return [...frames.filter(isPart), end]
}

function streamOf(frames: readonly Frame[], version: string, brand: string): Response {
  const text = frames.map(frameText).join('')
  return new HttpResponse(text, { headers: headersOf(STREAM_TYPE, version, brand, crypto.randomUUID()) })
}

function frameText(frame: Frame): string {
  return `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`
}

function headersOf(mediaType: string, version: string, brand: string, requestId: string): Record<string, string> {
  return {
    'Content-Type': mediaType === 'application/json' ? 'application/json; charset=utf-8' : mediaType,
    'Cache-Control': 'no-store',
    [`X-${brand}-Request-Id`]: requestId,
    [`${brand}-Version`]: version,
  }
}

function responseOf(
  [status, , name, mediaType]: Example,
  replaced: FakeResponse<OperationId>['body'],
  version: string,
  brand: string,
): Response {
  const example = exampleBodies[name]
  const requestId = crypto.randomUUID()
  const headers = { ...headersOf(mediaType, version, brand, requestId), ...(status === 429 && { 'Retry-After': '1' }) }
  if (typeof example === 'string') return new HttpResponse(example, { status, headers })
  const body = {
    ...(isRecord(example) && { ...example, ...('request_id' in example && { request_id: requestId }) }),
    ...replaced,
  }
  return mediaType === STREAM_TYPE
    ? new HttpResponse(frameText(body as unknown as Frame), { status, headers })
    : HttpResponse.json(body, { status, headers })
}

function versionOf(request: Request, brand: string): string {
  return request.headers.get(`${brand}-Version`) ?? newestRelease
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
