import { describe, expect, it } from 'vitest'
import { story } from '../../../server/bootstrap/story.ts'
import type { Answer } from '../../harness/answers.ts'
import { makePage, paragraph, text } from '../../harness/content.ts'
import { at, idOf } from '../../harness/json.ts'
import { makeMarkdownPage, outline, readMarkdown, wholeContent } from '../../harness/markdown.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'true' })

const bare = (id: string): string => id.replaceAll('-', '')
const update = (id: string, body: unknown, caller = server.owner): Promise<Answer> =>
  caller.call('updatePageMarkdown', { path: { page_id: id }, body })
const replace = (id: string, markdown: string, more: object = {}): Promise<Answer> =>
  update(id, { type: 'replace_content', replace_content: { new_str: markdown, ...more } })

const everything = (id: string): Promise<string> => wholeContent(server.owner, id)

describe('updatePageMarkdown: child pages', () => {
  describe('child pages and databases are not taken away unasked', () => {
    it('400 naming them; with allow_deleting_content they go to the trash', async () => {
      const page = await makeMarkdownPage(server.owner, '<details>\n<summary>t</summary>\n\ta\n</details>\nb')
      const [toggle] = await outline(server.owner, page)
      const subs = [await makePage(server.owner, 'First sub', page), await makePage(server.owner, 'Second sub', page)]
      const markdown = await readMarkdown(server.owner, page)
      await replace(
        page,
        `<details>\n<summary>t</summary>\n\ta\n\t<page url="${subs[0]}"/>\n</details>\nb\n<page url="${subs[1]}"/>`,
      )
      const before = await everything(page)
      for (const [request, place] of [
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
        const answer = await update(page, request)
        expect(answer.status).toBe(400)
        expect(answer.body).toMatchObject({
          code: 'validation_error',
          message: expect.stringContaining(`body.${place}.allow_deleting_content`) as string,
        })
        expect(answer.body['message']).toContain(`"Second sub" (${subs[1]})`)
        if (place !== 'update_content') expect(answer.body['message']).toContain(`"First sub" (${subs[0]})`)
      }
      expect(await everything(page)).toBe(before)
      expect((await replace(page, 'b', { allow_deleting_content: true })).body['markdown']).toBe('b')
      expect((await server.owner.call('retrievePage', { path: { page_id: subs[1] ?? '' } })).body).toMatchObject({
        in_trash: true,
      })
      expect(at((await server.owner.call('retrieveBlock', { path: { block_id: toggle?.id ?? '' } })).body, 'in_trash')).toBe(true)
      expect(markdown).toContain('Second sub')
    })

    it('400 also for what stands below a block without a form of its own', async () => {
      const page = await makePage(server.owner, 'x', undefined, [
        { template: { rich_text: [text('t')], children: [paragraph('in')] } },
      ])
      const [template] = await outline(server.owner, page)
      const inner = await outline(server.owner, template?.id ?? '')
      const sub = idOf((await server.owner.call('createPage', { body: { parent: { page_id: page } } })).body)
      await server.service.database.write((db) =>
        db.run('update blocks set parent_id = ?, parent_type = ? where id = ?', inner[0]?.id ?? '', 'block_id', sub),
      )
      const answer = await replace(page, '')
      expect(answer.status).toBe(400)
      expect(answer.body['message']).toContain(sub)
      expect((await replace(page, '', { allow_deleting_content: true })).status).toBe(200)
    })

    it('400 for a database', async () => {
      const answer = await replace(story.pages.handbook, '')
      expect(answer.status).toBe(400)
      expect(answer.body['message']).toContain('"Repair log"')
    })
  })
})
