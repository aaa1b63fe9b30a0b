import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { FILES_FOLDER, folderOf } from '../archive_names.ts'
import { type ArchiveManifest, type ManifestDatabase, type ManifestSource } from '../manifest.ts'
import { isContent, isHtml, isPage, isTable, mainTableOf, withoutId } from './archive_paths.ts'
import { NamedPaths } from './named_paths.ts'

/** A page of an archive, or a folder without its own page, which becomes a page. */
export interface PlannedPage {
  readonly kind: 'page'
  readonly path: string
  readonly title: string | undefined
}

export interface PlannedSource {
  readonly path: string
  /** The file with its rows: some programs write a table twice, the second time with all rows and columns. */
  readonly rowsPath: string
  readonly manifest: ManifestSource | undefined
}

export interface PlannedDatabase {
  readonly kind: 'database'
  /** The path of its first data source. */
  readonly path: string
  readonly manifest: ManifestDatabase | undefined
  readonly sources: readonly PlannedSource[]
}

/** The maximum depth of folders. Pages below are not found. */
const FOLDERS_MAX = 100

/** The tree of an archive, from its file names, and the new id of each record. */
export class ArchiveTree {
  /** Pages and databases, after the records that contain them. Rows are in the tables. */
  readonly records: readonly (PlannedPage | PlannedDatabase)[]
  /** Pages and tables that are in too many folders to be imported. */
  readonly tooDeep: readonly string[]
  /** The files of rows, by the folders of their tables. */
  readonly #rowFiles = new Map<string, string[]>()
  /** Whether it is a vault of Obsidian, where file names are the titles of notes. */
  readonly isVault: boolean
  /** All files, by their names. */
  readonly names: NamedPaths
  /** Everything in the folder of a page, row or table belongs to that record. */
  readonly #owners = new Map<string, { readonly kind: 'page' | 'source'; readonly path: string }>()
  readonly #folders = new Map<string, string>()
  readonly #pages = new Set<string>()
  /** The path of the first data source of its database, by path. */
  readonly #databases = new Map<string, string>()
  readonly #rowsPaths = new Map<string, string>()
  /** Tables with the same name that are not read yet, by the folder of rows that they share. */
  readonly #waiting = new Map<string, Set<string>>()
  /** The table of each row in a folder that several tables share. */
  readonly #tables = new Map<string, string>()
  readonly #seed: string
  /** Whether this service has written the archive. */
  readonly #isOwn: boolean

