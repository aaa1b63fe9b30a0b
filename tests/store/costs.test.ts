import { randomUUID } from 'node:crypto'
import { generateNKeysBetween } from 'fractional-indexing'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import {
  grantedAmong,
  isBelowTrash,
  memberLevels,
  ownRules,
  findAncestors,
  visibleAmong,
  visibleRoots,
} from '../../server/store/access.ts'
import {
  findBlock,
  findBlocks,
  findVisibleBlock,
  insertBlocks,
  listChildren,
  listVisibleChildren,
  setTrashed,
  withVisibleChildren,
  type NewBlock,
} from '../../server/store/blocks.ts'
import { typesBefore } from '../../server/store/block_types.ts'
import { listContent, listContentOfAll } from '../../server/store/placed_content.ts'
import { findVisibleComment, insertDiscussion, listCommentsFrom } from '../../server/store/comments.ts'
import type { Connection, Transaction } from '../../server/store/database.ts'
import { childPagesBelow, childPagesOf, trashBlocks } from '../../server/store/block_trees.ts'
import { dropFinishedTasks, findTask } from '../../server/store/async_tasks.ts'
import { findVisiblePage } from '../../server/store/pages.ts'
import { insertGrant } from '../../server/store/grants.ts'
import { listNotesOnPage } from '../../server/store/meeting_notes.ts'
import { countUnwritten } from '../../server/store/archive_counts.ts'
import { isAtOrBelow, listClosedInBlocks, listPagesInBlocks, listRecordsOn } from '../../server/store/page_places.ts'
import { lastRank, rankAfter } from '../../server/store/sibling_ranks.ts'
import { listTitlesWithStart, listTitlesWithWords, scanTitles } from '../../server/store/title_search.ts'
import { setRole } from '../../server/store/members.ts'
import { addTitles, listTitlesBelow, retitle, type NewTitle } from '../../server/store/titles.ts'
import { findKnownUsers } from '../../server/store/users.ts'
import type { ListedView } from '../../server/store/views.ts'
import { findLiveToken, findTokenOwner, tokenDigest } from '../../server/store/tokens.ts'
import type { RowOf, RowShape } from '../../server/store/row_shape.ts'
import { sql, type Sql } from '../../server/store/sql.ts'
import { engine, on } from '../harness/databases.ts'
import { unnamedWorkspaces, watchStatements } from '../harness/workspace_conditions.ts'
import { observed } from '../harness/observed.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { jobStatements, plantJobs, type PlantedJobs } from './job_statements.ts'
import { plantUploads, uploadStatements, type PlantedUploads } from './upload_statements.ts'
import { plantViewQueries, plantViews, viewStatements } from './view_statements.ts'
import { noteStatements, plantNotes, type PlantedNotes } from './note_statements.ts'
import { plantSessions, sessionStatements, type PlantedSessions } from './session_statements.ts'
import { plantRows, rowStatements, type PlantedRows } from './row_statements.ts'
import { someRows } from '../harness/long_runs.ts'

/**
 * The cost of a statement depends on its results, not on the size of the tables: rows that the engine reads are counted in a small tree and
 * in one a hundred times as large, both without statistics.
 */

const DEPTH = 50
const LARGE = 20_000
const {
  workspace: { id: workspaceId },
  bot,
} = exampleWorkspace
const botId = randomUUID()

/** Otherwise the server may analyze tables that are still empty, and plan for that while they are being filled. */
const NO_STATISTICS = `do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = current_schema() loop
    execute format('alter table %I set (autovacuum_enabled = false)', name);
  end loop;
end $$`

watchStatements()
const server = await serverOfFile()
if (engine === 'postgresql') await server.service.database.write((db) => db.run(NO_STATISTICS))

function row(parentId: string, rank: string): NewBlock {
  return {
    id: randomUUID(),
    type: 'paragraph',
    parentType: parentId === workspaceId ? 'workspace' : 'block_id',
    parentId,
    pageId: null,
    rank,
    content: { rich_text: [], color: 'default', icon: null },
    createdTime: 1,
    createdBy: bot.id,
  }
}

function childrenOf(parentId: string, count: number): NewBlock[] {
  return generateNKeysBetween(null, null, count).map((rank) => row(parentId, rank))
}

interface Tree {
  readonly top: string
  readonly deepest: string
  readonly wide: string
  readonly middleRank: string
  readonly someIds: readonly string[]
  readonly comment: { readonly id: string; readonly createdTime: number }
  readonly uploads: PlantedUploads
  readonly view: ListedView
  readonly viewQuery: string
  readonly rows: PlantedRows
  readonly jobs: PlantedJobs
  readonly sessions: PlantedSessions
  readonly notes: PlantedNotes
}

