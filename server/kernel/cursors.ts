import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { isSameDigest } from './is_same_digest.ts'
import { canonicalJson } from './canonical_json.ts'
import { canonicalId, oneSpelling } from './ids.ts'

/** What a cursor is bound to: a list, its parameters and a caller. Any other list rejects it. */
export type Binding = readonly (string | null)[]

/** A range of ids, both ends included: ids that begin with the same 24 digits. */
export interface IdRange {
  readonly from: string
  readonly to: string
}

const SIGNATURE_BYTES = 12
const LIFETIME_MS = 24 * 60 * 60 * 1000
/** How many bytes of an id a cursor contains. The time replaces the last ones; the others still identify the id. */
const ID_BYTES_KEPT = 12
/** The maximum difference between the clocks of processes. */
const CLOCK_DIFFERENCE_MS = 5 * 60 * 1000
const ID_CURSOR = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Encodes and decodes opaque positions in lists, with a key of this deployment. Nothing is stored. */
export class Cursors {
  readonly #secret: Buffer

  constructor(secret: Buffer) {
    this.#secret = secret
  }

  /** Signs a sort key together with the time. @param position the sort key of the last item of the page, such as `[rank, id]` */
  encode(binding: Binding, position: readonly string[], now: number): string {
    const payload = Buffer.from(JSON.stringify([now, ...position]), 'utf8')
    return Buffer.concat([this.#sign(binding, payload), payload]).toString('base64url')
  }

  /** @returns the position; undefined if the cursor is malformed, has another binding, or is older than a day */
  decode(binding: Binding, cursor: string, now: number): readonly string[] | undefined {
    const bytes = Buffer.from(cursor, 'base64url')
    if (bytes.length <= SIGNATURE_BYTES || bytes.toString('base64url') !== cursor) return undefined
    const payload = bytes.subarray(SIGNATURE_BYTES)
    if (!isSameDigest(bytes.subarray(0, SIGNATURE_BYTES), this.#sign(binding, payload))) return undefined
    const [madeAt, ...position] = JSON.parse(payload.toString('utf8')) as [number, ...string[]]
    return now - madeAt <= LIFETIME_MS ? position : undefined
  }

  /** A cursor that looks like a UUID: the beginning of an id and the time in seconds, encrypted. */
  encodeId(binding: Binding, id: string, now: number): string {
    const block = Buffer.from(id.replaceAll('-', ''), 'hex')
    block.writeUInt32BE(Math.floor(now / 1000), ID_BYTES_KEPT)
    const cipher = createCipheriv('aes-256-ecb', this.#key(binding), null).setAutoPadding(false)
    return canonicalId(Buffer.concat([cipher.update(block), cipher.final()]).toString('hex'))
  }

  /**
   * The range of the id in a cursor of `encodeId`; undefined if it is malformed or older than a day. A cursor with another binding decrypts
   * to noise: it seems too old, or its id is not in the list.
   */
  decodeId(binding: Binding, cursor: string, now: number): IdRange | undefined {
    if (!ID_CURSOR.test(cursor)) return undefined
    const decipher = createDecipheriv('aes-256-ecb', this.#key(binding), null).setAutoPadding(false)
    const block = Buffer.concat([decipher.update(Buffer.from(cursor.replaceAll('-', ''), 'hex')), decipher.final()])
    const age = now - block.readUInt32BE(ID_BYTES_KEPT) * 1000
    if (age < -CLOCK_DIFFERENCE_MS || age > LIFETIME_MS) return undefined
    const kept = block.toString('hex', 0, ID_BYTES_KEPT)
    return { from: canonicalId(`${kept}00000000`), to: canonicalId(`${kept}ffffffff`) }
  }

  #sign(binding: Binding, payload: Buffer): Buffer {
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify(binding))
      .update('\n')
      .update(payload)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
  }

  #key(binding: Binding): Buffer {
    return createHmac('sha256', this.#secret).update('id cursor').update(JSON.stringify(binding)).digest()
  }
}

/** The name of a list in cursors: its operation and every parameter that affects its contents. */
export function listName(operationId: string, path: Readonly<Record<string, unknown>>, query: unknown, body: unknown): string {
  const spelled = Object.values(path).map((value) => (typeof value === 'string' ? oneSpelling(value) : value))
  return canonicalJson([operationId, spelled, withoutPaging(query), withoutPaging(body)])
}

function withoutPaging(parameters: unknown): unknown {
  if (typeof parameters !== 'object' || parameters === null) return null
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== 'start_cursor' && name !== 'page_size'))
}

/** The cursors of one list for one caller. */
export class ListCursors {
  readonly #cursors: Cursors
  readonly #caller: Binding
  readonly #list: () => Binding
  readonly #now: number

  /**
   * @param caller the caller, and its version
   * @param list the list with every parameter that affects its contents
   */
  constructor(cursors: Cursors, caller: Binding, list: () => Binding, now: number) {
    this.#cursors = cursors
    this.#caller = caller
    this.#list = list
    this.#now = now
  }

  /** Cursors of another list, for lists that one operation starts and another continues. */
  of(...list: Binding): ListCursors {
    return new ListCursors(this.#cursors, this.#caller, () => list, this.#now)
  }

  encode(position: readonly string[]): string {
    return this.#cursors.encode(this.#binding(), position, this.#now)
  }

  decode(cursor: string): readonly string[] | undefined {
    return this.#cursors.decode(this.#binding(), cursor, this.#now)
  }

  encodeId(id: string): string {
    return this.#cursors.encodeId(this.#binding(), id, this.#now)
  }

  decodeId(cursor: string): IdRange | undefined {
    return this.#cursors.decodeId(this.#binding(), cursor, this.#now)
  }

  #binding(): Binding {
    return [...this.#caller, ...this.#list()]
  }
}
