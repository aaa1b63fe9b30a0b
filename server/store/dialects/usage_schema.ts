import type { Database } from '../database.ts'
import { usageKinds, type UsageKind } from '../usage_kinds.ts'
import type { ColumnTypes } from './column_types.ts'

/** The beginning of the engine's error message for a change that exceeds a quota. The kind and the limit follow. */
export const OVER_QUOTA = 'over quota:'
/** PostgreSQL's code for the error `OVER_QUOTA`. */
export const OVER_QUOTA_CODE = 'WSQ01'

/** The owner of the default quotas, for workspaces without their own. */
export const DEFAULT_OWNER = '00000000-0000-0000-0000-000000000000'

/** For each kind, the SQL condition under which a row of `blocks` counts. @param row the name of the row */
const countsOfBlock = (row: string): Readonly<Partial<Record<UsageKind, string>>> => ({
  pages: `${row}.type = 'child_page'`,
  blocks: `${row}.type <> 'child_page'`,
  notes: `${row}.type = 'meeting_notes'`,
})

/** SQL for whether an upload counts as a file. Expired and failed uploads do not: they have no bytes. */
const isFile = (row: string): string => `${row}.status in ('pending', 'uploaded')`

/**
 * The tables have no column `workspace_id`, so that exports omit them: counters follow from the rows, and quotas belong to the operator.
 */
const tables = ({ id, time, clustered }: ColumnTypes): readonly string[] => [
  `create table workspace_usage (
    owner_id ${id} primary key, ${usageKinds.map((kind) => `${kind} ${time} not null default 0`).join(', ')},
    recounts integer not null default 0)${clustered}`,
  `create table workspace_quotas (
    owner_id ${id} primary key, ${usageKinds.map((kind) => `${kind}_max ${time}`).join(', ')})${clustered}`,
]

/** Counts the existing rows, after the triggers that count later changes have been created. */
const FIRST_COUNT = [
  `insert into workspace_usage (owner_id, pages, blocks, notes)
    select b.workspace_id, ${Object.values(countsOfBlock('b'))
      .map((condition) => `sum(case when ${condition} then 1 else 0 end)`)
      .join(', ')} from blocks b group by b.workspace_id`,
  `insert into workspace_usage (owner_id, files)
    select f.workspace_id, count(*) from file_uploads f where ${isFile('f')} group by f.workspace_id
    on conflict (owner_id) do update set files = excluded.files`,
  `insert into workspace_usage (owner_id, bytes)
    select p.workspace_id, sum(p.byte_length) from file_parts p group by p.workspace_id having sum(p.byte_length) > 0
    on conflict (owner_id) do update set bytes = excluded.bytes`,
]

/**
 * Creates tables, triggers and counters. Triggers maintain the counters, so that every change of rows is counted. They refuse a change by
 * which a counter exceeds its quota, unless the change also changes `recounts`.
 */
export function usageSchema(types: ColumnTypes, engine: Database['engine']): readonly string[] {
  return [...tables(types), ...(engine === 'sqlite' ? sqliteTriggers() : postgresqlTriggers()), ...FIRST_COUNT]
}

/** The functions of the triggers, in the form that also works in a distributed database. They replace those of an older database. */
export function usageFunctions(engine: Database['engine']): readonly string[] {
  return engine === 'sqlite' ? [] : postgresqlTriggers().filter((statement) => statement.startsWith('create or replace function'))
}

type Counts = Readonly<Partial<Record<UsageKind, string>>>

const increments = (kinds: readonly string[], sign: '+' | '-', from: string): string =>
  kinds.map((kind) => `${kind} = workspace_usage.${kind} ${sign} ${from}.${kind}`).join(', ')

/** SQL for the limit of a kind, for the owner of a row of counters. */
const limitOf = (kind: UsageKind, owner: string, none: string): string =>
  `coalesce((select ${kind}_max from workspace_quotas where owner_id = ${owner}), (select ${kind}_max from workspace_quotas where owner_id = ${none}))`

function sqliteTriggers(): readonly string[] {
  const trigger = (name: string, event: string, steps: readonly string[]): string =>
    `create trigger ${name} after ${event} begin ${steps.join(' ')} end`
  const count = (owner: string, counts: Counts): string =>
    `insert into workspace_usage (owner_id, ${Object.keys(counts).join(', ')}) values (${owner}, ${Object.values(counts).join(', ')})
      on conflict (owner_id) do update set ${increments(Object.keys(counts), '+', 'excluded')};`
  const negative = (counts: Counts): Counts =>
    Object.fromEntries(Object.entries(counts).map(([kind, value]) => [kind, `-(${value})`]))
  const require = (before: (kind: UsageKind) => string): string[] =>
    usageKinds.map((kind) => {
      const limit = limitOf(kind, 'new.owner_id', 'zeroblob(16)')
      return `select raise(abort, '${OVER_QUOTA} ${kind} ' || ${limit}) where new.${kind} > ${before(kind)} and new.${kind} > ${limit};`
    })
  const hasQuotas = 'exists (select 1 from workspace_quotas)'
  return [
    trigger('usage_of_new_blocks', 'insert on blocks', [count('new.workspace_id', countsOfBlock('new'))]),
    trigger('usage_of_erased_blocks', 'delete on blocks', [count('old.workspace_id', negative(countsOfBlock('old')))]),
    trigger('usage_of_new_files', `insert on file_uploads when ${isFile('new')}`, [count('new.workspace_id', { files: '1' })]),
    trigger('usage_of_changed_files', `update of status on file_uploads when (${isFile('new')}) <> (${isFile('old')})`, [
      count('new.workspace_id', { files: `(${isFile('new')}) - (${isFile('old')})` }),
    ]),
    trigger('usage_of_removed_files', `delete on file_uploads when ${isFile('old')}`, [
      count('old.workspace_id', { files: '-1' }),
    ]),
    trigger('usage_of_new_parts', 'insert on file_parts', [count('new.workspace_id', { bytes: 'new.byte_length' })]),
    trigger('usage_of_changed_parts', 'update of byte_length on file_parts', [
      count('new.workspace_id', { bytes: 'new.byte_length - old.byte_length' }),
    ]),
    trigger('usage_of_removed_parts', 'delete on file_parts', [count('old.workspace_id', { bytes: '-old.byte_length' })]),
    trigger(
      'quotas_of_first_usage',
      `insert on workspace_usage when ${hasQuotas}`,
      require(() => '0'),
    ),
    trigger(
      'quotas_of_usage',
      `update on workspace_usage when new.recounts = old.recounts and ${hasQuotas}`,
      require((kind) => `old.${kind}`),
    ),
  ]
}

