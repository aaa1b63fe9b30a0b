import { posix } from 'node:path'
import type { PropertyConfig } from '../../../generated/types.ts'
import type { PropertyType } from '../../domain/properties/stored.ts'
import { isPropertyType } from '../../domain/property_types/index.ts'
import { FolderNames, folderOf } from '../archive_names.ts'
import { CsvProblem, readCsv } from '../csv.ts'
import type { OmittedContent, ManifestSource } from '../manifest.ts'
import { nameOfFile } from './archive_tree.ts'
import type { ImportContext } from './import_parts.ts'
import { TypeInference } from './infer_types.ts'

/** A column of a table, and the property that it fills. */
export interface TableColumn {
  readonly index: number
  readonly name: string
  readonly type: PropertyType
  readonly config: PropertyConfig | undefined
}

export interface TableRow {
  /** The Markdown file that the row has, or would have. */
  readonly path: string
  readonly cells: readonly string[]
}

const NAME_LENGTH_MAX = 100
/** As many as a data source has, and characters of their names together. */
const COLUMNS_MAX = 500
const NAMES_LENGTH_MAX = 25_000

/** The context for reading a table. */
type TableParts = Pick<ImportContext, 'zip' | 'tree'>

/** Reads the rows of a CSV file, any number of times, with one row in memory. */
export class TableReader {
  readonly columns: readonly TableColumn[]
  /** The problems of the table. */
  readonly problems: readonly OmittedContent[]
  /** How many headings there are. */
  readonly width: number
  /** How many rows there are. */
  count = 0
  readonly #parts: TableParts
  readonly #path: string
  readonly #rowColumn: number

  private constructor(
    parts: TableParts,
    path: string,
    {
      columns,
      width,
      rowColumn = -1,
      problems,
    }: Readonly<Pick<TableReader, 'columns' | 'width' | 'problems'> & { rowColumn?: number }>,
  ) {
    this.#parts = parts
    this.#path = path
    this.columns = columns
    this.width = width
    this.problems = problems
    this.#rowColumn = rowColumn
  }

  static async open(parts: TableParts, path: string, manifest: ManifestSource | undefined): Promise<TableReader> {
    const reader = await TableReader.#withColumns(parts, path, manifest)
    for await (const _row of reader.rows()) reader.count += 1
    return reader
  }

  static async #withColumns(parts: TableParts, path: string, manifest: ManifestSource | undefined): Promise<TableReader> {
    const problems: OmittedContent[] = []
    const lose = (reason: string): void => void problems.push({ what: 'table', where: path, reason })
    try {
      const records = readCsv(await parts.zip.read(path))
      const headings = (await records.next()).value ?? []
      if (manifest) {
        await records.return(undefined)
        const columns = describedColumns(headings, manifest, lose)
        return new TableReader(parts, path, {
          columns,
          width: headings.length,
          rowColumn: headings.indexOf(manifest.row_column),
          problems,
        })
      }
      const taken = firstColumns(headings)
      if (taken.length < headings.length)
        lose(
          `It has ${headings.length} columns. Those after the first ${taken.length} were left out: a data source holds no more.`,
        )
      const inference = new TypeInference(taken.length)
      for await (const record of records) inference.see(record)
      const columns = inferredColumns(taken, inference.types)
      return new TableReader(parts, path, { columns, width: headings.length, problems })
    } catch (error) {
      if (!(error instanceof CsvProblem)) throw error
      lose(error.message)
      const columns = [{ index: 0, name: 'Name', type: 'title', config: undefined }] as const
      return new TableReader(parts, path, { columns, width: 1, problems })
    }
  }

  /** The rows, each with a path of its own. Markdown files of rows without a record are rows, too. */
  async *rows(): AsyncGenerator<TableRow> {
    const folder = folderOf(this.#path)
    const files = unusedFiles(this.#parts.tree.rowFiles.get(folder) ?? [])
    const [names, taken] = [new FolderNames(), new Set<string>()]
    const at = this.columns.find(({ type }) => type === 'title')?.index ?? 0
    try {
      const records = readCsv(await this.#parts.zip.read(this.#path))
      await records.next()
      for await (const cells of records) {
        const title = cells[at] ?? ''
        const named = cells[this.#rowColumn] ?? ''
        const given = posix.join(folder, `${named}.md`)
        let path = named !== '' && !taken.has(given) ? given : files.take(title)
        while (path === undefined || taken.has(path)) path = posix.join(folder, `${names.take(title)}.md`)
        files.drop(path)
        taken.add(path)
        yield { path, cells }
      }
    } catch (error) {
      if (!(error instanceof CsvProblem)) throw error
    }
    for (const path of files.rest)
      yield { path, cells: Array.from({ length: at + 1 }, (_cell, index) => (index === at ? nameOfFile(path) : '')) }
  }
}

function describedColumns(headings: readonly string[], manifest: ManifestSource, lose: (reason: string) => void): TableColumn[] {
  return headings.flatMap((name, index) => {
    if (name === manifest.row_column) return []
    const config = Object.hasOwn(manifest.properties, name) ? manifest.properties[name] : undefined
    if (config && isPropertyType(config.type)) return [{ index, name, type: config.type, config }]
    lose(`The column "${name}" has no property.`)
    return []
  })
}

/** The headings of as many columns as a data source can have. */
function firstColumns(headings: readonly string[]): readonly string[] {
  let [count, length] = [0, 0]
  for (const heading of headings) {
    length += Math.min(heading.length, NAME_LENGTH_MAX)
    if (count === COLUMNS_MAX || length > NAMES_LENGTH_MAX) break
    count += 1
  }
  return headings.slice(0, Math.max(1, count))
}

function inferredColumns(headings: readonly string[], types: readonly PropertyType[]): TableColumn[] {
  const taken = new Set<string>()
  return headings.map((heading, index) => {
    const base = [...heading.trim()].slice(0, NAME_LENGTH_MAX).join('') || `Column ${index + 1}`
    let name = base
    for (let number = 2; taken.has(name); number += 1) name = `${base} (${number})`
    taken.add(name)
    return { index, name, type: types[index] ?? 'rich_text', config: undefined }
  })
}

/** The Markdown files of rows that no record has claimed. */
function unusedFiles(paths: readonly string[]): {
  take(title: string): string | undefined
  drop(path: string): void
  readonly rest: readonly string[]
} {
  const left = new Set(paths)
  const byName = Map.groupBy(paths, (path) => nameOfFile(path).toLowerCase())
  return {
    take(title) {
      const path = byName.get(safeKey(title))?.find((one) => left.has(one))
      if (path !== undefined) left.delete(path)
      return path
    },
    drop: (path) => void left.delete(path),
    get rest() {
      return [...left]
    },
  }
}

/** The name that other programs give to the file of a title. */
function safeKey(title: string): string {
  return title
    .replace(/[/\\:*?"<>|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}
