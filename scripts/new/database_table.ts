import type { FileDraft } from './file_draft.ts'
import { addImport } from './edits.ts'
import type { Kind } from './kind.ts'
import { UsageError } from './usage_error.ts'
import { camel, pascalOf, singular, spaced } from './words.ts'

const MIGRATIONS = 'server/store/migrations'
const INDEX = `${MIGRATIONS}/index.ts`

/** `npm run new table badges` */
export const databaseTable: Kind = {
  parameters: ['name'],
  says: 'a table of the database, with the migration that makes it and its queries, such as: badges',
  callers: 'callers: a table is not visible to them',
  draft(draft, [name = '']) {
    requireNewTable(draft, name)
    draft.create(`${MIGRATIONS}/${name}.ts`, migrationText(name, nextNumber(draft)))
    draft.change(INDEX, (text) => {
      const imported = addImport(text, `./${name}.ts`, [camel(name)])
      const [list] = /^export const migrations: readonly Migration\[\] = \[[^\]]*?(?=,?\s*\]\n)/m.exec(imported) ?? []
      if (list === undefined) throw new Error(`${INDEX} has no list of migrations`)
      return imported.replace(list, `${list}, ${camel(name)}`)
    })
    draft.create(`server/store/${name}.ts`, storeText(name))
    return [
      'call these queries from server/domain/, and delete those that nothing calls',
      'a query that reads several records needs a row in tests/store/costs.test.ts',
      'a database does not repeat a migration that it has run: delete ./data/workspace.db after changing one',
    ]
  },
}

/** @throws UsageError if the name is in use or malformed */
function requireNewTable(draft: FileDraft, name: string): void {
  if (!/^[a-z]+(?:_[a-z]+)*$/.test(name) || singular(name) === name)
    throw new UsageError(`${name} is not a valid table name: tables are called by a plural in snake_case, as in badge_rolls.`)
  const makes = new RegExp(`create (?:\\w+ )?table (?:if not exists )?${name}\\b`)
  const file = draft.files('server/store', '.ts').find((path) => makes.test(draft.read(path)))
  if (file !== undefined) throw new UsageError(`${name} exists already: ${file}.`)
}

function nextNumber(draft: FileDraft): number {
  const texts = draft.files(MIGRATIONS, '.ts').map((path) => draft.read(path))
  const numbers = texts.flatMap((text) => [...text.matchAll(/^\s+number: (\d+),$/gm)].map(([, number]) => Number(number)))
  return Math.max(...numbers) + 1
}

function migrationText(name: string, number: number): string {
  return `import type { Migration } from './migration.ts'

/** TODO: say what it holds. */
export const ${camel(name)}: Migration = {
  number: ${number},
  name: '${spaced(name)}',
  statements: ({ id, time }) => [
    // TODO: add its other columns, and an index for each query that does not go by the key, in the order of what it lists.
    \`create table ${name} (
      workspace_id \${id} not null, id \${id} not null, created_time \${time} not null,
      primary key (workspace_id, id))\`,
    \`create index ${name}_by_creation on ${name} (workspace_id, created_time, id)\`,
  ],
}
`
}

function storeText(name: string): string {
  const one = singular(pascalOf(name))
  const row = `${camel(one)}Row`
  return `import type { Connection, Transaction } from './database.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { sql } from './sql.ts'

// TODO: add its other columns, as in name: 'text?' where it may be null, or kind: ['person', 'bot'] where it has few values.
const ${row} = rowOf({ id: 'text', created_time: 'integer' })
export type ${one}Row = RowOf<typeof ${row}>

const SELECT = sql\`select \${columnNames(${row})} from ${name}\`

export async function find${one}(db: Connection, workspaceId: string, id: string): Promise<${one}Row | undefined> {
  return db.get(${row}, sql\`\${SELECT} where workspace_id = \${workspaceId} and id = \${id}\`)
}

/** TODO: say which it lists. The oldest first. @param after the creation time and id of the one to continue after */
export async function list${pascalOf(name)}After(
  db: Connection,
  workspaceId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<${one}Row[]> {
  const [time = '', id = ''] = after ?? []
  const following = after === undefined ? sql\`\` : sql\`and (created_time, id) > (\${Number(time)}, \${id})\`
  return db.all(
    ${row},
    sql\`\${SELECT} where workspace_id = \${workspaceId} \${following} order by created_time, id limit \${limit}\`,
  )
}

// TODO: insert its other columns.
export async function insert${one}(db: Transaction, workspaceId: string, row: ${one}Row): Promise<void> {
  await db.run(
    sql\`insert into ${name} (workspace_id, id, created_time) values (\${workspaceId}, \${row.id}, \${row.created_time})\`,
  )
}

export async function delete${one}Row(db: Transaction, workspaceId: string, id: string): Promise<void> {
  await db.run(sql\`delete from ${name} where workspace_id = \${workspaceId} and id = \${id}\`)
}
`
}
