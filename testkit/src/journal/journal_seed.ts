import { newestRelease, operations, type OperationId } from '../../../generated/operations.ts'
import type { Seed } from '../seed/seed.ts'
import type { JournalEntry } from './journal_entry.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'

/** A request of the journal that its seed does not repeat. */
export interface LeftOut {
  readonly operation: string
  readonly path: string
  readonly reason: string
}

/** Records that recorded requests have created, as a seed that recreates them. */
export interface JournalSeed {
  readonly seed: Seed
  readonly leftOut: readonly LeftOut[]
}

type Content = Record<string, unknown>

interface Page {
  readonly name: string
  readonly content: Content
  readonly below: Page[]
  isGone: boolean
}

interface MadeDatabase {
  readonly name: string
  readonly page: Page
  readonly content: Content
  readonly rows: Page[]
}

/** Makes a seed from a journal. Requests of older versions are left out, because their bodies have other forms. */
export function seedOf(entries: readonly JournalEntry[]): JournalSeed {
  const recreation = new Recreation()
  for (const entry of entries) recreation.take(entry)
  return recreation.result()
}

const NAME_LENGTH_MAX = 60
const CHILDREN_MAX = 100
const MERGED_KEYS = ['properties', 'icon', 'cover']

class Recreation {
  readonly #top: Page[] = []
  readonly #pages = new Map<string, Page>()
  readonly #databases: MadeDatabase[] = []
  readonly #sources = new Map<string, MadeDatabase>()
  readonly #names = new Set<string>()
  readonly #leftOut: LeftOut[] = []

  take(entry: JournalEntry): void {
    const { operation, path, method, refusal } = entry
    if (refusal || !Object.hasOwn(operations, operation) || isReading(operation as OperationId, method)) return
    const reason = this.#reasonAgainst(entry)
    if (reason !== undefined) this.#leftOut.push({ operation, path, reason })
  }

  result(): JournalSeed {
    const databases = this.#databases.filter(({ page }) => !page.isGone)
    const shown = databases.map(({ name, page, content, rows }) => ({
      name,
      page: page.name,
      ...content,
      ...listed('rows', rows),
    }))
    const seed = { ...listed('pages', this.#top), ...(shown.length > 0 && { databases: shown }) }
    // The service has accepted these bodies, so they have the form of a seed.
    return { seed: seed as Seed, leftOut: this.#leftOut }
  }

  /**
   * Repeats the effect of a request.
   * @returns the reason if it cannot be repeated
   */
  #reasonAgainst(entry: JournalEntry): string | undefined {
    const { operation, headers, response } = entry
    if (response.status !== 200) return 'Its response does not say what it created.'
    if (headers['service-version'] !== newestRelease) return `Its version is not ${newestRelease}.`
    const body = isObject(entry.body) ? entry.body : {}
    const target = this.#pages.get(idOf(entry.path.split('/')[3]))
    if (operation === 'createPage') return this.#createPage(body, response.body)
    if (operation === 'createDatabase') return this.#createDatabase(body, response.body)
    if (operation === 'updatePage' && target) return this.#updatePage(target, body)
    if (operation === 'appendBlockChildren' && target) return this.#append(target, body)
    if (operation === 'deleteBlock' && target) return void (target.isGone = true)
    return 'A seed cannot contain it.'
  }

  #createPage({ parent, allow_async: _async, position, ...content }: Readonly<Content>, response: unknown): string | undefined {
    if (position !== undefined) return 'A seed cannot contain the position of a page.'
    const siblings = this.#siblings(parent)
    if (!siblings) return 'None of the requests created its parent.'
    const reason = this.#reasonAgainstIds(content)
    if (reason !== undefined) return reason
    const page = { name: this.#nameFor(content), content, below: [], isGone: false }
    siblings.push(page)
    this.#pages.set(idOf(isObject(response) ? response['id'] : undefined), page)
    return undefined
  }

  #siblings(parent: unknown): Page[] | undefined {
    if (!isObject(parent) || parent['workspace'] === true) return this.#top
    const page = this.#pages.get(idOf(parent['page_id']))
    return page?.below ?? this.#sources.get(idOf(parent['data_source_id'] ?? parent['database_id']))?.rows
  }

  #createDatabase({ parent, ...content }: Readonly<Content>, response: unknown): string | undefined {
    const page = isObject(parent) ? this.#pages.get(idOf(parent['page_id'])) : undefined
    if (!page) return 'None of the requests created its page.'
    const reason = this.#reasonAgainstIds(content)
    if (reason !== undefined) return reason
    const made = { name: this.#nameFor({ properties: { title: content['title'] } }, 'database'), page, content, rows: [] }
    this.#databases.push(made)
    const { id, data_sources: sources } = isObject(response) ? response : {}
    const ids = Array.isArray(sources) ? sources.map((source: unknown) => (isObject(source) ? source['id'] : undefined)) : []
    for (const one of [id, ...ids]) this.#sources.set(idOf(one), made)
    return undefined
  }

  #updatePage(page: Page, body: Readonly<Content>): string | undefined {
    if (body['in_trash'] === true) return void (page.isGone = true)
    const others = Object.keys(body).filter((key) => !MERGED_KEYS.includes(key) && body[key] !== false)
    if (others.length > 0) return `A seed cannot contain ${others.join(', ')}.`
    const reason = this.#reasonAgainstIds(body)
    if (reason !== undefined) return reason
    const properties = { ...asContent(page.content['properties']), ...asContent(body['properties']) }
    if (body['in_trash'] === false) page.isGone = false
    for (const key of ['icon', 'cover']) if (body[key] !== undefined) page.content[key] = body[key]
    if (Object.keys(properties).length > 0) page.content['properties'] = properties
    return undefined
  }

