import { expect, it } from 'vitest'
import { idOf, textAt } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'
import { UncheckedCaller } from '../limits/support/unchecked_caller.ts'

const server = await serverOfFile()
const caller = new UncheckedCaller(server.url)

it('a response written in chunks contains every character', async () => {
  // Chunks have an even length, so an odd offset on one of the pages puts a pair of surrogates across their boundaries.
  for (const offset of ['', 'x']) {
    const markdown = `${offset}${'\u{1f600}'.repeat(100_000)}`
    const page = idOf(await caller.call('createPage', { body: { markdown } }))
    const found = await caller.call('retrievePageMarkdown', { path: { page_id: page } })
    expect(textAt(found, 'markdown').trim() === markdown).toBe(true)
  }
})
