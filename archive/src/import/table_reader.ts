import { posix } from 'node:path'
import type { PropertyConfig } from '../../../generated/types.ts'
import { isPropertyType, type PropertyType } from '@workspace-service/server/domain/data/index.ts'
import { FolderNames } from '../archive_names.ts'
import { CsvProblem, csvFormOf, ownCsvForm, readCsv, type CsvForm } from '../csv.ts'
import type { OmittedContent, ManifestSource } from '../manifest.ts'
import { nameOfFile } from './archive_paths.ts'
import type { PlannedSource } from './archive_tree.ts'
import { cellFiles, cellLinks } from './cell_links.ts'
import type { ImportContext } from './import_context.ts'
import { TypeInference } from './infer_types.ts'
import { rowHeadOf, rowPageIn } from './row_head.ts'
import { RowFiles } from './row_files.ts'

/** A column of a table, and the property that it fills. */
export interface TableColumn {
  readonly index: number
  readonly name: string
  readonly type: PropertyType
  readonly config: PropertyConfig | undefined
  /** The table whose rows the values of another program refer to. */
  readonly relatedTo?: string | undefined
}

export interface TableRow {
  /** The file that the row has, or would have. */
  readonly path: string
  readonly cells: readonly string[]
}

const NAME_LENGTH_MAX = 100
/** The most columns of a data source, and the most characters of their names in total. */
const COLUMNS_MAX = 500
const NAMES_LENGTH_MAX = 25_000

type TableDeps = Pick<ImportContext, 'archive' | 'tree'>

interface TableForm {
  readonly columns: readonly TableColumn[]
  readonly headings: readonly string[]
  readonly rowColumn: number
  readonly csv: CsvForm
  readonly problems: OmittedContent[]
}

/** Reads the rows of a CSV file, any number of times, with one row in memory. */
export class TableReader {
  readonly columns: readonly TableColumn[]
  readonly problems: OmittedContent[]
  readonly headings: readonly string[]
  /** The number of rows. */
  count = 0
  readonly #context: TableDeps
  readonly #source: PlannedSource
  readonly #rowColumn: number
  readonly #csv: CsvForm
  #isDamaged = false
  #files = new RowFiles([], 0)

  private constructor(context: TableDeps, source: PlannedSource, { columns, headings, rowColumn, csv, problems }: TableForm) {
    this.#context = context
    this.#source = source
    this.columns = columns
    this.headings = headings
    this.problems = problems
    this.#rowColumn = rowColumn
    this.#csv = csv
  }

  static async open(context: TableDeps, source: PlannedSource): Promise<TableReader> {
    const csv = source.manifest ? ownCsvForm : await csvFormOf(await context.archive.read(source.rowsPath))
    const reader = new TableReader(context, source, await formOf(context, source, csv))
    await reader.#findFiles()
    for await (const _row of reader.rows()) reader.count += 1
    return reader
  }