function titleRow(parentId: string, index: number): NewTitle {
  const title = [{ type: 'text', text: { content: `${index < 5 ? 'rare' : 'common'} w${index}` } }]
  return { id: randomUUID(), kind: 'page', parentId, aboveId: parentId, title, lastEditedTime: index, inTrash: false }
}

/** A chain of fifty blocks, shared at its top, and beside it a parent of many blocks, half of them in the trash. */
async function plant(db: Transaction, width: number, rank: string): Promise<Tree> {
  const chain = [row(workspaceId, rank)]
  while (chain.length < DEPTH) chain.push(row(chain.at(-1)?.id ?? '', 'a0'))
  const top = chain[0]?.id ?? ''
  const wide = row(top, 'a1')
  const many = childrenOf(wide.id, width)
  await insertBlocks(db, workspaceId, [...chain, wide, ...many])
  await db.run(
    `update blocks set in_trash = 1 where workspace_id = ? and parent_id = ? and rank < ?`,
    workspaceId,
    wide.id,
    many[width / 2]?.rank ?? '',
  )
  await insertGrant(db, workspaceId, botId, top, 1)
  await addTitles(
    db,
    workspaceId,
    Array.from({ length: width / 10 }, (_, index) => titleRow(wide.id, index)),
  )
  const commentIds = await plantComments(db, width, wide.id)
  return {
    top,
    deepest: chain.at(-1)?.id ?? '',
    wide: wide.id,
    middleRank: many[(width * 3) / 4]?.rank ?? '',
    someIds: many.slice(-100).map(({ id }) => id),
    comment: { id: commentIds[width / 2] ?? '', createdTime: width / 2 },
    uploads: await plantUploads(db, workspaceId, width),
    view: await plantViews(db, workspaceId, width, wide.id),
    viewQuery: await plantViewQueries(db, workspaceId, width, wide.id),
    rows: await plantRows(db, workspaceId, width / 4, bot.id),
    jobs: await plantJobs(db, workspaceId, width),
    sessions: await plantSessions(db, workspaceId, Math.max(600, width / 5)),
    notes: await plantNotes(db, workspaceId, Math.max(200, width / 10)),
  }
}

/**
 * Comments on one block, every second one resolved.
 * @returns their ids, oldest first
 */
async function plantComments(db: Transaction, count: number, parentId: string): Promise<string[]> {
  const discussionId = randomUUID()
  await insertDiscussion(db, workspaceId, { id: discussionId, parentId }, 1)
  const ids = Array.from({ length: count }, () => randomUUID())
  await db.insert({
    table: 'comments',
    columns: [
      'workspace_id',
      'id',
      'discussion_id',
      'parent_id',
      'is_open',
      'rich_text',
      'display_name',
      'created_time',
      'created_by',
      'last_edited_time',
    ],
    rows: ids.map((id, index) => [workspaceId, id, discussionId, parentId, index % 2, '[]', '{}', index, bot.id, index]),
  })
  return ids
}

const viewer = { workspaceId, userId: botId, seesWholeWorkspace: false }
const member = { ...viewer, userId: exampleWorkspace.people[1].id, memberLevel: 'edit' } as const

const field = { workspaceId, kinds: ['page', 'data_source'], inTrash: false } as const
const run = { titles: 100, matches: 100 }