/**
 * Triggers for each statement. Each statement changes a row of counters only once: a transaction must read every version of a row that it
 * has created.
 */
function postgresqlTriggers(): readonly string[] {
  // Not one `insert … select`: in a distributed database, a trigger runs on the node of the rows, which plans an insert without them.
  const trigger = (name: string, event: string, of: string, kinds: readonly string[], sums: string): readonly string[] => [
    `create or replace function ${name}() returns trigger language plpgsql as $$ declare s record; begin
      for s in ${sums} loop
        insert into workspace_usage (owner_id, ${kinds.join(', ')}) values (s.owner_id, ${kinds.map((kind) => `s.${kind}`).join(', ')})
          on conflict (owner_id) do update set ${increments(kinds, '+', 'excluded')};
      end loop; return null; end $$`,
    `create trigger ${name} after ${event} ${of} for each statement execute function ${name}()`,
  ]
  /** @param counts the SQL conditions or numbers to count, for each row `c` */
  const counted = (table: string, counts: Counts, sign = ''): string =>
    `select c.workspace_id as owner_id, ${Object.entries(counts)
      .map(([kind, count]) => `${sign}sum((${count})::int8) as ${kind}`)
      .join(', ')} from ${table} c group by c.workspace_id`
  const changes = (
    table: string,
    counts: Counts,
    names: { readonly added: string; readonly changed?: string; readonly removed: string },
  ): readonly string[] => {
    const kinds = Object.keys(counts)
    const total = `select owner_id, ${kinds.map((kind) => `sum(${kind}) as ${kind}`).join(', ')} from
      (${counted('added', counts)} union all ${counted('removed', counts, '-')}) s
      group by owner_id having ${kinds.map((kind) => `sum(${kind}) <> 0`).join(' or ')}`
    return [
      ...trigger(names.added, `insert on ${table}`, 'referencing new table as added', kinds, counted('added', counts)),
      ...(names.changed === undefined
        ? []
        : trigger(names.changed, `update on ${table}`, 'referencing new table as added old table as removed', kinds, total)),
      ...trigger(names.removed, `delete on ${table}`, 'referencing old table as removed', kinds, counted('removed', counts, '-')),
    ]
  }
  const asNumbers = (counts: Counts): Counts =>
    Object.fromEntries(Object.entries(counts).map(([kind, condition]) => [kind, `(${condition})::int`]))
  return [
    ...changes('blocks', asNumbers(countsOfBlock('c')), { added: 'usage_of_new_blocks', removed: 'usage_of_erased_blocks' }),
    ...changes('file_uploads', asNumbers({ files: isFile('c') }), {
      added: 'usage_of_new_files',
      changed: 'usage_of_changed_files',
      removed: 'usage_of_removed_files',
    }),
    ...changes(
      'file_parts',
      { bytes: 'c.byte_length' },
      { added: 'usage_of_new_parts', changed: 'usage_of_changed_parts', removed: 'usage_of_removed_parts' },
    ),
    ...quotaTriggers(),
  ]
}

/** Triggers on counters. There are few rows of counters, so these triggers run for each row. */
function quotaTriggers(): readonly string[] {
  const none = `'${DEFAULT_OWNER}'::uuid`
  const require = (name: string, before: (kind: UsageKind) => string): string => {
    const steps = usageKinds.map((kind) => {
      const limit = limitOf(kind, 'new.owner_id', none)
      return `if new.${kind} > ${before(kind)} and new.${kind} > ${limit} then
          raise exception using errcode = '${OVER_QUOTA_CODE}', message = '${OVER_QUOTA} ${kind} ' || ${limit};
        end if;`
    })
    return `create function ${name}() returns trigger language plpgsql as $$ begin
      if exists (select from workspace_quotas) then ${steps.join(' ')} end if; return null; end $$`
  }
  return [
    require('quotas_of_first_usage', () => '0'),
    `create trigger quotas_of_first_usage after insert on workspace_usage for each row execute function quotas_of_first_usage()`,
    require('quotas_of_usage', (kind) => `old.${kind}`),
    `create trigger quotas_of_usage after update on workspace_usage for each row when (new.recounts = old.recounts)
      execute function quotas_of_usage()`,
  ]
}