  /** @param seed determines the ids of one import */
  constructor(paths: readonly string[], manifest: ArchiveManifest | undefined, seed: string) {
    this.#seed = seed
    this.#isOwn = manifest !== undefined
    this.names = new NamedPaths(paths)
    this.isVault = paths.some((path) => /(?:^|\/)\.obsidian\//.test(path))
    // This service puts no page into the folders of files, but a file may have the name of a page.
    const isFile = (path: string): boolean => this.#isOwn && posix.basename(posix.dirname(path)) === FILES_FOLDER
    const [used, tooDeep] = [[] as string[], [] as string[]]
    for (const path of paths.filter((path) => isContent(path) && !isFile(path)))
      (path.split('/').length > FOLDERS_MAX ? tooDeep : used).push(path)
    this.tooDeep = tooDeep
    const folders = foldersOf(used)
    const databases = this.#databasesOf(used.filter(isTable), manifest)
    const sources = databases.flatMap((database) => database.sources.map(({ path }) => path))
    this.#claim('source', sources, folders)
    for (const path of sources) {
      const folder = this.#rowFolderOf(path)
      this.#waiting.set(folder, (this.#waiting.get(folder) ?? new Set()).add(path))
    }
    for (const [folder, tables] of this.#waiting) if (tables.size === 1) this.#waiting.delete(folder)
    const pages = this.#pagesOf(
      used.filter((path) => isPage(path) && !this.#isViewOfTable(path)),
      manifest,
      folders,
    )
    for (const { path } of databases) this.#addFolders(posix.dirname(path), pages)
    const depth = ({ path }: { readonly path: string }): number => path.split('/').length
    this.records = [...pages.values(), ...databases].sort((one, other) => depth(one) - depth(other))
  }

  /** The kind of the record at a path, or undefined. */
  kindOf(path: string): 'page' | 'database' | undefined {
    if (this.#databases.has(path)) return 'database'
    return this.#pages.has(path) || (isPage(path) && this.isRow(path)) ? 'page' : undefined
  }

  isRow(path: string): boolean {
    return this.#owners.get(posix.dirname(path))?.kind === 'source'
  }

  /** The table that contains a page as a row. */
  tableOf(path: string): string | undefined {
    const owner = this.#owners.get(posix.dirname(path))
    return owner?.kind === 'source' ? (this.#tables.get(path) ?? owner.path) : undefined
  }

  /** Files that may be rows of a table. */
  rowFilesOf(table: string): readonly string[] {
    return (this.#rowFiles.get(this.#rowFolderOf(table)) ?? []).filter((path) => !this.#tables.has(path))
  }

  /**
   * Records the rows of a table.
   * @returns whether the remaining files are its rows, too: no other table may have them
   */
  takeRows(table: string, paths: readonly string[]): boolean {
    const waiting = this.#waiting.get(this.#rowFolderOf(table))
    if (!waiting) return true
    waiting.delete(table)
    for (const path of paths) this.#tables.set(path, table)
    return waiting.size === 0
  }

  /** The folder of the rows of a table, which tables with the same name may share. */
  #rowFolderOf(table: string): string {
    const folder = withoutId(folderOf(table))
    const isShared = !this.#isOwn && this.#owners.get(folder)?.kind === 'source'
    return this.#folders.get(table) ?? (isShared ? folder : folderOf(table))
  }

  /** The new id of a page, row or database, or of a text block that links to one. */
  idOf(path: string): string {
    const first = this.#databases.get(path)
    return first === undefined ? this.#newId('page', path) : this.#newId('database', first)
  }

  sourceIdOf(path: string): string {
    return this.#newId('data_source', path)
  }

  rowsPathOf(path: string): string {
    return this.#rowsPaths.get(path) ?? path
  }

  /** The folder for the files and pages of a page, row or table. */
  folderOf(path: string): string {
    return this.#folders.get(path) ?? folderOf(path)
  }

  /** The page or row that contains a file; undefined at the top. */
  parentOf(path: string): string | undefined {
    const folder = posix.dirname(path)
    return folder === '.' ? undefined : (this.#owners.get(folder)?.path ?? `${folder}.md`)
  }

  /** The id of the page or row that contains a file; undefined at the top. */
  parentIdOf(path: string): string | undefined {
    const parent = this.parentOf(path)
    return parent === undefined ? undefined : this.idOf(parent)
  }

  /** A UUIDv4 that depends only on seed and path, so that links can be written before their targets exist. */
  #newId(kind: string, path: string): string {
    const hex = createHash('sha256').update(`${this.#seed}\0${kind}\0${path}`).digest('hex')
    const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }

  /** Gives each record the folder with its name or, if no other record has it, the folder with its name without the id. */
  #claim(kind: 'page' | 'source', paths: readonly string[], folders: ReadonlySet<string>): void {
    const take = (path: string, folder: string): void => {
      if (this.#folders.has(path) || this.#owners.has(folder) || !folders.has(folder)) return
      this.#owners.set(folder, { kind, path })
      this.#folders.set(path, folder)
    }
    for (const path of paths) take(path, folderOf(path))
    for (const path of paths) take(path, withoutId(folderOf(path)))
    // A record owns its folder even if the archive has no such folder: rows without files are placed there.
    for (const path of paths) if (!this.#folders.has(path)) this.#owners.set(folderOf(path), { kind, path })
  }

  #databasesOf(tables: readonly string[], manifest: ArchiveManifest | undefined): PlannedDatabase[] {
    const existing = new Set(tables)
    const described = (manifest?.databases ?? []).flatMap((database): PlannedDatabase[] => {
      const sources = database.data_sources
        .filter(({ path }) => existing.delete(path))
        .map((source) => ({ path: source.path, rowsPath: source.path, manifest: source }))
      return sources[0] ? [{ kind: 'database', path: sources[0].path, manifest: database, sources }] : []
    })
    const rowsPaths = new Map<string, string>()
    for (const path of existing) {
      const main = mainTableOf(path)
      if (main !== undefined && existing.has(main)) rowsPaths.set(main, path)
    }
    for (const path of rowsPaths.values()) existing.delete(path)
    const others = [...existing].toSorted().map((path): PlannedDatabase => {
      const sources = [{ path, rowsPath: rowsPaths.get(path) ?? path, manifest: undefined }]
      return { kind: 'database', path, manifest: undefined, sources }
    })
    for (const { path: first, sources } of [...described, ...others])
      for (const { path, rowsPath } of sources) {
        this.#databases.set(path, first).set(rowsPath, first)
        this.#rowsPaths.set(path, rowsPath)
      }
    return [...described, ...others]
  }

  /** Whether a page only shows a table that also exists as a CSV file; links to either lead to the database. */
  #isViewOfTable(path: string): boolean {
    if (!isHtml(path)) return false
    const base = folderOf(path)
    const table = [`${base}.csv`, `${base}_all.csv`].find((name) => this.#databases.has(name))
    if (table !== undefined) this.#databases.set(path, this.#databases.get(table) ?? table)
    return table !== undefined
  }

  #pagesOf(
    texts: readonly string[],
    manifest: ArchiveManifest | undefined,
    folders: ReadonlySet<string>,
  ): Map<string, PlannedPage> {
    this.#claim('page', texts, folders)
    const existing = new Set(texts)
    const pages = new Map<string, PlannedPage>()
    const add = (path: string, title: string | undefined): void => {
      if (!existing.delete(path)) return
      this.#pages.add(path)
      const folder = posix.dirname(path)
      if (this.isRow(path)) {
        const list = this.#rowFiles.get(folder)
        if (list) list.push(path)
        else this.#rowFiles.set(folder, [path])
      } else pages.set(path, { kind: 'page', path, title })
    }
    for (const { path, title } of manifest?.pages ?? []) add(path, title)
    for (const path of texts.toSorted((one, other) => one.split('/').length - other.split('/').length || (one < other ? -1 : 1)))
      add(path, undefined)
    for (const path of pages.keys()) this.#addFolders(posix.dirname(path), pages)
    for (const folder of this.#rowFiles.keys()) this.#addFolders(posix.dirname(folder), pages)
    return pages
  }

  /** Adds a page for each folder without its own page. */
  #addFolders(folder: string, pages: Map<string, PlannedPage>): void {
    if (folder === '.' || this.#owners.has(folder)) return
    this.#addFolders(posix.dirname(folder), pages)
    const path = `${folder}.md`
    this.#owners.set(folder, { kind: 'page', path })
    this.#pages.add(path)
    if (!this.isRow(path)) pages.set(path, { kind: 'page', path, title: undefined })
  }
}

/** All folders that contain a file. */
function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const path of paths)
    for (let folder = posix.dirname(path); folder !== '.' && !folders.has(folder); folder = posix.dirname(folder))
      folders.add(folder)
  return folders
}