const statements: Record<string, (db: Connection, tree: Tree) => unknown> = {
  'the owner of a token': (db) => findTokenOwner(db, tokenDigest(TOKEN)),
  'one block': (db, { deepest }) => findBlock(db, workspaceId, deepest),
  'a block that is seen, at depth 50': (db, { deepest }) => findVisibleBlock(db, viewer, deepest),
  'a block that a member sees, at depth 50': (db, { deepest }) => findVisibleBlock(db, member, deepest),
  'a page that is seen, at depth 50': (db, { deepest }) => findVisiblePage(db, viewer, deepest),
  'a page that a member sees, at depth 50': (db, { deepest }) => findVisiblePage(db, member, deepest),
  'trash above depth 50': (db, { deepest }) => isBelowTrash(db, workspaceId, deepest),
  'access of a member at depth 50': (db, { deepest }) => memberLevels(db, member, [deepest]),
  'whether a page lies below another at depth 50': (db, { top, deepest }) => isAtOrBelow(db, workspaceId, deepest, top),
  'pages that stand in blocks of a page': (db, { wide }) => listPagesInBlocks(db, workspaceId, wide, 100),
  'pages and databases anywhere on a page': (db, { wide }) => listRecordsOn(db, workspaceId, wide),
  // An export counts all rows of its workspace; rows of other workspaces cost nothing.
  'what an archive of a small workspace lacks': (db) => countUnwritten(db, randomUUID()),
  'meeting notes on a page': (db, { wide }) => listNotesOnPage(db, workspaceId, wide, undefined, 100),
  'meeting notes on a page, further on': (db, { wide }) => listNotesOnPage(db, workspaceId, wide, wide, 100),
  'pages in blocks of a page that are closed to a member': (db, { wide }) => listClosedInBlocks(db, member, wide, undefined, 100),
  'which of 100 blocks hold something that a member sees': (db, { someIds }) => withVisibleChildren(db, member, someIds),
  'first 50 blocks that a member sees in another': (db, { wide }) => listVisibleChildren(db, member, wide, undefined, 50),
  'a guest whom a connection may know': async (db) => {
    await setRole(db as Transaction, workspaceId, exampleWorkspace.people[1].id, 'guest')
    return findKnownUsers(db, viewer, [exampleWorkspace.people[1].id], 'none')
  },
  'first 50 children': (db, { wide }) => listChildren(db, workspaceId, wide, undefined, 50),
  '50 children in the middle': (db, { wide, middleRank }) => listChildren(db, workspaceId, wide, middleRank, 50),
  'content of 50 children in the middle': (db, { wide, middleRank }) => listContent(db, workspaceId, wide, middleRank, 50),
  'content below 100 blocks': (db, { someIds }) => listContentOfAll(db, workspaceId, someIds, 50),
  'the last place': (db, { wide }) => lastRank(db, workspaceId, wide),
  'the next place': (db, { wide, middleRank }) => rankAfter(db, workspaceId, wide, middleRank),
  'the siblings before 100 blocks': (db, { someIds }) => typesBefore(db, workspaceId, someIds),
  '100 blocks by id': (db, { someIds }) => findBlocks(db, workspaceId, someIds),
  'which of 100 blocks are visible': (db, { someIds }) => visibleAmong(db, viewer, someIds),
  'one comment': (db, { comment }) => findVisibleComment(db, viewer, comment.id),
  'first 50 comments, as children of a block': (db, { wide }) => listCommentsFrom(db, workspaceId, wide, undefined, 50),
  '50 comments in the middle, as children of a block': (db, { wide, comment }) =>
    listCommentsFrom(db, workspaceId, wide, comment, 50),
  'ancestors of 100 blocks': (db, { someIds }) => findAncestors(db, viewer, someIds),
  'which of 100 items were shared': (db, { someIds }) => grantedAmong(db, viewer, someIds),
  'rules on 100 items': (db, { someIds }) => ownRules(db, member, someIds),
  'items that were shared': (db) => visibleRoots(db, viewer, 100),
  'items that rules open': (db) => visibleRoots(db, { ...member, memberLevel: 'none' }, 100),
  'a title': (db, { top }) => retitle(db as Transaction, workspaceId, top, []),
  ...noteStatements(workspaceId),
  'titles of what lies in an item': (db, { wide }) => listTitlesBelow(db, workspaceId, [wide], 15),
  'the last 100 titles': (db) => scanTitles(db, field, undefined, 'descending', undefined, run),
  'the first 100 titles behind a time': (db) => scanTitles(db, field, undefined, 'ascending', { time: 1, id: workspaceId }, run),
  'the last 100 data sources': (db) =>
    scanTitles(db, { ...field, kinds: ['data_source'] }, undefined, 'descending', undefined, run),
  'titles that begin with a word': (db) => listTitlesWithStart(db, field, ' rare', 'begins', 100),
  'titles with a word': (db) => listTitlesWithWords(db, field, [{ text: 'rare', isWhole: true }], 100),
  'titles with words that begin with a text': (db) => listTitlesWithWords(db, field, [{ text: 'rar', isWhole: false }], 100),
  ...uploadStatements(workspaceId),
  'a block into the trash': (db, { wide }) => setTrashed(db as Transaction, workspaceId, wide, true),
  '100 blocks into the trash': (db, { someIds }) => trashBlocks(db as Transaction, workspaceId, someIds, botId, 1),
  'pages below 100 blocks': (db, { top, someIds }) => childPagesBelow(db, member, top, someIds, 20),
  'pages of a page': (db, { top }) => childPagesOf(db, member, top, 20),
  'a token of a bot': (db) => findLiveToken(db, workspaceId, bot.id, 1),
  'a task': (db) => findTask(db, workspaceId, botId, randomUUID(), 1),
  ...viewStatements(workspaceId),
  ...rowStatements(workspaceId),
  ...jobStatements(workspaceId),
  ...sessionStatements(workspaceId),
  'tasks that ended long ago': (db) => dropFinishedTasks(db as Transaction, 1, 100),
}

