import { isFullPage, type DataSourceObject, type PageObject, type WorkspaceClient } from '../../../client/src/index.ts'
import { findRecordId } from '../forgiving.ts'
import { titleOf, valuesOf } from '../records.ts'
import { candidateList, cutText } from '../texts.ts'
import { ToolError } from '../tool.ts'
import { personNamed, readUsers, type FirstUsers } from './people.ts'

/** The maximum number of pages of 100 users that are searched for a name or email address. Other people can only be given by id. */
const USER_PAGES_MAX = 20
/** The maximum number of titles in one call of a tool: each needs a query. */
const TITLES_MAX = 50
const VALUES_CHARACTERS_MAX = 120
const ID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

/** Finds people and related rows by name for one call of a tool, each only once. */
export class Lookup {
  readonly #client: WorkspaceClient
  readonly #source: () => Promise<DataSourceObject>
  readonly #rows = new Map<string, Promise<PageObject[]>>()
  #users: Promise<FirstUsers> | undefined

  /** @param source reads the data source whose properties are written or compared */
  constructor(client: WorkspaceClient, source: () => Promise<DataSourceObject>) {
    this.#client = client
    this.#source = source
  }

  /**
   * The ids of people, from ids, names or email addresses.
   * @throws ToolError for a name that nobody has, or several have
   */
  async people(written: readonly string[], path: string): Promise<string[]> {
    if (written.every((text) => ID.test(text))) return [...written]
    const users = await (this.#users ??= readUsers(this.#client, USER_PAGES_MAX))
    return written.map((text) => (ID.test(text) ? text : personNamed(users, text, path)))
  }

  /**
   * The id of a row of the data source that a relation leads to, from an id, URL or title.
   * @throws ToolError for a title that no row has, or several have
   */
  async relatedRow(relation: string, written: string, path: string): Promise<string> {
    const id = findRecordId(written)
    if (id !== undefined) return id
    const config = (await this.#source()).properties[relation]
    if (config?.type !== 'relation')
      throw new ToolError(`${path}: the related data source may not be read with this token. Give the id of the row.`)
    const source = config.relation.data_source_id
    const title = written.trim()
    const rows = await this.#titled(source, title, path)
    const exact = rows.filter((row) => titleOf(row).trim() === title)
    const found = exact.length > 0 ? exact : rows
    const [one] = found
    if (one && found.length === 1) return one.id
    if (one === undefined)
      throw new ToolError(
        `${path}: no row of the related data source ${source} has the title ${JSON.stringify(title)}. Find it with query_rows, or create it first.`,
      )
    throw new ToolError(
      `${path}: several rows have the title ${JSON.stringify(title)}. Give the id of one: ${candidateList(found.map(candidateOf))}.`,
    )
  }

  /** The rows with a title, ignoring case. */
  #titled(source: string, title: string, path: string): Promise<PageObject[]> {
    const key = `${source} ${title}`
    const known = this.#rows.get(key)
    if (known) return known
    if (this.#rows.size >= TITLES_MAX)
      throw new ToolError(`${path}: one call can name ${TITLES_MAX} related rows by title. Give ids for the others.`)
    const rows = rowsTitled(this.#client, source, title)
    this.#rows.set(key, rows)
    return rows
  }
}

async function rowsTitled(client: WorkspaceClient, data_source_id: string, title: string): Promise<PageObject[]> {
  if (title === '') return []
  // The condition `equals` distinguishes case.
  const conditions = ['starts_with', 'ends_with'].map((word) => ({ property: 'title', title: { [word]: title } }))
  const { results } = await client.dataSources.query({ data_source_id, filter: { and: conditions }, page_size: 100 })
  return results.filter(isFullPage).filter((row) => titleOf(row).trim().toLowerCase() === title.toLowerCase())
}

/** The id of a row, and values by which a model can tell it from others with the same title. */
function candidateOf(row: PageObject): string {
  const values = valuesOf(row)
  return Object.keys(values).length === 0 ? row.id : `${row.id} ${cutText(JSON.stringify(values), VALUES_CHARACTERS_MAX)}`
}
