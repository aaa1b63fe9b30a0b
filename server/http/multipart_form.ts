import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { MIMEType } from 'node:util'
import { Dicer } from '@fastify/busboy'
import { parse } from 'content-disposition'
import { isUtf8 } from './charset.ts'
import type { Request } from 'express'
import type { ServiceError } from '../kernel/errors.ts'
import { invalid } from '../domain/shared/index.ts'

export interface FileHeader {
  readonly filename: string | undefined
  /** The content type with its parameters; undefined if the part has no `Content-Type`. */
  readonly contentType: string | undefined
}

type FormRequest = Readable & Pick<Request, 'headers' | 'complete'>

/** Consumes the bytes of a file as they arrive. */
export type TakeFile<File> = (header: FileHeader, bytes: AsyncIterable<Uint8Array>) => Promise<File>

export interface MultipartForm<File> {
  /** Values of the text parts. A file part with an unexpected name counts as an empty text. */
  readonly fields: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, File>>
}

interface FormRules {
  /** The maximum size of the whole body, in bytes. */
  readonly bytesMax: number
  /** Names of the parts that may be files. */
  readonly fileNames: readonly string[]
}

const HEADER_BYTES_MAX = 8 * 1024
const HEADERS_MAX = 32
const PARTS_MAX = 16
const FIELD_BYTES_MAX = 1024
const BOUNDARY_LENGTH_MAX = 70
/** The maximum length of a content type that is parsed: the time is quadratic in the length of a run of spaces. */
const CONTENT_TYPE_LENGTH_MAX = 1_000

/**
 * Receives a form and parses it as it arrives. Files are not held in memory; `take` consumes them.
 * @throws ServiceError `validation_error` for a body that is not a form or is too large; and whatever `take` throws
 */
export async function receiveMultipart<File>(
  request: FormRequest,
  rules: FormRules,
  take: TakeFile<File>,
): Promise<MultipartForm<File>> {
  const reader = new FormReader(rules, take)
  const limits = { boundary: boundaryOf(request), maxHeaderPairs: HEADERS_MAX, maxHeaderSize: HEADER_BYTES_MAX }
  const dicer = new Dicer(limits)
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      reader.breakOff(error)
      reject(error)
    }
    let length = 0
    const count = (chunk: Buffer): void => {
      length += chunk.byteLength
      if (length > rules.bytesMax) fail(invalid('body.file', `should keep the body within \`${rules.bytesMax}\` bytes`))
    }
    request.on('data', count)
    request.once('error', () => fail(brokenForm()))
    request.once('close', () => {
      if (!request.complete) fail(brokenForm())
    })
    dicer.on('part', (part: FormPart) => reader.read(part, fail))
    dicer.once('error', () => fail(brokenForm()))
    dicer.once('finish', () => {
      const work = Promise.all([reader.finish(), endOf(request)])
      work.then(() => resolve(), fail)
    })
    request.pipe(dicer)
    reader.onFailure = () => {
      request.off('data', count)
      request.unpipe(dicer)
    }
  })
  return reader.form()
}

/**
 * Reads the rest of the body after the form. Otherwise, whether the body counts as too large would depend on how it is split into packets.
 */
async function endOf(request: FormRequest): Promise<void> {
  if (request.readableEnded) return
  const ended = once(request, 'end')
  request.unpipe()
  request.resume()
  await ended
}

