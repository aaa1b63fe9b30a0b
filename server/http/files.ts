import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { create as contentDisposition } from 'content-disposition'
import type { Request, Response, Router } from 'express'
import rangeParser from 'range-parser'
import { findDownload, isShown, type StoredDownload } from '../domain/file_uploads/download.ts'
import type { FileTerms } from '../domain/file_uploads/terms.ts'
import { essenceOf } from '../domain/file_uploads/types.ts'
import type { FileVault } from '../domain/file_uploads/vault.ts'
import type { Clock } from '../kernel/clock.ts'
import { ServiceError } from '../kernel/errors.ts'
import type { Database } from '../domain/database.ts'
import { charsetsOf } from './charset.ts'
import type { Cors } from './cors.ts'
import type { Traffic } from './exchange.ts'
import { requireTransport } from './transport.ts'

interface FilePageParts {
  readonly database: Database
  readonly vault: FileVault
  readonly files: FileTerms
  readonly clock: Clock
  readonly traffic: Traffic
  readonly cors: Cors
  readonly requiresHttps: boolean
}

/** A reader that takes nothing for so long has gone. */
const IDLE_TIMEOUT_MS = 120_000
/** A file runs nothing here, loads nothing, and is in no frame of the service. */
const POLICY = "default-src 'none'; img-src data:; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** Files behind signed links: anyone with the link may read, for as long as it is valid. */
export function serveFiles(app: Router, parts: FilePageParts): void {
  app.use('/files/', (request: Request, response: Response) => answerFile(parts, request, response))
}

async function answerFile(parts: FilePageParts, request: Request, response: Response): Promise<void> {
  const exchange = parts.traffic.of(response)
  exchange.subject = 'file'
  parts.cors.expose(request, response)
  requireTransport(exchange, request, parts.requiresHttps)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD, OPTIONS')
    throw new ServiceError('invalid_request_url', { message: `A file is not served with ${request.method}.` })
  }
  const [path = '', query = ''] = request.originalUrl.split('?', 2)
  const now = parts.clock.now()
  const target = parts.files.links.open(path, new URLSearchParams(query), now)
  if (!target) throw new ServiceError('restricted_resource', { message: 'This link to a file has expired or was never valid.' })
  const file = await parts.database.read((db) => findDownload(db, target))
  if (!file) throw new ServiceError('object_not_found', { message: 'This file is gone.' })
  setHeaders(response, file, target.id, Math.floor((target.end - now) / 1000))
  try {
    await sendBytes(parts, request, response, file, `"${target.id}"`)
  } catch (thrown) {
    // What is answered instead may not be kept as the file would be.
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

/** One that no browser knows, such as UTF-7, could be taken for another by an odd reader. */
function isKnownCharset(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding !== 'replacement'
  } catch {
    return false
  }
}

async function sendBytes(
  { vault }: FilePageParts,
  request: Request,
  response: Response,
  { byteLength, parts }: StoredDownload,
  tag: string,
): Promise<void> {
  if (isKnown(request.headers['if-none-match'], tag)) return void response.status(304).end()
  const range = rangeOf(request, byteLength, tag)
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${byteLength}`)
    for (const name of ['Content-Disposition', 'Content-Type']) response.removeHeader(name)
    return void response.status(416).end()
  }
  const { start, end } = range ?? { start: 0, end: byteLength - 1 }
  if (range) response.status(206).setHeader('Content-Range', `bytes ${start}-${end}/${byteLength}`)
  response.setHeader('Content-Length', end - start + 1)
  if (request.method === 'HEAD' || byteLength === 0) return void response.end()
  response.setTimeout(IDLE_TIMEOUT_MS, () => response.destroy())
  const bytes = vault.read(parts, start, end)
  // The first bytes are fetched before the status goes out, so that a storage that is away can still be answered as such.
  try {
    const first = await bytes.next()
    await pipeline(Readable.from(withFirst(first, bytes), { objectMode: false }), response)
  } finally {
    // A reader who left meanwhile has asked for none of the rest, which would stay open.
    await bytes.return()
  }
}

async function* withFirst(
  first: IteratorResult<Uint8Array, void>,
  rest: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!first.done) yield first.value
  yield* rest
}

function isKnown(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some((one) => [tag, '*'].includes(one.trim().replace(/^W\//, '')))
}

/** One range, if one is asked for of this very file. Several at once, and what is no range, get the whole. */
function rangeOf(request: Request, size: number, tag: string): { start: number; end: number } | 'unsatisfiable' | undefined {
  const { range, 'if-range': condition } = request.headers
  if (range === undefined || (condition !== undefined && condition !== tag)) return undefined
  const ranges = rangeParser(size, range)
  if (ranges === -1) return 'unsatisfiable'
  const [only, another] = ranges === -2 || ranges.type !== 'bytes' ? [] : ranges
  return another === undefined ? only : undefined
}
