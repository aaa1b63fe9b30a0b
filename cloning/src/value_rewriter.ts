import { isObject } from '@workspace-service/server/kernel/is_object.ts'

/** The counterparts in the clone of records that values refer to. */
export interface KnownRecords {
  /** The id of a person in the clone; undefined if the clone lacks the person. */
  personOf(id: string): string | undefined
  hasEmoji(id: string): boolean
  /** Whether a page, database or block is in the clone, under its own id. */
  has(id: string): boolean
  /** Copies a file. @returns the id of the upload; undefined if it cannot be downloaded */
  upload(file: HostedFile): Promise<string | undefined>
}

/** A file that the source stores. */
export interface HostedFile {
  readonly url: string
  readonly name: string | undefined
}

const DEPTH_MAX = 64

type Values = Readonly<Record<string, unknown>>

/**
 * Translates values of the source for the clone: hosted files become uploads, ids of people become those of the clone, and mentions of
 * missing records become text. Values that cannot be kept become undefined.
 */
export class ValueRewriter {
  readonly #known: KnownRecords

  constructor(known: KnownRecords) {
    this.#known = known
  }

  /** @param depth the nesting depth of the value; no request has more levels than `DEPTH_MAX` */
  async rewrite(value: unknown, depth = 0): Promise<unknown> {
    if (depth > DEPTH_MAX) return undefined
    if (Array.isArray(value)) {
      const items: unknown[] = []
      for (const item of value) items.push(await this.rewrite(item, depth + 1))
      return items.filter((item) => item !== undefined)
    }
    if (!isObject(value)) return value
    if (value['type'] === 'mention' && isObject(value['mention'])) return this.#mention(value, value['mention'])
    if (value['object'] === 'user') return this.#person(value)
    const hosted = hostedFile(value)
    if (hosted) return this.#file(value, hosted)
    if (isObject(value['custom_emoji'])) return this.#emoji(value['custom_emoji'])
    const entries: [string, unknown][] = []
    for (const [key, member] of Object.entries(value)) entries.push([key, await this.rewrite(member, depth + 1)])
    return Object.fromEntries(entries)
  }

  #person(value: Values): unknown {
    const id = this.#known.personOf(String(value['id']))
    return id === undefined ? undefined : { object: 'user', id }
  }

  #emoji(emoji: Values): unknown {
    const id = String(emoji['id'])
    return this.#known.hasEmoji(id) ? { type: 'custom_emoji', custom_emoji: { id } } : undefined
  }

  async #file({ file: _file, url: _url, ...value }: Values, hosted: HostedFile): Promise<unknown> {
    const id = await this.#known.upload(hosted)
    if (id === undefined) return undefined
    const rest = await this.rewrite({ ...value, type: 'file_upload' })
    return { ...(isObject(rest) ? rest : {}), file_upload: { id } }
  }

  async #mention(item: Values, mention: Values): Promise<unknown> {
    const target = await this.#mentioned(mention)
    if (target !== undefined) return { ...item, mention: target }
    const { plain_text: content = '', href, annotations } = item
    const link = typeof href === 'string' && href.startsWith('http') ? { url: href } : null
    return { type: 'text', text: { content, link }, annotations }
  }

  /** The target of a mention in the clone; undefined if the clone lacks it, or if it cannot be written. */
  async #mentioned(mention: Values): Promise<unknown> {
    const kind = String(mention['type'])
    const content = mention[kind]
    if (kind === 'page' || kind === 'database')
      return isObject(content) && this.#known.has(String(content['id'])) ? mention : undefined
    if (kind === 'user') {
      const id = isObject(content) ? this.#known.personOf(String(content['id'])) : undefined
      return id === undefined ? undefined : { type: 'user', user: { id } }
    }
    if (kind === 'custom_emoji') return isObject(content) ? this.#emoji(content) : undefined
    return kind === 'date' || kind === 'template_mention' ? mention : undefined
  }
}

function hostedFile(value: Values): HostedFile | undefined {
  const file = value['type'] === 'file' ? value['file'] : undefined
  if (!isObject(file) || typeof file['url'] !== 'string') return undefined
  return { url: file['url'], name: typeof value['name'] === 'string' ? value['name'] : undefined }
}
