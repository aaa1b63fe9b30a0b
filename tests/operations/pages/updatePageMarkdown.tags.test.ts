import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import { insertToken, tokenDigest } from '../../../server/store/tokens.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { appendOne, children, makePage, paragraph, plainTexts, text } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { at, idOf } from '../../harness/json.ts'
import { makeMarkdownPage, outline, readMarkdown, wholeContent } from '../../harness/markdown.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'true' })

const bare = (id: string): string => id.replaceAll('-', '')
const update = (id: string, body: unknown, caller = server.owner): Promise<TestResponse> =>
  caller.call('updatePageMarkdown', { path: { page_id: id }, body })
const replace = (id: string, markdown: string, more: object = {}): Promise<TestResponse> =>
  update(id, { type: 'replace_content', replace_content: { new_str: markdown, ...more } })

const exchange = (id: string, ...updates: object[]): Promise<TestResponse> =>
  update(id, { type: 'update_content', update_content: { content_updates: updates } })

const everything = (id: string): Promise<string> => wholeContent(server.owner, id)

describe('updatePageMarkdown: tags', () => {
  describe('child pages and databases whose tags are removed', () => {
    it('400 naming them, or 200 with allow_deleting_content, which moves them to the trash', async () => {
      const page = await makeMarkdownPage(server.owner, '<details>\n<summary>t</summary>\n\ta\n</details>\nb')
      const [toggle] = await outline(server.owner, page)
      const subs = [await makePage(server.owner, 'First sub', page), await makePage(server.owner, 'Second sub', page)]
      const markdown = await readMarkdown(server.owner, page)
      await replace(
        page,
        `<details>\n<summary>t</summary>\n\ta\n\t<page url="${subs[0]}"/>\n</details>\nb\n<page url="${subs[1]}"/>`,
      )
      const before = await everything(page)
      for (const [request, location] of [
        [{ type: 'replace_content', replace_content: { new_str: 'b' } }, 'replace_content'],
        [
          {
            type: 'update_content',
            update_content: {
              content_updates: [
                { old_str: '<details>', new_str: '<aside>' },
                { old_str: `<page url="${server.url}/${bare(subs[1] ?? '')}">Second sub</page>`, new_str: '' },
              ],
            },
          },
          'update_content',
        ],
        [
          {
            type: 'replace_content_range',
            replace_content_range: { content: '', content_range: '<details>...Second sub</page>' },
          },
          'replace_content_range',
        ],
      ] as const) {
        const response = await update(page, request)
        expect(response.status).toBe(400)
        expect(response.body).toMatchObject({
          code: 'validation_error',
          message: expect.stringContaining(`body.${location}.allow_deleting_content`) as string,
        })
        expect(response.body['message']).toContain(`"Second sub" (${subs[1]})`)
        if (location !== 'update_content') expect(response.body['message']).toContain(`"First sub" (${subs[0]})`)
      }
      expect(await everything(page)).toBe(before)
      expect((await replace(page, 'b', { allow_deleting_content: true })).body['markdown']).toBe('b')
      expect((await server.owner.call('retrievePage', { path: { page_id: subs[1] ?? '' } })).body).toMatchObject({
        in_trash: true,
      })
      expect(at((await server.owner.call('retrieveBlock', { path: { block_id: toggle?.id ?? '' } })).body, 'in_trash')).toBe(true)
      expect(markdown).toContain('Second sub')
    })

    it('400 even if they are below a block without a form in Markdown', async () => {
      const page = await makePage(server.owner, 'x', undefined, [
        { template: { rich_text: [text('t')], children: [paragraph('in')] } },
      ])
      const [template] = await outline(server.owner, page)
      const inner = await outline(server.owner, template?.id ?? '')
      const sub = idOf((await server.owner.call('createPage', { body: { parent: { page_id: page } } })).body)
      await server.service.database.write((db) =>
        db.run('update blocks set parent_id = ?, parent_type = ? where id = ?', inner[0]?.id ?? '', 'block_id', sub),
      )
      const response = await replace(page, '')
      expect(response.status).toBe(400)
      expect(response.body['message']).toContain(sub)
      expect((await replace(page, '', { allow_deleting_content: true })).status).toBe(200)
    })

    it('400 for a database', async () => {
      const response = await replace(exampleWorkspace.pages.handbook, '')
      expect(response.status).toBe(400)
      expect(response.body['message']).toContain('"Repair log"')
    })
  })

  describe('tags that refer to objects', () => {
    it('200 with a child page moved together with its tag', async () => {
      const page = await makeMarkdownPage(server.owner, 'a\n- b')
      const sub = await makePage(server.owner, 'Sub', page, [paragraph('inside')])
      const tag = `<page url="${server.url}/${bare(sub)}">Sub</page>`
      expect(await readMarkdown(server.owner, page)).toBe(`a\n- b\n${tag}`)
      await replace(page, `a\n- b\n\t<page url="${sub}">Another label</page>`)
      expect(await readMarkdown(server.owner, page)).toBe(`a\n- b\n\t${tag}`)
      expect((await server.owner.call('retrievePage', { path: { page_id: sub } })).body).toMatchObject({
        in_trash: false,
        parent: { type: 'block_id' },
      })
      await replace(page, `${tag}\na\n- b`)
      expect((await server.owner.call('retrievePage', { path: { page_id: sub } })).body).toMatchObject({
        parent: { type: 'page_id', page_id: page },
      })
      expect(plainTexts(await children(server.owner, sub))).toStrictEqual(['inside'])
    })

    it('200 with a link for a second tag of a child, and without it once one of the two is removed', async () => {
      const page = await makePage(server.owner)
      const sub = await makePage(server.owner, 'Sub', page)
      const tag = `<page url="${server.url}/${bare(sub)}">Sub</page>`
      await replace(page, `${tag}\na\n${tag}`)
      expect((await outline(server.owner, page)).map(({ type }) => type)).toStrictEqual([
        'child_page',
        'paragraph',
        'link_to_page',
      ])
      expect((await exchange(page, { old_str: `${tag}\na`, new_str: 'a' })).status).toBe(200)
      expect((await outline(server.owner, page)).map(({ type }) => type)).toStrictEqual(['paragraph', 'child_page'])
    })

    it("200 with a link for another page's tag, the name of a hidden page, and text for a missing page", async () => {
      const other = await makePage(server.owner, 'Other')
      const page = await makePage(server.owner)
      const { caller } = await makeConnection(server, { capabilities: ['update_content', 'read_content'], grants: [page] })
      const markdown = `<page url="${other}">Label</page>\n<database url="${exampleWorkspace.repairLog}"/>\n<page>Text</page>`
      await replace(page, markdown)
      expect((await outline(server.owner, page)).map(({ type, text: own }) => [type, own])).toStrictEqual([
        ['link_to_page', ''],
        ['link_to_page', ''],
        ['paragraph', '<page>Text</page>'],
      ])
      const hidden = await makePage(server.owner)
      const response = await caller.call('updatePageMarkdown', {
        path: { page_id: page },
        body: { type: 'replace_content', replace_content: { new_str: `<page url="${hidden}">Label</page>` } },
      })
      expect(response.body['markdown']).toBe('Label')
    })

    it('200 with the block of <unknown> kept anywhere, and the tag dropped if it has no block', async () => {
      const page = await makePage(server.owner, 'x', undefined, [
        { bookmark: { url: 'https://example.org' } },
        paragraph('a'),
        { template: { rich_text: [text('t')], children: [paragraph('in')] } },
      ])
      const [bookmark, , template] = await outline(server.owner, page)
      const tag = (id: string | undefined): string => `<unknown url="${server.url}/${bare(page)}#${bare(id ?? '')}"/>`
      await replace(page, `- a\n\t${tag(template?.id)}\n${tag(bookmark?.id)}\n${tag(randomUUID())}\n<unknown/>`)
      const [item, last, ...more] = await outline(server.owner, page)
      expect([item?.type, item?.children[0]?.id, last?.id, more]).toStrictEqual([
        'bulleted_list_item',
        template?.id,
        bookmark?.id,
        [],
      ])
      await replace(page, 'a')
      expect((await outline(server.owner, page)).map(({ type }) => type)).toStrictEqual(['paragraph'])
    })

    it('200 with an existing block kept for <meeting-notes>, and no new one', async () => {
      const id = exampleWorkspace.pages.launchPlan
      const before = await everything(id)
      const markdown = await readMarkdown(server.owner, id)
      await replace(
        id,
        markdown.replace('Launch at 11:40, Ines on board.', 'Nobody came.').replace('Launch speech rehearsal', 'Nothing'),
      )
      expect(await everything(id)).toBe(before)
      const page = await makeMarkdownPage(server.owner, '<meeting-notes>\n\tx\n</meeting-notes>\na')
      expect((await outline(server.owner, page)).map(({ type }) => type)).toStrictEqual(['paragraph'])
    })

    it('200 with the id of a synced original kept when its content changes, followed by its copies', async () => {
      const page = await makePage(server.owner)
      const original = await appendOne(server.owner, page, { synced_block: { synced_from: null, children: [paragraph('a')] } })
      const url = `${server.url}/${bare(page)}#${bare(original)}`
      await replace(
        page,
        `<synced_block url="${url}">\n\ta\n\tb\n</synced_block>\n<synced_block_reference url="${url}">\n\tignored\n</synced_block_reference>`,
      )
      expect(await readMarkdown(server.owner, page)).toBe(
        `<synced_block url="${url}">\n\ta\n\tb\n</synced_block>\n<synced_block_reference url="${url}">\n\ta\n\tb\n</synced_block_reference>`,
      )
      expect((await outline(server.owner, page))[0]?.id).toBe(original)
    })

    it('200 with the content itself in place of a copy of a copy, or of a copy of a missing original', async () => {
      const source = await makePage(server.owner)
      const original = await appendOne(server.owner, source, { synced_block: { synced_from: null, children: [paragraph('a')] } })
      const copy = await appendOne(server.owner, source, { synced_block: { synced_from: { block_id: original } } })
      for (const id of [copy, randomUUID()]) {
        const page = await makePage(server.owner)
        const url = `${server.url}/${bare(source)}#${bare(id)}`
        await replace(page, `<synced_block_reference url="${url}">\n\tkept\n</synced_block_reference>`)
        expect(await readMarkdown(server.owner, page)).toBe('kept')
      }
    })

    it('200 with a sub-page kept that a member may not see', async () => {
      const page = await makePage(server.owner, 'Open', undefined, [paragraph('a')])
      const hidden = await makePage(server.owner, 'Hidden', page)
      const token = `pat_${bare(randomUUID())}`
      const member = exampleWorkspace.people[1].id
      await server.service.database.write(async (db) => {
        await insertToken(
          db,
          {
            digest: tokenDigest(token),
            workspaceId: exampleWorkspace.workspace.id,
            kind: 'personal',
            userId: member,
            connectionId: null,
          },
          server.clock.now(),
        )
        await setMemberAccess(db, exampleWorkspace.workspace.id, hidden, member, 'none', server.clock.now())
      })
      const body = { type: 'replace_content', replace_content: { new_str: 'b' } }
      expect((await update(page, body, server.caller(token))).status).toBe(200)
      expect((await outline(server.owner, page)).map(({ type, id }) => [type, type === 'child_page' && id])).toStrictEqual([
        ['paragraph', false],
        ['child_page', hidden],
      ])
    })
  })
})
