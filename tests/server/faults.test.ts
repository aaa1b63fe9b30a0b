import { describe, expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import { paragraph } from '../harness/content.ts'
import { expectError } from '../harness/expectations.ts'
import { startTestServer } from '../harness/server.ts'

/** What nobody foresaw: 500 with a fixed text, nothing about the fault, and a server that goes on. */

describe('internal faults', () => {
  it('500 internal_server_error tells nothing about the fault', async () => {
    const server = await startTestServer()
    const path = {
      block_id: story.pages.checklist,
      page_id: story.pages.checklist,
      user_id: story.bot.id,
      comment_id: story.bot.id,
    }
    const answers = async (): Promise<void> => {
      const bodies = {
        updateBlock: {},
        appendBlockChildren: { children: [paragraph('x')] },
        createPage: {},
        updatePage: {},
        createComment: { parent: { page_id: story.pages.checklist }, markdown: 'x' },
        updateComment: { markdown: 'x' },
      } as const
      for (const id of [
        'retrieveBlock',
        'updateBlock',
        'deleteBlock',
        'listBlockChildren',
        'appendBlockChildren',
        'createPage',
        'retrievePage',
        'updatePage',
        'listUsers',
        'retrieveUser',
        'retrieveMe',
        'listCustomEmojis',
        'createComment',
        'retrieveComment',
        'updateComment',
        'deleteComment',
        'listComments',
      ] as const) {
        const query = id === 'listComments' ? { block_id: story.pages.checklist } : {}
        const answer = await server.owner.call(id, {
          path,
          query,
          body: id in bodies ? bodies[id as keyof typeof bodies] : undefined,
        })
        expectError(answer, 500, 'internal_server_error')
        expect(answer.text).not.toMatch(/sql|table|column|node:|\.ts|stack/i)
      }
    }
    await server.service.database.write(async (db) => {
      for (const table of ['blocks', 'users', 'custom_emojis', 'comments'])
        await db.run(`alter table ${table} rename to ${table}_away`)
    })
    await answers()
    await server.service.database.write(async (db) => {
      for (const table of ['blocks', 'users', 'custom_emojis', 'comments'])
        await db.run(`alter table ${table}_away rename to ${table}`)
    })
    expect((await server.owner.call('retrieveBlock', { path })).status).toBe(200)
    await server.stop()
  })
})
