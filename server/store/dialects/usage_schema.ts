import type { Database } from '../database.ts'
import { usageKinds, type UsageKind } from '../usage_kinds.ts'
import type { ColumnTypes } from './column_types.ts'

/** Begins the message of the engine's error for a change that exceeds a quota; the kind and the limit follow. */
export const OVER_QUOTA = 'over quota:'
/** PostgreSQL's code for that error. */
export const OVER_QUOTA_CODE = 'WSQ01'

/** The owner of the quotas of workspaces that have none of their own. */
export const DEFAULT_OWNER = '00000000-0000-0000-0000-000000000000'

/** The counts that a row of `blocks` adds to. `row` is its name. */
const countsOfBlock = (row: string): Readonly<Partial<Record<UsageKind, string>>> => ({
  pages: `${row}.type = 'child_page'`,
  blocks: `${row}.type <> 'child_page'`,
  notes: `${row}.type = 'meeting_notes'`,
})

/** Whether an upload counts: what has expired or failed has no bytes. */
const isFile = (row: string): string => `${row}.status in ('pending', 'uploaded')`

const QUOTAS_OF_OWNER = (none: string): string =>
  `workspace_usage u left join workspace_quotas o on o.owner_id = u.owner_id left join workspace_quotas d on d.owner_id = ${none}`
const limitOf = (kind: UsageKind): string => `coalesce(o.${kind}_max, d.${kind}_max)`

/** The columns have no `workspace_id`: an export leaves both tables out, because counters follow the rows and quotas are the operator's. */
const tables = ({ id, time, clustered }: ColumnTypes): readonly string[] => [
  `create table workspace_usage (
    owner_id ${id} primary key, ${usageKinds.map((kind) => `${kind} ${time} not null default 0`).join(', ')})${clustered}`,
  `create table workspace_quotas (
    owner_id ${id} primary key, ${usageKinds.map((kind) => `${kind}_max ${time}`).join(', ')})${clustered}`,
]

/** Counts what is there, behind the triggers, which count what is added from then on. */
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

/** Tables, triggers and counters. Counters are kept by triggers, so that no way to change rows can forget them. */
export function usageSchema(types: ColumnTypes, engine: Database['engine']): readonly string[] {
  return [...tables(types), ...(engine === 'sqlite' ? sqliteTriggers() : postgresqlTriggers()), ...FIRST_COUNT]
}

function sqliteTriggers(): readonly string[] {
  const count = (owner: string, counts: Readonly<Partial<Record<UsageKind, string>>>): string => {
    const [kinds, values] = [Object.keys(counts), Object.values(counts)]
    return `insert into workspace_usage (owner_id, ${kinds.join(', ')}) values (${owner}, ${values.join(', ')})
      on conflict (owner_id) do update set ${kinds.map((kind) => `${kind} = ${kind} + excluded.${kind}`).join(', ')};`
  }
  // The first condition ends the statement where nobody has a quota.
  const require = (kind: UsageKind, added: string): string =>
    `select raise(abort, '${OVER_QUOTA} ${kind} ' || ${limitOf(kind)}) from ${QUOTAS_OF_OWNER('zeroblob(16)')}
      where exists (select 1 from workspace_quotas) and ${added} and u.owner_id = new.workspace_id and u.${kind} > ${limitOf(kind)};`
  const negative = (counts: Readonly<Partial<Record<UsageKind, string>>>): Partial<Record<UsageKind, string>> =>
    Object.fromEntries(Object.entries(counts).map(([kind, value]) => [kind, `-(${value})`]))
  const trigger = (name: string, event: string, steps: readonly string[]): string =>
    `create trigger ${name} after ${event} begin ${steps.join(' ')} end`
  const [added, removed] = [countsOfBlock('new'), countsOfBlock('old')]
  return [
    trigger('usage_of_new_blocks', 'insert on blocks', [
      count('new.workspace_id', added),
      ...Object.entries(added).map(([kind, condition]) => require(kind as UsageKind, condition)),
    ]),
    trigger('usage_of_erased_blocks', 'delete on blocks', [count('old.workspace_id', negative(removed))]),
    trigger('usage_of_new_files', `insert on file_uploads when ${isFile('new')}`, [
      count('new.workspace_id', { files: '1' }),
      require('files', 'true'),
    ]),
    trigger('usage_of_changed_files', `update of status on file_uploads when (${isFile('new')}) <> (${isFile('old')})`, [
      count('new.workspace_id', { files: `(${isFile('new')}) - (${isFile('old')})` }),
      require('files', isFile('new')),
    ]),
    trigger('usage_of_removed_files', `delete on file_uploads when ${isFile('old')}`, [
      count('old.workspace_id', { files: '-1' }),
    ]),
    trigger('usage_of_new_parts', 'insert on file_parts', [
      count('new.workspace_id', { bytes: 'new.byte_length' }),
      require('bytes', 'new.byte_length > 0'),
    ]),
    trigger('usage_of_changed_parts', 'update of byte_length on file_parts', [
      count('new.workspace_id', { bytes: 'new.byte_length - old.byte_length' }),
      require('bytes', 'new.byte_length > old.byte_length'),
    ]),
    trigger('usage_of_removed_parts', 'delete on file_parts', [count('old.workspace_id', { bytes: '-old.byte_length' })]),
  ]
}