  /** The rows, each with its own path. Files of rows without a record are rows, too. */
  async *rows(): AsyncGenerator<TableRow> {
    const [names, taken, rest] = [new FolderNames(), new Set<string>(), new Set(this.#files.rest)]
    let index = -1
    for await (const cells of this.#records()) {
      index += 1
      const named = cells[this.#rowColumn] ?? ''
      const given = posix.join(this.#folder, `${named}.md`)
      let path = named !== '' && !taken.has(given) ? given : this.#files.pathOf(index)
      while (path === undefined || taken.has(path) || (named === '' && rest.has(path) && path !== this.#files.pathOf(index)))
        path = posix.join(this.#folder, `${names.take(cells[this.#titleIndex] ?? '')}.md`)
      rest.delete(path)
      taken.add(path)
      yield { path, cells }
    }
    for (const path of rest) yield { path, cells: await this.#cellsOf(path) }
  }

  /** The cells of a row by their headings. */
  valuesOf({ cells }: TableRow): ReadonlyMap<string, string> {
    return new Map(this.headings.map((heading, index) => [heading, cells[index] ?? '']))
  }

  get #folder(): string {
    return this.#context.tree.folderOf(this.#source.path)
  }

  get #titleIndex(): number {
    return this.columns.find(({ type }) => type === 'title')?.index ?? 0
  }

  async *#records(): AsyncGenerator<readonly string[]> {
    const all = readCsv(await this.#context.archive.read(this.#source.rowsPath), this.#csv)
    const records = untilDamage(all, (reason) => {
      if (this.#isDamaged) return
      this.#isDamaged = true
      this.problems.push({ what: 'table', where: this.#source.path, reason })
    })
    await records.next()
    yield* records
  }

  /** Finds the files of rows. In archives of this service, the rows refer to them. */
  async #findFiles(): Promise<void> {
    const { tree } = this.#context
    const paths = tree.rowFilesOf(this.#source.path)
    const isNamed = this.#rowColumn !== -1
    const heads = []
    for (const path of paths)
      heads.push(
        isNamed ? { path, title: undefined, values: new Map() } : await rowHeadOf(this.#context.archive, path, this.headings),
      )
    this.#files = new RowFiles(heads, this.#titleIndex)
    if (!isNamed) await this.#files.match(() => this.#records())
    this.#files.forget(tree.takeRows(this.#source.path, this.#files.taken))
  }

  /** The values of a row that exists only as a file. */
  async #cellsOf(path: string): Promise<readonly string[]> {
    const { title, values } =
      this.#rowColumn === -1
        ? await rowPageIn(this.#context.archive, path, new Set(this.headings))
        : { title: undefined, values: new Map<string, string>() }
    return this.headings.map((heading, index) =>
      index === this.#titleIndex ? (title ?? nameOfFile(path)) : (values.get(heading) ?? ''),
    )
  }
}

async function formOf(context: TableDeps, { path, rowsPath, manifest }: PlannedSource, csv: CsvForm): Promise<TableForm> {
  const problems: OmittedContent[] = []
  const reportLoss = (reason: string): void => void problems.push({ what: 'table', where: path, reason })
  // Damage is reported when the rows are read.
  const records = untilDamage(readCsv(await context.archive.read(rowsPath), csv), () => undefined)
  const headings = (await records.next()).value ?? []
  if (manifest && headings.length > 0) {
    await records.return(undefined)
    const columns = describedColumns(headings, manifest, reportLoss)
    return { columns, headings, rowColumn: headings.indexOf(manifest.row_column), csv, problems }
  }
  const taken = headings.length === 0 ? ['Name'] : firstColumns(headings)
  if (taken.length < headings.length)
    reportLoss(`The table has ${headings.length} columns, and a data source at most ${taken.length}. The rest were left out.`)
  const inference = new TypeInference(taken.length, {
    relatedIn(text) {
      const tables = new Set((cellLinks(context.tree, rowsPath, text) ?? []).map((link) => context.tree.tableOf(link.path)))
      return tables.size === 1 ? [...tables][0] : undefined
    },
    filesIn: (text) => cellFiles(context, rowsPath, text),
  })
  for (const [index, heading] of taken.entries())
    if ([...heading.trim()].length > NAME_LENGTH_MAX)
      reportLoss(`The name of column ${index + 1} was truncated to ${NAME_LENGTH_MAX} characters.`)
  for await (const record of records) inference.see(record)
  return { columns: inferredColumns(taken, inference), headings, rowColumn: -1, csv, problems }
}

/** The records of a table, up to the first damaged one. */
async function* untilDamage(
  records: AsyncGenerator<readonly string[]>,
  report: (reason: string) => void,
): AsyncGenerator<readonly string[], undefined> {
  try {
    yield* records
  } catch (error) {
    if (!(error instanceof CsvProblem)) throw error
    report(error.message)
  }
}

function describedColumns(
  headings: readonly string[],
  manifest: ManifestSource,
  reportLoss: (reason: string) => void,
): TableColumn[] {
  return headings.flatMap((name, index) => {
    if (name === manifest.row_column) return []
    const config = Object.hasOwn(manifest.properties, name) ? manifest.properties[name] : undefined
    if (config && isPropertyType(config.type)) return [{ index, name, type: config.type, config }]
    reportLoss(`The manifest has no property for the column "${name}".`)
    return []
  })
}

/** The headings, at most as many as a data source can have columns. */
function firstColumns(headings: readonly string[]): readonly string[] {
  let [count, length] = [0, 0]
  for (const heading of headings) {
    length += Math.min(heading.length, NAME_LENGTH_MAX)
    if (count === COLUMNS_MAX || length > NAMES_LENGTH_MAX) break
    count += 1
  }
  return headings.slice(0, Math.max(1, count))
}

function inferredColumns(headings: readonly string[], inference: TypeInference): TableColumn[] {
  const taken = new Set<string>()
  const { types } = inference
  return headings.map((heading, index) => {
    const base = [...heading.trim()].slice(0, NAME_LENGTH_MAX).join('') || `Column ${index + 1}`
    let name = base
    for (let number = 2; taken.has(name); number += 1) name = `${base} (${number})`
    taken.add(name)
    return { index, name, type: types[index] ?? 'rich_text', config: undefined, relatedTo: inference.relatedTo(index) }
  })
}