  #append({ content }: Page, body: Readonly<Content>): string | undefined {
    const { children, ...others } = body
    const [before, added] = [content['children'] ?? [], children]
    if (Object.keys(others).length > 0 || !Array.isArray(before) || !Array.isArray(added))
      return 'A seed cannot contain a position.'
    if (content['markdown'] !== undefined || content['template'] !== undefined) return 'Its page does not begin with blocks.'
    if (before.length + added.length > CHILDREN_MAX) return `A page begins with at most ${CHILDREN_MAX} blocks.`
    const reason = this.#reasonAgainstIds(body)
    if (reason === undefined) content['children'] = [...(before as unknown[]), ...(added as unknown[])]
    return reason
  }

  /** Records of a seed have different ids each time. */
  #reasonAgainstIds(content: Readonly<Content>): string | undefined {
    const text = JSON.stringify(content)
      .toLowerCase()
      .replaceAll(/(?<=[0-9a-f])-(?=[0-9a-f])/g, '')
    const named = [...this.#pages.keys(), ...this.#sources.keys()].find((id) => text.includes(id))
    return named === undefined ? undefined : 'It refers by id to what another request created.'
  }

  #nameFor(content: Readonly<Content>, usual = 'page'): string {
    const wanted = titleOf(content).slice(0, NAME_LENGTH_MAX).trim() || usual
    let name = wanted
    for (let count = 2; this.#names.has(name); count += 1) name = `${wanted} ${count}`
    this.#names.add(name)
    return name
  }
}

/** Ids may be written with or without dashes. */
function idOf(id: unknown): string {
  return String(id).toLowerCase().replaceAll('-', '')
}

function isReading(id: OperationId, method: string): boolean {
  return method === 'GET' || /^(?:search|query|introspect)/.test(id)
}

function asContent(value: unknown): Content {
  return isObject(value) ? { ...value } : {}
}

/** The first line of a page that is not empty. */
function titleOf({ properties, markdown }: Readonly<Content>): string {
  for (const property of Object.values(asContent(properties))) {
    const items: unknown = isObject(property) ? property['title'] : property
    const texts = Array.isArray(items) ? items.map((item: unknown) => textOf(item)) : []
    if (texts.join('') !== '') return texts.join('')
  }
  const [line = ''] = typeof markdown === 'string' ? markdown.trim().split('\n') : []
  return line.replace(/^#+\s*/, '')
}

function textOf(item: unknown): string {
  const text = isObject(item) ? item['text'] : undefined
  const content = isObject(text) ? text['content'] : undefined
  return typeof content === 'string' ? content : ''
}

function listed(key: string, pages: readonly Page[]): Readonly<Content> {
  const kept = pages.filter(({ isGone }) => !isGone)
  const shown = kept.map(({ name, content, below }) => ({ name, ...content, ...(key === 'rows' ? {} : listed('pages', below)) }))
  return shown.length > 0 ? { [key]: shown } : {}
}
