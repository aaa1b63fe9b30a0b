import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { FILES_FOLDER, folderOf } from '../archive_names.ts'
import { MANIFEST_PATH, type ArchiveManifest, type ManifestDatabase, type ManifestSource } from '../manifest.ts'

/** A page of an archive, or a folder without a page of its own, which becomes one. */
export interface PlannedPage {
  readonly kind: 'page'
  readonly path: string
  readonly title: string | undefined
}

export interface PlannedDatabase {
  readonly kind: 'database'
  /** Of its first data source. */
  readonly path: string
  readonly manifest: ManifestDatabase | undefined
  readonly sources: readonly { readonly path: string; readonly manifest: ManifestSource | undefined }[]
}

/** Folders around a file. Pages are not found any more below so many others. */
const FOLDERS_MAX = 100

const IGNORED = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/

/** The tree of an archive, by the names of its files, and the new id of each record. */
export class ArchiveTree {
  /** Pages and databases, after those that they are in. Rows are in the tables. */
  readonly records: readonly (PlannedPage | PlannedDatabase)[]
  /** Pages and tables in too many folders, which have no place. */
  readonly tooDeep: readonly string[]
  /** The Markdown files of rows, by the folders of their tables. */
  readonly rowFiles = new Map<string, string[]>()
  readonly #folders = new Map<string, 'page' | 'source' | 'row'>()
  /** The path of the first data source of its database, by path. */
  readonly #databases = new Map<string, string>()
  readonly #seed: string

  /** @param seed makes the ids of one import */
  constructor(paths: readonly string[], manifest: ArchiveManifest | undefined, seed: string) {
    this.#seed = seed
    // This service puts no page into the folders of files, but a file may have the name of one.
    const isFile = (path: string): boolean => manifest !== undefined && posix.basename(posix.dirname(path)) === FILES_FOLDER
    const [used, tooDeep] = [[] as string[], [] as string[]]
    for (const path of paths.filter((path) => !isIgnored(path) && !isFile(path)))
      (path.split('/').length > FOLDERS_MAX ? tooDeep : used).push(path)
    this.tooDeep = tooDeep.filter((path) => isMarkdown(path) || isTable(path))
    const databases = this.#databasesOf(
      used.filter((path) => isTable(path)),
      manifest,
    )
    for (const { sources, path: first } of databases)
      for (const { path } of sources) {
        this.#folders.set(folderOf(path), 'source')
        this.#databases.set(path, first)
      }
    const pages = this.#pagesOf(
      used.filter((path) => isMarkdown(path)),
      manifest,
    )
    for (const { path } of databases) this.#addFolders(posix.dirname(path), pages)
    const depth = ({ path }: { readonly path: string }): number => path.split('/').length
    this.records = [...pages.values(), ...databases].sort((one, other) => depth(one) - depth(other))
  }

  /** Whether a path is a page, row or table of the archive. */
  kindOf(path: string): 'page' | 'database' | undefined {
    if (this.#databases.has(path)) return 'database'
    return isMarkdown(path) && (this.#folders.has(folderOf(path)) || this.#folders.get(posix.dirname(path)) === 'source')
      ? 'page'
      : undefined
  }

  /** Whether a page is a row of a data source. */
  isRow(path: string): boolean {
    return this.#folders.get(posix.dirname(path)) === 'source'
  }

  /** The new id of a page, row or database, or of a block of text that leads to one. */
  idOf(path: string): string {
    const first = this.#databases.get(path)
    return first === undefined ? this.#newId('page', path) : this.#newId('database', first)
  }

  sourceIdOf(path: string): string {
    return this.#newId('data_source', path)
  }

  /** The id of the page or row that contains a file; undefined at the top. */
  parentIdOf(path: string): string | undefined {
    const folder = posix.dirname(path)
    return folder === '.' ? undefined : this.idOf(`${folder}.md`)
  }

  /** A UUIDv4 that depends only on seed and path, so that links can be written before their targets exist. */
  #newId(kind: string, path: string): string {
    const hex = createHash('sha256').update(`${this.#seed}\0${kind}\0${path}`).digest('hex')
    const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }

  #databasesOf(tables: readonly string[], manifest: ArchiveManifest | undefined): PlannedDatabase[] {
    const there = new Set(tables)
    const described = (manifest?.databases ?? []).flatMap((database): PlannedDatabase[] => {
      const sources = database.data_sources
        .filter(({ path }) => there.delete(path))
        .map((source) => ({ path: source.path, manifest: source }))
      return sources[0] ? [{ kind: 'database', path: sources[0].path, manifest: database, sources }] : []
    })
    const others = [...there].toSorted().map((path): PlannedDatabase => ({
      kind: 'database',
      path,
      manifest: undefined,
      sources: [{ path, manifest: undefined }],
    }))
    return [...described, ...others]
  }

  #pagesOf(texts: readonly string[], manifest: ArchiveManifest | undefined): Map<string, PlannedPage> {
    const there = new Set(texts)
    const pages = new Map<string, PlannedPage>()
    const add = (path: string, title: string | undefined): void => {
      if (!there.delete(path)) return
      const folder = posix.dirname(path)
      if (this.#folders.get(folder) === 'source') {
        this.#folders.set(folderOf(path), 'row')
        this.rowFiles.set(folder, [...(this.rowFiles.get(folder) ?? []), path])
        return
      }
      this.#folders.set(folderOf(path), 'page')
      pages.set(path, { kind: 'page', path, title })
    }
    for (const { path, title } of manifest?.pages ?? []) add(path, title)
    for (const path of texts.toSorted((one, other) => one.split('/').length - other.split('/').length || (one < other ? -1 : 1)))
      add(path, undefined)
    for (const path of [...pages.keys(), ...[...this.rowFiles.keys()].map((folder) => `${folder}.csv`)])
      this.#addFolders(posix.dirname(path), pages)
    return pages
  }

  /** A folder without a page of its own becomes one. */
  #addFolders(folder: string, pages: Map<string, PlannedPage>): void {
    if (folder === '.' || this.#folders.has(folder)) return
    this.#addFolders(posix.dirname(folder), pages)
    const isRow = this.#folders.get(posix.dirname(folder)) === 'source'
    this.#folders.set(folder, isRow ? 'row' : 'page')
    if (!isRow) pages.set(`${folder}.md`, { kind: 'page', path: `${folder}.md`, title: undefined })
  }
}

function isMarkdown(path: string): boolean {
  return /\.md$/i.test(path)
}

function isTable(path: string): boolean {
  return /\.csv$/i.test(path)
}

export function isIgnored(path: string): boolean {
  return path === MANIFEST_PATH || IGNORED.test(path)
}

/** The name of a file without the id that some programs add. */
export function nameOfFile(path: string): string {
  return folderOf(posix.basename(path)).replace(/(?<!\s)\s+[0-9a-f]{32}$/i, '')
}
