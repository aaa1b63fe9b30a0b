import { expect, test } from 'vitest'
import { unplainWords } from '../../../spec/rules/support/words.js'
import { findings, withOperation } from '../support/spectral.ts'

const found = (description: string): Promise<string[]> => findings('plain-words', withOperation({ description }))

test('the rule plain-words accepts plain descriptions, and listed phrases in code and URLs', async () => {
  expect(await found('Returns the notes. There is none in the trash.')).toEqual([])
  expect(await found('`carried out`, [Notes](https://harbour.example/color)\n\n```text\nat the most\n```')).toEqual([])
  expect(await found('Mended is a name like Recommended.')).toEqual(['“Mended”: write fix'])
})

test('the rule plain-words rejects listed phrases and British spellings in descriptions and summaries, in upper or lower case', async () => {
  expect(await found('Whoever asks gets 100 at\nthe most.')).toEqual(['“Whoever”: write the user who, anyone who'])
  expect(await found('At the most 100, in any colour.')).toEqual([
    '“At the most”: write at most',
    '“colour”: write the American spelling',
  ])
  expect(await findings('plain-words', withOperation({ summary: 'Make notes anew' }))).toEqual(['“anew”: write again'])
})

test('the rule plain-words accepts listed phrases in the values of examples', async () => {
  const examples = { Note: { summary: 'A note', value: { description: 'Made anew' } } }
  expect(await findings('plain-words', withOperation({}, { components: { examples } }))).toEqual([])
})

test('the word list of plain-words returns the position of each listed phrase in a Markdown text', () => {
  expect(unplainWords('# Notes\n\n`anew` made anew')).toEqual([{ index: 21, message: '“anew”: write again' }])
})
