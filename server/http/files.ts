import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { create as contentDisposition } from 'content-disposition'
import type { Request, Response, Router } from 'express'
import rangeParser from 'range-parser'
import { findDownload, isShown, essenceOf, type StoredDownload, type FileVault } from '../domain/files/index.ts'
import type { FileTerms, Database } from '../domain/shared/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { ServiceError } from '../kernel/errors.ts'
import { serviceUnavailable } from '../kernel/unavailable.ts'
import { charsetsOf } from './charset.ts'
import type { Cors } from './cors.ts'
import type { Contexts } from './contexts.ts'
import type { Failure } from './http_context.ts'
import { requireTransport } from './require_transport.ts'

interface FilePageDeps {
  readonly database: Database
  readonly vault: FileVault
  readonly files: FileTerms
  readonly clock: Clock
  readonly contexts: Contexts
  readonly cors: Cors
  readonly requiresHttps: boolean
}

const RANGE_NOT_SATISFIABLE = 416
const RANGE_FAILURE: Failure = {
  status: RANGE_NOT_SATISFIABLE,
  code: 'range_not_satisfiable',
  message: 'The file is shorter than the requested range.',
  internal: undefined,
  complaints: [{ path: 'headers.range' }],
}
/** Clients that read nothing for this long are disconnected. */
const IDLE_TIMEOUT_MS = 120_000
/** Files come from users: they may not run scripts, load anything or be framed. */
const POLICY = "default-src 'none'; img-src data:; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** Serves files by signed links: anyone with a link may read its file until the link expires. */
export function serveFiles(app: Router, deps: FilePageDeps): void {
  app.use('/files/', (request: Request, response: Response) => respondWithFile(deps, request, response))
}

async function respondWithFile(deps: FilePageDeps, request: Request, response: Response): Promise<void> {
  const context = deps.contexts.of(response)
  context.operationLabel = 'file'
  deps.cors.expose(request, response)
  requireTransport(context, deps.requiresHttps)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD, OPTIONS')
    throw new ServiceError('invalid_request_url', { message: `Files do not support the method ${request.method}.` })
  }
  const [path = '', query = ''] = request.originalUrl.split('?', 2)
  const now = deps.clock.now()
  const target = deps.files.links.open(path, new URLSearchParams(query), now)
  if (!target) throw new ServiceError('restricted_resource', { message: 'This link to a file has expired or was never valid.' })
  context.callerIds = { workspaceId: target.workspaceId }
  const file = await deps.database.read((db) => findDownload(db, target))
  if (!file) throw new ServiceError('object_not_found', { message: 'This file no longer exists.' })
  setHeaders(response, file, target.id, Math.floor((target.end - now) / 1000))
  try {
    await sendBytes(deps, request, response, file, `"${target.id}"`)
    if (response.statusCode === RANGE_NOT_SATISFIABLE) context.failure = RANGE_FAILURE
  } catch (thrown) {
    // The file may be cached, but not the error that is sent instead.
    if (!response.headersSent) response.setHeader('Cache-Control', 'no-store')
    throw thrown
  }
}

function setHeaders(response: Response, { filename, contentType }: StoredDownload, id: string, seconds: number): void {
  const type = essenceOf(contentType)
  const isPlain = type.startsWith('text/') && (contentType === type || !charsetsOf(contentType).every(isKnownCharset))
  response.setHeader('Content-Type', isPlain ? `${type}; charset=utf-8` : contentType)
  response.setHeader('Content-Disposition', contentDisposition(filename, { type: isShown(type) ? 'inline' : 'attachment' }))
  response.setHeader('Content-Security-Policy', POLICY)
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Frame-Options', 'DENY')
  response.setHeader('Cache-Control', `private, max-age=${seconds}, immutable`)
  response.setHeader('Accept-Ranges', 'bytes')
  response.setHeader('ETag', `"${id}"`)
}

/** Whether browsers support a charset. They might interpret an unsupported one, such as UTF-7, as another. */
function isKnownCharset(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding !== 'replacement'
  } catch {
    return false
  }
}

async function sendBytes(
  { vault }: FilePageDeps,
  request: Request,
  response: Response,
  { byteLength, parts }: StoredDownload,
  tag: string,
): Promise<void> {
  if (matchesTag(request.headers['if-none-match'], tag)) return void response.status(304).end()
  const range = rangeOf(request, byteLength, tag)
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${byteLength}`)
    for (const name of ['Content-Disposition', 'Content-Type']) response.removeHeader(name)
    return void response.status(RANGE_NOT_SATISFIABLE).end()
  }
  const { start, end } = range ?? { start: 0, end: byteLength - 1 }
  if (range) response.status(206).setHeader('Content-Range', `bytes ${start}-${end}/${byteLength}`)
  response.setHeader('Content-Length', end - start + 1)
  if (request.method === 'HEAD' || byteLength === 0) return void response.end()
  response.setTimeout(IDLE_TIMEOUT_MS, () => response.destroy())
  const bytes = vault.read(parts, start, end)
  // Read the first bytes before sending the status, so that an unavailable storage still leads to an error response.
  try {
    const first = await bytes.next().catch(unreadable)
    await pipeline(Readable.from(withFirst(first, bytes), { objectMode: false }), response)
  } finally {
    // If the client has disconnected, the generator has not finished and the file is still open.
    await bytes.return()
  }
}

/** The error for a file that cannot be read. The file exists, so this is a fault of the storage. */
function unreadable(error: unknown): never {
  throw serviceUnavailable('The file cannot be read from its storage at the moment.', error)
}

async function* withFirst(
  first: IteratorResult<Uint8Array, void>,
  rest: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!first.done) yield first.value
  yield* rest
}

function matchesTag(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some((one) => [tag, '*'].includes(one.trim().replace(/^W\//, '')))
}

/** The byte range of a request; undefined if the whole file is to be sent, as for several ranges or an invalid header. */
function rangeOf(request: Request, size: number, tag: string): { start: number; end: number } | 'unsatisfiable' | undefined {
  const { range, 'if-range': condition } = request.headers
  if (range === undefined || (condition !== undefined && condition !== tag)) return undefined
  const ranges = rangeParser(size, range)
  if (ranges === -1) return 'unsatisfiable'
  const [only, another] = ranges === -2 || ranges.type !== 'bytes' ? [] : ranges
  return another === undefined ? only : undefined
}
