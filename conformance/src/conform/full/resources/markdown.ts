import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { FullRunContext, Resource } from '../full_run_context.ts'
import { sendExamples, type Target } from '../send_examples.ts'
import { followTask } from './async_tasks.ts'

/** Pages as Markdown. Each example starts from the text that it refers to. */
export const markdown: Resource = {
  async exercise(context) {
    await sendExamples(context, operations.updatePageMarkdown, {
      target: () => pageWithText(context),
      onAccepted: async ({ record }) => {
        if (record['object'] === 'async_task') await followTask(context, String(record['id']))
      },
    })
  },
}

/** A page with the text in the examples of responses. */
async function pageWithText(context: FullRunContext): Promise<Target | string> {
  const { records, replacements, pageId, writer } = context
  const texts = records.of('page_markdown').flatMap(({ values }) => {
    const { value, missing } = replacements.fill(values['markdown'])
    return missing.length === 0 && typeof value === 'string' ? [value] : []
  })
  const text = texts.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const body = { parent: { page_id: pageId }, markdown: text }
  const made = await writer.send(operations.createPage, { body }, { name: 'a page of Markdown', isCertain: true })
  if (!made) return 'no page could be created'
  const path = { page_id: made.id }
  const read = await writer.read(operations.retrievePageMarkdown, { path })
  if (read && isObject(read.record)) {
    const holds = text === '' || String(read.record['markdown']).trim() !== ''
    writer.expect(holds, operations.createPage, read.response, 'body.markdown', 'is empty, though the page was created with text')
  }
  return { path }
}
