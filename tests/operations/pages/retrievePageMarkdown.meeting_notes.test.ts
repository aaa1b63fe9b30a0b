import { describe, expect, it } from 'vitest'
import { makePage } from '../../harness/content.ts'
import { readMarkdown } from '../../harness/markdown.ts'
import { makeSettledNote, plain, sectionId } from '../../harness/meeting_notes.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

describe('retrievePageMarkdown', () => {
  it('200 with summary and notes of a meeting note, and its transcript on request', async () => {
    const own = await makePage(server.owner)
    const note = await makeSettledNote(server.owner, own, plain('Ines: Please row.'), { title: 'Noon' })
    const address = `${server.url}/${own.replaceAll('-', '')}#${sectionId(note, 'transcript').replaceAll('-', '')}`
    const summary = [
      '<meeting-notes>',
      '\tNoon',
      '\t<summary>',
      '\t\t### Key points',
      '\t\t- Please row.',
      '\t\t### Action items',
      '\t\t- [ ] Please row.',
      '\t</summary>',
      '\t<notes>',
      '\t</notes>',
    ]
    expect(await readMarkdown(server.owner, own)).toBe(
      [...summary, `\t<transcript url="${address}"/>`, '</meeting-notes>'].join('\n'),
    )
    const whole = await server.owner.call('retrievePageMarkdown', {
      path: { page_id: own },
      query: { include_transcript: 'true' },
    })
    expect(whole.body['markdown']).toBe(
      [...summary, '\t<transcript>', '\t\tInes: Please row.', '\t</transcript>', '</meeting-notes>'].join('\n'),
    )
  })
})