on('postgresql', describe)('rows read', () => {
  const counted = async (db: Connection): Promise<number> => {
    const found = await db.get(
      { count: 'integer' },
      `select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0) as count from pg_stat_xact_user_tables`,
    )
    return found?.count ?? 0
  }

  const scenes: Record<string, (db: Transaction) => Promise<unknown>> = {
    'without statistics': async () => undefined,
    // The planner assumes an average workspace, and keeps its plan for every workspace.
    'after statistics of many workspaces with a single block': async (db) => {
      const strangers = randomUUID()
      await insertBlocks(db, strangers, childrenOf(workspaceId, 3_000))
      await db.run(`update blocks set workspace_id = id, rank = 'a0' where workspace_id = ?`, strangers)
      await db.run('analyze blocks')
      await db.run('set local plan_cache_mode = force_generic_plan')
    },
  }

  for (const [scene, prepare] of someRows(Object.entries(scenes))) {
    it(`rows read by statements are as few in a large tree as in a small one, ${scene}`, async () => {
      await expect(
        server.service.database.write(async (db) => {
          await prepare(db)
          const trees = [await plant(db, 200, 'b00'), await plant(db, LARGE, 'b01')]
          for (const [name, statement] of Object.entries(statements)) {
            const costs: number[] = []
            for (const tree of trees) {
              const before = await counted(db)
              await statement(db, tree)
              costs.push((await counted(db)) - before)
            }
            const [inSmall = 0, inLarge = 0] = costs
            // Index entries that a large transaction leaves unmerged may be read once more.
            expect(inLarge, `${name}: ${inSmall} rows in a small tree, ${inLarge} in a large one`).toBeLessThanOrEqual(
              inSmall * 1.5 + 10,
            )
            expect(inLarge, name).toBeLessThan(700)
          }
          throw new Error('enough')
        }),
      ).rejects.toThrow('enough')
    })
  }
})

on('sqlite', describe)('query plans', () => {
  /** Reads the plan of every statement before it runs. */
  function explaining(db: Connection, plans: string[]): Connection {
    const explain = async (statement: Sql): Promise<void> => {
      for (const { detail } of await db.all({ detail: 'text' }, sql`explain query plan ${statement}`)) plans.push(detail)
    }
    return observed(db, {
      async all<S extends RowShape>(shape: S, statement: Sql): Promise<RowOf<S>[]> {
        await explain(statement)
        return db.all(shape, statement)
      },
      async get<S extends RowShape>(shape: S, statement: Sql): Promise<RowOf<S> | undefined> {
        await explain(statement)
        return db.get(shape, statement)
      },
      async run(statement) {
        await explain(statement)
        return db.run(statement)
      },
      async change(statement) {
        await explain(statement)
        return db.change(statement)
      },
    })
  }

  it('statements find every row by an index, without a sort', async () => {
    const tree = await server.service.database.write((db) => plant(db, 200, 'b00'))
    for (const [name, statement] of Object.entries(statements)) {
      const plans: string[] = []
      await server.service.database.write(async (db) => statement(explaining(db, plans), tree))
      expect(plans.length, name).toBeGreaterThan(0)
      const scans = plans.filter(
        (plan) =>
          /^SCAN (?!a\b|b\b|s0\b|x\b|k\b|o\b|batch\b|kinds\b|due\b|dropped\b|some_(?:ready|late)\b|dead\b|jobs USING INDEX jobs_dead|above|found\b|portions?\b|ancestry|siblings|kept|trashed|json_each|(?:\d+ )?CONSTANT|\(subquery)/.test(
            plan,
          ) ||
          (/TEMP B-TREE FOR ORDER BY/.test(plan) && name.includes('children')),
      )
      // If you are here because a plan is listed: the statement reads a whole table or sorts it. It needs an index, or a condition on the
      // first columns of one.
      expect(scans, `${name}:\n${plans.join('\n')}`).toStrictEqual([])
    }
  })
})

it('each SQL statement restricts each of its tables to one workspace', () => expect(unnamedWorkspaces()).toEqual([]))
