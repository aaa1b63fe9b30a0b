import { expect, it } from 'vitest'
import { append, makePage, text } from '../../harness/content.ts'
import { enumerationValues } from '../../harness/enumerations.ts'
import { at } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

/** Appends a block for each word, and reads the value at the same path of each. */
async function keptWords(
  words: readonly string[],
  block: (word: string) => object,
  ...path: (string | number)[]
): Promise<unknown[]> {
  const page = await makePage(server.owner)
  const kept = []
  for (let start = 0; start < words.length; start += 100)
    kept.push(...(await append(server.owner, page, words.slice(start, start + 100).map(block))))
  return kept.map((made) => at(made, ...path))
}

it('appendBlockChildren: 200 for every language of code', async () => {
  const words = enumerationValues('CodeLanguage')
  const code = (language: string): object => ({ code: { rich_text: [text('x')], language } })
  expect(await keptWords(words, code, 'code', 'language')).toStrictEqual(words)
})

it('appendBlockChildren: 200 for every color of blocks and text', async () => {
  const words = enumerationValues('Color')
  const colored = (color: string): object => ({ paragraph: { rich_text: [text('x', { annotations: { color } })], color } })
  expect(await keptWords(words, colored, 'paragraph', 'color')).toStrictEqual(words)
  expect(await keptWords(words, colored, 'paragraph', 'rich_text', 0, 'annotations', 'color')).toStrictEqual(words)
})

it('appendBlockChildren: 200 for every color of native icons', async () => {
  const words = enumerationValues('NativeIconColor')
  const callout = (color: string): object => ({
    callout: { rich_text: [text('x')], icon: { type: 'icon', icon: { name: 'anchor', color } } },
  })
  expect(await keptWords(words, callout, 'callout', 'icon', 'icon', 'color')).toStrictEqual(words)
})
