import MiniSearch, { type SearchResult } from 'minisearch'
import type { SearchEntry } from '../search.ts'

declare global {
  interface Window {
    /** Set by the script of search entries, which is loaded when the search field gets the focus. */
    searchEntries?: readonly SearchEntry[]
  }
}

/** The ranking factors of the kinds of pages. */
const weights: Readonly<Record<string, number>> = {
  guide: 6,
  area: 2,
  operation: 1.5,
  object: 1.2,
  list: 1.2,
  event: 1,
  home: 0.5,
}
const HITS_MAX = 12

/** Makes the search of the site work, by keyboard or mouse. */
export function enableSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search')
  const list = document.querySelector<HTMLElement>('#found')
  if (field === null || list === null) return
  const box = new SearchBox(field, list, document.documentElement.dataset['root'] ?? '')
  field.addEventListener('focus', () => void box.load())
  field.addEventListener('input', () => void box.show())
  field.addEventListener('keydown', (event) => box.press(event))
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')) return
    event.preventDefault()
    field.focus()
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !list.contains(target) && target !== field) box.close()
  })
}

class SearchBox {
  #index: Promise<MiniSearch> | undefined
  #chosen = 0
  readonly #field: HTMLInputElement
  readonly #list: HTMLElement
  readonly #root: string

  constructor(field: HTMLInputElement, list: HTMLElement, root: string) {
    this.#field = field
    this.#list = list
    this.#root = root
  }

  load(): Promise<MiniSearch> {
    this.#index ??= loadScript(`${this.#root}search.js`).then(() => indexOf(window.searchEntries ?? []))
    return this.#index
  }

  async show(): Promise<void> {
    const text = this.#field.value.trim()
    if (text === '') return this.close()
    const index = await this.load()
    if (text !== this.#field.value.trim()) return
    const hits = rankedHits(index, text)
    this.#chosen = 0
    this.#list.replaceChildren(
      ...(hits.length === 0 ? [nothingFound(text)] : hits.map((hit, location) => option(hit, location, this.#root))),
    )
    this.#mark()
    this.#list.hidden = false
    this.#field.setAttribute('aria-expanded', 'true')
  }

  press(event: KeyboardEvent): void {
    const options = this.#list.querySelectorAll('a')
    if (event.key === 'Escape') return this.close()
    if (event.key === 'Enter') return options[this.#chosen]?.click()
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || options.length === 0) return
    event.preventDefault()
    this.#chosen = (this.#chosen + step + options.length) % options.length
    this.#mark()
  }

  close(): void {
    this.#list.hidden = true
    this.#field.setAttribute('aria-expanded', 'false')
    this.#field.removeAttribute('aria-activedescendant')
  }

  #mark(): void {
    const options = [...this.#list.querySelectorAll('a')]
    for (const [location, link] of options.entries()) link.setAttribute('aria-selected', String(location === this.#chosen))
    const chosen = options[this.#chosen]
    chosen?.scrollIntoView({ block: 'nearest' })
    if (chosen !== undefined) this.#field.setAttribute('aria-activedescendant', chosen.id)
  }
}

function indexOf(entries: readonly SearchEntry[]): MiniSearch {
  const index = new MiniSearch({
    fields: ['t', 'w', 's', 'b'],
    storeFields: ['u', 't', 'k', 's', 'w'],
    idField: 'u',
    tokenize: wordsOf,
    searchOptions: {
      boost: { t: 6, w: 2 },
      prefix: (word) => word.length > 1,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      boostDocument: (_id, _word, entry) => weights[String(entry?.['k'])] ?? 1,
    },
  })
  index.addAll(entries)
  return index
}

/** The words of a text. Names such as `ToDoBlock` and `synced_from` are indexed as a whole and by their parts. */
function wordsOf(text: string): string[] {
  const whole = text.split(/[^\p{L}\p{N}_]+/u)
  const parts = text.split(/[^\p{L}\p{N}]+|(?<=[a-z])(?=[A-Z])/u)
  return [...new Set([...whole, ...parts])].filter((word) => word !== '')
}

function rankedHits(index: MiniSearch, text: string): SearchResult[] {
  const wanted = plain(text)
  const isName = /[a-z][_A-Z]/.test(text)
  // A query that is a name ranks the page with that name first, then objects with a member of that name, then texts that mention it.
  const rank = ({ t, w }: SearchResult): number =>
    plain(String(t)) === wanted ? 2 : Number(isName && String(w).split(' ').includes(text))
  return index
    .search(text)
    .sort((one, other) => rank(other) - rank(one) || other.score - one.score)
    .slice(0, HITS_MAX)
}

/** Spelling without case and underscores: `SyncedFrom` and `synced_from` are one name. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function option({ u, t, k, s }: SearchResult, location: number, root: string): HTMLAnchorElement {
  const link = document.createElement('a')
  Object.assign(link, { href: root + String(u), id: `hit-${location}` })
  link.setAttribute('role', 'option')
  const title = document.createElement('b')
  title.textContent = String(t)
  const words = document.createElement('small')
  words.textContent = `${String(k)} · ${String(s)}`
  link.append(title, words)
  return link
}

function nothingFound(text: string): HTMLElement {
  return Object.assign(document.createElement('p'), { textContent: `Nothing found for “${text}”.` })
}

function loadScript(address: string): Promise<void> {
  return new Promise((done, failed) => {
    const script = document.createElement('script')
    Object.assign(script, { src: address, onload: () => done(), onerror: failed })
    document.head.append(script)
  })
}
