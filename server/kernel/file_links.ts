import { createHmac } from 'node:crypto'
import { isSameDigest } from './is_same_digest.ts'
import { toTimestamp } from './clock.ts'
import { canonicalId, undashed } from './ids.ts'

/** The stored file to which a link refers. */
export interface FileTarget {
  readonly workspaceId: string
  readonly id: string
}

/** A link that opens a file for anyone who has the link, until it expires. */
interface SignedLink {
  readonly url: string
  readonly expiry_time: string
}

const LIFETIME_MS = 60 * 60 * 1000
const PATH = /^\/files\/([0-9a-f]{32})\/([0-9a-f]{32})(?:\/[^/?]*)?$/

/** Signs and verifies links to stored files with a key of this deployment. Nothing is stored. */
export class FileLinks {
  readonly #secret: Buffer

  constructor(secret: Buffer) {
    this.#secret = secret
  }

  /** A link that is valid for one hour. @param name the file's name, which is only shown in the address */
  sign(baseUrl: string, target: FileTarget, name: string, now: number): SignedLink {
    const end = now + LIFETIME_MS
    const query = `expires=${end}&signature=${this.#signature(target, end).toString('base64url')}`
    return { url: `${fileAddress(baseUrl, target, name)}?${query}`, expiry_time: toTimestamp(end) }
  }

  /**
   * The file that a link opens, and the link's expiry.
   * @param path begins with `/files/`
   * @returns undefined if the link was forged or changed, or has expired
   */
  open(path: string, query: URLSearchParams, now: number): (FileTarget & { readonly end: number }) | undefined {
    const target = targetOf(path)
    const end = Number(query.get('expires'))
    const signature = Buffer.from(query.get('signature') ?? '', 'base64url')
    if (!target || !Number.isSafeInteger(end) || end <= now) return undefined
    const expected = this.#signature(target, end)
    if (!isSameDigest(signature, expected)) return undefined
    return { ...target, end }
  }

  #signature({ workspaceId, id }: FileTarget, end: number): Buffer {
    return createHmac('sha256', this.#secret).update(`${workspaceId}/${id}/${end}`).digest()
  }
}

/** The address of a file without its signature. It never changes. */
function fileAddress(baseUrl: string, { workspaceId, id }: FileTarget, name: string): string {
  return `${baseUrl}/files/${undashed(workspaceId)}/${undashed(id)}/${encoded(name)}`
}

/** Encodes a name. In Markdown, parentheses and quotation marks would end the address. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function targetOf(path: string): FileTarget | undefined {
  const [, workspaceId, id] = PATH.exec(path) ?? []
  return workspaceId === undefined || id === undefined
    ? undefined
    : { workspaceId: canonicalId(workspaceId), id: canonicalId(id) }
}

/** The file to which an address of this service refers, signed or not; undefined for any other address. */
export function fileOfAddress(url: string, baseUrl: string): FileTarget | undefined {
  return url.startsWith(`${baseUrl}/files/`) ? targetOf(url.slice(baseUrl.length).split('?', 1)[0] ?? '') : undefined
}