function postgresqlTriggers(): readonly string[] {
  const choice = (value: (kind: UsageKind) => string): string =>
    `case kind ${usageKinds.map((kind) => `when '${kind}' then ${value(kind)}`).join(' ')} end`
  const routine = (name: string, body: string): string =>
    `create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`
  const sums = Object.entries(countsOfBlock('c')).map(([kind, condition]) => `count(*) filter (where ${condition}) as ${kind}`)
  const blockKinds = Object.keys(countsOfBlock('c'))
  const kindsOf = Object.entries(countsOfBlock('c')).map(([kind, condition]) => `case when ${condition} then '${kind}' end`)
  const add = (kind: UsageKind, value: string): string =>
    `insert into workspace_usage as u (owner_id, ${kind}) values (new.workspace_id, ${value})
      on conflict (owner_id) do update set ${kind} = u.${kind} + excluded.${kind};`
  const take = (kind: UsageKind, value: string): string =>
    `update workspace_usage set ${kind} = ${kind} - ${value} where owner_id = old.workspace_id;`
  const requireQuota = (kind: UsageKind, condition: string): string =>
    `if ${condition} and exists (select from workspace_quotas) then perform require_quota(new.workspace_id, '${kind}'); end if;`
  const each = (name: string, event: string, when: string, body: string): readonly string[] => [
    routine(name, body),
    `create trigger ${name} after ${event} for each row when (${when}) execute function ${name}()`,
  ]
  return [
    `create function require_quota(owner uuid, kind text) returns void language plpgsql as $$
      declare used bigint; allowed bigint;
      begin
        select ${choice((kind) => `u.${kind}`)}, ${choice(limitOf)} into used, allowed
          from ${QUOTAS_OF_OWNER(`'${DEFAULT_OWNER}'`)} where u.owner_id = owner;
        if used > allowed then
          raise exception using errcode = '${OVER_QUOTA_CODE}', message = '${OVER_QUOTA} ' || kind || ' ' || allowed;
        end if;
      end $$`,
    routine(
      'usage_of_new_blocks',
      `insert into workspace_usage as u (owner_id, ${blockKinds.join(', ')})
        select c.workspace_id, ${sums.join(', ')} from changed c group by c.workspace_id
        on conflict (owner_id) do update set ${blockKinds.map((kind) => `${kind} = u.${kind} + excluded.${kind}`).join(', ')};
      if exists (select from workspace_quotas) then
        perform require_quota(k.workspace_id, k.kind) from (
          select distinct c.workspace_id, unnest(array[${kindsOf.join(', ')}]) as kind from changed c) k where k.kind is not null;
      end if;`,
    ),
    `create trigger usage_of_new_blocks after insert on blocks referencing new table as changed
      for each statement execute function usage_of_new_blocks()`,
    routine(
      'usage_of_erased_blocks',
      `update workspace_usage u set ${blockKinds.map((kind) => `${kind} = u.${kind} - s.${kind}`).join(', ')}
        from (select c.workspace_id, ${sums.join(', ')} from changed c group by c.workspace_id) s
        where u.owner_id = s.workspace_id;`,
    ),
    `create trigger usage_of_erased_blocks after delete on blocks referencing old table as changed
      for each statement execute function usage_of_erased_blocks()`,
    ...each('usage_of_new_files', 'insert on file_uploads', isFile('new'), add('files', '1') + requireQuota('files', 'true')),
    ...each(
      'usage_of_changed_files',
      'update of status on file_uploads',
      `(${isFile('new')}) <> (${isFile('old')})`,
      add('files', `(${isFile('new')})::int - (${isFile('old')})::int`) + requireQuota('files', isFile('new')),
    ),
    ...each('usage_of_removed_files', 'delete on file_uploads', isFile('old'), take('files', '1')),
    ...each(
      'usage_of_new_parts',
      'insert on file_parts',
      'new.byte_length > 0',
      add('bytes', 'new.byte_length') + requireQuota('bytes', 'true'),
    ),
    ...each(
      'usage_of_changed_parts',
      'update of byte_length on file_parts',
      'new.byte_length <> old.byte_length',
      add('bytes', 'new.byte_length - old.byte_length') + requireQuota('bytes', 'new.byte_length > old.byte_length'),
    ),
    ...each('usage_of_removed_parts', 'delete on file_parts', 'old.byte_length > 0', take('bytes', 'old.byte_length')),
  ]
}