/** A digest of the names, file names and contents of all parts: it is the same for equal forms. */
export function formDigest({ fields, files }: MultipartForm<FileHeader & { readonly digest: string }>): string {
  const parts = [
    ...Object.entries(fields).map(([name, value]) => [name, value]),
    ...Object.entries(files).map(([name, { filename, digest }]) => [name, filename ?? null, digest]),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

type FormPart = Readable
type PartHeaders = Readonly<Record<string, readonly string[]>>

interface NamedPart {
  readonly name: string
  readonly isFile: boolean
  readonly header: FileHeader
}

/** @throws ServiceError `validation_error` if the `Content-Type` of the request does not announce a form */
function boundaryOf(request: FormRequest): string {
  const contentType = request.headers['content-type'] ?? ''
  if (contentType.length > CONTENT_TYPE_LENGTH_MAX) throw brokenForm()
  let type: MIMEType | undefined
  try {
    type = new MIMEType(contentType)
  } catch {
    // An invalid value is refused below.
  }
  if (type?.essence !== 'multipart/form-data')
    throw invalid('body.file', 'should be the file of a form sent as multipart/form-data')
  if (!isUtf8(contentType)) throw invalid('body', 'should not name a charset other than UTF-8')
  const boundary = type.params.get('boundary') ?? ''
  if (boundary === '' || boundary.length > BOUNDARY_LENGTH_MAX) throw brokenForm()
  return boundary
}

function brokenForm(): ServiceError {
  return invalid('body', 'should be a complete form sent as multipart/form-data')
}

class FormReader<File> {
  readonly #rules: FormRules
  readonly #take: TakeFile<File>
  readonly #open = new Set<FormPart>()
  readonly #work: Promise<void>[] = []
  // The object has no prototype, because a part may have the name of one of its members.
  readonly #fields: Record<string, string> = Object.create(null) as Record<string, string>
  readonly #files: Record<string, File> = {}
  readonly #names = new Set<string>()
  onFailure: () => void = () => undefined

  constructor(rules: FormRules, take: TakeFile<File>) {
    this.#rules = rules
    this.#take = take
  }

  read(part: FormPart, fail: (error: Error) => void): void {
    this.#open.add(part)
    part.on('error', () => undefined)
    part.once('close', () => this.#open.delete(part))
    part.once('header', (headers: PartHeaders) => {
      try {
        const work = this.#readBody(part, this.#parseHeaders(headers))
        this.#work.push(work)
        work.catch(fail)
      } catch (error) {
        // Report the error at once: the first of several errors must be the one reported, however the bytes are split into packets.
        fail(error instanceof Error ? error : brokenForm())
      }
    })
    if (this.#work.length >= PARTS_MAX) fail(invalid('body', `should have at most \`${PARTS_MAX}\` parts`))
  }

  /** Ends the parts that are being read. */
  breakOff(error: Error): void {
    this.onFailure()
    for (const part of this.#open) part.destroy(error)
  }

  async finish(): Promise<void> {
    await Promise.all(this.#work)
  }

  form(): MultipartForm<File> {
    return { fields: this.#fields, files: this.#files }
  }

  /** @throws ServiceError `validation_error` if a part has no name, a name that has occurred before, or a charset other than UTF-8 */
  #parseHeaders(headers: PartHeaders): NamedPart {
    const { name, filename } = dispositionOf(headers)
    if (name === undefined) throw brokenForm()
    if (this.#names.has(name)) throw invalid(`body.${name}`, 'should be sent once')
    this.#names.add(name)
    const contentType = headerText(headers, 'content-type')
    const isFile = filename !== undefined || contentType === 'application/octet-stream'
    if (!isFile && !isUtf8(contentType ?? '')) throw invalid(`body.${name}`, 'should be UTF-8 text')
    return { name, isFile, header: { filename, contentType } }
  }

  async #readBody(part: FormPart, { name, isFile, header }: NamedPart): Promise<void> {
    if (!isFile) this.#fields[name] = await textOf(part, name)
    else if (this.#rules.fileNames.includes(name)) this.#files[name] = await this.#take(header, part)
    else this.#fields[name] = await skipped(part)
  }
}

function dispositionOf(headers: PartHeaders): { name?: string; filename?: string } {
  const text = headerText(headers, 'content-disposition')
  if (text === undefined) return {}
  const { type, parameters } = parse(text, { multipart: true })
  if (type.toLowerCase() !== 'form-data') return {}
  const { name, filename } = parameters
  return {
    ...(name === undefined ? {} : { name }),
    ...(filename === undefined ? {} : { filename: lastOfPath(filename) }),
  }
}

/** The last part of a path, because some clients send the whole path of a file as its name. */
function lastOfPath(filename: string): string {
  return (filename.split(/[\\/]/).at(-1) ?? '').replace(/^[A-Za-z]:(?=\S)/, '')
}

/** The text of a header. The parser decodes headers as Latin-1, but browsers send UTF-8. */
function headerText(headers: PartHeaders, name: string): string | undefined {
  const [text] = headers[name] ?? []
  return text === undefined ? undefined : Buffer.from(text, 'latin1').toString('utf8')
}

async function textOf(part: FormPart, name: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of part as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength
    if (length > FIELD_BYTES_MAX) throw invalid(`body.${name}`, `should be at most \`${FIELD_BYTES_MAX}\` bytes long`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function skipped(part: FormPart): Promise<string> {
  for await (const chunk of part) void chunk
  return ''
}
