/** The reference of the latest contract. Each page is rendered on request. */

import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { filesOf, newestPages, publishedPage, renderPage, searchScript, writeAssets } from '../docs/render.ts'
import type { Sources } from '../docs/pages/index.ts'
import type { SiteFile } from '../docs/releases.ts'

/** Shown until the contract has been read for the first time. */
const WAITING = '<!doctype html><meta charset="utf-8"><title>The contract has faults</title>'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

export class LiveSite {
  readonly #assets: string
  readonly #head: string
  #sources: Sources | undefined
  #files: ReadonlyMap<string, SiteFile> | undefined
  /** Texts requested since the contract last changed. */
  #texts = new Map<string, Promise<string | undefined>>()

  private constructor(assets: string, head: string) {
    this.#assets = assets
    this.#head = head
  }

  /** @param assets the folder for the style sheet and the script @param head HTML for the head of every page */
  static async make(assets: string, head: string): Promise<LiveSite> {
    await writeAssets(assets)
    return new LiveSite(assets, head)
  }

  show(sources: Sources): void {
    this.#sources = sources
    this.#files = undefined
    this.#texts = new Map()
  }

  /** The file at a path of the site; undefined if it does not exist. */
  async file(path: string): Promise<{ type: string; text: string } | undefined> {
    const name = path.endsWith('/') ? `${path}index.html` : path
    const known = this.#texts.get(name) ?? this.#text(decodeURIComponent(name).slice(1))
    this.#texts.set(name, known)
    const text = await known
    return text === undefined ? undefined : { type: types[extname(name)] ?? 'text/plain', text }
  }

  async #text(name: string): Promise<string | undefined> {
    if (name === 'site.css' || name === 'site.js') return readFile(join(this.#assets, name), 'utf8')
    if (this.#sources === undefined) return name.endsWith('.html') ? `${WAITING}${this.#head}The contract has faults.` : undefined
    this.#files ??= new Map(filesOf([this.#sources]).map((file) => [file.file, file]))
    const files = [...this.#files.values()]
    if (name === 'search.js') return searchScript(newestPages(files))
    const found = this.#files.get(name.slice(0, -extname(name).length))
    if (found === undefined) return undefined
    return name.endsWith('.md') ? publishedPage(found, '/') : renderPage(this.#sources.document, files, found, this.#head)
  }
}
